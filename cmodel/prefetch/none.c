// SPDX-License-Identifier: Apache-2.0
/* Prefetches nothing. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "prefetch/prefetch.h"

static void *create_none(const struct prefetch_env *env) {
    (void)env;
    return alloc_zeroed(1, 1);
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    (void)policy, (void)demand, (void)n, (void)out, (void)room;
    return 0;
}

const struct prefetcher prefetcher_none = {
    .name = "none",
    .doc = "nothing: only faulted pages move",
    .create = create_none,
    .destroy = free,
    .choose = choose_pages,
};
