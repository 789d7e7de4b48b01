// SPDX-License-Identifier: Apache-2.0
/* Prefetches the pages that will still be used, in the order of their first use in a first pass. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"

struct prefetch_oracle {
    const struct pages *pages;
    const struct book *book;
};

static void *create_oracle(const struct prefetch_env *env) {
    struct prefetch_oracle *p = alloc_zeroed(1, sizeof *p);
    *p = (struct prefetch_oracle){env->pages, env->book};
    return p;
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    (void)demand, (void)n;
    const struct prefetch_oracle *p = policy;
    uint32_t n_order, picked = 0;
    const uint32_t *order = book_order(p->book, &n_order);
    for (uint32_t i = 0; i < n_order && picked < room && picked < pages_wanted(p->pages); i++)
        if (page_wanted(p->pages, order[i]) && book_next(p->book, order[i]) != BOOK_NEVER)
            out[picked++] = order[i];
    return picked;
}

const struct prefetcher prefetcher_oracle = {
    .name = "oracle",
    .doc = "pages in the order of their first use, known from a first pass",
    .needs = NEED_FIRST_PASS,
    .fills = true,
    .create = create_oracle,
    .destroy = free,
    .choose = choose_pages,
};
