/* SPDX-License-Identifier: Apache-2.0 */
/* Stores studies in an SQLite database. schema.sql defines its tables, and docs/use/studies.md
 * explains them.
 *
 * One process at a time writes to the database. That process holds a lock on the file, which the
 * kernel releases however the process ends. When a database can be opened for writing, therefore,
 * none of its runs is running, even if a row says so. */
#ifndef MEMTWIN_STUDY_DB_H
#define MEMTWIN_STUDY_DB_H

#include <stdint.h>
#include <stdio.h>

#include "study/runs.h"

struct study_db;

/* Checks that a path can be that of a database: a regular file, or nothing yet. Returns 0, or -1
 * with one line in err. */
int db_check_path(const char *path, struct error *err);
/* Opens a database; creates it if it is missing and `write` is set. Returns NULL with one line in
 * err on error. */
struct study_db *db_open(const char *path, bool write, struct error *err);
/* Opens the database of a task for writing, on a file system shared by several machines. The
 * database uses no write-ahead log, so no reader may have it open at the same time. Waits up to
 * `seconds` for another writer, and sets *busy to true if that writer still holds the lock. */
struct study_db *db_open_task(const char *path, unsigned seconds, bool *busy, struct error *err);
void db_close(struct study_db *d);

/* The functions below return 0, or -1 with one line in err, unless their comments say otherwise. */

/* Stores a study and its known runs. A run waits if the database has no result of it, or no result
 * with all the data that the study requests. Later calls add the runs that have become known since.
 * Runs marked as running, and runs whose statistics are lost, wait again. If `retry` is true, runs
 * that failed or reached the time limit also wait again, unless this process has run them. */
int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             struct error *err);
/* Sets *n to the number of runs that the database listed for the study before the first db_store,
 * and that the study does not have: -w leaves them out, or the file has changed. */
int db_count_unlisted(struct study_db *d, const struct study_runs *r, size_t *n, struct error *err);
/* Looks up a statistic for runs_resolve. ctx is the database. A run that failed or reached the time
 * limit has no statistics. */
int db_value(void *ctx, const char *identity, const char *statistic, double *value,
             struct error *err);

/* Waiting run: `run` is its index in the study, and `id` its row in the database. */
struct study_waiting {
    size_t run;
    int64_t id;
};
/* Lists all waiting runs of the study last stored, in order. The caller frees *list. */
int db_waiting(struct study_db *d, struct study_waiting **list, size_t *n, struct error *err);

struct study_result {
    bool good;           /* true if the exit code is 0 and the results are complete */
    int exit_code;       /* 128 plus the signal's number if a signal ended the run */
    const char *json;    /* NULL if none */
    const char *message; /* reason of a failure; NULL if it succeeded */
    const char *log;     /* standard error of a failed run; NULL if it succeeded */
    double seconds, cpu_seconds;
    long peak_rss_kib;
};
/* Record that a run has started, finished or been stopped. db_commit writes the changes to the
 * disk. */
int db_started(struct study_db *d, int64_t id, long pid, struct error *err);
int db_finished(struct study_db *d, int64_t id, const struct study_result *result,
                struct error *err);
int db_stopped(struct study_db *d, int64_t id, struct error *err); /* the run waits again */
int db_commit(struct study_db *d, struct error *err);
/* Checks that the database's path still names the opened file. db_commit also does. If the file was
 * moved, completes it first. */
int db_check_place(struct study_db *d, struct error *err);
/* Returns true if "identity" in this JSON text is `identity`. */
bool db_is_of(struct study_db *d, const char *json, const char *identity);

/* Counts of the study last stored. Rows may share a run, because two schemes may set the same keys,
 * or one may be the best of others. Of the runs that are done, cut_off ended at sim.max_cycles.
 * max_time ended those that are stopped. first_failure is the exit code of the first failed run, or
 * 0. */
struct study_count {
    size_t rows, runs, done, cut_off, stopped, failed;
    int first_failure;
};
int db_count(struct study_db *d, struct study_count *count, struct error *err);
#define STUDY_SHORT 160
/* Prints ", 2 of them cut off at sim.max_cycles, 1 stopped by max_time", to follow the number of
 * runs that are done, or nothing if all runs ended by themselves. */
void db_print_short(const struct study_count *count, char text[STUDY_SHORT]);

#define STUDY_STATE 24
/* Sets `state` to the state that db_store would find for a run: waiting, running, done,
 * stopped or failed, or "" if it is not in the database. Appends ", again" if the run would be
 * repeated. Sets *to_do to true if it would be run. */
int db_state(struct study_db *d, const struct study_runs *r, size_t run, bool retry,
             char state[STUDY_STATE], bool *to_do, struct error *err);
/* Sets *seconds to the mean run time of a workload on a machine, averaged over all key values, or
 * to a negative value if it is not known. The first call computes the means for all workloads and
 * machines. */
int db_seconds(struct study_db *d, const char *machine, const char *workload, double *seconds,
               struct error *err);

/* Copies the results of ended runs from `from`, the database of a task, but does not replace better
 * results. Sets *results to the number of runs that got new results. The call may be repeated, even
 * if an earlier call was killed. */
int db_collect(struct study_db *d, struct study_db *from, size_t *results, struct error *err);

/* Calls `each` with the name and the file of each study. */
int db_studies(struct study_db *d, void (*each)(void *ctx, const char *name, const char *file),
               void *ctx, struct error *err);
/* Checks the points of a study, or of all if it is NULL: there are some, each has its run, its axes
 * are a JSON object of single values, and what db_list prints has the type of its column. */
int db_check_points(struct study_db *d, const char *study, struct error *err);
/* Prints a table of each study, with one row per run. */
int db_list(struct study_db *d, FILE *to, struct error *err);
struct rows;
/* Writes the same runs as rows: the study, then the columns of db_list. */
int db_list_rows(struct study_db *d, struct rows *r, struct error *err);

#endif
