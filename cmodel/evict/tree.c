// SPDX-License-Identifier: Apache-2.0
/* The tree-based neighbourhood evictor: the block that sl64 would choose, and with it what is left
 * of every node above of which less than half would stay. A chunk is a full binary tree with blocks
 * as leaves; the last chunk of an allocation may be a smaller one. */
#include "evict/chunks.h"
#include "lib/bits.h"

struct tree {
    const struct chunks *chunks;
    uint32_t first;  /* page of its first block */
    uint32_t leaves; /* a power of two */
    uint32_t valid;  /* blocks that would stay: with pages that are on the GPU or will come */
    uint32_t chosen; /* blocks whose pages leave */
};

/* Chooses a block as far as its pages may leave. It is valid still if others stay. */
static void take(struct tree *t, uint32_t block) {
    const struct pages *pages = t->chunks->pages;
    uint32_t first = t->first + block * BLOCK_PAGES, left = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        left += page_stays(&pages->page[page]) && !page_evictable(pages, page);
    t->chosen |= UINT32_C(1) << block;
    if (!left)
        t->valid &= ~(UINT32_C(1) << block);
}

static void plant(struct tree *t, const struct chunks *c, uint32_t chunk) {
    *t = (struct tree){.chunks = c, .first = chunk * CHUNK_PAGES};
    t->leaves = pages_leaves(c->pages, chunk);
    t->valid = pages_valid_leaves(c->pages, chunk);
}

/* Children before their parent: a parent's count is what the children have left. */
static void cascade(struct tree *t) {
    for (uint32_t size = 2; size <= t->leaves; size *= 2)
        for (uint32_t at = 0; at < t->leaves; at += size) {
            uint32_t node = (uint32_t)(bits_low(size) << at);
            if (2 * bits_count(t->valid & node) < size)
                for (uint32_t left = t->valid & node; left; left &= left - 1)
                    take(t, bits_lowest(left));
        }
}

static uint32_t choose(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t chunk, block, n = 0;
    if (!chunks_oldest(c, &chunk, &block))
        return 0;
    struct tree t;
    plant(&t, c, chunk);
    take(&t, block);
    cascade(&t);
    for (uint32_t left = t.chosen; left; left &= left - 1)
        n += chunks_take(c, t.first + bits_lowest(left) * BLOCK_PAGES, BLOCK_PAGES, &victim[n]);
    return n;
}

const struct evictor evictor_tree = {
    .name = "tree",
    .doc = "the 64 KB block used least recently, and the rest of every tree node above it that is "
           "less than half resident after that",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .come = chunks_come,
    .gone = chunks_gone,
    .choose = choose,
};
