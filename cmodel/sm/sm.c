// SPDX-License-Identifier: Apache-2.0
#include "sm/sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "sm/inside.h"

/* A request names its CTA and kernel in bits of fixed width (cache/request_tag.h). */
_Static_assert(SM_MAX_CTAS <= 64 && KERNELS_AT_ONCE <= 4, "places for each kernel");

uint64_t sm_requests(const struct config *cfg) {
    return l1d_requests(cfg) + icache_requests(cfg);
}

uint64_t sm_longest_wait(const struct config *cfg) {
    int64_t units = cfg->sm_alu_latency + cfg->sm_sfu_latency + cfg->sm_fp64_latency +
                    cfg->sm_shared_latency + cfg->sm_exit_latency + ALU_PIPES_WAITS +
                    ALU_PIPES_GAP + UNITS_MAX_PASSES * cfg->sm_shared_interval;
    return (uint64_t)(units + cfg->sm_launch_latency) + l1d_longest_wait(cfg);
}

/* ---- making and ending ---- */

static int init_parts(struct sm *sm, const struct config *cfg, const struct l1d_ports *ports,
                      char *err, size_t err_size) {
    const struct icache_ports icache = {ports->req, ports->reply, ports->map};
    sm->warp = alloc_aligned_zeroed(HOST_LINE, (size_t)cfg->sm_warps * sizeof *sm->warp);
    addresses_init(&sm->addresses, cfg);
    units_init(&sm->units, cfg);
    lsu_init(&sm->lsu, cfg, sm->context, &sm->stats, sm->id);
    mrpb_init(&sm->mrpb, cfg, sm->context, &sm->stats);
    l1d_pipe_init(&sm->pipe, cfg, sm->context);
    if (sm->context->check)
        sm->lanes = lanes_create(sm->context->check, cfg, sm->id);
    icache_init(&sm->icache, cfg, sm->context, &icache, &sm->stats, sm->id);
    struct l1d_ports l1d = *ports;
    l1d.source = sm;
    l1d.next = sm_next_request;
    return l1d_init(&sm->l1d, cfg, sm->context, &l1d, &sm->stats, sm->id, err, err_size);
}

static void add_stage(struct sm *sm, struct stage stage) {
    assert(sm->path.n < SM_MAX_STAGES);
    assert(!(sm->path.fences && stage.fences) && !(sm->path.input && stage.input));
    sm->path.stage[sm->path.n++] = stage;
    if (stage.input)
        sm->path.input = stage.input;
    if (stage.fences) {
        sm->path.fences = true;
        sm->path.fence = stage.fence;
    }
}

int sm_init(struct sm *sm, const struct config *cfg, struct context *context,
            const struct l1d_ports *ports, uint32_t id, char *err, size_t err_size) {
    sm->context = context;
    sm->cfg = cfg;
    sm->id = id;
    sm->n_schedulers = (uint32_t)cfg->sm_schedulers;
    sm->stops = cfg->sm_exit_latency || cfg->sm_atomics == ATOMICS_HOLD;
    sm->dual_issue = cfg->sm_dual_issue;
    sm->rotates = cfg->sm_issue_order == ISSUE_ROTATING;
    sm->shared_in_lsu = cfg->sm_shared_path == SHARED_LSU;
    sm->collected = cfg->sm_collectors != 0;
    sm->at_unit = (sm->collected ? 0 : 1u << WARP_ALU | 1u << WARP_SFU | 1u << WARP_FP64) |
                  (sm->shared_in_lsu ? 0 : 1u << WARP_SHARED);
    if (sm->collected)
        collectors_init(&sm->collectors, (uint32_t)cfg->sm_collectors,
                        (uint32_t)(cfg->sm_register_banks / cfg->sm_schedulers),
                        (uint32_t)cfg->sm_ends_wait);
    sm->memory_issue = (uint32_t)cfg->sm_memory_issue;
    sm->banked = cfg->sm_register_banks != 0;
    sm->banks.n = sm->collected ? 0 : (uint32_t)cfg->sm_register_banks;
    sm->pipes.n = cfg->sm_ends_wait && !sm->collected ? sm->n_schedulers : 0;
    sm->l1d_responses = (uint32_t)cfg->l1d_responses;
    sm->wants_far = sched_wants_far(cfg);
    sm->have = sm_resources_of(cfg);
    sm->n_kernels = 1;
    fetch_init(&sm->fetch, cfg->sm_fetch);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        warp_set warps = 0;
        for (uint32_t w = i; w < (uint32_t)cfg->sm_warps; w += sm->n_schedulers)
            warps |= warp_bit(w);
        sm->of_scheduler[i] = warps;
        sched_init(&sm->scheduler[i], cfg, warps);
    }
    if (init_parts(sm, cfg, ports, err, err_size) != 0)
        return -1;
    if (mrpb_on(&sm->mrpb))
        add_stage(sm, mrpb_stage(&sm->mrpb));
    if (l1d_pipe_on(&sm->pipe))
        add_stage(sm, l1d_pipe_stage(&sm->pipe));
    return 0;
}

void sm_use_context(struct sm *sm, struct context *context) {
    sm->context = sm->lsu.context = sm->mrpb.context = sm->pipe.context = context;
    sm->icache.context = sm->l1d.cache.context = context;
    sm->l1d.to.req->in[sm->id].context = sm->l1d.to.reply->out[sm->id].context = context;
}

void sm_attach_mmu(struct sm *sm, struct uvm *uvm, struct mmu_port *port) {
    tlb_init(&sm->tlb, sm->cfg, sm->context, uvm, port, sm->id, &sm->stats);
    bool piped = l1d_pipe_on(&sm->pipe);
    sm->path.n -= piped; /* the pipeline stays the last */
    add_stage(sm, tlb_stage(&sm->tlb));
    if (piped)
        add_stage(sm, l1d_pipe_stage(&sm->pipe));
}

void sm_free(struct sm *sm) {
    free(sm->warp);
    for (uint32_t k = 0; k < KERNELS_AT_ONCE; k++)
        sm_kernel_free(&sm->kernel[k]);
    addresses_free(&sm->addresses);
    units_free(&sm->units);
    lsu_free(&sm->lsu);
    mrpb_free(&sm->mrpb);
    l1d_pipe_free(&sm->pipe);
    icache_free(&sm->icache);
    tlb_free(&sm->tlb);
    lanes_destroy(sm->lanes);
    limiter_free(&sm->limiter);
    l1d_free(&sm->l1d);
}

/* ---- time ---- */

/* The results of the units whose time has come. */
static void write_back(struct sm *sm, uint64_t cycle) {
    while (sm->units.next <= cycle) {
        const struct unit_result *r = units_take(&sm->units, cycle);
        sm_release(sm, r->warp, &r->regs);
    }
}

/* Counts the lengths of the queues, as they are now, for `cycles` cycles. */
static void count_queues(struct sm *sm, uint64_t cycles) {
    if (sm->lsu.count)
        stat_add(&sm->stats, STAT_lsu_queue_cycles, sm->lsu.count * cycles);
    if (sm->l1d.cache.miss_queue.count)
        stat_add(&sm->stats, STAT_l1d_miss_queue_cycles, sm->l1d.cache.miss_queue.count * cycles);
    if (sm->l1d.responses.count)
        stat_add(&sm->stats, STAT_l1d_rsp_queue_cycles, sm->l1d.responses.count * cycles);
}

void sm_tick(struct sm *sm, uint64_t cycle) {
    count_queues(sm, 1);
    write_back(sm, cycle);
    sm_end_warps(sm, cycle);
    if (sm->collected && collectors_waiting(&sm->collectors))
        sm_collect_tick(sm, cycle);
    sm_memory_tick(sm, cycle);
    sm_issue_tick(sm, cycle);
    sm->now = cycle + 1;
}

uint64_t sm_next_event(const struct sm *sm, uint64_t cycle) {
    bool flushes = l1d_dirty(&sm->l1d) && sm_drained(sm);
    if (sm->l1d.responses.count || sm->units.next <= cycle || flushes || sm->icache.unsent)
        return cycle;
    if (limiter_on(&sm->limiter) && limiter_next_event(&sm->limiter) == 0)
        return cycle;
    uint64_t next = sm_memory_next_event(sm, cycle);
    if (next <= cycle)
        return cycle;
    next = sm_sooner(next, sm_issue_next_event(sm, cycle));
    next = sm_sooner(next, sm_next_end(sm));
    if (sm->collected)
        next = sm_sooner(next, collectors_next_event(&sm->collectors, cycle));
    return sm_sooner(next, sm->units.next);
}

void sm_advance(struct sm *sm, uint64_t cycles) {
    count_queues(sm, cycles);
    sm_memory_advance(sm, cycles);
    sm_issue_advance(sm, cycles);
    sm->now += cycles;
}

/* ---- the end of a kernel ---- */

bool sm_empty(const struct sm *sm) {
    for (const struct stage *s = sm->path.stage; s < sm->path.stage + sm->path.n; s++)
        if (!s->type->empty(s->state))
            return false;
    return !sm->live && !sm->lsu.count && !lsu_loads_out(&sm->lsu) && !sm->l1d.stores_out &&
           !l1d_dirty(&sm->l1d);
}

int sm_use_kernels(struct sm *sm, uint32_t n, char *err, size_t err_size) {
    sm->n_kernels = n;
    if (n == 1)
        return 0;
    for (uint32_t k = 0; k < n; k++) {
        sm->kernel[k].part = alloc_zeroed(1, sizeof *sm->kernel[k].part);
        sm->kernel_stats[k] = sm->kernel[k].part;
    }
    quota_init(&sm->quota, sm->cfg);
    if (l1d_use_kernels(&sm->l1d, sm->cfg, sm->kernel_stats, n, err, err_size) != 0)
        return -1;
    if (!limiter_wanted(sm->cfg))
        return 0;
    return limiter_init(&sm->limiter, &sm->context->blocks, sm->cfg, n, sm->id, err, err_size);
}

void sm_end_kernel(struct sm *sm) {
    l1d_invalidate(&sm->l1d);
    if (sm->lanes)
        lanes_end(sm->lanes);
}

/* ---- statistics ---- */

void sm_add_stats(const struct sm *sm, uint64_t cycle, struct stats *to) {
    stats_add(to, &sm->stats);
    stat_add(to, STAT_sm_cycles, sm->now);
    stat_add(to, STAT_load_latency, level_area(&sm->lsu.waiting, cycle));
    stat_add(to, STAT_atomic_latency, level_area(&sm->lsu.atomics, cycle));
    l1d_add_stats(&sm->l1d, cycle, to);
}

void sm_gauges(const struct sm *sm, uint64_t cycle, const struct gauge_reader *to) {
    const uint64_t *v = sm->stats.v;
    gauge_show(to, "issue", "instructions per cycle", sm->n_schedulers, v[STAT_warp_insts], cycle);
    gauge_show(to, "LSU queue", "instructions", sm->lsu.capacity, v[STAT_lsu_queue_cycles], cycle);
    if (mrpb_on(&sm->mrpb))
        gauge_show(to, "prioritisation queues", "accesses",
                   (uint64_t)sm->mrpb.queues * sm->mrpb.depth, v[STAT_mrpb_access_cycles], cycle);
    l1d_gauges(&sm->l1d, cycle, to);
}
