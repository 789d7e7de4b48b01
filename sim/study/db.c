// SPDX-License-Identifier: Apache-2.0
#include "study/db.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/interrupt.h"
#include "lib/message.h"
#include "report.h"
#include "stats/stats.h"

#define APPLICATION 0x4d547374 /* "MTst" */
#define SCHEMA 1
/* How often a lock of another program is waited for, 50 ms each: at first, and in a study. */
#define PATIENCE 100
#define PATIENCE_LATER 1200
#define STATEMENTS 48

struct study_db {
    sqlite3 *db;
    char path[PATH_SIZE];
    int lock; /* the file once more: of the process that writes; -1: only reads */
    struct {
        const char *sql; /* text that lives as long as the program */
        sqlite3_stmt *statement;
    } kept[STATEMENTS];
    sqlite3_stmt *total, *detail; /* insert a row of statistics */
    int64_t study;
    int patience;
};

static const char schema[] =
    "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL,"
    "  version TEXT NOT NULL, stored REAL NOT NULL);"
    "CREATE TABLE machine(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL);"
    "CREATE TABLE machine_key(machine INTEGER NOT NULL, key TEXT NOT NULL, value,"
    "  PRIMARY KEY(machine, key)) WITHOUT ROWID;"
    "CREATE TABLE config(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE,"
    "  machine INTEGER NOT NULL REFERENCES machine);"
    "CREATE TABLE config_key(config INTEGER NOT NULL, key TEXT NOT NULL, value,"
    "  PRIMARY KEY(config, key)) WITHOUT ROWID;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE,"
    "  config INTEGER NOT NULL REFERENCES config, workload TEXT NOT NULL, trace_hash TEXT,"
    "  version TEXT NOT NULL,"
    "  state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'done', 'failed')),"
    "  exit_code INTEGER, end TEXT, complete INTEGER, reached TEXT, message TEXT, log TEXT,"
    "  host TEXT, pid INTEGER, started REAL, seconds REAL, cpu_seconds REAL, peak_rss_kib INTEGER,"
    "  checked INTEGER, detailed INTEGER, twin TEXT, compared INTEGER, mismatches INTEGER);"
    "CREATE TABLE point(study INTEGER NOT NULL, n INTEGER NOT NULL, run INTEGER NOT NULL,"
    "  config TEXT NOT NULL, workload TEXT NOT NULL, scheme TEXT NOT NULL, axes TEXT NOT NULL,"
    "  baseline INTEGER, PRIMARY KEY(study, n)) WITHOUT ROWID;"
    "CREATE TABLE statistic(name TEXT PRIMARY KEY, kind TEXT NOT NULL, part TEXT NOT NULL,"
    "  unit TEXT NOT NULL, meaning TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE total(run INTEGER PRIMARY KEY);"
    "CREATE TABLE detail(run INTEGER NOT NULL, scope TEXT NOT NULL, number INTEGER NOT NULL,"
    "  name TEXT NOT NULL, PRIMARY KEY(run, scope, number));"
    "CREATE VIEW axis AS SELECT study, n, j.key AS key, j.value AS value"
    "  FROM point, json_each(axes) j;"
    "CREATE VIEW config_value AS SELECT config.id AS config, k.key,"
    "  CASE WHEN c.key IS NULL THEN k.value ELSE c.value END AS value"
    "  FROM config JOIN machine_key k ON k.machine = config.machine"
    "  LEFT JOIN config_key c ON c.config = config.id AND c.key = k.key;"
    "CREATE VIEW command AS SELECT run.id AS run, 'memtwin run -c ' || machine.name ||"
    "  CASE WHEN trace_hash IS NULL THEN ' -w ' ELSE ' -t ' END || run.workload ||"
    "  coalesce((SELECT group_concat(' -s ' || key || '=' || value, '') FROM config_key"
    "            WHERE config_key.config = run.config), '') ||"
    "  coalesce((SELECT ' --twin ''' || nullif(twin, '') || ''''), '') ||"
    "  CASE WHEN checked THEN ' --check' ELSE '' END AS text"
    "  FROM run JOIN config ON config.id = run.config JOIN machine ON machine.id = config.machine;";

/* ---- Errors, statements ---- */

static int no_memory(char *err, size_t err_size) {
    snprintf(err, err_size, "out of memory");
    return -1;
}

static int fail(const struct study_db *d, char *err, size_t err_size) {
    int code = sqlite3_errcode(d->db);
    const char *why = sqlite3_errmsg(d->db);
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        why = "out of memory"; /* nothing is wrong with the database */
    else if (code == SQLITE_NOTADB)
        why = "no database of memtwin study";
    else if (code == SQLITE_BUSY)
        why = "locked by another program";
    else if (code == SQLITE_CORRUPT)
        why = "damaged: it is not whole";
    message_print(err, err_size, "%s: %s", d->path, why);
    return -1;
}

static sqlite3_stmt *prepare(struct study_db *d, const char *sql) {
    sqlite3_stmt *s = NULL;
    size_t i = 0;
    while (i < STATEMENTS && d->kept[i].sql && d->kept[i].sql != sql)
        i++;
    if (i == STATEMENTS)
        return NULL;
    if (d->kept[i].sql)
        return d->kept[i].statement;
    if (sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK)
        return NULL;
    d->kept[i].sql = sql;
    d->kept[i].statement = s;
    return s;
}

/* types: a letter for each value: i int64_t, d double, t text (NULL: null). */
static void bind(sqlite3_stmt *s, const char *types, va_list values) {
    for (int i = 0; types[i]; i++)
        if (types[i] == 'i')
            sqlite3_bind_int64(s, i + 1, va_arg(values, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(s, i + 1, va_arg(values, double));
        else
            sqlite3_bind_text(s, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
}

/* A statement before its first row. `sql` is a literal. NULL: it failed. */
static sqlite3_stmt *begin(struct study_db *d, const char *sql, const char *types, ...) {
    sqlite3_stmt *s = prepare(d, sql);
    va_list values;
    if (!s)
        return NULL;
    sqlite3_reset(s);
    va_start(values, types);
    bind(s, types, values);
    va_end(values);
    return s;
}

/* Runs a statement that was begun. 0, or -1. */
static int finish(sqlite3_stmt *s) {
    return s && sqlite3_step(s) == SQLITE_DONE && sqlite3_reset(s) == SQLITE_OK ? 0 : -1;
}
#define PUT(d, ...) finish(begin(d, __VA_ARGS__))

/* The number that a query says; `otherwise`: no row. Returns 0, or -1. */
static int number(sqlite3_stmt *s, int64_t otherwise, int64_t *to) {
    int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    *to = step == SQLITE_ROW ? sqlite3_column_int64(s, 0) : otherwise;
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : -1;
}
#define NUMBER_OF(d, otherwise, to, ...) number(begin(d, __VA_ARGS__), otherwise, to)

static int execute(struct study_db *d, const char *sql) {
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

/* ---- Columns: a statistic each ---- */

struct column {
    const struct stat_desc *desc;
    const char *kind, *part, *type;
};

#define TOTAL_BEFORE 1
#define DETAIL_BEFORE 4
#define COLUMNS (STAT_COUNT + DERIVED_COUNT + HIST_COUNT)

static struct column column(int i) {
    if (i < STAT_COUNT)
        return (struct column){&stat_table[i], "counter",
                               stat_part_title[stat_part((enum stat_id)i)], "INTEGER"};
    i -= STAT_COUNT;
    if (i < DERIVED_COUNT)
        return (struct column){&derived_table[i], "derived",
                               stat_part_title[derived_part((enum derived_id)i)], "REAL"};
    i -= DERIVED_COUNT;
    return (struct column){&hist_table[i], "histogram", stat_part_title[hist_part((enum hist_id)i)],
                           "TEXT"};
}

/* Writes SQL of all statistics and runs it (`statement` NULL), or prepares it. */
static int with_columns(struct study_db *d, void (*write)(struct study_db *d, FILE *to),
                        sqlite3_stmt **statement) {
    char *sql = NULL;
    size_t size;
    FILE *f = open_memstream(&sql, &size);
    if (!f)
        return -1;
    write(d, f);
    int bad = fclose(f);
    if (!bad && statement)
        bad = sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    else if (!bad)
        bad = execute(d, sql);
    free(sql);
    return bad ? -1 : 0;
}

/* "INSERT INTO total(run, .., a statistic each) VALUES(?, ..)". `before`: what
 * stands before them, of n columns. */
static void write_insert(const char *table, const char *before, int n, FILE *to) {
    fprintf(to, "INSERT INTO %s(%s", table, before);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(to, ",\"%s\"", column(i).desc->name);
    fputs(") VALUES(?", to);
    for (int i = 1; i < n + COLUMNS; i++)
        fputs(",?", to);
    fputc(')', to);
}

static void write_total(struct study_db *d, FILE *to) {
    (void)d;
    write_insert("total", "run", TOTAL_BEFORE, to);
}

static void write_detail(struct study_db *d, FILE *to) {
    (void)d;
    write_insert("detail", "run,scope,number,name", DETAIL_BEFORE, to);
}

#define ALL_STATISTICS "SELECT name, unit, kind FROM statistic ORDER BY kind, name"

/* A row for each number in a table that has a column for each. */
static void write_tall(struct study_db *d, const char *view, const char *table, const char *scope,
                       FILE *to) {
    sqlite3_stmt *s = begin(d, ALL_STATISTICS, "");
    const char *mark = "AS";
    fprintf(to, "DROP VIEW IF EXISTS %s; CREATE VIEW %s ", view, view);
    while (s && sqlite3_step(s) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(s, 0);
        if (strcmp((const char *)sqlite3_column_text(s, 2), "histogram") == 0)
            continue;
        fprintf(to, "%s SELECT run, %s '%s' AS name, '%s' AS unit, \"%s\" AS value FROM %s", mark,
                scope, name, sqlite3_column_text(s, 1), name, table);
        mark = " UNION ALL";
    }
    fputc(';', to);
}

/* Of all statistics that the database has, of other versions too. */
static void write_views(struct study_db *d, FILE *to) {
    sqlite3_stmt *s = begin(d, ALL_STATISTICS, "");
    fputs("DROP VIEW IF EXISTS result; CREATE VIEW result AS SELECT study.name AS study, p.n,"
          " p.run, p.config, p.workload, p.scheme, p.axes, p.baseline, run.state, run.end,"
          " run.complete, run.seconds",
          to);
    while (s && sqlite3_step(s) == SQLITE_ROW)
        fprintf(to, ", t.\"%s\"", sqlite3_column_text(s, 0));
    fputs(" FROM point p JOIN study ON study.id = p.study JOIN run ON run.id = p.run"
          " LEFT JOIN total t ON t.run = p.run;",
          to);
    write_tall(d, "value", "total", "", to);
    write_tall(d, "detail_value", "detail", "scope, number,", to);
    if (s)
        sqlite3_reset(s);
}

static void write_column(const struct column *c, const char *table, FILE *to) {
    fprintf(to, "ALTER TABLE %s ADD COLUMN \"%s\" %s;", table, c->desc->name, c->type);
}

static bool has_statistic(struct study_db *d, const char *name) {
    int64_t there;
    return NUMBER_OF(d, 0, &there, "SELECT 1 FROM statistic WHERE name = ?1", "t", name) == 0 &&
           there;
}

static void write_new_columns(struct study_db *d, FILE *to) {
    for (int i = 0; i < COLUMNS; i++) {
        struct column c = column(i);
        if (has_statistic(d, c.desc->name))
            continue;
        write_column(&c, "total", to);
        write_column(&c, "detail", to);
    }
}

/* What this version has and the database has not yet. 1: nothing. */
static int add_statistics(struct study_db *d) {
    int added = 0;
    if (with_columns(d, write_new_columns, NULL))
        return -1;
    for (int i = 0; i < COLUMNS; i++) {
        struct column c = column(i);
        if (has_statistic(d, c.desc->name))
            continue;
        added = 1;
        if (PUT(d, "INSERT INTO statistic VALUES(?1, ?2, ?3, ?4, ?5)", "ttttt", c.desc->name,
                c.kind, c.part, c.desc->unit, c.desc->doc))
            return -1;
    }
    return added ? with_columns(d, write_views, NULL) : 0;
}

/* ---- Open, close ---- */

static int open_file(struct study_db *d, bool write, char *err, size_t err_size) {
    struct stat st;
    if (!write) {
        if (stat(d->path, &st) == 0)
            return 0;
        message_print(err, err_size, "%s: %s", d->path, strerror(errno));
        return -1;
    }
    d->lock = open(d->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (d->lock < 0 || flock(d->lock, LOCK_EX | LOCK_NB)) {
        message_print(err, err_size, "%s: %s", d->path,
                      errno == EWOULDBLOCK ? "another memtwin study runs in it" : strerror(errno));
        return -1;
    }
    return 0;
}

static int make_schema(struct study_db *d) {
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION,
             SCHEMA);
    return execute(d, schema) || execute(d, sql) ? -1 : 0;
}

/* Whose database it is. An empty one becomes ours. */
static int check_schema(struct study_db *d, bool write, char *err, size_t err_size) {
    int64_t application, version, tables;
    if (NUMBER_OF(d, 0, &application, "PRAGMA application_id", "") ||
        NUMBER_OF(d, 0, &version, "PRAGMA user_version", "") ||
        NUMBER_OF(d, 0, &tables, "SELECT count(*) FROM sqlite_schema", ""))
        return fail(d, err, err_size);
    if (application == APPLICATION && version == SCHEMA)
        return 0;
    if (application == APPLICATION)
        message_print(err, err_size,
                      "%s: made by another version of memtwin study: its schema is %lld, this "
                      "program's %d",
                      d->path, (long long)version, SCHEMA);
    else if (application || version || tables || !write)
        message_print(err, err_size, "%s: no database of memtwin study", d->path);
    else
        return make_schema(d) ? fail(d, err, err_size) : 0;
    return -1;
}

static int on_busy(void *ctx, int waits) {
    const struct study_db *d = ctx;
    if (waits >= d->patience || stop_asked())
        return 0;
    usleep(50000);
    return 1;
}

static int open_sqlite(struct study_db *d, bool write, char *err, size_t err_size) {
    int64_t ignored;
    if (sqlite3_open_v2(d->path, &d->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return d->db ? fail(d, err, err_size) : no_memory(err, err_size);
    sqlite3_busy_handler(d->db, on_busy, d);
    if (!write)
        return check_schema(d, false, err, err_size);
    /* Whose it is comes before the first byte is written. */
    if (NUMBER_OF(d, 0, &ignored, "PRAGMA user_version", "") || execute(d, "BEGIN IMMEDIATE"))
        return fail(d, err, err_size);
    if (check_schema(d, true, err, err_size))
        return -1;
    if (add_statistics(d) || execute(d, "COMMIT; PRAGMA journal_mode = WAL") ||
        with_columns(d, write_total, &d->total) || with_columns(d, write_detail, &d->detail))
        return fail(d, err, err_size);
    return 0;
}

struct study_db *db_open(const char *path, bool write, char *err, size_t err_size) {
    struct study_db *d = calloc(1, sizeof *d);
    if (!d) {
        no_memory(err, err_size);
        return NULL;
    }
    d->lock = -1;
    d->patience = PATIENCE;
    if (path_print(d->path, err, err_size, "%s", path) || open_file(d, write, err, err_size) ||
        open_sqlite(d, write, err, err_size)) {
        db_close(d);
        return NULL;
    }
    d->patience = PATIENCE_LATER;
    return d;
}

void db_close(struct study_db *d) {
    if (!d)
        return;
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(d->kept[i].statement);
    sqlite3_finalize(d->total);
    sqlite3_finalize(d->detail);
    sqlite3_close(d->db); /* what is not committed is gone */
    if (d->lock >= 0)     /* after it: SQLite's own locks go when the process closes the file */
        close(d->lock);
    free(d);
}

/* What follows is written at the next commit. */
static int need_transaction(struct study_db *d) {
    return sqlite3_get_autocommit(d->db) ? execute(d, "BEGIN IMMEDIATE") : 0;
}

int db_commit(struct study_db *d, char *err, size_t err_size) {
    if (sqlite3_get_autocommit(d->db) || execute(d, "COMMIT") == 0)
        return 0;
    fail(d, err, err_size);
    execute(d, "ROLLBACK");
    return -1;
}

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
        return PUT(d, sql, "iti", id, name, (int64_t)strtoll(value, NULL, 10));
    return PUT(d, sql, "itt", id, name, value);
}

static int store_machine(struct study_db *d, const char *name, const struct values *v,
                         int64_t *id) {
    if (NUMBER_OF(d, 0, id, "SELECT id FROM machine WHERE hash = ?1", "t", v->hash))
        return -1;
    if (*id)
        return 0;
    if (PUT(d, "INSERT INTO machine(hash, name) VALUES(?1, ?2)", "tt", v->hash, name))
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
    if (NUMBER_OF(d, 0, id, "SELECT id FROM config WHERE hash = ?1", "t", v->hash))
        return -1;
    if (*id)
        return 0;
    if (PUT(d, "INSERT INTO config(hash, machine) VALUES(?1, ?2)", "ti", v->hash, machine))
        return -1;
    *id = sqlite3_last_insert_rowid(d->db);
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(v->value[i], of_machine->value[i]) != 0 &&
            put_value(d, "INSERT INTO config_key VALUES(?1, ?2, ?3)", *id, v, i))
            return -1;
    return 0;
}

/* ---- A study ---- */

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
        PUT(d,
            "INSERT INTO run(identity, config, workload, trace_hash, version, state)"
            " VALUES(?1, ?2, ?3, ?4, ?5, 'waiting') ON CONFLICT DO NOTHING",
            "titttt", r->identity[run], config, w->name, trace, report_version()) ||
        NUMBER_OF(d, 0, &id, "SELECT id FROM run WHERE identity = ?1", "t", r->identity[run]) ||
        PUT(d,
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

/* All twins that a study attaches, in one text; the caller's. NULL: out of memory. */
static char *twins_of(const struct study *s) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (size_t i = 0; f && i < s->twins.n; i++)
        fprintf(f, "%s%s", i ? "," : "", s->twins.word[i].text);
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

#define OF_STUDY " AND id IN (SELECT run FROM point WHERE study = ?1)"

/* Which runs wait: those that ran, those that were run with less than is asked for now, and those
 * that are to be tried again. */
static int make_wait(struct study_db *d, const struct study *s, bool retry) {
    char *twins = twins_of(s);
    int bad = !twins || PUT(d, "UPDATE run SET state = 'waiting' WHERE state = 'running'", "") ||
              PUT(d,
                  "UPDATE run SET state = 'waiting' WHERE state = 'done'"
                  " AND (checked < ?2 OR detailed < ?3 OR (?4 <> '' AND twin <> ?4))" OF_STUDY,
                  "iiit", d->study, (int64_t)s->check, (int64_t)s->detail, twins) ||
              (retry && PUT(d,
                            "UPDATE run SET state = 'waiting'"
                            " WHERE (state = 'failed' OR end = 'time_limit')" OF_STUDY,
                            "i", d->study));
    free(twins);
    return bad ? -1 : 0;
}

static int store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p) {
    const struct study *s = r->study;
    return need_transaction(d) ||
           PUT(d,
               "INSERT INTO study(name, file, version, stored) VALUES(?1, ?2, ?3, ?4)"
               " ON CONFLICT(name) DO UPDATE SET file = ?2, version = ?3, stored = ?4",
               "tttd", s->name, s->path, report_version(), seconds_now()) ||
           NUMBER_OF(d, 0, &d->study, "SELECT id FROM study WHERE name = ?1", "t", s->name) ||
           PUT(d, "DELETE FROM point WHERE study = ?1", "i", d->study) || store_runs(d, r, p) ||
           make_wait(d, s, retry);
}

int db_store(struct study_db *d, const struct study_runs *r, bool retry, struct progress *p,
             char *err, size_t err_size) {
    if (store(d, r, retry, p)) {
        fail(d, err, err_size);
        execute(d, "ROLLBACK");
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
    sqlite3_stmt *s = begin(d,
                            "SELECT min(n), run FROM point JOIN run ON run.id = point.run"
                            " WHERE study = ?1 AND state = 'waiting' GROUP BY run ORDER BY 1",
                            "i", d->study);
    if (!s)
        return fail(d, err, err_size);
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        if (*n == room) {
            room = room ? 2 * room : 64;
            struct study_waiting *more = realloc(*list, room * sizeof *more);
            if (!more) {
                sqlite3_reset(s);
                return no_memory(err, err_size);
            }
            *list = more;
        }
        (*list)[(*n)++] =
            (struct study_waiting){(size_t)sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1)};
    }
    sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : fail(d, err, err_size);
}

/* ---- Runs ---- */

int db_started(struct study_db *d, int64_t id, long pid, char *err, size_t err_size) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return need_transaction(d) ||
                   PUT(d,
                       "UPDATE run SET state = 'running', host = ?2, pid = ?3, started = ?4"
                       " WHERE id = ?1",
                       "itid", id, host, (int64_t)pid, seconds_now())
               ? fail(d, err, err_size)
               : 0;
}

int db_stopped(struct study_db *d, int64_t id, char *err, size_t err_size) {
    return need_transaction(d) || PUT(d, "UPDATE run SET state = 'waiting' WHERE id = ?1", "i", id)
               ? fail(d, err, err_size)
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
            begin(d, "SELECT key, value FROM json_each(?1, ?2)", "tt", json, parts[p].path);
        for (; s && (step = sqlite3_step(s)) == SQLITE_ROW; i++) {
            const char *name = (const char *)sqlite3_column_text(s, 0);
            if (i >= parts[p].n || strcmp(name, column(parts[p].from + i).desc->name) != 0)
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
    return bind_statistics(d, d->total, TOTAL_BEFORE, json) || finish(d->total) ? -1 : 0;
}

/* A row for each part of the machine and each kernel, if the run has them. */
static int put_details(struct study_db *d, int64_t id, const char *json) {
    int step = SQLITE_ERROR;
    sqlite3_stmt *s = begin(d,
                            "SELECT value->>'$.scope', value->>'$.index', value->>'$.name', value"
                            " FROM json_each(?1, '$.detail')",
                            "t", json);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        sqlite3_reset(d->detail);
        sqlite3_bind_int64(d->detail, 1, id);
        for (int i = 0; i < 3; i++)
            sqlite3_bind_value(d->detail, 2 + i, sqlite3_column_value(s, i));
        const char *row = (const char *)sqlite3_column_text(s, 3);
        if (bind_statistics(d, d->detail, DETAIL_BEFORE, row) || finish(d->detail))
            break;
    }
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : -1;
}

/* The statistics, for those of an earlier run. */
static int put_statistics(struct study_db *d, int64_t id, const char *json) {
    if (PUT(d, "DELETE FROM total WHERE run = ?1", "i", id) ||
        PUT(d, "DELETE FROM detail WHERE run = ?1", "i", id))
        return -1;
    return json && (put_total(d, id, json) || put_details(d, id, json)) ? -1 : 0;
}

static int put_result(struct study_db *d, int64_t id, const struct study *s,
                      const struct study_result *x) {
    char *twins = twins_of(s);
    int bad = !twins ||
              PUT(d,
                  "UPDATE run SET state = ?2, exit_code = ?3, message = ?4, log = ?5, seconds = ?6,"
                  " cpu_seconds = ?7, peak_rss_kib = coalesce(?12->>'$.host.peak_rss_kib', ?8), "
                  "checked = ?9, detailed = ?10, twin = ?11,"
                  " end = ?12->>'$.end', complete = ?12->>'$.complete',"
                  " reached = ?12->'$.reached', compared = ?12->>'$.lockstep.cycles',"
                  " mismatches = ?12->>'$.lockstep.mismatches' WHERE id = ?1",
                  "itittddiiitt", id, x->good ? "done" : "failed", (int64_t)x->exit_code,
                  x->message, x->log, x->seconds, x->cpu_seconds, (int64_t)x->peak_rss_kib,
                  (int64_t)s->check, (int64_t)s->detail, twins, x->json);
    free(twins);
    return bad ? -1 : 0;
}

int db_finished(struct study_db *d, int64_t id, const struct study_runs *r,
                const struct study_result *result, char *err, size_t err_size) {
    return need_transaction(d) || put_result(d, id, r->study, result) ||
                   put_statistics(d, id, result->json)
               ? fail(d, err, err_size)
               : 0;
}

bool db_is_of(struct study_db *d, const char *json, const char *identity) {
    int64_t same;
    return NUMBER_OF(d, 0, &same, "SELECT CASE WHEN json_valid(?1) THEN ?1->>'$.identity' = ?2 END",
                     "tt", json, identity) == 0 &&
           same;
}

/* ---- Questions ---- */

int db_count(struct study_db *d, struct study_count *count, char *err, size_t err_size) {
    int64_t code;
    sqlite3_stmt *s =
        begin(d,
              "SELECT count(DISTINCT CASE state WHEN 'done' THEN run END),"
              " count(DISTINCT CASE state WHEN 'failed' THEN run END),"
              " count(DISTINCT CASE WHEN state IN ('waiting', 'running') THEN run END)"
              " FROM point JOIN run ON run.id = point.run WHERE study = ?1",
              "i", d->study);
    if (!s || sqlite3_step(s) != SQLITE_ROW ||
        NUMBER_OF(d, 0, &code,
                  "SELECT exit_code FROM point JOIN run ON run.id = point.run"
                  " WHERE study = ?1 AND state = 'failed' ORDER BY n LIMIT 1",
                  "i", d->study))
        return fail(d, err, err_size);
    *count = (struct study_count){.done = (size_t)sqlite3_column_int64(s, 0),
                                  .failed = (size_t)sqlite3_column_int64(s, 1),
                                  .waiting = (size_t)sqlite3_column_int64(s, 2),
                                  .first_failure = (int)code};
    sqlite3_reset(s);
    return 0;
}

int db_state(struct study_db *d, const char *identity, char state[STUDY_STATE], char *err,
             size_t err_size) {
    sqlite3_stmt *s = begin(d, "SELECT state FROM run WHERE identity = ?1", "t", identity);
    int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    snprintf(state, STUDY_STATE, "%s",
             step == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : "");
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : fail(d, err, err_size);
}

int db_seconds(struct study_db *d, const char *machine, const char *workload, double *seconds,
               char *err, size_t err_size) {
    sqlite3_stmt *s = begin(d,
                            "SELECT avg(seconds) FROM run JOIN config ON config.id = run.config"
                            " JOIN machine ON machine.id = config.machine"
                            " WHERE state = 'done' AND workload = ?2 AND machine.name = ?1",
                            "tt", machine, workload);
    if (!s || sqlite3_step(s) != SQLITE_ROW)
        return fail(d, err, err_size);
    *seconds = sqlite3_column_type(s, 0) == SQLITE_NULL ? -1 : sqlite3_column_double(s, 0);
    sqlite3_reset(s);
    return 0;
}

/* ---- The list ---- */

/* Columns of a table; text is to the left. */
static const struct {
    const char *title;
    bool text;
} list_columns[] = {{"run", false},    {"config", true}, {"workload", true},
                    {"scheme", true},  {"axes", true},   {"state", true},
                    {"cycles", false}, {"IPC", false},   {"over baseline", false},
                    {"message", true}};
#define LIST_COLUMNS ((int)(sizeof list_columns / sizeof *list_columns))

static sqlite3_stmt *begin_list(struct study_db *d, int64_t study) {
    return begin(d,
                 "SELECT p.n, p.config, p.workload, p.scheme,"
                 " trim(replace(replace(replace(p.axes, '\"', ''), ':', '='), ',', ' '), '{}'),"
                 " r.state, t.cycles,"
                 " CASE WHEN t.ipc IS NOT NULL THEN printf('%.4f', t.ipc) END,"
                 " CASE WHEN b.ipc > 0 AND t.ipc > 0 THEN printf('%.3f', t.ipc / b.ipc) END,"
                 " CASE WHEN r.state = 'failed' THEN r.message END"
                 " FROM point p JOIN run r ON r.id = p.run"
                 " LEFT JOIN total t ON t.run = p.run AND r.state = 'done'"
                 " LEFT JOIN point q ON q.study = p.study AND q.n = p.baseline"
                 " LEFT JOIN total b ON b.run = q.run WHERE p.study = ?1 ORDER BY p.n",
                 "i", study);
}

static const char *field(sqlite3_stmt *s, int i) {
    const char *text = (const char *)sqlite3_column_text(s, i);
    return text ? text : "";
}

/* A column that is empty in all rows has width 0, and is left out. */
static int measure_list(struct study_db *d, int64_t study, int width[LIST_COLUMNS]) {
    sqlite3_stmt *s = begin_list(d, study);
    int step = SQLITE_ERROR;
    memset(width, 0, LIST_COLUMNS * sizeof *width);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        for (int i = 0; i < LIST_COLUMNS; i++) {
            int n = (int)strlen(field(s, i)), title = (int)strlen(list_columns[i].title);
            if (n > 0)
                width[i] = n > width[i] ? (n > title ? n : title) : width[i];
        }
    return step == SQLITE_DONE ? 0 : -1;
}

/* `s` NULL: the titles. */
static void print_row(sqlite3_stmt *s, const int width[LIST_COLUMNS], FILE *to) {
    const char *gap = "";
    int last = LIST_COLUMNS - 1, pending = 0;
    while (!width[last])
        last--;
    for (int i = 0; i <= last; i++) {
        if (!width[i])
            continue;
        const char *text = s ? field(s, i) : list_columns[i].title;
        int w = list_columns[i].text ? -width[i] : width[i];
        if (!*text) { /* no blanks at the end of a line */
            pending += width[i] + (int)strlen(gap);
        } else {
            fprintf(to, "%*s%s%*s", pending, "", gap, i == last && w < 0 ? 0 : w, text);
            pending = 0;
        }
        gap = "  ";
    }
    fputc('\n', to);
}

static int list_study(struct study_db *d, int64_t study, const char *name, FILE *to) {
    int width[LIST_COLUMNS], step = SQLITE_ERROR;
    if (measure_list(d, study, width))
        return -1;
    fprintf(to, "%s\n", name);
    if (width[0])
        print_row(NULL, width, to);
    sqlite3_stmt *s = begin_list(d, study);
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        print_row(s, width, to);
    return step == SQLITE_DONE ? 0 : -1;
}

int db_list(struct study_db *d, FILE *to, char *err, size_t err_size) {
    sqlite3_stmt *s = begin(d, "SELECT id, name FROM study ORDER BY name", "");
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        if (list_study(d, sqlite3_column_int64(s, 0), field(s, 1), to))
            return fail(d, err, err_size);
    return step == SQLITE_DONE ? 0 : fail(d, err, err_size);
}
