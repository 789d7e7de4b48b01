// SPDX-License-Identifier: Apache-2.0
#include "study/reference.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"

static const char *const titles[] = {"study",  "seed",  "figure", "quantity",
                                     "scheme", "group", "value"};
#define FIELDS (REFERENCE_TEXTS + 1)

struct reading {
    struct reference *to;
    const char *path, *study;
    char *field[FIELDS]; /* fields of the row so far; owned */
    size_t n;
    unsigned at; /* the line */
    bool titled, failed;
    char *err;
    size_t err_size;
};

__attribute__((format(printf, 2, 3))) static void fail(struct reading *r, const char *fmt, ...) {
    char what[512];
    va_list args;
    if (r->failed)
        return;
    r->failed = true;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    if (r->at)
        message_print(r->err, r->err_size, "%s:%u: %s", r->path, r->at, what);
    else
        message_print(r->err, r->err_size, "%s: %s", r->path, what);
}

static void take_field(void *text, size_t n, void *ctx) {
    struct reading *r = ctx;
    if (r->n < FIELDS && !(r->field[r->n] = strndup(n ? text : "", n)))
        fail(r, "out of memory");
    r->n++;
}

static void check_titles(struct reading *r) {
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(r->field[i], titles[i]) != 0)
            fail(r, "column %zu is '%s', not '%s'", i + 1, r->field[i], titles[i]);
    r->titled = true;
}

/* Whether a row is for the study: by its name, or the part before a dot ('a' for a.b and a.c). */
static bool concerns(const char *name, const char *study) {
    const size_t n = strlen(name);
    return strncmp(name, study, n) == 0 && (!study[n] || (n && study[n] == '.'));
}

/* Moves the fields into a row. */
static void keep(struct reading *r) {
    struct reference *to = r->to;
    const char *value = r->field[REFERENCE_TEXTS];
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number)) {
        fail(r, "value '%s': not a number", value);
        return;
    }
    struct reference_row *more = realloc(to->row, (to->n + 1) * sizeof *more);
    if (!more) {
        fail(r, "out of memory");
        return;
    }
    to->row = more;
    more += to->n++;
    more->value = number;
    more->line = r->at;
    memcpy(more->text, r->field, sizeof more->text);
    memset(r->field, 0, sizeof more->text);
}

static void clear(struct reading *r) {
    for (size_t i = 0; i < FIELDS; i++) {
        free(r->field[i]);
        r->field[i] = NULL;
    }
    r->n = 0;
}

static void take_row(int separator, void *ctx) {
    struct reading *r = ctx;
    (void)separator;
    if (r->n != FIELDS)
        fail(r, "%zu fields, not %d", r->n, FIELDS);
    else if (!r->failed && !r->titled)
        check_titles(r);
    else if (!r->failed && concerns(r->field[REFERENCE_STUDY], r->study))
        keep(r);
    clear(r);
}

/* Reads line by line, to count lines for messages. */
static void read_lines(struct reading *r, FILE *file, struct csv_parser *parser) {
    char *line = NULL;
    size_t size = 0;
    ssize_t n = 0;
    while (!r->failed && (n = getline(&line, &size, file)) >= 0) {
        r->at++;
        if (csv_parse(parser, line, (size_t)n, take_field, take_row, r) != (size_t)n)
            fail(r, "%s", csv_strerror(csv_error(parser)));
    }
    if (n < 0 && ferror(file))
        fail(r, "%s", strerror(errno));
    if (!r->failed && csv_fini(parser, take_field, take_row, r))
        fail(r, "a quotation that does not end");
    if (!r->failed && !r->titled)
        fail(r, "no line of titles");
    free(line);
}

int reference_read(struct reference *f, const char *path, const char *study, char *err,
                   size_t err_size) {
    struct reading r = {.to = f, .path = path, .study = study, .err = err, .err_size = err_size};
    struct csv_parser parser;
    FILE *file = fopen(path, "re");
    *f = (struct reference){0};
    if (!file || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI)) {
        fail(&r, "%s", strerror(errno));
    } else {
        read_lines(&r, file, &parser);
        csv_free(&parser);
    }
    clear(&r);
    if (file)
        fclose(file);
    return r.failed ? -1 : 0;
}

void reference_free(struct reference *f) {
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < REFERENCE_TEXTS; k++)
            free(f->row[i].text[k]);
    free(f->row);
}
