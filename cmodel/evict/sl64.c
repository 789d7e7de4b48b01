// SPDX-License-Identifier: Apache-2.0
/* A block of 64 KB: of the chunk that was used least recently, its least recently used. */
#include "evict/chunks.h"

static uint32_t choose(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t chunk, block;
    if (!chunks_oldest(c, &chunk, &block))
        return 0;
    return chunks_take(c, chunk * CHUNK_PAGES + block * BLOCK_PAGES, BLOCK_PAGES, victim);
}

const struct evictor evictor_sl64 = {
    .name = "sl64",
    .doc = "the 64 KB block used least recently, of the 2 MB chunk used least recently",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .come = chunks_come,
    .gone = chunks_gone,
    .choose = choose,
};
