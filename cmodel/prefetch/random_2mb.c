// SPDX-License-Identifier: Apache-2.0
/* For each faulted page, prefetches a page drawn uniformly at random from the same 2 MB chunk.
 * Prefetches nothing if the drawn page is already present, as UVMSmart does. */
#include <stdlib.h>

#include "lib/random.h"
#include "lib/alloc.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"

struct random_2mb {
    const struct pages *pages;
    uint64_t state;
    struct prefetch_marks picked;
};

static void *create_random_2mb(const struct prefetch_env *env) {
    struct random_2mb *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy_random_2mb(void *policy) {
    struct random_2mb *p = policy;
    marks_free(&p->picked);
    free(p);
}

/* Returns a random page of the chunk, present or not. */
static uint32_t draw_page(struct random_2mb *p, uint32_t chunk) {
    uint32_t pages = pages_leaves(p->pages, chunk) * BLOCK_PAGES;
    return chunk * CHUNK_PAGES + random_below(&p->state, pages);
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    struct random_2mb *p = policy;
    uint32_t picked = 0;
    marks_begin(&p->picked);
    for (uint32_t i = 0; i < n && picked < room; i++) {
        uint32_t page = draw_page(p, demand[i] / CHUNK_PAGES);
        if (page_wanted(p->pages, page) && marks_meet(&p->picked, page))
            out[picked++] = page;
    }
    return picked;
}

const struct prefetcher prefetcher_random_2mb = {
    .name = "random_2mb",
    .doc = "for each faulted page, a random page of its 2 MB chunk, unless that page is resident",
    .create = create_random_2mb,
    .destroy = destroy_random_2mb,
    .choose = choose_pages,
};
