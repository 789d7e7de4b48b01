/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a query into an HTML page, each column as a script element: a JSON array of
 * its values, gzipped, in base64. A page of 100,000 runs thus holds all columns and unpacks only
 * those that it shows. */
#ifndef MEMTWIN_STUDY_COLUMNS_H
#define MEMTWIN_STUDY_COLUMNS_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Writes <script type="text/plain" data-column="PREFIX.NAME">, with the column's NAME in the
 * statement, and with the attribute data-zero if all values are 0 or NULL. The statement must be
 * bound and not yet stepped. *rows (may be NULL): the number of rows. Returns 0, or -1 if SQLite or
 * zlib failed (the statement's database has the error). */
int columns_write(sqlite3_stmt *s, const char *prefix, FILE *to, uint64_t *rows);

/* Writes the whole result as one element called NAME: an array of the column names, then one array
 * per row. Statement and return value as above. */
int columns_write_rows(sqlite3_stmt *s, const char *name, FILE *to);

/* Writes n bytes of JSON text that zlib has already compressed. 0, or -1: out of memory. */
int columns_write_packed(const void *bytes, size_t n, const char *name, FILE *to);

/* Writes a text as a JSON string, safe within a script element. */
void columns_put_text(const char *text, FILE *to);

#endif
