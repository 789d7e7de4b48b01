// SPDX-License-Identifier: Apache-2.0
/* From the lowest address on, whatever was faulted on. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

struct sequential {
    const struct pages *pages;
};

static void *create(const struct prefetch_env *env) {
    struct sequential *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    (void)demand, (void)n;
    const struct sequential *p = policy;
    struct walk w;
    walk_begin(&w, p->pages);
    uint32_t picked = 0, page;
    while (picked < room && picked < pages_wanted(p->pages) && (page = walk_next(&w)) != PAGE_NONE)
        if (page_wanted(p->pages, page))
            out[picked++] = page;
    return picked;
}

const struct prefetcher prefetcher_sequential = {
    .name = "sequential",
    .doc = "pages in the order of addresses, from the lowest on",
    .fills = true,
    .create = create,
    .destroy = free,
    .choose = choose,
};
