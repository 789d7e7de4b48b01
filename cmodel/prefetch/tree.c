// SPDX-License-Identifier: Apache-2.0
/* The tree-based neighbourhood prefetcher: the 64 KB blocks that were faulted on, and with them
 * the rest of every node of the tree above of which more than half is there then. A chunk is a full
 * binary tree with blocks as leaves; the last chunk of an allocation may be a smaller one. */
#include <stdlib.h>

#include "lib/bits.h"
#include "lib/alloc.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"

struct tree {
    const struct pages *pages;
    struct marks chunks;
};

/* Where chosen pages go. */
struct picks {
    uint32_t *page;
    uint32_t n, room;
};

static void *create(const struct prefetch_env *env) {
    struct tree *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    return p;
}

static void destroy(void *policy) {
    struct tree *p = policy;
    marks_free(&p->chunks);
    free(p);
}

/* Fills each node of which more than half is valid; children before their parent, so that a filled
 * one counts in full above. */
static uint32_t fill(uint32_t valid, unsigned leaves) {
    for (unsigned size = 2; size <= leaves; size *= 2)
        for (unsigned at = 0; at < leaves; at += size) {
            uint32_t node = (uint32_t)(bits_low(size) << at);
            if (2 * bits_count(valid & node) > size)
                valid |= node;
        }
    return valid;
}

static void pick(const struct pages *pages, uint32_t chunk, uint32_t leaves, struct picks *to) {
    for (; leaves; leaves &= leaves - 1) {
        uint32_t first = chunk * CHUNK_PAGES + bits_lowest(leaves) * BLOCK_PAGES;
        for (uint32_t page = first; page < first + BLOCK_PAGES && to->n < to->room; page++)
            if (page_wanted(pages, page))
                to->page[to->n++] = page;
    }
}

/* Blocks of the chunk that were faulted on. */
static uint32_t faulted_leaves(uint32_t chunk, const uint32_t *demand, uint32_t n) {
    uint32_t faulted = 0;
    for (uint32_t i = 0; i < n; i++)
        if (demand[i] / CHUNK_PAGES == chunk)
            faulted |= UINT32_C(1) << demand[i] % CHUNK_PAGES / BLOCK_PAGES;
    return faulted;
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    struct tree *p = policy;
    struct picks picks = {out, 0, room};
    marks_begin(&p->chunks);
    for (uint32_t i = 0; i < n && picks.n < room; i++) {
        uint32_t chunk = demand[i] / CHUNK_PAGES;
        if (!marks_meet(&p->chunks, chunk))
            continue;
        uint32_t faulted = faulted_leaves(chunk, &demand[i], n - i);
        uint32_t valid = pages_valid_leaves(p->pages, chunk);
        pick(p->pages, chunk, faulted, &picks);
        pick(p->pages, chunk, fill(valid, pages_leaves(p->pages, chunk)) & ~valid, &picks);
    }
    return picks.n;
}

const struct prefetcher prefetcher_tree = {
    .name = "tree",
    .doc = "the 64 KB blocks of pages with a fault, and the rest of every tree node above them "
           "that is more than half resident after that",
    .create = create,
    .destroy = destroy,
    .choose = choose,
};
