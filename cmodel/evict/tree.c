// SPDX-License-Identifier: Apache-2.0
/* Implements the tree-based neighborhood evictor. Evicts the block that sl64 would choose, and then
 * the rest of every node above the block that would then be less than half valid. A chunk is a full
 * binary tree with blocks as leaves. The tree of an allocation's last chunk may be smaller. */
#include "evict/chunks.h"
#include "lib/bits.h"

struct evict_tree {
    const struct chunks *chunks;
    uint32_t first;  /* first page of the tree's first block */
    uint32_t leaves; /* number of leaves, a power of two */
    uint32_t valid;  /* set of blocks that stay valid, because some of their pages are on the GPU or
                        will arrive */
    uint32_t chosen; /* set of blocks with victims */
};

/* Chooses the evictable pages of a block. The block remains valid if it has other pages. */
static void take_block(struct evict_tree *t, uint32_t block) {
    const struct pages *pages = t->chunks->pages;
    uint32_t first = t->first + block * BLOCK_PAGES, left = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        left += page_stays(&pages->page[page]) && !page_evictable(pages, page);
    t->chosen |= UINT32_C(1) << block;
    if (!left)
        t->valid &= ~(UINT32_C(1) << block);
}

static void plant(struct evict_tree *t, const struct chunks *c, uint32_t chunk) {
    *t = (struct evict_tree){.chunks = c, .first = chunk * CHUNK_PAGES};
    t->leaves = pages_leaves(c->pages, chunk);
    t->valid = pages_valid_leaves(c->pages, chunk);
}

/* Evicts the blocks of nodes that are less than half valid, from the leaves to the root. */
static void cascade(struct evict_tree *t) {
    for (uint32_t size = 2; size <= t->leaves; size *= 2)
        for (uint32_t leaf = 0; leaf < t->leaves; leaf += size) {
            uint32_t node = (uint32_t)(bits_low(size) << leaf);
            if (2 * bits_count(t->valid & node) < size)
                for (uint32_t left = t->valid & node; left; left &= left - 1)
                    take_block(t, bits_lowest(left));
        }
}

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    const struct chunks *c = policy;
    uint32_t chunk, block, n = 0;
    if (!chunks_oldest(c, &chunk, &block))
        return 0;
    struct evict_tree t;
    plant(&t, c, chunk);
    take_block(&t, block);
    cascade(&t);
    for (uint32_t left = t.chosen; left; left &= left - 1)
        n += chunks_take(c, t.first + bits_lowest(left) * BLOCK_PAGES, BLOCK_PAGES, &victim[n]);
    return n;
}

const struct evictor evictor_tree = {
    .name = "tree",
    .doc = "the least recently used 64 KB block, and the rest of every tree node above it that is "
           "then less than half resident",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .touch = chunks_touch,
    .add = chunks_come,
    .remove = chunks_gone,
    .choose = choose_victims,
};
