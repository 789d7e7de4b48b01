// SPDX-License-Identifier: Apache-2.0
#include "study/page.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "embed.h"
#include "html.h"
#include "json.h"
#include "demangle.h"
#include "lib/alloc.h"
#include "lib/guess.h"
#include "lib/shell.h"
#include "report.h"
#include "screen.h"
#include "study/columns.h"
#include "study/sql.h"

/* Page made by sim/report/make_page.sh, at REPORT_PAGE. */
EMBED(report_page, REPORT_PAGE);
#define MOST_UNPACKED 1100 /* zlib makes at most 1032 bytes of one, and some of the header */
/* Element in the first lines of each page, whichever version wrote it. */
#define PAGE_TITLE "<title>MemTwin " /* also of a page of loads */

/* Selects the runs of study ?1, or of all studies if it is NULL. */
#define ITS_RUNS                                                                                   \
    " WHERE run.id IN (SELECT p.run FROM point p JOIN study ON study.id = p.study"                 \
    " WHERE ?1 IS NULL OR study.name = ?1) ORDER BY run.id"
#define OF_STUDY " WHERE study.name = ?1"

/* Writes the columns of a query with the text `arg` as ?1. */
static int put_columns(struct study_db *d, const char *sql, const char *arg, const char *prefix,
                       FILE *to, uint64_t *rows) {
    sqlite3_stmt *s = NULL;
    int bad = sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) != SQLITE_OK ||
              sqlite3_bind_text(s, 1, arg, -1, SQLITE_STATIC) != SQLITE_OK ||
              columns_write(s, prefix, to, rows);
    sqlite3_finalize(s);
    return bad ? -1 : 0;
}

/* Writes "t."NAME", .." for each statistic except histograms. */
static int put_names(struct study_db *d, const char *comma, const char *table, FILE *to) {
    int step = SQLITE_ERROR;
    sqlite3_stmt *s = sql_begin(
        d, "SELECT name FROM statistic WHERE kind <> 'histogram' ORDER BY kind, name", "");
    for (; s && (step = sqlite3_step(s)) == SQLITE_ROW; comma = ", ")
        fprintf(to, "%s%s.\"%s\"", comma, table, sqlite3_column_text(s, 0));
    return step == SQLITE_DONE ? 0 : -1;
}

/* Makes "SELECT `begin`, a column for each statistic of `table`, `end`", which the caller frees.
 * Returns NULL after an error. */
static char *select_statistics(struct study_db *d, const char *begin, const char *table,
                               const char *end) {
    char *sql = NULL;
    size_t size;
    FILE *f = alloc_stream(&sql, &size);
    fprintf(f, "SELECT %s", begin);
    int bad = put_names(d, *begin ? ", " : "", table, f);
    fputs(end, f);
    alloc_stream_close(f);
    if (bad) {
        free(sql);
        return NULL;
    }
    return sql;
}

/* Writes the statistics of complete runs, one element per column. */
static int put_statistics(struct study_db *d, const char *study, FILE *to) {
    char *sql = select_statistics(
        d, "", "t", " FROM run LEFT JOIN total t ON t.run = run.id AND " WHOLE_RUN ITS_RUNS);
    int bad = !sql || put_columns(d, sql, study, "stat", to, NULL);
    free(sql);
    return bad ? -1 : 0;
}

/* Checks that a time series is the compressed JSON text that put_series of results.c stores. */
static bool is_series(struct study_db *d, const void *data, uLong n, int64_t size) {
    int64_t valid = 0;
    if (size <= 0 || (uLong)size > MOST_UNPACKED * n)
        return false;
    uLongf unpacked = (uLongf)size;
    unsigned char *text = alloc_bytes(unpacked);
    if (uncompress(text, &unpacked, data, n) == Z_OK && unpacked == (uLongf)size &&
        SQL_NUMBER(d, 0, &valid, "SELECT json_valid(CAST(?1 AS TEXT))", "b", text,
                   (size_t)unpacked))
        valid = 0;
    free(text);
    return valid;
}

/* Writes a run's statistics by kernel and part as one element, and its time series as another. The
 * series is stored in the format of the page. */
static int put_inside(struct study_db *d, sqlite3_stmt *run, sqlite3_stmt *detail, bool *damaged,
                      FILE *to) {
    const int64_t id = sqlite3_column_int64(run, 0);
    char name[64];
    int bad = 0;
    if (sqlite3_column_int(run, 2)) {
        snprintf(name, sizeof name, "detail.%lld", (long long)id);
        sqlite3_reset(detail);
        sqlite3_bind_int64(detail, 1, id);
        bad = columns_write_rows(detail, name, to);
    }
    if (bad || sqlite3_column_type(run, 1) == SQLITE_NULL)
        return bad;
    const void *data = sqlite3_column_blob(run, 1);
    const int n = sqlite3_column_bytes(run, 1);
    *damaged = !is_series(d, data, (uLong)n, sqlite3_column_int64(run, 3));
    snprintf(name, sizeof name, "series.%lld", (long long)id);
    return *damaged ? 0 : columns_write_packed(data, (size_t)n, name, to);
}

/* Room for details of runs. The first run that does not fit and all later ones are left out. */
struct inside {
    uint64_t room; /* remaining room in bytes */
    FILE *list;    /* ids of the runs left out, separated by commas */
    uint64_t left_out, damaged;
};

static int put_if_it_fits(struct study_db *d, struct inside *in, sqlite3_stmt *run,
                          sqlite3_stmt *detail, FILE *to) {
    char *text = NULL;
    size_t size = 0;
    int bad = 0;
    bool damaged = false;
    if (!in->left_out) {
        FILE *f = alloc_stream(&text, &size);
        bad = put_inside(d, run, detail, &damaged, f);
        alloc_stream_close(f);
    }
    if (!bad && !in->left_out && size <= in->room) {
        fwrite(text, 1, size, to);
        in->room -= size;
        in->damaged += damaged;
    } else if (!bad) {
        fprintf(in->list, "%s%lld", in->left_out ? "," : "",
                (long long)sqlite3_column_int64(run, 0));
        in->left_out++;
    }
    free(text);
    return bad;
}

/* SQL function demangle(name). */
static void sql_demangle(sqlite3_context *c, int n, sqlite3_value **value) {
    (void)n;
    const char *name = (const char *)sqlite3_value_text(value[0]);
    sqlite3_result_text(c, demangle(name ? name : "", false), -1, free);
}

static int put_insides(struct study_db *d, const char *study, struct inside *in, FILE *to) {
    char *sql = select_statistics(d, "scope, number, demangle(name) AS name", "detail",
                                  " FROM detail WHERE run = ?1 ORDER BY rowid");
    int step = SQLITE_ERROR;
    sqlite3_stmt *detail = NULL, *run = NULL;
    int bad =
        !sql ||
        sqlite3_create_function(d->db, "demangle", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                sql_demangle, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(d->db, sql, -1, &detail, NULL) != SQLITE_OK ||
        !(run = sql_begin(d,
                          "SELECT run.id, series.data, " WHOLE_RUN
                          " AND EXISTS (SELECT 1 FROM detail WHERE detail.run = run.id),"
                          " series.size FROM run LEFT JOIN series ON series.run = run.id" ITS_RUNS,
                          "t", study));
    while (!bad && (step = sqlite3_step(run)) == SQLITE_ROW)
        if (sqlite3_column_int(run, 2) || sqlite3_column_type(run, 1) != SQLITE_NULL)
            bad = put_if_it_fits(d, in, run, detail, to);
    sqlite3_finalize(detail);
    free(sql);
    return bad || step != SQLITE_DONE ? -1 : 0;
}

/* Writes details of the runs that fit, and the ids of the runs left out. */
static int put_limited(struct study_db *d, const char *study, uint64_t limit_mib, FILE *to,
                       struct page_counts *counts) {
    char *list = NULL;
    size_t size;
    struct inside in = {.room = limit_mib << 20, .list = alloc_stream(&list, &size)};
    const int bad = put_insides(d, study, &in, to);
    alloc_stream_close(in.list);
    if (!bad)
        fprintf(to,
                "<script type=\"application/json\" id=\"left-out\">"
                "{\"mib\":%llu,\"runs\":[%s]}</script>\n",
                (unsigned long long)limit_mib, list);
    free(list);
    counts->left_out = in.left_out;
    counts->damaged = in.damaged;
    return bad ? -1 : 0;
}

/* Writes a study: its runs, plots and published figures. */
static int put_study(struct study_db *d, int64_t number, const char *name, FILE *to) {
    char prefix[64];
    snprintf(prefix, sizeof prefix, "point%lld", (long long)number);
    if (put_columns(d,
                    "SELECT p.n, p.run, p.workload, p.scheme, p.config, p.axes, p.baseline,"
                    " p.group_name AS \"group\", p.choice FROM point p"
                    " JOIN study ON study.id = p.study" OF_STUDY " ORDER BY p.n",
                    name, prefix, to, NULL))
        return -1;
    snprintf(prefix, sizeof prefix, "plot%lld", (long long)number);
    if (put_columns(d,
                    "SELECT plot.name, title, kind, y, relative, x, color, schemes FROM plot"
                    " JOIN study ON study.id = plot.study" OF_STUDY " ORDER BY number",
                    name, prefix, to, NULL))
        return -1;
    snprintf(prefix, sizeof prefix, "reference%lld", (long long)number);
    return put_columns(d,
                       "SELECT seed, figure, quantity, scheme, group_name AS \"group\", value"
                       " FROM reference WHERE study = ?1 ORDER BY rowid",
                       name, prefix, to, NULL);
}

static int put_studies(struct study_db *d, const char *study, FILE *to) {
    sqlite3_stmt *s = sql_begin(
        d, "SELECT id, name FROM study WHERE ?1 IS NULL OR name = ?1 ORDER BY name", "t", study);
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        if (put_study(d, sqlite3_column_int64(s, 0), (const char *)sqlite3_column_text(s, 1), to))
            return -1;
    return step == SQLITE_DONE ? 0 : -1;
}

/* Writes the terminal's words for statistics. */
static void put_words(FILE *to) {
    const char *comma = "";
    for (unsigned i = 0; i < STAT_COUNT; i++) {
        const char *words = screen_words((enum stat_id)i);
        if (!words)
            continue;
        fprintf(to, "%s\"%s\":", comma, stat_table[i].name);
        json_put_text(words, to);
        comma = ",";
    }
}

static int put_data(struct study_db *d, const char *study, uint64_t limit_mib, FILE *to,
                    struct page_counts *counts) {
    fputs("<script type=\"application/json\" id=\"head\">{\"made\":", to);
    json_put_text(report_version(), to);
    fputs(",\"database\":", to);
    json_put_text(d->path, to);
    fputs(",\"words\":{", to);
    put_words(to);
    fputs("}}</script>\n", to);
    return put_columns(
               d,
               "SELECT id, name, file, version, stored,"
               " (SELECT count(*) FROM point WHERE point.study = study.id) AS runs FROM study"
               " WHERE ?1 IS NULL OR name = ?1 ORDER BY name",
               study, "study", to, NULL) ||
                   put_columns(d,
                               "SELECT name, kind, part, unit, meaning FROM statistic"
                               " WHERE kind <> 'histogram' AND ?1 IS ?1 ORDER BY kind, name",
                               study, "statistic", to, NULL) ||
                   put_columns(d,
                               "SELECT run.id, " RUN_STATE " AS state, exit_code, \"end\","
                               " complete, message,"
                               " version, host, seconds, cpu_seconds, peak_rss_kib,"
                               " command.text AS command"
                               " FROM run LEFT JOIN command ON command.run = run.id" ITS_RUNS,
                               study, "run", to, &counts->runs) ||
                   put_statistics(d, study, to) || put_limited(d, study, limit_mib, to, counts) ||
                   put_studies(d, study, to)
               ? -1
               : 0;
}

/* Checks that the study exists. */
static int check_study(struct study_db *d, const char *study, struct error *err) {
    struct guess guess;
    int64_t there;
    if (SQL_NUMBER(d, 0, &there, "SELECT 1 FROM study WHERE name = ?1", "t", study))
        return sql_fail(d, err);
    if (!study || there)
        return 0;
    sqlite3_stmt *s = sql_begin(d, "SELECT name FROM study ORDER BY name", "");
    guess_begin(&guess, study);
    while (s && sqlite3_step(s) == SQLITE_ROW)
        guess_try(&guess, (const char *)sqlite3_column_text(s, 0),
                  (size_t)sqlite3_column_bytes(s, 0));
    char *word = shell_path(d->path);
    error_set(err, "%s has no study '%s' (see memtwin study --list %s)%s", d->path, study, word,
              guess_hint(&guess));
    free(word);
    return -1;
}

int page_write(struct study_db *d, const char *study, uint64_t limit_mib, FILE *to,
               struct page_counts *counts, struct error *err) {
    /* All queries are in one transaction, so that they see the same state while a study runs. */
    if (sql_execute(d, "BEGIN"))
        return sql_fail(d, err);
    int bad = check_study(d, study, err) || db_check_points(d, study, err);
    if (!bad) {
        const char *rest = html_begin(report_page, to);
        if ((bad = put_data(d, study, limit_mib, to, counts)) != 0) {
            sql_fail(d, err);
            db_check_types(d, err); /* replaces the error if it is due to a type */
        }
        fputs(rest, to);
    }
    sql_execute(d, "ROLLBACK");
    return bad ? -1 : 0;
}

bool page_is_ours(FILE *f) {
    char head[1024];
    head[fread(head, 1, sizeof head - 1, f)] = '\0';
    return strstr(head, PAGE_TITLE);
}
