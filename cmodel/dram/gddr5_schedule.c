// SPDX-License-Identifier: Apache-2.0
/* Runs the cycle of a GDDR5 channel: chooses read or write mode, and the next command. */
#include <assert.h>

#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* ---- read and write mode ---- */

/* Minimum length of a run, in column commands, before an urgent request of the other kind may end
 * the run. Without this minimum, the bus would turn around constantly if both kinds always had
 * urgent requests. */
#define URGENT_RUN 8

static bool oldest_read_waits(const struct gddr5 *g) {
    return g->entry[g->arrivals[READS].first].waits_for != GDDR5_NONE;
}

/* Returns the mode to use if both kinds have a request that can be served. */
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

/* Chooses the mode. The mode changes only after a push or a command, or when a request becomes
 * urgent. */
static void choose_mode(struct gddr5 *g) {
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
    uint32_t column, /* request whose column command is to be issued, or GDDR5_NONE */
        row;         /* request whose row command is to be issued, or GDDR5_NONE */
    enum gddr5_cmd row_cmd;
    uint64_t column_order, row_order;
    uint64_t column_from; /* column commands of requests with a lower order are not issued */
    uint64_t next; /* first cycle in which a command can be issued, if none can in this cycle */
};

/* Returns the highest order of a request whose column command may be issued. With FCFS, this is the
 * oldest request's order, because data are returned in order of arrival. */
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

/* Considers a bank whose next command is `cmd`. The command with the lowest order has priority.
 * Returns true if the bank's command can be issued in this cycle. */
static bool consider_bank(const struct gddr5 *g, const struct gddr5_bank *b, int list, unsigned cmd,
                          uint64_t order, uint64_t now, struct pick *p) {
    const bool column = moves_data(cmd);
    const uint64_t ready = gddr5_bank_ready(g, b, cmd);
    if (ready > now) {
        p->next = ready < p->next ? ready : p->next;
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

/* Considers the next commands of `banks`, which share a queue (dram.model=gpgpusim). The bank whose
 * turn comes first has priority. */
static void consider_in_turn(const struct gddr5 *g, uint64_t banks, unsigned cmd, uint64_t now,
                             struct pick *p) {
    const bool column = moves_data(cmd);
    const uint32_t n = g->size.banks, turn = g->turn;
    uint64_t left = banks >> turn | banks << 1 << (n - 1 - turn);
    left &= UINT64_MAX >> (64 - n);
    if (column)
        left = p->column_from < n ? left >> p->column_from << p->column_from : 0;
    for (; left; left &= left - 1) {
        const uint32_t order = bits_lowest(left);
        const struct gddr5_bank *b = &g->bank[(order + turn) & (n - 1)];
        if (consider_bank(g, b, READS, cmd, order, now, p))
            return;
    }
}

/* True if reads must wait because the maximum number of reads is in flight. */
static bool reads_stand(const struct gddr5 *g) {
    return ring_full(&g->flight[READS]);
}

/* Considers the next commands of `banks` that the channel allows. Column commands of requests
 * younger than `last` may not be issued; orders start at 1, so 0 allows no column command. */
static void consider_banks(const struct gddr5 *g, uint64_t banks, int list, uint64_t last,
                           uint64_t now, struct pick *p) {
    static const uint8_t cmds[] = {GDDR5_RD, GDDR5_WR, GDDR5_ACT, GDDR5_PRE};
    for (unsigned i = last ? 0 : 2; i < sizeof cmds; i++) {
        const unsigned cmd = cmds[i];
        const uint64_t ready = g->ready[cmd];
        uint64_t left = g->want[list][cmd] & banks;
        if (!left || (cmd == GDDR5_RD && reads_stand(g)))
            continue;
        if (ready > now) {
            p->next = ready < p->next ? ready : p->next;
            continue;
        }
        if (g->size.shared_queue) {
            consider_in_turn(g, left, cmd, now, p);
            continue;
        }
        for (; left; left &= left - 1) {
            const struct gddr5_bank *b = &g->bank[bits_lowest(left)];
            const uint64_t order = b->waiting[list].order;
            if (!moves_data(cmd) || order <= last)
                consider_bank(g, b, list, cmd, order, now, p);
        }
    }
}

/* Returns the banks that get no command in this cycle: the bank to be refreshed and, if that bank
 * or an urgent read's bank waits for a PRE, the other banks of the waiting bank's group. Reads in
 * these other banks would delay the PRE (tRTPL). */
static uint64_t held_banks(const struct gddr5 *g, uint64_t now) {
    const uint32_t urgent = g->urgent[READS];
    uint64_t held = 0;
    if (now >= g->bank_refresh_due) {
        const struct gddr5_bank *b = &g->bank[g->refresh_bank];
        held = b->open ? g->group_banks[b->group] : UINT64_C(1) << g->refresh_bank;
    }
    if (urgent == GDDR5_NONE || g->mode != READS)
        return held;
    const struct gddr5_bank *b = &g->bank[g->entry[urgent].bank];
    if (b->waiting[READS].cmd == GDDR5_PRE)
        held |= g->group_banks[b->group] & ~(UINT64_C(1) << (b - g->bank));
    return held;
}

static struct pick schedule(const struct gddr5 *g, uint64_t now, uint64_t column_from) {
    struct pick p = {GDDR5_NONE, GDDR5_NONE,  GDDR5_ACT, UINT64_MAX,
                     UINT64_MAX, column_from, UINT64_MAX};
    const uint64_t held = held_banks(g, now);
    consider_banks(g, g->able[g->mode] & ~held, g->mode, last_order(g), now, &p);
    /* Opens rows for reads only in banks that the writes do not need. */
    if (g->mode == WRITES)
        consider_banks(g, g->able[READS] & ~g->able[WRITES] & ~held, READS, 0, now, &p);
    return p;
}

/* Issues the pick's row command if its bank precedes the column command's bank in turn.
 * Follows GPGPU-Sim (dram_t::cycle), which searches the banks one by one, beginning with the bank
 * whose turn it is, for a column command, and for a row command until either is found. A row
 * command passes the turn to the next bank during the search, so after position r the search
 * continues at position 2 r + 2. */
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

/* Issues those commands of a pick that can be issued in the same cycle. Returns the tag of the
 * request whose column command was issued, or GDDR5_NONE. */
static uint32_t issue_pick(struct gddr5 *g, struct pick p, uint64_t now, bool row_taken) {
    uint32_t tag = GDDR5_NONE;
    if (g->size.shared_queue && !g->size.two_buses)
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

/* Returns the first cycle in which the channel's rules allow the next command of any bank. */
static uint64_t channel_allows(const struct gddr5 *g) {
    uint64_t ready = UINT64_MAX;
    for (unsigned cmd = 0; cmd < GDDR5_CMDS; cmd++)
        if (g->want[READS][cmd] && g->ready[cmd] < ready)
            ready = g->ready[cmd];
    return ready;
}

/* In test builds, checks that no command can be issued in this cycle. */
static inline void check_no_pick(const struct gddr5 *g, uint64_t now) {
#ifdef MEMTWIN_CHECKED
    const struct pick p = schedule(g, now, 0);
    assert(p.column == GDDR5_NONE && p.row == GDDR5_NONE);
#endif
    (void)g, (void)now;
}

/* Issues a cycle's commands, but no row command if `row_taken` is true. Returns the tag of the
 * request whose column command was issued, or GDDR5_NONE. */
static uint32_t issue_commands(struct gddr5 *g, uint64_t now, bool row_taken) {
    uint32_t tag = GDDR5_NONE;
    g->next = now + 1;
    if (row_taken && !g->size.two_buses)
        return tag;
    gddr5_take_next(g, now);
    if (g->foresees && now < g->look_at) {
        check_no_pick(g, now);
        g->next = g->takers ? now + 1 : g->look_at;
        return tag;
    }
    const struct pick p = schedule(g, now, 0);
    if (p.column == GDDR5_NONE && p.row == GDDR5_NONE) {
        g->next = p.next;
        g->look_at = reads_stand(g) ? now + 1 : p.next;
    } else {
        tag = issue_pick(g, p, now, row_taken);
        g->next = g->look_at = g->foresees ? channel_allows(g) : now + 1;
    }
    if (g->takers)
        g->next = now + 1;
    return tag;
}

/* ---- the cycle ---- */

static uint64_t min_cycle(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint32_t gddr5_tick(struct gddr5 *g, uint64_t now) {
    uint32_t tag = GDDR5_NONE;
    gddr5_retire_writes(g, now);
    if (now >= g->urgent_due)
        gddr5_find_urgent(g, now);
    choose_mode(g);
    if (now >= g->refresh_due) {
        gddr5_refresh(g, now);
    } else {
        uint64_t refresh = gddr5_refresh_bank(g, now);
        tag = issue_commands(g, now, refresh == now);
        g->next = min_cycle(g->next, min_cycle(refresh, g->refresh_due));
    }
    g->next = min_cycle(g->next, min_cycle(g->flight[READS].ready, g->flight[WRITES].ready));
    if (g->urgent_due > now)
        g->next = min_cycle(g->next, g->urgent_due);
    if (g->next <= now) /* a read was not taken, or a refresh issued a command */
        g->next = now + 1;
    return tag;
}
