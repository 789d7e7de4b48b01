#include "dram/gddr5.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"

const char *const gddr5_cmd_name[GDDR5_CMDS] = {"ACT", "RD", "WR", "PRE", "PREA", "REF"};

/* A request, from its push until its data have left. */
struct entry {
    uint64_t row;
    uint64_t order;   /* of arrival */
    uint64_t arrived; /* cycle */
    uint32_t bank, col, tag;
    uint32_t prev, next; /* in its bank's list, while its column command is not issued; free list */
    uint32_t waits_for;  /* an older request of the other kind to the same place */
    uint32_t served_before, older; /* of its list, at its arrival: requests served, and waiting */
    bool write;
    bool awaited;    /* another waits for it */
    bool started;    /* a command was issued for it */
    bool closed_row; /* a PRE was issued for it */
    bool opened_row; /* an ACT was issued for it */
};

/* Requests of one kind that wait in one bank, oldest first. */
struct waiting {
    uint32_t first, last, count;
    uint32_t served;
    /* What the bank would do next for them; entry GDDR5_NONE: nothing. */
    uint32_t entry;
    uint8_t cmd;
};

struct bank {
    uint64_t ready[GDDR5_CMDS];
    uint64_t row;
    struct waiting waiting[2];
    uint32_t group;
    uint32_t serving; /* requests that have begun and whose data have not left */
    bool open;
};

/* Column commands whose data are on their way, in order. */
struct flight {
    struct landing {
        uint64_t done;
        uint32_t entry;
    } * slot; /* owned */
    uint32_t head, count, capacity;
};

enum { READS, WRITES };

struct gddr5 {
    struct gddr5_size size;
    struct gddr5_timing timing;
    uint32_t gap[GDDR5_SCOPES][GDDR5_CMDS][GDDR5_CMDS]; /* rules with back = 1: [from][to] */
    struct gddr5_rule window[2];                        /* rules between ACTs with back > 1 */
    unsigned windows;
    uint64_t acts[GDDR5_WINDOW]; /* cycles of the last ACTs */
    uint64_t n_acts;
    uint64_t ready[GDDR5_CMDS]; /* channel */
    uint64_t group_ready[GDDR5_MAX_BANKS][GDDR5_CMDS];
    struct bank bank[GDDR5_MAX_BANKS];
    uint64_t able[2];             /* banks in which something can be done for reads, writes */
    uint64_t want[2][GDDR5_CMDS]; /* of these: banks whose next command it is */
    uint64_t open;                /* banks with an open row */
    uint32_t ready_requests[2];   /* waiting, and for no other request */
    uint32_t waiting[2];
    uint32_t held[2];
    uint32_t served; /* column commands since the mode was entered */
    int mode;
    bool draining;
    struct entry *entry; /* owned */
    uint32_t free;
    struct flight flight[2];
    uint64_t orders, next, refresh_due;
    struct gddr5_stats stats;
    gddr5_trace_fn trace;
    void *trace_ctx;
};

/* ---- rules ---- */

uint32_t gddr5_group(const struct gddr5_size *size, uint32_t bank) {
    return size->group_high ? bank / (size->banks / size->groups) : bank & (size->groups - 1);
}

struct gddr5_timing gddr5_derived(const struct gddr5_timing *timing) {
    struct gddr5_timing t = *timing;
    if (!t.rcdwr)
        t.rcdwr = t.rcd > t.wl + 2 ? t.rcd - (t.wl + 1) : 1;
    if (!t.rtw)
        t.rtw = t.cl + t.burst + 2 > t.wl ? t.cl + t.burst + 2 - t.wl : 1;
    if (!t.wtr)
        t.wtr = t.wl + t.burst + t.cdlr;
    if (!t.wtp)
        t.wtp = t.wl + t.burst + t.wr;
    return t;
}

static uint32_t above(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

unsigned gddr5_rules(const struct gddr5_size *size, struct gddr5_rule rules[GDDR5_MAX_RULES]) {
    const struct gddr5_timing t = gddr5_derived(&size->timing);
    const uint32_t ccdl = size->groups > 1 ? t.ccdl : 0, rtpl = size->groups > 1 ? t.rtpl : 0;
    const struct gddr5_rule all[] = {
        {GDDR5_ACT, GDDR5_ACT, GDDR5_BANK, 1, t.rc, "tRC"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rrd, "tRRD"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 4, t.faw, "tFAW"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 32, t.aw32, "t32AW"},
        {GDDR5_ACT, GDDR5_RD, GDDR5_BANK, 1, t.rcd, "tRCDRD"},
        {GDDR5_ACT, GDDR5_WR, GDDR5_BANK, 1, t.rcdwr, "tRCDWR"},
        {GDDR5_ACT, GDDR5_PRE, GDDR5_BANK, 1, t.ras, "tRAS"},
        {GDDR5_PRE, GDDR5_ACT, GDDR5_BANK, 1, t.rp, "tRP"},
        {GDDR5_RD, GDDR5_PRE, GDDR5_BANK, 1, t.rtp, "tRTP"},
        {GDDR5_RD, GDDR5_PRE, GDDR5_GROUP, 1, rtpl, "tRTPL"},
        {GDDR5_WR, GDDR5_PRE, GDDR5_BANK, 1, t.wtp, "tWTP"},
        {GDDR5_RD, GDDR5_RD, GDDR5_CHANNEL, 1, t.ccd, "tCCD"},
        {GDDR5_WR, GDDR5_WR, GDDR5_CHANNEL, 1, t.ccd, "tCCD"},
        {GDDR5_RD, GDDR5_RD, GDDR5_GROUP, 1, ccdl, "tCCDL"},
        {GDDR5_WR, GDDR5_WR, GDDR5_GROUP, 1, ccdl, "tCCDL"},
        {GDDR5_RD, GDDR5_WR, GDDR5_CHANNEL, 1, t.rtw, "tRTW"},
        {GDDR5_WR, GDDR5_RD, GDDR5_CHANNEL, 1, t.wtr, "tWTR"},
        {GDDR5_RD, GDDR5_RD, GDDR5_CHANNEL, 1, t.burst, "data bus"},
        {GDDR5_WR, GDDR5_WR, GDDR5_CHANNEL, 1, t.burst, "data bus"},
        {GDDR5_RD, GDDR5_WR, GDDR5_CHANNEL, 1, above(t.cl + t.burst, t.wl), "data bus"},
        {GDDR5_WR, GDDR5_RD, GDDR5_CHANNEL, 1, above(t.wl + t.burst, t.cl), "data bus"},
        {GDDR5_ACT, GDDR5_PREA, GDDR5_CHANNEL, 1, t.ras, "tRAS"},
        {GDDR5_RD, GDDR5_PREA, GDDR5_CHANNEL, 1, t.rtp > rtpl ? t.rtp : rtpl, "tRTP"},
        {GDDR5_WR, GDDR5_PREA, GDDR5_CHANNEL, 1, t.wtp, "tWTP"},
        {GDDR5_PREA, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_PREA, GDDR5_REF, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_PRE, GDDR5_REF, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_ACT, GDDR5_REF, GDDR5_CHANNEL, 1, t.rc, "tRC"},
        {GDDR5_REF, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rfc, "tRFC"},
        {GDDR5_REF, GDDR5_REF, GDDR5_CHANNEL, 1, t.rfc, "tRFC"},
    };
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].distance)
            rules[n++] = all[i];
    return n;
}

static void compile_rules(struct gddr5 *g) {
    struct gddr5_rule rules[GDDR5_MAX_RULES];
    unsigned n = gddr5_rules(&g->size, rules);
    for (unsigned i = 0; i < n; i++) {
        const struct gddr5_rule *r = &rules[i];
        uint32_t *gap = &g->gap[r->scope][r->from][r->to];
        if (r->back > 1)
            g->window[g->windows++] = *r;
        else if (r->distance > *gap)
            *gap = r->distance;
    }
}

static void put_off(uint64_t ready[GDDR5_CMDS], const uint32_t gap[GDDR5_CMDS], uint64_t now) {
    for (unsigned to = 0; to < GDDR5_CMDS; to++)
        if (now + gap[to] > ready[to])
            ready[to] = now + gap[to];
}

/* All that a command forbids for a while. */
static void apply_rules(struct gddr5 *g, enum gddr5_cmd cmd, struct bank *b, uint64_t now) {
    put_off(g->ready, g->gap[GDDR5_CHANNEL][cmd], now);
    if (!b)
        return;
    put_off(g->group_ready[b->group], g->gap[GDDR5_GROUP][cmd], now);
    put_off(b->ready, g->gap[GDDR5_BANK][cmd], now);
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

/* ---- making and ending ---- */

static int flight_init(struct flight *f, uint32_t capacity) {
    f->slot = calloc(capacity, sizeof *f->slot);
    f->capacity = capacity;
    return f->slot ? 0 : -1;
}

struct gddr5 *gddr5_create(const struct gddr5_size *size) {
    struct gddr5 *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    uint32_t entries = size->read_queue + size->write_queue;
    g->size = *size;
    g->timing = gddr5_derived(&size->timing);
    g->entry = calloc(entries, sizeof *g->entry);
    if (!g->entry || flight_init(&g->flight[READS], size->read_queue) != 0 ||
        flight_init(&g->flight[WRITES], size->write_queue) != 0) {
        gddr5_destroy(g);
        return NULL;
    }
    for (uint32_t i = 0; i < entries; i++)
        g->entry[i].next = i + 1 < entries ? i + 1 : GDDR5_NONE;
    for (uint32_t b = 0; b < size->banks; b++) {
        const struct waiting none = {GDDR5_NONE, GDDR5_NONE, 0, 0, GDDR5_NONE, 0};
        g->bank[b].group = gddr5_group(size, b);
        g->bank[b].waiting[READS] = g->bank[b].waiting[WRITES] = none;
    }
    compile_rules(g);
    g->orders = 1;
    g->refresh_due = g->timing.refi ? g->timing.refi : UINT64_MAX;
    g->next = g->refresh_due;
    g->stats.latency_min[READS] = g->stats.latency_min[WRITES] = UINT64_MAX;
    return g;
}

void gddr5_destroy(struct gddr5 *g) {
    if (!g)
        return;
    free(g->entry);
    free(g->flight[READS].slot);
    free(g->flight[WRITES].slot);
    free(g);
}

void gddr5_trace(struct gddr5 *g, gddr5_trace_fn fn, void *ctx) {
    g->trace = fn;
    g->trace_ctx = ctx;
}

const struct gddr5_stats *gddr5_stats(const struct gddr5 *g) {
    return &g->stats;
}

/* ---- the queues ---- */

/* FCFS keeps reads and writes in one list. */
static int list_of(const struct gddr5 *g, bool write) {
    return write && !g->size.fcfs ? WRITES : READS;
}

uint32_t gddr5_room(const struct gddr5 *g, bool write) {
    return (write ? g->size.write_queue : g->size.read_queue) - g->held[write];
}

bool gddr5_empty(const struct gddr5 *g) {
    return g->held[READS] + g->held[WRITES] == 0;
}

static void change_held(struct gddr5 *g, bool write, int by, uint64_t now) {
    struct gddr5_stats *s = &g->stats;
    g->held[write] += (uint32_t)by;
    level_change(&s->held[write], now, by);
    uint64_t full = gddr5_room(g, write) == 0;
    if (full != s->full[write].value)
        level_change(&s->full[write], now, full ? 1 : -1);
}

/* The capped number of row hits has passed this request, the `place`-th of its list. Every request
 * that was served since it came is either older than it or has passed it. */
static bool streak_over(const struct gddr5 *g, const struct waiting *w, const struct entry *e,
                        uint32_t place) {
    uint32_t passed = w->served - e->served_before - (e->older - place);
    return g->size.streak_cap && passed >= g->size.streak_cap;
}

/* The request that a bank serves next: the oldest row hit, or else the oldest; those that wait for
 * others are passed over. */
static uint32_t choose_entry(const struct gddr5 *g, const struct bank *b, const struct waiting *w) {
    if (g->size.fcfs)
        return w->first;
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

static void choose(struct gddr5 *g, struct bank *b, int list) {
    struct waiting *w = &b->waiting[list];
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    w->entry = choose_entry(g, b, w);
    g->want[list][w->cmd] &= ~bit;
    g->able[list] &= ~bit;
    if (w->entry == GDDR5_NONE)
        return;
    const struct entry *e = &g->entry[w->entry];
    w->cmd = !b->open ? GDDR5_ACT : e->row != b->row ? GDDR5_PRE : e->write ? GDDR5_WR : GDDR5_RD;
    g->want[list][w->cmd] |= bit;
    g->able[list] |= bit;
}

/* Whether there is an older request to the same place in the other queue: the youngest of them. */
static uint32_t find_hazard(const struct gddr5 *g, const struct entry *e) {
    if (g->size.fcfs)
        return GDDR5_NONE;
    uint32_t i = g->bank[e->bank].waiting[!e->write].last;
    while (i != GDDR5_NONE && (g->entry[i].row != e->row || g->entry[i].col != e->col))
        i = g->entry[i].prev;
    return i;
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

static void unlink_entry(struct gddr5 *g, struct waiting *w, const struct entry *e) {
    if (e->prev == GDDR5_NONE)
        w->first = e->next;
    else
        g->entry[e->prev].next = e->next;
    if (e->next == GDDR5_NONE)
        w->last = e->prev;
    else
        g->entry[e->next].prev = e->prev;
    w->count--;
}

void gddr5_push(struct gddr5 *g, uint64_t now, const struct gddr5_req *req) {
    assert(gddr5_room(g, req->write) > 0 && req->bank < g->size.banks);
    uint32_t number = g->free;
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[req->bank];
    int list = list_of(g, req->write);
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
    g->waiting[list]++;
    if (e->waits_for == GDDR5_NONE)
        g->ready_requests[list]++;
    else
        g->entry[e->waits_for].awaited = true;
    choose(g, b, list);
    change_held(g, e->write, 1, now);
    if (g->next > now + 1)
        g->next = now + 1;
}

/* Its data have left. */
static void release(struct gddr5 *g, uint32_t number, uint64_t now) {
    struct entry *e = &g->entry[number];
    if (--g->bank[e->bank].serving == 0)
        level_change(&g->stats.banks, now, -1);
    change_held(g, e->write, -1, now);
    e->next = g->free;
    g->free = number;
}

static const struct landing *flight_head(const struct flight *f) {
    return f->count ? &f->slot[f->head] : NULL;
}

static void flight_push(struct flight *f, uint32_t number, uint64_t done) {
    uint32_t at = f->head + f->count++;
    f->slot[at >= f->capacity ? at - f->capacity : at] = (struct landing){done, number};
}

static void flight_pop(struct flight *f) {
    f->head = f->head + 1 == f->capacity ? 0 : f->head + 1;
    f->count--;
}

uint32_t gddr5_done(const struct gddr5 *g, uint64_t now) {
    const struct landing *l = flight_head(&g->flight[READS]);
    return l && l->done <= now ? g->entry[l->entry].tag : GDDR5_NONE;
}

void gddr5_take(struct gddr5 *g, uint64_t now) {
    release(g, flight_head(&g->flight[READS])->entry, now);
    flight_pop(&g->flight[READS]);
}

static void retire_writes(struct gddr5 *g, uint64_t now) {
    const struct landing *l;
    while ((l = flight_head(&g->flight[WRITES])) != NULL && l->done <= now) {
        release(g, l->entry, l->done);
        flight_pop(&g->flight[WRITES]);
    }
}

/* ---- commands ---- */

static void tell(struct gddr5 *g, uint64_t now, enum gddr5_cmd cmd, const struct entry *e,
                 uint64_t row) {
    g->stats.commands[cmd]++;
    if (g->trace)
        g->trace(g->trace_ctx, now, cmd, e ? e->bank : 0, row,
                 cmd == GDDR5_RD || cmd == GDDR5_WR ? e->col : 0, e ? e->tag : GDDR5_NONE);
}

static void begin(struct gddr5 *g, struct entry *e, uint64_t now) {
    if (e->started)
        return;
    e->started = true;
    if (g->bank[e->bank].serving++ == 0)
        level_change(&g->stats.banks, now, 1);
}

static void count_column(struct gddr5 *g, const struct entry *e, uint64_t done) {
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

/* Those that waited for this request may go. */
static void wake(struct gddr5 *g, struct bank *b, uint32_t number) {
    int list = !g->entry[number].write;
    for (uint32_t i = b->waiting[list].first; i != GDDR5_NONE; i = g->entry[i].next)
        if (g->entry[i].waits_for == number) {
            g->entry[i].waits_for = GDDR5_NONE;
            g->ready_requests[list]++;
        }
    choose(g, b, list);
}

static void issue_column(struct gddr5 *g, uint32_t number, uint64_t now) {
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[e->bank];
    int list = list_of(g, e->write);
    uint64_t done = now + (e->write ? g->timing.wl : g->timing.cl) + g->timing.burst;
    unlink_entry(g, &b->waiting[list], e);
    b->waiting[list].served++;
    g->waiting[list]--;
    g->ready_requests[list]--;
    g->served++;
    flight_push(&g->flight[e->write], number, done);
    count_column(g, e, done);
    if (e->awaited)
        wake(g, b, number);
    choose(g, b, list);
}

static void set_row(struct gddr5 *g, struct bank *b, bool open, uint64_t row) {
    const uint64_t bit = UINT64_C(1) << (b - g->bank);
    b->open = open;
    b->row = row;
    g->open = open ? g->open | bit : g->open & ~bit;
    choose(g, b, READS);
    choose(g, b, WRITES);
}

static void issue(struct gddr5 *g, uint32_t number, enum gddr5_cmd cmd, uint64_t now) {
    struct entry *e = &g->entry[number];
    struct bank *b = &g->bank[e->bank];
    apply_rules(g, cmd, b, now);
    tell(g, now, cmd, e, cmd == GDDR5_PRE ? b->row : e->row);
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

/* ---- refresh: all else stands until it is done ---- */

static void refresh(struct gddr5 *g, uint64_t now) {
    enum gddr5_cmd cmd = g->open ? GDDR5_PREA : GDDR5_REF;
    if (g->ready[cmd] > now) {
        g->next = g->ready[cmd];
        return;
    }
    apply_rules(g, cmd, NULL, now);
    tell(g, now, cmd, NULL, 0);
    for (uint64_t left = g->open; left; left &= left - 1)
        set_row(g, &g->bank[bits_lowest(left)], false, 0);
    if (cmd == GDDR5_REF)
        g->refresh_due += g->timing.refi;
    g->next = now + 1;
}

/* ---- read and write mode ---- */

static bool oldest_read_waits(const struct gddr5 *g) {
    if (g->ready_requests[READS] == g->waiting[READS])
        return false;
    const struct entry *oldest = NULL;
    for (uint32_t b = 0; b < g->size.banks; b++) {
        uint32_t i = g->bank[b].waiting[READS].first;
        if (i != GDDR5_NONE && (!oldest || g->entry[i].order < oldest->order))
            oldest = &g->entry[i];
    }
    return oldest->waits_for != GDDR5_NONE;
}

/* Both kinds have a request that can be served. */
static int contested_mode(const struct gddr5 *g) {
    const struct gddr5_size *s = &g->size;
    if (oldest_read_waits(g))
        return WRITES;
    if (g->mode == WRITES)
        return g->draining && g->waiting[WRITES] > s->write_low && g->served < s->write_queue
                   ? WRITES
                   : READS;
    return g->waiting[WRITES] >= s->write_high && g->served >= s->write_high - s->write_low ? WRITES
                                                                                            : READS;
}

/* Depends on what has changed only: without a push or a command it changes nothing. */
static void choose_mode(struct gddr5 *g) {
    if (g->size.fcfs)
        return;
    int mode = g->mode;
    if (g->ready_requests[READS] && g->ready_requests[WRITES])
        mode = contested_mode(g);
    else if (g->ready_requests[READS] || g->ready_requests[WRITES])
        mode = g->ready_requests[WRITES] ? WRITES : READS;
    if (mode != g->mode) {
        g->mode = mode;
        g->served = 0;
        g->draining = false;
        g->stats.turns++;
    }
    if (mode == WRITES && g->waiting[WRITES] >= g->size.write_high)
        g->draining = true;
}

/* ---- scheduler ---- */

struct pick {
    uint32_t column, row; /* entries whose command can go now, the oldest each; GDDR5_NONE */
    enum gddr5_cmd row_cmd;
    uint64_t column_order, row_order;
    uint64_t next; /* if nothing can go now: when something can */
};

/* FCFS: data come in the order of arrival. */
static uint64_t last_order(const struct gddr5 *g) {
    if (!g->size.fcfs)
        return UINT64_MAX;
    uint64_t oldest = UINT64_MAX;
    for (uint64_t left = g->able[READS]; left; left &= left - 1) {
        const struct waiting *w = &g->bank[bits_lowest(left)].waiting[READS];
        uint64_t order = g->entry[w->entry].order;
        oldest = order < oldest ? order : oldest;
    }
    return oldest;
}

/* Looks through banks that want the same command; the channel allows it. */
static void look_at(const struct gddr5 *g, uint64_t banks, int list, unsigned cmd, uint64_t last,
                    uint64_t now, struct pick *p) {
    const bool column = cmd == GDDR5_RD || cmd == GDDR5_WR;
    for (; banks; banks &= banks - 1) {
        const struct bank *b = &g->bank[bits_lowest(banks)];
        uint64_t at = b->ready[cmd], group = g->group_ready[b->group][cmd];
        at = at > group ? at : group;
        uint64_t order = g->entry[b->waiting[list].entry].order;
        if (column && order > last)
            continue;
        if (at > now) {
            p->next = at < p->next ? at : p->next;
        } else if (column && order < p->column_order) {
            p->column = b->waiting[list].entry;
            p->column_order = order;
        } else if (!column && order < p->row_order) {
            p->row = b->waiting[list].entry;
            p->row_cmd = (enum gddr5_cmd)cmd;
            p->row_order = order;
        }
    }
}

/* `last`: column commands of requests younger than this one may not go; the oldest request of all
 * has order 1. */
static void look(const struct gddr5 *g, uint64_t banks, int list, uint64_t last, uint64_t now,
                 struct pick *p) {
    static const uint8_t cmds[] = {GDDR5_RD, GDDR5_WR, GDDR5_ACT, GDDR5_PRE};
    for (unsigned i = last ? 0 : 2; i < sizeof cmds; i++) {
        uint64_t left = g->want[list][cmds[i]] & banks;
        uint64_t at = g->ready[cmds[i]];
        if (left && at <= now)
            look_at(g, left, list, cmds[i], last, now, p);
        else if (left)
            p->next = at < p->next ? at : p->next;
    }
}

static struct pick schedule(const struct gddr5 *g, uint64_t now) {
    struct pick p = {GDDR5_NONE, GDDR5_NONE, GDDR5_ACT, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    look(g, g->able[g->mode], g->mode, last_order(g), now, &p);
    /* Rows for reads are opened in banks that the writes do not need. */
    if (g->mode == WRITES)
        look(g, g->able[READS] & ~g->able[WRITES], READS, 0, now, &p);
    return p;
}

static uint64_t earlier(uint64_t a, const struct flight *f) {
    const struct landing *l = flight_head(f);
    return l && l->done < a ? l->done : a;
}

/* Returns the tag of the request that got its column command. */
static uint32_t serve(struct gddr5 *g, uint64_t now) {
    struct pick p = schedule(g, now);
    uint32_t tag = GDDR5_NONE;
    g->next = p.column != GDDR5_NONE || p.row != GDDR5_NONE ? now + 1 : p.next;
    if (p.column != GDDR5_NONE) {
        tag = g->entry[p.column].tag;
        issue(g, p.column, g->entry[p.column].write ? GDDR5_WR : GDDR5_RD, now);
        if (!g->size.two_buses)
            return tag;
        p = schedule(g, now); /* the column command may forbid a PRE */
    }
    if (p.row != GDDR5_NONE)
        issue(g, p.row, p.row_cmd, now);
    return tag;
}

uint32_t gddr5_tick(struct gddr5 *g, uint64_t now) {
    uint32_t tag = GDDR5_NONE;
    retire_writes(g, now);
    choose_mode(g);
    if (now >= g->refresh_due) {
        refresh(g, now);
    } else {
        tag = serve(g, now);
        g->next = g->refresh_due < g->next ? g->refresh_due : g->next;
    }
    g->next = earlier(earlier(g->next, &g->flight[WRITES]), &g->flight[READS]);
    if (g->next <= now) /* a read that is not taken */
        g->next = now + 1;
    return tag;
}

uint64_t gddr5_next_event(const struct gddr5 *g) {
    return g->next;
}

void gddr5_each(const struct gddr5 *g, void (*fn)(void *ctx, uint32_t tag, bool issued),
                void *ctx) {
    for (uint32_t n = 0; n < 2 * g->size.banks; n++) {
        uint32_t i = g->bank[n / 2].waiting[n % 2].first;
        for (; i != GDDR5_NONE; i = g->entry[i].next)
            fn(ctx, g->entry[i].tag, false);
    }
    for (int kind = READS; kind <= WRITES; kind++)
        for (uint32_t n = 0; n < g->flight[kind].count; n++) {
            const struct flight *f = &g->flight[kind];
            fn(ctx, g->entry[f->slot[(f->head + n) % f->capacity].entry].tag, true);
        }
}
