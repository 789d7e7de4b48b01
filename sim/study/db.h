/* SPDX-License-Identifier: Apache-2.0 */
/* The SQLite database of studies. db.c defines its tables, docs/use/studies.md explains them.
 *
 * Only one process at a time writes to it. That process holds a lock on the file, which the kernel
 * releases however the process ends. So when a database is opened for writing, no run is running,
 * whatever its row says. */
#ifndef MEMTWIN_STUDY_DB_H
#define MEMTWIN_STUDY_DB_H

#include <stdint.h>
#include <stdio.h>

#include "study/runs.h"

struct study_db;

/* Opens a database; creates it if it is missing and `write` is set. NULL with one line in err. */
struct study_db *db_open(const char *path, bool write, char *err, size_t err_size);
/* Opens the database of a task for writing, on a file system shared by several machines: it needs
 * only files and locks, and no reader may have it open meanwhile. Waits up to `seconds` for another
 * writer; sets *taken if that writer still has it. */
struct study_db *db_open_task(const char *path, unsigned seconds, bool *taken, char *err,
                              size_t err_size);
void db_close(struct study_db *d);

/* The functions below return 0, or -1 with one line in err, unless they say otherwise. */

/* Stores a study and its known runs. A run waits if it has no result, or none with all that the
 * study asks for. Later calls add the runs that have become known since. Runs marked as running
 * return to waiting. With `retry`, so do runs that failed or reached the time limit, unless this
 * process has run them. */
int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             char *err, size_t err_size);
/* The lookup for runs_resolve; ctx is the database. A run that failed or reached the time limit has
 * no statistics. */
int db_value(void *ctx, const char *identity, const char *statistic, double *value, char *err,
             size_t err_size);

/* A waiting run: its number in the study, and its row in the database. */
struct study_waiting {
    size_t run;
    int64_t id;
};
/* Lists all waiting runs of the study last stored, in order; the caller frees *list. */
int db_waiting(struct study_db *d, struct study_waiting **list, size_t *n, char *err,
               size_t err_size);

struct study_result {
    bool good;           /* exit code 0 and whole results */
    int exit_code;       /* 128 and above: a signal */
    const char *json;    /* NULL: none */
    const char *message; /* NULL: good */
    const char *log;     /* NULL: good */
    double seconds, cpu_seconds;
    long peak_rss_kib;
};
/* These three write to the disk only at db_commit. */
int db_started(struct study_db *d, int64_t id, long pid, char *err, size_t err_size);
int db_finished(struct study_db *d, int64_t id, const struct study_result *result, char *err,
                size_t err_size);
int db_stopped(struct study_db *d, int64_t id, char *err, size_t err_size); /* back to waiting */
int db_commit(struct study_db *d, char *err, size_t err_size);
/* Whether "identity" in this JSON text is that of the run. */
bool db_is_of(struct study_db *d, const char *json, const char *identity);

/* Counts of the study last stored. Rows may share a run: two schemes that set the same keys, or one
 * that chooses among others. first_failure: the exit code of its first failed run, or 0. */
struct study_count {
    size_t rows, runs, done, failed;
    int first_failure;
};
int db_count(struct study_db *d, struct study_count *count, char *err, size_t err_size);

#define STUDY_STATE 16
/* The state that db_store would find for a run: waiting, running, done or failed, or "" if it is
 * not in the database; ", again" is appended if it would be repeated. *to_do: whether it would be
 * run. */
int db_state(struct study_db *d, const struct study_runs *r, size_t run, bool retry,
             char state[STUDY_STATE], bool *to_do, char *err, size_t err_size);
/* The mean run time in seconds of a workload on a machine, over all keys; negative: not known. The
 * first call computes the means of all. */
int db_seconds(struct study_db *d, const char *machine, const char *workload, double *seconds,
               char *err, size_t err_size);

/* Copies the results of ended runs from `from`, the database of a task, but does not replace better
 * ones. *taken: the number of runs that got new results. Repeating it, also after a kill, changes
 * nothing more. */
int db_collect(struct study_db *d, struct study_db *from, size_t *taken, char *err,
               size_t err_size);

/* Calls `each` with the name and the file of each study. */
int db_studies(struct study_db *d, void (*each)(void *ctx, const char *name, const char *file),
               void *ctx, char *err, size_t err_size);
/* Prints a table of each study, with one row per run. */
int db_list(struct study_db *d, FILE *to, char *err, size_t err_size);

#endif
