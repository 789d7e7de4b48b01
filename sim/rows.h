/* SPDX-License-Identifier: Apache-2.0 */
/* Writes rows as CSV (a line feed ends each row) or as JSON (an array with an object for each
 * row), for programs that read lists. */
#ifndef MEMTWIN_SIM_ROWS_H
#define MEMTWIN_SIM_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/error.h"
#include "os/new_file.h"

struct rows_column {
    const char *name;
    bool number; /* true if JSON has the values as numbers */
};
/* Initializes a pointer to columns, and their number. */
#define ROWS_COLUMNS(...)                                                                          \
    (const struct rows_column[]){__VA_ARGS__},                                                     \
        sizeof(const struct rows_column[]){__VA_ARGS__} / sizeof(struct rows_column)

struct rows {
    const struct rows_column *column;
    size_t n;
    bool json, any;
    struct new_file nf;
};

/* Options of a command that writes rows, of which at most one is not NULL: paths, or "-" for
 * standard output. */
struct rows_paths {
    const char *csv, *json;
};

/* Writes the beginning. Returns 0, or -1 with one line in err. */
int rows_begin(struct rows *r, const struct rows_paths *paths, const struct rows_column *column,
               size_t n, struct error *err);
/* Writes a row of n values, as many as there are columns. A value that is NULL is missing. */
void rows_put(struct rows *r, const char *const *value, size_t n);
#define ROWS_PUT(r, ...)                                                                           \
    rows_put(r, (const char *const[]){__VA_ARGS__},                                                \
             sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))
/* Completes the file. Returns 0, or -1 with one line in err; ends the program if the reader of
 * standard output is gone. */
int rows_end(struct rows *r, struct error *err);
void rows_drop(struct rows *r);

#endif
