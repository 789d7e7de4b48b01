/* SPDX-License-Identifier: Apache-2.0 */
/* Studies on a Slurm cluster. The folder NAME.tasks beside the database NAME.db has the job script,
 * the list of runs, and for each task K of the job array a database K.db and a log K.log. */
#ifndef MEMTWIN_STUDY_SLURM_H
#define MEMTWIN_STUDY_SLURM_H

#include "study/db.h"

struct study_slurm {
    const char *command;             /* its name, for messages */
    const char *path;                /* of the database */
    size_t jobs;                     /* runs at a time in a task */
    size_t tasks;                    /* of the array, at most */
    const char *partition, *options; /* for sbatch; NULL: none */
    bool retry, quiet;
};

/* All return an exit code, and print a line if something is wrong. */

/* Collects the results of an earlier job, then submits the runs that still wait. Refused while an
 * earlier job is in the queue. */
int slurm_submit(const struct study_slurm *s, struct study_runs *r, struct progress *p);
/* Prints the script that would be submitted for this many waiting runs. */
int slurm_print(const struct study_slurm *s, const struct study_runs *r, size_t waiting);
/* Before the study runs here: collects what an earlier job has left beside the database, if there
 * was one, and warns if that job is still in the queue. */
int slurm_beside(const struct study_slurm *s, struct study_db *db);
/* Collects the results of all tasks into the database; skips tasks that are running. */
int slurm_collect(const struct study_slurm *s);
/* Does the runs of a task; the script calls it. */
int slurm_task(const struct study_slurm *s, const char *folder, size_t number);

#endif
