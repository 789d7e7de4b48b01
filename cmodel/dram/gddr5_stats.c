// SPDX-License-Identifier: Apache-2.0
/* Statistics of a GDDR5 channel. */
#include "dram/gddr5_inside.h"

const struct gddr5_stats *gddr5_stats(const struct gddr5 *g) {
    return &g->stats;
}

uint64_t gddr5_bus_used(const struct gddr5 *g, uint64_t now) {
    uint64_t used = g->stats.busy;
    for (const struct flight *f = g->flight; f <= &g->flight[WRITES]; f++)
        for (uint32_t n = 0; n < f->count; n++) {
            uint64_t done = gddr5_landing(f, n)->done;
            uint64_t left = done > now ? done - now : 0;
            used -= left < g->timing.burst ? left : g->timing.burst;
        }
    return used;
}

void gddr5_count_held(struct gddr5 *g, bool write, int by, uint64_t now) {
    struct gddr5_stats *s = &g->stats;
    g->held[write] += (uint32_t)by;
    level_change(&s->held[write], now, by);
    const bool both = g->size.queue != GDDR5_SPLIT;
    for (int kind = both ? READS : write; kind <= (both ? WRITES : write); kind++) {
        uint64_t full = gddr5_room(g, kind) == 0;
        if (full != s->full[kind].value)
            level_change(&s->full[kind], now, full ? 1 : -1);
    }
}

void gddr5_count_column(struct gddr5 *g, const struct entry *e, uint64_t done) {
    struct gddr5_stats *s = &g->stats;
    uint64_t latency = done - e->arrived;
    unsigned bin = 63u - (unsigned)__builtin_clzll(latency | 1);
    if (e->closed_row)
        s->conflicts++;
    else if (e->opened_row)
        s->misses++;
    else
        s->hits++;
    s->busy += g->timing.burst;
    s->latency_sum[e->write] += latency;
    if (latency < s->latency_min[e->write])
        s->latency_min[e->write] = latency;
    if (latency > s->latency_max[e->write])
        s->latency_max[e->write] = latency;
    s->latency_bin[e->write][bin < GDDR5_LATENCY_BINS ? bin : GDDR5_LATENCY_BINS - 1]++;
}
