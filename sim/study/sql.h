/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the database share: statements, and the columns of statistics. */
#ifndef MEMTWIN_STUDY_SQL_H
#define MEMTWIN_STUDY_SQL_H

#include <sqlite3.h>

#include "stats/stats.h"
#include "study/db.h"

#define STATEMENTS 64

struct study_db {
    sqlite3 *db;
    char path[PATH_SIZE];
    int lock; /* the file once more: of the process that writes; -1: only reads */
    struct {
        const char *sql; /* text that lives as long as the program */
        sqlite3_stmt *statement;
    } kept[STATEMENTS];
    sqlite3_stmt *total, *detail; /* insert a row of statistics */
    int64_t study;                /* last stored; 0: none yet */
    unsigned char *stored;        /* of each run of that study: whether it is; owned */
    bool measured;                /* db_seconds has been asked */
    int patience;
};

/* A line about what SQLite refused last. Returns -1. */
int sql_fail(const struct study_db *d, char *err, size_t err_size);

/* A statement before its first row. `sql` is a literal. types: a letter for each value: i int64_t,
 * d double, t text (NULL: null), b bytes (two values: the second is
 * a size_t, how many). NULL: it failed. */
sqlite3_stmt *sql_begin(struct study_db *d, const char *sql, const char *types, ...);
/* Runs one that was begun. 0, or -1. */
int sql_finish(sqlite3_stmt *s);
/* The number that a query says; `otherwise`: no row. 0, or -1. */
int sql_number(sqlite3_stmt *s, int64_t otherwise, int64_t *to);
#define SQL_PUT(d, ...) sql_finish(sql_begin(d, __VA_ARGS__))
#define SQL_NUMBER(d, otherwise, to, ...) sql_number(sql_begin(d, __VA_ARGS__), otherwise, to)
int sql_execute(struct study_db *d, const char *sql);
/* What follows is written at the next commit. 0, or -1. */
int sql_transaction(struct study_db *d);
/* Seconds since 1970. */
double sql_now(void);

/* total and detail have a column for each counter, derived figure and histogram of stats/stats.h,
 * in this order, behind so many others. */
#define TOTAL_BEFORE 1
#define DETAIL_BEFORE 4
#define COLUMNS (STAT_COUNT + DERIVED_COUNT + HIST_COUNT)
const char *column_name(int i);
/* SQL: whether the statistics of a run may be compared with others'. It has ended by itself. */
#define WHOLE_RUN "(run.state = 'done' AND run.end IS NOT 'time_limit')"
/* The views, of the statistics that the database has now. 0, or -1. */
int db_make_views(struct study_db *d);

/* merge.c: attaches another database, as t; the runs s of which `where` is true, with their
 * configurations, are runs here too: they wait if they were not here. 0, or -1. */
int sql_attach(struct study_db *d, const char *path);
int sql_detach(struct study_db *d);
int merge_runs(struct study_db *d, const char *where);
/* The runs of temp.fresh replace those of their identity that have nothing which they lack, in all
 * studies. 0, or -1. */
int sql_replace(struct study_db *d);
/* printf's %-letters and SQLite's. 0, or -1. */
int sql_print(struct study_db *d, const char *fmt, ...);

#endif
