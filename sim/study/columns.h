/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a query into an HTML page. Each column is a script element: a JSON array of
 * its values, gzipped, in base64. A page of 100,000 runs can thus hold all columns, and unpacks
 * each column only when it is shown. */
#ifndef MEMTWIN_STUDY_COLUMNS_H
#define MEMTWIN_STUDY_COLUMNS_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Writes each column as <script type="text/plain" data-column="PREFIX.NAME">, where NAME is its
 * name in the statement. Adds the attribute data-zero if all values are 0 or NULL. The statement
 * must be bound and not yet stepped. Sets *rows (may be NULL) to the number of rows. Returns 0, or
 * -1 if SQLite or zlib failed (the statement's database has the error). */
int columns_write(sqlite3_stmt *s, const char *prefix, FILE *to, uint64_t *rows);

/* Writes the whole result as one element named NAME: an array of the column names, then one array
 * per row. In all other respects, it works like columns_write. */
int columns_write_rows(sqlite3_stmt *s, const char *name, FILE *to);

/* Writes n bytes of JSON text that zlib has already compressed, as an element named NAME. Returns 0
 * or -1. */
int columns_write_packed(const void *bytes, size_t n, const char *name, FILE *to);

#endif
