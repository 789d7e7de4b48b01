// SPDX-License-Identifier: Apache-2.0
/* Connects the HIR cache (docs/understand/hir.md), which counts page walks that hit and sends the
 * counters when the driver requests them. */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/hpe.h"
#include "hir/hir.h"
#include "hir/hir_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_hir {
    struct gmmu_observer observer; /* must be first: its address is also that of the struct */
    struct uvm *uvm;               /* not owned */
    struct block_part block;
    struct hir_in in; /* inputs in this cycle */
    struct hir_out out;
    uint32_t pages;     /* number of pages in a page set */
    uint32_t interval;  /* minimum number of SM cycles from one taken entry to the next */
    uint64_t take_at;   /* first cycle in which the next entry may be taken */
    uint64_t lost;      /* last value read from the block's counter of lost hits */
    uint64_t lost_ever; /* total number of lost hits read from the block */
    bool due;           /* true if the driver has requested a flush that has not begun */
    uint32_t bytes;     /* size of an entry on the link, in bytes */
    uint64_t entries,   /* number of entries sent */
        transfers;      /* number of transfers sent */
};

static int init_block(struct gmmu_hir *h, struct block_list *blocks, const struct config *cfg,
                      struct error *err) {
    struct block_params p;
    block_params_default(&hir_type, &p);
    p.v[HIR_SETS] = cfg->hir_sets;
    p.v[HIR_WAYS] = cfg->hir_ways;
    p.v[HIR_PAGES] = cfg->hpe_set_pages;
    p.v[HIR_COUNT_W] = HIR_COUNT_BITS;
    return block_part_init(&h->block, blocks, &hir_type, &p, "gmmu.hir", err);
}

static void destroy_observer(struct gmmu_observer *o) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    block_part_free(&h->block);
    free(h);
}

/* Returns the increase of the block's counter of lost hits since it was last read. The counter
 * restarts at 0 after the block has been emptied. */
static uint64_t grown(const struct gmmu_hir *h, uint64_t lost) {
    return lost > h->lost ? lost - h->lost : 0;
}

/* Begins the cycle. The block is always evaluated, because hits arrive later in the cycle. */
static void begin_cycle(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    (void)cycle;
    h->in = (struct hir_in){0};
    if (!block_part_eval(&h->block, &h->in, &h->out, true))
        return;
    h->lost_ever += grown(h, h->out.lost);
    h->lost = h->out.lost;
}

static bool can_take(const struct gmmu_observer *o, uint32_t page) {
    const struct gmmu_hir *h = (const struct gmmu_hir *)o;
    (void)page;
    return !h->block.reset && h->out.hit_ready;
}

static void note_walk(struct gmmu_observer *o, uint32_t page) {
    struct gmmu_hir *h = (struct gmmu_hir *)o;
    h->in.hit_valid = 1;
    h->in.hit_set = page / h->pages;
    h->in.hit_page = page % h->pages;
}

/* Takes at most one entry per `interval` cycles. */
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

static void tick_observer(struct gmmu_observer *o, uint64_t cycle) {
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

/* Adds the statistics, including the hits that were lost after the last evaluation of the block. */
static void add_stats(const struct gmmu_observer *o, struct stats *s) {
    const struct gmmu_hir *h = (const struct gmmu_hir *)o;
    const struct hir_in in = {0};
    struct hir_out out;
    stat_add(s, STAT_hir_entries, h->entries);
    stat_add(s, STAT_hir_transfers, h->transfers);
    stat_add(s, STAT_hir_losses, h->lost_ever);
    if (h->block.reset)
        return;
    h->block.inst.type->eval(h->block.inst.model, &in, &out);
    stat_add(s, STAT_hir_losses, grown(h, out.lost));
}

struct gmmu_observer *gmmu_hir_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, struct error *err) {
    static const struct gmmu_observer_type type = {.destroy = destroy_observer,
                                                   .begin = begin_cycle,
                                                   .ready = can_take,
                                                   .waits = STAT_gmmu_hir_wait_cycles,
                                                   .walk = note_walk,
                                                   .tick = tick_observer,
                                                   .next_event = next_event,
                                                   .add_stats = add_stats};
    struct gmmu_hir *h = alloc_zeroed(1, sizeof *h);
    h->observer.type = &type;
    h->uvm = uvm;
    h->pages = (uint32_t)cfg->hpe_set_pages;
    h->interval = (uint32_t)cfg->hir_transfer_interval;
    h->bytes = (uint32_t)(48 + cfg->hpe_set_pages * HIR_COUNT_BITS + 7) / 8;
    if (init_block(h, &context->blocks, cfg, err) != 0) {
        destroy_observer(&h->observer);
        return NULL;
    }
    return &h->observer;
}
