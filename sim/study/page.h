/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `memtwin report`: a database in one HTML file (docs/studies.md). */
#ifndef MEMTWIN_STUDY_PAGE_H
#define MEMTWIN_STUDY_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "study/db.h"

/* Writes the page of one study (NULL: of all) of an open database. *runs: how many are in it. 0, or
 * -1 with one line in err: no such study, no runs, what SQLite says. Write errors are those of
 * `to`. */
int page_write(struct study_db *d, const char *study, FILE *to, uint64_t *runs, char *err,
               size_t err_size);

#endif
