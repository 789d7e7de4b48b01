// SPDX-License-Identifier: Apache-2.0
#include "harness/vectors.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/library.h"
#include "lib/alloc.h"
#include "lib/text_file.h"
#include "os/interrupt.h"
#include "os/new_file.h"

#define HEADER_LINE 1024 /* length of the longest legal header line, including its newline */

struct vec_writer {
    struct new_file file;
    const struct layout *l;
    uint64_t cycles;
    bool begins; /* true if the next cycle precedes the first clock edge of a run */
    char *line;
};

/* Returns the length of a cycle's line without its newline. */
static size_t line_length(const struct layout *l) {
    return hex_digits(l->in_bits) + 1 + hex_digits(l->n_in) + 1 + hex_digits(l->out_bits) + 1 +
           hex_digits(l->n_out);
}

static void port_line(const struct port_place *p, char *buf, size_t size) {
    snprintf(buf, size, "port %s %s %u", port_dir_name(p->desc->dir), p->desc->name, p->width);
}

/* Returns the i-th port in list order. */
static const struct port_place *nth_port(const struct layout *l, unsigned i) {
    unsigned in = 0, out = 0;
    for (unsigned k = 0; k < i; k++)
        if (l->type->ports[k].dir == PORT_IN)
            in++;
        else
            out++;
    return l->type->ports[i].dir == PORT_IN ? &l->in[in] : &l->out[out];
}

struct vec_writer *vec_create(const char *path, const struct layout *l, struct error *err) {
    struct vec_writer *w = alloc_zeroed(1, sizeof *w);
    char *line = alloc_bytes(line_length(l) + 2);
    w->l = l;
    w->begins = true;
    w->line = line;
    if (new_file_open(&w->file, path, err)) {
        free(line);
        free(w);
        return NULL;
    }
    fprintf(w->file.f, "%s\nblock %s\nparams %s\n", VECTORS_MAGIC, l->type->name, l->params_text);
    for (unsigned i = 0; i < l->type->n_ports; i++) {
        char text[HEADER_LINE];
        port_line(nth_port(l, i), text, sizeof text);
        fprintf(w->file.f, "%s\n", text);
    }
    fprintf(w->file.f, "data\n");
    return w;
}

/* Writes a hex mask with one bit per port, which is set if the port is valid. The bit of the first
 * port is the low bit of the last digit. */
static void qualifier_hex(const struct port_place *places, unsigned n, const void *in,
                          const void *out, bool any, char *digits) {
    size_t len = hex_digits(n);
    memset(digits, 0, len + 1);
    for (unsigned i = 0; any && i < n; i++)
        if (places[i].desc->qualified(in, out))
            digits[len - 1 - i / 4] |= (char)(1 << (i % 4));
    for (size_t i = 0; i < len; i++)
        digits[i] = "0123456789abcdef"[(unsigned char)digits[i]];
}

void vec_write(struct vec_writer *w, const void *in, const void *out, const void *qualify) {
    const struct layout *l = w->l;
    char *inputs = w->line;
    char *given = inputs + hex_digits(l->in_bits) + 1;
    char *outputs = given + hex_digits(l->n_in) + 1;
    char *compare = outputs + hex_digits(l->out_bits) + 1;
    pack_hex(l->in, l->n_in, l->in_bits, in, inputs);
    qualifier_hex(l->in, l->n_in, in, qualify, true, given);
    pack_hex(l->out, l->n_out, l->out_bits, out, outputs);
    qualifier_hex(l->out, l->n_out, in, qualify, !w->begins, compare);
    given[-1] = outputs[-1] = compare[-1] = ' ';
    w->line[line_length(l)] = '\n';
    fwrite(w->line, 1, line_length(l) + 1, w->file.f);
    w->begins = false;
    w->cycles++;
}

void vec_restart(struct vec_writer *w) {
    w->begins = true;
}

int vec_finish(struct vec_writer *w, struct error *err) {
    fprintf(w->file.f, "end %" PRIu64 "\n", w->cycles);
    int bad = new_file_commit(&w->file, err);
    free(w->line);
    free(w);
    return bad;
}

void vec_drop(struct vec_writer *w) {
    if (!w)
        return;
    new_file_drop(&w->file);
    free(w->line);
    free(w);
}

/* ---- Reading ---- */

struct vec_reader {
    FILE *f;
    char path[PATH_SIZE];
    uint64_t line_no, cycles;
    struct layout l;
    size_t length; /* length of a cycle's line */
    char *line;    /* a cycle's line or the end marker, in line_size bytes */
    size_t line_size;
    bool ended;
    int failed; /* errno value if reading failed, else 0 */
};

/* Writes "FILE:LINE: ..." to err. Returns -1. */
static int bad_line(const struct vec_reader *r, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int bad_line(const struct vec_reader *r, struct error *err, const char *fmt, ...) {
    char text[256];
    va_list ap;
    if (r->failed)
        return error_set(err, "%s: %s", r->path, read_error(r->failed));
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return error_set_at(err, r->path, r->line_no, "%s", text);
}

/* Reads a line of at most size - 1 characters without its newline (LF or CR LF). Returns its
 * length, -1 at the end of the file, or -2 if the line is longer, has no newline or contains a NUL.
 */
static long read_line(struct vec_reader *r, char *buf, size_t size) {
    size_t len = 0;
    int c;
    r->line_no++;
    while ((c = getc(r->f)) != EOF && c != '\n') {
        if (len + 1 >= size || c == '\0') {
            buf[len] = '\0';
            return -2;
        }
        buf[len++] = (char)c;
    }
    len -= c == '\n' && len && buf[len - 1] == '\r';
    buf[len] = '\0';
    if (c == EOF && ferror(r->f))
        r->failed = errno;
    if (c == EOF)
        return len ? -2 : -1;
    return (long)len;
}

/* Reads a header line "KEY VALUE". */
static int header(struct vec_reader *r, const char *key, char *value, struct error *err) {
    char line[HEADER_LINE];
    size_t n = strlen(key);
    long len = read_line(r, line, sizeof line);
    if (len == -1)
        return bad_line(r, err, "file ends where '%s ...' was expected", key);
    if (len < 0)
        return bad_line(r, err, "line too long or cut off: '%.40s'", line);
    if (strncmp(line, key, n) != 0 || line[n] != ' ')
        return bad_line(r, err, "expected '%s ...', got '%.80s'", key, line);
    memcpy(value, line + n + 1, strlen(line + n + 1) + 1);
    return 0;
}

/* Reads a header line that must be exactly `text`. */
static int header_is(struct vec_reader *r, const char *text, struct error *err) {
    char line[HEADER_LINE];
    long len = read_line(r, line, sizeof line);
    if (len >= 0 && strcmp(line, text) == 0)
        return 0;
    if (r->line_no == 1 && len > 0 && strspn(line, "0123456789abcdef ") == (size_t)len)
        return bad_line(r, err,
                        "vectors of a test bench, without a header; replay reads files that "
                        "--record writes");
    return bad_line(r, err, "expected '%s', got '%.80s'", text, len == -1 ? "end of file" : line);
}

/* Parses "NAME=VALUE ..." strictly. All parameters must be present, in the order and form in which
 * block_params_print writes them. */
static int parse_params(struct vec_reader *r, const struct block_type *type, char *text,
                        struct block_params *p, struct error *err) {
    char again[HEADER_LINE], given[HEADER_LINE];
    struct error why;
    snprintf(given, sizeof given, "%s", text);
    block_params_default(type, p);
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (block_params_set(type, p, word, &why))
            return bad_line(r, err, "%s", why.text);
    if (block_params_check(type, p, &why))
        return bad_line(r, err, "%s", why.text);
    block_params_print(type, p, again, sizeof again);
    if (strcmp(given, again) != 0)
        return bad_line(r, err, "expected 'params %s'", again);
    return 0;
}

static int read_header(struct vec_reader *r, struct error *err) {
    char text[HEADER_LINE];
    struct block_params p;
    if (header_is(r, VECTORS_MAGIC, err) || header(r, "block", text, err))
        return -1;
    const struct block_type *type = block_find_any(text);
    if (!type)
        return bad_line(r, err, "there is no block '%.80s'", text);
    if (header(r, "params", text, err) || parse_params(r, type, text, &p, err) ||
        layout_init(&r->l, type, &p, err))
        return -1;
    for (unsigned i = 0; i < type->n_ports; i++) {
        port_line(nth_port(&r->l, i), text, sizeof text);
        if (header_is(r, text, err))
            return -1;
    }
    return header_is(r, "data", err);
}

struct vec_reader *vec_open(const char *path, struct error *err) {
    struct vec_reader *r = alloc_zeroed(1, sizeof *r);
    snprintf(r->path, sizeof r->path, "%s", path);
    r->f = fopen(strcmp(path, "-") == 0 ? "/dev/stdin" : path, "re");
    if (!r->f) {
        error_set(err, "%s: %s", path, read_error(errno));
        vec_close(r);
        return NULL;
    }
    text_skip_mark(r->f);
    r->failed = ferror(r->f) ? errno : 0;
    if (r->failed ? bad_line(r, err, "unread") : read_header(r, err)) {
        vec_close(r);
        return NULL;
    }
    r->length = line_length(&r->l);
    r->line_size = r->length + 64;
    r->line = alloc_bytes(r->line_size);
    return r;
}

const struct layout *vec_layout(const struct vec_reader *r) {
    return &r->l;
}

const char *vec_line(const struct vec_reader *r) {
    return r->line;
}

/* Checks the count after "end", and checks that the file ends there. */
static int read_end(struct vec_reader *r, struct error *err) {
    char want[32];
    snprintf(want, sizeof want, "end %" PRIu64, r->cycles);
    if (strcmp(r->line, want) != 0)
        return bad_line(r, err, "expected '%s', got '%.40s': cycles are missing", want, r->line);
    r->ended = true;
    if (getc(r->f) == EOF)
        return 0;
    r->line_no++;
    return bad_line(r, err, "more text after '%s'", want);
}

/* Reads one bit for each of n ports into `flags`, which has n + 3 elements or is NULL. */
static int read_flags(struct vec_reader *r, const char *what, const char *digits, unsigned n,
                      bool *flags, struct error *err) {
    size_t len = hex_digits(n);
    for (size_t i = 0; i < len; i++) {
        const char *digit = strchr("0123456789abcdef", digits[len - 1 - i]);
        unsigned v = digit && *digit ? (unsigned)(digit - "0123456789abcdef") : 16;
        unsigned left = n - (unsigned)i * 4;
        if (v > 15 || (left < 4 && v >> left))
            return bad_line(r, err, "bad %s bits '%.*s'", what, (int)len, digits);
        for (unsigned b = 0; flags && b < 4 && b < left; b++)
            flags[i * 4 + b] = v >> b & 1;
    }
    return 0;
}

int vec_read(struct vec_reader *r, void *in, void *out, bool *compare, struct error *err) {
    const struct layout *l = &r->l;
    if (r->ended)
        return 0;
    long len = read_line(r, r->line, r->line_size);
    if (len == -1)
        return bad_line(r, err, "file ends without 'end %" PRIu64 "': truncated", r->cycles);
    if (len >= 0 && strncmp(r->line, "end ", 4) == 0)
        return read_end(r, err);
    char *given = r->line + hex_digits(l->in_bits) + 1;
    char *outputs = given + hex_digits(l->n_in) + 1;
    char *digits = outputs + hex_digits(l->out_bits) + 1;
    if (len != (long)r->length || given[-1] != ' ' || outputs[-1] != ' ' || digits[-1] != ' ')
        return bad_line(r, err,
                        "expected %zu, %zu, %zu and %zu hex digits, got a line of %ld: '%.40s'",
                        hex_digits(l->in_bits), hex_digits(l->n_in), hex_digits(l->out_bits),
                        hex_digits(l->n_out), len < 0 ? (long)strlen(r->line) : len, r->line);
    if (!unpack_hex(l->in, l->n_in, l->in_bits, r->line, in))
        return bad_line(r, err, "bad inputs '%.60s'", r->line);
    if (!unpack_hex(l->out, l->n_out, l->out_bits, outputs, out))
        return bad_line(r, err, "bad outputs '%.60s'", outputs);
    if (read_flags(r, "input", given, l->n_in, NULL, err) ||
        read_flags(r, "compare", digits, l->n_out, compare, err))
        return -1;
    r->cycles++;
    return 1;
}

void vec_close(struct vec_reader *r) {
    if (!r)
        return;
    if (r->f)
        fclose(r->f);
    free(r->line);
    layout_free(&r->l);
    free(r);
}
