// SPDX-License-Identifier: Apache-2.0
#include "l1d_pipe/l1d_pipe.h"

#include <stdlib.h>
#include <string.h>

#include "l1d/l1d.h"
#include "lib/alloc.h"
#include "lib/wrap.h"
#include "policy/policies.h"

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context) {
    const struct cache_policy *bypass = l1d_bypass_policy(cfg);
    memset(p, 0, sizeof *p);
    p->context = context;
    p->global_skips = bypass && bypass->misses_bypass;
    if (cfg->l1d_lookup == L1D_LOOKUP_FRONT || !cfg->l1d_enabled)
        return;
    p->ready = UINT64_MAX;
    p->places = (uint32_t)cfg->l1d_hit_latency;
    p->delay = p->places - 1;
    p->slot = alloc_zeroed(p->places, sizeof *p->slot);
}

void l1d_pipe_free(struct l1d_pipe *p) {
    free(p->slot);
}

static struct l1d_pipe_slot *at(const struct l1d_pipe *p, uint32_t i) {
    return &p->slot[wrap(p->head + i, p->places)];
}

static bool full(const struct l1d_pipe *p) {
    return p->count == p->places;
}

static bool passes(const struct l1d_pipe *p, const struct request *a) {
    return a->bypass || (p->global_skips && !a->local);
}

static bool holds(const struct l1d_pipe *p, uint64_t line) {
    for (uint32_t i = 0; i < p->count; i++)
        if (at(p, i)->access.line == line)
            return true;
    return false;
}

/* What is chosen, and the room for what comes, are as they are before the cycle. */
static const struct request *offer(void *stage, const struct request *from, uint64_t cycle,
                                   bool *took) {
    struct l1d_pipe *p = stage;
    bool pass = from && passes(p, from);
    *took = false;
    p->held = !p->passing && p->ready <= cycle;
    p->passing = p->passing || (pass && !p->held && !holds(p, from->line));
    if (p->passing)
        return from;
    *took = from && !pass && !full(p);
    if (p->held)
        at(p, 0)->access.sm.piped = (uint32_t)(cycle - at(p, 0)->entered);
    if (*took) {
        if (!p->count)
            p->ready = cycle + p->delay;
        *at(p, p->count++) = (struct l1d_pipe_slot){*from, cycle};
        p->context->progress++;
    }
    return p->held ? &at(p, 0)->access : NULL;
}

static bool taken(void *stage) {
    struct l1d_pipe *p = stage;
    bool passed = p->passing;
    if (!passed) {
        p->head = wrap(p->head + 1, p->places);
        p->ready = --p->count ? at(p, 0)->entered + p->delay : UINT64_MAX;
    }
    p->held = p->passing = false;
    return passed;
}

/* Behind the offer: the next request in the pipeline; if it holds none, one that bypasses it. */
static const struct request *peek(const void *stage, uint32_t n,
                                  const struct request *const before[2]) {
    const struct l1d_pipe *p = stage;
    if (n == 0)
        return p->passing ? before[0] : p->held ? &at(p, 0)->access : NULL;
    if (p->count > p->held)
        return &at(p, p->held)->access;
    return before[1] && passes(p, before[1]) ? before[1] : NULL;
}

static uint64_t next_event(const void *stage, const struct request *from, uint64_t cycle) {
    const struct l1d_pipe *p = stage;
    if (p->passing)
        return UINT64_MAX;
    bool pass = from && passes(p, from);
    if (from && (pass ? !p->held && !holds(p, from->line) : !full(p)))
        return cycle;
    if (p->held)
        return UINT64_MAX;
    return p->ready > cycle ? p->ready : cycle;
}

static void advance(void *stage, const struct request *from, uint64_t cycles) {
    (void)stage, (void)from, (void)cycles;
}

static bool empty(const void *stage) {
    return !((const struct l1d_pipe *)stage)->count;
}

static const struct stage_type l1d_pipe_type = {
    .offer = offer,
    .taken = taken,
    .peek = peek,
    .next_event = next_event,
    .advance = advance,
    .empty = empty,
    .enters = true,
};

struct stage l1d_pipe_stage(struct l1d_pipe *p) {
    return (struct stage){.type = &l1d_pipe_type, .state = p};
}

void l1d_pipe_dump(const struct l1d_pipe *p, uint32_t sm, FILE *out) {
    if (p->count)
        fprintf(out, "sm.%u L1D pipeline %u/%u\n", (unsigned)sm, (unsigned)p->count,
                (unsigned)p->places);
}
