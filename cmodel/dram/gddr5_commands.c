// SPDX-License-Identifier: Apache-2.0
/* Applies the effects of a command to a GDDR5 channel: state, statistics, and the delay of other
 * commands. */
#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* ---- rules ---- */

/* Adds a gap. If several rules apply to one pair of commands, the longest gap is kept. */
static void add_gap(struct gddr5_gaps *gaps, uint32_t to, uint32_t distance) {
    uint32_t i = 0;
    while (i < gaps->n && gaps->gap[i].to != to)
        i++;
    if (i == gaps->n)
        gaps->gap[gaps->n++] = (struct gap){to, distance};
    else if (distance > gaps->gap[i].distance)
        gaps->gap[i].distance = distance;
}

void gddr5_compile_rules(struct gddr5 *g) {
    struct gddr5_rule rules[GDDR5_MAX_RULES];
    unsigned n = gddr5_rules(&g->size, rules);
    for (unsigned i = 0; i < n; i++) {
        const struct gddr5_rule *r = &rules[i];
        if (r->back > 1)
            g->window[g->windows++] = *r;
        else
            add_gap(&g->gap[r->scope][r->from], r->to, r->distance);
    }
}

static void put_off(uint64_t ready[GDDR5_CMDS], const struct gddr5_gaps *gaps, uint64_t now) {
    for (uint32_t i = 0; i < gaps->n; i++) {
        const struct gap *gap = &gaps->gap[i];
        if (now + gap->distance > ready[gap->to])
            ready[gap->to] = now + gap->distance;
    }
}

/* Delays all commands that this command temporarily forbids. `b` is the command's bank, or NULL
 * if the command is for all banks. */
static void apply_rules(struct gddr5 *g, enum gddr5_cmd cmd, struct gddr5_bank *b, uint64_t now) {
    put_off(g->ready, &g->gap[GDDR5_CHANNEL][cmd], now);
    if (!b)
        return;
    put_off(g->group_ready[b->group], &g->gap[GDDR5_GROUP][cmd], now);
    put_off(b->ready, &g->gap[GDDR5_BANK][cmd], now);
    if (cmd != GDDR5_ACT || !g->windows)
        return;
    g->acts[g->n_acts++ % GDDR5_WINDOW] = now;
    for (unsigned i = 0; i < g->windows; i++) {
        const struct gddr5_rule *r = &g->window[i];
        if (g->n_acts < r->back)
            continue;
        uint64_t until = g->acts[(g->n_acts - r->back) % GDDR5_WINDOW] + r->distance;
        if (until > g->ready[GDDR5_ACT])
            g->ready[GDDR5_ACT] = until;
    }
}

/* ---- commands ---- */

/* Counts the request's column command, whose data are complete in cycle `done`. */
static void count_column(struct gddr5 *g, const struct dram_entry *e, uint64_t done) {
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

/* Records a command. `e` is the command's request, or NULL. */
static void record_command(struct gddr5 *g, uint64_t now, enum gddr5_cmd cmd, uint32_t bank,
                           uint64_t row, const struct dram_entry *e) {
    g->stats.commands[cmd]++;
    if (g->trace)
        g->trace(g->trace_ctx, now, cmd, bank, row, cmd == GDDR5_RD || cmd == GDDR5_WR ? e->col : 0,
                 e ? e->tag : GDDR5_NONE);
}

static void set_row(struct gddr5 *g, struct gddr5_bank *b, bool open, uint64_t row) {
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    b->open = open;
    b->row = row;
    g->open = open ? g->open | bit : g->open & ~bit;
    gddr5_choose(g, b, READS);
    gddr5_choose(g, b, WRITES);
}

void gddr5_issue(struct gddr5 *g, uint32_t number, enum gddr5_cmd cmd, uint64_t now) {
    struct dram_entry *e = &g->entry[number];
    struct gddr5_bank *b = &g->bank[e->bank];
    apply_rules(g, cmd, b, now);
    if (cmd == GDDR5_ACT || cmd == GDDR5_PRE)
        g->turn = (e->bank + 1) & (g->size.banks - 1);
    record_command(g, now, cmd, e->bank, cmd == GDDR5_PRE ? b->row : e->row, e);
    if (!e->started && b->serving++ == 0)
        level_change(&g->stats.banks, now, 1);
    e->started = true;
    if (cmd == GDDR5_ACT) {
        e->opened_row = true;
        set_row(g, b, true, e->row);
    } else if (cmd == GDDR5_PRE) {
        e->closed_row = true;
        set_row(g, b, false, 0);
    } else {
        const uint64_t done = now + (e->write ? g->timing.wl : g->timing.cl) + g->timing.burst;
        count_column(g, e, done);
        gddr5_leave(g, number, done);
    }
}

/* Issues the next command of a refresh, PREA or REF, if it is allowed in this cycle. No other
 * command is issued until the refresh has ended. */
void gddr5_refresh(struct gddr5 *g, uint64_t now) {
    enum gddr5_cmd cmd = g->open ? GDDR5_PREA : GDDR5_REF;
    if (g->ready[cmd] > now) {
        g->next = g->ready[cmd];
        return;
    }
    apply_rules(g, cmd, NULL, now);
    record_command(g, now, cmd, 0, 0, NULL);
    for (uint64_t left = g->open; left; left &= left - 1)
        set_row(g, &g->bank[bits_lowest(left)], false, 0);
    if (cmd == GDDR5_REF)
        g->refresh_due += g->timing.refi;
    g->next = now + 1;
}

uint64_t gddr5_refresh_bank(struct gddr5 *g, uint64_t now) {
    if (now < g->bank_refresh_due)
        return g->bank_refresh_due;
    struct gddr5_bank *b = &g->bank[g->refresh_bank];
    const enum gddr5_cmd cmd = b->open ? GDDR5_PRE : GDDR5_REFPB;
    const uint64_t ready = gddr5_ready(g, b, cmd);
    if (ready > now)
        return ready;
    apply_rules(g, cmd, b, now);
    record_command(g, now, cmd, g->refresh_bank, b->row, NULL);
    if (cmd == GDDR5_PRE) {
        set_row(g, b, false, 0);
        return now;
    }
    g->bank_refresh_due += g->timing.refipb;
    g->refresh_bank = (g->refresh_bank + 1) % g->size.banks;
    return now;
}
