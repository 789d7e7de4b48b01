// SPDX-License-Identifier: Apache-2.0
/* Puts dirty bytes and writes into an L2 bank's evict buffer, from which they go to DRAM. */
#include "l2/inside.h"
#include "uvm/uvm.h"

void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask,
                   const uint8_t *from) {
    struct context *c = l2->cache.context;
    cache_write_back(&l2->cache, line, mask, from);
    if (c->uvm)
        uvm_keep(c->uvm, line);
}

void l2_claim(struct l2 *l2, uint32_t way, uint64_t line, const struct request *r) {
    const struct lines *t = &l2->cache.lines;
    stat_add(&l2->stats, STAT_l2_evictions, t->line[way] != LINE_NONE);
    if (lines_dirty(t, way)) {
        l2_push_write(l2, t->line[way], &t->way[way].dirty, cache_way_data(&l2->cache, way));
        stat_add(&l2->stats, STAT_l2_writebacks, 1);
    }
    cache_claim(&l2->cache, way, line, r);
}

void l2_drop_granule(struct l2 *l2, uint32_t way, uint64_t granule) {
    struct lines *t = &l2->cache.lines;
    const struct byte_mask bytes = cache_bytes(&l2->cache, granule);
    mask_remove(&t->way[way].valid, &bytes);
    mask_remove(&t->way[way].dirty, &bytes);
    cache_free_if_empty(&l2->cache, way); /* an empty way is never pinned */
}
