// SPDX-License-Identifier: Apache-2.0
/* A study goes into the database. */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "study/sql.h"

/* ---- Configurations ---- */

/* The values of a configuration as text, in table order. */
struct values {
    const char *section[CONFIG_KEYS], *key[CONFIG_KEYS];
    char value[CONFIG_KEYS][CONFIG_STR_SIZE];
    size_t n;
    char hash[HASH_SIZE];
};

static void take_value(void *ctx, const char *section, const char *key, const char *value,
                       const char *doc) {
    struct values *v = ctx;
    (void)doc;
    v->section[v->n] = section;
    v->key[v->n] = key;
    strcpy(v->value[v->n++], value);
}

static int take_values(struct values *v, const struct config *cfg) {
    struct hash *h = hash_new();
    if (!h)
        return -1;
    v->n = 0;
    config_each(cfg, take_value, v);
    for (size_t i = 0; i < v->n; i++) {
        hash_add(h, v->section[i], strlen(v->section[i]));
        hash_add(h, ".", 1);
        hash_add(h, v->key[i], strlen(v->key[i]));
        hash_add(h, "=", 1);
        hash_add(h, v->value[i], strlen(v->value[i]) + 1);
    }
    hash_digits(h, v->hash);
    hash_free(h);
    return 0;
}

/* A value of digits is stored as a number. */
static int put_value(struct study_db *d, const char *sql, int64_t id, const struct values *v,
                     size_t i) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s", v->section[i], v->key[i]);
    const char *value = v->value[i], *digits = value + (*value == '-');
    if (*digits && strspn(digits, "0123456789") == strlen(digits))
        return SQL_PUT(d, sql, "iti", id, name, (int64_t)strtoll(value, NULL, 10));
    return SQL_PUT(d, sql, "itt", id, name, value);
}

static int store_machine(struct study_db *d, const char *name, const struct values *v,
                         int64_t *id) {
    if (SQL_NUMBER(d, 0, id, "SELECT id FROM machine WHERE hash = ?1", "t", v->hash))
        return -1;
    if (*id)
        return 0;
    if (SQL_PUT(d, "INSERT INTO machine(hash, name) VALUES(?1, ?2)", "tt", v->hash, name))
        return -1;
    *id = sqlite3_last_insert_rowid(d->db);
    for (size_t i = 0; i < v->n; i++)
        if (put_value(d, "INSERT INTO machine_key VALUES(?1, ?2, ?3)", *id, v, i))
            return -1;
    return 0;
}

/* Of a configuration only what differs from its machine. */
static int store_config(struct study_db *d, int64_t machine, const struct values *of_machine,
                        const struct values *v, int64_t *id) {
    if (SQL_NUMBER(d, 0, id, "SELECT id FROM config WHERE hash = ?1", "t", v->hash))
        return -1;
    if (*id)
        return 0;
    if (SQL_PUT(d, "INSERT INTO config(hash, machine) VALUES(?1, ?2)", "ti", v->hash, machine))
        return -1;
    *id = sqlite3_last_insert_rowid(d->db);
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(v->value[i], of_machine->value[i]) != 0 &&
            put_value(d, "INSERT INTO config_key VALUES(?1, ?2, ?3)", *id, v, i))
            return -1;
    return 0;
}

/* ---- A study ---- */

static int store_run(struct study_db *d, const struct study_runs *r, size_t run, int64_t config) {
    const struct study_workload *w = runs_workload(r, run);
    const char *trace = w->trace_hash[0] ? w->trace_hash : NULL;
    int64_t id, baseline = (int64_t)runs_baseline(r, run);
    char *axes = NULL;
    size_t size;
    FILE *f = open_memstream(&axes, &size);
    if (!f)
        return -1;
    runs_axes(r, run, true, f);
    fclose(f);
    int bad =
        SQL_PUT(d,
                "INSERT INTO run(identity, config, workload, trace_hash, version, state)"
                " VALUES(?1, ?2, ?3, ?4, ?5, 'waiting') ON CONFLICT DO NOTHING",
                "titttt", r->identity[run], config, w->name, trace, report_version()) ||
        SQL_NUMBER(d, 0, &id, "SELECT id FROM run WHERE identity = ?1", "t", r->identity[run]) ||
        SQL_PUT(
            d,
            "INSERT INTO point VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, CASE WHEN ?8 >= 0 THEN ?8 END)",
            "iiittttii", d->study, (int64_t)run, id,
            r->study->configs.word[runs_place(r, run, BY_CONFIG)].text, w->label,
            runs_scheme(r, run), axes, baseline);
    free(axes);
    return bad ? -1 : 0;
}

/* The runs of one machine, `run` being the first of them. */
static int store_machine_runs(struct study_db *d, const struct study_runs *r, size_t run,
                              int64_t machine, const struct values *of_machine) {
    struct config cfg;
    struct values *v = malloc(sizeof *v);
    int64_t config;
    runs_config(r, run, &cfg);
    int bad = !v || take_values(v, &cfg) || store_config(d, machine, of_machine, v, &config);
    free(v);
    for (size_t i = 0; i < r->size[BY_WORKLOAD] && !bad; i++)
        bad = store_run(d, r, run + i * r->stride[BY_WORKLOAD], config);
    return bad ? -1 : 0;
}

static int store_runs(struct study_db *d, const struct study_runs *r, struct progress *p) {
    struct values *v = malloc(sizeof *v);
    int bad = !v;
    int64_t machine = 0;
    for (size_t run = 0; run < r->n && !bad; run++) {
        const struct study_machine *m = &r->machine[runs_place(r, run, BY_CONFIG)];
        if (run % r->stride[BY_CONFIG] == 0)
            bad = take_values(v, &m->cfg) || store_machine(d, m->path, v, &machine);
        if (runs_place(r, run, BY_WORKLOAD) == 0 && !bad)
            bad = store_machine_runs(d, r, run, machine, v);
        runs_show(r, run, p, "storing");
    }
    free(v);
    return bad ? -1 : 0;
}

#define OF_STUDY " AND id IN (SELECT run FROM point WHERE study = ?1)"

/* Which runs wait: those that ran, those that were run with less than is asked for now, and those
 * that are to be tried again. */
static int make_wait(struct study_db *d, const struct study *s, bool retry) {
    char *twins = study_twins(s);
    int bad = !twins ||
              SQL_PUT(d, "UPDATE run SET state = 'waiting' WHERE state = 'running'", "") ||
              SQL_PUT(d,
                      "UPDATE run SET state = 'waiting' WHERE state = 'done'"
                      " AND (checked < ?2 OR detailed < ?3 OR (?4 <> '' AND twin <> ?4))" OF_STUDY,
                      "iiit", d->study, (int64_t)s->check, (int64_t)s->detail, twins) ||
              (retry && SQL_PUT(d,
                                "UPDATE run SET state = 'waiting'"
                                " WHERE (state = 'failed' OR end = 'time_limit')" OF_STUDY,
                                "i", d->study));
    free(twins);
    return bad ? -1 : 0;
}

static int store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p) {
    const struct study *s = r->study;
    return sql_transaction(d) ||
           SQL_PUT(d,
                   "INSERT INTO study(name, file, version, stored) VALUES(?1, ?2, ?3, ?4)"
                   " ON CONFLICT(name) DO UPDATE SET file = ?2, version = ?3, stored = ?4",
                   "tttd", s->name, s->path, report_version(), sql_now()) ||
           SQL_NUMBER(d, 0, &d->study, "SELECT id FROM study WHERE name = ?1", "t", s->name) ||
           SQL_PUT(d, "DELETE FROM point WHERE study = ?1", "i", d->study) || store_runs(d, r, p) ||
           make_wait(d, s, retry);
}

int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             char *err, size_t err_size) {
    if (store(d, r, retry, p)) {
        sql_fail(d, err, err_size);
        sql_execute(d, "ROLLBACK");
        return -1;
    }
    return db_commit(d, err, err_size);
}

int db_waiting(struct study_db *d, struct study_waiting **list, size_t *n, char *err,
               size_t err_size) {
    size_t room = 0;
    int step;
    *list = NULL;
    *n = 0;
    sqlite3_stmt *s = sql_begin(d,
                                "SELECT min(n), run FROM point JOIN run ON run.id = point.run"
                                " WHERE study = ?1 AND state = 'waiting' GROUP BY run ORDER BY 1",
                                "i", d->study);
    if (!s)
        return sql_fail(d, err, err_size);
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        if (*n == room) {
            room = room ? 2 * room : 64;
            struct study_waiting *more = realloc(*list, room * sizeof *more);
            if (!more) {
                sqlite3_reset(s);
                return sql_no_memory(err, err_size);
            }
            *list = more;
        }
        (*list)[(*n)++] =
            (struct study_waiting){(size_t)sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1)};
    }
    sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : sql_fail(d, err, err_size);
}
