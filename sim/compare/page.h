/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of `memtwin compare --html`: for each counter a plot of their values and ours,
 * and tables of the errors. */
#ifndef MEMTWIN_COMPARE_PAGE_H
#define MEMTWIN_COMPARE_PAGE_H

#include <stdio.h>

#include "compare/pairs.h"

/* Files that a page compares, and the counters that it has. */
struct compare_page {
    const char *ours, *theirs;
    const struct kernel_pairs *pairs;
    const bool *wanted; /* of each counter */
};

/* Writes the page. The caller checks `to` for write errors. */
void compare_page_write(const struct compare_page *p, FILE *to);

#endif
