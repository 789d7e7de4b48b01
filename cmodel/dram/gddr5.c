// SPDX-License-Identifier: Apache-2.0
#include "dram/gddr5.h"

#include <stdlib.h>
#include <string.h>

#include "dram/gddr5_inside.h"
#include "lib/alloc.h"

const char *const gddr5_cmd_name[GDDR5_CMDS] = {"ACT", "RD", "WR", "PRE", "PREA", "REF", "REFpb"};

/* ---- creation and destruction ---- */

/* Returns the maximum number of column commands of this kind with data in flight. While this number
 * of reads is in flight, no read is issued. */
static uint32_t flights(const struct gddr5_size *s, int kind) {
    const struct gddr5_timing *t = &s->timing;
    if (s->shared_queue)
        return (kind == READS ? t->cl : t->wl) + t->burst + 1;
    return kind == READS ? s->read_queue : s->write_queue;
}

uint32_t gddr5_entries(const struct gddr5_size *s) {
    if (s->shared_queue)
        return s->read_queue + s->banks + flights(s, READS) + flights(s, WRITES);
    return s->read_queue + s->write_queue;
}

struct gddr5 *gddr5_create(const struct gddr5_size *size) {
    struct gddr5 *g = alloc_zeroed(1, sizeof *g);
    g->size = *size;
    g->timing = gddr5_derived(&size->timing);
    const uint32_t entries = gddr5_entries(size);
    g->entry = alloc_zeroed(entries, sizeof *g->entry);
    timed_fifo_init(&g->flight[READS], flights(size, READS));
    timed_fifo_init(&g->flight[WRITES], flights(size, WRITES));
    for (uint32_t i = 0; i < entries; i++)
        g->entry[i].next = i + 1 < entries ? i + 1 : GDDR5_NONE;
    for (uint32_t b = 0; b < size->banks; b++) {
        const struct gddr5_waiting none = {GDDR5_NONE, GDDR5_NONE, 0, 0, GDDR5_NONE, 0, 0};
        g->bank[b].group = gddr5_group(size, b);
        g->bank[b].held_request = GDDR5_NONE;
        g->bank[b].waiting[READS] = g->bank[b].waiting[WRITES] = none;
        g->group_banks[g->bank[b].group] |= UINT64_C(1) << b;
    }
    for (int kind = READS; kind <= WRITES; kind++) {
        g->arrivals[kind].first = g->arrivals[kind].last = GDDR5_NONE;
        g->urgent[kind] = GDDR5_NONE;
    }
    g->run_for = GDDR5_NONE;
    g->drain_to = UINT32_MAX;
    /* FCFS never reorders requests, so it needs no age cap. Cycles stay below 2^63. */
    g->patience = size->age_cap && !size->fcfs ? size->age_cap : UINT64_MAX >> 1;
    g->urgent_due = UINT64_MAX;
    g->foresees = size->shared_queue && !size->age_cap && !g->timing.refipb;
    gddr5_compile_rules(g);
    g->orders = 1;
    g->refresh_due = g->timing.refi ? g->timing.refi : UINT64_MAX;
    g->bank_refresh_due = g->timing.refipb ? g->timing.refipb : UINT64_MAX;
    g->next = g->refresh_due < g->bank_refresh_due ? g->refresh_due : g->bank_refresh_due;
    g->stats.latency_min[READS] = g->stats.latency_min[WRITES] = UINT64_MAX;
    return g;
}

void gddr5_destroy(struct gddr5 *g) {
    if (!g)
        return;
    free(g->entry);
    ring_free(&g->flight[READS]);
    ring_free(&g->flight[WRITES]);
    free(g);
}

void gddr5_trace(struct gddr5 *g, gddr5_trace_fn fn, void *ctx) {
    g->trace = fn;
    g->trace_ctx = ctx;
}

/* ---- outside a cycle ---- */

uint64_t gddr5_next_event(const struct gddr5 *g) {
    return g->next;
}

void gddr5_each(const struct gddr5 *g, void (*fn)(void *ctx, uint32_t tag, bool issued),
                void *ctx) {
    for (uint32_t n = 0; n < 2 * g->size.banks; n++) {
        uint32_t i = g->bank[n / 2].waiting[n % 2].first;
        if (n % 2 == 0 && g->bank[n / 2].held_request != GDDR5_NONE)
            fn(ctx, g->entry[g->bank[n / 2].held_request].tag, false);
        for (; i != GDDR5_NONE; i = g->entry[i].next)
            fn(ctx, g->entry[i].tag, false);
    }
    for (int kind = READS; kind <= WRITES; kind++)
        for (uint32_t n = 0; n < g->flight[kind].count; n++)
            fn(ctx, g->entry[ring_at(&g->flight[kind], n)->request].tag, true);
}

/* ---- statistics ---- */

const struct gddr5_stats *gddr5_stats(const struct gddr5 *g) {
    return &g->stats;
}

uint64_t gddr5_bus_used(const struct gddr5 *g, uint64_t now) {
    uint64_t used = g->stats.busy;
    for (const struct timed_fifo *f = g->flight; f <= &g->flight[WRITES]; f++)
        for (uint32_t n = 0; n < f->count; n++) {
            uint64_t done = ring_at(f, n)->ready;
            uint64_t left = done > now ? done - now : 0;
            used -= left < g->timing.burst ? left : g->timing.burst;
        }
    return used;
}
