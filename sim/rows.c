// SPDX-License-Identifier: Apache-2.0
#include "rows.h"

#include <assert.h>

#include "csv_text.h"
#include "json.h"
#include "terminal.h"

static void put_csv_row(const struct rows *r, const char *const *value) {
    for (size_t i = 0; i < r->n; i++) {
        fputs(i ? "," : "", r->nf.f);
        csv_put_text(value ? value[i] ? value[i] : "" : r->column[i].name, r->nf.f);
    }
    fputc('\n', r->nf.f);
}

static void put_json_row(struct rows *r, const char *const *value) {
    FILE *f = r->nf.f;
    fputs(r->any ? ",\n {" : "\n {", f);
    for (size_t i = 0; i < r->n; i++) {
        fprintf(f, "%s\"%s\": ", i ? ", " : "", r->column[i].name);
        if (!value[i])
            fputs("null", f);
        else if (r->column[i].number)
            json_put_number(value[i], f);
        else
            json_put_text(value[i], f);
    }
    fputc('}', f);
}

int rows_begin(struct rows *r, const struct rows_paths *paths, const struct rows_column *column,
               size_t n, struct error *err) {
    struct error why;
    *r = (struct rows){.column = column, .n = n, .json = paths->json != NULL};
    if (paths->csv && paths->json)
        return error_set(err, "--csv and --json exclude each other");
    if (new_file_open(&r->nf, r->json ? paths->json : paths->csv, &why))
        return error_set(err, "cannot write %s", why.text);
    if (r->json)
        fputc('[', r->nf.f);
    else
        put_csv_row(r, NULL);
    return 0;
}

void rows_put(struct rows *r, const char *const *value, size_t n) {
    assert(n == r->n);
    if (r->json)
        put_json_row(r, value);
    else
        put_csv_row(r, value);
    r->any = true;
}

int rows_end(struct rows *r, struct error *err) {
    struct error why;
    if (r->json)
        fputs("\n]\n", r->nf.f);
    if (new_file_commit(&r->nf, &why) == 0)
        return 0;
    terminal_end_by_pipe();
    return error_set(err, "cannot write %s", why.text);
}

void rows_drop(struct rows *r) {
    new_file_drop(&r->nf);
}
