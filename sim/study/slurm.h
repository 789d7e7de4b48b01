/* SPDX-License-Identifier: Apache-2.0 */
/* Studies on a Slurm cluster. Beside the database NAME.db is a folder NAME.tasks with the job
 * script, the list of runs, and of each task K of the job array a database K.db and a log K.log. */
#ifndef MEMTWIN_STUDY_SLURM_H
#define MEMTWIN_STUDY_SLURM_H

#include "study/db.h"

struct study_slurm {
    const char *command;             /* that speaks */
    const char *path;                /* of the database */
    size_t jobs;                     /* runs at a time in a task */
    size_t tasks;                    /* of the array, at most */
    const char *partition, *options; /* for sbatch; NULL: none */
    bool retry, quiet;
};

/* All return an exit code, once they have said what is wrong. */

/* Collects what an earlier job has done, and submits what waits then. Refused while tasks of an
 * earlier job are in the queue. */
int slurm_submit(const struct study_slurm *s, struct study_runs *r, struct progress *p);
/* Prints the script that submits so many runs. */
int slurm_print(const struct study_slurm *s, const struct study_runs *r, size_t waiting);
/* Takes the results of all tasks into the database; tasks at work are passed over. */
int slurm_collect(const struct study_slurm *s);
/* What the script runs: a task of a folder. */
int slurm_task(const struct study_slurm *s, const char *folder, size_t number);

#endif
