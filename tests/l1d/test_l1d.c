// SPDX-License-Identifier: Apache-2.0
/* Tests of the L1D alone, with accesses and replies made by hand: hits, misses, stores, the
 * refusals of a cache without policies, and the lookahead. */
#include "tests/l1d/fixture.h"
#include "check/check.h"

static void a_miss_then_hits(void **state) {
    defaults();
    make();
    assert_true(load(1, 7));
    assert_true(load(1, 8));
    answer(1, 0x11);
    expect_response(7, 1, 0x11);
    expect_response(8, 1, 0x11);
    uint64_t then = cycle;
    assert_true(load(1, 9));
    expect_response(9, 1, 0x11);
    /* the access is in cycle `then`, and its response is queued l1d.hit_latency = 4 cycles later */
    assert_int_equal(cycle - then, 1 + 4);
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_int_equal(COUNT(l1d_refusals), 0);
    end();
}

static void refused_entry_full(void **state) {
    defaults();
    cfg.l1d_mshr_entries = 2;
    make();
    assert_true(load(1, 0));
    assert_true(load(2, 1));
    assert_false(load(3, 2));
    assert_false(load(3, 2));
    assert_int_equal(COUNT(l1d_refusals_entry_full), 2);
    assert_int_equal(COUNT(l1d_refused), 1);
    assert_int_equal(COUNT(l1d_refused_entry_full), 1);
    answer(1, 0);
    expect_response(0, 1, 0);
    assert_true(load(3, 2));
    end();
}

static void refused_merge_full(void **state) {
    defaults();
    cfg.l1d_mshr_slots = 2;
    make();
    assert_true(load(1, 0));
    assert_true(load(1, 1));
    assert_false(load(1, 2));
    assert_int_equal(COUNT(l1d_refusals_merge_full), 1);
    assert_int_equal(COUNT(l1d_refused_merge_full), 1);
    answer(1, 0);
    expect_response(0, 1, 0);
    assert_true(load(1, 2)); /* hits while the line is draining */
    assert_int_equal(COUNT(l1d_hits), 1);
    end();
}

static void refused_line(void **state) {
    defaults();
    cfg.l1d_sets = 2;
    cfg.l1d_ways = 2;
    make();
    assert_true(load(2, 0));
    assert_true(load(4, 1));
    assert_false(load(6, 2));
    assert_true(load(7, 3)); /* this line is in the other set */
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    end();
}

static void refused_miss_queue(void **state) {
    defaults();
    cfg.l1d_miss_queue = 1;
    make();
    net_stands = true;
    assert_true(load(1, 0)); /* moves on to the crossbar's input */
    assert_true(load(2, 1)); /* stays in the miss queue */
    assert_false(load(3, 2));
    assert_false(store(3));
    assert_true(load(2, 4)); /* a secondary miss needs no miss queue entry */
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 2);
    end();
}

static void refused_response_queue(void **state) {
    defaults();
    cfg.l1d_response_queue = 1;
    cfg.l1d_hit_latency = 2;
    make();
    assert_true(load(1, 0));
    answer(1, 0x33);
    expect_response(0, 1, 0x33);
    assert_true(load(1, 1)); /* moves on to the response queue, which is not emptied */
    assert_true(load(1, 2));
    assert_true(load(1, 3)); /* loads 2 and 3 fill the hit pipeline */
    assert_false(load(1, 4));
    assert_int_equal(COUNT(l1d_refusals_response_queue), 1);
    for (uint32_t id = 1; id < 4; id++)
        expect_response(id, 1, 0x33);
    end();
}

/* After a store to a line in flight, earlier loads get the old data. Later loads wait for the fill,
 * and then fetch the line again. */
static void a_poisoned_line(void **state) {
    defaults();
    make();
    assert_true(load(1, 0));
    assert_true(store(1));
    assert_false(load(1, 1));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    answer(1, 0x44);
    expect_response(0, 1, 0x44);
    assert_true(load(1, 1));
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    answer(1, 0x55);
    expect_response(1, 1, 0x55);
    assert_true(load(1, 2));
    assert_int_equal(COUNT(l1d_hits), 1);
    end();
}

/* Two loads wait for a line, and a store hits the line during the drain. The second load still gets
 * the old data, and a later load gets the new data. */
static void a_store_during_the_drain(void **state) {
    defaults();
    make();
    for (uint32_t id = 0; id < 3; id++)
        assert_true(load(1, id));
    answer(1, 0x66);
    expect_response(0, 1, 0x66);
    assert_true(store(1));
    assert_true(load(1, 9));
    expect_response(1, 1, 0x66);
    expect_response(2, 1, 0x66);
    await_response(9, 1);
    uint8_t stamped[LINE_BYTES];
    memset(stamped, 0x66, sizeof stamped);
    const struct byte_mask mask = {{0xff, 0}};
    check_stamp_line(stamped, 1, &mask, 1);
    assert_memory_equal(response_data(), stamped, LINE_BYTES);
    end();
}

/* A line is evicted while it drains. The loads that still wait get its data, and a later load of
 * the line misses. */
static void evicted_during_the_drain(void **state) {
    defaults();
    cfg.l1d_sets = cfg.l1d_ways = 1;
    make();
    for (uint32_t id = 0; id < 4; id++)
        assert_true(load(1, id));
    answer(1, 0x77);
    expect_response(0, 1, 0x77);
    assert_true(load(2, 10)); /* replaces line 1, for which two requests still wait */
    answer(2, 0x22);
    expect_response(1, 1, 0x77);
    expect_response(2, 1, 0x77);
    expect_response(3, 1, 0x77);
    expect_response(10, 2, 0x22);
    assert_true(load(1, 11));
    answer(1, 0x78);
    expect_response(11, 1, 0x78);
    assert_int_equal(COUNT(l1d_primary_misses), 3);
    end();
}

static void least_recently_used_goes(void **state) {
    defaults();
    cfg.l1d_sets = 1;
    cfg.l1d_ways = 3;
    make();
    for (uint32_t line = 1; line <= 3; line++) {
        assert_true(load(line, line));
        answer(line, 0);
        expect_response(line, line, 0);
    }
    assert_true(load(1, 0)); /* line 2 is now the least recently used one */
    expect_response(0, 1, 0);
    assert_true(load(4, 4));
    answer(4, 0);
    expect_response(4, 4, 0);
    assert_true(load(1, 5));
    assert_true(load(3, 6));
    assert_int_equal(COUNT(l1d_hits), 3);
    assert_true(load(2, 7));
    assert_int_equal(COUNT(l1d_primary_misses), 5);
    end();
}

/* Checks, in one set of two ways, that the access `use` counts as a use of line 1. If it does, line
 * 3 replaces line 2. The access is made while line 1 is in flight if in_flight, else later. */
static void expect_use_counts(bool (*use)(void), bool in_flight) {
    defaults();
    cfg.l1d_sets = 1;
    cfg.l1d_ways = 2;
    make();
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    if (in_flight)
        assert_true(use());
    for (uint32_t line = 1; line <= 2; line++) {
        answer(line, 0);
        expect_response(line, line, 0);
        if (in_flight && line == 1)
            expect_response(9, 1, 0);
    }
    if (!in_flight)
        assert_true(use());
    assert_true(load(3, 3));
    uint64_t hits = COUNT(l1d_hits);
    assert_true(load(1, 4));
    assert_int_equal(COUNT(l1d_hits), hits + 1);
    end();
}

static bool store_1(void) {
    return store(1);
}

static bool load_1(void) {
    return load(1, 9);
}

static void every_access_is_a_use(void **state) {
    expect_use_counts(store_1, false); /* a store that hits */
    expect_use_counts(load_1, true);   /* a load that is a secondary miss */
}

/* In the statistic l1d_refused, a refused access counts once, however long it waits. The next
 * refused access counts separately. */
static void refused_accesses_are_told_apart(void **state) {
    defaults();
    cfg.l1d_mshr_entries = 2;
    make();
    assert_true(load(1, 0));
    assert_true(load(2, 1));
    for (uint32_t line = 3; line <= 4; line++) {
        for (int i = 0; i < 3; i++)
            assert_false(load(line, line));
        answer(line - 2, 0);
        expect_response(line < 4 ? 0 : 1, line - 2, 0);
        assert_true(load(line, line));
    }
    assert_int_equal(COUNT(l1d_refusals_entry_full), COUNT(l1d_refusals));
    assert_true(COUNT(l1d_refusals) >= 6);
    assert_int_equal(COUNT(l1d_refused), 2);
    assert_int_equal(COUNT(l1d_refused_entry_full), 2);
    assert_int_equal(COUNT(l1d_refused_merge_full), 0);
    end();
}

static void stores_are_acknowledged(void **state) {
    defaults();
    make();
    assert_true(store(1));
    assert_int_equal(l1.stores_out, 1);
    for (int twice = 0; twice < 2; twice++) {
        uint32_t n = request_take(&context.pool);
        *request_at(&context.pool, n) =
            (struct request){.line = 1, .kind = REQUEST_STORE, .reply = true, .version = 1};
        xbar_push(&reply, 0, n, 0, 1, 1);
    }
    for (int i = 0; i < 8; i++)
        step(NULL);
    assert_int_equal(l1.stores_out, 0);
    assert_int_equal(context.fault, CONTEXT_BROKEN); /* the second acknowledgement is an error */
    context.fault = CONTEXT_OK;
    end();
}

static void an_unexpected_reply_is_an_error(void **state) {
    defaults();
    make();
    assert_true(load(1, 0));
    answer(1, 0);
    answer(1, 0);
    for (int i = 0; i < 8; i++)
        step(NULL);
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    assert_non_null(strstr(context.error.text, "0x80"));
    context.fault = CONTEXT_OK;
    end();
}

static void the_mshr_is_counted(void **state) {
    defaults();
    make();
    uint64_t from = cycle;
    assert_true(load(1, 0));
    assert_true(load(1, 1));
    for (int i = 0; i < 10; i++)
        step(NULL);
    /* the MSHR tracks one load after the first cycle, and two in each of the next 10 cycles */
    assert_int_equal(level_area(&l1.cache.bank->mshr.used, cycle), 1 + 2 * 10);
    assert_int_equal(level_busy(&l1.cache.bank->mshr.used, cycle), cycle - from - 1);
    end();
}

static bool next_request(const void *source, struct request *next) {
    *next = *(const struct request *)source;
    return true;
}

/* Announces a load of `line` as the request that follows the one of the next step. */
static void expect_behind(uint64_t line) {
    static struct request behind;
    behind = access_of(line, false, 0);
    l1.to.next = next_request;
    l1.to.source = &behind;
}

/* A miss waits one cycle only if its address was not looked up ahead. If all addresses are, one
 * miss is accepted per cycle. */
static void misses_are_looked_up_ahead(void **state) {
    defaults();
    cfg.l1d_mshr_lookup = 2;
    cfg.l1d_mshr_entries = 4;
    make();
    expect_behind(2);
    assert_false(load(1, 1)); /* line 1 is looked up first, although line 2 is announced */
    assert_int_equal(COUNT(l1d_lookahead_cycles), 1);
    for (uint32_t line = 1; line < 5; line++) {
        expect_behind(line + 1);
        assert_true(load(line, line));
    }
    assert_int_equal(COUNT(l1d_lookahead_cycles), 1);
    for (int i = 0; i < 3; i++) { /* the lookahead register keeps the refused address */
        expect_behind(6);
        assert_false(load(5, 5));
    }
    assert_int_equal(COUNT(l1d_refusals_entry_full), 3);
    answer(1, 0x11);
    expect_response(1, 1, 0x11);
    idle(2);
    expect_behind(7);
    assert_true(load(5, 5));
    assert_false(load(8, 8)); /* line 8 was not announced */
    assert_int_equal(COUNT(l1d_lookahead_cycles), 2);
    end();
}

/* Hits and stores do not wait for a lookup. */
static void hits_need_no_lookup(void **state) {
    defaults();
    cfg.l1d_mshr = MSHR_KIND_DL;
    make();
    assert_false(load(1, 1));
    assert_true(load(1, 1));
    answer(1, 0x11);
    expect_response(1, 1, 0x11);
    assert_true(load(1, 2));
    assert_true(store(9));
    assert_true(load(1, 3));
    assert_int_equal(COUNT(l1d_lookahead_cycles), 1);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_looked_up_ahead),
        cmocka_unit_test(hits_need_no_lookup),
        cmocka_unit_test(a_miss_then_hits),
        cmocka_unit_test(refused_entry_full),
        cmocka_unit_test(refused_merge_full),
        cmocka_unit_test(refused_line),
        cmocka_unit_test(refused_miss_queue),
        cmocka_unit_test(refused_response_queue),
        cmocka_unit_test(a_poisoned_line),
        cmocka_unit_test(a_store_during_the_drain),
        cmocka_unit_test(evicted_during_the_drain),
        cmocka_unit_test(least_recently_used_goes),
        cmocka_unit_test(every_access_is_a_use),
        cmocka_unit_test(refused_accesses_are_told_apart),
        cmocka_unit_test(stores_are_acknowledged),
        cmocka_unit_test(an_unexpected_reply_is_an_error),
        cmocka_unit_test(the_mshr_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
