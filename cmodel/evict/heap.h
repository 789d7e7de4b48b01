/* SPDX-License-Identifier: Apache-2.0 */
/* Pages, the one of the largest key first, of several the one of the lowest number: a binary heap
 * that knows where each page is. Every operation takes time that grows with its logarithm. */
#ifndef MEMTWIN_EVICT_HEAP_H
#define MEMTWIN_EVICT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "pages/pages.h"

struct heap_place {
    uint64_t key;
    uint32_t place; /* in heap.page; 0: the page is not in */
};

struct heap {
    uint32_t *page;        /* owned; the first at place 1 */
    struct heap_place *of; /* owned; by page */
    uint32_t n, pages_room, of_room;
};

/* All zero: empty. */
void heap_free(struct heap *h);

/* Puts a page in, or changes its key. */
void heap_put(struct heap *h, uint32_t page, uint64_t key);
/* Takes it out, if it is in. */
void heap_remove(struct heap *h, uint32_t page);

static inline bool heap_has(const struct heap *h, uint32_t page) {
    return page < h->of_room && h->of[page].place;
}

/* The first page that may leave; PAGE_NONE: there is none. As fast as the others unless many that
 * come before it may not. */
uint32_t heap_first_evictable(const struct heap *h, const struct pages *pages);

#endif
