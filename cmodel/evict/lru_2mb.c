// SPDX-License-Identifier: Apache-2.0
/* Evicts all evictable pages of the least recently used chunk with an evictable page. */
#include "evict/chunks.h"

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t n = 0;
    for (uint32_t i = c->used.first; i != ORDER_NONE && n == 0; i = order_after(&c->used, i))
        n = chunks_take(c, i * CHUNK_PAGES, CHUNK_PAGES, victim);
    return n;
}

const struct evictor evictor_lru_2mb = {
    .name = "lru_2mb",
    .doc = "the least recently used 2 MB chunk",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .add = chunks_come,
    .remove = chunks_gone,
    .choose = choose_victims,
};
