// SPDX-License-Identifier: Apache-2.0
/* The requests of a GDDR5 channel: those that wait in the banks, what each bank does next for them,
 * and those whose data are on their way. */
#include <assert.h>

#include "dram/gddr5_inside.h"
#include "lib/bits.h"

/* ---- what a bank does next ---- */

/* The capped number of row hits has passed this request, the `place`-th of its list. Every request
 * that was served since it came is either older than it or has passed it. */
static bool streak_over(const struct gddr5 *g, const struct waiting *w, const struct entry *e,
                        uint32_t place) {
    uint32_t passed = w->served - e->served_before - (e->older - place);
    return g->size.streak_cap && passed >= g->size.streak_cap;
}

/* The request that a bank serves next: an urgent one, the oldest row hit, or else the oldest; those
 * that wait for others are passed over. */
static uint32_t choose_entry(const struct gddr5 *g, const struct bank *b, const struct waiting *w) {
    if (g->size.fcfs)
        return w->first;
    const uint32_t urgent = g->urgent[w - b->waiting];
    if (urgent != GDDR5_NONE && &g->bank[g->entry[urgent].bank] == b)
        return urgent;
    uint32_t oldest = GDDR5_NONE, place = 0;
    for (uint32_t i = w->first; i != GDDR5_NONE; i = g->entry[i].next, place++) {
        const struct entry *e = &g->entry[i];
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

void gddr5_choose(struct gddr5 *g, struct bank *b, int list) {
    struct waiting *w = &b->waiting[list];
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    w->entry = g->size.queue == GDDR5_TAKEN ? b->taken : choose_entry(g, b, w);
    g->want[list][w->cmd] &= ~bit;
    g->able[list] &= ~bit;
    if (w->entry == GDDR5_NONE)
        return;
    const struct entry *e = &g->entry[w->entry];
    w->cmd = !b->open ? GDDR5_ACT : e->row != b->row ? GDDR5_PRE : e->write ? GDDR5_WR : GDDR5_RD;
    w->order = e->order;
    g->want[list][w->cmd] |= bit;
    g->able[list] |= bit;
    if (!g->foresees)
        return;
    const uint64_t at = gddr5_ready(g, b, w->cmd);
    g->look_at = at < g->look_at ? at : g->look_at;
}

/* ---- the lists ---- */

uint32_t gddr5_room(const struct gddr5 *g, bool write) {
    if (g->size.queue != GDDR5_SPLIT)
        return g->size.read_queue - g->held[READS] - g->held[WRITES];
    return (write ? g->size.write_queue : g->size.read_queue) - g->held[write];
}

bool gddr5_empty(const struct gddr5 *g) {
    return g->waiting[READS] + g->waiting[WRITES] + g->flight[READS].count +
               g->flight[WRITES].count ==
           0;
}

/* Whether there is an older request to the same place in the other queue: the youngest of them. */
static uint32_t find_hazard(const struct gddr5 *g, const struct entry *e) {
    if (gddr5_one_list(&g->size))
        return GDDR5_NONE;
    uint32_t i = g->bank[e->bank].waiting[!e->write].last;
    while (i != GDDR5_NONE && (g->entry[i].row != e->row || g->entry[i].col != e->col))
        i = g->entry[i].prev;
    return i;
}

/* Entries of that kind that are held are more, or fewer. */
static void count_held(struct gddr5 *g, bool write, int by, uint64_t now) {
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

static void append(struct gddr5 *g, struct waiting *w, uint32_t number) {
    struct entry *e = &g->entry[number];
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

static void arrive(struct gddr5 *g, int list, uint32_t number) {
    struct entry *e = &g->entry[number];
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

/* Its column command has gone. The next oldest may be urgent, too. */
static void depart(struct gddr5 *g, int list, uint32_t number) {
    const struct entry *e = &g->entry[number];
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
        const struct entry *e = &g->entry[i];
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
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[req->bank];
    int list = gddr5_list(g, req->write);
    g->free = e->next;
    *e = (struct entry){.row = req->row,
                        .order = g->orders++,
                        .arrived = now,
                        .bank = req->bank,
                        .col = req->col,
                        .tag = req->tag,
                        .write = req->write};
    e->waits_for = find_hazard(g, e);
    append(g, &b->waiting[list], number);
    arrive(g, list, number);
    g->waiting[list]++;
    if (e->waits_for == GDDR5_NONE)
        g->ready_requests[list]++;
    else
        g->entry[e->waits_for].awaited = true;
    if (g->size.queue == GDDR5_TAKEN)
        g->takers |= b->taken == GDDR5_NONE ? UINT64_C(1) << req->bank : 0;
    /* A younger request can only be better than one that needs the row closed. */
    else if (b->waiting[list].entry == GDDR5_NONE || b->waiting[list].cmd == GDDR5_PRE)
        gddr5_choose(g, b, list);
    count_held(g, e->write, 1, now);
    if (g->next > now + 1)
        g->next = now + 1;
}

/* Its data have left. */
static void release(struct gddr5 *g, uint32_t number, uint64_t now) {
    struct entry *e = &g->entry[number];
    if (--g->bank[e->bank].serving == 0)
        level_change(&g->stats.banks, now, -1);
    if (g->size.queue != GDDR5_TAKEN)
        count_held(g, e->write, -1, now);
    e->next = g->free;
    g->free = number;
}

/* ---- those on their way ---- */

/* Returns the first. */
static uint32_t flight_pop(struct flight *f) {
    const uint32_t number = f->slot[f->head].entry;
    f->head = wrap(f->head + 1, f->capacity);
    f->done = --f->count ? f->slot[f->head].done : UINT64_MAX;
    return number;
}

/* Those that waited for this request may go. */
static void wake(struct gddr5 *g, struct bank *b, uint32_t number) {
    int list = !g->entry[number].write;
    for (uint32_t i = b->waiting[list].first; i != GDDR5_NONE; i = g->entry[i].next)
        if (g->entry[i].waits_for == number) {
            g->entry[i].waits_for = GDDR5_NONE;
            g->ready_requests[list]++;
        }
    gddr5_choose(g, b, list);
}

/* It leaves its bank's list. */
static void leave_list(struct gddr5 *g, struct bank *b, int list, uint32_t number) {
    const struct entry *e = &g->entry[number];
    struct waiting *w = &b->waiting[list];
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
    const uint32_t at = bits_lowest(after ? after : g->takers);
    struct bank *b = &g->bank[at];
    const uint32_t number = choose_entry(g, b, &b->waiting[READS]);
    leave_list(g, b, READS, number);
    b->taken = number;
    g->takers &= ~(UINT64_C(1) << at);
    g->turn = (g->turn + 1) & (banks - 1);
    count_held(g, g->entry[number].write, -1, now);
    gddr5_choose(g, b, READS);
}

void gddr5_leave(struct gddr5 *g, uint32_t number, uint64_t done) {
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[e->bank];
    struct flight *f = &g->flight[e->write];
    int list = gddr5_list(g, e->write);
    if (g->size.queue != GDDR5_TAKEN) {
        leave_list(g, b, list, number);
    } else {
        b->taken = GDDR5_NONE;
        g->takers |= b->waiting[list].count ? UINT64_C(1) << e->bank : 0;
    }
    g->waiting[list]--;
    g->ready_requests[list]--;
    g->served++;
    if (!f->count)
        f->done = done;
    *gddr5_landing(f, f->count++) = (struct landing){done, number};
    if (e->awaited)
        wake(g, b, number);
    gddr5_choose(g, b, list);
}

uint32_t gddr5_done(const struct gddr5 *g, uint64_t now) {
    const struct flight *f = &g->flight[READS];
    return f->done <= now ? g->entry[f->slot[f->head].entry].tag : GDDR5_NONE;
}

void gddr5_take(struct gddr5 *g, uint64_t now) {
    release(g, flight_pop(&g->flight[READS]), now);
}

void gddr5_retire_writes(struct gddr5 *g, uint64_t now) {
    struct flight *f = &g->flight[WRITES];
    while (f->done <= now) {
        const uint64_t done = f->done;
        release(g, flight_pop(f), done);
    }
}
