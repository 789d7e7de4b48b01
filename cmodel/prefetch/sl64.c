// SPDX-License-Identifier: Apache-2.0
/* The sequential-local prefetcher: all of the basic blocks (64 KB) that were faulted on. */
#include <stdlib.h>

#include "prefetch/marks.h"
#include "lib/alloc.h"
#include "prefetch/prefetch.h"

struct sl64 {
    const struct pages *pages;
    struct marks blocks;
};

static void *create(const struct prefetch_env *env) {
    struct sl64 *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static void destroy(void *policy) {
    struct sl64 *p = policy;
    marks_free(&p->blocks);
    free(p);
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    struct sl64 *p = policy;
    marks_begin(&p->blocks);
    uint32_t picked = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = demand[i] / BLOCK_PAGES;
        if (!marks_meet(&p->blocks, block))
            continue;
        for (uint32_t k = 0; k < BLOCK_PAGES && picked < room; k++)
            if (page_wanted(p->pages, block * BLOCK_PAGES + k))
                out[picked++] = block * BLOCK_PAGES + k;
    }
    return picked;
}

const struct prefetcher prefetcher_sl64 = {
    .name = "sl64",
    .doc = "the rest of the 64 KB blocks of pages with a fault",
    .create = create,
    .destroy = destroy,
    .choose = choose,
};
