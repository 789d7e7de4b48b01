// SPDX-License-Identifier: Apache-2.0
/* A study goes into the database. */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "study/plot.h"

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
            "INSERT INTO point VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, CASE WHEN ?8 >= 0 THEN ?8 END,"
            " ?9, ?10)",
            "iiittttitt", d->study, (int64_t)run, id,
            r->study->configs.word[runs_place(r, run, BY_CONFIG)].text, w->label,
            runs_scheme(r, run), axes, baseline, runs_group(r, run), runs_choice(r, run));
    free(axes);
    return bad ? -1 : 0;
}

/* What is stored of the machine and the configuration of the last run. */
struct storing {
    struct run_settings settings;
    const struct study_machine *machine;
    struct values of_machine, values;
    int64_t machine_id, config_id;
};

static int store_known(struct study_db *d, const struct study_runs *r, size_t run,
                       struct storing *x) {
    const struct study_machine *m = &r->machine[runs_place(r, run, BY_CONFIG)];
    struct run_settings set;
    struct config cfg;
    runs_settings(r, run, &set);
    if (m != x->machine && (take_values(&x->of_machine, &m->cfg) ||
                            store_machine(d, m->path, &x->of_machine, &x->machine_id)))
        return -1;
    x->machine = m;
    if (!runs_same(&set, &x->settings)) {
        runs_config(r, run, &cfg);
        if (take_values(&x->values, &cfg) ||
            store_config(d, x->machine_id, &x->of_machine, &x->values, &x->config_id))
            return -1;
        x->settings = set;
    }
    return store_run(d, r, run, x->config_id);
}

static int store_runs(struct study_db *d, const struct study_runs *r, struct progress *p) {
    struct storing *x = calloc(1, sizeof *x);
    int bad = !x;
    for (size_t i = 0; i < r->n && !bad; i++) {
        const size_t run = runs_ordered(r, i);
        if (r->state[run] == RUN_KNOWN && !d->stored[run]) {
            bad = store_known(d, r, run, x);
            d->stored[run] = 1;
        }
        runs_show(r, i, p, "storing");
    }
    free(x);
    return bad ? -1 : 0;
}

static int store_reference(struct study_db *d, const struct study_runs *r) {
    if (SQL_PUT(d, "DELETE FROM reference WHERE study = ?1", "t", r->study->name))
        return -1;
    for (size_t i = 0; i < r->reference.n; i++) {
        char *const *text = r->reference.row[i].text;
        if (SQL_PUT(d, "INSERT INTO reference VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", "ttttttd",
                    text[REFERENCE_STUDY], text[REFERENCE_SEED], text[REFERENCE_FIGURE],
                    text[REFERENCE_QUANTITY], text[REFERENCE_SCHEME], text[REFERENCE_GROUP],
                    r->reference.row[i].value))
            return -1;
    }
    return 0;
}

/* The study itself; none of its runs. */
static int store_study(struct study_db *d, const struct study_runs *r) {
    const struct study *s = r->study;
    return SQL_PUT(d,
                   "INSERT INTO study(name, file, version, stored) VALUES(?1, ?2, ?3, ?4)"
                   " ON CONFLICT(name) DO UPDATE SET file = ?2, version = ?3, stored = ?4",
                   "tttd", s->name, s->path, report_version(), sql_now()) ||
           SQL_NUMBER(d, 0, &d->study, "SELECT id FROM study WHERE name = ?1", "t", s->name) ||
           SQL_PUT(d, "DELETE FROM point WHERE study = ?1", "i", d->study) || plots_store(d, s) ||
           store_reference(d, r);
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
                                " WHERE (state = 'failed' OR end = 'time_limit')"
                                " AND started < ?2" OF_STUDY,
                                "id", d->study, d->opened));
    free(twins);
    return bad ? -1 : 0;
}

static int store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p) {
    const bool first = !d->stored;
    if (first && !(d->stored = calloc(r->n, 1)))
        return -1;
    return sql_transaction(d) || (first && store_study(d, r)) || store_runs(d, r, p) ||
                   make_wait(d, r->study, retry)
               ? -1
               : 0;
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
