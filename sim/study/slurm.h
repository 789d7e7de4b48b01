/* SPDX-License-Identifier: Apache-2.0 */
/* Runs studies on a Slurm cluster. The folder NAME.tasks next to the database NAME.db contains the
 * job script, the list of runs, and for each task K of the job array a database K.db and a log
 * K.log. */
#ifndef MEMTWIN_STUDY_SLURM_H
#define MEMTWIN_STUDY_SLURM_H

#include "study/db.h"

struct study_slurm {
    const char *command;             /* command name for messages */
    const char *path;                /* path of the database */
    size_t jobs;                     /* number of concurrent runs in a task */
    size_t tasks;                    /* maximum number of tasks of the array */
    const char *partition, *options; /* options for sbatch; NULL if none */
    bool retry, quiet;
};

/* All functions return an exit code, and print a line on error. */

/* Collects the results of an earlier job, then submits the waiting runs. Fails while an earlier job
 * is in the queue. */
int slurm_submit(const struct study_slurm *s, struct study_runs *r, struct progress *p);
/* Prints the script that would be submitted for this number of waiting runs. */
int slurm_print(const struct study_slurm *s, const struct study_runs *r, size_t waiting);
/* Collects the results of an earlier job for the same database, if there was one, and warns if that
 * job is still in the queue. Call before the study runs on this machine. */
int slurm_beside(const struct study_slurm *s, struct study_db *db);
/* Collects the results of all tasks into the database. Skips tasks that are running. */
int slurm_collect(const struct study_slurm *s);
/* Does the runs of a task. The job script calls it. */
int slurm_task(const struct study_slurm *s, const char *folder, size_t number);

#endif
