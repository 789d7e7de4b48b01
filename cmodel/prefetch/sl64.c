// SPDX-License-Identifier: Apache-2.0
/* Sequential-local prefetcher: prefetches the rest of the faulted basic blocks (64 KB). */
#include <stdlib.h>

#include "prefetch/marks.h"
#include "lib/alloc.h"
#include "prefetch/prefetch.h"

struct sl64 {
    const struct pages *pages;
    struct prefetch_marks blocks;
};

static void *create_sl64(const struct prefetch_env *env) {
    struct sl64 *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static void destroy_sl64(void *policy) {
    struct sl64 *p = policy;
    marks_free(&p->blocks);
    free(p);
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
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
    .doc = "the rest of the 64 KB blocks of faulted pages",
    .create = create_sl64,
    .destroy = destroy_sl64,
    .choose = choose_pages,
};
