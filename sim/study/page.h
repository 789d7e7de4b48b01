/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `memtwin report`: a database in one HTML file (docs/use/studies.md). */
#ifndef MEMTWIN_STUDY_PAGE_H
#define MEMTWIN_STUDY_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "study/db.h"

#define PAGE_INSIDE_MIB 16 /* default of limit_mib */

struct page_counts {
    uint64_t runs;     /* in the page */
    uint64_t left_out; /* runs in the page without their details and time series */
};

/* Writes the page of one study (NULL: all studies) of an open database, with the details and time
 * series of as many of its first runs as fit into limit_mib MiB. 0, or -1 with one line in err: no
 * such study, no runs, or an error of SQLite. The caller checks `to` for write errors. */
int page_write(struct study_db *d, const char *study, uint64_t limit_mib, FILE *to,
               struct page_counts *counts, char *err, size_t err_size);

#endif
