/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of the database: statements, and the columns of statistics. */
#ifndef MEMTWIN_STUDY_SQL_H
#define MEMTWIN_STUDY_SQL_H

#include <sqlite3.h>

#include "stats/stats.h"
#include "study/db.h"

#define STATEMENTS 64

struct study_db {
    sqlite3 *db;
    char path[PATH_SIZE];
    int lock;     /* the file, opened again for the writer's lock; -1: read-only */
    bool at_work; /* read-only: another process is writing */
    struct {
        const char *sql; /* text that lives as long as the program */
        sqlite3_stmt *statement;
    } kept[STATEMENTS];
    sqlite3_stmt *total, *detail; /* insert a row of statistics */
    int64_t study;                /* last stored; 0: none yet */
    unsigned char *stored;        /* of each run of that study: whether it is stored; owned */
    bool measured;                /* db_seconds has been asked */
    int patience;
};

/* Puts SQLite's last error into err. Returns -1. */
int sql_fail(const struct study_db *d, char *err, size_t err_size);

/* Prepares and binds a statement. `sql` must be a literal. types has a letter per value: i int64_t,
 * d double, t text (NULL: null), b bytes (two values, the second a size_t with their number).
 * NULL: it failed. */
sqlite3_stmt *sql_begin(struct study_db *d, const char *sql, const char *types, ...);
/* Runs a prepared statement. 0, or -1. */
int sql_finish(sqlite3_stmt *s);
/* The number that a query returns, or `otherwise` if it has no row. 0, or -1. */
int sql_number(sqlite3_stmt *s, int64_t otherwise, int64_t *to);
#define SQL_PUT(d, ...) sql_finish(sql_begin(d, __VA_ARGS__))
#define SQL_NUMBER(d, otherwise, to, ...) sql_number(sql_begin(d, __VA_ARGS__), otherwise, to)
int sql_execute(struct study_db *d, const char *sql);
/* Begins a transaction, unless one is open; it ends at the next commit. 0, or -1. */
int sql_transaction(struct study_db *d);
/* Seconds since 1970. */
double sql_now(void);

/* total and detail have this many columns of their own, then one for each counter, derived figure
 * and histogram of stats/stats.h, in this order. */
#define TOTAL_BEFORE 1
#define DETAIL_BEFORE 4
#define COLUMNS (STAT_COUNT + DERIVED_COUNT + HIST_COUNT)
const char *column_name(int i);
/* SQL: whether a run ended by itself, so that its statistics may be compared. */
#define WHOLE_RUN "(run.state = 'done' AND run.end IS NOT 'time_limit')"
/* SQL: the state of a run for a reader. A run that a killed process has left as running waits. */
#define RUN_STATE                                                                                  \
    "CASE WHEN run.state = 'running' AND NOT (SELECT at_work FROM temp.writer) THEN 'waiting'"     \
    " WHEN run.state = 'done' AND run.end IS 'time_limit' THEN 'cut off' ELSE run.state END"
/* Drops the views and creates them for the statistics that the database has. 0, or -1. */
int db_make_views(struct study_db *d);

/* merge.c: attaches another database as t; merge_runs adds those of its runs s that match `where`,
 * and their configurations, as waiting runs unless they exist. 0, or -1. */
int sql_attach(struct study_db *d, const char *path);
int sql_detach(struct study_db *d);
int merge_runs(struct study_db *d, const char *where);
/* The runs in temp.fresh replace, in all studies, runs of the same identity for which nothing was
 * asked that was not asked for them. 0, or -1. */
int sql_replace(struct study_db *d);
/* Formats as printf with SQLite's extensions, and executes. 0, or -1. */
int sql_print(struct study_db *d, const char *fmt, ...);

#endif
