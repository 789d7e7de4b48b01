// SPDX-License-Identifier: Apache-2.0
#include "study/columns.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "json.h"
#include "lib/alloc.h"

#define GZIP (15 + 16) /* windowBits of zlib for the gzip format */
#define LEVEL 3        /* level 6 takes twice as long and makes a page 8 % smaller */
#define WAITING 4096   /* bytes per call of deflate(), because a call is expensive */

/* Compresses bytes with gzip and encodes them in base64. */
struct packed {
    z_stream z;
    bool begun, some;      /* `some` is true if a value is neither 0 nor NULL */
    char waiting[WAITING]; /* bytes not yet passed to deflate() */
    size_t n_waiting;
    char *text; /* owned; base64 */
    size_t size;
    FILE *f;               /* writes to `text` */
    unsigned char left[3]; /* bytes not yet encoded, fewer than three */
    unsigned n_left;
};

static void put_base64(struct packed *p, const unsigned char *bytes, size_t n) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i++) {
        p->left[p->n_left++] = bytes[i];
        if (p->n_left < 3)
            continue;
        const unsigned v = (unsigned)p->left[0] << 16 | (unsigned)p->left[1] << 8 | p->left[2];
        const char four[4] = {digit[v >> 18], digit[v >> 12 & 63], digit[v >> 6 & 63],
                              digit[v & 63]};
        fwrite(four, 1, sizeof four, p->f);
        p->n_left = 0;
    }
}

static void end_base64(struct packed *p) {
    static const unsigned char zero[2] = {0};
    const unsigned n = p->n_left;
    if (!n)
        return;
    put_base64(p, zero, 3 - n);
    fseek(p->f, -(long)(3 - n), SEEK_CUR);
    fwrite("==", 1, 3 - n, p->f);
}

static int deflate_bytes(struct packed *p, const char *bytes, size_t n, int flush) {
    unsigned char out[4096];
    p->z.next_in = (unsigned char *)(uintptr_t)bytes;
    p->z.avail_in = (unsigned)n;
    do {
        p->z.next_out = out;
        p->z.avail_out = sizeof out;
        if (deflate(&p->z, flush) == Z_STREAM_ERROR)
            return -1;
        put_base64(p, out, sizeof out - p->z.avail_out);
    } while (!p->z.avail_out);
    return 0;
}

static int deflate_waiting(struct packed *p, int flush) {
    const size_t n = p->n_waiting;
    p->n_waiting = 0;
    return deflate_bytes(p, p->waiting, n, flush);
}

static int put_bytes(struct packed *p, const char *bytes, size_t n) {
    if (n > WAITING - p->n_waiting && deflate_waiting(p, Z_NO_FLUSH))
        return -1;
    if (n > WAITING)
        return deflate_bytes(p, bytes, n, Z_NO_FLUSH);
    memcpy(p->waiting + p->n_waiting, bytes, n);
    p->n_waiting += n;
    return 0;
}

static void begin_packed(struct packed *p) {
    p->f = alloc_stream(&p->text, &p->size);
    p->begun = deflateInit2(&p->z, LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!p->begun)
        alloc_fail(0);
}

static void free_packed(struct packed *p) {
    if (p->begun)
        deflateEnd(&p->z);
    if (p->f)
        fclose(p->f);
    free(p->text);
}

/* ---- JSON ---- */

/* Prints a number with 15 significant digits, or with 17 if 15 digits do not read back as the same
 * number. */
static int real_text(double v, char *to, size_t size) {
    int n = snprintf(to, size, "%.15g", v);
    if (strtod(to, NULL) != v)
        n = snprintf(to, size, "%.17g", v);
    return strpbrk(to, "in") ? snprintf(to, size, "null") : n; /* JSON has no infinity */
}

static int put_text(struct packed *p, const char *value) {
    char *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    json_put_text(value, f);
    alloc_stream_close(f);
    const int bad = put_bytes(p, text, size);
    free(text);
    return bad;
}

/* Returns true if a column of a table holds numbers. */
static bool is_numeric(sqlite3_stmt *s, int i) {
    const char *type = sqlite3_column_decltype(s, i);
    return type && (strcmp(type, "INTEGER") == 0 || strcmp(type, "REAL") == 0);
}

/* Appends value i of a row. Returns -1 if the value has not the type of its column. */
static int put_value(struct packed *p, sqlite3_stmt *s, int i, bool first) {
    char text[40] = {first ? '[' : ','};
    int n = 1;
    const int type = sqlite3_column_type(s, i);
    if (type == SQLITE_BLOB || (type == SQLITE_TEXT && is_numeric(s, i)))
        return -1;
    p->some |= type == SQLITE_TEXT || sqlite3_column_double(s, i) != 0;
    if (type == SQLITE_INTEGER)
        n += snprintf(text + 1, sizeof text - 1, "%lld", (long long)sqlite3_column_int64(s, i));
    else if (type == SQLITE_FLOAT)
        n += real_text(sqlite3_column_double(s, i), text + 1, sizeof text - 1);
    else if (type == SQLITE_NULL)
        n += snprintf(text + 1, sizeof text - 1, "null");
    if (put_bytes(p, text, (size_t)n))
        return -1;
    return type == SQLITE_TEXT ? put_text(p, (const char *)sqlite3_column_text(s, i)) : 0;
}

static int put_rows(struct packed *p, int n, sqlite3_stmt *s, uint64_t *rows) {
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < n; i++)
            if (put_value(&p[i], s, i, !*rows))
                return -1;
        ++*rows;
    }
    return step == SQLITE_DONE ? 0 : -1;
}

/* Finishes and writes the element PREFIX.NAME, or PREFIX if name is NULL. */
static int end_element(struct packed *p, const char *prefix, const char *name, FILE *to) {
    end_base64(p);
    alloc_stream_close(p->f);
    p->f = NULL;
    fprintf(to, "<script type=\"text/plain\" data-column=\"%s%s%s\"%s>%s</script>\n", prefix,
            name ? "." : "", name ? name : "", !name || p->some ? "" : " data-zero", p->text);
    return 0;
}

static int put_column(struct packed *p, const char *prefix, const char *name, bool empty,
                      FILE *to) {
    if (put_bytes(p, empty ? "[]" : "]", empty ? 2 : 1) || deflate_waiting(p, Z_FINISH))
        return -1;
    return end_element(p, prefix, name, to);
}

int columns_write_rows(sqlite3_stmt *s, const char *name, FILE *to) {
    struct packed p = {0};
    const int n = sqlite3_column_count(s);
    int bad = 0, step = SQLITE_DONE;
    begin_packed(&p);
    for (int i = 0; i < n && !bad; i++)
        bad = put_bytes(&p, i ? "," : "[[", i ? 1 : 2) || put_text(&p, sqlite3_column_name(s, i));
    while (!bad && (step = sqlite3_step(s)) == SQLITE_ROW) {
        bad = put_bytes(&p, "],", 2);
        for (int i = 0; i < n && !bad; i++)
            bad = put_value(&p, s, i, i == 0);
    }
    bad = bad || step != SQLITE_DONE || put_bytes(&p, "]", 1) ||
          put_column(&p, name, NULL, false, to);
    free_packed(&p);
    return bad ? -1 : 0;
}

int columns_write_packed(const void *bytes, size_t n, const char *name, FILE *to) {
    struct packed p = {0};
    p.f = alloc_stream(&p.text, &p.size);
    put_base64(&p, bytes, n);
    int bad = end_element(&p, name, NULL, to);
    free_packed(&p);
    return bad;
}

int columns_write(sqlite3_stmt *s, const char *prefix, FILE *to, uint64_t *rows) {
    const int n = sqlite3_column_count(s);
    uint64_t count = 0;
    struct packed *p = alloc_zeroed((size_t)n, sizeof *p);
    for (int i = 0; i < n; i++)
        begin_packed(&p[i]);
    int bad = put_rows(p, n, s, &count);
    for (int i = 0; i < n && !bad; i++)
        bad = put_column(&p[i], prefix, sqlite3_column_name(s, i), !count, to);
    for (int i = 0; i < n; i++)
        free_packed(&p[i]);
    free(p);
    if (rows)
        *rows = count;
    return bad ? -1 : 0;
}
