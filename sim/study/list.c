// SPDX-License-Identifier: Apache-2.0
/* Queries the database. */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "rows.h"
#include "study/grid.h"
#include "study/sql.h"

static const char *field(sqlite3_stmt *s, int i) {
    const char *text = (const char *)sqlite3_column_text(s, i);
    return text ? text : "";
}

/* ---- Types ---- */

/* Writes a query for the first row of a table with a value of a wrong type: name and value of the
 * first column, and what is wrong. */
static int write_search(struct study_db *d, const char *table, FILE *to) {
    int step = SQLITE_ERROR;
    sqlite3_stmt *s = sql_begin(
        d,
        "SELECT printf('SELECT %Q, CAST(\"%w\" AS TEXT), wrong FROM (SELECT \"%w\", CASE', name,"
        " name, name) FROM pragma_table_info(?1, 'main') WHERE cid = 0 UNION ALL "
        "SELECT CASE WHEN type IN ('INTEGER', 'REAL')"
        " THEN printf(' WHEN typeof(\"%w\") IN (''blob'', ''text'') THEN %Q', name,"
        "  name || ' is not a number')"
        " ELSE printf(' WHEN typeof(\"%w\") = ''blob'' THEN %Q', name,"
        "  name || ' is a BLOB, expected a text') END FROM pragma_table_info(?1, 'main')",
        "t", table);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        fputs((const char *)sqlite3_column_text(s, 0), to);
    fprintf(to, " END AS wrong FROM main.\"%s\") WHERE wrong IS NOT NULL LIMIT 1", table);
    return step == SQLITE_DONE ? 0 : -1;
}

static int check_table(struct study_db *d, const char *table, struct error *err) {
    char *sql = NULL;
    size_t size;
    sqlite3_stmt *s = NULL;
    FILE *f = alloc_stream(&sql, &size);
    int bad = write_search(d, table, f);
    alloc_stream_close(f);
    int step = bad || sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) ? SQLITE_ERROR : sqlite3_step(s);
    if (step == SQLITE_ROW)
        bad = error_set(err, "%s: table %s, %s %s: %s", d->path, table, field(s, 0), field(s, 1),
                        field(s, 2));
    else if (step != SQLITE_DONE)
        bad = sql_fail(d, err);
    sqlite3_finalize(s);
    free(sql);
    return bad;
}

int db_check_types(struct study_db *d, struct error *err) {
    static const char *const tables[] = {"study",     "point", "plot",  "reference",
                                         "statistic", "run",   "total", "detail"};
    int bad = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !bad; i++)
        bad = check_table(d, tables[i], err);
    return bad;
}

/* SQL condition: what a list prints of a point has a wrong type. */
#define WRONG_TYPE                                                                                 \
    "('blob' IN (typeof(study.name), typeof(p.config), typeof(p.workload), typeof(p.scheme),"      \
    " typeof(p.axes), typeof(run.end), typeof(run.message))"                                       \
    " OR typeof(t.cycles) IN ('blob', 'text') OR typeof(t.ipc) IN ('blob', 'text'))"

/* ---- Questions ---- */

int db_check_points(struct study_db *d, const char *study, struct error *err) {
    int64_t points;
    if (SQL_NUMBER(d, 0, &points,
                   "SELECT 1 FROM point JOIN study ON study.id = point.study"
                   " WHERE ?1 IS NULL OR name = ?1",
                   "t", study))
        return sql_fail(d, err);
    if (!points)
        return error_set(err, "%s contains no runs", d->path);
    sqlite3_stmt *s =
        sql_begin(d,
                  "SELECT study.name, p.n, run.id, p.axes, " WRONG_TYPE " FROM point p"
                  " JOIN study ON study.id = p.study LEFT JOIN run ON run.id = p.run"
                  " LEFT JOIN total t ON t.run = p.run"
                  " WHERE (?1 IS NULL OR study.name = ?1) AND (run.id IS NULL OR " WRONG_TYPE " OR"
                  " CASE WHEN NOT json_valid(axes) THEN 1 WHEN json_type(axes) <> 'object' THEN 1"
                  " ELSE EXISTS (SELECT 1 FROM json_each(axes) WHERE type IN ('object', 'array'))"
                  " END) ORDER BY study.name, p.n LIMIT 1",
                  "t", study);
    const int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (step == SQLITE_DONE)
        return 0;
    if (step != SQLITE_ROW)
        return sql_fail(d, err);
    if (sqlite3_column_int(s, 4))
        return db_check_types(d, err);
    const char *name = (const char *)sqlite3_column_text(s, 0);
    const long long n = sqlite3_column_int64(s, 1);
    if (sqlite3_column_type(s, 2) == SQLITE_NULL)
        return error_set(err, "%s: run %lld of study %s: it is not in table run", d->path, n, name);
    return error_set(err,
                     "%s: run %lld of study %s: axes is '%.80s', expected a JSON object such as "
                     "{\"l1d.ways\":\"4\"}",
                     d->path, n, name, (const char *)sqlite3_column_text(s, 3));
}

int db_count(struct study_db *d, struct study_count *count, struct error *err) {
    int64_t code;
    sqlite3_stmt *s = sql_begin(d,
                                "SELECT count(*), count(DISTINCT run),"
                                " count(DISTINCT CASE WHEN " WHOLE_RUN " THEN run END),"
                                " count(DISTINCT CASE state WHEN 'failed' THEN run END),"
                                " count(DISTINCT run) FILTER"
                                "  (WHERE state = 'done' AND end = 'cut_off'),"
                                " count(DISTINCT run) FILTER"
                                "  (WHERE state = 'done' AND end = 'time_limit')"
                                " FROM point JOIN run ON run.id = point.run WHERE study = ?1",
                                "i", d->study);
    if (!s || sqlite3_step(s) != SQLITE_ROW ||
        SQL_NUMBER(d, 0, &code,
                   "SELECT exit_code FROM point JOIN run ON run.id = point.run"
                   " WHERE study = ?1 AND state = 'failed' ORDER BY n LIMIT 1",
                   "i", d->study))
        return sql_fail(d, err);
    *count = (struct study_count){.rows = (size_t)sqlite3_column_int64(s, 0),
                                  .runs = (size_t)sqlite3_column_int64(s, 1),
                                  .done = (size_t)sqlite3_column_int64(s, 2),
                                  .failed = (size_t)sqlite3_column_int64(s, 3),
                                  .cut_off = (size_t)sqlite3_column_int64(s, 4),
                                  .stopped = (size_t)sqlite3_column_int64(s, 5),
                                  .first_failure = (int)code};
    sqlite3_reset(s);
    return 0;
}

void db_print_short(const struct study_count *n, char text[STUDY_SHORT]) {
    char cut[STUDY_SHORT / 2] = "", stopped[STUDY_SHORT / 2] = "";
    if (n->cut_off)
        snprintf(cut, sizeof cut, ", %zu of them cut off at sim.max_cycles", n->cut_off);
    if (n->stopped)
        snprintf(stopped, sizeof stopped, ", %zu stopped by max_time", n->stopped);
    snprintf(text, STUDY_SHORT, "%s%s", cut, stopped);
}

int db_value(void *ctx, const char *identity, const char *statistic, double *value,
             struct error *err) {
    struct study_db *d = ctx;
    sqlite3_stmt *s = NULL;
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT \"%s\" FROM total JOIN run ON run.id = total.run"
             " WHERE identity = ?1 AND " WHOLE_RUN " LIMIT 1",
             statistic);
    int step = sqlite3_prepare_v2(d->db, sql, -1, &s, NULL);
    if (step == SQLITE_OK &&
        (step = sqlite3_bind_text(s, 1, identity, -1, SQLITE_STATIC)) == SQLITE_OK)
        step = sqlite3_step(s);
    if (step == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
        *value = sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : sql_fail(d, err);
}

/* Computes the mean times of all machines and workloads in one query, because there may be
 * thousands of them. */
static int measure_db(struct study_db *d) {
    return sql_execute(
        d, "CREATE TEMP TABLE mean(machine, workload, seconds, PRIMARY KEY(machine, workload));"
           "INSERT INTO temp.mean SELECT machine.name, workload, avg(seconds) FROM run"
           " JOIN config ON config.id = run.config JOIN machine ON machine.id = config.machine"
           " WHERE state = 'done' GROUP BY 1, 2");
}

int db_seconds(struct study_db *d, const char *machine, const char *workload, double *seconds,
               struct error *err) {
    if (!d->measured && measure_db(d))
        return sql_fail(d, err);
    d->measured = true;
    sqlite3_stmt *s =
        sql_begin(d, "SELECT seconds FROM temp.mean WHERE machine = ?1 AND workload = ?2", "tt",
                  machine, workload);
    const int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    *seconds = step == SQLITE_ROW ? sqlite3_column_double(s, 0) : -1;
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : sql_fail(d, err);
}

/* ---- List ---- */

static const struct grid_column list_columns[] = {
    {"run", false},           {"config", true}, {"workload", true}, {"scheme", true},
    {"axes", true},           {"state", true},  {"cycles", false},  {"IPC", false},
    {"over baseline", false}, {"message", true}};
#define LIST_COLUMNS ((int)(sizeof list_columns / sizeof *list_columns))

/* Lists the runs of a study. Infinite values, which only other programs write, are left out. */
static sqlite3_stmt *begin_list(struct study_db *d, int64_t study) {
    return sql_begin(d,
                     "WITH finite AS (SELECT run,"
                     "  CASE WHEN cycles > -9e999 AND cycles < 9e999 THEN cycles END AS cycles,"
                     "  CASE WHEN ipc > -9e999 AND ipc < 9e999 THEN ipc END AS ipc FROM total)"
                     " SELECT p.n, p.config, p.workload, p.scheme,"
                     " (SELECT group_concat(key || '=' || value, ' ') FROM json_each(p.axes)),"
                     " " RUN_STATE ", t.cycles,"
                     " CASE WHEN t.ipc IS NOT NULL THEN printf('%.4f', t.ipc) END,"
                     " CASE WHEN b.ipc > 0 AND t.ipc > 0 AND t.ipc / b.ipc < 9e999"
                     "  AND run.end IS NOT 'time_limit' THEN printf('%.3f', t.ipc / b.ipc) END,"
                     " CASE WHEN run.state = 'failed' THEN run.message"
                     "  WHEN run.end = 'time_limit' THEN 'stopped by max_time'"
                     "  WHEN run.end = 'cut_off' THEN 'cut off at sim.max_cycles' END"
                     " FROM point p JOIN run ON run.id = p.run"
                     " LEFT JOIN finite t ON t.run = p.run AND run.state = 'done'"
                     " LEFT JOIN point q ON q.study = p.study AND q.n = p.baseline"
                     " LEFT JOIN run s ON s.id = q.run"
                     " LEFT JOIN finite b ON b.run = s.id AND s.state = 'done'"
                     "  AND s.end IS NOT 'time_limit' WHERE p.study = ?1 ORDER BY p.n",
                     "i", study);
}

/* Copies a field for a terminal, without line feeds, which would break the table. The caller frees
 * it. */
static char *clean_field(sqlite3_stmt *s, int i) {
    char *text = alloc_text(field(s, i));
    message_clean(text);
    return text;
}

static void read_row(sqlite3_stmt *s, const char *value[LIST_COLUMNS]) {
    for (int i = 0; i < LIST_COLUMNS; i++)
        value[i] = (const char *)sqlite3_column_text(s, i);
}

/* Prints a study. Frees its name. */
static int list_study(struct study_db *d, int64_t study, char *name, FILE *to) {
    struct grid g = {.column = list_columns, .n = LIST_COLUMNS};
    const char *value[LIST_COLUMNS];
    int step = SQLITE_ERROR;
    sqlite3_stmt *s = begin_list(d, study);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        read_row(s, value);
        grid_measure(&g, value);
    }
    if (step == SQLITE_DONE)
        fprintf(to, "%s\n", name);
    free(name);
    if (step != SQLITE_DONE)
        return -1;
    if (g.width[0])
        grid_print_titles(&g, to);
    for (s = begin_list(d, study); s && (step = sqlite3_step(s)) == SQLITE_ROW;) {
        read_row(s, value);
        grid_print_row(&g, value, to);
    }
    return s && step == SQLITE_DONE ? 0 : -1;
}

int db_studies(struct study_db *d, void (*each)(void *ctx, const char *name, const char *file),
               void *ctx, struct error *err) {
    sqlite3_stmt *s = sql_begin(d, "SELECT name, file FROM study ORDER BY name", "");
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        each(ctx, field(s, 0), field(s, 1));
    return step == SQLITE_DONE ? 0 : sql_fail(d, err);
}

int db_list(struct study_db *d, FILE *to, struct error *err) {
    sqlite3_stmt *s = sql_begin(d, "SELECT id, name FROM study ORDER BY name", "");
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        if (list_study(d, sqlite3_column_int64(s, 0), clean_field(s, 1), to))
            return sql_fail(d, err);
    return step == SQLITE_DONE ? 0 : sql_fail(d, err);
}

int db_list_rows(struct study_db *d, struct rows *r, struct error *err) {
    sqlite3_stmt *study = sql_begin(d, "SELECT id, name FROM study ORDER BY name", "");
    int step = SQLITE_ERROR;
    while (study && (step = sqlite3_step(study)) == SQLITE_ROW) {
        sqlite3_stmt *s = begin_list(d, sqlite3_column_int64(study, 0));
        const char *value[1 + LIST_COLUMNS] = {field(study, 1)};
        int found = SQLITE_ERROR;
        while (s && (found = sqlite3_step(s)) == SQLITE_ROW) {
            read_row(s, &value[1]);
            rows_put(r, value, sizeof value / sizeof *value);
        }
        if (found != SQLITE_DONE)
            return sql_fail(d, err);
    }
    return step == SQLITE_DONE ? 0 : sql_fail(d, err);
}
