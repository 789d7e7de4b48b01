/* SPDX-License-Identifier: Apache-2.0 */
/* Iterator over the pages that contain lines, in address order. */
#ifndef MEMTWIN_PREFETCH_WALK_H
#define MEMTWIN_PREFETCH_WALK_H

#include <stdint.h>

#include "pages/pages.h"

struct prefetch_walk {
    const struct pages *pages; /* not owned */
    uint32_t place;            /* index of the current allocation in address order */
    uint32_t offset;           /* index of the next page within the allocation */
};

/* Starts at the first page. */
void walk_begin(struct prefetch_walk *w, const struct pages *pages);
/* Starts after `page`. */
void walk_behind(struct prefetch_walk *w, const struct pages *pages, uint32_t page);
/* Returns the next page, or PAGE_NONE at the end. */
uint32_t walk_next(struct prefetch_walk *w);

#endif
