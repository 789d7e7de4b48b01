// SPDX-License-Identifier: Apache-2.0
#include "prefetch/walk.h"

static const struct page_alloc *alloc_at(const struct pages *p, uint32_t place) {
    return &p->alloc[p->on_touch ? p->by_base[place] : place];
}

void walk_begin(struct prefetch_walk *w, const struct pages *pages) {
    *w = (struct prefetch_walk){.pages = pages};
}

void walk_behind(struct prefetch_walk *w, const struct pages *pages, uint32_t page) {
    const struct page_alloc *a = pages_alloc(pages, page);
    uint32_t low = 0, high = pages->n_allocs;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (alloc_at(pages, mid)->base <= a->base)
            low = mid;
        else
            high = mid;
    }
    *w = (struct prefetch_walk){pages, low, page - a->first + 1};
}

uint32_t walk_next(struct prefetch_walk *w) {
    for (; w->place < w->pages->n_allocs; w->place++, w->offset = 0) {
        const struct page_alloc *a = alloc_at(w->pages, w->place);
        if ((uint64_t)w->offset * PAGE_BYTES < a->bytes)
            return a->first + w->offset++;
    }
    return PAGE_NONE;
}
