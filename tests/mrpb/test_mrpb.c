// SPDX-License-Identifier: Apache-2.0
/* Tests of the prioritization queues alone: order, drain policies and capacity. In a whole system
 * they must not change other results.
 * tier: test, 7 s; full, 14 s; long, 30 s */
#include "tests/gpu/fixture.h"

#include "mrpb/mrpb.h"
#include "tests/tier.h"

#define QUEUES 4
#define DEPTH 3

static struct mrpb m;
static struct context context;
static struct stats stats;

static void make(int64_t drain) {
    struct config c;
    config_default(&c);
    c.l1d_mrpb_queues = QUEUES;
    c.l1d_mrpb_drain = drain;
    mrpb_free(&m);
    mrpb_init(&m, &c, &context, &stats);
    /* fewer entries than MRPB_DEPTH, so that a queue is soon full */
    for (uint32_t q = 0; q < m.queues; q++) {
        ring_free(&m.queue[q]);
        ring_init(&m.queue[q], DEPTH);
    }
}

static int teardown(void **state) {
    mrpb_free(&m);
    return 0;
}

/* Enqueues accesses. "0a 2b" puts access a into queue 0 and b into queue 2. */
static void enter(const char *accesses) {
    for (const char *s = accesses; *s; s += s[2] ? 3 : 2) {
        const struct request a = {.line = (uint64_t)s[1], .sm.queue = (uint8_t)(s[0] - '0')};
        assert_true(mrpb_room(&m, a.sm.queue));
        mrpb_push(&m, &a);
    }
}

/* Expects the accesses named in `order` to be offered in that order, and accepts them. */
static void expect(const char *order) {
    for (; *order; order++) {
        const struct request *a = mrpb_offer(&m);
        assert_non_null(a);
        if (a->line != (uint64_t)*order)
            fail_msg("%c is offered, not %s", (char)a->line, order);
        mrpb_taken(&m);
    }
}

static void expect_empty(void) {
    assert_null(mrpb_offer(&m));
    assert_int_equal(m.count, 0);
}

/* ---- the queues ---- */

static void a_queue_keeps_its_order(void **state) {
    make(MRPB_LOWEST);
    expect_empty();
    enter("1a 1b");
    for (const char *s = "cdefghij"; *s; s++) { /* the accesses wrap around the ring */
        enter((const char[]){'1', *s, 0});
        assert_false(mrpb_room(&m, 1));
        assert_true(mrpb_room(&m, 0) && mrpb_room(&m, 2));
        expect((const char[]){(char)(*s - 2), 0});
    }
    expect("ij");
    expect_empty();
}

/* Capacity and offer depend on the state before the cycle. A full queue accepts no access in the
 * cycle in which one leaves, and the offer can be read while another access enters. */
static void a_queue_is_full_until_its_access_is_taken(void **state) {
    make(MRPB_GREEDY);
    enter("2a 2b 2c");
    const struct request *a = mrpb_offer(&m);
    assert_false(mrpb_room(&m, 2));
    enter("0d");
    assert_int_equal(a->line, 'a');
    mrpb_taken(&m);
    assert_true(mrpb_room(&m, 2));
    assert_int_equal(mrpb_at(&m, 2, 0)->line, 'b');
    assert_int_equal(mrpb_at(&m, 2, 1)->line, 'c');
}

static void the_warp_slot_chooses_the_queue(void **state) {
    make(MRPB_GREEDY);
    assert_int_equal(mrpb_queue_of(&m, 7), 3);
    assert_int_equal(mrpb_queue_of(&m, 2), 2);
}

/* A refused access is offered again, whichever accesses arrive. */
static void an_offer_stands_until_it_is_taken(void **state) {
    for (int64_t drain = MRPB_GREEDY; drain <= MRPB_ROUND_ROBIN; drain++) {
        make(drain);
        enter("2a");
        assert_int_equal(mrpb_offer(&m)->line, 'a');
        enter("0b 3c 3d 3e");
        assert_int_equal(mrpb_offer(&m)->line, 'a');
        expect("a");
        expect(drain == MRPB_LOWEST ? "b" : "c");
    }
}

/* ---- policies ---- */

static void greedy_empties_a_queue_then_takes_the_next(void **state) {
    make(MRPB_GREEDY);
    enter("2a 1b 1c 0e");
    expect("e"); /* after reset, queue 0 is first in turn */
    enter("0f");
    expect("f"); /* queue 0 was filled again before the turn passed to the next queue */
    enter("1g");
    expect("bcg");
    enter("0h 3d");
    expect("ad");
    enter("3i");
    expect("ih");
    expect_empty();
    enter("3j 0k");
    expect("kj"); /* queue 0 was the last to drain, and continues */
}

static void lowest_takes_the_lowest(void **state) {
    make(MRPB_LOWEST);
    enter("3a 2b 2c 1d");
    expect("db");
    enter("0e");
    expect("eca");
    expect_empty();
}

static void longest_takes_the_longest(void **state) {
    make(MRPB_LONGEST);
    enter("0a 2b 2c 3d 3e 3f");
    expect("dbeacf");
    expect_empty();
}

static void round_robin_takes_them_in_turn(void **state) {
    make(MRPB_ROUND_ROBIN);
    enter("0a 0b 0c 1d 3e 3f");
    expect("adebfc");
    enter("1g 0h 3i");
    expect("gih"); /* queue 0 was the last to drain, so queue 1 is first */
    expect_empty();
}

/* ---- lookahead address for the MSHR ---- */

static const struct request *expected(void) {
    const struct request *const none[2] = {NULL, NULL};
    return mrpb_stage(&m).type->peek(&m, 1, none);
}

static void what_is_expected_comes_behind_the_offer(void **state) {
    make(MRPB_GREEDY);
    enter("0a 0b 1c");
    mrpb_offer(&m);
    assert_int_equal(expected()->line, 'b');
    expect("a");
    mrpb_offer(&m);
    assert_int_equal(expected()->line, 'c');
    expect("b");
    mrpb_offer(&m);
    assert_null(expected()); /* no queue contains another access */
    expect("c");
}

/* If no access is offered, no access is announced. A stage after the queues may have offered a
 * parked access. */
static void without_an_offer_nothing_is_expected(void **state) {
    for (int64_t drain = MRPB_GREEDY; drain <= MRPB_ROUND_ROBIN; drain++) {
        make(drain);
        assert_null(expected());
        enter("2a");
        expect("a");
        assert_null(expected());
    }
}

/* ---- in the system ---- */

#define STORES 32 /* number of lines of a scattered store */

static struct program *running;

static const struct sm *the_sm(void) {
    return &running->gpu->sm[0];
}

static struct stats run(struct config *c, program_fn fn, uint32_t ctas, uint32_t threads) {
    struct program p = program_of(fn);
    p.ctas = ctas;
    p.threads = threads;
    running = &p;
    c->sm_count = 1;
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    return o.stats;
}

static struct config queues_of(int64_t queues) {
    struct config c = small_config();
    c.l1d_mrpb_queues = queues;
    return c;
}

static void one_load(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc == 0)
        load(i, BASE, R(1));
    else if (pc == 1)
        alu(i, R(1), 0);
    else
        i->op = WARP_EXIT;
}

static void a_queue_costs_a_cycle(void **state) {
    struct config without = queues_of(0), with = queues_of(4);
    const struct stats a = run(&without, one_load, 1, 32), b = run(&with, one_load, 1, 32);
    assert_int_equal(b.v[STAT_cycles], a.v[STAT_cycles] + 1);
    /* load_latency is measured from the L1D on */
    assert_int_equal(b.v[STAT_load_latency], a.v[STAT_load_latency]);
    assert_int_equal(a.v[STAT_mrpb_accesses] + a.v[STAT_mrpb_access_cycles], 0);
    assert_int_equal(b.v[STAT_mrpb_accesses], 1);
    assert_int_equal(b.v[STAT_mrpb_access_cycles], 1);
    assert_int_equal(b.v[STAT_mrpb_refusals], 0);
}

static void one_store(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    store(i, BASE, 0);
    i->op = pc == 0 ? WARP_STORE : WARP_EXIT;
}

static void a_kernel_is_not_over_before_its_accesses_have_entered(void **state) {
    struct config c = queues_of(4);
    assert_int_equal(run(&c, one_store, 1, 32).v[STAT_store_lines], 1);
}

static void scattered_store(struct warp_inst *i, const struct warp_place *place) {
    access_to(i, WARP_STORE, BASE + (place->cta[0] * 8 + place->warp) * STORES * LINE_BYTES,
              LINE_BYTES);
}

/* When a warp passes the barrier, all earlier stores of its CTA have entered the L1D. */
static void store_and_wait(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc == 0)
        scattered_store(i, place);
    else
        i->op = pc == 1 ? WARP_BARRIER : WARP_EXIT;
    if (pc == 2)
        assert_int_equal(the_sm()->stats.v[STAT_store_lines], 8 * STORES);
}

static void a_barrier_keeps_the_order_of_a_cta(void **state) {
    for (int64_t queues = 2; queues <= 8; queues++) {
        struct config c = queues_of(queues);
        c.l1d_mrpb_drain = queues % 4;
        const struct stats s = run(&c, store_and_wait, 1, 256);
        assert_int_equal(s.v[STAT_mrpb_accesses], 8 * STORES);
        assert_true(s.v[STAT_mrpb_refusals] > 0 && s.v[STAT_slots_lsu] > 0);
    }
}

/* Tests every policy on the smallest machine. */
static void chaos_is_clean(void **state) {
    /* with these steps, every drain policy is still tested */
    const unsigned step = tier_is_test() ? 5 : tier_is("long") ? 1 : 3;
    for (unsigned n = 0; n < 24; n += step) {
        struct config c = chaos_config();
        c.l1d_mrpb_drain = n / 2 % 4;
        c.l1d_mrpb_queues = n % 3 ? 1 + n % 5 : 8;
        c.l1d_bypass = n % 4;
        c.l1d_write = n / 3 % 4;
        c.sm_lsu_queue = 1 + n % 4;
        chaos_seed = n;
        struct program p = chaos_program(12);
        struct outcome o = run_program(&c, &p, true);
        if (o.end != GPU_DONE)
            fail_msg("%u: end %d: %s", n, (int)o.end, o.error);
        expect_sums(&c, &o.stats);
        c.sim_skip = 0;
        struct outcome slow = run_program(&c, &p, false);
        assert_memory_equal(&o.stats, &slow.stats, sizeof o.stats);
    }
}

static void a_dump_shows_the_queues(void **state) {
    struct config c = chaos_config();
    c.l1d_mrpb_queues = 48;
    c.sim_planted_fault = PLANT_LOSE_REPLY;
    c.l1d_sets = c.l1d_ways = 1; /* the lost reply keeps the only way pending forever */
    struct error err;
    char *text = NULL;
    size_t size = 0;
    struct gpu *g = gpu_create(&c, NULL, &err);
    struct program p = chaos_program(12);
    p.gpu = g;
    assert_int_equal(gpu_run(g, &p.base, NULL, NULL), GPU_NO_PROGRESS);
    FILE *out = open_memstream(&text, &size);
    gpu_dump(g, out);
    fclose(out);
    assert_non_null(strstr(text, "prioritization queue "));
    assert_non_null(strstr(text, "/8 (offered): ["));
    free(text);
    gpu_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_keeps_its_order),
        cmocka_unit_test(a_queue_is_full_until_its_access_is_taken),
        cmocka_unit_test(the_warp_slot_chooses_the_queue),
        cmocka_unit_test(an_offer_stands_until_it_is_taken),
        cmocka_unit_test(greedy_empties_a_queue_then_takes_the_next),
        cmocka_unit_test(lowest_takes_the_lowest),
        cmocka_unit_test(longest_takes_the_longest),
        cmocka_unit_test(round_robin_takes_them_in_turn),
        cmocka_unit_test(what_is_expected_comes_behind_the_offer),
        cmocka_unit_test(without_an_offer_nothing_is_expected),
        cmocka_unit_test(a_queue_costs_a_cycle),
        cmocka_unit_test(a_kernel_is_not_over_before_its_accesses_have_entered),
        cmocka_unit_test(a_barrier_keeps_the_order_of_a_cta),
        cmocka_unit_test(chaos_is_clean),
        cmocka_unit_test(a_dump_shows_the_queues),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
