/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `memtwin report`: a database in one HTML file (docs/studies.md). */
#ifndef MEMTWIN_STUDY_PAGE_H
#define MEMTWIN_STUDY_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "study/db.h"

/* Writes the page of one study (NULL: all studies) of an open database. *runs: its number of runs.
 * 0, or -1 with one line in err: no such study, no runs, or an error of SQLite. The caller checks
 * `to` for write errors. */
int page_write(struct study_db *d, const char *study, FILE *to, uint64_t *runs, char *err,
               size_t err_size);

#endif
