// SPDX-License-Identifier: Apache-2.0
/* Tree-based neighborhood prefetcher. Prefetches the rest of the faulted 64 KB blocks, and the
 * rest of every tree node above them that is then more than half valid. A chunk is a full binary
 * tree with blocks as leaves. The last chunk of an allocation may be smaller. */
#include <stdlib.h>

#include "lib/bits.h"
#include "lib/alloc.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"

struct prefetch_tree {
    const struct pages *pages;
    struct prefetch_marks chunks;
};

/* Array that receives the chosen pages. */
struct tree_picks {
    uint32_t *page;
    uint32_t n, room;
};

static void *create_tree(const struct prefetch_env *env) {
    struct prefetch_tree *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static void destroy_tree(void *policy) {
    struct prefetch_tree *p = policy;
    marks_free(&p->chunks);
    free(p);
}

/* Fills each node that is more than half valid, from the bottom up, so that a filled child
 * counts in full in its parent. Returns the resulting mask of valid leaves. */
static uint32_t fill_leaves(uint32_t valid, unsigned leaves) {
    for (unsigned size = 2; size <= leaves; size *= 2)
        for (unsigned leaf = 0; leaf < leaves; leaf += size) {
            uint32_t node = (uint32_t)(bits_low(size) << leaf);
            if (2 * bits_count(valid & node) > size)
                valid |= node;
        }
    return valid;
}

static void pick_leaves(const struct pages *pages, uint32_t chunk, uint32_t leaves,
                        struct tree_picks *to) {
    for (; leaves; leaves &= leaves - 1) {
        uint32_t first = chunk * CHUNK_PAGES + bits_lowest(leaves) * BLOCK_PAGES;
        for (uint32_t page = first; page < first + BLOCK_PAGES && to->n < to->room; page++)
            if (page_wanted(pages, page))
                to->page[to->n++] = page;
    }
}

/* Returns a mask of the faulted blocks in the chunk. */
static uint32_t faulted_leaves(uint32_t chunk, const uint32_t *demand, uint32_t n) {
    uint32_t faulted = 0;
    for (uint32_t i = 0; i < n; i++)
        if (demand[i] / CHUNK_PAGES == chunk)
            faulted |= UINT32_C(1) << demand[i] % CHUNK_PAGES / BLOCK_PAGES;
    return faulted;
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    struct prefetch_tree *p = policy;
    struct tree_picks picks = {out, 0, room};
    marks_begin(&p->chunks);
    for (uint32_t i = 0; i < n && picks.n < room; i++) {
        uint32_t chunk = demand[i] / CHUNK_PAGES;
        if (!marks_meet(&p->chunks, chunk))
            continue;
        uint32_t faulted = faulted_leaves(chunk, &demand[i], n - i);
        uint32_t valid = pages_valid_leaves(p->pages, chunk);
        pick_leaves(p->pages, chunk, faulted, &picks);
        pick_leaves(p->pages, chunk, fill_leaves(valid, pages_leaves(p->pages, chunk)) & ~valid,
                    &picks);
    }
    return picks.n;
}

const struct prefetcher prefetcher_tree = {
    .name = "tree",
    .doc = "the 64 KB blocks of faulted pages, and the rest of every tree node above them that is "
           "then more than half resident",
    .create = create_tree,
    .destroy = destroy_tree,
    .choose = choose_pages,
};
