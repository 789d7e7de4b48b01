// SPDX-License-Identifier: Apache-2.0
/* With each page that was faulted on, one other of its 2 MB chunk, each with the same probability.
 */
#include <stdlib.h>

#include "lib/random.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"

struct random_2mb {
    const struct pages *pages;
    uint64_t state;
    struct marks picked;
};

static void *create(const struct prefetch_env *env) {
    struct random_2mb *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy(void *policy) {
    struct random_2mb *p = policy;
    marks_free(&p->picked);
    free(p);
}

/* A page of the chunk that may be picked, or PAGE_NONE. */
static uint32_t draw(struct random_2mb *p, uint32_t chunk) {
    uint32_t may[CHUNK_PAGES], n = 0;
    for (uint32_t page = chunk * CHUNK_PAGES; page < (chunk + 1) * CHUNK_PAGES; page++)
        if (page_wanted(p->pages, page) && !marks_has(&p->picked, page))
            may[n++] = page;
    return n ? may[random_below(&p->state, n)] : PAGE_NONE;
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    struct random_2mb *p = policy;
    uint32_t picked = 0;
    marks_begin(&p->picked);
    for (uint32_t i = 0; i < n && picked < room; i++) {
        uint32_t page = draw(p, demand[i] / CHUNK_PAGES);
        if (page != PAGE_NONE && marks_meet(&p->picked, page))
            out[picked++] = page;
    }
    return picked;
}

const struct prefetcher prefetcher_random_2mb = {
    .name = "random_2mb",
    .doc = "with each page that was faulted on, any other page of its 2 MB chunk",
    .create = create,
    .destroy = destroy,
    .choose = choose,
};
