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

#include "lib/alloc.h"
#include "lib/text_file.h"

static const char *const titles[] = {"study",  "seed",  "figure", "quantity",
                                     "scheme", "group", "value"};
#define FIELDS (REFERENCE_TEXTS + 1)
#define LINE_ROOM 4096
#define LINES_MAX 100000

struct reference_reading {
    struct reference *to;
    const char *path, *study;
    char *field[FIELDS]; /* fields of the row so far; owned */
    size_t n;
    unsigned line; /* current line */
    bool titled, failed;
    struct error *err;
};

__attribute__((format(printf, 2, 3))) static void fail(struct reference_reading *r, const char *fmt,
                                                       ...) {
    va_list args;
    if (r->failed)
        return;
    r->failed = true;
    va_start(args, fmt);
    error_vset_at(r->err, r->path, r->line, fmt, args);
    va_end(args);
}

static void take_field(void *text, size_t n, void *ctx) {
    struct reference_reading *r = ctx;
    if (r->n < FIELDS)
        r->field[r->n] = alloc_text_part(n ? text : "", n);
    r->n++;
}

static void check_titles(struct reference_reading *r) {
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(r->field[i], titles[i]) != 0)
            fail(r, "column %zu is '%s', not '%s'", i + 1, r->field[i], titles[i]);
    r->titled = true;
}

/* Returns true if `name` is the study's name, or its part before a dot ('a' for a.b and a.c). */
static bool concerns(const char *name, const char *study) {
    const size_t n = strlen(name);
    return strncmp(name, study, n) == 0 && (!study[n] || (n && study[n] == '.'));
}

/* Moves the fields into a row. */
static void keep_figure(struct reference_reading *r) {
    struct reference *to = r->to;
    const char *value = r->field[REFERENCE_TEXTS];
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number)) {
        fail(r, "value '%s': not a number", value);
        return;
    }
    to->row = alloc_resized(to->row, to->n + 1, sizeof *to->row);
    struct reference_row *row = &to->row[to->n++];
    row->value = number;
    row->line = r->line;
    memcpy(row->text, r->field, sizeof row->text);
    memset(r->field, 0, sizeof row->text);
}

static void clear_line(struct reference_reading *r) {
    for (size_t i = 0; i < FIELDS; i++) {
        free(r->field[i]);
        r->field[i] = NULL;
    }
    r->n = 0;
}

static void take_row(int separator, void *ctx) {
    struct reference_reading *r = ctx;
    (void)separator;
    if (r->n != FIELDS)
        fail(r, "%zu fields, not %d", r->n, FIELDS);
    else if (!r->failed && !r->titled)
        check_titles(r);
    else if (!r->failed && concerns(r->field[REFERENCE_STUDY], r->study))
        keep_figure(r);
    clear_line(r);
}

/* Reads the file line by line, so that messages can give line numbers. */
static void read_lines(struct reference_reading *r, FILE *file, struct csv_parser *parser) {
    char line[LINE_ROOM];
    text_skip_mark(file);
    while (!r->failed && fgets(line, sizeof line, file)) {
        const size_t n = strlen(line);
        r->line++;
        if (!n || (line[n - 1] != '\n' && !feof(file)))
            fail(r, "a zero byte, or a line longer than %d characters", LINE_ROOM - 2);
        else if (csv_parse(parser, line, n, take_field, take_row, r) != n)
            fail(r, "%s", csv_strerror(csv_error(parser)));
        else if (r->line == LINES_MAX)
            fail(r, "more than %d lines", LINES_MAX);
    }
    if (ferror(file))
        fail(r, "%s", strerror(errno));
    if (!r->failed && csv_fini(parser, take_field, take_row, r))
        fail(r, "unterminated quoted field");
    if (!r->failed && !r->titled)
        fail(r, "no header line");
}

int reference_read(struct reference *f, const char *path, const char *study, struct error *err) {
    struct reference_reading r = {
        .to = f,
        .path = path,
        .study = study,
        .err = err,
    };
    struct csv_parser parser;
    const char *why = NULL;
    FILE *file = text_open(path, &why);
    *f = (struct reference){0};
    if (!file || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI)) {
        fail(&r, "%s", why ? why : strerror(errno));
    } else {
        read_lines(&r, file, &parser);
        csv_free(&parser);
    }
    clear_line(&r);
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
