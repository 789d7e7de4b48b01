// SPDX-License-Identifier: Apache-2.0
/* Connects the block `cap` (docs/understand/cap.md). Sends the block the sizes of all allocations,
 * and passes the block's responses to the prefetcher. Clocks the block as often as needed for a
 * response in the cycle in which the driver services the fault. */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "cap/cap_ports.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "prefetch/cap.h"
#include "uvm/uvm.h"

struct gmmu_cap {
    struct gmmu_observer observer; /* must be first: its address is also that of the struct */
    struct cap_port port;
    struct context *context;   /* not owned */
    const struct pages *pages; /* not owned */
    struct block_part block;
    uint32_t sizes_sent; /* number of allocations whose size was sent to the block */
};

static int init_block(struct gmmu_cap *c, struct block_list *blocks, const struct config *cfg,
                      struct error *err) {
    struct block_params p;
    block_params_default(&cap_type, &p);
    p.v[CAP_GROUPS] = PAGE_GROUPS;
    p.v[CAP_AVAIL_W] = CAP_AVAIL_BITS;
    p.v[CAP_C_NUM] = CAP_C_PERCENT / 10;
    p.v[CAP_C_DEN] = 10;
    p.v[CAP_OVER] = bits_lowest((uint64_t)cfg->cap_full_kib / 64);
    return block_part_init(&c->block, blocks, &cap_type, &p, "gmmu.cap", err);
}

static void destroy_observer(struct gmmu_observer *o) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    block_part_free(&c->block);
    free(c);
}

/* Sends the block the size of the next allocation and, with the first allocation, also the sum of
 * all sizes. */
static void tell_size(struct gmmu_cap *c, struct cap_in *in) {
    in->set_valid = 1;
    in->set_group = c->sizes_sent;
    in->set_req = cap_requested(&c->pages->alloc[c->sizes_sent]);
    in->agg_valid = c->sizes_sent == 0;
    in->agg = in->agg_valid ? cap_aggregate(c->pages) : 0;
    c->sizes_sent++;
}

/* Runs one cycle. The block must respond in this cycle if, and only if, `due` is true. */
static void step_block(struct gmmu_cap *c, struct cap_in *in, struct cap_out *out, bool due) {
    if (block_part_step(&c->block, in, out) && out->ans_valid != due)
        context_fail(c->context, CONTEXT_BROKEN, "gmmu.cap %s",
                     due ? "does not respond two cycles after a query"
                         : "responds without a query");
}

/* Sends the block the remaining sizes and the query, and clocks it until it responds. Returns the
 * response. */
static unsigned answer_block(void *ctx, const struct cap_ask *ask) {
    struct gmmu_cap *c = ctx;
    struct cap_out out;
    while (c->sizes_sent < c->pages->n_allocs) {
        struct cap_in in = {0};
        if (!c->block.reset)
            tell_size(c, &in);
        step_block(c, &in, &out, false);
    }
    for (unsigned t = 0; t <= CAP_LATENCY; t++) {
        struct cap_in in = {.ask_valid = t == 0};
        if (in.ask_valid) {
            in.ask_group = ask->group;
            in.ask_avail = ask->avail;
            in.ask_full = ask->full;
        }
        step_block(c, &in, &out, t == CAP_LATENCY);
    }
    return (unsigned)out.ans_size;
}

static void tick_observer(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    struct cap_in in = {0};
    struct cap_out out;
    (void)cycle;
    if (block_part_next_event(&c->block) == 0)
        step_block(c, &in, &out, false);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_cap *c = (const struct gmmu_cap *)o;
    return block_part_next_event(&c->block) == 0 ? cycle : UINT64_MAX;
}

struct gmmu_observer *gmmu_cap_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, struct error *err) {
    static const struct gmmu_observer_type type = {
        .destroy = destroy_observer, .tick = tick_observer, .next_event = next_event};
    struct gmmu_cap *c = alloc_zeroed(1, sizeof *c);
    c->observer.type = &type;
    c->context = context;
    c->pages = uvm_pages(uvm);
    c->port = (struct cap_port){c, answer_block};
    if (init_block(c, &context->blocks, cfg, err) != 0) {
        destroy_observer(&c->observer);
        return NULL;
    }
    uvm_set_port(uvm, &cap_type, &c->port);
    return &c->observer;
}
