/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of `memtwin report`, a database in one HTML file (docs/use/studies.md). */
#ifndef MEMTWIN_STUDY_PAGE_H
#define MEMTWIN_STUDY_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "study/db.h"

#define PAGE_INSIDE_MIB 16 /* default of limit_mib */

struct page_counts {
    uint64_t runs;     /* number of runs in the page */
    uint64_t left_out; /* number of runs in the page without their details and time series */
    uint64_t damaged;  /* number of time series left out because they cannot be read */
};

/* Writes the page of one study (NULL means all studies) of an open database. The page has the
 * details and time series of the first runs, up to limit_mib MiB in all. Returns 0, or -1 with one
 * line in err if there is no such study, if there are no runs, or if SQLite failed. The caller
 * checks `to` for write errors. */
int page_write(struct study_db *d, const char *study, uint64_t limit_mib, FILE *to,
               struct page_counts *counts, struct error *err);

/* Returns true if the file is a page of `memtwin report`. */
bool page_is_ours(FILE *f);

#endif
