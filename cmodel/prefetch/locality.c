// SPDX-License-Identifier: Apache-2.0
/* The pages behind the one that was faulted on last: before GPU memory is full on and on in the
 * order of addresses, as far as there is room, from then on only those of a window. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

struct locality {
    const struct pages *pages;
    uint32_t last;   /* page that was faulted on last; PAGE_NONE: none yet */
    uint32_t window; /* pages behind it; 0: all, and then those before it */
};

static void *create(const struct prefetch_env *env) {
    struct locality *p = alloc_zeroed(1, sizeof *p);
    *p = (struct locality){env->pages, PAGE_NONE,
                           env->full ? (uint32_t)env->cfg->uvm_locality_pages : 0};
    return p;
}

/* The next page; without a window on from the first one again. */
static uint32_t next(const struct locality *p, struct walk *w) {
    uint32_t page = walk_next(w);
    if (page == PAGE_NONE && !p->window) {
        walk_begin(w, p->pages);
        page = walk_next(w);
    }
    return page;
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    struct locality *p = policy;
    if (n)
        p->last = demand[n - 1];
    if (p->last == PAGE_NONE)
        return 0;
    struct walk w;
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
    .doc = "the pages after the last one with a fault; once memory is full, only those of a window",
    .fills = true,
    .create = create,
    .destroy = free,
    .choose = choose,
};
