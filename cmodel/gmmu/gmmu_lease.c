// SPDX-License-Identifier: Apache-2.0
/* Connects the block `lease` (docs/understand/lease.md): samples accesses, and passes the block's
 * leases to true-usage eviction (evict/ture.h). */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/ture.h"
#include "lease/lease_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_lease {
    struct gmmu_observer observer; /* must be first: its address is also that of the struct */
    struct uvm *uvm;               /* not owned */
    const struct pages *pages;     /* not owned */
    struct block_part block;
    struct lease_in in; /* inputs in this cycle */
    struct lease_out out;
    struct stats stats;
    bool accesses; /* true if ture.unit counts accesses; false if it counts page walks */
    uint32_t lanes, entries;
    unsigned page_w, group_w;
    uint32_t n;           /* number of lanes in use in this cycle */
    uint32_t quotas_sent; /* number of allocations whose quota was sent to the block */
    uint64_t next_cycle;  /* cycle after the last tick of the block */
    uint64_t missed;      /* last value read from the block's counter of missed accesses */
    bool shown;           /* true if an access was sent to the block in this window */
};

static int init_block(struct gmmu_lease *l, struct block_list *blocks, const struct config *cfg,
                      struct error *err) {
    const struct block_params p = ture_lease_params(cfg);
    l->lanes = (uint32_t)p.v[LEASE_LANES];
    l->page_w = lease_page_bits(&p);
    l->group_w = lease_group_bits(&p);
    return block_part_init(&l->block, blocks, &lease_type, &p, "gmmu.lease", err);
}

static void destroy_observer(struct gmmu_observer *o) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    block_part_free(&l->block);
    free(l);
}

/* Begins a cycle, and accounts for the idle cycles that were skipped before it. */
static void begin_cycle(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    if (!l->block.reset && cycle > l->next_cycle)
        lease_pass(l->block.inst.model, cycle - l->next_cycle);
    l->next_cycle = cycle + 1;
    l->in = (struct lease_in){0};
    l->n = 0;
    if (!block_part_eval(&l->block, &l->in, &l->out, true))
        l->out = (struct lease_out){0};
}

static void show_page(struct gmmu_lease *l, uint32_t page) {
    uint32_t group = (uint32_t)(pages_alloc(l->pages, page) - l->pages->alloc);
    if (!l->out.duty)
        return;
    l->in.acc_valid |= UINT64_C(1) << l->n;
    lease_put(l->in.acc_block, l->n, PAGE_BLOCK_BITS, page / BLOCK_PAGES);
    lease_put(l->in.acc_page, l->n, l->page_w, page % BLOCK_PAGES);
    lease_put(l->in.acc_group, l->n, l->group_w, group);
    l->n++;
}

static void note_walk(struct gmmu_observer *o, uint32_t page) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    if (!l->accesses)
        show_page(l, page);
}

/* Sends the quota of the next group. It is the group's number of entries per window, in proportion
 * to the group's share of the allocated memory but at least 1. */
static void tell_quota(struct gmmu_lease *l) {
    const struct pages *p = l->pages;
    uint64_t all = 0;
    if (l->quotas_sent == p->n_allocs)
        return;
    for (uint32_t i = 0; i < p->n_allocs; i++)
        all += p->alloc[i].pages;
    uint64_t quota = (uint64_t)l->entries * p->alloc[l->quotas_sent].pages / all;
    l->in.quota_valid = 1;
    l->in.quota_group = l->quotas_sent++;
    l->in.quota = quota ? quota : 1;
}

static void hear_lease(struct gmmu_lease *l, struct ture *t) {
    if (!l->out.upd_valid)
        return;
    ture_lease(t, (uint32_t)l->out.upd_group, (uint32_t)l->out.upd_lease);
    stat_add(&l->stats, STAT_lease_updates, 1);
    hist_add(&l->stats, HIST_lease_value, l->out.upd_lease);
}

/* Returns the number of missed accesses that are in the block's counter but not yet in the
 * statistics. The counter restarts at 0 with each window. */
static uint64_t newly_missed(const struct gmmu_lease *l) {
    uint64_t missed = lease_overflows(l->block.inst.model);
    return missed > l->missed ? missed - l->missed : 0;
}

static void count_window(struct gmmu_lease *l) {
    stat_add(&l->stats, STAT_lease_overflows, newly_missed(l));
    l->missed = lease_overflows(l->block.inst.model);
    stat_add(&l->stats, STAT_lease_windows, l->in.acc_valid && !l->shown);
    l->shown = l->out.duty && (l->shown || l->in.acc_valid);
}

static void tick_observer(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    struct ture *t = uvm_evictor_state(l->uvm);
    uint32_t page;
    (void)cycle;
    if (!l->block.reset && t) {
        hear_lease(l, t);
        tell_quota(l);
        for (uint32_t n = 0; l->accesses && n < l->lanes && ture_access(t, &page); n++)
            show_page(l, page);
        count_window(l);
    }
    block_part_tick(&l->block, &l->in);
}

/* True if some accesses have not been sent to the block yet. */
static bool has_input(const struct gmmu_observer *o) {
    const struct ture *t = uvm_evictor_state(((const struct gmmu_lease *)o)->uvm);
    return t && ture_accesses(t);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_lease *l = (const struct gmmu_lease *)o;
    if (block_part_next_event(&l->block) == 0 || l->quotas_sent < l->pages->n_allocs ||
        has_input(o))
        return cycle;
    return l->next_cycle + lease_next_event(l->block.inst.model);
}

static void add_stats(const struct gmmu_observer *o, struct stats *s) {
    const struct gmmu_lease *l = (const struct gmmu_lease *)o;
    stats_add(s, &l->stats);
    stat_add(s, STAT_lease_overflows, newly_missed(l));
}

struct gmmu_observer *gmmu_lease_create(const struct config *cfg, struct context *context,
                                        struct uvm *uvm, struct error *err) {
    static const struct gmmu_observer_type type = {.destroy = destroy_observer,
                                                   .begin = begin_cycle,
                                                   .look = note_walk,
                                                   .has_input = has_input,
                                                   .tick = tick_observer,
                                                   .next_event = next_event,
                                                   .add_stats = add_stats};
    struct gmmu_lease *l = alloc_zeroed(1, sizeof *l);
    l->observer.type = &type;
    l->uvm = uvm;
    l->pages = uvm_pages(uvm);
    l->accesses = cfg->ture_unit == TURE_COUNT_ACCESSES;
    l->entries = TURE_ENTRIES;
    if (init_block(l, &context->blocks, cfg, err) != 0) {
        destroy_observer(&l->observer);
        return NULL;
    }
    return &l->observer;
}
