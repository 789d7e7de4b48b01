/* SPDX-License-Identifier: Apache-2.0 */
/* The pages that hold lines, one after the other in the order of their addresses. */
#ifndef MEMTWIN_PREFETCH_WALK_H
#define MEMTWIN_PREFETCH_WALK_H

#include <stdint.h>

#include "pages/pages.h"

struct walk {
    const struct pages *pages; /* not owned */
    uint32_t place;            /* of the allocation, in the order of addresses */
    uint32_t offset;           /* of the next page in it */
};

/* Before the first page. */
void walk_begin(struct walk *w, const struct pages *pages);
/* Behind that page. */
void walk_behind(struct walk *w, const struct pages *pages, uint32_t page);
/* The next page, or PAGE_NONE: that was the last. */
uint32_t walk_next(struct walk *w);

#endif
