/* SPDX-License-Identifier: Apache-2.0 */
/* Does the runs of a study: each in its own process, several at a time. */
#ifndef MEMTWIN_STUDY_WORK_H
#define MEMTWIN_STUDY_WORK_H

#include "study/db.h"

struct study_work {
    const char *command; /* its name, for messages */
    const struct study_runs *runs;
    struct study_db *db;
    size_t jobs; /* processes at a time */
    bool quiet;
};

/* Does all waiting runs of the study last stored. EXIT_GOOD: every run has ended, well or not.
 * Other exit codes: it has printed why, and runs in progress wait again. */
int work_do(const struct study_work *w);

#endif
