// SPDX-License-Identifier: Apache-2.0
/* The results of runs go into the database. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "study/sql.h"

int db_started(struct study_db *d, int64_t id, long pid, char *err, size_t err_size) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return sql_transaction(d) ||
                   SQL_PUT(d,
                           "UPDATE run SET state = 'running', host = ?2, pid = ?3, started = ?4"
                           " WHERE id = ?1",
                           "itid", id, host, (int64_t)pid, sql_now()) ||
                   SQL_PUT(d, "INSERT INTO temp.begun VALUES(?1) ON CONFLICT DO NOTHING", "i", id)
               ? sql_fail(d, err, err_size)
               : 0;
}

int db_stopped(struct study_db *d, int64_t id, char *err, size_t err_size) {
    return sql_transaction(d) ||
                   SQL_PUT(d, "UPDATE run SET state = 'waiting' WHERE id = ?1", "i", id)
               ? sql_fail(d, err, err_size)
               : 0;
}

/* Binds the statistics of a JSON text, as sim/report.c orders them, behind `before` parameters. */
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

/* A row for each part of the machine and each kernel, if the run has them. */
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

/* The time series as it is in the JSON text, compressed, if the run has one. */
static int put_series(struct study_db *d, int64_t id, const char *json) {
    sqlite3_stmt *s = sql_begin(d, "SELECT ?1->'$.series'", "t", json);
    const bool there = s && sqlite3_step(s) == SQLITE_ROW;
    const char *text = there ? (const char *)sqlite3_column_text(s, 0) : NULL;
    const uLong size = text ? (uLong)sqlite3_column_bytes(s, 0) : 0;
    uLongf n = compressBound(size);
    unsigned char *data = text ? malloc(n) : NULL;
    int bad = !there;
    if (text)
        bad = !data ||
              compress2(data, &n, (const unsigned char *)text, size, Z_BEST_COMPRESSION) != Z_OK;
    if (s)
        sqlite3_reset(s);
    if (text && !bad)
        bad = SQL_PUT(d, "INSERT INTO series VALUES(?1, ?2, ?3)", "iib", id, (int64_t)size, data,
                      (size_t)n);
    free(data);
    return bad ? -1 : 0;
}

/* The statistics, for those of an earlier run. */
static int put_statistics(struct study_db *d, int64_t id, const char *json) {
    if (SQL_PUT(d, "DELETE FROM total WHERE run = ?1", "i", id) ||
        SQL_PUT(d, "DELETE FROM detail WHERE run = ?1", "i", id) ||
        SQL_PUT(d, "DELETE FROM series WHERE run = ?1", "i", id))
        return -1;
    return json && (put_total(d, id, json) || put_details(d, id, json) || put_series(d, id, json))
               ? -1
               : 0;
}

static int put_result(struct study_db *d, int64_t id, const struct study *s,
                      const struct study_result *x) {
    char *twins = study_twins(s);
    int bad = !twins ||
              SQL_PUT(d,
                      "UPDATE run SET state = ?2, exit_code = ?3, message = ?4, log = ?5,"
                      " seconds = coalesce(?12->>'$.host.seconds', ?6),"
                      " cpu_seconds = coalesce(?12->>'$.host.cpu_seconds', ?7), peak_rss_kib = "
                      "coalesce(?12->>'$.host.peak_rss_kib', ?8), "
                      "checked = ?9, detailed = ?10, sampled = ?13, twin = ?11,"
                      " checked_loads = ?12->>'$.check.loads', twins = ?12->>'$.lockstep.twins',"
                      " evaluated = ?12->>'$.lockstep.evaluated',"
                      " end = ?12->>'$.end', complete = ?12->>'$.complete',"
                      " reached = ?12->'$.reached', compared = ?12->>'$.lockstep.cycles',"
                      " mismatches = ?12->>'$.lockstep.mismatches' WHERE id = ?1",
                      "itittddiiitti", id, x->good ? "done" : "failed", (int64_t)x->exit_code,
                      x->message, x->log, x->seconds, x->cpu_seconds, (int64_t)x->peak_rss_kib,
                      (int64_t)s->check, (int64_t)s->detail, twins, x->json, (int64_t)s->series);
    free(twins);
    return bad ? -1 : 0;
}

/* The row of `run` that takes the results of `id`: of a wish the run itself, if nothing of what it
 * has is lost by that. */
static int find_target(struct study_db *d, int64_t id, const struct study *s,
                       const struct study_result *x, int64_t *target) {
    char *twins = study_twins(s);
    *target = id;
    int bad =
        !twins ||
        (x->good && SQL_NUMBER(d, id, target,
                               "SELECT b.id FROM run w JOIN run b"
                               " ON b.identity = substr(w.identity, 1, instr(w.identity, '+') - 1)"
                               " WHERE w.id = ?1 AND b.checked <= ?2 AND b.detailed <= ?3"
                               " AND b.sampled <= ?4 AND b.twin IN ('', ?5)"
                               " AND b.complete <= ?6->>'$.complete'",
                               "iiiitt", id, (int64_t)s->check, (int64_t)s->detail,
                               (int64_t)s->series, twins, x->json));
    free(twins);
    return bad ? -1 : 0;
}

/* The points that had a wish have what became of it. */
static int end_wish(struct study_db *d, int64_t id, int64_t target) {
    if (target == id)
        return SQL_PUT(d, "UPDATE point SET run = wish, wish = NULL WHERE wish = ?1", "i", id);
    return SQL_PUT(d,
                   "UPDATE run SET (host, pid, started) ="
                   " (SELECT host, pid, started FROM run WHERE id = ?1) WHERE id = ?2",
                   "ii", id, target) ||
                   SQL_PUT(d, "UPDATE point SET wish = NULL WHERE wish = ?1", "i", id) ||
                   SQL_PUT(d, "DELETE FROM run WHERE id = ?1", "i", id)
               ? -1
               : 0;
}

int db_finished(struct study_db *d, int64_t id, const struct study_runs *r,
                const struct study_result *result, char *err, size_t err_size) {
    int64_t target;
    return sql_transaction(d) || find_target(d, id, r->study, result, &target) ||
                   end_wish(d, id, target) || put_result(d, target, r->study, result) ||
                   put_statistics(d, target, result->json)
               ? sql_fail(d, err, err_size)
               : 0;
}

bool db_is_of(struct study_db *d, const char *json, const char *identity) {
    int64_t same;
    return SQL_NUMBER(d, 0, &same,
                      "SELECT CASE WHEN json_valid(?1) THEN ?1->>'$.identity' = ?2 END", "tt", json,
                      identity) == 0 &&
           same;
}
