// SPDX-License-Identifier: Apache-2.0
/* Stores the results of runs in the database. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/alloc.h"
#include "study/sql.h"

int db_started(struct study_db *d, int64_t id, long pid, struct error *err) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return sql_transaction(d) ||
                   SQL_PUT(d,
                           "UPDATE run SET state = 'running', host = ?2, pid = ?3, started = ?4"
                           " WHERE id = ?1",
                           "itid", id, host, (int64_t)pid, sql_now()) ||
                   SQL_PUT(d,
                           "INSERT INTO temp.begun SELECT identity FROM run WHERE id = ?1"
                           " ON CONFLICT DO NOTHING",
                           "i", id)
               ? sql_fail(d, err)
               : 0;
}

int db_stopped(struct study_db *d, int64_t id, struct error *err) {
    return sql_transaction(d) ||
                   SQL_PUT(d, "UPDATE run SET state = 'waiting' WHERE id = ?1", "i", id)
               ? sql_fail(d, err)
               : 0;
}

/* Binds the statistics in a JSON text to the parameters after the first `before`. The statistics
 * must be in the order of sim/report.c. */
static int bind_statistics(struct study_db *d, sqlite3_stmt *to, int before, const char *json) {
    static const struct {
        const char *path;
        int from, n;
    } parts[] = {{"$.stats", 0, STAT_COUNT},
                 {"$.derived", STAT_COUNT, DERIVED_COUNT},
                 {"$.histograms", STAT_COUNT + DERIVED_COUNT, HIST_COUNT}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        int i = 0, step = SQLITE_ERROR;
        sqlite3_stmt *s =
            sql_begin(d, "SELECT key, value FROM json_each(?1, ?2)", "tt", json, parts[p].path);
        for (; s && (step = sqlite3_step(s)) == SQLITE_ROW; i++) {
            const char *name = (const char *)sqlite3_column_text(s, 0);
            if (i >= parts[p].n || strcmp(name, column_name(parts[p].from + i)) != 0)
                break;
            sqlite3_bind_value(to, before + parts[p].from + i + 1, sqlite3_column_value(s, 1));
        }
        if (s)
            sqlite3_reset(s);
        if (step != SQLITE_DONE || i != parts[p].n)
            return -1;
    }
    return 0;
}

static int put_total(struct study_db *d, int64_t id, const char *json) {
    sqlite3_reset(d->total);
    sqlite3_bind_int64(d->total, 1, id);
    return bind_statistics(d, d->total, TOTAL_BEFORE, json) || sql_finish(d->total) ? -1 : 0;
}

/* Stores a row for each part of the machine and each kernel, if the run has details. */
static int put_details(struct study_db *d, int64_t id, const char *json) {
    int step = SQLITE_ERROR;
    sqlite3_stmt *s =
        sql_begin(d,
                  "SELECT value->>'$.scope', value->>'$.index', value->>'$.name', value"
                  " FROM json_each(?1, '$.detail')",
                  "t", json);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        sqlite3_reset(d->detail);
        sqlite3_bind_int64(d->detail, 1, id);
        for (int i = 0; i < 3; i++)
            sqlite3_bind_value(d->detail, 2 + i, sqlite3_column_value(s, i));
        const char *row = (const char *)sqlite3_column_text(s, 3);
        if (bind_statistics(d, d->detail, DETAIL_BEFORE, row) || sql_finish(d->detail))
            break;
    }
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : -1;
}

/* Stores the time series of the JSON text, compressed, if there is one. */
static int put_series(struct study_db *d, int64_t id, const char *json) {
    sqlite3_stmt *s = sql_begin(d, "SELECT ?1->'$.series'", "t", json);
    const bool there = s && sqlite3_step(s) == SQLITE_ROW;
    const char *text = there ? (const char *)sqlite3_column_text(s, 0) : NULL;
    const uLong size = text ? (uLong)sqlite3_column_bytes(s, 0) : 0;
    uLongf n = compressBound(size);
    unsigned char *data = text ? alloc_bytes(n) : NULL;
    int bad = !there;
    if (text)
        bad = compress2(data, &n, (const unsigned char *)text, size, Z_BEST_COMPRESSION) != Z_OK;
    if (s)
        sqlite3_reset(s);
    if (text && !bad)
        bad = SQL_PUT(d, "INSERT INTO series VALUES(?1, ?2, ?3)", "iib", id, (int64_t)size, data,
                      (size_t)n);
    free(data);
    return bad ? -1 : 0;
}

/* Replaces a run's rows in the tables of statistics, or deletes them if json is NULL. */
static int put_statistics(struct study_db *d, int64_t id, const char *json) {
    if (SQL_PUT(d, "DELETE FROM total WHERE run = ?1", "i", id) ||
        SQL_PUT(d, "DELETE FROM detail WHERE run = ?1", "i", id) ||
        SQL_PUT(d, "DELETE FROM series WHERE run = ?1", "i", id))
        return -1;
    return json && (put_total(d, id, json) || put_details(d, id, json) || put_series(d, id, json))
               ? -1
               : 0;
}

static int put_result(struct study_db *d, int64_t id, const struct study_result *x) {
    return SQL_PUT(d,
                   "UPDATE run SET state = ?2, exit_code = ?3, message = ?4, log = ?5,"
                   " seconds = coalesce(?9->>'$.host.seconds', ?6),"
                   " cpu_seconds = coalesce(?9->>'$.host.cpu_seconds', ?7),"
                   " peak_rss_kib = coalesce(?9->>'$.host.peak_rss_kib', ?8),"
                   " checked_loads = ?9->>'$.check.loads', twins = ?9->>'$.lockstep.twins',"
                   " evaluated = ?9->>'$.lockstep.evaluated',"
                   " end = ?9->>'$.end', complete = ?9->>'$.complete',"
                   " reached = ?9->'$.reached', compared = ?9->>'$.lockstep.cycles',"
                   " mismatches = ?9->>'$.lockstep.mismatches' WHERE id = ?1",
                   "itittddit", id, x->good ? "done" : "failed", (int64_t)x->exit_code, x->message,
                   x->log, x->seconds, x->cpu_seconds, (int64_t)x->peak_rss_kib, x->json);
}

/* Lets row `id` replace the other rows with the same identity if it has all their results. */
static int replace_by(struct study_db *d, int64_t id) {
    int64_t others;
    if (SQL_NUMBER(d, 0, &others,
                   "SELECT count(*) FROM run JOIN run o USING(identity) WHERE run.id = ?1", "i",
                   id))
        return -1;
    return others > 1 &&
           (SQL_PUT(d, "INSERT INTO temp.fresh VALUES(?1)", "i", id) || sql_replace(d));
}

int db_finished(struct study_db *d, int64_t id, const struct study_result *result,
                struct error *err) {
    return sql_transaction(d) || put_result(d, id, result) || put_statistics(d, id, result->json) ||
                   replace_by(d, id)
               ? sql_fail(d, err)
               : 0;
}

bool db_is_of(struct study_db *d, const char *json, const char *identity) {
    int64_t same;
    return SQL_NUMBER(d, 0, &same,
                      "SELECT CASE WHEN json_valid(?1) THEN ?1->>'$.identity' = ?2 END", "tt", json,
                      identity) == 0 &&
           same;
}
