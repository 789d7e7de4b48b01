/* SPDX-License-Identifier: Apache-2.0 */
/* Work for several machines: a list of runs, divided into parts, and for each part a database that
 * a task fills. Tasks share nothing but these files. */
#ifndef MEMTWIN_STUDY_TASK_H
#define MEMTWIN_STUDY_TASK_H

#include "study/db.h"

/* All return 0, or -1 with one line in err. */

/* Writes a list of waiting runs of the study last stored in `d`, with their arguments, in parts 1
 * to `tasks`. Replaces the file at `path` once the list is complete. */
int task_list(struct study_db *d, const char *path, const struct study_runs *r,
              const struct study_waiting *waiting, size_t n, size_t tasks, char *err,
              size_t err_size);

/* A part of the list, as work_do takes it. */
struct task {
    struct study study;
    struct study_runs runs;
};
/* Reads part `number` of the list and stores it in the database of the task, unless it is already
 * there. Refuses a list made by another program. Call task_free in both cases. */
int task_read(struct task *t, struct study_db *d, const char *list, size_t number, char *err,
              size_t err_size);
void task_free(struct task *t);

#endif
