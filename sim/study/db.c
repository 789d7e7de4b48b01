// SPDX-License-Identifier: Apache-2.0
#include "study/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embed.h"
#include "lib/alloc.h"
#include "os/interrupt.h"
#include "study/sql.h"

#define APPLICATION 0x4d547374 /* "MTst" */
#define SCHEMA 2
/* Maximum numbers of 50 ms waits for another program's lock, while opening the database and during
 * a study. */
#define PATIENCE 100
#define PATIENCE_LATER 1200
#define WAIT_US 50000
/* Byte that the writing process locks. It lies after the bytes that SQLite locks, because locks on
 * the same bytes would conflict on NFS. */
#define LOCK_BYTE 0x40000200

/* Maximum size in bytes of a value that is read: a database of another program may have larger
 * ones, with which the program would be slow. */
#define VALUE_MAX (16 << 20)

EMBED(schema_sql, EMBED_ROOT "sim/study/schema.sql");

/* ---- Columns, one for each statistic ---- */

struct column {
    const struct stat_desc *desc;
    const char *kind, *part, *type;
};

static struct column column_of(int i) {
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

const char *column_name(int i) {
    return column_of(i).desc->name;
}

/* Writes SQL for all statistics and prepares it, or executes it if `statement` is NULL. */
static int with_columns(struct study_db *d, void (*write)(struct study_db *d, FILE *to),
                        sqlite3_stmt **statement) {
    char *sql = NULL;
    size_t size;
    FILE *f = alloc_stream(&sql, &size);
    int bad;
    write(d, f);
    alloc_stream_close(f);
    if (statement)
        bad = sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    else
        bad = sql_execute(d, sql);
    free(sql);
    return bad ? -1 : 0;
}

/* Writes "INSERT INTO total(run, .., STATISTIC, ..) VALUES(?, ..)". `before` names the n columns
 * that precede the statistics. */
static void write_insert(const char *table, const char *before, int n, FILE *to) {
    fprintf(to, "INSERT INTO %s(%s", table, before);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(to, ",\"%s\"", column_name(i));
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

/* Writes a view that turns the columns of a table into rows. */
static void write_tall(struct study_db *d, const char *view, const char *table, const char *scope,
                       FILE *to) {
    sqlite3_stmt *s = sql_begin(d, ALL_STATISTICS, "");
    const char *mark = "AS";
    fprintf(to, "DROP VIEW IF EXISTS %s; CREATE VIEW %s ", view, view);
    while (s && sqlite3_step(s) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(s, 0);
        if (strcmp((const char *)sqlite3_column_text(s, 2), "histogram") == 0)
            continue;
        fprintf(to,
                "%s SELECT t.run, %s '%s' AS name, '%s' AS unit, t.\"%s\" AS value FROM %s t"
                " JOIN run ON run.id = t.run AND " WHOLE_RUN,
                mark, scope, name, sqlite3_column_text(s, 1), name, table);
        mark = " UNION ALL";
    }
    fputc(';', to);
}

/* Writes the views of all statistics in the database, including those of other versions. */
static void write_views(struct study_db *d, FILE *to) {
    sqlite3_stmt *s = sql_begin(d, ALL_STATISTICS, "");
    fputs("DROP VIEW IF EXISTS result; CREATE VIEW result AS SELECT study.name AS study, p.n,"
          " p.run, p.config, p.workload, p.group_name, p.scheme, p.choice, p.axes, p.baseline,"
          " run.state, run.end, run.complete, run.seconds",
          to);
    while (s && sqlite3_step(s) == SQLITE_ROW)
        fprintf(to, ", t.\"%s\"", sqlite3_column_text(s, 0));
    fputs(" FROM point p JOIN study ON study.id = p.study JOIN run ON run.id = p.run"
          " LEFT JOIN total t ON t.run = p.run AND " WHOLE_RUN ";",
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
    return SQL_NUMBER(d, 0, &there, "SELECT 1 FROM statistic WHERE name = ?1", "t", name) == 0 &&
           there;
}

static void write_new_columns(struct study_db *d, FILE *to) {
    for (int i = 0; i < COLUMNS; i++) {
        struct column c = column_of(i);
        if (has_statistic(d, c.desc->name))
            continue;
        write_column(&c, "total", to);
        write_column(&c, "detail", to);
    }
}

int db_make_views(struct study_db *d) {
    return with_columns(d, write_views, NULL);
}

/* Adds columns for statistics that are not yet in the database. Returns 0, or -1. */
static int add_statistics(struct study_db *d) {
    int added = 0;
    if (with_columns(d, write_new_columns, NULL))
        return -1;
    for (int i = 0; i < COLUMNS; i++) {
        struct column c = column_of(i);
        if (has_statistic(d, c.desc->name))
            continue;
        added = 1;
        if (SQL_PUT(d, "INSERT INTO statistic VALUES(?1, ?2, ?3, ?4, ?5)", "ttttt", c.desc->name,
                    c.kind, c.part, c.desc->unit, c.desc->doc))
            return -1;
    }
    return added ? db_make_views(d) : 0;
}

/* ---- Open, close ---- */

/* Kind of access to a database. */
enum use {
    READ,
    WRITE, /* allows readers on this machine */
    TASK   /* exclusive, on a file system shared by several machines */
};

/* Locks the file. Returns 0, or -1 with errno, which is EAGAIN if another process still holds the
 * lock after `waits` waits. */
static int lock_file(struct study_db *d, unsigned waits) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = 1};
    while (fcntl(d->lock, F_OFD_SETLK, &lock)) {
        if (errno == EACCES)
            errno = EAGAIN;
        if (errno != EAGAIN || waits-- == 0 || stop_asked())
            return -1;
        usleep(WAIT_US);
    }
    return 0;
}

/* Checks whether another process is writing. Closes the file before SQLite opens it, because
 * closing it later would release SQLite's locks. */
static int ask_lock(struct study_db *d, struct error *err) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = 1};
    const int fd = open(d->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(err, "%s: %s", d->path, strerror(errno));
    d->at_work = fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
    close(fd);
    return 0;
}

static int open_file(struct study_db *d, enum use use, unsigned waits, struct error *err) {
    if (use == READ)
        return ask_lock(d, err);
    const bool missing = access(d->path, F_OK) != 0;
    d->lock = open(d->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (d->lock < 0 || lock_file(d, waits)) {
        const int why = errno;
        error_set(err, "%s%s: %s", d->lock < 0 ? "cannot write " : "", d->path,
                  why == EAGAIN ? "another memtwin study is using it" : strerror(why));
        errno = why;
        return -1;
    }
    d->made = missing; /* not before: a file that another process has locked is not ours */
    return 0;
}

static int make_schema(struct study_db *d) {
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION,
             SCHEMA);
    return sql_execute(d, schema_sql) || sql_execute(d, sql) ? -1 : 0;
}

/* Checks that what should be tables are tables: a view of another program may never end. */
static int check_tables(struct study_db *d, struct error *err) {
    sqlite3_stmt *s =
        sql_begin(d,
                  "SELECT name, type FROM main.sqlite_schema WHERE type <> 'table' AND name IN"
                  " ('study', 'machine', 'machine_key', 'config', 'config_key', 'run', 'point',"
                  " 'plot', 'reference', 'statistic', 'total', 'detail', 'series') LIMIT 1",
                  "");
    const int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (step == SQLITE_ROW)
        error_set(err, "%s: not a database of memtwin study: %s is a %s, expected a table", d->path,
                  (const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1));
    else if (step != SQLITE_DONE)
        sql_fail(d, err);
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_DONE ? 0 : -1;
}

/* Creates the views of the schema again. For a reader, temporary views hide those of the file.
 * Returns 0, or -1. */
static int replace_views(struct study_db *d, enum use use) {
    static const char begin[] = "\nCREATE VIEW ";
    const char *view = schema_sql, *end;
    int bad = 0;
    while (!bad && (view = strstr(view, begin)) && (end = strstr(view, ";\n"))) {
        view += sizeof begin - 1;
        char *sql = NULL;
        size_t size;
        FILE *f = alloc_stream(&sql, &size);
        const int name = (int)strcspn(view, " ");
        if (use != READ)
            fprintf(f, "DROP VIEW IF EXISTS %.*s;", name, view);
        fprintf(f, "CREATE %s VIEW %.*s", use == READ ? "TEMP" : "", (int)(end - view), view);
        alloc_stream_close(f);
        bad = sql_execute(d, sql);
        free(sql);
    }
    return bad ? -1 : 0;
}

/* Adds run.call to a database of an earlier version. For a reader, a temporary view does. */
static int add_call(struct study_db *d, enum use use) {
    int64_t there;
    if (SQL_NUMBER(d, 0, &there, "SELECT 1 FROM pragma_table_info('run') WHERE name = 'call'", ""))
        return -1;
    if (there)
        return 0;
    if (use == READ)
        return sql_execute(d, "CREATE TEMP VIEW run AS SELECT *, NULL AS call FROM main.run");
    return sql_execute(d, "ALTER TABLE run ADD COLUMN call TEXT") || replace_views(d, use) ? -1 : 0;
}

/* Checks that the file is a database of memtwin study. Initializes an empty database. */
static int check_schema(struct study_db *d, bool write, struct error *err) {
    int64_t application, version, tables;
    if (SQL_NUMBER(d, 0, &application, "PRAGMA application_id", "") ||
        SQL_NUMBER(d, 0, &version, "PRAGMA user_version", "") ||
        SQL_NUMBER(d, 0, &tables, "SELECT count(*) FROM sqlite_schema", ""))
        return sql_fail(d, err);
    if (application == APPLICATION && version == SCHEMA)
        return check_tables(d, err);
    if (application == APPLICATION)
        error_set(err,
                  "%s: made by another version of memtwin study: its schema is %lld, but "
                  "this program uses %d",
                  d->path, (long long)version, SCHEMA);
    else if (!application && !version && !tables && !write)
        error_set(err, "%s: empty; expected a database that memtwin study has written", d->path);
    else if (application || version || tables)
        error_set(err, "%s: not a database of memtwin study", d->path);
    else
        return make_schema(d) ? sql_fail(d, err) : 0;
    return -1;
}

static int on_busy(void *ctx, int waits) {
    const struct study_db *d = ctx;
    if (waits >= d->patience || stop_asked())
        return 0;
    usleep(WAIT_US);
    return 1;
}

#define LOG "-wal"    /* name of the write-ahead log behind that of its database */
#define SHARED "-shm" /* .. and of the index that its users share */
#define SHARED_LEAST 32768

/* Returns the size of a file beside the database, or -1 if there is none. */
static int64_t size_beside(const struct study_db *d, const char *end) {
    char path[PATH_SIZE + 8];
    struct stat st;
    snprintf(path, sizeof path, "%s%s", d->path, end);
    return stat(path, &st) ? -1 : st.st_size;
}

/* Returns true if this process may not write to the database or its folder, and no process writes
 * to the database. Reading a database in WAL mode creates files next to it, unless a writer has
 * already created them. */
static bool is_still(const struct study_db *d) {
    char dir[PATH_SIZE];
    const char *slash = strrchr(d->path, '/');
    snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - d->path) + 1 : 1,
             slash ? d->path : ".");
    return (access(d->path, W_OK) || access(dir, W_OK)) && size_beside(d, LOG) <= 0;
}

/* Opens the database as an immutable file. */
static int open_still(struct study_db *d) {
    char uri[3 * PATH_SIZE + 32], *to = stpcpy(uri, d->path[0] == '/' ? "file://" : "file:./");
    for (const char *c = d->path; *c; c++)
        if (strchr("%?#", *c))
            to += sprintf(to, "%%%02x", (unsigned char)*c);
        else
            *to++ = *c;
    strcpy(to, "?immutable=1");
    return sqlite3_open_v2(uri, &d->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) != SQLITE_OK;
}

static int open_path(struct study_db *d) {
    char file[SQL_FILE_SIZE];
    sql_file(d->path, file);
    return sqlite3_open_v2(file, &d->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK;
}

/* Returns true if no other process uses the database. An index in use has SHARED_LEAST bytes or
 * more; a full disk leaves a shorter one. */
static bool is_alone(const struct study_db *d) {
    return !d->at_work && size_beside(d, LOG) <= 0 && size_beside(d, SHARED) < SHARED_LEAST;
}

static void remove_beside(const struct study_db *d, const char *end) {
    char path[PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s%s", d->path, end);
    unlink(path);
}

/* Opens the database for reading. On a full disk, where SQLite cannot create its files next to it,
 * opens a database that no other process uses as an immutable file. */
static int open_reader(struct study_db *d) {
    if (is_still(d))
        return open_still(d);
    if (open_path(d))
        return -1;
    if (!is_alone(d) ||
        sqlite3_exec(d->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK ||
        sqlite3_system_errno(d->db) != ENOSPC || !is_alone(d))
        return 0; /* the caller meets the other errors again */
    sqlite3_close(d->db);
    d->db = NULL;
    remove_beside(d, LOG);
    remove_beside(d, SHARED);
    return open_still(d);
}

static int open_sqlite(struct study_db *d, enum use use, struct error *err) {
    int64_t ignored;
    if (use == READ ? open_reader(d) : open_path(d))
        return sql_fail(d, err);
    sqlite3_busy_handler(d->db, on_busy, d);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (use == READ)
        sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
    if (sql_execute(d, "CREATE TEMP TABLE begun(identity TEXT PRIMARY KEY);"
                       "CREATE TEMP TABLE fresh(run INTEGER PRIMARY KEY);"
                       "CREATE TEMP TABLE listed_before(config, workload, scheme, axes,"
                       "  PRIMARY KEY(config, workload, scheme, axes)) WITHOUT ROWID;"
                       "CREATE TEMP TABLE writer(at_work)"))
        return sql_fail(d, err);
    if (use == READ)
        return SQL_PUT(d, "INSERT INTO temp.writer VALUES(?1)", "i", (int64_t)d->at_work)
                   ? sql_fail(d, err)
               : check_schema(d, false, err)               ? -1
               : add_call(d, use) || replace_views(d, use) ? sql_fail(d, err)
                                                           : 0;
    /* Check that the file is a study database before writing the first byte. */
    if (SQL_NUMBER(d, 0, &ignored, "PRAGMA user_version", "") || sql_execute(d, "BEGIN IMMEDIATE"))
        return sql_fail(d, err);
    if (check_schema(d, true, err))
        return -1;
    if (add_call(d, use) || add_statistics(d) ||
        sql_execute(d, use == TASK ? "COMMIT" : "COMMIT; PRAGMA journal_mode = WAL") ||
        with_columns(d, write_total, &d->total) || with_columns(d, write_detail, &d->detail))
        return sql_fail(d, err);
    return 0;
}

int db_check_path(const char *path, struct error *err) {
    struct stat st;
    if (is_stdout(path) || is_stderr(path))
        return error_set(err, "%s: a database cannot be a stream; expected the path of a file",
                         path);
    if (stat(path, &st) || S_ISREG(st.st_mode))
        return 0;
    if (S_ISDIR(st.st_mode))
        return error_set(err, "%s: %s; expected a database, such as %s%sNAME.db", path,
                         strerror(EISDIR), path, path[strlen(path) - 1] == '/' ? "" : "/");
    return error_set(err, "%s: a %s; expected a database, which is a regular file", path,
                     S_ISFIFO(st.st_mode) ? "pipe" : "device");
}

/* Removes a file that this process has created and could not fill. */
static void remove_empty(const struct study_db *d) {
    struct stat st;
    if (d->made && stat(d->path, &st) == 0 && st.st_size == 0)
        unlink(d->path);
}

static struct study_db *open_for(const char *path, enum use use, unsigned waits,
                                 struct error *err) {
    struct study_db *d = alloc_zeroed(1, sizeof *d);
    int why = 0;
    d->lock = -1;
    d->patience = PATIENCE;
    if (path_print(d->path, err, "%s", path) || db_check_path(path, err) ||
        (open_file(d, use, waits, err) && (why = errno)) || open_sqlite(d, use, err)) {
        remove_empty(d);
        db_close(d);
        errno = why;
        return NULL;
    }
    d->patience = PATIENCE_LATER;
    return d;
}

struct study_db *db_open(const char *path, bool write, struct error *err) {
    return open_for(path, write ? WRITE : READ, 0, err);
}

struct study_db *db_open_task(const char *path, unsigned seconds, bool *busy, struct error *err) {
    struct study_db *d = open_for(path, TASK, (unsigned)(seconds * (1e6 / WAIT_US)), err);
    *busy = !d && errno == EAGAIN;
    return d;
}

void db_close(struct study_db *d) {
    if (!d)
        return;
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(d->kept[i].statement);
    sqlite3_finalize(d->total);
    sqlite3_finalize(d->detail);
    sqlite3_close(d->db); /* discards uncommitted changes */
    if (d->lock >= 0)     /* done last, because closing the file releases SQLite's own locks */
        close(d->lock);
    free(d->stored);
    free(d);
}

int db_commit(struct study_db *d, struct error *err) {
    if (sqlite3_get_autocommit(d->db) || sql_execute(d, "COMMIT") == 0)
        return db_check_place(d, err);
    sql_fail(d, err);
    sql_execute(d, "ROLLBACK");
    return -1;
}

/* ---- Place ---- */

static bool is_file(const char *path, const struct stat *file) {
    struct stat st;
    return stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Moves all results from the write-ahead log to the file. The log keeps its name when the file is
 * moved, and SQLite then leaves its results in it. */
static int empty_log(struct study_db *d) {
    return (!sqlite3_get_autocommit(d->db) && sql_execute(d, "COMMIT")) ||
           sql_execute(d, "PRAGMA wal_checkpoint(TRUNCATE)");
}

int db_check_place(struct study_db *d, struct error *err) {
    char link[64], now[PATH_SIZE];
    struct stat file;
    if (d->lock < 0 || fstat(d->lock, &file) || is_file(d->path, &file))
        return 0;
    if (!file.st_nlink)
        return error_set(err, "%s: %s while the study was using it; its results are lost", d->path,
                         access(d->path, F_OK) ? "deleted" : "replaced");
    if (empty_log(d))
        return sql_fail(d, err);
    snprintf(link, sizeof link, "/proc/self/fd/%d", d->lock);
    const ssize_t n = readlink(link, now, sizeof now - 1);
    now[n > 0 ? n : 0] = '\0';
    return error_set(err, "%s: moved to %s while the study was using it; that file has its results",
                     d->path, is_file(now, &file) ? now : "another name");
}
