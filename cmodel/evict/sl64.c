// SPDX-License-Identifier: Apache-2.0
/* Evicts the evictable pages of a 64 KB block: the block that chunks_oldest() finds. */
#include "evict/chunks.h"

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t chunk, block;
    if (!chunks_oldest(c, &chunk, &block))
        return 0;
    return chunks_take(c, chunk * CHUNK_PAGES + block * BLOCK_PAGES, BLOCK_PAGES, victim);
}

const struct evictor evictor_sl64 = {
    .name = "sl64",
    .doc = "the least recently used 64 KB block of the least recently used 2 MB chunk",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .add = chunks_come,
    .remove = chunks_gone,
    .choose = choose_victims,
};
