// SPDX-License-Identifier: Apache-2.0
/* In test builds, ticks some of the cycles that other builds skip (looks). pass_cycles() checks the
 * result of each look and of each call to advance(). */
#include "gpu/skips.h"

#ifdef MEMTWIN_CHECKED

#include <string.h>

#include "gpu/parts.h"

#define JUMPS_FROM 256 /* number of waiting cycles after which a skip ends at a look */

/* Turns off the sanitizers for a long loop that runs in each wait. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined"), optimize("O2")))

/* ---- parts that wait ---- */

/* An SM or L2 bank with skipped cycles. */
struct skips_part {
    const char *kind;
    uint32_t number;
    void *state;
    const struct stats *stats;
    const uint64_t *counted; /* counter of accounted cycles */
    struct context *context;
    struct clocked *clocked;
    void (*tick)(void *state, uint64_t cycle);
    void (*advance)(void *state, uint64_t cycles);
};

static void tick_sm(void *state, uint64_t cycle) {
    sm_tick(state, cycle);
}

static void advance_sm(void *state, uint64_t cycles) {
    sm_advance(state, cycles);
}

static struct skips_part sm_part(struct gpu *g, uint32_t i) {
    struct sm *sm = &g->sm[i];
    return (struct skips_part){.kind = "SM",
                               .number = i,
                               .state = sm,
                               .stats = &sm->stats,
                               .counted = &sm->now,
                               .context = sm->context,
                               .clocked = &g->sm_clocked[i],
                               .tick = tick_sm,
                               .advance = advance_sm};
}

static void tick_bank(void *state, uint64_t cycle) {
    l2_tick(state, cycle);
}

static void advance_bank(void *state, uint64_t cycles) {
    l2_advance(state, cycles);
}

static struct skips_part bank_part(struct gpu *g, uint32_t b) {
    struct l2 *l2 = &g->l2[b];
    return (struct skips_part){.kind = "L2 bank",
                               .number = b,
                               .state = l2,
                               .stats = &l2->stats,
                               .counted = &l2->cycles,
                               .context = l2->cache.context,
                               .clocked = &g->l2_clocked[b],
                               .tick = tick_bank,
                               .advance = advance_bank};
}

/* ---- counts of a cycle ---- */

/* Statistics without the histograms. Histograms change only when something moves. */
struct counts {
    uint64_t v[STAT_COUNT];
};

static struct counts counts_of(const struct skips_part *p) {
    struct counts c;
    memcpy(c.v, p->stats->v, sizeof c.v);
    return c;
}

/* Consecutive cycles of a wait that were all ticked or all advanced. */
struct passed {
    uint64_t cycles, end;
    bool ticked;
};

static const char *way_of(bool ticked) {
    return ticked ? "tick" : "advance";
}

static void refuse_count(const struct skips_part *p, const struct passed *now, const char *counter,
                         uint64_t counts, uint64_t counted) {
    const struct skips *s = &p->clocked->skips;
    context_fail(p->context, CONTEXT_INTERNAL,
                 "%s %u, skipped before cycle %llu: %s over %llu counts %llu of %s, %s over %llu "
                 "counted %llu",
                 p->kind, (unsigned)p->number, (unsigned long long)now->end, way_of(now->ticked),
                 (unsigned long long)now->cycles, (unsigned long long)counts, counter,
                 way_of(s->ticked), (unsigned long long)s->cycles, (unsigned long long)counted);
}

/* Records the counts of the first cycles of a wait. All later cycles must repeat these counts. */
UNCHECKED static void note_counts(const struct skips_part *p, const struct passed *now,
                                  const struct counts *before) {
    struct skips *s = &p->clocked->skips;
    s->cycles = now->cycles;
    s->ticked = now->ticked;
    for (unsigned i = 0; i < STAT_COUNT; i++) {
        const uint64_t counts = p->stats->v[i] - before->v[i];
        if (counts % now->cycles)
            refuse_count(p, now, stat_table[i].name, counts, 0); /* not the same in each cycle */
        if (counts && s->n < SKIPS_COUNTERS)
            s->counter[s->n++] = (struct skips_counter){(uint16_t)i, counts};
    }
}

/* Scales the counts of the wait's first cycles to `cycles` cycles. */
static uint64_t extrapolate(const struct skips *s, uint64_t counts, uint64_t cycles) {
    return counts / s->cycles * cycles;
}

static void find_difference(const struct skips_part *p, const struct passed *now,
                            const struct counts *before, const struct counts *should) {
    const struct skips *s = &p->clocked->skips;
    for (unsigned i = 0; i < STAT_COUNT; i++)
        if (p->stats->v[i] != should->v[i]) {
            uint64_t counted = 0;
            for (unsigned k = 0; k < s->n; k++)
                counted = s->counter[k].id == i ? s->counter[k].counts : counted;
            refuse_count(p, now, stat_table[i].name, p->stats->v[i] - before->v[i], counted);
            return;
        }
}

static void judge_counts(const struct skips_part *p, const struct passed *now,
                         const struct counts *before) {
    const struct skips *s = &p->clocked->skips;
    struct counts should = *before;
    for (unsigned k = 0; k < s->n; k++)
        should.v[s->counter[k].id] += extrapolate(s, s->counter[k].counts, now->cycles);
    if (memcmp(should.v, p->stats->v, sizeof should.v) != 0)
        find_difference(p, now, before, &should);
}

/* ---- skipped cycles ---- */

static void pass_cycles(const struct skips_part *p, const struct passed *now) {
    const struct counts before = counts_of(p);
    const uint64_t counted = *p->counted, progress = p->context->progress;
    if (now->ticked)
        p->tick(p->state, now->end - 1);
    else
        p->advance(p->state, now->cycles);
    if (p->context->progress != progress)
        context_fail(p->context, CONTEXT_INTERNAL,
                     "%s %u, cycle %llu: progress in a cycle that was to be skipped", p->kind,
                     (unsigned)p->number, (unsigned long long)now->end - 1);
    if (*p->counted - counted != now->cycles)
        refuse_count(p, now, "cycles", *p->counted - counted, now->cycles);
    if (p->clocked->skips.cycles)
        judge_counts(p, now, &before);
    else
        note_counts(p, now, &before);
}

/* Handles skipped cycles without a look. */
static void pass_unseen(const struct skips_part *p, uint64_t cycles, uint64_t end) {
    const struct passed now = {cycles, end, false};
    pass_cycles(p, &now);
}

/* True in the cycles of a wait whose number, counted from 0, is a power of 4, and in the last cycle
 * before the next event. */
static bool looks(const struct clocked *c, uint64_t cycle) {
    const uint64_t waited = cycle - c->skips.begin;
    return cycle + 1 == c->next_event ||
           (!(waited & (waited - 1)) && waited & UINT64_C(0x5555555555555555));
}

uint64_t skips_until(const struct skips *s, uint64_t next_event, uint64_t now) {
    const uint64_t waited = now - s->begin;
    uint64_t until = JUMPS_FROM;
    while (until < waited)
        until *= 4;
    until += s->begin;
    return next_event <= until ? next_event - (next_event != 0) : until;
}

static void look_at(const struct skips_part *p, uint64_t cycle) {
    const struct passed now = {1, cycle + 1, true};
    if (!looks(p->clocked, cycle))
        return;
    const uint64_t unseen = clocked_passed(p->clocked, cycle);
    if (unseen)
        pass_unseen(p, unseen, cycle);
    pass_cycles(p, &now);
    p->clocked->accounted = cycle + 1;
}

void skips_sm(struct gpu *g, uint32_t i, uint64_t cycle) {
    const struct skips_part p = sm_part(g, i);
    look_at(&p, cycle);
}

void skips_bank(struct gpu *g, uint32_t b, uint64_t cycle) {
    const struct skips_part p = bank_part(g, b);
    look_at(&p, cycle);
}

void skips_advance_sm(struct gpu *g, uint32_t i, uint64_t cycles, uint64_t end) {
    const struct skips_part p = sm_part(g, i);
    pass_unseen(&p, cycles, end);
}

void skips_advance_bank(struct gpu *g, uint32_t b, uint64_t cycles, uint64_t end) {
    const struct skips_part p = bank_part(g, b);
    pass_unseen(&p, cycles, end);
}

/* ---- channels ---- */

/* True in every eighth cycle, and in the last cycle before the next event. */
static bool looks_at_channel(const struct dram *d) {
    const uint64_t cycle = d->context->dram_cycle;
    return cycle % 8 == 0 || cycle + 1 == d->next;
}

static void refuse_move(struct gpu *g, struct dram *d) {
    context_fail(d->context, CONTEXT_INTERNAL,
                 "DRAM channel %u, cycle %llu: progress in a cycle that was to be skipped",
                 (unsigned)(d - g->dram), (unsigned long long)d->context->dram_cycle);
}

static void look_at_channel(struct gpu *g, struct dram *d) {
    const struct gddr5_stats *counts = gddr5_stats(d->device), before = *counts;
    const uint64_t progress = d->context->progress, next = d->next;
    dram_step(d);
    if (d->context->progress != progress || memcmp(counts, &before, sizeof before) != 0 ||
        d->next < next)
        refuse_move(g, d);
    d->next = next;
}

void skips_channel(struct gpu *g, struct dram *d) {
    if (looks_at_channel(d))
        look_at_channel(g, d);
}

void skips_due_channel(struct gpu *g, struct dram *d) {
    if (g->skip && d->context->dram_cycle < d->context->dram_next)
        refuse_move(g, d);
}

#endif
