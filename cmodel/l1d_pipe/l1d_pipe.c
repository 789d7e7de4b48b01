// SPDX-License-Identifier: Apache-2.0
#include "l1d_pipe/l1d_pipe.h"

#include <string.h>

#include "l1d/l1d.h"
#include "policy/policies.h"

/* Records when the bank's oldest access may leave. */
static void set_ready(struct l1d_pipe *p, uint32_t bank) {
    p->ready[bank] =
        p->bank[bank].count ? ring_first(&p->bank[bank])->entered + p->delay : UINT64_MAX;
}

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context) {
    const struct cache_policy *bypass = l1d_bypass_policy(cfg);
    memset(p, 0, sizeof *p);
    p->context = context;
    p->global_skips = bypass && bypass->misses_bypass;
    if (cfg->l1d_model == MODEL_SIMPLE || !cfg->l1d_enabled)
        return;
    p->banks = l1d_banks(cfg);
    p->sectored = cfg->sm_coalesce == COALESCE_SECTOR;
    p->delay = (uint32_t)cfg->l1d_hit_latency - 1;
    for (uint32_t b = 0; b < p->banks; b++) {
        ring_init(&p->bank[b], p->delay + 1);
        set_ready(p, b);
    }
}

void l1d_pipe_free(struct l1d_pipe *p) {
    for (uint32_t b = 0; b < p->banks; b++)
        ring_free(&p->bank[b]);
}

static bool may_pass(const struct l1d_pipe *p, const struct request *a) {
    return a->bypass || a->kind == REQUEST_ATOMIC || (p->global_skips && !a->local);
}

static uint32_t bank_of(const struct l1d_pipe *p, const struct request *a) {
    const uint64_t granule =
        p->sectored ? a->line * LINE_SECTORS + mask_first(&a->mask) / SECTOR_BYTES : a->line;
    return (uint32_t)granule & (p->banks - 1);
}

static bool holds_line(const struct l1d_pipe *p, uint64_t line) {
    for (uint32_t b = 0; b < p->banks; b++)
        for (uint32_t i = 0; i < p->bank[b].count; i++)
            if (ring_at(&p->bank[b], i)->access.line == line)
                return true;
    return false;
}

uint32_t l1d_pipe_ready_bank(const struct l1d_pipe *p, uint32_t from, uint64_t cycle) {
    while (from < p->banks && p->ready[from] > cycle)
        from++;
    return from;
}

const struct request *l1d_pipe_oldest(struct l1d_pipe *p, uint32_t bank, uint64_t cycle) {
    struct l1d_pipe_slot *slot = ring_first(&p->bank[bank]);
    slot->access.sm.piped = (uint32_t)(cycle - slot->entered);
    return &slot->access;
}

const struct request *l1d_pipe_behind(const struct l1d_pipe *p, uint32_t bank) {
    return p->bank[bank].count > 1 ? &ring_at(&p->bank[bank], 1)->access : NULL;
}

static void enter(struct l1d_pipe *p, const struct request *a, uint64_t cycle) {
    const uint32_t b = bank_of(p, a);
    ring_push(&p->bank[b], ((struct l1d_pipe_slot){*a, cycle}));
    set_ready(p, b);
    p->count++;
    p->entered_in = cycle;
    p->more = !a->sm.last;
    p->context->progress++;
}

/* Returns true if the access may enter in this cycle: its bank has room, and has taken no other
 * access in this cycle. */
static bool has_room(const struct l1d_pipe *p, const struct request *a, uint64_t cycle) {
    const uint32_t b = bank_of(p, a), n = p->bank[b].count;
    return !ring_full(&p->bank[b]) && (!n || ring_at(&p->bank[b], n - 1)->entered != cycle);
}

/* True if a bypassing access may pass: if no other access leaves or, with banks, always, because
 * others can leave in the same cycle. */
static bool passes_now(const struct l1d_pipe *p) {
    return !p->held || p->banks > 1;
}

/* Processes a cycle. The offer and the room for new accesses depend on the state before the
 * cycle. */
static const struct request *offer_access(void *stage, const struct request *from, uint64_t cycle,
                                          bool *took) {
    struct l1d_pipe *p = stage;
    bool pass = from && may_pass(p, from);
    *took = false;
    if (p->passing)
        return from;
    p->at = l1d_pipe_ready_bank(p, 0, cycle);
    p->held = p->at < p->banks;
    if (pass && passes_now(p) && !holds_line(p, from->line)) {
        p->passing = true;
        p->held = false;
        return from;
    }
    *took = from && !pass && has_room(p, from, cycle);
    if (*took)
        enter(p, from, cycle);
    return p->held ? l1d_pipe_oldest(p, p->at, cycle) : NULL;
}

bool l1d_pipe_enter_more(struct l1d_pipe *p, const struct request *from, uint64_t cycle) {
    if (p->entered_in != cycle || !p->more || may_pass(p, from) || !has_room(p, from, cycle))
        return false;
    enter(p, from, cycle);
    return true;
}

void l1d_pipe_drop(struct l1d_pipe *p, uint32_t bank) {
    ring_drop(&p->bank[bank]);
    set_ready(p, bank);
    p->count--;
}

static bool take_offer(void *stage) {
    struct l1d_pipe *p = stage;
    bool passed = p->passing;
    if (!passed)
        l1d_pipe_drop(p, p->at);
    p->held = p->passing = false;
    return passed;
}

/* If n is 0, returns the offered request. Otherwise, returns the request after it, which is the
 * next one of its bank, or else a request that bypasses the pipeline. Returns NULL if there is
 * none. */
static const struct request *peek_access(const void *stage, uint32_t n,
                                         const struct request *const before[2]) {
    const struct l1d_pipe *p = stage;
    if (n == 0)
        return p->passing ? before[0] : p->held ? &ring_first(&p->bank[p->at])->access : NULL;
    if (p->held && p->bank[p->at].count > 1)
        return l1d_pipe_behind(p, p->at);
    for (uint32_t b = 0; b < p->banks && !p->held; b++)
        if (p->bank[b].count)
            return &ring_first(&p->bank[b])->access;
    return before[1] && may_pass(p, before[1]) ? before[1] : NULL;
}

static uint64_t next_event(const void *stage, const struct request *from, uint64_t cycle) {
    const struct l1d_pipe *p = stage;
    if (p->passing && p->banks == 1)
        return UINT64_MAX;
    bool pass = from && may_pass(p, from);
    if (from && !p->passing &&
        (pass ? passes_now(p) && !holds_line(p, from->line) : has_room(p, from, cycle)))
        return cycle;
    uint64_t next = UINT64_MAX;
    for (uint32_t b = 0; b < p->banks; b++) {
        const uint64_t ready = p->ready[b];
        if (ready < next && !(p->held && ready < cycle))
            next = ready > cycle ? ready : cycle;
    }
    return next;
}

static void advance_stage(void *stage, const struct request *from, uint64_t cycles) {
    (void)stage, (void)from, (void)cycles;
}

static bool is_empty(const void *stage) {
    return !((const struct l1d_pipe *)stage)->count;
}

static const struct stage_type l1d_pipe_type = {
    .offer = offer_access,
    .take = take_offer,
    .peek = peek_access,
    .next_event = next_event,
    .advance = advance_stage,
    .empty = is_empty,
    .enters = true,
};

struct stage l1d_pipe_stage(struct l1d_pipe *p) {
    return (struct stage){.type = &l1d_pipe_type, .state = p};
}

void l1d_pipe_dump(const struct l1d_pipe *p, uint32_t sm, FILE *out) {
    if (p->count)
        fprintf(out, "sm.%u L1D pipeline %u/%u\n", (unsigned)sm, (unsigned)p->count,
                (unsigned)(p->banks * (p->delay + 1)));
}
