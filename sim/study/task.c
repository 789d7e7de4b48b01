// SPDX-License-Identifier: Apache-2.0
#include "study/task.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identity.h"
#include "lib/alloc.h"
#include "report.h"
#include "study/sql.h"

/* ---- List ---- */

/* Tables that a list has in addition to those of a study database. The rows of a task are
 * contiguous. */
static const char tables[] =
    "CREATE TABLE asked(version TEXT NOT NULL, program TEXT NOT NULL, checked INTEGER NOT NULL,"
    "  detailed INTEGER NOT NULL, sampled INTEGER NOT NULL, twin TEXT NOT NULL);"
    "CREATE TABLE listed(task INTEGER NOT NULL, n INTEGER NOT NULL, identity TEXT NOT NULL,"
    "  arguments TEXT NOT NULL, PRIMARY KEY(task, n)) WITHOUT ROWID";

static int put_asked(struct study_db *d, const struct study *s, struct error *err) {
    char program[HASH_SIZE];
    char *twins = study_twins(s);
    int bad = identity_program(program, err);
    if (!bad &&
        SQL_PUT(d, "INSERT INTO asked VALUES(?1, ?2, ?3, ?4, ?5, ?6)", "ttiiit", report_version(),
                program, (int64_t)s->check, (int64_t)s->detail, (int64_t)s->series, twins))
        bad = sql_fail(d, err);
    free(twins);
    return bad;
}

/* Returns the arguments of a run as a JSON array, to be freed by cJSON_free. */
static char *arguments_text(const struct study_runs *r, size_t run) {
    char **arguments = runs_arguments(r, run), *text = NULL;
    int n = 0;
    while (arguments[n])
        n++;
    cJSON *array = cJSON_CreateStringArray((const char *const *)arguments, n);
    text = cJSON_PrintUnformatted(array);
    cJSON_Delete(array);
    runs_arguments_free(arguments);
    return text;
}

/* Deals the runs to the tasks in turn, because long runs are often adjacent. */
static int put_listed(struct study_db *d, const struct study_runs *r,
                      const struct study_waiting *waiting, size_t n, size_t tasks) {
    int bad = 0;
    for (size_t i = 0; i < n && !bad; i++) {
        char *arguments = arguments_text(r, waiting[i].run);
        bad = SQL_PUT(d, "INSERT INTO listed VALUES(?1, ?2, ?3, ?4)", "iitb",
                      (int64_t)(i % tasks + 1), (int64_t)waiting[i].run,
                      r->identity[waiting[i].run], arguments, strlen(arguments));
        cJSON_free(arguments);
    }
    return bad;
}

static int fill_list(struct study_db *list, struct study_db *from, const struct study_runs *r,
                     const struct study_waiting *waiting, size_t n, size_t tasks,
                     struct error *err) {
    if (sql_attach(list, from->path) || sql_transaction(list) || sql_execute(list, tables))
        return sql_fail(list, err);
    if (put_asked(list, r->study, err))
        return -1;
    if (put_listed(list, r, waiting, n, tasks) ||
        merge_runs(list, "identity IN (SELECT identity FROM main.listed)"
                         " AND (checked, detailed, sampled, twin) ="
                         "  (SELECT checked, detailed, sampled, twin FROM main.asked)") ||
        SQL_PUT(list, "INSERT INTO study SELECT * FROM t.study WHERE id = ?1", "i", from->study) ||
        SQL_PUT(list,
                "INSERT INTO point SELECT p.study, p.n, r.id, p.config, p.workload, p.scheme,"
                " p.axes, p.baseline, p.group_name, p.choice FROM listed JOIN t.point p USING(n)"
                " JOIN main.run r ON r.identity = listed.identity WHERE p.study = ?1",
                "i", from->study))
        return sql_fail(list, err);
    return db_commit(list, err);
}

int task_list(struct study_db *d, const char *path, const struct study_runs *r,
              const struct study_waiting *waiting, size_t n, size_t tasks, struct error *err) {
    char temp[PATH_SIZE];
    bool busy;
    if (path_print(temp, err, "%s.new", path))
        return -1;
    unlink(temp);
    struct study_db *list = db_open_task(temp, 0, &busy, err);
    int bad = !list || fill_list(list, d, r, waiting, n, tasks, err);
    db_close(list);
    if (!bad && rename(temp, path)) {
        error_set(err, "%s: %s", path, strerror(errno));
        bad = -1;
    }
    if (bad)
        unlink(temp);
    return bad ? -1 : 0;
}

/* ---- Part ---- */

/* Checks that the list was made by the same version and program, because other programs compute
 * other identities. */
static int check_program(struct study_db *d, const char *list, struct error *err) {
    char program[HASH_SIZE];
    int64_t same;
    if (identity_program(program, err))
        return -1;
    if (SQL_NUMBER(d, 0, &same, "SELECT 1 FROM t.asked WHERE version = ?1 AND program = ?2", "tt",
                   report_version(), program))
        return sql_fail(d, err);
    if (same)
        return 0;
    return error_set(
        err, "%s was made by a different program than this one (%s); submit the study again", list,
        report_version());
}

static int copy_part(struct study_db *d, int64_t number) {
    char where[128];
    snprintf(where, sizeof where, "identity IN (SELECT identity FROM t.listed WHERE task = %lld)",
             (long long)number);
    return sql_transaction(d) || merge_runs(d, where) ||
                   sql_execute(d, "UPDATE run SET state = 'waiting' WHERE state = 'running';"
                                  "INSERT INTO study SELECT * FROM t.study WHERE true"
                                  "  ON CONFLICT DO NOTHING; DELETE FROM point") ||
                   SQL_PUT(d,
                           "INSERT INTO point SELECT p.study, row_number() OVER (ORDER BY p.n) - 1,"
                           " r.id, p.config, p.workload, p.scheme, p.axes, NULL,"
                           " p.group_name, p.choice"
                           " FROM t.listed JOIN t.study JOIN t.asked"
                           " JOIN t.point p ON p.study = study.id AND p.n = listed.n"
                           " JOIN main.run r USING(identity, checked, detailed, sampled, twin)"
                           " WHERE task = ?1",
                           "i", number) ||
                   SQL_NUMBER(d, 0, &d->study, "SELECT id FROM main.study", "") ||
                   sql_execute(d, "COMMIT")
               ? -1
               : 0;
}

static char **read_arguments(const char *text) {
    cJSON *array = cJSON_Parse(text), *item;
    char **arguments = alloc_zeroed((size_t)cJSON_GetArraySize(array) + 1, sizeof *arguments);
    size_t n = 0;
    cJSON_ArrayForEach(item, array) {
        if (cJSON_IsString(item))
            arguments[n++] = alloc_text(item->valuestring);
    }
    cJSON_Delete(array);
    return arguments;
}

/* Makes a study with one workload for each run. */
static void make_runs(struct study_task *t, size_t n) {
    struct study_runs *r = &t->runs;
    r->study = &t->study;
    r->n = n;
    r->by = BY_AXIS;
    r->size = alloc_zeroed(r->by, sizeof *r->size);
    r->stride = alloc_zeroed(r->by, sizeof *r->stride);
    r->workload = alloc_zeroed(n, sizeof *r->workload);
    r->identity = alloc_zeroed(n, sizeof *r->identity);
    r->listed = alloc_zeroed(n, sizeof *r->listed);
    for (size_t by = 0; by < r->by; by++)
        r->size[by] = r->stride[by] = 1;
    r->size[BY_WORKLOAD] = r->stride[BY_CONFIG] = n;
}

static int read_runs(struct study_task *t, struct study_db *d, int64_t number) {
    struct study_runs *r = &t->runs;
    int step = SQLITE_ERROR;
    size_t i = 0;
    sqlite3_stmt *s = sql_begin(
        d,
        "SELECT p.workload || CASE p.scheme WHEN '' THEN '' ELSE ', ' || p.scheme END, identity,"
        " arguments FROM t.listed JOIN t.study JOIN t.point p ON p.study = study.id AND p.n = "
        "listed.n WHERE task = ?1 ORDER BY p.n",
        "i", number);
    for (; s && (step = sqlite3_step(s)) == SQLITE_ROW && i < r->n; i++) {
        struct study_workload *w = &r->workload[i];
        snprintf(w->name, sizeof w->name, "%s", sqlite3_column_text(s, 0));
        w->label = w->name;
        snprintf(r->identity[i], HASH_SIZE, "%s", sqlite3_column_text(s, 1));
        r->listed[i] = read_arguments((const char *)sqlite3_column_text(s, 2));
    }
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_DONE && i == r->n ? 0 : -1;
}

/* Reads the study's name and the data that the study requests for all runs. */
static int read_study(struct study *study, struct study_db *d) {
    sqlite3_stmt *s =
        sql_begin(d, "SELECT name, checked, detailed, sampled, twin FROM t.study, t.asked", "");
    int bad = !s || sqlite3_step(s) != SQLITE_ROW;
    if (!bad) {
        snprintf(study->name, sizeof study->name, "%s", sqlite3_column_text(s, 0));
        study->check = sqlite3_column_int(s, 1);
        study->detail = sqlite3_column_int(s, 2);
        study->series = sqlite3_column_int(s, 3);
        study->twins.word = alloc_zeroed(1, sizeof *study->twins.word);
        study->twins.word->text = alloc_text((const char *)sqlite3_column_text(s, 4));
        study->twins.n = *study->twins.word->text != 0;
    }
    if (s)
        sqlite3_reset(s);
    return bad ? -1 : 0;
}

static int read_part(struct study_task *t, struct study_db *d, size_t number) {
    int64_t n;
    if (read_study(&t->study, d) ||
        SQL_NUMBER(d, 0, &n, "SELECT count(*) FROM t.listed WHERE task = ?1", "i", (int64_t)number))
        return -1;
    make_runs(t, (size_t)n);
    return read_runs(t, d, (int64_t)number);
}

int task_read(struct study_task *t, struct study_db *d, const char *list, size_t number,
              struct error *err) {
    *t = (struct study_task){0};
    if (sql_attach(d, list))
        return error_set(err, "%s: %s", list, sqlite3_errmsg(d->db));
    if (check_program(d, list, err))
        return -1;
    if (copy_part(d, (int64_t)number) || read_part(t, d, number) || sql_detach(d))
        return sql_fail(d, err);
    if (t->runs.n)
        return 0;
    return error_set(err, "%s has no task %zu", list, number);
}

void task_free(struct study_task *t) {
    for (size_t i = 0; t->runs.listed && i < t->runs.n; i++)
        runs_arguments_free(t->runs.listed[i]);
    free(t->runs.listed);
    if (t->study.twins.word)
        free(t->study.twins.word->text);
    free(t->study.twins.word);
    runs_free(&t->runs);
}
