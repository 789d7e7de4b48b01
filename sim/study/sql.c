// SPDX-License-Identifier: Apache-2.0
#include "study/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/alloc.h"
#include "lib/shell.h"
#include "lib/utf8.h"

int sql_fail(const struct study_db *d, struct error *err) {
    int code = sqlite3_errcode(d->db);
    const char *why = sqlite3_errmsg(d->db);
    if (!d->db || code == SQLITE_NOMEM)
        alloc_fail(0);
    if (code == SQLITE_NOTADB)
        why = "not a database of memtwin study";
    else if (code == SQLITE_BUSY)
        why = "locked by another program";
    else if (code == SQLITE_TOOBIG)
        why = "a value is larger than memtwin study stores";
    else if (sqlite3_extended_errcode(d->db) == SQLITE_READONLY_DBMOVED)
        why = "moved, deleted or replaced while the study was using it";
    else if (code == SQLITE_CORRUPT)
        why = "damaged or incomplete";
    else if ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && sqlite3_system_errno(d->db))
        why = strerror(sqlite3_system_errno(d->db));
    if (d->lock < 0 && sqlite3_system_errno(d->db) == ENOSPC)
        return error_set(err, "%s: cannot write %s-shm, which a reader needs: %s", d->path, d->path,
                         strerror(ENOSPC));
    return error_set(err, "%s: %s", d->path, why);
}

void sql_file(const char *path, char file[SQL_FILE_SIZE]) {
    snprintf(file, SQL_FILE_SIZE, "%s%s", path[0] == '/' ? "" : "./", path);
}

static sqlite3_stmt *prepare_sql(struct study_db *d, const char *sql) {
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

static void bind_bytes(sqlite3_stmt *s, int i, va_list *values) {
    const void *bytes = va_arg(*values, const void *);
    sqlite3_bind_blob64(s, i, bytes, va_arg(*values, size_t), SQLITE_STATIC);
}

/* Binds a text as UTF-8, so that each reader of the database can decode it. Other bytes make it a
 * word $'..' of a shell, so that different texts stay different. */
static void bind_text(sqlite3_stmt *s, int i, const char *text) {
    if (!text || utf8_is_valid(text))
        sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_text(s, i, shell_word(text), -1, free);
}

static void bind(sqlite3_stmt *s, const char *types, va_list all) {
    va_list values;
    va_copy(values, all);
    for (int i = 0; types[i]; i++)
        if (types[i] == 'i')
            sqlite3_bind_int64(s, i + 1, va_arg(values, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(s, i + 1, va_arg(values, double));
        else if (types[i] == 'b')
            bind_bytes(s, i + 1, &values);
        else
            bind_text(s, i + 1, va_arg(values, const char *));
    va_end(values);
}

sqlite3_stmt *sql_begin(struct study_db *d, const char *sql, const char *types, ...) {
    sqlite3_stmt *s = prepare_sql(d, sql);
    va_list values;
    if (!s)
        return NULL;
    sqlite3_reset(s);
    va_start(values, types);
    bind(s, types, values);
    va_end(values);
    return s;
}

int sql_finish(sqlite3_stmt *s) {
    return s && sqlite3_step(s) == SQLITE_DONE && sqlite3_reset(s) == SQLITE_OK ? 0 : -1;
}

int sql_number(sqlite3_stmt *s, int64_t otherwise, int64_t *to) {
    int step = s ? sqlite3_step(s) : SQLITE_ERROR;
    *to = step == SQLITE_ROW ? sqlite3_column_int64(s, 0) : otherwise;
    if (s)
        sqlite3_reset(s);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : -1;
}

int sql_execute(struct study_db *d, const char *sql) {
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

int sql_transaction(struct study_db *d) {
    return sqlite3_get_autocommit(d->db) ? sql_execute(d, "BEGIN IMMEDIATE") : 0;
}

double sql_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
