// SPDX-License-Identifier: Apache-2.0
/* Computes the statistics of one part and of all parts, and passes the gauges. */
#include <string.h>

#include "gpu/parts.h"

const char *const gpu_part_name[GPU_PARTS] = {"sm", "l2", "dram"};

static void add_sm(struct gpu *g, uint32_t i, struct stats *t) {
    gpu_account_sm(g, i, g->cycle);
    sm_add_stats(&g->sm[i], g->cycle, t);
}

static void add_channel(struct gpu *g, uint32_t p, struct stats *t) {
    dram_add_stats(&g->dram[p], t);
}

static void add_bank(struct gpu *g, uint32_t b, struct stats *t) {
    gpu_account_bank(g, b, g->edges[CLOCK_L2]);
    l2_add_stats(&g->l2[b], g->edges[CLOCK_L2], t);
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
        add_channel(g, index, s);
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
        add_channel(g, p, t);
    stat_add(t, STAT_cycles, g->cycle);
    stat_add(t, STAT_kernels, g->kernels);
    stat_add(t, STAT_mdb_users, g->users);
    stat_add(t, STAT_mdb_cta_launches, g->cta_launches);
    stat_add(t, STAT_icnt_cycles, g->edges[CLOCK_ICNT]);
    xbar_add_stats(&g->req, XBAR_REQUESTS, t);
    xbar_add_stats(&g->reply, XBAR_REPLIES, t);
    if (g->paging)
        paging_add_stats(g, t);
}

void gpu_stream_stats(const struct gpu *g, uint32_t k, struct stats *s) {
    memset(s, 0, sizeof *s);
    stat_add(s, STAT_cycles, g->cycle);
    if (gpu_listed(g)) {
        list_add_stats(g, k, s);
        return;
    }
    for (uint32_t i = 0; i < g->n_sms; i++)
        stats_add(s, g->sm[i].kernel[k].part);
    stat_add(s, STAT_kernels, g->stream[k].launches);
}

/* ---- gauges ---- */

struct gauge_of {
    void (*fn)(void *ctx, const char *place, uint32_t index, const struct gauge *gauge);
    void *ctx;
    const char *place;
    uint32_t index;
};

static void place_gauge(void *ctx, const struct gauge *gauge) {
    const struct gauge_of *of = ctx;
    of->fn(of->ctx, of->place, of->index, gauge);
}

static void channel_gauges(const struct gpu *g, uint32_t p, const struct gauge_reader *to) {
    dram_gauges(&g->dram[p], to);
}

void gpu_gauges(struct gpu *g,
                void (*fn)(void *ctx, const char *place, uint32_t index, const struct gauge *gauge),
                void *ctx) {
    struct gauge_of of = {fn, ctx, "SM", 0}, driver = {fn, ctx, "Driver", GPU_ONLY};
    const struct gauge_reader to = {&of, place_gauge}, to_driver = {&driver, place_gauge};
    for (; of.index < g->n_sms; of.index++) {
        gpu_account_sm(g, of.index, g->cycle);
        sm_gauges(&g->sm[of.index], g->cycle, &to);
    }
    for (of.place = "L2 bank", of.index = 0; of.index < g->n_banks; of.index++) {
        gpu_account_bank(g, of.index, g->edges[CLOCK_L2]);
        l2_gauges(&g->l2[of.index], g->edges[CLOCK_L2], &to);
    }
    for (of.place = "DRAM channel", of.index = 0; of.index < g->n_channels; of.index++)
        channel_gauges(g, of.index, &to);
    of.place = "Crossbar";
    of.index = GPU_ONLY;
    xbar_gauges(&g->req, XBAR_REQUESTS, &to);
    xbar_gauges(&g->reply, XBAR_REPLIES, &to);
    of.place = "GMMU";
    if (g->paging)
        paging_gauges(g, &to, &to_driver);
}

void gpu_bank_gauges(const struct gpu *g, uint32_t channel, const struct gauge_reader *to) {
    dram_bank_gauges(&g->dram[channel], to);
}
