// SPDX-License-Identifier: Apache-2.0
/* Merges another database of studies, attached as t. Runs are matched by identity and
 * configurations by hash, because row numbers differ between databases. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "embed.h"
#include "study/sql.h"

EMBED(copy_runs_sql, EMBED_ROOT "sim/study/copy_runs.sql");
EMBED(replace_runs_sql, EMBED_ROOT "sim/study/replace_runs.sql");
EMBED(take_results_sql, EMBED_ROOT "sim/study/take_results.sql");

int sql_print(struct study_db *d, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *sql = sqlite3_vmprintf(fmt, args);
    va_end(args);
    int bad = !sql || sql_execute(d, sql);
    sqlite3_free(sql);
    return bad ? -1 : 0;
}

int sql_attach(struct study_db *d, const char *path) {
    char file[SQL_FILE_SIZE];
    sql_file(path, file);
    return sql_print(d, "ATTACH %Q AS t", file);
}

int sql_detach(struct study_db *d) {
    return sql_execute(d, "DETACH t");
}

/* ---- Runs and their configurations ---- */

int merge_runs(struct study_db *d, const char *where) {
    return sql_print(d,
                     "CREATE TEMP TABLE copied AS SELECT id AS run, config FROM t.run s WHERE %s",
                     where) ||
                   sql_execute(d, copy_runs_sql)
               ? -1
               : 0;
}

/* ---- Results ---- */

int sql_replace(struct study_db *d) {
    return sql_execute(d, replace_runs_sql);
}

/* Condition for new results. It is true if this database has no complete results with at least the
 * same requested data. */
#define NEWS                                                                                       \
    "state IN ('done', 'failed') AND NOT EXISTS (SELECT 1 FROM main.run"                           \
    " WHERE run.identity = s.identity AND run.checked >= s.checked"                                \
    " AND run.detailed >= s.detailed AND run.sampled >= s.sampled AND s.twin IN ('', run.twin)"    \
    " AND " WHOLE_RUN ")"

/* Returns the text in the first row that a query yields, to be freed with sqlite3_free. Returns
 * NULL after an error. */
static char *ask_text(struct study_db *d, const char *sql) {
    sqlite3_stmt *s = NULL;
    char *text = NULL;
    if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        text = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return text;
}

/* Adds columns for statistics of other versions. */
static int add_columns(struct study_db *d) {
    char *sql = ask_text(
        d, "SELECT group_concat(printf('ALTER TABLE main.total ADD COLUMN \"%w\" %s;"
           "ALTER TABLE main.detail ADD COLUMN \"%w\" %s;', name, type, name, type), '')"
           " FROM (SELECT name, CASE kind WHEN 'counter' THEN 'INTEGER' WHEN 'derived' THEN 'REAL'"
           " ELSE 'TEXT' END AS type FROM t.statistic"
           " WHERE name NOT IN (SELECT name FROM main.statistic))");
    int bad = !sql || (*sql && (sql_execute(d, sql) ||
                                sql_execute(d, "INSERT INTO statistic SELECT * FROM t.statistic"
                                               " WHERE true ON CONFLICT DO NOTHING") ||
                                db_make_views(d)));
    sqlite3_free(sql);
    return bad ? -1 : 0;
}

static int take_statistics(struct study_db *d) {
    char *columns = ask_text(d, "SELECT group_concat(printf('\"%w\"', name)) FROM t.statistic");
    int bad =
        !columns ||
        sql_print(
            d,
            "INSERT INTO total(run, %s) SELECT ours, %s"
            " FROM temp.taken JOIN t.total x ON x.run = theirs;"
            "INSERT INTO detail(run, scope, number, name, %s) SELECT ours, scope, number, name, %s"
            " FROM temp.taken JOIN t.detail x ON x.run = theirs;"
            "INSERT INTO temp.fresh SELECT ours FROM temp.taken; DROP TABLE temp.taken",
            columns, columns, columns, columns);
    sqlite3_free(columns);
    return bad ? -1 : 0;
}

static int collect_runs(struct study_db *d, int64_t *runs) {
    return sql_transaction(d) || add_columns(d) || merge_runs(d, NEWS) ||
                   sql_execute(d, take_results_sql) ||
                   SQL_NUMBER(d, 0, runs, "SELECT count(*) FROM temp.taken", "") ||
                   take_statistics(d) || sql_replace(d) || sql_execute(d, "COMMIT")
               ? -1
               : 0;
}

static bool is_whole(struct study_db *d) {
    char *text = ask_text(d, "SELECT * FROM pragma_quick_check(1)");
    bool is_sound = text && strcmp(text, "ok") == 0;
    sqlite3_free(text);
    return is_sound;
}

/* Returns true if copying failed because the other database is damaged. */
static bool is_damage(const struct study_db *d) {
    int code = sqlite3_errcode(d->db);
    return code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT;
}

static int damaged(const struct study_db *d, struct error *err) {
    return error_set(err, "%s: damaged or incomplete", d->path);
}

int db_collect(struct study_db *d, struct study_db *from, size_t *results, struct error *err) {
    int64_t n = 0;
    if (!is_whole(from))
        return damaged(from, err);
    int bad = sql_attach(d, from->path) || collect_runs(d, &n);
    if (bad) {
        if (is_damage(d))
            damaged(from, err);
        else
            sql_fail(d, err);
        sql_execute(d, "ROLLBACK");
    }
    sql_detach(d);
    *results = bad ? 0 : (size_t)n;
    return bad ? -1 : 0;
}
