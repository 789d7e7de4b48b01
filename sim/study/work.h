/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a study: each run in a process of its own, some at a time. */
#ifndef MEMTWIN_STUDY_WORK_H
#define MEMTWIN_STUDY_WORK_H

#include "study/db.h"

struct study_work {
    const char *command; /* that speaks */
    const struct study_runs *runs;
    struct study_db *db;
    size_t jobs; /* processes at a time */
    bool quiet;
};

/* Does all that waits in the study last stored. EXIT_GOOD: each run has ended, somehow. Else an
 * exit code once it has said why; what was running waits again. */
int work_do(const struct study_work *w);

#endif
