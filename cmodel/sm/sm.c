// SPDX-License-Identifier: Apache-2.0
#include "sm/sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "sm/inside.h"

/* A request encodes its CTA slot and kernel in bits of fixed width (cache/request_tag.h). */
_Static_assert(SM_MAX_CTAS <= 64 && KERNELS_AT_ONCE <= 256, "places for each kernel");

uint64_t sm_requests(const struct config *cfg) {
    return l1d_requests(cfg) + icache_requests(cfg);
}

uint64_t sm_longest_wait(const struct config *cfg) {
    const char *const timing[] = {cfg->sm_alu,    cfg->sm_sfu,     cfg->sm_fp64,   cfg->sm_int,
                                  cfg->sm_branch, cfg->sm_texture, cfg->sm_tensor, cfg->sm_uniform};
    int64_t units = cfg->sm_shared_latency + sm_model_of(cfg).exit_latency + ALU_PIPES_WAITS +
                    ALU_PIPES_GAP + UNITS_MAX_PASSES;
    for (unsigned i = 0; i < sizeof timing / sizeof timing[0]; i++) {
        uint32_t latency = 0, interval;
        units_read_own(timing[i], &latency, &interval);
        units += latency;
    }
    return (uint64_t)(units + cfg->sm_launch_latency) + l1d_longest_wait(cfg);
}

/* ---- creation and destruction ---- */

static int init_parts(struct sm *sm, const struct config *cfg, const struct l1d_ports *ports,
                      struct error *err) {
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
    return l1d_init(&sm->l1d, cfg, sm->context, &l1d, &sm->stats, sm->id, err);
}

/* Sets up the model. GPGPU-Sim's pipeline has operand collectors for all instructions of a
 * scheduler. If there are no collectors, it has a register before the LSU that accepts one
 * memory instruction per cycle, register banks and arithmetic pipelines. */
static void init_model(struct sm *sm, const struct config *cfg) {
    const struct sm_model m = sm->model = sm_model_of(cfg);
    sm->at_unit = (m.collectors ? 0 : 1u << WARP_ALU | 1u << WARP_SFU | 1u << WARP_FP64) |
                  (m.gpgpusim ? 0 : 1u << WARP_SHARED);
    sm->memory_issue = UINT32_MAX;
    if (m.collectors) {
        collectors_init(&sm->collectors, m.collectors, m.register_banks / sm->n_schedulers,
                        m.register_ports);
    } else if (m.gpgpusim) {
        sm->memory_issue = 1;
        sm->banks.n = m.register_banks;
        sm->pipes.n = sm->n_schedulers;
    }
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
            const struct l1d_ports *ports, uint32_t id, struct error *err) {
    sm->context = context;
    sm->cfg = cfg;
    sm->id = id;
    sm->n_schedulers = (uint32_t)cfg->sm_schedulers;
    init_model(sm, cfg);
    sm->l1d_responses = cfg->l1d_model == MODEL_GPGPUSIM ? 1 + (uint32_t)cfg->l1d_banks : 1;
    sm->wants_far = sched_wants_far(cfg);
    sm->have = sm_resources_of(cfg);
    sm->n_kernels = 1;
    fetch_init(&sm->fetch, sm->model.fetch);
    ring_init(&sm->exits, WARP_SLOTS);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        warp_set warps = 0;
        for (uint32_t w = i; w < (uint32_t)cfg->sm_warps; w += sm->n_schedulers)
            warps |= warp_bit(w);
        sm->scheduler_warps[i] = warps;
        sched_init(&sm->scheduler[i], cfg, warps);
    }
    if (init_parts(sm, cfg, ports, err) != 0)
        return -1;
    if (mrpb_on(&sm->mrpb))
        add_stage(sm, mrpb_stage(&sm->mrpb));
    if (l1d_pipe_on(&sm->pipe))
        add_stage(sm, l1d_pipe_stage(&sm->pipe));
    return 0;
}

void sm_attach_mmu(struct sm *sm, struct uvm *uvm, struct mmu_port *port) {
    tlb_init(&sm->tlb, sm->cfg, sm->context, uvm, port, sm->id, &sm->stats);
    bool piped = l1d_pipe_on(&sm->pipe);
    sm->path.n -= piped; /* the pipeline stays last */
    add_stage(sm, tlb_stage(&sm->tlb));
    if (piped)
        add_stage(sm, l1d_pipe_stage(&sm->pipe));
}

void sm_free(struct sm *sm) {
    free(sm->warp);
    ring_free(&sm->exits);
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

/* ---- cycles ---- */

/* Writes the results of units that are due in this cycle. */
static void write_back(struct sm *sm, uint64_t cycle) {
    while (sm->units.next <= cycle) {
        const struct unit_result *r = units_take(&sm->units, cycle);
        if (r->atomic)
            sm_hold_less(sm, r->warp);
        sm_release(sm, r->warp, &r->regs);
    }
}

/* Adds the current lengths of the queues to the statistics for `cycles` cycles. */
static void count_queues(struct sm *sm, uint64_t cycles) {
    if (sm->lsu.order.count)
        stat_add(&sm->stats, STAT_lsu_queue_cycles, sm->lsu.order.count * cycles);
    if (sm->l1d.cache.miss_queue.count)
        stat_add(&sm->stats, STAT_l1d_miss_queue_cycles, sm->l1d.cache.miss_queue.count * cycles);
    if (sm->l1d.responses.count)
        stat_add(&sm->stats, STAT_l1d_response_queue_cycles, sm->l1d.responses.count * cycles);
}

void sm_tick(struct sm *sm, uint64_t cycle) {
    count_queues(sm, 1);
    write_back(sm, cycle);
    sm_end_warps(sm, cycle);
    if (sm->collectors.steps)
        sm_take_responses(sm, cycle);
    if (sm->model.collectors && collectors_waiting(&sm->collectors, cycle))
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
    uint64_t next = sm_sooner(sm_issue_next_event(sm, cycle), sm->units.next);
    next = sm_sooner(next, sm_next_end(sm));
    if (sm->model.collectors)
        next = sm_sooner(next, collectors_next_event(&sm->collectors, cycle));
    return next <= cycle ? cycle : sm_sooner(next, sm_memory_next_event(sm, cycle));
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
    return !sm->live_warps && !sm->lsu.order.count && !lsu_loads_out(&sm->lsu) &&
           !sm->l1d.stores_out && !l1d_dirty(&sm->l1d);
}

int sm_use_kernels(struct sm *sm, uint32_t n, struct error *err) {
    sm->n_kernels = n;
    if (n == 1)
        return 0;
    for (uint32_t k = 0; k < n; k++) {
        sm->kernel[k].part = alloc_zeroed(1, sizeof *sm->kernel[k].part);
        sm->kernel_stats[k] = sm->kernel[k].part;
    }
    quota_init(&sm->quota, sm->cfg);
    if (l1d_use_kernels(&sm->l1d, sm->cfg, sm->kernel_stats, n, err) != 0)
        return -1;
    sm_divide(sm, UINT64_MAX); /* the L1D has the ways that the largest size leaves */
    if (!limiter_wanted(sm->cfg))
        return 0;
    return limiter_init(&sm->limiter, &sm->context->blocks, sm->cfg, n, sm_most_in_flight(sm->cfg),
                        sm->id, err);
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
    gauge_show(to, "LSU queue", "instructions", sm->lsu.order.capacity, v[STAT_lsu_queue_cycles],
               cycle);
    if (mrpb_on(&sm->mrpb))
        gauge_show(to, "prioritization queues", "accesses", (uint64_t)sm->mrpb.queues * MRPB_DEPTH,
                   v[STAT_mrpb_access_cycles], cycle);
    l1d_gauges(&sm->l1d, cycle, to);
}
