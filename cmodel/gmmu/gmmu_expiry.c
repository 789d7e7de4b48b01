// SPDX-License-Identifier: Apache-2.0
/* The block `expiry` (docs/understand/expiry.md): the coalescing table of true-usage eviction
 * (evict/ture.h), which it serves. */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/ture.h"
#include "expiry/expiry_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_expiry {
    struct gmmu_observer observer; /* the first member: the same address */
    struct uvm *uvm;               /* not owned */
    struct block_part block;
    struct expiry_in in; /* of the cycle */
    struct expiry_out out;
    bool accesses; /* ture.count */
};

static int init_block(struct gmmu_expiry *e, struct block_list *blocks, const struct config *cfg,
                      char *err, size_t err_size) {
    struct block_params p;
    block_params_default(&expiry_type, &p);
    p.v[EXPIRY_ENTRIES] = cfg->ture_table;
    p.v[EXPIRY_BLOCK_W] = PAGE_BLOCK_BITS;
    p.v[EXPIRY_PAGES] = BLOCK_PAGES;
    p.v[EXPIRY_TAKE] = cfg->ture_take;
    return block_part_init(&e->block, blocks, &expiry_type, &p, "gmmu.expiry", err, err_size);
}

static void destroy(struct gmmu_observer *o) {
    struct gmmu_expiry *e = (struct gmmu_expiry *)o;
    block_part_free(&e->block);
    free(e);
}

static void begin(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_expiry *e = (struct gmmu_expiry *)o;
    (void)cycle;
    e->in = (struct expiry_in){0};
    if (!block_part_eval(&e->block, &e->in, &e->out, true))
        e->out = (struct expiry_out){0};
}

/* A walk that has something to tell the table waits until that can take it. */
static bool ready(const struct gmmu_observer *o, uint32_t page) {
    const struct gmmu_expiry *e = (const struct gmmu_expiry *)o;
    const struct ture *t = uvm_evictor_state(e->uvm);
    return e->accesses || (e->out.exp_ready && !ture_op(t)) || !ture_would_tell(t, page);
}

static void tick(struct gmmu_observer *o, uint64_t cycle) {
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
                                         struct uvm *uvm, char *err, size_t err_size) {
    static const struct gmmu_observer_type type = {.destroy = destroy,
                                                   .begin = begin,
                                                   .ready = ready,
                                                   .waits = STAT_gmmu_capture_wait_cycles,
                                                   .tick = tick,
                                                   .next_event = next_event};
    struct gmmu_expiry *e = alloc_zeroed(1, sizeof *e);
    e->observer.type = &type;
    e->uvm = uvm;
    e->accesses = cfg->ture_count == TURE_COUNT_ACCESSES;
    if (init_block(e, &context->blocks, cfg, err, err_size) != 0) {
        destroy(&e->observer);
        return NULL;
    }
    return &e->observer;
}
