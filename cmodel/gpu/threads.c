// SPDX-License-Identifier: Apache-2.0
#include "gpu/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/pace.h"
#include "gpu/parts.h"
#include "lib/alloc.h"
#include "lib/host_memory.h"
#include "lib/team.h"

#define MIN_PARTS 4  /* ticked the last time: fewer are faster on one thread */
#define DRAM_EDGES 8 /* that are kept */

enum phase { PHASE_CHANNELS, PHASE_BANKS, PHASE_SMS, PHASE_SMS_IN_ORDER, PHASES };

/* What a thread does at once, and what came of it. */
struct share {
    _Alignas(HOST_APART) struct context *context; /* owned */
    uint32_t first_sm, end_sm, first_partition, end_partition;
    uint32_t taken; /* packets less those given, before this phase; may wrap */
    /* In this phase: parts ticked; what its context has counted; a fault. */
    uint32_t ticked, in_use;
    uint64_t progress, ctas_ended;
    bool fault;
};

struct threads {
    /* The phase. */
    _Alignas(HOST_APART) enum phase phase;
    uint64_t cycle; /* of the SMs or of the L2 */
    uint64_t now, sm_cycle, time;
    uint64_t dram_edge[DRAM_EDGES]; /* instants of edges that were not ticked yet */
    uint32_t dram_edges;
    /* The rest. */
    uint32_t shares;
    struct share *share; /* owned */
    struct team *team;   /* owned */
    uint32_t span;       /* requests that a share owns in its pool */
    uint32_t reserve;    /* free requests that a share needs before a phase */
    bool always;
    uint32_t ticked[PHASES]; /* parts, the last time */
    struct pace pace;
    uint64_t phases_by_all; /* so far */
};

/* ---- a share of a phase ---- */

static uint32_t tick_channels(struct gpu *g, const struct share *s) {
    const struct threads *t = g->threads;
    uint32_t ticked = 0;
    for (uint32_t i = 0; i < t->dram_edges; i++) {
        s->context->now = t->dram_edge[i];
        ticked += gpu_tick_channels(g, s->context, s->first_partition, s->end_partition);
    }
    s->context->now = t->now;
    return ticked;
}

static uint32_t tick_share(struct gpu *g, const struct share *s) {
    const struct threads *t = g->threads;
    const uint32_t subs = g->map.subs;
    if (t->phase >= PHASE_SMS)
        return gpu_tick_sms(g, t->cycle, s->first_sm, s->end_sm);
    uint32_t ticked = tick_channels(g, s);
    if (t->phase == PHASE_BANKS)
        ticked += gpu_tick_banks(g, t->cycle, s->first_partition * subs, s->end_partition * subs);
    return ticked;
}

static void work(void *ctx, uint32_t number) {
    struct gpu *g = ctx;
    const struct threads *t = g->threads;
    struct share *s = &t->share[number];
    struct context *c = s->context;
    c->now = t->now;
    c->sm_cycle = t->sm_cycle;
    c->time = t->time;
    s->ticked = tick_share(g, s);
    s->in_use = c->pool.in_use;
    s->progress = c->progress;
    s->ctas_ended = c->ctas_ended;
    s->fault = c->fault != CONTEXT_OK;
    c->pool.in_use = 0;
    c->progress = c->ctas_ended = 0;
}

/* ---- after a phase ---- */

static void take_fault(struct context *to, const struct context *from) {
    if (to->fault != CONTEXT_OK)
        return;
    to->fault = from->fault;
    memcpy(to->error, from->error, sizeof to->error);
}

/* Packets that the share can still take. */
static uint32_t packets_left(const struct threads *t, const struct share *s) {
    return t->span - s->taken;
}

/* The share has taken packets that were given to others: it gets some back. */
static void refill(struct threads *t, struct share *poor) {
    struct share *rich = t->share;
    for (uint32_t i = 1; i < t->shares; i++)
        if (packets_left(t, &t->share[i]) > packets_left(t, rich))
            rich = &t->share[i];
    uint32_t n = (packets_left(t, rich) - packets_left(t, poor)) / 2;
    for (uint32_t i = 0; i < n; i++)
        request_give(&poor->context->pool, request_take(&rich->context->pool));
    rich->context->pool.in_use = poor->context->pool.in_use = 0;
    rich->taken += n;
    poor->taken -= n;
}

static void add_counts(struct context *c, const struct share *s) {
    c->pool.in_use += s->in_use;
    c->progress += s->progress;
    c->ctas_ended += s->ctas_ended;
    if (s->fault)
        take_fault(c, s->context);
}

static uint32_t collect(struct gpu *g) {
    struct threads *t = g->threads;
    uint32_t ticked = 0;
    for (struct share *s = t->share; s < t->share + t->shares; s++) {
        ticked += s->ticked;
        s->taken += s->in_use;
        add_counts(&g->context, s);
        if (packets_left(t, s) < t->reserve)
            refill(t, s);
    }
    return ticked;
}

/* ---- who does a phase ---- */

static bool by_all(const struct threads *t, enum phase phase) {
    if (phase == PHASE_SMS_IN_ORDER)
        return false;
    return t->always || (t->ticked[phase] >= MIN_PARTS && pace_all(&t->pace));
}

static uint64_t now_ns(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}

static uint32_t run_phase(struct gpu *g, enum phase phase, uint64_t cycle) {
    struct threads *t = g->threads;
    t->phase = phase;
    t->cycle = cycle;
    t->now = g->context.now;
    t->sm_cycle = g->context.sm_cycle;
    t->time = g->context.time;
    if (by_all(t, phase)) {
        team_run(t->team);
        t->phases_by_all++;
    } else {
        for (uint32_t i = 0; i < t->shares; i++)
            work(g, i);
    }
    t->ticked[phase] = collect(g);
    t->pace.parts += t->ticked[phase];
    return t->ticked[phase];
}

/* ---- channels and banks ---- */

static uint32_t flush_channels(struct gpu *g) {
    uint32_t ticked = g->threads->dram_edges ? run_phase(g, PHASE_CHANNELS, 0) : 0;
    g->threads->dram_edges = 0;
    return ticked;
}

void threads_note_channels(struct gpu *g) {
    struct threads *t = g->threads;
    if (t->dram_edges == DRAM_EDGES)
        g->ticked |= flush_channels(g) != 0;
    t->dram_edge[t->dram_edges++] = g->context.now;
}

uint32_t threads_tick_banks(struct gpu *g, uint64_t cycle) {
    uint32_t ticked = run_phase(g, PHASE_BANKS, cycle);
    g->threads->dram_edges = 0;
    return ticked;
}

void threads_advance_channels(struct gpu *g, uint64_t cycles) {
    const struct threads *t = g->threads;
    for (uint32_t i = 0; i < t->shares; i++)
        dram_advance(t->share[i].context, cycles);
}

/* ---- SMs ---- */

static void draw_bank(struct gpu *g, const struct undrawn *u) {
    uint32_t bank = addr_bank(&g->map, u->line);
    if (bank == ADDR_NO_BANK)
        context_fail(&g->context, CONTEXT_INTERNAL, "out of memory for the partition map");
    else if (u->packet != REQUEST_NONE) /* an SM's input has its number */
        xbar_redirect(&g->req, request_at(&g->context.pool, u->packet)->origin.sm, u->packet, bank);
}

static void draw_banks(struct gpu *g) {
    const struct threads *t = g->threads;
    for (uint32_t i = 0; i < t->shares; i++) {
        struct context *c = t->share[i].context;
        for (uint32_t n = 0; n < c->n_undrawn; n++)
            draw_bank(g, &c->undrawn[n]);
        c->n_undrawn = 0;
    }
}

/* Built-in workloads are called in the order of the SMs. */
uint32_t threads_tick_sms(struct gpu *g, uint64_t cycle) {
    uint32_t channels = flush_channels(g);
    bool apart = true;
    for (uint32_t k = 0; k < g->n_streams; k++)
        apart = apart && g->stream[k].launch.apart;
    uint32_t ticked = run_phase(g, apart ? PHASE_SMS : PHASE_SMS_IN_ORDER, cycle);
    draw_banks(g);
    pace_cycle(&g->threads->pace);
    return ticked + channels;
}

void threads_set_now(struct gpu *g) {
    const struct threads *t = g->threads;
    for (uint32_t i = 0; i < t->shares; i++)
        t->share[i].context->now = g->context.now;
}

uint64_t gpu_phases_by_all(const struct gpu *g) {
    return g->threads ? g->threads->phases_by_all : 0;
}

/* ---- making and ending ---- */

static size_t in_lines(size_t size) {
    return (size + HOST_APART - 1) / HOST_APART * HOST_APART;
}

/* Requests that a part takes in a phase, at most: an L1D four, an instruction cache as many as
 * it has misses, a bank those of the sectors of a line and of what they evict. */
static uint32_t requests_of_part(const struct config *cfg) {
    return 32 + (uint32_t)icache_requests(cfg);
}

static void make_context(struct gpu *g, struct share *s) {
    const size_t lines = requests_of_part(g->cfg) + (size_t)g->cfg->sm_fetch;
    const size_t room = (size_t)(s->end_sm - s->first_sm) * lines;
    struct context *c = s->context = alloc_aligned(HOST_APART, in_lines(sizeof *c));
    *c = g->context;
    memset(&c->blocks, 0, sizeof c->blocks);
    c->undrawn_room = (uint32_t)room;
    c->undrawn = alloc_aligned(HOST_APART, in_lines((room + 1) * sizeof *c->undrawn));
}

static void make_shares(struct gpu *g) {
    struct threads *t = g->threads;
    struct request_pool *part[THREADS_MAX * SHARES_OF_THREAD];
    for (uint32_t i = 0; i < t->shares; i++) {
        struct share *s = &t->share[i];
        s->first_sm = g->n_sms * i / t->shares;
        s->end_sm = g->n_sms * (i + 1) / t->shares;
        s->first_partition = g->n_channels * i / t->shares;
        s->end_partition = g->n_channels * (i + 1) / t->shares;
        make_context(g, s);
        part[i] = &s->context->pool;
    }
    t->reserve = requests_of_part(g->cfg) * (g->n_sms + g->n_banks + g->n_channels);
    t->span = g->context.pool.size + t->reserve;
    request_pool_split(&g->context.pool, part, t->shares, t->span);
}

static void use_contexts(struct gpu *g) {
    const uint32_t subs = g->map.subs;
    for (uint32_t n = 0; n < g->threads->shares; n++) {
        const struct share *s = &g->threads->share[n];
        for (uint32_t i = s->first_sm; i < s->end_sm; i++)
            sm_use_context(&g->sm[i], s->context);
        for (uint32_t p = s->first_partition; p < s->end_partition; p++)
            g->dram[p].context = s->context;
        for (uint32_t b = s->first_partition * subs; b < s->end_partition * subs; b++)
            l2_use_context(&g->l2[b], s->context);
    }
    g->req.shared = g->reply.shared = true;
}

int threads_init(struct gpu *g, uint32_t n, bool always, char *err, size_t err_size) {
    const uint32_t shares = n * SHARES_OF_THREAD;
    struct threads *t = g->threads = alloc_aligned_zeroed(HOST_APART, in_lines(sizeof *t));
    t->shares = shares;
    t->always = always;
    t->pace.clock = now_ns;
    t->share = alloc_aligned_zeroed(HOST_APART, shares * sizeof *t->share);
    make_shares(g);
    use_contexts(g);
    t->team = team_create(n, shares, work, g);
    if (!t->team)
        return config_refuse(err, err_size, "cannot start them: %s (see ulimit -u and ulimit -v)",
                             strerror(errno));
    return 0;
}

void threads_free(struct gpu *g) {
    struct threads *t = g->threads;
    if (!t)
        return;
    team_destroy(t->team);
    for (uint32_t i = 0; i < t->shares; i++) {
        free(t->share[i].context->undrawn);
        free(t->share[i].context);
    }
    free(t->share);
    free(t);
    g->threads = NULL;
}
