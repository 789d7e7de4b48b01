// SPDX-License-Identifier: Apache-2.0
/* Prefetches pages in address order from the lowest address, independently of the faults. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

struct sequential {
    const struct pages *pages;
};

static void *create_sequential(const struct prefetch_env *env) {
    struct sequential *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    (void)demand, (void)n;
    const struct sequential *p = policy;
    struct prefetch_walk w;
    walk_begin(&w, p->pages);
    uint32_t picked = 0, page;
    while (picked < room && picked < pages_wanted(p->pages) && (page = walk_next(&w)) != PAGE_NONE)
        if (page_wanted(p->pages, page))
            out[picked++] = page;
    return picked;
}

const struct prefetcher prefetcher_sequential = {
    .name = "sequential",
    .doc = "pages in ascending order of addresses, starting with the lowest",
    .fills = true,
    .create = create_sequential,
    .destroy = free,
    .choose = choose_pages,
};
