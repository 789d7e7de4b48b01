/* SPDX-License-Identifier: Apache-2.0 */
/* Prints rows as a table with aligned columns, for a reader at a terminal. */
#ifndef MEMTWIN_STUDY_GRID_H
#define MEMTWIN_STUDY_GRID_H

#include <stdbool.h>
#include <stdio.h>

#define GRID_COLUMNS 10

struct grid {
    const struct grid_column {
        const char *title;
        bool text; /* text is left-aligned, numbers are right-aligned */
    } * column;
    int n;                   /* number of columns, at most GRID_COLUMNS */
    int width[GRID_COLUMNS]; /* 0: empty in all rows, and not printed */
};

/* Measures a row. Measure all rows before the first is printed. A value that is NULL is empty. */
void grid_measure(struct grid *g, const char *const *value);
/* Print the titles and a row. Control characters of a value become "?". */
void grid_print_titles(const struct grid *g, FILE *to);
void grid_print_row(const struct grid *g, const char *const *value, FILE *to);

#endif
