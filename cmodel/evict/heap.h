/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a max-heap of pages by key. Among pages with equal keys, the page with the lowest
 * number comes first. This binary heap has an index by page, so inserting and removing a page take
 * logarithmic time. */
#ifndef MEMTWIN_EVICT_HEAP_H
#define MEMTWIN_EVICT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "pages/pages.h"

struct heap_place {
    uint64_t key;
    uint32_t place; /* index in heap.page; 0 if the page is not in the heap */
};

struct heap {
    uint32_t *page;          /* owned; the first page is at index 1 */
    struct heap_place *node; /* owned; indexed by page */
    uint32_t n, pages_room, node_room;
};

/* Frees the heap. A zeroed heap is empty. */
void heap_free(struct heap *h);

/* Inserts a page or changes its key. */
void heap_put(struct heap *h, uint32_t page, uint64_t key);
/* Removes a page if it is in the heap. */
void heap_remove(struct heap *h, uint32_t page);

static inline bool heap_has(const struct heap *h, uint32_t page) {
    return page < h->node_room && h->node[page].place;
}

/* Returns the first evictable page in heap order, or PAGE_NONE. Takes logarithmic time unless many
 * pages in front of the returned page are not evictable. */
uint32_t heap_first_evictable(const struct heap *h, const struct pages *pages);

#endif
