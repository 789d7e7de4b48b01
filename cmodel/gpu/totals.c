// SPDX-License-Identifier: Apache-2.0
/* Statistics: of one part, and of all. */
#include <string.h>

#include "gpu/parts.h"

const char *const gpu_part_name[GPU_PARTS] = {"sm", "l2", "dram"};

static void add_sm(struct gpu *g, uint32_t i, struct stats *t) {
    gpu_account_sm(g, i, g->cycle);
    sm_add_stats(&g->sm[i], g->cycle, t);
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
    xbar_add_stats(&g->req, XBAR_REQUESTS, t);
    xbar_add_stats(&g->reply, XBAR_REPLIES, t);
    if (g->paging)
        paging_add_stats(g, t);
}
