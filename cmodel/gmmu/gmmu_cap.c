// SPDX-License-Identifier: Apache-2.0
#include "gmmu/gmmu_cap.h"

#include <stdio.h>
#include <stdlib.h>

#include "cap/cap_ports.h"
#include "prefetch/cap.h"

struct gmmu_cap {
    struct gmmu_observer observer; /* the first member: the same address */
    struct context *context;       /* not owned, as the next two */
    struct uvm *uvm;
    const struct pages *pages;
    struct block_part block;
    struct cap_in in; /* of the cycle */
    struct cap_out out;
    uint32_t told; /* allocations whose size the block knows */
    bool waits;    /* `next` is the question that goes next */
    struct cap_ask next;
    struct {
        bool valid;
        uint8_t size;
    } due[CAP_LATENCY]; /* what the block has to answer: in this cycle, in the next one */
};

static int init_block(struct gmmu_cap *c, struct block_list *blocks, const struct config *cfg,
                      char *err, size_t err_size) {
    const struct cap_rule rule = cap_rule_of(cfg);
    struct block_params p;
    block_params_default(&cap_type, &p);
    p.v[CAP_GROUPS] = PAGE_GROUPS;
    p.v[CAP_AVAIL_W] = CAP_AVAIL_BITS;
    p.v[CAP_C_NUM] = (int64_t)rule.c_num;
    p.v[CAP_C_DEN] = (int64_t)rule.c_den;
    p.v[CAP_OVER] = rule.over;
    return block_part_init(&c->block, blocks, &cap_type, &p, "gmmu.cap", err, err_size);
}

static void destroy(struct gmmu_observer *o) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    block_part_free(&c->block);
    free(c);
}

/* An answer comes when it is due, and is the size that the prefetcher took. */
static void hear_answer(struct gmmu_cap *c) {
    bool due = c->due[0].valid;
    if (c->out.ans_valid != due)
        context_fail(c->context, CONTEXT_BROKEN, "gmmu.cap %s",
                     due ? "does not answer two cycles after a question" : "answers no question");
    else if (due && c->out.ans_size != c->due[0].size)
        context_fail(c->context, CONTEXT_BROKEN,
                     "gmmu.cap answers %u where the prefetcher has %u (log2 of blocks)",
                     (unsigned)c->out.ans_size, (unsigned)c->due[0].size);
    c->due[0] = c->due[1];
    c->due[1].valid = false;
}

static void begin(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    (void)cycle;
    c->in = (struct cap_in){0};
    if (block_part_eval(&c->block, &c->in, &c->out, true))
        hear_answer(c);
}

/* An allocation a cycle, the sum of all with the first. */
static void tell_size(struct gmmu_cap *c) {
    if (c->told == c->pages->n_allocs)
        return;
    c->in.set_valid = 1;
    c->in.set_group = c->told;
    c->in.set_req = cap_requested(&c->pages->alloc[c->told]);
    c->in.agg_valid = c->told == 0;
    c->in.agg = c->in.agg_valid ? cap_aggregate(c->pages) : 0;
    c->told++;
}

static void ask(struct gmmu_cap *c) {
    c->waits = c->waits || uvm_cap_ask(c->uvm, &c->next);
    if (!c->waits || c->told < c->pages->n_allocs)
        return;
    c->in.ask_valid = 1;
    c->in.ask_group = c->next.group;
    c->in.ask_avail = c->next.avail;
    c->in.ask_full = c->next.full;
    c->due[1].valid = true;
    c->due[1].size = c->next.size;
    c->waits = false;
}

static void tick(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_cap *c = (struct gmmu_cap *)o;
    (void)cycle;
    if (!c->block.reset) {
        ask(c);
        tell_size(c);
    }
    c->waits = c->waits || uvm_cap_ask(c->uvm, &c->next);
    block_part_tick(&c->block, &c->in);
}

/* A cycle in which the driver serves a fault is one of the GMMU too, so a question is heard at
 * once. */
static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_cap *c = (const struct gmmu_cap *)o;
    bool busy = c->waits || c->due[0].valid || c->due[1].valid || c->told < c->pages->n_allocs;
    return busy || block_part_next_event(&c->block) == 0 ? cycle : UINT64_MAX;
}

struct gmmu_observer *gmmu_cap_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, char *err, size_t err_size) {
    static const struct gmmu_observer_type type = {
        .destroy = destroy, .begin = begin, .tick = tick, .next_event = next_event};
    struct gmmu_cap *c = calloc(1, sizeof *c);
    if (!c) {
        snprintf(err, err_size, "out of memory for the block cap");
        return NULL;
    }
    c->observer.type = &type;
    c->context = context;
    c->uvm = uvm;
    c->pages = uvm_pages(uvm);
    if (init_block(c, &context->blocks, cfg, err, err_size) != 0) {
        destroy(&c->observer);
        return NULL;
    }
    return &c->observer;
}
