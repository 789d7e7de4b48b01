// SPDX-License-Identifier: Apache-2.0
/* Handles launches, CTAs, and the start, barriers and exit of warps, and records the kinds of
 * the warps' next instructions. */
#include <string.h>

#include "lib/bits.h"
#include "sm/inside.h"

/* ---- launches ---- */

/* Arranges local memory for as many CTAs per SM as the launch needs, if they fit. */
static void interleave_local(struct sm *sm, const struct sm_kernel *k) {
    const uint32_t sms = (uint32_t)sm->cfg->sm_count;
    const uint32_t *grid = k->launch->grid;
    const uint64_t needed = ((uint64_t)grid[0] * grid[1] * grid[2] + sms - 1) / sms;
    const uint32_t ctas = needed < k->limit ? (uint32_t)needed : k->limit;
    coalescer_interleave(&sm->lsu.coalescer, sm->id, sms, k->warps_per_cta, ctas);
    if (sm->lanes)
        lanes_interleave(sm->lanes, sms, k->warps_per_cta, ctas);
}

int sm_launch(struct sm *sm, uint32_t k, const struct kernel_launch *launch, struct error *err) {
    struct sm_kernel *kernel = &sm->kernel[k];
    if (sm_kernel_begin(kernel, sm->cfg, launch, err) != 0)
        return -1;
    if (sm->n_kernels == 1)
        sm_divide(sm, kernel->need.n[RES_SHARED] * kernel->limit);
    const struct cache_launch begins = {launch, kernel->limit, kernel->warps_per_cta};
    cache_launch(&sm->l1d.cache, &begins);
    if (sm->model.gpgpusim && sm->n_kernels == 1 && !sm->cfg->cke_restart)
        interleave_local(sm, kernel);
    icache_launch(&sm->icache);
    return 0;
}

/* ---- a warp and its next instruction ---- */

static struct sched *scheduler_of(struct sm *sm, uint32_t w) {
    return &sm->scheduler[w % sm->n_schedulers];
}

static void end_warp(struct sm *sm, uint32_t w);

static bool waits_for(const struct sm *sm, const struct warp_inst *inst,
                      const struct reg_set *regs) {
    if (inst->op == WARP_EXIT)
        return !sm->model.exit_latency && !regs_none(regs);
    return regs_overlap(regs, &inst->src) || regs_overlap(regs, &inst->dst);
}

static void set_bit(warp_set *set, uint32_t w, bool on) {
    *set = (*set & ~warp_bit(w)) | (warp_set)on << w;
}

/* Updates the warp's bits in `ready` and `far`. A warp is ready if the scoreboard and the barrier
 * let its next instruction issue. */
static void judge_ready(struct sm *sm, uint32_t w) {
    const struct sm_warp *warp = &sm->warp[w];
    bool waits = waits_for(sm, &warp->inst, &warp->pending);
    const warp_set stopped = sm->at_barrier | sm->held | sm->exited;
    set_bit(&sm->ready, w, !waits && !(stopped & warp_bit(w)));
    if (sm->wants_far)
        set_bit(&sm->far, w, warp->awaited || (waits && waits_for(sm, &warp->inst, &warp->far)));
}

static void set_want(struct sm *sm, uint32_t w, bool on) {
    set_bit(&sm->wants[sm->warp[w].op], w, on);
    set_bit(&sm->wants_kind[sm->warp[w].kind], w, on);
}

/* Records the kind of the warp's next instruction, and whether it needs a load table entry. */
static void note_wants(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    set_want(sm, w, false);
    warp->op = warp->inst.op;
    warp->kind = (uint8_t)collect_kind_in(&sm->units, &warp->inst);
    set_want(sm, w, true);
    set_bit(&sm->wants_entry, w, lsu_needs_entry(&warp->inst));
}

static void check_passes(struct sm *sm, const struct sm_warp *warp) {
    const uint32_t *cta = warp->place.cta;
    if (warp->inst.passes == 0 || warp->inst.passes > UNITS_MAX_PASSES)
        context_fail(sm->context, CONTEXT_BAD_INPUT,
                     "kernel %.40s, CTA (%u,%u,%u), warp %u: a shared-memory access of %u passes",
                     sm->kernel[warp->kernel].launch->name, (unsigned)cta[0], (unsigned)cta[1],
                     (unsigned)cta[2], (unsigned)warp->place.warp, (unsigned)warp->inst.passes);
}

static void step_warp(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    const bool computes = sm->addresses.insts;
    if (computes && addresses_next(&sm->addresses, w, &warp->inst))
        return;
    sm_kernel_step(&sm->kernel[warp->kernel], &warp->place, warp->cta, w, &warp->inst);
    if (computes)
        addresses_before(&sm->addresses, w, &warp->inst);
}

/* Turns part of a copy to shared memory into a global load through the L1D (sm.copies=global). */
static void load_copy(struct warp_inst *inst) {
    inst->op = WARP_LOAD;
    inst->space = SPACE_GLOBAL;
    inst->passes = 1;
    inst->skip_l1 = false;
}

void sm_refill(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    step_warp(sm, w);
    if (sm->model.copies_load && warp->inst.async == ASYNC_COPY)
        load_copy(&warp->inst);
    warp->left = warp->inst.repeat ? warp->inst.repeat : 1;
    warp->lanes = bits_count32(warp->inst.mask);
    if (warp->inst.op == WARP_SHARED)
        check_passes(sm, warp);
    note_wants(sm, w);
    judge_ready(sm, w);
}

__attribute__((noinline)) static void write_banks(struct sm *sm, uint32_t w,
                                                  const struct reg_set *regs) {
    if (sm->model.collectors)
        collectors_write(&sm->collectors, w % sm->n_schedulers, w, regs, sm->now);
    else
        banks_write(&sm->banks, regs, w, sm->now);
}

void sm_release(struct sm *sm, uint32_t w, const struct reg_set *regs) {
    sm_wake_issue(sm);
    if (sm->model.register_banks)
        write_banks(sm, w, regs);
    regs_remove(&sm->warp[w].pending, regs);
    if (sm->leaving & warp_bit(w) && regs_none(&sm->warp[w].pending))
        end_warp(sm, w);
    else if (sm->live_warps & ~sm->ready & warp_bit(w))
        judge_ready(sm, w);
}

void sm_hold(struct sm *sm, uint32_t w, uint32_t n) {
    sm->warp[w].held_for += n;
    sm->held |= warp_bit(w);
}

void sm_hold_less(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    if (!warp->held_for || --warp->held_for)
        return;
    sm->held &= ~warp_bit(w);
    warp->awaited = 0;
    sm_wake_issue(sm);
    judge_ready(sm, w);
}

void sm_atomic_done(struct sm *sm, uint32_t w) {
    if (sm->model.gpgpusim)
        sm_hold_less(sm, w);
}

/* Makes the warp wait for the groups that it has closed, but for the last `keep`. */
static void wait_copies(struct sm *sm, uint32_t w, uint32_t keep) {
    struct sm_warp *warp = &sm->warp[w];
    if (!warp->copies || warp->group - 1 <= keep)
        return;
    uint32_t before = warp->group - keep, n = lsu_copies(&sm->lsu, w, before);
    if (!n)
        return;
    if (sm->model.copies_load && warp->group == 2) {
        before = warp->group + 1;
        n = lsu_copies(&sm->lsu, w, before);
    }
    warp->awaited = before;
    sm_hold(sm, w, n);
}

void sm_issue_async(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    if (warp->inst.async == ASYNC_COPY)
        warp->copies += warp->inst.op == WARP_LOAD;
    else if (warp->inst.async == ASYNC_CLOSE)
        warp->group++;
    else
        wait_copies(sm, w, warp->inst.keep);
}

void sm_copy_done(struct sm *sm, uint32_t w, uint32_t group) {
    struct sm_warp *warp = &sm->warp[w];
    warp->copies--;
    if (group < warp->awaited)
        sm_hold_less(sm, w);
}

/* ---- CTAs ---- */

static void start_warp(struct sm *sm, uint32_t w, uint32_t c, const struct warp_place *place) {
    struct sm_warp *warp = &sm->warp[w];
    warp->pending = warp->far = (struct reg_set){{0}};
    warp->held_for = warp->copies = warp->awaited = 0;
    warp->group = 1;
    warp->cta = c;
    warp->kernel = (uint8_t)sm->cta[c].kernel;
    warp->place = *place;
    sm_kernel_clear_warp(&sm->kernel[warp->kernel], w);
    addresses_clear(&sm->addresses, w);
    memset(&warp->inst, 0, offsetof(struct warp_inst, addr)); /* the addresses need no clearing */
    sm->live_warps |= warp_bit(w);
    sm->kernel_warps[warp->kernel] |= warp_bit(w);
    sm->cta[c].warps |= warp_bit(w);
    sched_add(scheduler_of(sm, w), w);
    fetch_start(&sm->fetch, w);
}

void sm_update_schedulers(struct sm *sm) {
    if (!sm->scheduler[0].policy->update)
        return; /* all schedulers have the same policy */
    for (uint32_t i = 0; i < sm->n_schedulers; i++)
        sched_update(&sm->scheduler[i], sm->at_barrier, sm->far);
}

void sm_dispatch(struct sm *sm, uint32_t k, uint64_t cta) {
    struct sm_kernel *kernel = &sm->kernel[k];
    uint32_t c = 0;
    while (sm->cta[c].in_use)
        c++;
    /* `stores` is not reset: an earlier CTA's stores may still be in flight (sm.model=simple) */
    sm->cta[c].in_use = true;
    sm->cta[c].kernel = k;
    if (!kernel->live_ctas++ && limiter_on(&sm->limiter))
        limiter_starts(&sm->limiter, k);
    sm_resources_add(&sm->used, &kernel->need, 1);
    const struct watcher *watcher = sm->context->watcher;
    if (watcher)
        watcher->cta_begins(watcher->ctx, sm->id, c, k, cta, sm->context->sm_cycle);
    sm_kernel_clear_cta(kernel, c);
    for (uint32_t i = 0; i < kernel->warps_per_cta; i++) {
        struct warp_place place = sm_kernel_place(kernel, cta, i);
        start_warp(sm, warp_first(~sm->live_warps), c, &place);
    }
    for (warp_set left = sm->cta[c].warps; left; left &= left - 1) {
        uint32_t w = warp_first(left);
        sm_refill(sm, w);
        if (icache_asks(&sm->icache))
            sm->warp[w].next_pc = icache_pc(&sm->icache, &sm->warp[w].inst);
    }
    sm_update_schedulers(sm);
    sm_wake_issue(sm);
    sm->context->progress++;
}

static void end_cta(struct sm *sm, uint32_t c) {
    struct sm_kernel *kernel = &sm->kernel[sm->cta[c].kernel];
    sm->cta[c].in_use = false;
    kernel->live_ctas--;
    if (sm->quota.on)
        sm_wake_issue(sm); /* other kernels may have waited for this kernel to use up its quota */
    sm_resources_add(&sm->used, &kernel->need, -1);
    sm->context->ctas_ended++;
    stat_add(&sm->stats, STAT_ctas, 1);
    if (kernel->part)
        stat_add(kernel->part, STAT_ctas, 1);
    const struct watcher *watcher = sm->context->watcher;
    if (watcher)
        watcher->cta_ends(watcher->ctx, sm->id, c, sm->context->sm_cycle + 1);
}

/* Ends the CTA if it has no live warp and, if sm.model=gpgpusim, no unfinished store. */
static void try_end(struct sm *sm, uint32_t c) {
    const struct sm_cta *cta = &sm->cta[c];
    if (!cta->warps && (!cta->stores || !sm->model.gpgpusim))
        end_cta(sm, c);
}

void sm_store_done(struct sm *sm, const struct request *done) {
    const struct request_origin *o = &done->origin;
    struct sm_cta *cta = &sm->cta[o->cta];
    cta->stores--;
    sm->kernel[o->kernel].out--;
    if (cta->in_use && !cta->warps)
        try_end(sm, o->cta);
    if (done->kind == REQUEST_ATOMIC)
        sm_atomic_done(sm, o->warp);
}

/* Releases the barrier if all live warps of the CTA have arrived. */
static void try_release(struct sm *sm, uint32_t c) {
    struct sm_cta *cta = &sm->cta[c];
    if (!cta->arrived || cta->arrived != cta->warps)
        return;
    warp_set go = cta->arrived;
    cta->arrived = 0;
    sm->at_barrier &= ~go;
    for (warp_set left = go; left; left &= left - 1)
        sm_refill(sm, warp_first(left));
}

void sm_arrive(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    sm->at_barrier |= warp_bit(w);
    sm->ready &= ~warp_bit(w);
    sm->cta[c].arrived |= warp_bit(w);
    try_release(sm, c);
}

/* Ends a warp that has exited and has no result in flight. */
static void end_warp(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    if (sm->warp[w].copies)
        lsu_forget_copies(&sm->lsu, w);
    sm->live_warps &= ~warp_bit(w);
    sm->kernel_warps[sm->warp[w].kernel] &= ~warp_bit(w);
    sm_wake_issue(sm);
    sm->exited &= ~warp_bit(w);
    sm->leaving &= ~warp_bit(w);
    sm->ready &= ~warp_bit(w);
    sm->far &= ~warp_bit(w);
    sm->cta[c].warps &= ~warp_bit(w);
    set_want(sm, w, false);
    sched_remove(scheduler_of(sm, w), w);
    fetch_stop(&sm->fetch, w);
    if (!sm->cta[c].warps)
        try_end(sm, c);
    else
        try_release(sm, c);
}

void sm_exit_warp(struct sm *sm, uint32_t w, uint64_t cycle) {
    if (!sm->model.exit_latency) {
        end_warp(sm, w);
        return;
    }
    sm->exited |= warp_bit(w);
    sm->ready &= ~warp_bit(w);
    fetch_stop(&sm->fetch, w);
    if (!sm->collectors.steps) /* otherwise the unit ends the warp: sm_collect_tick */
        ring_push(&sm->exits, ((struct sm_exit){cycle + (uint64_t)sm->model.exit_latency, w}));
}

void sm_end_warps(struct sm *sm, uint64_t cycle) {
    while (sm->exits.count && ring_first(&sm->exits)->cycle <= cycle) {
        uint32_t w = ring_pop(&sm->exits).warp;
        if (regs_none(&sm->warp[w].pending))
            end_warp(sm, w);
        else
            sm->leaving |= warp_bit(w);
    }
}
