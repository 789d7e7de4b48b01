/* SPDX-License-Identifier: Apache-2.0 */
/* The database of studies: SQLite, its tables in db.c, what they are for in docs/studies.md.
 *
 * One process at a time writes to it: it holds a lock on the file, which goes with it however it
 * ends. So a run that is marked as running when a database is opened for writing runs no more. */
#ifndef MEMTWIN_STUDY_DB_H
#define MEMTWIN_STUDY_DB_H

#include <stdint.h>
#include <stdio.h>

#include "study/runs.h"

struct study_db;

/* For writing it is made if it is not there. NULL with one line in err. */
struct study_db *db_open(const char *path, bool write, char *err, size_t err_size);
/* For writing, on a file system of several machines: nothing but files and locks is needed, and
 * nobody reads meanwhile. Waits so many seconds for a process that writes to it; *taken: one still
 * does. */
struct study_db *db_open_task(const char *path, unsigned seconds, bool *taken, char *err,
                              size_t err_size);
void db_close(struct study_db *d);

/* All that follow: 0, or -1 with one line in err. */

/* Writes a study with its runs that are known, each waiting if there is no result of it, or none
 * with all that the study asks for; called again, those that have become known since. What ran runs
 * no more; `retry`: what failed, or was stopped by the time limit, waits again, unless this process
 * has run it. */
int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             char *err, size_t err_size);
/* For runs_resolve; ctx: the database. A run that failed, or was stopped by the time limit, has no
 * statistics. */
int db_value(void *ctx, const char *identity, const char *statistic, double *value, char *err,
             size_t err_size);

/* A run that waits: its number in the study, and in the database. */
struct study_waiting {
    size_t run;
    int64_t id;
};
/* The caller's *list has all of the study last stored, in order. */
int db_waiting(struct study_db *d, struct study_waiting **list, size_t *n, char *err,
               size_t err_size);

struct study_result {
    bool good;           /* exit code 0 and whole results */
    int exit_code;       /* 128 and more: a signal */
    const char *json;    /* NULL: none */
    const char *message; /* NULL: good */
    const char *log;     /* the same */
    double seconds, cpu_seconds;
    long peak_rss_kib;
};
/* These three write nothing to the disk before db_commit. */
int db_started(struct study_db *d, int64_t id, long pid, char *err, size_t err_size);
int db_finished(struct study_db *d, int64_t id, const struct study_result *result, char *err,
                size_t err_size);
int db_stopped(struct study_db *d, int64_t id, char *err, size_t err_size); /* it waits again */
int db_commit(struct study_db *d, char *err, size_t err_size);
/* Whether these results are of that run: "identity" in the JSON text. */
bool db_is_of(struct study_db *d, const char *json, const char *identity);

/* Of the study last stored. first_failure: the exit code of its first run that failed; 0: none
 * did. */
struct study_count {
    size_t done, failed, waiting;
    int first_failure;
};
int db_count(struct study_db *d, struct study_count *count, char *err, size_t err_size);

#define STUDY_STATE 16
/* What db_store would find of a run: waiting, running, done or failed; "": the database has no such
 * run; ", again" behind it: and would run it again. *to_do: whether it would be run. */
int db_state(struct study_db *d, const struct study_runs *r, size_t run, bool retry,
             char state[STUDY_STATE], bool *to_do, char *err, size_t err_size);
/* The mean seconds of a workload on a machine, with any keys; below 0: not known. All are found
 * when the first is asked for. */
int db_seconds(struct study_db *d, const char *machine, const char *workload, double *seconds,
               char *err, size_t err_size);

/* Takes over what `from`, the database of a task, has of runs that have ended: what is better known
 * already stays. *taken: runs whose results are new here. Done twice, or killed and done again, it
 * leaves the same. */
int db_collect(struct study_db *d, struct study_db *from, size_t *taken, char *err,
               size_t err_size);

/* A table of all studies: a row a run. */
int db_list(struct study_db *d, FILE *to, char *err, size_t err_size);

#endif
