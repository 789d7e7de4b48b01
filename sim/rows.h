/* SPDX-License-Identifier: Apache-2.0 */
/* Writes rows as CSV (RFC 4180) or as JSON, an array with an object for each row, for programs that
 * read lists. */
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
/* Writes a row of n values. A value that is NULL is missing. */
void rows_put(struct rows *r, const char *const *value);
/* Completes the file. Returns 0, or -1 with one line in err. */
int rows_end(struct rows *r, struct error *err);
void rows_drop(struct rows *r);

#endif
