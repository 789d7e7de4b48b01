// SPDX-License-Identifier: Apache-2.0
/* What a command does to a GDDR5 channel. */
#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* e: the request that it is for, or NULL. */
static void tell(struct gddr5 *g, uint64_t now, enum gddr5_cmd cmd, uint32_t bank, uint64_t row,
                 const struct entry *e) {
    g->stats.commands[cmd]++;
    if (g->trace)
        g->trace(g->trace_ctx, now, cmd, bank, row, cmd == GDDR5_RD || cmd == GDDR5_WR ? e->col : 0,
                 e ? e->tag : GDDR5_NONE);
}

static void begin(struct gddr5 *g, struct entry *e, uint64_t now) {
    if (e->started)
        return;
    e->started = true;
    if (g->bank[e->bank].serving++ == 0)
        level_change(&g->stats.banks, now, 1);
}

static void issue_column(struct gddr5 *g, uint32_t number, uint64_t now) {
    const struct entry *e = &g->entry[number];
    uint64_t done = now + (e->write ? g->timing.wl : g->timing.cl) + g->timing.burst;
    gddr5_count_column(g, e, done);
    gddr5_leave(g, number, done);
}

static void set_row(struct gddr5 *g, struct bank *b, bool open, uint64_t row) {
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    b->open = open;
    b->row = row;
    g->open = open ? g->open | bit : g->open & ~bit;
    gddr5_choose(g, b, READS);
    gddr5_choose(g, b, WRITES);
}

void gddr5_issue(struct gddr5 *g, uint32_t number, enum gddr5_cmd cmd, uint64_t now) {
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[e->bank];
    gddr5_apply_rules(g, cmd, b, now);
    if (cmd == GDDR5_ACT || cmd == GDDR5_PRE)
        g->turn = (e->bank + 1) & (g->size.banks - 1);
    tell(g, now, cmd, e->bank, cmd == GDDR5_PRE ? b->row : e->row, e);
    begin(g, e, now);
    if (cmd == GDDR5_ACT) {
        e->opened_row = true;
        set_row(g, b, true, e->row);
    } else if (cmd == GDDR5_PRE) {
        e->closed_row = true;
        set_row(g, b, false, 0);
    } else {
        issue_column(g, number, now);
    }
}

/* All else stands until it is done. */
void gddr5_refresh(struct gddr5 *g, uint64_t now) {
    enum gddr5_cmd cmd = g->open ? GDDR5_PREA : GDDR5_REF;
    if (g->ready[cmd] > now) {
        g->next = g->ready[cmd];
        return;
    }
    gddr5_apply_rules(g, cmd, NULL, now);
    tell(g, now, cmd, 0, 0, NULL);
    for (uint64_t left = g->open; left; left &= left - 1)
        set_row(g, &g->bank[bits_lowest(left)], false, 0);
    if (cmd == GDDR5_REF)
        g->refresh_due += g->timing.refi;
    g->next = now + 1;
}

uint64_t gddr5_refresh_bank(struct gddr5 *g, uint64_t now) {
    if (now < g->bank_refresh_due)
        return g->bank_refresh_due;
    struct bank *b = &g->bank[g->refresh_bank];
    const enum gddr5_cmd cmd = b->open ? GDDR5_PRE : GDDR5_REFPB;
    const uint64_t at = gddr5_ready(g, b, cmd);
    if (at > now)
        return at;
    gddr5_apply_rules(g, cmd, b, now);
    tell(g, now, cmd, g->refresh_bank, b->row, NULL);
    if (cmd == GDDR5_PRE) {
        set_row(g, b, false, 0);
        return now;
    }
    g->bank_refresh_due += g->timing.refipb;
    g->refresh_bank = (g->refresh_bank + 1) % g->size.banks;
    return now;
}
