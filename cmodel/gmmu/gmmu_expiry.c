// SPDX-License-Identifier: Apache-2.0
/* Connects the block `expiry` (docs/understand/expiry.md), the coalescing table of true-usage
 * eviction (evict/ture.h). */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/ture.h"
#include "expiry/expiry_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_expiry {
    struct gmmu_observer observer; /* must be first: its address is also that of the struct */
    struct uvm *uvm;               /* not owned */
    struct block_part block;
    struct expiry_in in; /* inputs in this cycle */
    struct expiry_out out;
    bool accesses; /* true if ture.unit counts accesses; false if it counts page walks */
};

static int init_block(struct gmmu_expiry *e, struct block_list *blocks, const struct config *cfg,
                      struct error *err) {
    struct block_params p;
    block_params_default(&expiry_type, &p);
    p.v[EXPIRY_ENTRIES] = cfg->ture_table;
    p.v[EXPIRY_BLOCK_W] = PAGE_BLOCK_BITS;
    p.v[EXPIRY_PAGES] = BLOCK_PAGES;
    p.v[EXPIRY_TAKE] = cfg->ture_batch;
    return block_part_init(&e->block, blocks, &expiry_type, &p, "gmmu.expiry", err);
}

static void destroy_observer(struct gmmu_observer *o) {
    struct gmmu_expiry *e = (struct gmmu_expiry *)o;
    block_part_free(&e->block);
    free(e);
}

static void begin_cycle(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_expiry *e = (struct gmmu_expiry *)o;
    (void)cycle;
    e->in = (struct expiry_in){0};
    if (!block_part_eval(&e->block, &e->in, &e->out, true))
        e->out = (struct expiry_out){0};
}

/* True unless the walk would add an operation that the table cannot accept in this cycle. In that
 * case, the walk waits. */
static bool can_take(const struct gmmu_observer *o, uint32_t page) {
    const struct gmmu_expiry *e = (const struct gmmu_expiry *)o;
    const struct ture *t = uvm_evictor_state(e->uvm);
    return e->accesses || (e->out.exp_ready && !ture_op(t)) || !ture_would_tell(t, page);
}

static void tick_observer(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_expiry *e = (struct gmmu_expiry *)o;
    struct ture *t = uvm_evictor_state(e->uvm);
    (void)cycle;
    if (t)
        ture_serve(t, &e->out, &e->in);
    block_part_tick(&e->block, &e->in);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_expiry *e = (const struct gmmu_expiry *)o;
    const struct ture *t = uvm_evictor_state(e->uvm);
    bool busy = block_part_next_event(&e->block) == 0 || (t && ture_op(t)) ||
                expiry_next_event(e->block.inst.model) == 0 || e->out.out_valid;
    return busy ? cycle : UINT64_MAX;
}

struct gmmu_observer *gmmu_expiry_create(const struct config *cfg, struct context *context,
                                         struct uvm *uvm, struct error *err) {
    static const struct gmmu_observer_type type = {.destroy = destroy_observer,
                                                   .begin = begin_cycle,
                                                   .ready = can_take,
                                                   .waits = STAT_gmmu_capture_wait_cycles,
                                                   .tick = tick_observer,
                                                   .next_event = next_event};
    struct gmmu_expiry *e = alloc_zeroed(1, sizeof *e);
    e->observer.type = &type;
    e->uvm = uvm;
    e->accesses = cfg->ture_unit == TURE_COUNT_ACCESSES;
    if (init_block(e, &context->blocks, cfg, err) != 0) {
        destroy_observer(&e->observer);
        return NULL;
    }
    return &e->observer;
}
