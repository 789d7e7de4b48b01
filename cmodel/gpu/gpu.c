#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/parts.h"
#include "check/check.h"

#define PROGRESS_CYCLES (UINT64_C(1) << 14)

/* ---- making and ending ---- */

/* Every place that can hold a packet. */
static uint64_t packets_needed(const struct config *c) {
    const struct mshr_geometry mshr = MSHR_GEOMETRY_OF(c, l2, ADDR_LINE_BITS, 7, 1, 0);
    uint64_t slots = mshr_geometry_requests(&mshr);
    uint64_t sm = (uint64_t)(c->l1d_miss_queue + c->icnt_in_queue + c->icnt_out_queue);
    uint64_t bank = (uint64_t)(c->icnt_out_queue + c->l2_rsp_queue + c->icnt_in_queue +
                               c->l2_miss_queue + c->l2_evict_buffer) +
                    l2_in_packets(c) + slots + 1; /* 1: whose sectors are being looked up */
    uint64_t channel = dram_packets(c);
    if (c->l2_sectored)
        bank += slots; /* a request whose sectors wait, besides its parts in the slots */
    if (c->l2_sectored && c->l2_bypass) { /* and besides those that go past the bank */
        bank += (uint64_t)c->l2_miss_queue;
        channel *= 2;
    }
    return (uint64_t)c->sm_count * sm + (uint64_t)(c->l2_partitions * c->l2_subs) * bank +
           (uint64_t)c->l2_partitions * channel + 1;
}

/* n cycles of a domain in SM cycles, rounded up. */
static uint64_t sm_cycles(const struct config *c, int64_t n, int64_t mhz) {
    return (uint64_t)((n * c->clock_sm_mhz + mhz - 1) / mhz);
}

/* SM cycles in which a healthy machine may move nothing, at most: everything that takes a known
 * time, one after the other, and two cycles of each domain to get from one to the next. */
static uint64_t longest_wait(const struct config *c) {
    int64_t sm = c->sm_alu_latency + c->sm_sfu_latency + c->sm_fp64_latency + c->sm_shared_latency +
                 UNITS_MAX_PASSES * c->sm_shared_interval + c->l1d_hit_latency + 2;
    int64_t flits =
        (c->icnt_header_bytes + LINE_BYTES + c->icnt_flit_bytes - 1) / c->icnt_flit_bytes;
    return (uint64_t)sm + sm_cycles(c, 2 * (c->icnt_latency + flits) + 2, c->clock_icnt_mhz) +
           sm_cycles(c, c->l2_latency + 2, c->clock_l2_mhz) +
           sm_cycles(c, (int64_t)dram_longest_wait(c) + 2, c->clock_dram_mhz);
}

static int init_memory(struct gpu *g, char *err, size_t err_size) {
    const struct config *c = g->cfg;
    for (uint32_t p = 0; p < g->n_channels; p++)
        if (dram_init(&g->dram[p], &g->context, &g->backing, c) != 0) {
            snprintf(err, err_size, "out of memory for DRAM channel %u", (unsigned)p);
            return -1;
        }
    for (uint32_t b = 0; b < g->n_banks; b++) {
        if (l2_init(&g->l2[b], c, &g->context, b, err, err_size) != 0)
            return -1;
        g->l2[b].req = &g->req;
        g->l2[b].reply = &g->reply;
        g->l2[b].dram = &g->dram[b / g->map.subs];
        g->l2[b].slice = b % g->map.subs;
        g->l2[b].map = &g->map;
    }
    return 0;
}

static int init_sms(struct gpu *g, char *err, size_t err_size) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        if (sm_init(&g->sm[i], g->cfg, &g->context, i, err, err_size) != 0)
            return -1;
        struct l1d *l1 = &g->sm[i].l1d;
        l1->req = &g->req;
        l1->reply = &g->reply;
        l1->map = &g->map;
        if (l1->mdb.scheme == BYPASS_MDB_GLOBAL)
            l1->mdb.bus = &g->bus;
    }
    return 0;
}

static int init_frame(struct gpu *g, struct check *check) {
    const struct config *c = g->cfg;
    g->context.check = check;
    g->context.plant = (int)c->sim_plant;
    g->context.plant_line = ~UINT64_C(0);
    const uint64_t mhz[CLOCK_DOMAINS] = {
        [CLOCK_DRAM] = (uint64_t)c->clock_dram_mhz,
        [CLOCK_L2] = (uint64_t)c->clock_l2_mhz,
        [CLOCK_ICNT] = (uint64_t)c->clock_icnt_mhz,
        [CLOCK_SM] = (uint64_t)c->clock_sm_mhz,
    };
    clocks_init(&g->clocks, mhz);
    uint64_t packets = packets_needed(c);
    struct xbar_size req = {g->n_sms, g->n_banks, (uint32_t)c->icnt_in_queue,
                            (uint32_t)c->icnt_out_queue, (uint32_t)c->icnt_latency};
    struct xbar_size reply = req;
    reply.n_in = g->n_banks;
    reply.n_out = g->n_sms;
    g->sm = calloc(g->n_sms, sizeof *g->sm);
    g->l2 = calloc(g->n_banks, sizeof *g->l2);
    g->dram = calloc(g->n_channels, sizeof *g->dram);
    g->sm_wake = calloc(g->n_sms, sizeof *g->sm_wake);
    g->sm_seen = calloc(g->n_sms, sizeof *g->sm_seen);
    g->l2_wake = calloc(g->n_banks, sizeof *g->l2_wake);
    g->l2_seen = calloc(g->n_banks, sizeof *g->l2_seen);
    if (!g->sm_wake || !g->sm_seen || !g->l2_wake || !g->l2_seen)
        return -1;
    if (!g->sm || !g->l2 || !g->dram ||
        packet_pool_init(&g->context.pool, (uint32_t)packets) != 0 ||
        xbar_init(&g->req, &g->context, &req) != 0 ||
        xbar_init(&g->reply, &g->context, &reply) != 0)
        return -1;
    return 0;
}

struct gpu *gpu_create(const struct config *cfg, struct check *check, char *err, size_t err_size) {
    return gpu_create_booked(cfg, check, NULL, err, err_size);
}

struct gpu *gpu_create_booked(const struct config *cfg, struct check *check, struct book *book,
                              char *err, size_t err_size) {
    if (gpu_check(cfg, err, err_size) != 0)
        return NULL;
    struct gpu *g = calloc(1, sizeof *g);
    if (!g) {
        snprintf(err, err_size, "out of memory");
        return NULL;
    }
    g->cfg = cfg;
    g->n_sms = (uint32_t)cfg->sm_count;
    g->map = addr_map_of(cfg);
    g->n_channels = g->map.partitions;
    g->n_banks = g->map.partitions * g->map.subs;
    g->skip = cfg->sim_skip != 0;
    g->patience = (uint64_t)cfg->sim_no_progress_cycles + longest_wait(cfg) + uvm_longest_wait(cfg);
    if (init_frame(g, check) != 0) {
        snprintf(err, err_size, "out of memory for the system");
        gpu_destroy(g);
        return NULL;
    }
    if (init_memory(g, err, err_size) != 0 || init_sms(g, err, err_size) != 0 ||
        paging_init(g, book, err, err_size) != 0) {
        gpu_destroy(g);
        return NULL;
    }
    gpu_carry_data(g, check != NULL);
    return g;
}

void gpu_destroy(struct gpu *g) {
    if (!g)
        return;
    for (uint32_t i = 0; g->sm && i < g->n_sms; i++)
        sm_free(&g->sm[i]);
    for (uint32_t b = 0; g->l2 && b < g->n_banks; b++)
        l2_free(&g->l2[b]);
    for (uint32_t p = 0; g->dram && p < g->n_channels; p++)
        dram_free(&g->dram[p]);
    paging_free(g);
    xbar_free(&g->req);
    xbar_free(&g->reply);
    packet_pool_free(&g->context.pool);
    backing_free(&g->backing);
    free(g->sm);
    free(g->l2);
    free(g->dram);
    free(g->sm_wake);
    free(g->sm_seen);
    free(g->l2_wake);
    free(g->l2_seen);
    free(g);
}

void gpu_each_block(struct gpu *g, void (*fn)(void *ctx, struct block_inst *inst), void *ctx) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (g->sm[i].l1d.enabled)
            fn(ctx, &g->sm[i].l1d.mshr.inst);
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (g->sm[i].l1d.mdb.inst.type)
            fn(ctx, &g->sm[i].l1d.mdb.inst);
    for (uint32_t b = 0; b < g->n_banks && g->l2[b].in.fifo.inst.type; b++)
        fn(ctx, &g->l2[b].in.fifo.inst);
    for (uint32_t b = 0; b < g->n_banks && g->l2[b].in.reorder.inst.type; b++)
        fn(ctx, &g->l2[b].in.reorder.inst);
    for (uint32_t b = 0; b < g->n_banks; b++)
        fn(ctx, &g->l2[b].mshr.inst);
    if (g->paging && gmmu_hir_on(&g->paging->gmmu.hir))
        fn(ctx, &g->paging->gmmu.hir.inst);
}

void gpu_carry_data(struct gpu *g, bool on) {
    struct context *f = &g->context;
    on = on || f->check;
    if (on == f->carry)
        return;
    int bad = packet_pool_carry(&f->pool, on);
    for (uint32_t i = 0; i < g->n_sms; i++)
        bad |= l1d_carry(&g->sm[i].l1d, on);
    for (uint32_t b = 0; b < g->n_banks; b++)
        bad |= l2_carry(&g->l2[b], on);
    f->carry = on;
    if (bad)
        context_fail(f, CONTEXT_INTERNAL, "out of memory for the data of the caches");
}

void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct gpu *g = gpu;
    if (g->paging && page_data_read(g, line, data))
        return;
    backing_read(&g->backing, line, data);
    l2_read_line(&g->l2[addr_bank(&g->map, line)], line, data);
}

const char *gpu_error(const struct gpu *g) {
    return g->context.error;
}

bool gpu_plant_made(const struct gpu *g) {
    return g->context.plant == PLANT_NONE || g->context.planted;
}

/* ---- statistics ---- */

const char *const gpu_part_name[GPU_PARTS] = {"sm", "l2", "dram"};

/* The cycles that were skipped are accounted for. */
static void settle_sm(struct gpu *g, uint32_t i, uint64_t cycle) {
    if (cycle > g->sm_seen[i])
        sm_advance(&g->sm[i], cycle - g->sm_seen[i]);
    g->sm_seen[i] = cycle;
}

static void add_sm(struct gpu *g, uint32_t i, struct stats *t) {
    settle_sm(g, i, g->cycle);
    const struct sm *sm = &g->sm[i];
    const struct mshr_unit *u = &sm->l1d.mshr;
    stats_add(t, &sm->stats);
    stat_add(t, STAT_load_latency, level_area(&sm->lsu.waiting, g->cycle));
    stat_add(t, STAT_atomic_latency, level_area(&sm->lsu.atomics, g->cycle));
    stat_add(t, STAT_l1d_mshr_busy_cycles, level_busy(&u->used, g->cycle));
    stat_add(t, STAT_l1d_mshr_slot_cycles, level_area(&u->used, g->cycle));
    stat_add(t, STAT_l1d_mshr_capacity, level_busy(&u->used, g->cycle) * u->capacity);
}

static void settle_bank(struct gpu *g, uint32_t b, uint64_t cycle) {
    if (cycle > g->l2_seen[b])
        l2_advance(&g->l2[b], cycle - g->l2_seen[b]);
    g->l2_seen[b] = cycle;
}

static void add_bank(struct gpu *g, uint32_t b, struct stats *t) {
    settle_bank(g, b, g->edges[CLOCK_L2]);
    const struct l2 *l2 = &g->l2[b];
    const struct mshr_unit *u = &l2->mshr;
    uint64_t cycle = g->edges[CLOCK_L2];
    stats_add(t, &l2->stats);
    stat_add(t, STAT_l2_mshr_busy_cycles, level_busy(&u->used, cycle));
    stat_add(t, STAT_l2_mshr_slot_cycles, level_area(&u->used, cycle));
    stat_add(t, STAT_l2_mshr_capacity, level_busy(&u->used, cycle) * u->capacity);
}

uint32_t gpu_part_count(const struct gpu *g, enum gpu_part part) {
    const uint32_t n[GPU_PARTS] = {g->n_sms, g->n_banks, g->n_channels};
    return n[part];
}

void gpu_part_stats(struct gpu *g, enum gpu_part part, uint32_t index, struct stats *s) {
    memset(s, 0, sizeof *s);
    switch (part) {
    case GPU_SM:
        add_sm(g, index, s);
        break;
    case GPU_L2_BANK:
        add_bank(g, index, s);
        break;
    case GPU_DRAM_CHANNEL:
        dram_add_stats(&g->dram[index], s);
        break;
    case GPU_PARTS:
        break;
    }
}

void gpu_stats(struct gpu *g, struct stats *t) {
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < g->n_sms; i++)
        add_sm(g, i, t);
    for (uint32_t b = 0; b < g->n_banks; b++)
        add_bank(g, b, t);
    for (uint32_t p = 0; p < g->n_channels; p++)
        dram_add_stats(&g->dram[p], t);
    stat_add(t, STAT_cycles, g->cycle);
    stat_add(t, STAT_kernels, g->kernels);
    stat_add(t, STAT_mdb_users, g->users);
    stat_add(t, STAT_mdb_cta_launches, g->cta_launches);
    stat_add(t, STAT_icnt_cycles, g->edges[CLOCK_ICNT]);
    stat_add(t, STAT_icnt_req_queue_cycles, g->req.queue_cycles);
    stat_add(t, STAT_icnt_rsp_queue_cycles, g->reply.queue_cycles);
    stat_add(t, STAT_icnt_req_flits, g->req.flits);
    stat_add(t, STAT_icnt_req_stalls, g->req.stalls);
    stat_add(t, STAT_icnt_rsp_flits, g->reply.flits);
    stat_add(t, STAT_icnt_rsp_stalls, g->reply.stalls);
    if (g->paging)
        paging_add_stats(g, t);
}

/* ---- kernels ---- */

/* The workload's input may turn out to be wrong while it runs. */
static bool input_wrong(struct gpu *g, const struct workload *workload) {
    const char *why = workload->error ? workload->error(workload) : NULL;
    if (why)
        context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why);
    return why;
}

/* Who goes past the L1Ds is decided anew. */
static void begin_bypass(struct gpu *g) {
    const struct mdb *first = &g->sm[0].l1d.mdb;
    if (!mdb_on(first))
        return;
    g->users += first->users.n;
    g->cta_launches += first->users.ctas;
    if (first->scheme == BYPASS_MDB_GLOBAL)
        g->turn = 0; /* the SM that decides has work, however small the grid */
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (g->sm[i].l1d.mdb.inst.type)
            g->sm_wake[i] = g->cycle;
}

/* Takes the next launch. Returns false if there is none, or it cannot run. */
static bool begin_kernel(struct gpu *g, struct workload *workload) {
    struct kernel_launch *l = &g->launch;
    memset(l, 0, sizeof *l);
    if (!workload->next(workload, l)) {
        g->all_done = !input_wrong(g, workload);
        return false;
    }
    char why[CONTEXT_ERROR_MAX];
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_launch(&g->sm[i], l, why, sizeof why) != 0) {
            context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why);
            return false;
        }
    begin_bypass(g);
    g->next_cta = 0;
    g->n_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    g->running = true;
    g->ctas_seen = UINT64_MAX;
    return true;
}

/* Each SM with room gets at most one CTA a cycle, in turn. */
static void dispatch(struct gpu *g) {
    uint32_t first = g->turn;
    bool given = false;
    for (uint32_t n = 0; n < g->n_sms && g->next_cta < g->n_ctas; n++) {
        uint32_t i = first + n;
        i = i >= g->n_sms ? i - g->n_sms : i;
        if (!sm_has_room(&g->sm[i]))
            continue;
        settle_sm(g, i, g->cycle);
        sm_dispatch(&g->sm[i], g->next_cta++);
        g->sm_wake[i] = g->cycle;
        g->turn = i + 1 == g->n_sms ? 0 : i + 1;
        given = true;
    }
    if (!given)
        g->ctas_seen = g->context.ctas_ended;
}

/* Whether an SM may have room for a CTA that waits. */
static bool may_dispatch(const struct gpu *g) {
    return g->next_cta < g->n_ctas && g->ctas_seen != g->context.ctas_ended;
}

/* All CTAs have run and nothing is on its way anywhere. */
static bool kernel_over(const struct gpu *g) {
    if (g->next_cta < g->n_ctas || g->context.pool.in_use)
        return false;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (!sm_empty(&g->sm[i]))
            return false;
    return true;
}

/* What happened while the kernel ran. */
static void report_kernel(struct gpu *g, const struct gpu_watch *watch) {
    struct stats now, during;
    gpu_stats(g, &now);
    stats_difference(&during, &now, &g->at_launch);
    watch->kernel(watch->ctx, g->launch.name, &during);
    g->at_launch = now;
}

static void end_kernel(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_end_kernel(&g->sm[i]);
    if (g->context.check)
        check_kernel_end(g->context.check);
    if (g->context.uvm)
        uvm_quiet(g->context.uvm);
    g->kernels++;
    g->running = false;
}

/* ---- the clock ---- */

static void tick_channels(struct gpu *g) {
    g->edges[CLOCK_DRAM]++;
    for (uint32_t p = 0; p < g->n_channels; p++) {
        struct dram *d = &g->dram[p];
        g->quiet = g->quiet && d->cycle + 1 < d->next;
        dram_tick(d);
    }
}

static void tick_banks(struct gpu *g) {
    uint64_t cycle = g->edges[CLOCK_L2]++;
    for (uint32_t b = 0; b < g->n_banks; b++) {
        struct l2 *l2 = &g->l2[b];
        if (g->skip && cycle < g->l2_wake[b] && !l2_has_input(l2))
            continue;
        settle_bank(g, b, cycle);
        l2_tick(l2, cycle);
        g->l2_seen[b] = cycle + 1;
        g->l2_wake[b] = l2_next_event(l2);
        g->quiet = false;
    }
}

static void tick_networks(struct gpu *g) {
    g->edges[CLOCK_ICNT]++;
    xbar_tick(&g->req);
    xbar_tick(&g->reply);
}

/* SM 0 has decided who goes past the L1Ds: what an SM waits with may go now. */
static void wake_sms(struct gpu *g, uint64_t cycle) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (cycle < g->sm_wake[i])
            g->sm_wake[i] = cycle;
}

static void tick_sms(struct gpu *g) {
    uint64_t cycle = g->edges[CLOCK_SM]++;
    g->context.sm_cycle = cycle;
    if (g->paging)
        paging_tick(g, cycle);
    if (may_dispatch(g))
        dispatch(g);
    for (uint32_t i = 0; i < g->n_sms; i++) {
        if (g->skip && cycle < g->sm_wake[i] && !sm_has_input(&g->sm[i], cycle))
            continue;
        settle_sm(g, i, cycle);
        sm_tick(&g->sm[i], cycle);
        g->sm_seen[i] = cycle + 1;
        g->sm_wake[i] = sm_next_event(&g->sm[i], cycle + 1);
        g->quiet = false;
    }
    if (g->bus.since == cycle + 1)
        wake_sms(g, cycle + 1);
    g->cycle = cycle + 1;
    if (g->running && kernel_over(g))
        end_kernel(g);
}

/* One instant. Consumers of requests go before their producers (docs/system.md). Returns true if it
 * was an SM cycle. */
static bool tick(struct gpu *g) {
    unsigned edges = clocks_next(&g->clocks);
    g->context.now++;
    if (edges & 1u << CLOCK_DRAM)
        tick_channels(g);
    if (edges & 1u << CLOCK_L2)
        tick_banks(g);
    if (edges & 1u << CLOCK_ICNT)
        tick_networks(g);
    if (!(edges & 1u << CLOCK_SM))
        return false;
    tick_sms(g);
    return true;
}

static void sooner(uint64_t *idle, uint64_t cycle, uint64_t now) {
    uint64_t left = cycle > now ? cycle - now : 0;
    *idle = left < *idle ? left : *idle;
}

/* A network's packets in flight: the edge that brings one, or its consumer's next if it is there.
 */
static void await_network(const struct gpu *g, const struct xbar *x, enum clock_domain consumer,
                          uint64_t idle[CLOCK_DOMAINS]) {
    for (uint32_t o = 0; o < x->n_out; o++) {
        if (x->ready[o] <= x->cycle)
            idle[consumer] = 0;
        else if (x->ready[o] != XBAR_NEVER)
            sooner(&idle[CLOCK_ICNT], x->ready[o] - 1, g->edges[CLOCK_ICNT]);
    }
}

/* Nothing has happened since the last SM cycle, and nothing waits for the next edge of a clock. */
static bool all_sleep(const struct gpu *g) {
    return g->quiet && !g->req.queued && !g->reply.queued && !may_dispatch(g);
}

/* Jumps over the instants in which nothing can happen. */
static void pass_idle(struct gpu *g, const struct gpu_watch *watch) {
    uint64_t idle[CLOCK_DOMAINS], passed[CLOCK_DOMAINS];
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        idle[d] = UINT64_MAX;
    for (uint32_t i = 0; i < g->n_sms; i++) {
        uint64_t wake = sm_told_at(&g->sm[i]);
        wake = wake < g->sm_wake[i] ? wake : g->sm_wake[i];
        sooner(&idle[CLOCK_SM], l1d_has_input(&g->sm[i].l1d) ? 0 : wake, g->cycle);
    }
    if (g->paging)
        sooner(&idle[CLOCK_SM], paging_next_event(g, g->cycle), g->cycle);
    for (uint32_t b = 0; b < g->n_banks; b++) {
        const struct l2 *l2 = &g->l2[b];
        bool stirs = l2_has_input(l2) || dram_will_show(l2->dram, l2->slice);
        sooner(&idle[CLOCK_L2], stirs ? 0 : g->l2_wake[b], g->edges[CLOCK_L2]);
    }
    for (uint32_t p = 0; p < g->n_channels; p++)
        sooner(&idle[CLOCK_DRAM], dram_next_event(&g->dram[p]) - 1, g->dram[p].cycle);
    await_network(g, &g->req, CLOCK_L2, idle);
    await_network(g, &g->reply, CLOCK_SM, idle);
    /* The cycle that makes one of these full is not passed over. */
    sooner(&idle[CLOCK_SM], g->moved_at + g->patience - 1, g->cycle);
    if (g->cfg->sim_max_cycles)
        sooner(&idle[CLOCK_SM], (uint64_t)g->cfg->sim_max_cycles - 1, g->cycle);
    if (watch && watch->sample_cycles)
        sooner(&idle[CLOCK_SM], g->sampled + watch->sample_cycles - 1, g->cycle);
    clocks_advance(&g->clocks, idle, passed);
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        g->edges[d] += passed[d];
    for (uint32_t p = 0; passed[CLOCK_DRAM] && p < g->n_channels; p++)
        dram_advance(&g->dram[p], passed[CLOCK_DRAM]);
    xbar_advance(&g->req, passed[CLOCK_ICNT]);
    xbar_advance(&g->reply, passed[CLOCK_ICNT]);
    g->cycle = g->edges[CLOCK_SM];
}

static bool stuck(struct gpu *g) {
    if (g->context.progress != g->seen_progress) {
        g->seen_progress = g->context.progress;
        g->moved_at = g->cycle;
    }
    return g->cycle - g->moved_at >= g->patience;
}

/* Whether the run ends after this SM cycle. */
static bool ended(struct gpu *g, const struct workload *workload, const volatile bool *stop,
                  enum gpu_end *end) {
    const struct context *f = &g->context;
    if (input_wrong(g, workload) || f->fault == CONTEXT_BAD_INPUT)
        *end = GPU_BAD_LAUNCH;
    else if (f->fault == CONTEXT_INTERNAL)
        *end = GPU_INTERNAL;
    else if (f->fault == CONTEXT_BROKEN || (f->check && check_failure(f->check)))
        *end = GPU_CHECK_FAILED;
    else if ((stop && *stop) ||
             (g->cfg->sim_max_cycles && g->cycle >= (uint64_t)g->cfg->sim_max_cycles))
        *end = GPU_STOPPED;
    else if (stuck(g))
        *end = GPU_NO_PROGRESS;
    else
        return false;
    return true;
}

/* After an SM cycle: what the watch wants to know. */
static void tell(struct gpu *g, const struct gpu_watch *watch, bool kernel_ended) {
    struct stats totals;
    if (watch->kernel && kernel_ended)
        report_kernel(g, watch);
    if (watch->progress && g->cycle % PROGRESS_CYCLES == 0) {
        gpu_stats(g, &totals);
        watch->progress(watch->ctx, &totals);
    }
    if (watch->sample_cycles && g->cycle - g->sampled >= watch->sample_cycles) {
        g->sampled = g->cycle;
        gpu_stats(g, &totals);
        watch->sample(watch->ctx, &totals);
    }
}

/* No kernel may start. */
static bool copying(const struct gpu *g) {
    return g->paging && uvm_copying(g->paging->uvm);
}

enum gpu_end gpu_run(struct gpu *g, struct workload *workload, const volatile bool *stop,
                     const struct gpu_watch *watch) {
    enum gpu_end end = GPU_DONE;
    g->all_done = false;
    if (g->paging)
        paging_begin(g, workload);
    while (!ended(g, workload, stop, &end)) {
        if (!g->running && !copying(g) && !begin_kernel(g, workload)) {
            if (g->all_done)
                break;
            continue; /* the fault ends the run */
        }
        if (g->skip && all_sleep(g))
            pass_idle(g, watch);
        bool ran = g->running;
        g->quiet = true;
        while (!tick(g))
            ;
        if (watch)
            tell(g, watch, ran && !g->running);
    }
    if (watch && watch->sample_cycles && g->cycle > g->sampled) {
        struct stats totals;
        gpu_stats(g, &totals);
        watch->sample(watch->ctx, &totals);
    }
    return end;
}
