/* SPDX-License-Identifier: Apache-2.0 */
/* Divides work among several machines. A list of runs is divided into parts, and for each part
 * there is a database that a task fills. Tasks share no other files. */
#ifndef MEMTWIN_STUDY_TASK_H
#define MEMTWIN_STUDY_TASK_H

#include "study/db.h"

/* All functions return 0, or -1 with one line in err. */

/* Writes a list of waiting runs of the study last stored in `d`, with their arguments, in parts 1
 * to `tasks`. Replaces the file at `path` when the list is complete. */
int task_list(struct study_db *d, const char *path, const struct study_runs *r,
              const struct study_waiting *waiting, size_t n, size_t tasks, struct error *err);

/* Part of the list, in the form that work_do requires. */
struct study_task {
    struct study study;
    struct study_runs runs;
};
/* Reads part `number` of the list and stores it in the database of the task, unless it is already
 * there. Refuses a list made by another program. Call task_free in both cases. */
int task_read(struct study_task *t, struct study_db *d, const char *list, size_t number,
              struct error *err);
void task_free(struct study_task *t);

#endif
