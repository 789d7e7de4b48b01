// SPDX-License-Identifier: Apache-2.0
/* The block `cap` (docs/understand/cap.md): it is told the sizes of all allocations, and answers
 * the prefetcher in the cycle of the service, for which it is clocked as often as that takes. */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "cap/cap_ports.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "prefetch/cap.h"
#include "uvm/uvm.h"

struct gmmu_cap {
    struct gmmu_observer observer; /* the first member: the same address */
    struct cap_port port;
    struct context *context; /* not owned, as the next one */
    const struct pages *pages;
    struct block_part block;
    uint32_t told; /* allocations whose size the block knows */
};

static int64_t common_factor(int64_t a, int64_t b) {
    return b ? common_factor(b, a % b) : a;
}

static int init_block(struct gmmu_cap *c, struct block_list *blocks, const struct config *cfg,
                      char *err, size_t err_size) {
    const int64_t by = common_factor(cfg->cap_c_percent, 100);
    struct block_params p;
    block_params_default(&cap_type, &p);
    p.v[CAP_GROUPS] = PAGE_GROUPS;
    p.v[CAP_AVAIL_W] = CAP_AVAIL_BITS;
    p.v[CAP_C_NUM] = cfg->cap_c_percent / by;
    p.v[CAP_C_DEN] = 100 / by;
    p.v[CAP_OVER] = bits_lowest((uint64_t)cfg->cap_over_kib / 64);
    return block_part_init(&c->block, blocks, &cap_type, &p, "gmmu.cap", err, err_size);
}

static void destroy(struct gmmu_observer *o) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    block_part_free(&c->block);
    free(c);
}

/* An allocation a cycle, the sum of all with the first. */
static void tell_size(struct gmmu_cap *c, struct cap_in *in) {
    in->set_valid = 1;
    in->set_group = c->told;
    in->set_req = cap_requested(&c->pages->alloc[c->told]);
    in->agg_valid = c->told == 0;
    in->agg = in->agg_valid ? cap_aggregate(c->pages) : 0;
    c->told++;
}

/* A cycle, in which the block has to answer, or must not. */
static void step(struct gmmu_cap *c, struct cap_in *in, struct cap_out *out, bool due) {
    if (block_part_step(&c->block, in, out) && out->ans_valid != due)
        context_fail(c->context, CONTEXT_BROKEN, "gmmu.cap %s",
                     due ? "does not answer two cycles after a question" : "answers no question");
}

/* The block is clocked until it has answered. */
static unsigned answer(void *ctx, const struct cap_ask *ask) {
    struct gmmu_cap *c = ctx;
    struct cap_out out;
    while (c->told < c->pages->n_allocs) {
        struct cap_in in = {0};
        if (!c->block.reset)
            tell_size(c, &in);
        step(c, &in, &out, false);
    }
    for (unsigned t = 0; t <= CAP_LATENCY; t++) {
        struct cap_in in = {.ask_valid = t == 0};
        if (in.ask_valid) {
            in.ask_group = ask->group;
            in.ask_avail = ask->avail;
            in.ask_full = ask->full;
        }
        step(c, &in, &out, t == CAP_LATENCY);
    }
    return (unsigned)out.ans_size;
}

static void tick(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    struct cap_in in = {0};
    struct cap_out out;
    (void)cycle;
    if (block_part_next_event(&c->block) == 0)
        step(c, &in, &out, false);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_cap *c = (const struct gmmu_cap *)o;
    return block_part_next_event(&c->block) == 0 ? cycle : UINT64_MAX;
}

struct gmmu_observer *gmmu_cap_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, char *err, size_t err_size) {
    static const struct gmmu_observer_type type = {
        .destroy = destroy, .tick = tick, .next_event = next_event};
    struct gmmu_cap *c = alloc_zeroed(1, sizeof *c);
    c->observer.type = &type;
    c->context = context;
    c->pages = uvm_pages(uvm);
    c->port = (struct cap_port){c, answer};
    if (init_block(c, &context->blocks, cfg, err, err_size) != 0) {
        destroy(&c->observer);
        return NULL;
    }
    uvm_set_port(uvm, &cap_type, &c->port);
    return &c->observer;
}
