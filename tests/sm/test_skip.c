// SPDX-License-Identifier: Apache-2.0
/* Runs an SM with a memory of fixed latency twice: ticked in every cycle, and with all cycles
 * before sm_next_event skipped. The statistics and the last cycle must be identical. */
#include "sm/sm.h"
#include "tests/test.h"

#define BASE UINT64_C(0x80000000)
#define DELAY 150
#define CTAS 12
#define INSTS 40
#define MAX_OUT 4096

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/* A program with a few instructions of every kind, and with long waits. */
static void step(void *ctx, const struct warp_place *place, void *cta_state, void *warp_state,
                 struct warp_inst *i) {
    static const enum warp_op ops[] = {WARP_LOAD, WARP_STORE,  WARP_ALU, WARP_SFU,
                                       WARP_FP64, WARP_SHARED, WARP_ALU, WARP_LOAD};
    uint32_t *pc = warp_state, seed = *(uint32_t *)ctx;
    uint32_t r = mix(seed + place->cta[0] * 7919 + place->warp * 104729 + *pc * 31);
    (void)cta_state;
    memset(i, 0, sizeof *i);
    i->op = ++*pc % 16 == 0 ? WARP_BARRIER : ops[r % 8];
    if (*pc == INSTS)
        i->op = WARP_EXIT;
    i->mask = UINT32_MAX;
    i->repeat = i->op <= WARP_SHARED ? 1 + (r >> 4) % 3 : 1;
    i->passes = (uint8_t)(1 + (r >> 6) % 32);
    i->size = 4;
    i->space = (r >> 12) % 4 == 0 ? SPACE_LOCAL : SPACE_GLOBAL;
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = (i->space == SPACE_LOCAL ? 0 : BASE) + (r >> 14) % 64 * 128 + l * 4;
    i->src.w[0] = i->op == WARP_BARRIER || i->op == WARP_EXIT ? 0 : 1u << (r >> 20) % 6;
    if (i->op != WARP_STORE && i->op != WARP_BARRIER && i->op != WARP_EXIT)
        i->dst.w[0] = 1u << (r >> 24) % 6;
}

struct sm_machine {
    struct context context;
    struct xbar req, reply;
    struct addr_map map;
    struct sm sm;
    uint32_t out[MAX_OUT]; /* numbers of the requests in memory, in order of arrival */
    uint64_t due[MAX_OUT];
    uint32_t first, last;
    uint64_t ticks, cycle;
};

static void make(struct sm_machine *m, const struct config *c) {
    const struct xbar_size size = {1, 1, 8, 8, 4, 1, false, false, 1};
    struct error err;
    memset(m, 0, sizeof *m);
    m->map = (struct addr_map){.partitions = 1, .banks = 1, .interleave = 1};
    request_pool_init(&m->context.pool, MAX_OUT);
    xbar_init(&m->req, &m->context, &size);
    xbar_init(&m->reply, &m->context, &size);
    const struct l1d_ports ports = {.req = &m->req, .reply = &m->reply, .map = &m->map};
    assert_int_equal(sm_init(&m->sm, c, &m->context, &ports, 0, &err), 0);
}

static void end(struct sm_machine *m) {
    sm_free(&m->sm);
    xbar_free(&m->req);
    xbar_free(&m->reply);
    request_pool_free(&m->context.pool);
}

static void step_memory(struct sm_machine *m) {
    m->context.now++;
    m->context.sm_cycle = m->cycle;
    uint32_t n = xbar_peek(&m->req, 0);
    if (n != REQUEST_NONE) {
        m->out[m->last % MAX_OUT] = xbar_pop(&m->req, 0);
        m->due[m->last++ % MAX_OUT] = m->cycle + DELAY;
    }
    if (m->first != m->last && m->due[m->first % MAX_OUT] <= m->cycle &&
        xbar_can_push(&m->reply, 0)) {
        n = m->out[m->first++ % MAX_OUT];
        struct request *p = request_at(&m->context.pool, n);
        p->reply = true;
        xbar_push(&m->reply, 0, n, 0, 2, 1);
    }
    xbar_tick(&m->req);
    xbar_tick(&m->reply);
}

/* Runs all CTAs. If `skip`, the SM sleeps until it has an event or a message arrives. */
static void run(struct sm_machine *m, const struct kernel_launch *l, bool skip) {
    uint64_t next_cta = 0, wake = 0, asleep = 0;
    struct error err;
    assert_int_equal(sm_launch(&m->sm, 0, l, &err), 0);
    while (next_cta < CTAS || !sm_empty(&m->sm)) {
        assert_true(m->cycle < 1000000);
        assert_int_equal(m->context.fault, CONTEXT_OK);
        step_memory(m);
        bool room = next_cta < CTAS && sm_has_room(&m->sm, 0) && m->cycle % 7 == 0;
        if (skip && m->cycle < wake && !room && !sm_has_input(&m->sm, m->cycle)) {
            asleep++;
            m->cycle++;
            continue;
        }
        sm_advance(&m->sm, asleep);
        asleep = 0;
        if (room)
            sm_dispatch(&m->sm, 0, next_cta++);
        sm_tick(&m->sm, m->cycle);
        m->ticks++;
        wake = sm_next_event(&m->sm, ++m->cycle);
        assert_true(wake >= m->cycle);
    }
}

static uint64_t issues_lost(const struct stats *s) {
    return s->v[STAT_slots_policy] + s->v[STAT_slots_lsu] + s->v[STAT_slots_unit] +
           s->v[STAT_slots_fetch] + s->v[STAT_slots_registers] + s->v[STAT_slots_barrier] +
           s->v[STAT_slots_no_warp];
}

static uint64_t cycles, /* number of cycles in all runs */
    ticks;              /* number of ticks in the runs that skip */

static void expect_same(const struct config *c, uint32_t seed) {
    static struct sm_machine all, some;
    const struct kernel_launch l = {.name = "k",
                                    .grid = {CTAS, 1, 1},
                                    .block = {100, 1, 1},
                                    .warp_state_size = sizeof(uint32_t),
                                    .step = step,
                                    .ctx = &seed};
    make(&all, c);
    run(&all, &l, false);
    make(&some, c);
    run(&some, &l, true);
    assert_int_equal(all.cycle, some.cycle);
    assert_memory_equal(&all.sm.stats, &some.sm.stats, sizeof all.sm.stats);
    assert_int_equal(level_area(&all.sm.lsu.waiting, all.cycle),
                     level_area(&some.sm.lsu.waiting, all.cycle));
    assert_int_equal(all.context.progress, some.context.progress);
    const struct stats *s = &all.sm.stats;
    assert_int_equal((s->v[STAT_warp_insts] - s->v[STAT_dual_issues] + issues_lost(s)) %
                         (uint64_t)c->sm_schedulers,
                     0);
    assert_true(s->v[STAT_slots_registers] > 0 && s->v[STAT_local_insts] > 0);
    assert_int_equal(s->v[STAT_ctas], CTAS);
    assert_true(some.ticks < all.ticks);
    cycles += all.ticks;
    ticks += some.ticks;
    end(&all);
    end(&some);
}

static void skipping_changes_nothing(void **state) {
    unsigned banked[2] = {0}; /* numbers of runs with banks: without and with collectors */
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct config c;
        config_default(&c);
        c.sm_scheduler = seed % 4;
        c.sm_schedulers = 1 + seed / 4 % 4;
        c.sm_ctas = 1 + seed / 8 % 3;
        c.sm_active_warps = 1 + seed / 4 % 3;
        snprintf(c.sm_alu, sizeof c.sm_alu, "6,%u", 1 + seed / 3 % 3);
        c.sm_lsu_queue = 1 + seed % 3;
        c.sm_pending_loads = 1 + seed / 2 % 8;
        c.sm_coalesce = seed / 2 % 2 * (1 + seed / 8 % 2);
        c.l1d_sets = 4;
        c.l1d_mrpb_queues = seed % 3 ? 0 : 1 + seed / 3 % 7;
        c.l1d_mrpb_drain = seed / 2 % 4;
        c.sm_fetch = seed / 3 % 3;
        c.sm_model = seed / 2 % 4 ? MODEL_GPGPUSIM : MODEL_SIMPLE;
        c.l1d_model = seed / 5 % 2;
        c.icache_sets = c.sm_fetch && seed % 2 ? 1 + seed / 6 % 2 : 0;
        c.icache_ways = 1 + seed / 7 % 2;
        c.sm_dual_issue = seed / 3 % 2;
        c.sm_exit_latency = seed % 4 ? 0 : 7;
        c.sm_collectors = seed / 5 % 3;
        if (seed % 5 == 2) /* uses banks without collectors */
            c.sm_collectors = 0;
        c.sm_lsu_latency = 1 + seed % 5;
        if (c.sm_collectors ? c.sm_schedulers != 3 : seed % 5 == 2)
            c.sm_register_banks = 4 << seed % 2;
        banked[c.sm_collectors != 0] += c.sm_model && c.sm_register_banks;
        c.l1d_hit_latency = seed % 2 ? 28 : 2;
        expect_same(&c, seed * 1000003);
    }
    assert_true(banked[0] > 5 && banked[1] > 5);
    if (ticks * 10 > cycles * 8)
        fail_msg("%u of %u cycles ticked", (unsigned)ticks, (unsigned)cycles);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(skipping_changes_nothing)};
    return cmocka_run_group_tests_name("skip", tests, NULL, NULL);
}
