/* SPDX-License-Identifier: Apache-2.0 */
/* The work of several machines: a list of runs, in parts, and a database for each part, which a
 * task fills. They share nothing but these files. */
#ifndef MEMTWIN_STUDY_TASK_H
#define MEMTWIN_STUDY_TASK_H

#include "study/db.h"

/* All: 0, or -1 with one line in err. */

/* Writes the list: those runs of the study last stored in `d`, all with their arguments, dealt out
 * to the parts 1 to `tasks`. What is at `path` is replaced once the list is whole. */
int task_list(struct study_db *d, const char *path, const struct study_runs *r,
              const struct study_waiting *waiting, size_t n, size_t tasks, char *err,
              size_t err_size);

/* A part of the list, as work_do takes it. */
struct task {
    struct study study;
    struct study_runs runs;
};
/* Puts part `number` of the list into the database of a task, unless it is there. A list of another
 * program is refused. task_free is for both. */
int task_read(struct task *t, struct study_db *d, const char *list, size_t number, char *err,
              size_t err_size);
void task_free(struct task *t);

#endif
