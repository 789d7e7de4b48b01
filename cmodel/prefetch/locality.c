// SPDX-License-Identifier: Apache-2.0
/* Prefetches the pages after the last faulted page, in address order. Until GPU memory is full,
 * there is no limit to their distance. After that, only pages within a window are prefetched. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

/* Number of pages in the window, which covers 512 KB (Zheng et al., section 4). */
#define LOCALITY_WINDOW 128

struct locality {
    const struct pages *pages;
    uint32_t last;   /* page of the last fault, or PAGE_NONE before the first one */
    uint32_t window; /* maximum distance from `last` in pages; 0 for no limit */
};

static void *create_locality(const struct prefetch_env *env) {
    struct locality *p = alloc_zeroed(1, sizeof *p);
    *p = (struct locality){env->pages, PAGE_NONE, env->full ? LOCALITY_WINDOW : 0};
    return p;
}

/* Returns the next page. After the last page, returns the first page if there is no window, or else
 * PAGE_NONE. */
static uint32_t next(const struct locality *p, struct prefetch_walk *w) {
    uint32_t page = walk_next(w);
    if (page == PAGE_NONE && !p->window) {
        walk_begin(w, p->pages);
        page = walk_next(w);
    }
    return page;
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    struct locality *p = policy;
    if (n)
        p->last = demand[n - 1];
    if (p->last == PAGE_NONE)
        return 0;
    struct prefetch_walk w;
    walk_behind(&w, p->pages, p->last);
    uint32_t steps = p->window ? p->window : pages_footprint(p->pages), picked = 0;
    for (uint32_t i = 0; i < steps && picked < room && picked < pages_wanted(p->pages); i++) {
        uint32_t page = next(p, &w);
        if (page == PAGE_NONE)
            break;
        if (page_wanted(p->pages, page))
            out[picked++] = page;
    }
    return picked;
}

const struct prefetcher prefetcher_locality = {
    .name = "locality",
    .doc = "the pages after the last faulted page; once memory is full, only those in a window",
    .fills = true,
    .create = create_locality,
    .destroy = free,
    .choose = choose_pages,
};
