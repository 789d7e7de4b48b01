// SPDX-License-Identifier: Apache-2.0
/* Reads CSV of nvprof, Nsight Compute and AccelWattch. Lines before the row with the names of the
 * columns are ignored. A file has a row for each metric of a launch, or a column for each metric,
 * whose units may be in the row below the names. The output of the program that was measured may
 * stand above, so the parser accepts quotes anywhere. */
#include <csv.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/theirs_inside.h"
#include "lib/alloc.h"

#define NONE SIZE_MAX /* no such column */
#define LINE_ROOM (1 << 20)
#define FIELD_BEGUN 2 /* state of the parser within a field */

struct table_row {
    char **field; /* owned */
    size_t n, room;
};

struct csv_reading {
    struct theirs_reading *r;
    struct table_row row, names, units; /* of the present row; names and units of the columns */
    size_t kernel, id;                  /* columns; NONE if there is none */
    size_t metric, unit, value, times;  /* columns of a file with a row for each metric */
    char *last_id;                      /* launch of the row before (owned) */
};

static void take_field(void *text, size_t n, void *ctx) {
    struct csv_reading *c = ctx;
    c->row.field = alloc_reserved(c->row.field, &c->row.room, c->row.n + 1, sizeof(char *));
    c->row.field[c->row.n++] = alloc_text_part(n ? text : "", n);
}

static void clear(struct table_row *row) {
    for (size_t i = 0; i < row->n; i++)
        free(row->field[i]);
    row->n = 0;
}

/* Moves the present row to a place that holds none. */
static void move_row(struct csv_reading *c, struct table_row *to) {
    *to = c->row;
    c->row = (struct table_row){0};
}

/* Returns the column with one of the names, which NULL ends. */
static size_t find_column(const struct table_row *row, const char *const *names) {
    for (; *names; names++)
        for (size_t i = 0; i < row->n; i++)
            if (strcmp(row->field[i], *names) == 0)
                return i;
    return NONE;
}
#define COLUMN(row, ...) find_column(row, (const char *const[]){__VA_ARGS__, NULL})

static const char *field_at(const struct table_row *row, size_t column) {
    return column < row->n ? row->field[column] : "";
}

/* Takes the row as that with the names of the columns, if it has a column of kernels and one of
 * metrics. */
static void find_names(struct csv_reading *c) {
    const struct table_row *row = &c->row;
    bool some = false;
    c->kernel = COLUMN(row, "Kernel Name", "Kernel", "Name");
    c->id = COLUMN(row, "ID", "Correlation_ID");
    c->metric = COLUMN(row, "Metric Name", "Event Name");
    c->unit = COLUMN(row, "Metric Unit");
    c->value = COLUMN(row, "Metric Value", "Avg");
    c->times = COLUMN(row, "Invocations");
    for (size_t i = 0; i < row->n && c->metric == NONE; i++)
        some = some || theirs_metric(row->field[i], NULL);
    if (c->kernel != NONE && (some || (c->metric != NONE && c->value != NONE)))
        move_row(c, &c->names);
}

/* Adds a value to the launch under each counter that has the metric. */
static void put_value(struct csv_reading *c, const char *name, const char *text, const char *unit) {
    double value;
    for (const struct metric *m = theirs_metric(name, NULL); m; m = theirs_metric(name, m)) {
        const char *why = *text ? theirs_number(text, unit, m, &value) : "no value";
        if (why)
            theirs_complain(c->r, m, "'%s%s%s': %s", text, *unit ? " " : "", unit, why);
        else
            theirs_put(c->r, m, value);
    }
}

/* Starts a launch if this row is not of the launch of the row before. */
static void start_launch(struct csv_reading *c) {
    const char *kernel = field_at(&c->row, c->kernel), *id = field_at(&c->row, c->id);
    const char *times = field_at(&c->row, c->times);
    const char *before = c->r->launch.kernel;
    const bool same =
        c->metric != NONE && before && strcmp(before, kernel) == 0 && strcmp(c->last_id, id) == 0;
    if (same)
        return;
    free(c->last_id);
    c->last_id = alloc_text(id);
    theirs_launch(c->r, kernel, *times ? strtod(times, NULL) : 1);
}

static void take_values(struct csv_reading *c) {
    const char *kernel = field_at(&c->row, c->kernel);
    if (!*kernel || *kernel == '[') /* a copy, such as [CUDA memcpy HtoD] */
        return;
    start_launch(c);
    if (c->metric != NONE) {
        put_value(c, field_at(&c->row, c->metric), field_at(&c->row, c->value),
                  field_at(&c->row, c->unit));
        return;
    }
    for (size_t i = 0; i < c->names.n; i++)
        put_value(c, c->names.field[i], field_at(&c->row, i), field_at(&c->units, i));
}

static void take_row(int separator, void *ctx) {
    struct csv_reading *c = ctx;
    (void)separator;
    if (!c->names.n)
        find_names(c);
    else if (!c->units.n && c->metric == NONE && !*field_at(&c->row, c->kernel))
        move_row(c, &c->units);
    else
        take_values(c);
    clear(&c->row);
}

static int read_lines(struct csv_reading *c, FILE *f, struct csv_parser *parser) {
    struct theirs_reading *r = c->r;
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int bad = 0;
    while (!bad && (n = getline(&line, &room, f)) >= 0) {
        r->line++;
        if (n > LINE_ROOM)
            bad = error_set_at(r->err, r->path, r->line, "a line longer than %d characters",
                               LINE_ROOM);
        else if (csv_parse(parser, line, (size_t)n, take_field, take_row, c) != (size_t)n)
            bad = error_set_at(r->err, r->path, r->line, "%s", csv_strerror(csv_error(parser)));
    }
    if (!bad && ferror(f))
        bad = error_set(r->err, "%s: %s", r->path, strerror(errno));
    if (!bad && parser->quoted && parser->pstate == FIELD_BEGUN)
        bad = error_set_at(r->err, r->path, r->line, "unterminated quoted field");
    if (!bad)
        csv_fini(parser, take_field, take_row, c);
    free(line);
    return bad;
}

int theirs_read_csv(struct theirs_reading *r, FILE *f) {
    struct csv_reading c = {.r = r};
    struct csv_parser parser;
    r->parts_needed = 2;
    if (csv_init(&parser, 0))
        return error_set(r->err, "%s: %s", r->path, strerror(errno));
    const int bad = read_lines(&c, f, &parser);
    csv_free(&parser);
    struct table_row *const rows[] = {&c.row, &c.names, &c.units};
    for (size_t i = 0; i < 3; i++) {
        clear(rows[i]);
        free(rows[i]->field);
    }
    free(c.last_id);
    return bad;
}
