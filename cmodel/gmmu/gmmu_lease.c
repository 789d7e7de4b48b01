// SPDX-License-Identifier: Apache-2.0
/* The block `lease` (docs/understand/lease.md): it samples accesses, and what it grants goes to
 * true-usage eviction (evict/ture.h). */
#include "gmmu/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "evict/ture.h"
#include "lease/lease_ports.h"
#include "lib/alloc.h"
#include "uvm/uvm.h"

struct gmmu_lease {
    struct gmmu_observer observer; /* the first member: the same address */
    struct uvm *uvm;               /* not owned, as the next one */
    const struct pages *pages;
    struct block_part block;
    struct lease_in in; /* of the cycle */
    struct lease_out out;
    struct stats stats;
    bool accesses; /* ture.count */
    uint32_t lanes, entries;
    unsigned page_w, group_w;
    uint32_t n;          /* lanes in use in this cycle */
    uint32_t told;       /* allocations whose quota the block knows */
    uint64_t next_cycle; /* the one behind the last that the block was stepped in */
    uint64_t missed;     /* what the block's counter has been seen to show */
    bool shown;          /* the window has had an access */
};

static int init_block(struct gmmu_lease *l, struct block_list *blocks, const struct config *cfg,
                      char *err, size_t err_size) {
    const struct block_params p = ture_lease_params(cfg);
    l->lanes = (uint32_t)p.v[LEASE_LANES];
    l->page_w = lease_page_bits(&p);
    l->group_w = lease_group_bits(&p);
    return block_part_init(&l->block, blocks, &lease_type, &p, "gmmu.lease", err, err_size);
}

static void destroy(struct gmmu_observer *o) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    block_part_free(&l->block);
    free(l);
}

/* Cycles in which nothing happened were left out. */
static void begin(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    if (!l->block.reset && cycle > l->next_cycle)
        lease_pass(l->block.inst.model, cycle - l->next_cycle);
    l->next_cycle = cycle + 1;
    l->in = (struct lease_in){0};
    l->n = 0;
    if (!block_part_eval(&l->block, &l->in, &l->out, true))
        l->out = (struct lease_out){0};
}

static void show(struct gmmu_lease *l, uint32_t page) {
    uint32_t group = (uint32_t)(pages_alloc(l->pages, page) - l->pages->alloc);
    if (!l->out.duty)
        return;
    l->in.acc_valid |= UINT64_C(1) << l->n;
    lease_put(l->in.acc_block, l->n, PAGE_BLOCK_BITS, page / BLOCK_PAGES);
    lease_put(l->in.acc_page, l->n, l->page_w, page % BLOCK_PAGES);
    lease_put(l->in.acc_group, l->n, l->group_w, group);
    l->n++;
}

static void look(struct gmmu_observer *o, uint32_t page) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    if (!l->accesses)
        show(l, page);
}

/* Entries of a window that a group may have: its share of the memory that is allocated. */
static void tell_quota(struct gmmu_lease *l) {
    const struct pages *p = l->pages;
    uint64_t all = 0;
    if (l->told == p->n_allocs)
        return;
    for (uint32_t i = 0; i < p->n_allocs; i++)
        all += p->alloc[i].pages;
    uint64_t quota = (uint64_t)l->entries * p->alloc[l->told].pages / all;
    l->in.quota_valid = 1;
    l->in.quota_group = l->told++;
    l->in.quota = quota ? quota : 1;
}

static void hear_lease(struct gmmu_lease *l, struct ture *t) {
    if (!l->out.upd_valid)
        return;
    ture_lease(t, (uint32_t)l->out.upd_group, (uint32_t)l->out.upd_lease);
    stat_add(&l->stats, STAT_lease_updates, 1);
    hist_add(&l->stats, HIST_lease_value, l->out.upd_lease);
}

/* Accesses that the block has counted as missed and that no cycle has seen yet. Its counter goes
 * back to 0 as a window begins. */
static uint64_t newly_missed(const struct gmmu_lease *l) {
    uint64_t missed = lease_missed(l->block.inst.model);
    return missed > l->missed ? missed - l->missed : 0;
}

static void count_window(struct gmmu_lease *l) {
    stat_add(&l->stats, STAT_lease_missed, newly_missed(l));
    l->missed = lease_missed(l->block.inst.model);
    stat_add(&l->stats, STAT_lease_windows, l->in.acc_valid && !l->shown);
    l->shown = l->out.duty && (l->shown || l->in.acc_valid);
}

static void tick(struct gmmu_observer *o, uint64_t cycle) {
    struct gmmu_lease *l = (struct gmmu_lease *)o;
    struct ture *t = uvm_evictor_state(l->uvm);
    uint32_t page;
    (void)cycle;
    if (!l->block.reset && t) {
        hear_lease(l, t);
        tell_quota(l);
        for (uint32_t n = 0; l->accesses && n < l->lanes && ture_access(t, &page); n++)
            show(l, page);
        count_window(l);
    }
    block_part_tick(&l->block, &l->in);
}

/* Accesses that the block has not been shown. */
static bool has_input(const struct gmmu_observer *o) {
    const struct ture *t = uvm_evictor_state(((const struct gmmu_lease *)o)->uvm);
    return t && ture_accesses(t);
}

static uint64_t next_event(const struct gmmu_observer *o, uint64_t cycle) {
    const struct gmmu_lease *l = (const struct gmmu_lease *)o;
    if (block_part_next_event(&l->block) == 0 || l->told < l->pages->n_allocs || has_input(o))
        return cycle;
    return l->next_cycle + lease_next_event(l->block.inst.model);
}

static void add_stats(const struct gmmu_observer *o, struct stats *s) {
    const struct gmmu_lease *l = (const struct gmmu_lease *)o;
    stats_add(s, &l->stats);
    stat_add(s, STAT_lease_missed, newly_missed(l));
}

struct gmmu_observer *gmmu_lease_create(const struct config *cfg, struct context *context,
                                        struct uvm *uvm, char *err, size_t err_size) {
    static const struct gmmu_observer_type type = {.destroy = destroy,
                                                   .begin = begin,
                                                   .look = look,
                                                   .has_input = has_input,
                                                   .tick = tick,
                                                   .next_event = next_event,
                                                   .add_stats = add_stats};
    struct gmmu_lease *l = alloc_zeroed(1, sizeof *l);
    l->observer.type = &type;
    l->uvm = uvm;
    l->pages = uvm_pages(uvm);
    l->accesses = cfg->ture_count == TURE_COUNT_ACCESSES;
    l->entries = (uint32_t)cfg->ture_entries;
    if (init_block(l, &context->blocks, cfg, err, err_size) != 0) {
        destroy(&l->observer);
        return NULL;
    }
    return &l->observer;
}
