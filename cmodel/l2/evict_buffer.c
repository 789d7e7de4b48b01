// SPDX-License-Identifier: Apache-2.0
/* The way out of an L2 bank to DRAM: dirty bytes and writes, and lines that leave. */
#include <string.h>

#include "l2/inside.h"
#include "uvm/uvm.h"

void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask,
                   const uint8_t *from) {
    struct request_pool *pool = &l2->context->pool;
    uint32_t number = request_take(pool);
    struct request *p = request_at(pool, number);
    p->line = line;
    p->mask = *mask;
    p->kind = REQUEST_WRITEBACK;
    p->reply = false;
    if (from)
        memcpy(request_data(pool, number), from, LINE_BYTES);
    fifo_push(&l2->evict_buffer, number);
    if (l2->context->uvm)
        uvm_keep(l2->context->uvm, line);
}

void l2_evict(struct l2 *l2, uint32_t way) {
    if (l2->lines.line[way] == LINE_NONE)
        return;
    stat_add(&l2->stats, STAT_l2_evictions, 1);
    if (!lines_dirty(&l2->lines, way))
        return;
    l2_push_write(l2, l2->lines.line[way], &l2->lines.dirty[way], l2_way_data(l2, way));
    stat_add(&l2->stats, STAT_l2_writebacks, 1);
}

void l2_forget(struct l2 *l2, uint32_t way, uint64_t granule) {
    struct lines *t = &l2->lines;
    const struct byte_mask m = mask_of_sectors(l2_sectors_of(l2, granule));
    mask_remove(&t->valid[way], &m);
    mask_remove(&t->dirty[way], &m);
    if (mask_none(&t->valid[way]) && !t->pending[way])
        lines_drop(t, way); /* not pinned: what drains is valid */
}
