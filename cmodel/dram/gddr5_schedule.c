// SPDX-License-Identifier: Apache-2.0
/* Which command of a GDDR5 channel goes next: read and write mode, and the scheduler. */
#include <assert.h>

#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* ---- read and write mode ---- */

/* An urgent request ends a run of the other kind only after so many: where both kinds always have
 * urgent ones, the bus would do nothing but turn. */
#define URGENT_RUN 8

static bool oldest_read_waits(const struct gddr5 *g) {
    return g->entry[g->arrivals[READS].first].waits_for != GDDR5_NONE;
}

/* Both kinds have a request that can be served. */
static int contested_mode(const struct gddr5 *g) {
    const struct gddr5_size *s = &g->size;
    if (oldest_read_waits(g))
        return WRITES;
    if (g->run_for != GDDR5_NONE)
        return g->mode;
    if (g->urgent[!g->mode] != GDDR5_NONE)
        return g->served < URGENT_RUN ? g->mode : !g->mode;
    if (g->urgent[g->mode] != GDDR5_NONE)
        return g->mode;
    if (g->mode == WRITES) {
        bool more = g->waiting[WRITES] > g->drain_to;
        return more && g->served < s->write_queue ? WRITES : READS;
    }
    bool enough = g->waiting[WRITES] >= s->write_high;
    return enough && g->served >= s->write_high - s->write_low ? WRITES : READS;
}

void gddr5_choose_mode(struct gddr5 *g) {
    if (gddr5_one_list(&g->size))
        return;
    int mode = g->mode;
    if (g->ready_requests[READS] && g->ready_requests[WRITES])
        mode = contested_mode(g);
    else if (g->ready_requests[READS] || g->ready_requests[WRITES])
        mode = g->ready_requests[WRITES] ? WRITES : READS;
    if (mode != g->mode) {
        g->mode = mode;
        g->served = 0;
        g->drain_to = UINT32_MAX;
        g->run_for = g->urgent[mode];
        g->stats.turns++;
    }
    if (mode == WRITES && g->urgent[WRITES] != GDDR5_NONE)
        g->drain_to = 0;
    else if (mode == WRITES && g->drain_to && g->waiting[WRITES] >= g->size.write_high)
        g->drain_to = g->size.write_low;
}

/* ---- scheduler ---- */

struct pick {
    uint32_t column, row; /* entries whose command can go now, the oldest each; GDDR5_NONE */
    enum gddr5_cmd row_cmd;
    uint64_t column_order, row_order;
    uint64_t column_from; /* column commands before this order do not go */
    uint64_t next;        /* if nothing can go now: when something can */
};

/* FCFS: data come in the order of arrival. */
static uint64_t last_order(const struct gddr5 *g) {
    if (!g->size.fcfs)
        return UINT64_MAX;
    uint64_t oldest = UINT64_MAX;
    for (uint64_t left = g->able[READS]; left; left &= left - 1) {
        uint64_t order = g->bank[bits_lowest(left)].waiting[READS].order;
        oldest = order < oldest ? order : oldest;
    }
    return oldest;
}

static bool moves_data(unsigned cmd) {
    return cmd == GDDR5_RD || cmd == GDDR5_WR;
}

/* Looks at a bank that wants that command; the lowest order goes first. Returns whether the command
 * can go now. */
static bool look_at_bank(const struct gddr5 *g, const struct bank *b, int list, unsigned cmd,
                         uint64_t order, uint64_t now, struct pick *p) {
    const bool column = moves_data(cmd);
    const uint64_t at = gddr5_bank_ready(g, b, cmd);
    if (at > now) {
        p->next = at < p->next ? at : p->next;
        return false;
    }
    if (column && order < p->column_order) {
        p->column = b->waiting[list].entry;
        p->column_order = order;
    } else if (!column && order < p->row_order) {
        p->row = b->waiting[list].entry;
        p->row_cmd = (enum gddr5_cmd)cmd;
        p->row_order = order;
    }
    return true;
}

/* Looks through banks that want the same command, which the channel allows; the oldest request goes
 * first. */
static void look_by_age(const struct gddr5 *g, uint64_t banks, int list, unsigned cmd,
                        uint64_t last, uint64_t now, struct pick *p) {
    const bool column = moves_data(cmd);
    for (; banks; banks &= banks - 1) {
        const struct bank *b = &g->bank[bits_lowest(banks)];
        const uint64_t order = b->waiting[list].order;
        if (!column || order <= last)
            look_at_bank(g, b, list, cmd, order, now, p);
    }
}

/* The same of the one list of a queue that banks take from (dram.queue=taken); the first bank goes
 * first, counted from the one whose turn it is. */
static void look_in_turn(const struct gddr5 *g, uint64_t banks, unsigned cmd, uint64_t now,
                         struct pick *p) {
    const bool column = moves_data(cmd);
    const uint32_t n = g->size.banks, turn = g->turn;
    uint64_t left = banks >> turn | banks << 1 << (n - 1 - turn);
    left &= UINT64_MAX >> (64 - n);
    if (column)
        left = p->column_from < n ? left >> p->column_from << p->column_from : 0;
    for (; left; left &= left - 1) {
        const uint32_t order = bits_lowest(left);
        const struct bank *b = &g->bank[(order + turn) & (n - 1)];
        if (look_at_bank(g, b, READS, cmd, order, now, p))
            return;
    }
}

/* Data that nobody takes leave no place for more. */
static bool reads_stand(const struct gddr5 *g) {
    return g->flight[READS].count == g->flight[READS].capacity;
}

/* `last`: column commands of requests younger than this one may not go; the oldest request of all
 * has order 1. */
static void look(const struct gddr5 *g, uint64_t banks, int list, uint64_t last, uint64_t now,
                 struct pick *p) {
    static const uint8_t cmds[] = {GDDR5_RD, GDDR5_WR, GDDR5_ACT, GDDR5_PRE};
    for (unsigned i = last ? 0 : 2; i < sizeof cmds; i++) {
        uint64_t left = g->want[list][cmds[i]] & banks;
        if (cmds[i] == GDDR5_RD && reads_stand(g))
            continue;
        uint64_t at = g->ready[cmds[i]];
        if (left && at <= now && g->size.queue == GDDR5_TAKEN)
            look_in_turn(g, left, cmds[i], now, p);
        else if (left && at <= now)
            look_by_age(g, left, list, cmds[i], last, now, p);
        else if (left)
            p->next = at < p->next ? at : p->next;
    }
}

/* Banks that nothing is issued to: the one to be refreshed; and where an urgent read or a refresh
 * waits for a PRE, the others of its group, whose reads would put it off (tRTPL). */
static uint64_t held_banks(const struct gddr5 *g, uint64_t now) {
    const uint32_t urgent = g->urgent[READS];
    uint64_t held = 0;
    if (now >= g->bank_refresh_due) {
        const struct bank *b = &g->bank[g->refresh_bank];
        held = b->open ? g->group_banks[b->group] : UINT64_C(1) << g->refresh_bank;
    }
    if (urgent == GDDR5_NONE || g->mode != READS)
        return held;
    const struct bank *b = &g->bank[g->entry[urgent].bank];
    if (b->waiting[READS].cmd == GDDR5_PRE)
        held |= g->group_banks[b->group] & ~(UINT64_C(1) << (b - g->bank));
    return held;
}

static struct pick schedule(const struct gddr5 *g, uint64_t now, uint64_t column_from) {
    struct pick p = {GDDR5_NONE, GDDR5_NONE,  GDDR5_ACT, UINT64_MAX,
                     UINT64_MAX, column_from, UINT64_MAX};
    const uint64_t held = held_banks(g, now);
    look(g, g->able[g->mode] & ~held, g->mode, last_order(g), now, &p);
    /* Rows for reads are opened in banks that the writes do not need. */
    if (g->mode == WRITES)
        look(g, g->able[READS] & ~g->able[WRITES] & ~held, READS, 0, now, &p);
    return p;
}

/* GPGPU-Sim looks at the banks one by one, from the one whose turn it is, for a column command, and
 * for a row command until it has either (dram_t::cycle). A row command gives the turn to the bank
 * behind its own while the count of banks goes on: after the one at place r, it looks on at place
 * 2 r + 2. */
static void issue_row_in_turn(struct gddr5 *g, struct pick *p, uint64_t now) {
    if (p->row == GDDR5_NONE || p->row_order > p->column_order)
        return;
    const struct pick behind = p->column == GDDR5_NONE || p->column_order >= 2 * p->row_order + 2
                                   ? *p
                                   : schedule(g, now, 2 * p->row_order + 2);
    gddr5_issue(g, p->row, p->row_cmd, now);
    p->row = GDDR5_NONE;
    p->column = behind.column;
}

/* Issues what can go of that pick. Returns as gddr5_serve. */
static uint32_t issue_pick(struct gddr5 *g, struct pick p, uint64_t now, bool row_taken) {
    uint32_t tag = GDDR5_NONE;
    if (g->size.row_in_turn)
        issue_row_in_turn(g, &p, now);
    if (p.column != GDDR5_NONE) {
        tag = g->entry[p.column].tag;
        gddr5_issue(g, p.column, g->entry[p.column].write ? GDDR5_WR : GDDR5_RD, now);
        if (!g->size.two_buses || row_taken)
            return tag;
        p = schedule(g, now, 0); /* the column command may forbid a PRE */
    }
    if (p.row != GDDR5_NONE && !row_taken)
        gddr5_issue(g, p.row, p.row_cmd, now);
    return tag;
}

/* The cycle from which the channel allows one of the commands that banks want. */
static uint64_t channel_allows(const struct gddr5 *g) {
    uint64_t at = UINT64_MAX;
    for (unsigned cmd = 0; cmd < GDDR5_CMDS; cmd++)
        if (g->want[READS][cmd] && g->ready[cmd] < at)
            at = g->ready[cmd];
    return at;
}

/* Looks at all banks. Returns as gddr5_serve. */
static uint32_t look_and_issue(struct gddr5 *g, uint64_t now, bool row_taken) {
    const struct pick p = schedule(g, now, 0);
    if (p.column == GDDR5_NONE && p.row == GDDR5_NONE) {
        g->next = p.next;
        g->look_at = reads_stand(g) ? now + 1 : p.next;
        return GDDR5_NONE;
    }
    const uint32_t tag = issue_pick(g, p, now, row_taken);
    g->next = g->look_at = g->foresees ? channel_allows(g) : now + 1;
    return tag;
}

/* In this cycle no command can go: tests look whether that is so. */
static void pass_by(struct gddr5 *g, uint64_t now) {
#ifdef MEMTWIN_CHECKED
    const struct pick p = schedule(g, now, 0);
    assert(p.column == GDDR5_NONE && p.row == GDDR5_NONE);
#endif
    (void)now;
    g->next = g->look_at;
}

uint32_t gddr5_serve(struct gddr5 *g, uint64_t now, bool row_taken) {
    uint32_t tag = GDDR5_NONE;
    g->next = now + 1;
    if (row_taken && !g->size.two_buses)
        return tag;
    gddr5_take_next(g, now);
    if (g->foresees && now < g->look_at)
        pass_by(g, now);
    else
        tag = look_and_issue(g, now, row_taken);
    if (g->takers)
        g->next = now + 1;
    return tag;
}
