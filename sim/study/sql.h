/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the sources of the database share: statements, and the columns of statistics. */
#ifndef MEMTWIN_STUDY_SQL_H
#define MEMTWIN_STUDY_SQL_H

#include <sqlite3.h>

#include "stats/stats.h"
#include "study/db.h"

#define STATEMENTS 64

struct study_db {
    sqlite3 *db;
    char path[PATH_SIZE];
    int lock;     /* descriptor of the file for the writer's lock; -1 if read-only */
    bool made;    /* true if this process has created the file */
    bool at_work; /* true if read-only and another process is writing */
    struct {
        const char *sql; /* text with the lifetime of the program */
        sqlite3_stmt *statement;
    } kept[STATEMENTS];
    sqlite3_stmt *total, *detail; /* statements that insert a row of statistics */
    int64_t study;                /* study last stored; 0 if none yet */
    unsigned char *stored;        /* owned; for each run of that study, true if the run is stored */
    bool measured;                /* true after the first call of db_seconds */
    int patience;
};

/* Copies SQLite's last error to err. Returns -1. */
int sql_fail(const struct study_db *d, struct error *err);

#define SQL_FILE_SIZE (PATH_SIZE + 2)
/* Writes to `file` a name of the file at `path` that SQLite does not take for a URI or a database
 * in memory, such as file:x or :memory:. */
void sql_file(const char *path, char file[SQL_FILE_SIZE]);
/* Prepares and binds a statement. `sql` must be a literal. `types` has a letter per value: i for
 * int64_t, d for double, t for text (NULL means null), and b for bytes (two values, of which the
 * second is their number as a size_t). Returns NULL on error. */
sqlite3_stmt *sql_begin(struct study_db *d, const char *sql, const char *types, ...);
/* Runs a prepared statement. Returns 0, or -1. */
int sql_finish(sqlite3_stmt *s);
/* Sets *to to the number that a query returns, or to `otherwise` if the query returns no row.
 * Returns 0, or -1. */
int sql_number(sqlite3_stmt *s, int64_t otherwise, int64_t *to);
#define SQL_PUT(d, ...) sql_finish(sql_begin(d, __VA_ARGS__))
#define SQL_NUMBER(d, otherwise, to, ...) sql_number(sql_begin(d, __VA_ARGS__), otherwise, to)
int sql_execute(struct study_db *d, const char *sql);
/* Begins a transaction, unless one is open. The next commit ends it. Returns 0, or -1. */
int sql_transaction(struct study_db *d);
/* Returns the seconds since 1970. */
double sql_now(void);

/* Numbers of columns of total and detail before the statistics. The statistics follow: all
 * counters, then all derived figures, then all histograms of stats/stats.h. */
#define TOTAL_BEFORE 1
#define DETAIL_BEFORE 4
#define COLUMNS (STAT_COUNT + DERIVED_COUNT + HIST_COUNT)
const char *column_name(int i);
/* SQL condition: the run ended by itself, so that its statistics may be compared. */
#define WHOLE_RUN "(run.state = 'done' AND run.end IS NOT 'time_limit')"
/* SQL condition: the run is done, but the database has lost its statistics. */
#define RUN_LOST "(run.state = 'done' AND run.id NOT IN (SELECT run FROM total))"
/* SQL expression: state of a run for a reader. A run whose process was killed while it was running,
 * or whose statistics are lost, counts as waiting; one that max_time ended, as stopped. */
#define RUN_STATE                                                                                  \
    "CASE WHEN run.state = 'running' AND NOT (SELECT at_work FROM temp.writer) THEN 'waiting'"     \
    " WHEN " RUN_LOST " THEN 'waiting'"                                                            \
    " WHEN run.state = 'done' AND run.end IS 'time_limit' THEN 'stopped' ELSE run.state END"
/* Checks that each value has the type of its column. A value of another type, which another program
 * wrote, is a BLOB, or a text where a number belongs. Returns 0, or -1 with one line in err. */
int db_check_types(struct study_db *d, struct error *err);
/* Drops the views and creates them for the statistics that the database has. Returns 0, or -1. */
int db_make_views(struct study_db *d);

/* Functions of merge.c. sql_attach attaches another database as t. merge_runs adds the runs of t
 * that match `where` (in which `s` is the run) as waiting runs, and their configurations, unless
 * they exist. Both return 0, or -1. */
int sql_attach(struct study_db *d, const char *path);
int sql_detach(struct study_db *d);
int merge_runs(struct study_db *d, const char *where);
/* In all studies, replaces runs with those of temp.fresh that have the same identity and at least
 * the same requested data. Returns 0, or -1. */
int sql_replace(struct study_db *d);
/* Executes SQL that is formatted like printf, with SQLite's extensions. Returns 0, or -1. */
int sql_print(struct study_db *d, const char *fmt, ...);

#endif
