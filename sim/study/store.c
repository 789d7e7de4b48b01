// SPDX-License-Identifier: Apache-2.0
/* Stores a study in the database. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/shell.h"
#include "report.h"
#include "study/plot.h"

/* ---- Configurations ---- */

/* Values of a configuration as text, in the order of the key table. */
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

static void take_values(struct values *v, const struct config *cfg) {
    struct hash *h = hash_new();
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
}

/* Stores a value, as a number if the key's type is INT. */
static int put_value(struct study_db *d, const char *sql, int64_t id, const struct values *v,
                     size_t i) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s", v->section[i], v->key[i]);
    if (config_is_integer(name))
        return SQL_PUT(d, sql, "iti", id, name, (int64_t)strtoll(v->value[i], NULL, 10));
    return SQL_PUT(d, sql, "itt", id, name, v->value[i]);
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

/* Stores the values of a configuration that differ from its machine's. */
static int store_config(struct study_db *d, int64_t machine, const struct values *machine_values,
                        const struct values *v, int64_t *id) {
    if (SQL_NUMBER(d, 0, id, "SELECT id FROM config WHERE hash = ?1", "t", v->hash))
        return -1;
    if (*id)
        return 0;
    if (SQL_PUT(d, "INSERT INTO config(hash, machine) VALUES(?1, ?2)", "ti", v->hash, machine))
        return -1;
    *id = sqlite3_last_insert_rowid(d->db);
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(v->value[i], machine_values->value[i]) != 0 &&
            put_value(d, "INSERT INTO config_key VALUES(?1, ?2, ?3)", *id, v, i))
            return -1;
    return 0;
}

/* ---- Study ---- */

/* Data that a study requests for its runs. */
struct asked {
    int64_t check, detail, series;
    char *twins; /* owned */
    bool retry;
};

/* Row of table `run` for a run of the study. */
struct store_place {
    int64_t id;              /* 0 if there is no row */
    char state[STUDY_STATE]; /* "" if there is no row */
    bool again;              /* true if the run has ended and will be repeated */
};

#define EXACT "checked = ?2 AND detailed = ?3 AND sampled = ?4 AND twin = ?5"

/* Finds the row that has results with all requested data or, if there is none, the row that
 * requests exactly these data. */
static int find_place(struct study_db *d, const char *identity, const struct asked *a,
                      struct store_place *p) {
    *p = (struct store_place){0};
    sqlite3_stmt *s = sql_begin(
        d,
        "SELECT id, CASE WHEN " RUN_LOST " THEN 'waiting'"
        " WHEN state = 'done' AND NOT " WHOLE_RUN " THEN 'stopped' ELSE state END,"
        " ?6 AND (state = 'failed' OR (state = 'done' AND NOT " WHOLE_RUN
        ")) AND identity NOT IN (SELECT identity FROM temp.begun)"
        " FROM run WHERE identity = ?1 AND (" EXACT " OR (state = 'done' AND checked >= ?2"
        " AND detailed >= ?3 AND sampled >= ?4 AND ?5 IN ('', twin)))"
        " ORDER BY " WHOLE_RUN " DESC, " EXACT " DESC, id LIMIT 1",
        "tiiiti", identity, a->check, a->detail, a->series, a->twins, (int64_t)a->retry);
    const int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (step == SQLITE_ROW) {
        p->id = sqlite3_column_int64(s, 0);
        snprintf(p->state, sizeof p->state, "%s", (const char *)sqlite3_column_text(s, 1));
        p->again = sqlite3_column_int(s, 2);
    }
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : -1;
}

/* Returns the beginning of a run's command, "cd FOLDER && PROGRAM run -c CONFIG [--kernels LIST]",
 * which the caller frees. Paths are relative to the folder. */
static char *begin_command(const struct study_runs *r, size_t run) {
    char folder[PATH_SIZE], *text = NULL, *program = shell_program();
    char *config = shell_word(r->machine[runs_place(r, run, BY_CONFIG)].path);
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    if (getcwd(folder, sizeof folder)) {
        char *word = shell_word(folder);
        fprintf(f, "cd %s && ", word);
        free(word);
    }
    fprintf(f, "%s run -c %s", program, config);
    if (r->study->kernels && runs_workload(r, run)->trace_hash[0]) {
        char *kernels = shell_word(r->study->kernels);
        fprintf(f, " --kernels %s", kernels);
        free(kernels);
    }
    alloc_stream_close(f);
    free(program);
    free(config);
    return text;
}

/* Marks the row for the requested data as waiting. Adds the row if it is missing. */
static int make_wait(struct study_db *d, const struct study_runs *r, size_t run, int64_t config,
                     const struct asked *a, struct store_place *p) {
    const struct study_workload *w = runs_workload(r, run);
    const char *trace = w->trace_hash[0] ? w->trace_hash : NULL;
    char *call = begin_command(r, run);
    const int bad =
        SQL_NUMBER(d, 0, &p->id,
                   "INSERT INTO run(identity, config, workload, trace_hash, version, state,"
                   "  checked, detailed, sampled, twin, call)"
                   " VALUES(?1, ?2, ?3, ?4, ?5, 'waiting', ?6, ?7, ?8, ?9, ?10)"
                   " ON CONFLICT DO UPDATE SET state = 'waiting' RETURNING id",
                   "titttiiitt", r->identity[run], config, w->name, trace, report_version(),
                   a->check, a->detail, a->series, a->twins, call);
    free(call);
    return bad;
}

static int store_point(struct study_db *d, const struct study_runs *r, size_t run, int64_t id) {
    const int64_t baseline = (int64_t)runs_baseline(r, run);
    char *axes = runs_axes_json(r, run);
    int bad =
        !axes ||
        SQL_PUT(
            d,
            "INSERT INTO point VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, CASE WHEN ?8 >= 0 THEN ?8 END,"
            " ?9, ?10)",
            "iiittttitt", d->study, (int64_t)run, id,
            r->study->configs.word[runs_place(r, run, BY_CONFIG)].text,
            runs_workload(r, run)->label, runs_scheme(r, run), axes, baseline, runs_group(r, run),
            runs_choice(r, run));
    free(axes);
    return bad ? -1 : 0;
}

static int store_run(struct study_db *d, const struct study_runs *r, size_t run, int64_t config,
                     const struct asked *a) {
    struct store_place p;
    return find_place(d, r->identity[run], a, &p) ||
                   ((!p.id || p.again) && make_wait(d, r, run, config, a, &p)) ||
                   store_point(d, r, run, p.id)
               ? -1
               : 0;
}

/* Machine and configuration of the run stored last. */
struct storing {
    struct run_settings settings;
    const struct study_machine *machine;
    struct values machine_values, values;
    int64_t machine_id, config_id;
};

static int store_known(struct study_db *d, const struct study_runs *r, size_t run,
                       const struct asked *a, struct storing *x) {
    const struct study_machine *m = &r->machine[runs_place(r, run, BY_CONFIG)];
    struct run_settings set;
    struct config cfg;
    runs_settings(r, run, &set);
    if (m != x->machine) {
        take_values(&x->machine_values, &m->cfg);
        if (store_machine(d, m->path, &x->machine_values, &x->machine_id))
            return -1;
        x->machine = m;
    }
    if (!runs_same(&set, &x->settings)) {
        runs_config(r, run, &cfg);
        take_values(&x->values, &cfg);
        if (store_config(d, x->machine_id, &x->machine_values, &x->values, &x->config_id))
            return -1;
        x->settings = set;
    }
    return store_run(d, r, run, x->config_id, a);
}

static int store_runs(struct study_db *d, const struct study_runs *r, const struct asked *a,
                      struct progress *p) {
    struct storing *x = alloc_zeroed(1, sizeof *x);
    int bad = 0;
    for (size_t i = 0; i < r->n && !bad; i++) {
        const size_t run = runs_ordered(r, i);
        if (r->state[run] == RUN_KNOWN && !d->stored[run]) {
            bad = store_known(d, r, run, a, x);
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
                    r->study->name, text[REFERENCE_SEED], text[REFERENCE_FIGURE],
                    text[REFERENCE_QUANTITY], text[REFERENCE_SCHEME], text[REFERENCE_GROUP],
                    r->reference.row[i].value))
            return -1;
    }
    return 0;
}

/* Stores the study without its runs. */
static int store_study(struct study_db *d, const struct study_runs *r) {
    const struct study *s = r->study;
    return SQL_PUT(d,
                   "INSERT INTO study(name, file, version, stored) VALUES(?1, ?2, ?3, ?4)"
                   " ON CONFLICT(name) DO UPDATE SET file = ?2, version = ?3, stored = ?4",
                   "tttd", s->name, s->path, report_version(), sql_now()) ||
           SQL_NUMBER(d, 0, &d->study, "SELECT id FROM study WHERE name = ?1", "t", s->name) ||
           SQL_PUT(d,
                   "INSERT OR IGNORE INTO temp.listed_before"
                   " SELECT config, workload, scheme, axes FROM point WHERE study = ?1",
                   "i", d->study) ||
           SQL_PUT(d, "DELETE FROM point WHERE study = ?1", "i", d->study) || plots_store(d, s) ||
           store_reference(d, r);
}

static struct asked ask_runs(const struct study *s, bool retry) {
    return (struct asked){s->check, s->detail, s->series, study_twins(s), retry};
}

static int store_all(struct study_db *d, const struct study_runs *r, bool retry,
                     struct progress *p) {
    const bool first = !d->stored;
    struct asked a = ask_runs(r->study, retry);
    if (first)
        d->stored = alloc_zeroed(r->n, 1);
    int bad = sql_transaction(d) ||
              (first && (sql_execute(d, "UPDATE run SET state = 'waiting'"
                                        " WHERE state = 'running' OR " RUN_LOST) ||
                         store_study(d, r))) ||
              store_runs(d, r, &a, p) ||
              (first && sql_execute(d, "DELETE FROM run WHERE state = 'waiting'"
                                       " AND id NOT IN (SELECT run FROM point)"));
    free(a.twins);
    return bad ? -1 : 0;
}

int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             struct error *err) {
    if (store_all(d, r, retry, p)) {
        sql_fail(d, err);
        sql_execute(d, "ROLLBACK");
        return -1;
    }
    return db_commit(d, err);
}

/* Removes the study's unknown runs, which are not stored yet, from the runs listed before. */
static int keep_unknown(struct study_db *d, const struct study_runs *r) {
    int bad = 0;
    for (size_t run = 0; run < r->n && !bad; run++) {
        if (r->state[run] != RUN_UNKNOWN)
            continue;
        char *axes = runs_axes_json(r, run);
        bad = SQL_PUT(d,
                      "DELETE FROM temp.listed_before WHERE config = ?1 AND workload = ?2"
                      " AND scheme = ?3 AND axes = ?4",
                      "tttt", r->study->configs.word[runs_place(r, run, BY_CONFIG)].text,
                      runs_workload(r, run)->label, runs_scheme(r, run), axes);
        free(axes);
    }
    return bad;
}

int db_count_unlisted(struct study_db *d, const struct study_runs *r, size_t *n,
                      struct error *err) {
    int64_t rows;
    if (keep_unknown(d, r) ||
        SQL_NUMBER(d, 0, &rows,
                   "SELECT count(*) FROM (SELECT * FROM temp.listed_before EXCEPT"
                   " SELECT config, workload, scheme, axes FROM point WHERE study = ?1)",
                   "i", d->study))
        return sql_fail(d, err);
    *n = (size_t)rows;
    return 0;
}

int db_waiting(struct study_db *d, struct study_waiting **list, size_t *n, struct error *err) {
    size_t room = 0;
    int step;
    *list = NULL;
    *n = 0;
    sqlite3_stmt *s = sql_begin(d,
                                "SELECT min(n), run.id FROM point"
                                " JOIN run ON run.id = point.run"
                                " WHERE study = ?1 AND state = 'waiting' GROUP BY 2 ORDER BY 1",
                                "i", d->study);
    if (!s)
        return sql_fail(d, err);
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        if (*n == room) {
            room = room ? 2 * room : 64;
            *list = alloc_resized(*list, room, sizeof **list);
        }
        (*list)[(*n)++] =
            (struct study_waiting){(size_t)sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1)};
    }
    sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : sql_fail(d, err);
}

int db_state(struct study_db *d, const struct study_runs *r, size_t run, bool retry,
             char state[STUDY_STATE], bool *to_do, struct error *err) {
    struct store_place p;
    struct asked a = ask_runs(r->study, retry);
    const int bad = find_place(d, r->identity[run], &a, &p);
    free(a.twins);
    if (bad)
        return sql_fail(d, err);
    *to_do = p.again || (strcmp(p.state, "done") != 0 && strcmp(p.state, "stopped") != 0 &&
                         strcmp(p.state, "failed") != 0);
    snprintf(state, STUDY_STATE, "%.8s%s", p.state, p.again ? ", again" : "");
    return 0;
}
