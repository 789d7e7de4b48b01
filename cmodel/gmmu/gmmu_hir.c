// SPDX-License-Identifier: Apache-2.0
/* The HIR cache (docs/understand/hir.md): it counts walks that hit, and sends its counts when the
 * driver asks for them. */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/hpe.h"
#include "hir/hir.h"
#include "hir/hir_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_hir {
    struct gmmu_observer observer; /* the first member: the same address */
    struct uvm *uvm;               /* not owned */
    struct block_part block;
    struct hir_in in; /* of the cycle */
    struct hir_out out;
    uint32_t pages;              /* of a page set */
    uint32_t interval;           /* SM cycles from one entry that is taken to the next */
    uint64_t take_at;            /* the first in which the next may be */
    uint64_t lost;               /* what the block's counter has been seen to show */
    uint64_t lost_ever;          /* lost hits that have been seen */
    bool due;                    /* the block has to send out what it has counted */
    uint32_t bytes;              /* of an entry on the link */
    uint64_t entries, transfers; /* sent */
};

static int init_block(struct gmmu_hir *h, struct block_list *blocks, const struct config *cfg,
                      char *err, size_t err_size) {
    struct block_params p;
    block_params_default(&hir_type, &p);
    p.v[HIR_SETS] = cfg->hir_sets;
    p.v[HIR_WAYS] = cfg->hir_ways;
    p.v[HIR_PAGES] = cfg->hpe_set_pages;
    p.v[HIR_COUNT_W] = cfg->hir_count_bits;
    return block_part_init(&h->block, blocks, &hir_type, &p, "gmmu.hir", err, err_size);
}

static void destroy(struct gmmu_observer *o) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    block_part_free(&h->block);
    free(h);
}

/* The block's counter goes back to 0 when it has been emptied. */
static uint64_t grown(const struct gmmu_hir *h, uint64_t lost) {
    return lost > h->lost ? lost - h->lost : 0;
}

/* The hits come after this, so it is stepped whatever comes. */
static void begin(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    (void)cycle;
    h->in = (struct hir_in){0};
    if (!block_part_eval(&h->block, &h->in, &h->out, true))
        return;
    h->lost_ever += grown(h, h->out.lost);
    h->lost = h->out.lost;
}

static bool ready(const struct gmmu_observer *o, uint32_t page) {
    const struct gmmu_hir *h = (const struct gmmu_hir *)o;
    (void)page;
    return !h->block.reset && h->out.hit_ready;
}

static void walk(struct gmmu_observer *o, uint32_t page) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    h->in.hit_valid = 1;
    h->in.hit_set = page / h->pages;
    h->in.hit_page = page % h->pages;
}

/* One entry in `interval` cycles. */
static void take_entry(struct gmmu_hir *h, uint64_t cycle) {
    if (!h->out.out_valid || cycle < h->take_at)
        return;
    h->in.out_ready = 1;
    h->take_at = cycle + h->interval;
    const uint64_t entry[2] = {h->out.out_set, h->out.out_counts};
    uvm_send(h->uvm, "HIR cache", entry, h->bytes, h->out.out_last);
    h->entries++;
    h->transfers += h->out.out_last;
}

static void tick(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    struct hpe *hpe = uvm_evictor_state(h->uvm);
    h->due = (hpe && hpe_calls_hir(hpe)) || h->due;
    if (!h->block.reset) {
        take_entry(h, cycle);
        h->in.flush = h->due && !h->out.busy;
        h->due = h->due && !h->in.flush;
    }
    block_part_tick(&h->block, &h->in);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_hir *h = (const struct gmmu_hir *)o;
    if (h->due || block_part_next_event(&h->block) == 0)
        return cycle;
    return hir_next_event(h->block.inst.model) == 0 ? cycle : UINT64_MAX;
}

/* Lost hits that no cycle has seen yet are among them. */
static void add_stats(const struct gmmu_observer *o, struct stats *s) {
    const struct gmmu_hir *h = (const struct gmmu_hir *)o;
    const struct hir_in in = {0};
    struct hir_out out;
    stat_add(s, STAT_hir_entries, h->entries);
    stat_add(s, STAT_hir_transfers, h->transfers);
    stat_add(s, STAT_hir_lost, h->lost_ever);
    if (h->block.reset)
        return;
    h->block.inst.type->eval(h->block.inst.model, &in, &out);
    stat_add(s, STAT_hir_lost, grown(h, out.lost));
}

struct gmmu_observer *gmmu_hir_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, char *err, size_t err_size) {
    static const struct gmmu_observer_type type = {.destroy = destroy,
                                                   .begin = begin,
                                                   .ready = ready,
                                                   .waits = STAT_gmmu_hir_wait_cycles,
                                                   .walk = walk,
                                                   .tick = tick,
                                                   .next_event = next_event,
                                                   .add_stats = add_stats};
    struct gmmu_hir *h = alloc_zeroed(1, sizeof *h);
    h->observer.type = &type;
    h->uvm = uvm;
    h->pages = (uint32_t)cfg->hpe_set_pages;
    h->interval = (uint32_t)cfg->hir_out_interval;
    h->bytes = (uint32_t)(48 + cfg->hpe_set_pages * cfg->hir_count_bits + 7) / 8;
    if (init_block(h, &context->blocks, cfg, err, err_size) != 0) {
        destroy(&h->observer);
        return NULL;
    }
    return &h->observer;
}
