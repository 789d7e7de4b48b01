// SPDX-License-Identifier: Apache-2.0
/* Tests of the rules in docs/understand/lease.md. */
#include "bench.h"

/* ---- Parameters ---- */

static const char *why_illegal(const char *const *set) {
    struct block_params p = point(set);
    return lease_type.illegal(&p);
}
#define WHY(...) why_illegal((const char *const[]){__VA_ARGS__, NULL})

static void test_illegal(void **unused) {
    assert_string_equal(WHY("PAGES=12"), "PAGES must be a power of two");
    /* computing the leases of 16 entries and 32 groups takes at most 16 * 18 + 32 * 24 = 1056
     * cycles */
    assert_non_null(WHY("DUTY=1000", "PERIOD=2056"));
    assert_null(WHY("DUTY=1000", "PERIOD=2057"));
    assert_null(WHY("LANES=28"));
}

/* ---- The sample ---- */

static void test_after_reset(void **unused) {
    struct lease_bench b = START(SHORT);
    assert_int_equal(look(&b)->duty, 1);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_SAMPLE);
    assert_int_equal(look(&b)->st_used, 0);
    assert_int_equal(look(&b)->upd_valid, 0);
    end(&b);
}

/* With 6 / 3, 4 / 1 and 5 / 2 accesses per page, the lives are 32, 64 and 40 sixteenths. Their
 * mean is 45 sixteenths, so the lease is 3. */
static void test_three_blocks(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 5, 4);
    touches(&b, 5, 100, 6, 3);
    touches(&b, 5, 200, 4, 1);
    touches(&b, 5, 300, 5, 2);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 7);
    assert_int_equal(count(&b, 0), 6);
    assert_int_equal(count(&b, 1), 4);
    assert_int_equal(count(&b, 2), 5);
    assert_int_equal(pages(&b, 0), 7);
    assert_int_equal(pages(&b, 1), 1);
    assert_int_equal(pages(&b, 2), 3);
    expect_lease(&b, 5, 3);
    expect_no_lease(&b);
    end(&b);
}

/* Lives of 5 / 3 and 4 / 3 are 26 and 21 sixteenths. Their mean of 23.5 sixteenths is rounded down
 * twice, so the lease is 1. If the sum were greater by one, the lease would be 2. */
static void test_below_half(void **unused) {
    struct lease_bench b = START("ENTRIES=2", "BLOCK_W=3", "COUNT_W=3", "PAGES=4", "GROUPS=2",
                                 "DUTY=14", "PERIOD=71", "LIFE_W=3");
    give_quota(&b, 1, 2);
    touches(&b, 1, 2, 5, 3);
    touches(&b, 1, 6, 4, 3);
    expect_lease(&b, 1, 1);
    expect_no_lease(&b);
    end(&b);
}

/* Runs a window with one block. One of its pages is accessed n times. */
static void sample(struct lease_bench *b, unsigned n) {
    touches(b, 3, 9, n, 1);
}

static void test_leases_in_turn(void **unused) {
    static const unsigned samples[] = {3, 6, 1, 1, 200}, leases[] = {3, 4, 2, 1, 100};
    struct lease_bench b = START("DUTY=210", "PERIOD=1300");
    give_quota(&b, 3, 1);
    for (unsigned i = 0; i < LENGTH(samples); i++) {
        sample(&b, samples[i]);
        expect_lease(&b, 3, leases[i]);
        expect_no_lease(&b);
    }
    end(&b);
}

/* The greatest life is 1023 / 16 = 63.9 accesses per page. The 1024th access is not counted. */
static void test_most_of_16_pages(void **unused) {
    struct lease_bench b = START("DUTY=1100", "PERIOD=2200");
    give_quota(&b, 0, 1);
    touches(&b, 0, 77, 1024, 16);
    end_window(&b);
    assert_int_equal(count(&b, 0), 1023);
    assert_int_equal(pages(&b, 0), 0xffff);
    expect_lease(&b, 0, 64);
    end(&b);
}

static void test_half_rounds_up(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 31, 1);
    touches(&b, 31, 1, 3, 2);
    expect_lease(&b, 31, 2);
    end(&b);
}

static void test_groups_in_turn(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 9, 2);
    give_quota(&b, 0, 2);
    give_quota(&b, 31, 2);
    touches(&b, 31, 1, 5, 1);
    touches(&b, 9, 2, 4, 1);
    touches(&b, 0, 3, 2, 1);
    touches(&b, 9, 4, 2, 1);
    expect_lease(&b, 0, 2);
    expect_lease(&b, 9, 3);
    expect_lease(&b, 31, 5);
    expect_no_lease(&b);
    end(&b);
}

/* A window without an access changes no lease. The next sample changes the old lease. */
static void test_window_without_access(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 3, 1);
    sample(&b, 8);
    expect_lease(&b, 3, 8);
    expect_no_lease(&b);
    expect_no_lease(&b);
    sample(&b, 4);
    expect_lease(&b, 3, 6);
    end(&b);
}

/* ---- A lease ---- */

static void test_bounds_of_a_lease(void **unused) {
    struct lease_bench b = START("LIFE_W=3", "WEIGHT=0", SHORT);
    give_quota(&b, 3, 1);
    sample(&b, 29);
    expect_lease(&b, 3, 6);
    expect_no_lease(&b);
    sample(&b, 5);
    expect_lease(&b, 3, 5);
    end(&b);
}

/* At most 3 accesses are counted, to 32 pages. This is less than one per page, so the lease is the
 * minimum, 1. */
static void test_least_lease(void **unused) {
    struct lease_bench b = START("COUNT_W=2", "PAGES=32", SHORT);
    give_quota(&b, 3, 1);
    touches(&b, 3, 9, 32, 32);
    expect_lease(&b, 3, 1);
    end(&b);
}

static void test_weight(void **unused) {
    struct lease_bench b = START("WEIGHT=3", SHORT);
    give_quota(&b, 3, 1);
    sample(&b, 20);
    expect_lease(&b, 3, 20);
    expect_no_lease(&b);
    sample(&b, 3); /* the change of -17 / 8 is rounded down to -3 */
    expect_lease(&b, 3, 17);
    end(&b);
}

/* ---- Entries ---- */

static void test_quota_of_a_group(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 1, 2);
    touch(&b, 1, 10, 0);
    touch(&b, 1, 11, 0);
    touch(&b, 1, 12, 0); /* no entry in the quota is free */
    touch(&b, 2, 13, 0); /* the group has no quota */
    touch(&b, 2, 11, 1); /* counted for block 11, whatever the group */
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 3);
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(pages(&b, 1), 3);
    assert_int_equal(look(&b)->st_missed, 0);
    assert_int_equal(lease_overflows(b.inst.model), 0);
    expect_lease(&b, 1, 1);
    expect_no_lease(&b);
    end(&b);
}

static void test_no_entry_is_free(void **unused) {
    struct lease_bench b = START("ENTRIES=2", "GROUPS=2", SHORT);
    give_quota(&b, 1, 3);
    touch(&b, 1, 10, 0);
    touch(&b, 1, 11, 0);
    touch(&b, 1, 12, 0);
    touch(&b, 0, 13, 0); /* the group has no quota */
    touch(&b, 1, 14, 0);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 3);
    assert_int_equal(look(&b)->st_missed, 2);
    assert_int_equal(lease_overflows(b.inst.model), 2);
    next_window(&b);
    assert_int_equal(look(&b)->st_used, 0);
    assert_int_equal(look(&b)->st_missed, 0);
    touch(&b, 1, 15, 0);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 1);
    assert_int_equal(count(&b, 0), 1);
    end(&b);
}

/* A quota applies from the cycle after it is set. */
static void test_quota_in_time(void **unused) {
    struct lease_bench b = START(SHORT);
    set_quota(&b, 4, 1);
    touch(&b, 4, 1, 0);
    touch(&b, 4, 2, 0);
    set_quota(&b, 4, 2);
    touch(&b, 4, 3, 0);
    touch(&b, 4, 4, 0);
    touch(&b, 4, 5, 0);
    set_quota(&b, 4, 1); /* the quota is less than the number of entries in use */
    touch(&b, 4, 6, 0);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 3);
    expect_lease(&b, 4, 1);
    next_window(&b);
    touch(&b, 4, 2, 0);
    touch(&b, 4, 4, 0);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 1);
    assert_int_equal(count(&b, 0), 1);
    end(&b);
}

/* A group that does not exist has no quota. */
static void test_group_beyond(void **unused) {
    struct lease_bench b = START("GROUPS=3", SHORT);
    give_quota(&b, 3, 2);
    touch(&b, 3, 1, 0);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 0);
    end(&b);
}

/* ---- Time ---- */

static void test_access_in_time(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 0, 1);
    touch(&b, 0, 5, 2);
    for (unsigned i = 1; i <= 5; i++) {
        assert_int_equal(look(&b)->st_used, i > 2);
        assert_int_equal(count(&b, 0), 0);
        assert_int_equal(pages(&b, 0), 0);
        cycle(&b);
    }
    assert_int_equal(count(&b, 0), 1);
    assert_int_equal(pages(&b, 0), 4);
    end(&b);
}

/* An access in the last cycle of a window is counted, but an access one cycle later is not. The
 * next window starts with no entry in use. */
static void test_edges_of_a_window(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 0, 4);
    until(&b, 39);
    assert_int_equal(look(&b)->duty, 1);
    touch(&b, 0, 5, 2);
    assert_int_equal(look(&b)->duty, 0);
    touch(&b, 0, 5, 3);
    end_window(&b);
    assert_int_equal(count(&b, 0), 1);
    until(&b, 1199);
    assert_int_equal(look(&b)->duty, 0);
    touch(&b, 0, 5, 4);
    b.time = 0;
    assert_int_equal(look(&b)->duty, 1);
    touch(&b, 0, 6, 5);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 1);
    assert_int_equal(count(&b, 0), 1);
    assert_int_equal(pages(&b, 0), 0x20);
    end(&b);
}

/* Computing the leases takes 2 cycles per group, 17 per entry, and 21 more per group with
 * entries. */
static void test_leases_in_time(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 2, 3);
    give_quota(&b, 31, 3);
    touch(&b, 2, 1, 0);
    touch(&b, 31, 2, 0);
    touch(&b, 2, 3, 0);
    until(&b, 44);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_SAMPLE);
    cycle(&b);
    until(&b, 45 + 3 * 2 + 2 * 17 - 1);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_ENTRIES);
    cycle(&b);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_GROUP);
    until(&b, 45 + 3 * 2 + 2 * 17 + 21 - 1);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_GROUP);
    assert_int_equal(look(&b)->upd_valid, 0);
    cycle(&b);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_ENTRIES);
    assert_int_equal(look(&b)->upd_valid, 1);
    until(&b, 45 + 32 * 2 + 3 * 17 + 2 * 21 - 1);
    assert_int_equal(look(&b)->upd_valid, 0);
    cycle(&b);
    assert_int_equal(look(&b)->upd_valid, 1);
    assert_int_equal(look(&b)->upd_group, 31);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_IDLE);
    next_window(&b);
    assert_int_equal(look(&b)->st_phase, LEASE_PHASE_SAMPLE);
    end(&b);
}

/* ---- Lanes ---- */

static void test_lanes_of_a_block(void **unused) {
    struct lease_bench b = START("LANES=28", SHORT);
    give_quota(&b, 0, 4);
    for (unsigned lane = 0; lane < 28; lane++)
        set_access(&b, lane, 0, 500, lane % 4);
    cycle(&b);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 1);
    assert_int_equal(count(&b, 0), 28);
    assert_int_equal(pages(&b, 0), 15);
    expect_lease(&b, 0, 7);
    end(&b);
}

/* One block per cycle gets an entry: the block of the lowest lane whose block may have one. */
static void test_one_entry_a_cycle(void **unused) {
    struct lease_bench b = START("LANES=4", SHORT);
    give_quota(&b, 1, 4);
    set_access(&b, 0, 0, 50, 0); /* the group has no quota */
    set_access(&b, 1, 1, 60, 1);
    set_access(&b, 2, 1, 70, 2);
    set_access(&b, 3, 0, 60, 3);
    cycle(&b);
    set_access(&b, 0, 1, 60, 4); /* one cycle later, block 60 already has an entry */
    set_access(&b, 1, 0, 70, 5); /* group 0 has no quota, but lane 3 accesses the same block */
    set_access(&b, 3, 1, 70, 6);
    cycle(&b);
    end_window(&b);
    assert_int_equal(look(&b)->st_used, 3);
    assert_int_equal(count(&b, 0), 3);
    assert_int_equal(pages(&b, 0), 0x1a);
    assert_int_equal(count(&b, 1), 2);
    assert_int_equal(pages(&b, 1), 0x60);
    assert_int_equal(look(&b)->st_missed, 0);
    end(&b);
}

/* A group's quota is exact even if the group accesses a new block in each cycle. Until the quota is
 * used up, the block of the higher lane gets no entry. */
static void test_quota_in_a_row(void **unused) {
    for (unsigned quota = 0; quota < 5; quota++) {
        struct lease_bench b = START("LANES=2", SHORT);
        give_quota(&b, 1, quota);
        give_quota(&b, 2, 1);
        for (unsigned i = 0; i < 6; i++) {
            set_access(&b, 0, 1, 10 + i, 0);
            set_access(&b, 1, 2, 100, 1);
            cycle(&b);
        }
        end_window(&b);
        assert_int_equal(look(&b)->st_used, bits_low(quota + 1));
        assert_int_equal(count(&b, quota), 6 - quota);
        end(&b);
    }
}

static void test_missed_saturates(void **unused) {
    struct lease_bench b = START("LANES=32", "ENTRIES=1", "GROUPS=2", "DUTY=2060", "PERIOD=2200");
    give_quota(&b, 0, 1);
    give_quota(&b, 1, 1);
    touch(&b, 0, 1, 0);
    while (b.time < 2060) {
        for (unsigned lane = 0; lane < 32; lane++)
            set_access(&b, lane, 1, 2, 0);
        cycle(&b);
    }
    end_window(&b);
    assert_int_equal(look(&b)->st_missed, 65535);
    assert_int_equal(lease_overflows(b.inst.model), 2057 * 32);
    end(&b);
}

/* ---- Reset ---- */

static void test_reset_forgets(void **unused) {
    struct lease_bench b = START(SHORT);
    give_quota(&b, 3, 1);
    sample(&b, 8);
    expect_lease(&b, 3, 8);
    next_window(&b);
    sample(&b, 4);
    reset(&b);
    idle(&b, 4);
    assert_int_equal(look(&b)->st_used, 0);
    touch(&b, 3, 9, 0); /* the group has no quota */
    expect_no_lease(&b);
    give_quota(&b, 3, 1);
    sample(&b, 4);
    expect_lease(&b, 3, 4); /* the same lease as after a first sample */
    end(&b);
}

static void test_reset_of_an_average(void **unused) {
    for (unsigned i = 45; i < 88; i++) {
        struct lease_bench b = START(SHORT);
        give_quota(&b, 0, 1);
        touch(&b, 0, 9, 0);
        until(&b, i);
        reset(&b);
        assert_int_equal(look(&b)->st_phase, LEASE_PHASE_SAMPLE);
        expect_no_lease(&b);
        end(&b);
    }
}

/* ---- Skipped cycles ---- */

/* Runs both blocks for `cycles` cycles. Block b skips the cycles before each of its events. The
 * outputs of both must always be equal. */
static void pass_both(struct lease_bench *a, struct lease_bench *b, unsigned cycles) {
    while (cycles) {
        uint64_t n = lease_next_event(b->inst.model);
        if (n > cycles)
            n = cycles;
        lease_pass(b->inst.model, n);
        idle(a, (unsigned)n);
        cycles -= (unsigned)n;
        assert_memory_equal(look(a), look(b), sizeof a->out);
        if (!cycles)
            return;
        cycle(a);
        cycle(b);
        cycles--;
        assert_memory_equal(look(a), look(b), sizeof a->out);
    }
}

static void test_pass(void **unused) {
    struct lease_bench a = START(SHORT), b = start(NULL, (const char *const[]){SHORT, NULL});
    unsigned passed = 0;
    for (unsigned i = 0; i < 40; i++) {
        give_quota(&a, i % 32, 1 + i % 3);
        give_quota(&b, i % 32, 1 + i % 3);
        pass_both(&a, &b, i * 7);
        touch(&a, i % 32, i % 5, i % 16);
        touch(&b, i % 32, i % 5, i % 16);
        passed += lease_next_event(b.inst.model) > 0;
        pass_both(&a, &b, 1 + i * 13);
    }
    assert_true(passed < 40);
    while (lease_next_event(b.inst.model) < 100) {
        cycle(&a);
        cycle(&b);
    }
    end(&a);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_after_reset),
        cmocka_unit_test(test_three_blocks),
        cmocka_unit_test(test_below_half),
        cmocka_unit_test(test_leases_in_turn),
        cmocka_unit_test(test_most_of_16_pages),
        cmocka_unit_test(test_half_rounds_up),
        cmocka_unit_test(test_groups_in_turn),
        cmocka_unit_test(test_window_without_access),
        cmocka_unit_test(test_bounds_of_a_lease),
        cmocka_unit_test(test_least_lease),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_quota_of_a_group),
        cmocka_unit_test(test_no_entry_is_free),
        cmocka_unit_test(test_quota_in_time),
        cmocka_unit_test(test_group_beyond),
        cmocka_unit_test(test_access_in_time),
        cmocka_unit_test(test_edges_of_a_window),
        cmocka_unit_test(test_leases_in_time),
        cmocka_unit_test(test_lanes_of_a_block),
        cmocka_unit_test(test_one_entry_a_cycle),
        cmocka_unit_test(test_quota_in_a_row),
        cmocka_unit_test(test_missed_saturates),
        cmocka_unit_test(test_reset_forgets),
        cmocka_unit_test(test_reset_of_an_average),
        cmocka_unit_test(test_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
