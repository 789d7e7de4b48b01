// SPDX-License-Identifier: Apache-2.0
#include "l1d_pipe/l1d_pipe.h"

#include <string.h>

#include "l1d/l1d.h"
#include "policy/policies.h"

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context) {
    const struct cache_policy *bypass = l1d_bypass_policy(cfg);
    memset(p, 0, sizeof *p);
    p->context = context;
    p->global_skips = bypass && bypass->misses_bypass;
    if (cfg->l1d_model == MODEL_SIMPLE || !cfg->l1d_enabled)
        return;
    p->ready = UINT64_MAX;
    p->banks = (uint32_t)cfg->l1d_banks;
    p->delay = (uint32_t)cfg->l1d_hit_latency - 1;
    ring_init(p, (p->delay + 1) * p->banks);
}

void l1d_pipe_free(struct l1d_pipe *p) {
    ring_free(p);
}

static bool may_pass(const struct l1d_pipe *p, const struct request *a) {
    return a->bypass || (p->global_skips && !a->local);
}

static bool holds_line(const struct l1d_pipe *p, uint64_t line) {
    for (uint32_t i = 0; i < p->count; i++)
        if (ring_at(p, i)->access.line == line)
            return true;
    return false;
}

/* True if a bypassing access may pass: if no other access leaves or, with banks, every second time
 * that one could, because a hit can then leave in the same cycle. */
static bool passes_now(const struct l1d_pipe *p) {
    return !p->held || (p->banks > 1 && !p->yielded);
}

/* Processes a cycle. The offer and the room for new accesses depend on the state before the
 * cycle. */
static const struct request *offer_access(void *stage, const struct request *from, uint64_t cycle,
                                          bool *took) {
    struct l1d_pipe *p = stage;
    bool pass = from && may_pass(p, from);
    *took = false;
    p->held = !p->passing && p->ready <= cycle;
    if (p->passing)
        return from;
    if (pass && passes_now(p) && !holds_line(p, from->line)) {
        p->passing = true;
        p->yielded = p->held;
        p->held = false;
        return from;
    }
    p->yielded = false;
    *took = from && !pass && !ring_full(p);
    if (p->held)
        ring_first(p)->access.sm.piped = (uint32_t)(cycle - ring_first(p)->entered);
    if (*took) {
        if (!p->count)
            p->ready = cycle + p->delay;
        ring_push(p, ((struct l1d_pipe_slot){*from, cycle}));
        p->context->progress++;
    }
    return p->held ? &ring_first(p)->access : NULL;
}

uint32_t l1d_pipe_bank(const struct l1d_pipe *p, const struct request *a) {
    const uint64_t sector = a->line * LINE_SECTORS + mask_first(&a->mask) / SECTOR_BYTES;
    return UINT32_C(1) << sector % p->banks;
}

bool l1d_pipe_enter_more(struct l1d_pipe *p, const struct request *from, uint64_t cycle) {
    uint32_t busy = 0;
    for (uint32_t n = p->count; n && ring_at(p, n - 1)->entered == cycle; n--)
        busy |= l1d_pipe_bank(p, &ring_at(p, n - 1)->access);
    if (!busy || busy & l1d_pipe_bank(p, from) || ring_full(p) ||
        ring_at(p, p->count - 1)->access.sm.last)
        return false;
    ring_push(p, ((struct l1d_pipe_slot){*from, cycle}));
    return true;
}

const struct request *l1d_pipe_more(struct l1d_pipe *p, uint32_t busy, uint64_t cycle) {
    if (p->ready > cycle || busy & l1d_pipe_bank(p, &ring_first(p)->access))
        return NULL;
    ring_first(p)->access.sm.piped = (uint32_t)(cycle - ring_first(p)->entered);
    return &ring_first(p)->access;
}

void l1d_pipe_drop(struct l1d_pipe *p) {
    ring_drop(p);
    p->ready = p->count ? ring_first(p)->entered + p->delay : UINT64_MAX;
}

static bool take_offer(void *stage) {
    struct l1d_pipe *p = stage;
    bool passed = p->passing;
    if (!passed)
        l1d_pipe_drop(p);
    p->held = p->passing = false;
    return passed;
}

/* If n is 0, returns the offered request. Otherwise, returns the request after it, which is the
 * oldest other request in the pipeline, or else a request that bypasses the pipeline. Returns NULL
 * if there is none. */
static const struct request *peek_access(const void *stage, uint32_t n,
                                         const struct request *const before[2]) {
    const struct l1d_pipe *p = stage;
    if (n == 0)
        return p->passing ? before[0] : p->held ? &ring_first(p)->access : NULL;
    if (p->count > p->held)
        return &ring_at(p, p->held)->access;
    return before[1] && may_pass(p, before[1]) ? before[1] : NULL;
}

static uint64_t next_event(const void *stage, const struct request *from, uint64_t cycle) {
    const struct l1d_pipe *p = stage;
    if (p->passing)
        return UINT64_MAX;
    bool pass = from && may_pass(p, from);
    if (from && (pass ? passes_now(p) && !holds_line(p, from->line) : !ring_full(p)))
        return cycle;
    if (p->held)
        return UINT64_MAX;
    return p->ready > cycle ? p->ready : cycle;
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
                (unsigned)p->capacity);
}
