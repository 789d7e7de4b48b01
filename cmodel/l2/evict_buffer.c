// SPDX-License-Identifier: Apache-2.0
/* The way out of an L2 bank to DRAM: dirty bytes and writes, and lines that leave. */
#include <string.h>

#include "l2/inside.h"
#include "uvm/uvm.h"

void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask,
                   const uint8_t *from) {
    struct context *c = l2->cache.context;
    const uint32_t number =
        cache_send(&l2->cache, &l2->evict_buffer, REQUEST_WRITEBACK, line, mask);
    if (from)
        memcpy(request_data(&c->pool, number), from, LINE_BYTES);
    if (c->uvm)
        uvm_keep(c->uvm, line);
}

void l2_claim(struct l2 *l2, uint32_t way, uint64_t line, const struct request *r) {
    const struct lines *t = &l2->cache.lines;
    stat_add(&l2->stats, STAT_l2_evictions, t->line[way] != LINE_NONE);
    if (lines_dirty(t, way)) {
        l2_push_write(l2, t->line[way], &t->dirty[way], l2_way_data(l2, way));
        stat_add(&l2->stats, STAT_l2_writebacks, 1);
    }
    cache_claim(&l2->cache, way, line, r);
}

void l2_drop_granule(struct l2 *l2, uint32_t way, uint64_t granule) {
    struct lines *t = &l2->cache.lines;
    const struct byte_mask bytes = cache_bytes(&l2->cache, granule);
    mask_remove(&t->valid[way], &bytes);
    mask_remove(&t->dirty[way], &bytes);
    cache_free_if_empty(&l2->cache, way); /* not pinned: what drains is valid */
}
