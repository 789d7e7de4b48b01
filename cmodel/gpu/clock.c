// SPDX-License-Identifier: Apache-2.0
/* Ticks the parts in each instant, and skips instants in which nothing happens. */
#include "gpu/parts.h"

/* ---- an instant ---- */

/* The functions that tick the parts of a clock domain return the number of parts that did more than
 * count the cycle. */

static uint32_t tick_channels(struct gpu *g) {
    struct context *c = &g->context;
    uint32_t ticked = 0;
    dram_edge(c);
    if (g->skip && !SKIPS_CHECKED && c->dram_cycle < c->dram_next)
        return 0;
    uint64_t next = UINT64_MAX;
    for (struct dram *d = g->dram; d < g->dram + g->n_channels; d++) {
        if (!g->skip || dram_due(d)) {
            skips_due_channel(g, d);
            dram_step(d);
            ticked++;
        } else {
            skips_channel(g, d);
        }
        next = d->next < next ? d->next : next;
    }
    c->dram_next = next;
    return ticked;
}

/* Returns the first L2 bank, from `from` on, that is due in L2 cycle `cycle` or has input in
 * `instant`, or the number of banks. `seen` is xbar_seen() of the request crossbar. noinline: the
 * loop runs for all banks, and its variables stay in registers if it is a function of its own. */
__attribute__((noinline)) static uint32_t
find_due_bank(const struct gpu *g, uint32_t from, uint64_t seen, uint64_t cycle, uint64_t instant) {
    const struct clocked *clocked = g->l2_clocked;
    const uint64_t *ready = g->req.ready;
    const bool returns = g->context.dram_replies != 0;
    const uint32_t n = g->skip ? g->n_banks : from;
    uint32_t b = from;
    for (; b < n && cycle < clocked[b].next_event; b++) {
        const struct l2 *l2 = &g->l2[b];
        const bool asks =
            ready[b] < seen || clocked[b].may_wake || (returns && dram_returns(l2->to.dram));
        if (asks && l2_has_input(l2, instant))
            break;
    }
    return b;
}

static uint32_t tick_banks(struct gpu *g, uint64_t cycle) {
    const uint64_t now = g->context.now, seen = xbar_seen(&g->req, now);
    uint32_t ticked = 0;
    for (uint32_t b = 0; b < g->n_banks; b++) {
        const uint32_t due = find_due_bank(g, b, seen, cycle, now);
        for (; b < due; b++)
            skips_bank(g, b, cycle);
        if (b == g->n_banks)
            break;
        gpu_account_bank(g, b, cycle);
        l2_tick(&g->l2[b], cycle);
        clocked_ticked(&g->l2_clocked[b], cycle, l2_next_event(&g->l2[b]), l2_may_wake(&g->l2[b]));
        ticked++;
    }
    return ticked;
}

static void tick_memory(struct gpu *g, unsigned edges) {
    const uint64_t cycle = g->edges[CLOCK_L2];
    const bool dram = edges & 1u << CLOCK_DRAM, l2 = edges & 1u << CLOCK_L2;
    uint32_t ticked = 0;
    g->edges[CLOCK_DRAM] += dram;
    g->edges[CLOCK_L2] += l2;
    if (dram)
        ticked = tick_channels(g);
    if (l2)
        ticked += tick_banks(g, cycle);
    g->ticked = g->ticked || ticked;
}

static void tick_sm(struct gpu *g, uint32_t i, uint64_t cycle) {
    struct sm *sm = &g->sm[i];
    gpu_account_sm(g, i, cycle);
    sm_tick(sm, cycle);
    clocked_ticked(&g->sm_clocked[i], cycle, sm_next_event(sm, cycle + 1), sm_may_wake(sm));
}

/* True if SM i is due in `cycle` or has input. `seen` is xbar_seen() of the reply crossbar. */
static inline bool sm_due(const struct gpu *g, uint32_t i, uint64_t seen, uint64_t cycle) {
    const struct clocked *c = &g->sm_clocked[i];
    return cycle >= c->next_event || g->reply.ready[i] < seen ||
           (c->may_wake && sm_has_input(&g->sm[i], cycle));
}

/* Returns the first SM, from `from` on, that is due in `cycle` or has input, or the number of SMs.
 * `seen` is xbar_seen() of the reply crossbar. noinline: as find_due_bank(). */
__attribute__((noinline)) static uint32_t find_due_sm(const struct gpu *g, uint32_t from,
                                                      uint64_t seen, uint64_t cycle) {
    const struct clocked *clocked = g->sm_clocked;
    const uint64_t *ready = g->reply.ready;
    const uint32_t n = g->skip ? g->n_sms : from;
    uint32_t i = from;
    while (i < n && cycle < clocked[i].next_event && ready[i] >= seen &&
           !(clocked[i].may_wake && sm_has_input(&g->sm[i], cycle)))
        i++;
    return i;
}

/* Ticks the SMs of a port that are due. A packet of the SM that is first in one cycle enters the
 * port before those of the others; in the next cycle, the next SM is first. */
static uint32_t tick_port(struct gpu *g, uint32_t port, uint64_t seen, uint64_t cycle) {
    const uint32_t n = g->sms_per_port, base = port * n;
    uint32_t ticked = 0;
    for (uint32_t k = 0, i = (uint32_t)((cycle + 1) % n); k < n; k++, i = i + 1 == n ? 0 : i + 1) {
        if (g->skip && !sm_due(g, base + i, seen, cycle)) {
            skips_sm(g, base + i, cycle);
            continue;
        }
        tick_sm(g, base + i, cycle);
        ticked++;
    }
    return ticked;
}

/* Ticks the SMs that are due, if several share a port. */
static uint32_t tick_ports(struct gpu *g, uint64_t cycle) {
    const uint64_t seen = xbar_seen(&g->reply, g->context.now);
    uint32_t ticked = 0;
    for (uint32_t i = 0; i < g->n_sms; i += g->sms_per_port) {
        const uint32_t due = find_due_sm(g, i, seen, cycle) / g->sms_per_port * g->sms_per_port;
        for (; i < due; i++)
            skips_sm(g, i, cycle);
        if (i == g->n_sms)
            break;
        ticked += tick_port(g, i / g->sms_per_port, seen, cycle);
    }
    return ticked;
}

static uint32_t tick_due_sms(struct gpu *g, uint64_t cycle) {
    if (g->sms_per_port > 1)
        return tick_ports(g, cycle);
    const uint64_t seen = xbar_seen(&g->reply, g->context.now);
    uint32_t ticked = 0;
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const uint32_t due = find_due_sm(g, i, seen, cycle);
        for (; i < due; i++)
            skips_sm(g, i, cycle);
        if (i == g->n_sms)
            break;
        tick_sm(g, i, cycle);
        ticked++;
    }
    return ticked;
}

static void tick_sms(struct gpu *g) {
    uint64_t cycle = g->edges[CLOCK_SM]++;
    g->context.sm_cycle = cycle;
    if (g->paging)
        paging_tick(g, cycle);
    if (gpu_may_dispatch(g))
        gpu_dispatch(g);
    if (gpu_listed(g))
        list_flush_idle(g);
    g->ticked |= tick_due_sms(g, cycle) != 0;
    for (uint32_t i = 0; i < g->n_sms && g->context.sms_due == cycle + 1; i++)
        clocked_due(&g->sm_clocked[i], cycle + 1);
    g->cycle = g->context.time = cycle + 1;
    gpu_end_launches(g);
}

/* Simulates one instant. Consumers of requests are ticked before their producers
 * (docs/understand/system.md). */
bool gpu_tick(struct gpu *g) {
    unsigned edges = clocks_next(&g->clocks);
    g->context.now++;
    if (edges & (1u << CLOCK_DRAM | 1u << CLOCK_L2))
        tick_memory(g, edges);
    if (edges & 1u << CLOCK_ICNT) {
        g->edges[CLOCK_ICNT]++;
        xbar_tick(&g->req);
        xbar_tick(&g->reply);
    }
    if (!(edges & 1u << CLOCK_SM))
        return false;
    tick_sms(g);
    return true;
}

/* ---- skipping ---- */

/* Limits *left, the number of a domain's edges that may be skipped, to the number of edges from
 * cycle `now` up to, but not including, cycle `cycle`. */
static void limit_edges(uint64_t *left, uint64_t cycle, uint64_t now) {
    uint64_t n = cycle > now ? cycle - now : 0;
    *left = n < *left ? n : *left;
}

/* Ends the skip before the edge that delivers the next packet. If a packet already waits, ends the
 * skip before the consumer's next edge. */
static void until_packet(const struct gpu *g, const struct xbar *x, enum clock_domain consumer,
                         uint64_t left[CLOCK_DOMAINS]) {
    uint64_t next = xbar_next_event(x);
    if (next <= g->edges[CLOCK_ICNT])
        left[consumer] = 0;
    else
        limit_edges(&left[CLOCK_ICNT], next - 1, g->edges[CLOCK_ICNT]);
}

static void until_sms(const struct gpu *g, uint64_t *left) {
    const uint64_t seen = xbar_seen(&g->reply, g->context.now);
    if (find_due_sm(g, 0, seen, g->cycle) < g->n_sms)
        *left = 0;
    for (uint32_t i = 0; i < g->n_sms && *left; i++)
        limit_edges(left, SKIPS_UNTIL(&g->sm_clocked[i], g->cycle), g->cycle);
    if (g->paging)
        limit_edges(left, paging_next_event(g, g->cycle), g->cycle);
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (g->stream[k].on && g->stream[k].begins > g->cycle)
            limit_edges(left, g->stream[k].begins, g->cycle);
}

static void until_banks(const struct gpu *g, uint64_t *left) {
    const uint64_t next = g->context.now + 1, seen = xbar_seen(&g->req, next);
    const uint64_t cycle = g->edges[CLOCK_L2];
    if (find_due_bank(g, 0, seen, cycle, next) < g->n_banks)
        *left = 0;
    for (uint32_t b = 0; b < g->n_banks && *left; b++)
        limit_edges(left, SKIPS_UNTIL(&g->l2_clocked[b], cycle), cycle);
}

static void until_channels(const struct gpu *g, uint64_t *left) {
    for (uint32_t p = 0; p < g->n_channels; p++)
        limit_edges(left, skips_until_channel(dram_next_event(&g->dram[p]) - 1),
                    g->dram[p].context->dram_cycle);
}

bool gpu_may_jump(const struct gpu *g) {
    return !g->ticked && !xbar_has_input(&g->req) && !xbar_has_input(&g->reply) &&
           !gpu_may_dispatch(g);
}

void gpu_jump(struct gpu *g, uint64_t cycle) {
    uint64_t left[CLOCK_DOMAINS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint64_t passed[CLOCK_DOMAINS];
    limit_edges(&left[CLOCK_SM], cycle, g->cycle);
    until_sms(g, &left[CLOCK_SM]);
    until_banks(g, &left[CLOCK_L2]);
    until_channels(g, &left[CLOCK_DRAM]);
    until_packet(g, &g->req, CLOCK_L2, left);
    until_packet(g, &g->reply, CLOCK_SM, left);
    clocks_advance(&g->clocks, left, passed);
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        g->edges[d] += passed[d];
    if (passed[CLOCK_DRAM])
        dram_advance(&g->context, passed[CLOCK_DRAM]);
    xbar_advance(&g->req, passed[CLOCK_ICNT]);
    xbar_advance(&g->reply, passed[CLOCK_ICNT]);
    g->cycle = g->context.time = g->edges[CLOCK_SM];
}
