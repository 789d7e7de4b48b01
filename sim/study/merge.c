// SPDX-License-Identifier: Apache-2.0
/* Rows of another database of studies, attached as t. Runs are told by their identity,
 * configurations by their hash: numbers differ. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"
#include "study/sql.h"

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
    return sql_print(d, "ATTACH %Q AS t", path);
}

int sql_detach(struct study_db *d) {
    return sql_execute(d, "DETACH t");
}

/* ---- Runs and their configurations ---- */

/* A configuration has its keys as what differs from its machine: they are of use here only if the
 * machine is the same. */
static const char copy_configs[] =
    "INSERT INTO machine(hash, name) SELECT hash, name FROM t.machine WHERE id IN"
    "  (SELECT machine FROM t.config WHERE id IN (SELECT config FROM temp.copied))"
    "  ON CONFLICT DO NOTHING;"
    "INSERT INTO machine_key SELECT m.id, k.key, k.value FROM t.machine tm"
    "  JOIN main.machine m ON m.hash = tm.hash JOIN t.machine_key k ON k.machine = tm.id"
    "  WHERE true ON CONFLICT DO NOTHING;"
    "INSERT INTO config(hash, machine) SELECT c.hash, m.id FROM t.config c"
    "  JOIN t.machine tm ON tm.id = c.machine JOIN main.machine m ON m.hash = tm.hash"
    "  WHERE c.id IN (SELECT config FROM temp.copied) ON CONFLICT DO NOTHING;"
    "INSERT INTO config_key SELECT c.id, k.key, k.value FROM t.config tc"
    "  JOIN main.config c ON c.hash = tc.hash JOIN main.machine m ON m.id = c.machine"
    "  JOIN t.machine tm ON tm.id = tc.machine AND tm.hash = m.hash"
    "  JOIN t.config_key k ON k.config = tc.id"
    "  WHERE tc.id IN (SELECT config FROM temp.copied) ON CONFLICT DO NOTHING;"
    "INSERT INTO run(identity, config, workload, trace_hash, version, state, checked, detailed,"
    "    sampled, twin) SELECT s.identity, c.id, s.workload, s.trace_hash, s.version, 'waiting',"
    "    s.checked, s.detailed, s.sampled, s.twin"
    "  FROM temp.copied JOIN t.run s ON s.id = copied.run JOIN t.config tc ON tc.id = s.config"
    "  JOIN main.config c ON c.hash = tc.hash WHERE true ON CONFLICT DO NOTHING;"
    "DROP TABLE temp.copied";

int merge_runs(struct study_db *d, const char *where) {
    return sql_print(d,
                     "CREATE TEMP TABLE copied AS SELECT id AS run, config FROM t.run s WHERE %s",
                     where) ||
                   sql_execute(d, copy_configs)
               ? -1
               : 0;
}

/* ---- Results ---- */

/* a has all that was asked for b. */
#define COVERS(a, b)                                                                               \
    a ".identity = " b ".identity AND " a ".checked >= " b ".checked AND " a ".detailed >= " b     \
      ".detailed AND " a ".sampled >= " b ".sampled AND " b ".twin IN ('', " a ".twin)"

int sql_replace(struct study_db *d) {
    return sql_execute(
        d, "CREATE TEMP TABLE replaced AS SELECT o.id AS old, run.id AS new FROM temp.fresh"
           "  JOIN main.run ON run.id = fresh.run CROSS JOIN main.run o ON " COVERS(
               "run", "o") "  AND o.id <> run.id AND " WHOLE_RUN ";"
                           "UPDATE point SET run = (SELECT new FROM temp.replaced WHERE old = run)"
                           "  WHERE run IN (SELECT old FROM temp.replaced);"
                           "DELETE FROM total WHERE run IN (SELECT old FROM temp.replaced);"
                           "DELETE FROM detail WHERE run IN (SELECT old FROM temp.replaced);"
                           "DELETE FROM series WHERE run IN (SELECT old FROM temp.replaced);"
                           "DELETE FROM run WHERE id IN (SELECT old FROM temp.replaced);"
                           "DROP TABLE temp.replaced; DELETE FROM temp.fresh");
}

/* What is not there already, with as much or more. */
#define NEWS                                                                                       \
    "s.state IN ('done', 'failed') AND NOT EXISTS (SELECT 1 FROM main.run WHERE " COVERS(          \
        "run", "s") " AND " WHOLE_RUN ")"

/* The results that are taken: what is done replaces what is not, whole results those of a run that
 * was cut off, and a later failure an earlier one. */
static const char choose[] =
    "CREATE TEMP TABLE taken(ours INTEGER PRIMARY KEY, theirs INTEGER NOT NULL);"
    "INSERT INTO temp.taken SELECT r.id, s.id FROM t.run s"
    "  CROSS JOIN main.run r USING(identity, checked, detailed, sampled, twin) WHERE"
    "  (s.state = 'done' AND (r.state <> 'done'"
    "                         OR (r.end IS 'time_limit' AND s.end IS NOT 'time_limit')))"
    "  OR (s.state = 'failed' AND (r.state IN ('waiting', 'running')"
    "                              OR (r.state = 'failed' AND s.started > r.started)))";

#define RESULT                                                                                     \
    "state, exit_code, end, complete, reached, message, log, host, pid, started, seconds,"         \
    " cpu_seconds, peak_rss_kib, compared, mismatches, checked_loads, twins, evaluated"
static const char take[] =
    "UPDATE run SET (" RESULT ") = (SELECT " RESULT
    "  FROM t.run WHERE id = (SELECT theirs FROM temp.taken WHERE ours = main.run.id))"
    "  WHERE id IN (SELECT ours FROM temp.taken);"
    "DELETE FROM total WHERE run IN (SELECT ours FROM temp.taken);"
    "DELETE FROM detail WHERE run IN (SELECT ours FROM temp.taken);"
    "DELETE FROM series WHERE run IN (SELECT ours FROM temp.taken);"
    "INSERT INTO series SELECT ours, size, data FROM temp.taken JOIN t.series ON run = theirs";

/* The text that a query gives, to be freed by sqlite3_free; "" for none. NULL: it failed. */
static char *ask_text(struct study_db *d, const char *sql) {
    sqlite3_stmt *s = NULL;
    char *text = NULL;
    if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        text = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return text;
}

/* Statistics of other versions have no column here yet. */
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

static int collect(struct study_db *d, int64_t *taken) {
    return sql_transaction(d) || add_columns(d) || merge_runs(d, NEWS) || sql_execute(d, choose) ||
                   sql_execute(d, take) ||
                   SQL_NUMBER(d, 0, taken, "SELECT count(*) FROM temp.taken", "") ||
                   take_statistics(d) || sql_replace(d) || sql_execute(d, "COMMIT")
               ? -1
               : 0;
}

static bool is_whole(struct study_db *d) {
    char *text = ask_text(d, "SELECT * FROM pragma_quick_check(1)");
    bool whole = text && strcmp(text, "ok") == 0;
    sqlite3_free(text);
    return whole;
}

/* Whose fault it is that rows cannot be copied. */
static bool is_damage(const struct study_db *d) {
    int code = sqlite3_errcode(d->db);
    return code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT;
}

static int damaged(const struct study_db *d, char *err, size_t err_size) {
    message_print(err, err_size, "%s: damaged: it is not whole", d->path);
    return -1;
}

int db_collect(struct study_db *d, struct study_db *from, size_t *taken, char *err,
               size_t err_size) {
    int64_t n = 0;
    if (!is_whole(from))
        return damaged(from, err, err_size);
    int bad = sql_attach(d, from->path) || collect(d, &n);
    if (bad) {
        if (is_damage(d))
            damaged(from, err, err_size);
        else
            sql_fail(d, err, err_size);
        sql_execute(d, "ROLLBACK");
    }
    sql_detach(d);
    *taken = bad ? 0 : (size_t)n;
    return bad ? -1 : 0;
}
