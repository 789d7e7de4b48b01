// SPDX-License-Identifier: Apache-2.0
/* Creates, wires and destroys a system. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu/parts.h"
#include "gpu/partition.h"
#include "lib/alloc.h"

/* Returns the size of the request pool: the maximum number of requests in the system, plus one. */
static uint64_t requests_needed(const struct config *c) {
    return (uint64_t)c->sm_count * sm_requests(c) + xbar_requests(c) +
           (uint64_t)c->l2_partitions * (l2_requests(c) + dram_requests(c)) + 1;
}

static int check_requests(const struct config *c, struct error *err) {
    uint64_t needed = requests_needed(c);
    if (needed <= REQUEST_POOL_MAX)
        return 0;
    return error_set(
        err,
        "the machine can hold %llu requests, more than the limit of %u: use fewer MSHR entries "
        "(l2.mshr_entries, l2.dl_sets), shorter queues, or fewer SMs and banks",
        (unsigned long long)needed, REQUEST_POOL_MAX);
}

/* Converts n cycles of a domain with a frequency of `mhz` MHz to SM cycles, rounded up. */
static uint64_t sm_cycles(const struct config *c, int64_t n, int64_t mhz) {
    return (uint64_t)((n * c->clock_sm_mhz + mhz - 1) / mhz);
}

/* Returns the maximum number of consecutive SM cycles in which a healthy machine moves nothing.
 * This is the sum of all known latencies, plus two cycles of each domain. */
static uint64_t longest_wait(const struct config *c) {
    return sm_longest_wait(c) + 2 +
           sm_cycles(c, (int64_t)xbar_longest_wait(c) + 2, c->clock_icnt_mhz) +
           sm_cycles(c, (int64_t)l2_longest_wait(c) + 2, c->clock_l2_mhz) +
           sm_cycles(c, (int64_t)dram_longest_wait(c) + 2, c->clock_dram_mhz);
}

static int init_memory(struct gpu *g, struct error *err) {
    const struct config *c = g->cfg;
    for (uint32_t p = 0; p < g->n_channels; p++)
        dram_init(&g->dram[p], &g->context, &g->backing, c);
    for (uint32_t b = 0; b < g->n_banks; b++) {
        const struct l2_ports ports = {&g->req, &g->reply, &g->dram[b / g->map.banks], &g->map};
        if (l2_init(&g->l2[b], c, &g->context, &ports, b, err) != 0)
            return -1;
    }
    return 0;
}

static int init_sms(struct gpu *g, struct error *err) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const struct l1d_ports ports = {
            .req = &g->req, .reply = &g->reply, .map = &g->map, .leader = i ? &g->sm[0].l1d : NULL};
        if (sm_init(&g->sm[i], g->cfg, &g->context, &ports, i, err) != 0)
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
    const bool flit_places = c->icnt_model == MODEL_GPGPUSIM;
    struct xbar_size req = {
        .n_in = g->n_sms / g->sms_per_port,
        .n_out = g->n_banks,
        .in_queue = (uint32_t)c->icnt_in_queue,
        .out_queue = (uint32_t)c->icnt_out_queue,
        .latency = (uint32_t)c->icnt_latency,
        .speedup = flit_places ? (uint32_t)c->icnt_speedup : 1,
        .input_bursts = !flit_places && c->icnt_input_bursts,
        .flit_places = flit_places,
        .sharers = 1,
    };
    struct xbar_size reply = req;
    reply.n_in = g->n_banks;
    reply.n_out = req.n_in;
    reply.sharers = g->sms_per_port;
    xbar_init(&g->req, &g->context, &req);
    xbar_init(&g->reply, &g->context, &reply);
}

/* Creates the state that all parts need. */
static void init_shared(struct gpu *g, struct check *check) {
    g->context.check = check;
    g->context.plant = (int)g->cfg->sim_planted_fault;
    g->context.plant_line = ~UINT64_C(0);
    init_clocks(g);
    g->sm = alloc_zeroed(g->n_sms, sizeof *g->sm);
    g->l2 = alloc_zeroed(g->n_banks, sizeof *g->l2);
    g->dram = alloc_zeroed(g->n_channels, sizeof *g->dram);
    g->sm_clocked = alloc_zeroed(g->n_sms, sizeof *g->sm_clocked);
    g->port_turn = alloc_zeroed(g->n_sms / g->sms_per_port, sizeof *g->port_turn);
    g->l2_clocked = alloc_zeroed(g->n_banks, sizeof *g->l2_clocked);
    request_pool_init(&g->context.pool, (uint32_t)requests_needed(g->cfg));
    init_networks(g);
}

struct gpu *gpu_create(const struct config *cfg, struct check *check, struct error *err) {
    return gpu_create_booked(cfg, check, NULL, err);
}

struct gpu *gpu_create_booked(const struct config *cfg, struct check *check, struct book *book,
                              struct error *err) {
    if (gpu_check(cfg, err) != 0 || check_requests(cfg, err) != 0)
        return NULL;
    struct gpu *g = alloc_zeroed(1, sizeof *g);
    g->cfg = cfg;
    g->leftover = partition_kind(cfg) == PARTITION_LEFTOVER;
    g->n_sms = (uint32_t)cfg->sm_count;
    g->sms_per_port = (uint32_t)cfg->icnt_sms_per_port;
    g->n_streams = 1;
    g->map = addr_map_of(cfg);
    g->n_channels = g->map.partitions;
    g->n_banks = g->map.partitions * g->map.banks;
    draws_init(&g->draws, g->n_banks);
    g->map.draws = &g->draws;
    g->skip = cfg->sim_skip != 0;
    g->patience = (uint64_t)cfg->sim_no_progress_cycles + longest_wait(cfg) + uvm_longest_wait(cfg);
    init_shared(g, check);
    if (init_sms(g, err) != 0 || init_memory(g, err) != 0 || paging_init(g, book, err) != 0) {
        gpu_destroy(g);
        return NULL;
    }
    gpu_carry_data(g, check != NULL);
    return g;
}

int gpu_use_streams(struct gpu *g, uint32_t n, struct error *err) {
    g->n_streams = n;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_use_kernels(&g->sm[i], n, err) != 0)
            return -1;
    return 0;
}

void gpu_destroy(struct gpu *g) {
    if (!g)
        return;
    list_free(g);
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_free(&g->sm[i]);
    for (uint32_t b = 0; b < g->n_banks; b++)
        l2_free(&g->l2[b]);
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
    free(g->sm_clocked);
    free(g->port_turn);
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
    c->carry = on;
}
