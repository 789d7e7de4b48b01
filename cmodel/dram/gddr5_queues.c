// SPDX-License-Identifier: Apache-2.0
/* Manages the requests in a GDDR5 channel: the requests that wait in the banks, the next command of
 * each bank, and the requests with data in flight. */
#include <assert.h>

#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* ---- next command of a bank ---- */

/* True if the maximum number of row hits has overtaken this request, which is at position `place`
 * in its list. Every request that was served since this request's arrival is either older than it
 * or has overtaken it. */
static bool streak_over(const struct gddr5 *g, const struct gddr5_waiting *w,
                        const struct dram_entry *e, uint32_t place) {
    uint32_t passed = w->served - e->served_before - (e->older - place);
    return g->size.streak_cap && passed >= g->size.streak_cap;
}

/* Returns the request that a bank serves next: an urgent request if there is one, otherwise the
 * oldest row hit, otherwise the oldest request. Skips requests that wait for others. */
static uint32_t choose_entry(const struct gddr5 *g, const struct gddr5_bank *b,
                             const struct gddr5_waiting *w) {
    if (g->size.fcfs)
        return w->first;
    const uint32_t urgent = g->urgent[w - b->waiting];
    if (urgent != GDDR5_NONE && &g->bank[g->entry[urgent].bank] == b)
        return urgent;
    uint32_t oldest = GDDR5_NONE, place = 0;
    for (uint32_t i = w->first; i != GDDR5_NONE; i = g->entry[i].next, place++) {
        const struct dram_entry *e = &g->entry[i];
        if (e->waits_for != GDDR5_NONE)
            continue;
        if (b->open && e->row == b->row)
            return i;
        if (oldest != GDDR5_NONE)
            continue;
        oldest = i;
        if (!b->open || streak_over(g, w, e, place))
            return i;
    }
    return oldest;
}

void gddr5_choose(struct gddr5 *g, struct gddr5_bank *b, int list) {
    struct gddr5_waiting *w = &b->waiting[list];
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    w->entry = g->size.shared_queue ? b->held_request : choose_entry(g, b, w);
    g->want[list][w->cmd] &= ~bit;
    g->able[list] &= ~bit;
    if (w->entry == GDDR5_NONE)
        return;
    const struct dram_entry *e = &g->entry[w->entry];
    w->cmd = !b->open ? GDDR5_ACT : e->row != b->row ? GDDR5_PRE : e->write ? GDDR5_WR : GDDR5_RD;
    w->order = e->order;
    g->want[list][w->cmd] |= bit;
    g->able[list] |= bit;
    if (!g->foresees)
        return;
    const uint64_t ready = gddr5_ready(g, b, w->cmd);
    g->look_at = ready < g->look_at ? ready : g->look_at;
}

/* ---- the lists ---- */

uint32_t gddr5_room(const struct gddr5 *g, bool write) {
    if (g->size.shared_queue)
        return g->size.read_queue - g->held[READS] - g->held[WRITES];
    return (write ? g->size.write_queue : g->size.read_queue) - g->held[write];
}

bool gddr5_empty(const struct gddr5 *g) {
    return g->waiting[READS] + g->waiting[WRITES] + g->flight[READS].count +
               g->flight[WRITES].count ==
           0;
}

/* Returns the youngest request for the same location in the other queue, or GDDR5_NONE. */
static uint32_t find_hazard(const struct gddr5 *g, const struct dram_entry *e) {
    if (gddr5_one_list(&g->size))
        return GDDR5_NONE;
    uint32_t i = g->bank[e->bank].waiting[!e->write].last;
    while (i != GDDR5_NONE && (g->entry[i].row != e->row || g->entry[i].col != e->col))
        i = g->entry[i].prev;
    return i;
}

/* Adds `by` to the number of occupied entries for writes, or for reads if `write` is false. */
static void count_held(struct gddr5 *g, bool write, int by, uint64_t now) {
    struct gddr5_stats *s = &g->stats;
    g->held[write] += (uint32_t)by;
    level_change(&s->held[write], now, by);
    const bool both = g->size.shared_queue;
    for (int kind = both ? READS : write; kind <= (both ? WRITES : write); kind++) {
        uint64_t full = gddr5_room(g, kind) == 0;
        if (full != s->full[kind].value)
            level_change(&s->full[kind], now, full ? 1 : -1);
    }
}

static void append_waiting(struct gddr5 *g, struct gddr5_waiting *w, uint32_t number) {
    struct dram_entry *e = &g->entry[number];
    e->served_before = w->served;
    e->older = w->count++;
    e->prev = w->last;
    e->next = GDDR5_NONE;
    if (w->last == GDDR5_NONE)
        w->first = number;
    else
        g->entry[w->last].next = number;
    w->last = number;
}

static void arrive_request(struct gddr5 *g, int list, uint32_t number) {
    struct dram_entry *e = &g->entry[number];
    e->before = g->arrivals[list].last;
    e->after = GDDR5_NONE;
    g->arrivals[list].last = number;
    if (e->before != GDDR5_NONE) {
        g->entry[e->before].after = number;
        return;
    }
    g->arrivals[list].first = number;
    if (e->arrived + g->patience < g->urgent_due)
        g->urgent_due = e->arrived + g->patience;
}

/* Removes a request from the order of arrival. If the request was urgent, the next oldest one may
 * be urgent too. */
static void depart(struct gddr5 *g, int list, uint32_t number) {
    const struct dram_entry *e = &g->entry[number];
    if (e->before == GDDR5_NONE)
        g->arrivals[list].first = e->after;
    else
        g->entry[e->before].after = e->after;
    if (e->after == GDDR5_NONE)
        g->arrivals[list].last = e->before;
    else
        g->entry[e->after].before = e->before;
    if (g->run_for == number)
        g->run_for = GDDR5_NONE;
    if (g->urgent[list] != number)
        return;
    g->urgent[list] = GDDR5_NONE;
    g->urgent_due = 0;
}

void gddr5_find_urgent(struct gddr5 *g, uint64_t now) {
    g->urgent_due = UINT64_MAX;
    for (int list = READS; list <= WRITES; list++) {
        const uint32_t i = g->arrivals[list].first;
        if (i == GDDR5_NONE || i == g->urgent[list])
            continue;
        const struct dram_entry *e = &g->entry[i];
        const uint64_t due = e->arrived + g->patience;
        if (due > now || e->waits_for != GDDR5_NONE) {
            g->urgent_due = due < g->urgent_due ? due : g->urgent_due;
            continue;
        }
        g->urgent[list] = i;
        gddr5_choose(g, &g->bank[e->bank], list);
    }
}

void gddr5_push(struct gddr5 *g, uint64_t now, const struct gddr5_req *req) {
    assert(gddr5_room(g, req->write) > 0 && req->bank < g->size.banks);
    uint32_t number = g->free;
    struct dram_entry *e = &g->entry[number];
    struct gddr5_bank *b = &g->bank[req->bank];
    int list = gddr5_list(g, req->write);
    g->free = e->next;
    *e = (struct dram_entry){.row = req->row,
                             .order = g->orders++,
                             .arrived = now,
                             .bank = req->bank,
                             .col = req->col,
                             .tag = req->tag,
                             .write = req->write};
    e->waits_for = find_hazard(g, e);
    append_waiting(g, &b->waiting[list], number);
    arrive_request(g, list, number);
    g->waiting[list]++;
    if (e->waits_for == GDDR5_NONE)
        g->ready_requests[list]++;
    else
        g->entry[e->waits_for].awaited = true;
    if (g->size.shared_queue)
        g->takers |= b->held_request == GDDR5_NONE ? UINT64_C(1) << req->bank : 0;
    /* A younger request can replace the bank's chosen request only if the chosen request
     * needs a PRE. */
    else if (b->waiting[list].entry == GDDR5_NONE || b->waiting[list].cmd == GDDR5_PRE)
        gddr5_choose(g, b, list);
    count_held(g, e->write, 1, now);
    if (g->next > now + 1)
        g->next = now + 1;
}

/* Frees a request after its data have left. */
static void release_request(struct gddr5 *g, uint32_t number, uint64_t now) {
    struct dram_entry *e = &g->entry[number];
    if (--g->bank[e->bank].serving == 0)
        level_change(&g->stats.banks, now, -1);
    if (!g->size.shared_queue)
        count_held(g, e->write, -1, now);
    e->next = g->free;
    g->free = number;
}

/* ---- requests in flight ---- */

/* Wakes the requests that waited for request `number`. */
static void wake(struct gddr5 *g, struct gddr5_bank *b, uint32_t number) {
    int list = !g->entry[number].write;
    for (uint32_t i = b->waiting[list].first; i != GDDR5_NONE; i = g->entry[i].next)
        if (g->entry[i].waits_for == number) {
            g->entry[i].waits_for = GDDR5_NONE;
            g->ready_requests[list]++;
        }
    gddr5_choose(g, b, list);
}

/* Removes the request from its bank's list. */
static void leave_list(struct gddr5 *g, struct gddr5_bank *b, int list, uint32_t number) {
    const struct dram_entry *e = &g->entry[number];
    struct gddr5_waiting *w = &b->waiting[list];
    if (e->prev == GDDR5_NONE)
        w->first = e->next;
    else
        g->entry[e->prev].next = e->next;
    if (e->next == GDDR5_NONE)
        w->last = e->prev;
    else
        g->entry[e->next].prev = e->prev;
    w->count--;
    w->served++;
    depart(g, list, number);
}

void gddr5_take_next(struct gddr5 *g, uint64_t now) {
    const uint32_t banks = g->size.banks;
    const uint64_t after = g->takers >> g->turn << g->turn;
    if (!g->takers)
        return;
    const uint32_t bank = bits_lowest(after ? after : g->takers);
    struct gddr5_bank *b = &g->bank[bank];
    const uint32_t number = choose_entry(g, b, &b->waiting[READS]);
    leave_list(g, b, READS, number);
    b->held_request = number;
    g->takers &= ~(UINT64_C(1) << bank);
    g->turn = (g->turn + 1) & (banks - 1);
    count_held(g, g->entry[number].write, -1, now);
    gddr5_choose(g, b, READS);
}

void gddr5_leave(struct gddr5 *g, uint32_t number, uint64_t done) {
    struct dram_entry *e = &g->entry[number];
    struct gddr5_bank *b = &g->bank[e->bank];
    int list = gddr5_list(g, e->write);
    if (!g->size.shared_queue) {
        leave_list(g, b, list, number);
    } else {
        b->held_request = GDDR5_NONE;
        g->takers |= b->waiting[list].count ? UINT64_C(1) << e->bank : 0;
    }
    g->waiting[list]--;
    g->ready_requests[list]--;
    g->served++;
    timed_fifo_push(&g->flight[e->write], number, done);
    if (e->awaited)
        wake(g, b, number);
    gddr5_choose(g, b, list);
}

uint32_t gddr5_done(const struct gddr5 *g, uint64_t now) {
    const struct timed_fifo *f = &g->flight[READS];
    return f->ready <= now ? g->entry[ring_first(f)->request].tag : GDDR5_NONE;
}

void gddr5_take(struct gddr5 *g, uint64_t now) {
    release_request(g, timed_fifo_pop(&g->flight[READS]), now);
}

void gddr5_retire_writes(struct gddr5 *g, uint64_t now) {
    struct timed_fifo *f = &g->flight[WRITES];
    while (f->ready <= now) {
        const uint64_t done = f->ready;
        release_request(g, timed_fifo_pop(f), done);
    }
}
