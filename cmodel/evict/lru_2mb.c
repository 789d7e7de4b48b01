// SPDX-License-Identifier: Apache-2.0
/* All pages of the chunk that was used least recently. */
#include "evict/chunks.h"

static uint32_t choose(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t n = 0;
    for (uint32_t i = c->used.first; i != ORDER_NONE && n == 0; i = order_after(&c->used, i))
        n = chunks_take(c, i * CHUNK_PAGES, CHUNK_PAGES, victim);
    return n;
}

const struct evictor evictor_lru_2mb = {
    .name = "lru_2mb",
    .doc = "the 2 MB chunk used least recently",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .come = chunks_come,
    .gone = chunks_gone,
    .choose = choose,
};
