// SPDX-License-Identifier: Apache-2.0
#include "sm/shares.h"

static const enum stat_id told[] = {
    STAT_l1d_accesses,
    STAT_l1d_hits,
    STAT_l1d_primary,
    STAT_l1d_secondary,
    STAT_l1d_bypassed,
    STAT_l1d_stores,
    STAT_l1d_atomics,
    STAT_l1d_rf,
    STAT_l1d_rf_entry_full,
    STAT_l1d_rf_merge_full,
    STAT_l1d_rf_miss_queue,
    STAT_l1d_rf_line,
    STAT_l1d_rf_bypass,
    STAT_l1d_rf_bypass_queue,
    STAT_l1d_rf_rsp_queue,
    STAT_l1d_rf_order,
    STAT_l1d_refused,
    STAT_l1d_refused_entry_full,
    STAT_l1d_refused_merge_full,
    STAT_l1d_walk_cycles,
};
#define TOLD (sizeof told / sizeof told[0])

/* The SM's statistics before it does something. */
struct before {
    uint64_t v[TOLD];
};

static struct before note(const struct sm *sm) {
    struct before before;
    for (unsigned i = 0; i < TOLD; i++)
        before.v[i] = sm->stats.v[told[i]];
    return before;
}

/* What it has counted since then was for that kernel. */
static void give(struct sm *sm, uint32_t kernel, const struct before *before) {
    struct stats *part = sm->kernel[kernel].part;
    for (unsigned i = 0; i < TOLD; i++)
        stat_add(part, told[i], sm->stats.v[told[i]] - before->v[i]);
}

void shares_memory(struct stats *part, const struct warp_inst *inst) {
    stat_add(part,
             inst->op == WARP_LOAD    ? STAT_load_insts
             : inst->op == WARP_STORE ? STAT_store_insts
                                      : STAT_atomic_insts,
             1);
    if (inst->space == SPACE_LOCAL)
        stat_add(part, STAT_local_insts, 1);
}

static void count_share(struct stats *to, uint32_t ways) {
    stat_add(to, STAT_l1d_ucp_decisions, 1);
    stat_add(to, STAT_l1d_ucp_ways, ways);
}

/* Not inlined: what calls it in each cycle is faster so. */
__attribute__((noinline)) void shares_decide(struct sm *sm, uint64_t cycle) {
    struct ucp *ucp = &sm->l1d.ucp;
    ucp_decide(ucp, cycle);
    for (uint32_t k = 0; k < sm->n_kernels; k++) {
        count_share(&sm->stats, ucp->share[k]);
        count_share(sm->kernel[k].part, ucp->share[k]);
    }
}

bool shares_tick(struct sm *sm, const struct l1d_access *access, uint64_t cycle) {
    const uint32_t kernel = access->kernel;
    shares_of_ways(sm, cycle);
    const struct before before = note(sm);
    const uint64_t refused = sm->l1d.refusals.counted;
    const bool waits = access->kind == REQUEST_LOAD || access->result, last = access->last;
    const bool taken = l1d_tick(&sm->l1d, access, cycle);
    give(sm, kernel, &before);
    if (!limiter_on(&sm->limiter))
        return taken;
    if (taken)
        limiter_taken(&sm->limiter, kernel);
    else if (sm->l1d.refusals.counted != refused && l1d_failed(&sm->l1d, access))
        limiter_failed(&sm->limiter, kernel);
    if (taken && last && !waits)
        limiter_done(&sm->limiter, kernel);
    return taken;
}

void shares_advance(struct sm *sm, const struct l1d_access *access, uint64_t cycles) {
    const struct before before = note(sm);
    l1d_advance(&sm->l1d, access, cycles);
    if (!access)
        return;
    give(sm, access->kernel, &before);
    if (limiter_on(&sm->limiter) && sm->l1d.refusals.standing && l1d_failed(&sm->l1d, access))
        limiter_pass(&sm->limiter, access->kernel, cycles);
}
