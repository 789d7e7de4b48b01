/* SPDX-License-Identifier: Apache-2.0 */
/* Does the runs of a study, each in its own process, with several processes at a time. */
#ifndef MEMTWIN_STUDY_WORK_H
#define MEMTWIN_STUDY_WORK_H

#include "study/db.h"

struct study_work {
    const char *command; /* command name for messages */
    const struct study_runs *runs;
    struct study_db *db;
    size_t jobs; /* number of concurrent processes */
    bool quiet;
};

/* Does all waiting runs of the study last stored. Returns EXIT_GOOD if every run has ended,
 * successfully or not. If it returns another exit code, it has printed the reason, and runs that
 * were in progress wait again. */
int work_do(const struct study_work *w);

/* Prints how many runs the database listed for this study before, but no longer does, and why.
 * Returns 0, or -1 with one line in err. */
int work_note_unlisted(const char *command, const struct study_runs *r, struct study_db *db,
                       struct error *err);

#endif
