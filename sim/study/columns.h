/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a question to the database, each a script element of an HTML page: a JSON array of
 * its values, gzipped, in base64. So a page of 100,000 runs holds them all and reads those that it
 * shows. */
#ifndef MEMTWIN_STUDY_COLUMNS_H
#define MEMTWIN_STUDY_COLUMNS_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Writes <script type="text/plain" data-column="PREFIX.NAME">, NAME as the statement calls it; with
 * the attribute data-zero if no value is anything but 0 or NULL. The statement is bound, and stands
 * before its first row. *rows (may be NULL): how many it has. 0; -1: SQLite or zlib refused (the
 * statement's database says which). */
int columns_write(sqlite3_stmt *s, const char *prefix, FILE *to, uint64_t *rows);

/* All of it in one element, which NAME names: an array with the names of its columns and then one
 * of each row. The same. */
int columns_write_rows(sqlite3_stmt *s, const char *name, FILE *to);

/* n bytes that are a JSON text packed by zlib already. 0, or -1: out of memory. */
int columns_write_packed(const void *bytes, size_t n, const char *name, FILE *to);

/* A text as JSON, for a script element. */
void columns_put_text(const char *text, FILE *to);

#endif
