// SPDX-License-Identifier: Apache-2.0
/* Making, wiring and ending a system. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu/parts.h"
#include "lib/alloc.h"
#include "policy/policies.h"

/* Every place that can hold a packet. */
static uint64_t requests_needed(const struct config *c) {
    return (uint64_t)c->sm_count * sm_requests(c) + xbar_requests(c) +
           (uint64_t)c->l2_partitions * (l2_requests(c) + memory_requests(c) + dram_requests(c)) +
           1;
}

static int check_requests(const struct config *c, char *err, size_t err_size) {
    uint64_t needed = requests_needed(c);
    if (needed <= REQUEST_POOL_MAX)
        return 0;
    return config_refuse(err, err_size,
                         "places for %llu packets are more than %u: fewer MSHRs (l2.mshr_entries, "
                         "l2.dl_sets), shorter queues or fewer SMs and banks",
                         (unsigned long long)needed, REQUEST_POOL_MAX);
}

/* n cycles of a domain in SM cycles, rounded up. */
static uint64_t sm_cycles(const struct config *c, int64_t n, int64_t mhz) {
    return (uint64_t)((n * c->clock_sm_mhz + mhz - 1) / mhz);
}

/* SM cycles in which a healthy machine may move nothing, at most: everything that takes a known
 * time, one after the other, and two cycles of each domain to get from one to the next. */
static uint64_t longest_wait(const struct config *c) {
    return sm_longest_wait(c) + 2 +
           sm_cycles(c, (int64_t)xbar_longest_wait(c) + 2, c->clock_icnt_mhz) +
           sm_cycles(c, (int64_t)(l2_longest_wait(c) + memory_longest_wait(c)) + 2,
                     c->clock_l2_mhz) +
           sm_cycles(c, (int64_t)dram_longest_wait(c) + 2, c->clock_dram_mhz);
}

static int init_memory(struct gpu *g, char *err, size_t err_size) {
    const struct config *c = g->cfg;
    for (uint32_t p = 0; p < g->n_channels; p++) {
        dram_init(&g->dram[p], &g->context, &g->backing, c);
        if (memory_init(&g->memory[p], c, &g->context, &g->map, &g->dram[p], p, err, err_size) != 0)
            return -1;
    }
    for (uint32_t b = 0; b < g->n_banks; b++) {
        const struct l2_ports ports = {&g->req, &g->reply, g->memory[b / g->map.subs], &g->map};
        if (l2_init(&g->l2[b], c, &g->context, &ports, b, err, err_size) != 0)
            return -1;
    }
    return 0;
}

static int init_sms(struct gpu *g, char *err, size_t err_size) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const struct l1d_ports ports = {
            .req = &g->req, .reply = &g->reply, .map = &g->map, .leader = i ? &g->sm[0].l1d : NULL};
        if (sm_init(&g->sm[i], g->cfg, &g->context, &ports, i, err, err_size) != 0)
            return -1;
    }
    return 0;
}

static void init_clocks(struct gpu *g) {
    const struct config *c = g->cfg;
    const uint64_t mhz[CLOCK_DOMAINS] = {
        [CLOCK_DRAM] = (uint64_t)c->clock_dram_mhz,
        [CLOCK_L2] = (uint64_t)c->clock_l2_mhz,
        [CLOCK_ICNT] = (uint64_t)c->clock_icnt_mhz,
        [CLOCK_SM] = (uint64_t)c->clock_sm_mhz,
    };
    clocks_init(&g->clocks, mhz);
}

static void init_networks(struct gpu *g) {
    const struct config *c = g->cfg;
    struct xbar_size req = {
        .n_in = g->n_sms,
        .n_out = g->n_banks,
        .in_queue = (uint32_t)c->icnt_in_queue,
        .out_queue = (uint32_t)c->icnt_out_queue,
        .latency = (uint32_t)c->icnt_latency,
        .speedup = (uint32_t)c->icnt_speedup,
        .flit_places = c->icnt_places == ICNT_PLACES_FLITS,
    };
    struct xbar_size reply = req;
    reply.n_in = g->n_banks;
    reply.n_out = g->n_sms;
    xbar_init(&g->req, &g->context, &req);
    xbar_init(&g->reply, &g->context, &reply);
}

/* What all parts need before they are made. */
static void init_shared(struct gpu *g, struct check *check) {
    g->context.check = check;
    g->context.plant = (int)g->cfg->sim_plant;
    g->context.plant_line = ~UINT64_C(0);
    init_clocks(g);
    g->sm = alloc_zeroed(g->n_sms, sizeof *g->sm);
    g->l2 = alloc_zeroed(g->n_banks, sizeof *g->l2);
    g->dram = alloc_zeroed(g->n_channels, sizeof *g->dram);
    g->memory = alloc_zeroed(g->n_channels, sizeof *g->memory);
    g->sm_clocked = alloc_zeroed(g->n_sms, sizeof *g->sm_clocked);
    g->l2_clocked = alloc_zeroed(g->n_banks, sizeof *g->l2_clocked);
    request_pool_init(&g->context.pool, (uint32_t)requests_needed(g->cfg));
    init_networks(g);
}

struct gpu *gpu_create(const struct config *cfg, struct check *check, char *err, size_t err_size) {
    return gpu_create_booked(cfg, check, NULL, err, err_size);
}

struct gpu *gpu_create_booked(const struct config *cfg, struct check *check, struct book *book,
                              char *err, size_t err_size) {
    if (gpu_check(cfg, err, err_size) != 0 || check_requests(cfg, err, err_size) != 0)
        return NULL;
    struct gpu *g = alloc_zeroed(1, sizeof *g);
    g->cfg = cfg;
    g->n_sms = (uint32_t)cfg->sm_count;
    g->n_streams = 1;
    g->map = addr_map_of(cfg);
    g->n_channels = g->map.partitions;
    g->n_banks = g->map.partitions * g->map.subs;
    draws_init(&g->draws, g->n_banks);
    g->map.draws = &g->draws;
    g->skip = cfg->sim_skip != 0;
    g->patience = (uint64_t)cfg->sim_no_progress_cycles + longest_wait(cfg) + uvm_longest_wait(cfg);
    init_shared(g, check);
    if (init_sms(g, err, err_size) != 0 || init_memory(g, err, err_size) != 0 ||
        paging_init(g, book, err, err_size) != 0) {
        gpu_destroy(g);
        return NULL;
    }
    gpu_carry_data(g, check != NULL);
    return g;
}

int gpu_use_streams(struct gpu *g, uint32_t n, char *err, size_t err_size) {
    g->n_streams = n;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_use_kernels(&g->sm[i], n, err, err_size) != 0)
            return -1;
    return 0;
}

/* What needs the order in which parts are ticked. */
static const char *needs_order(const struct gpu *g) {
    if (g->context.check || g->context.carry)
        return "the data check or twins";
    if (g->paging)
        return "unified memory (uvm.mode)";
    if (memory_first_level(g->cfg))
        return "a cache level between L2 and DRAM";
    return g->cfg->sim_plant != PLANT_NONE ? "sim.plant" : NULL;
}

int gpu_use_threads(struct gpu *g, uint32_t n, bool always, char *err, size_t err_size) {
    const struct cache_policy *leading = l1d_leading_policy(g->cfg);
    const char *what = needs_order(g);
    const uint64_t needed = 2 * requests_needed(g->cfg) * SHARES_OF_THREAD * n;
    if (n <= 1)
        return 0;
    if (what)
        return config_refuse(err, err_size, "not with %s", what);
    if (leading)
        return config_refuse(err, err_size, "not with policy %s of the L1Ds", leading->name);
    if (n > THREADS_MAX)
        return config_refuse(err, err_size, "more than %u", THREADS_MAX);
    if (needed > REQUEST_POOL_MAX)
        return config_refuse(err, err_size,
                             "places for %llu packets are more than %u: fewer threads, fewer MSHRs "
                             "or shorter queues",
                             (unsigned long long)needed, REQUEST_POOL_MAX);
    return threads_init(g, n, always, err, err_size);
}

void gpu_destroy(struct gpu *g) {
    if (!g)
        return;
    threads_free(g);
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_free(&g->sm[i]);
    for (uint32_t b = 0; b < g->n_banks; b++)
        l2_free(&g->l2[b]);
    for (uint32_t p = 0; p < g->n_channels; p++)
        memory_free(&g->memory[p]);
    for (uint32_t p = 0; p < g->n_channels; p++)
        dram_free(&g->dram[p]);
    paging_free(g);
    xbar_free(&g->req);
    xbar_free(&g->reply);
    request_pool_free(&g->context.pool);
    backing_free(&g->backing);
    draws_free(&g->draws);
    free(g->sm);
    free(g->l2);
    free(g->dram);
    free(g->memory);
    free(g->sm_clocked);
    free(g->l2_clocked);
    free(g);
}

void gpu_each_block(struct gpu *g, void (*fn)(void *ctx, struct block_inst *inst), void *ctx) {
    for (struct block_part *b = g->context.blocks.first; b; b = b->next)
        fn(ctx, &b->inst);
}

void gpu_carry_data(struct gpu *g, bool on) {
    struct context *c = &g->context;
    on = on || c->check;
    if (on == c->carry)
        return;
    request_pool_carry(&c->pool, on);
    for (uint32_t i = 0; i < g->n_sms; i++)
        l1d_carry(&g->sm[i].l1d, on);
    for (uint32_t b = 0; b < g->n_banks; b++)
        l2_carry(&g->l2[b], on);
    for (uint32_t p = 0; p < g->n_channels; p++)
        memory_carry(&g->memory[p], on);
    c->carry = on;
}
