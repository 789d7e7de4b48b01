// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the model of mil, which follow docs/understand/mil.md sentence by sentence. */
#include "bench.h"

/* ---- Parameters ---- */

static void test_illegal(void **unused) {
    ILLEGAL("RF_W must be at least INTERVAL_W", "RF_W=9");
    ILLEGAL("MINST_W must be", "MINST_W=9");
    ILLEGAL("MINST_W must be", "MINST_W=13");
    ILLEGAL("RATIO_MAX to the power", "QUOTA_W=9");
    ILLEGAL("RATIO_MAX to the power", "KERNELS=4", "RATIO_MAX=33");
    ILLEGAL("RATIO_MAX to the power", "KERNELS=3", "RATIO_MAX=64", "QUOTA_W=17");
}

static void test_legal(void **unused) {
    static const char *const points[][4] = {
        {"RF_W=10", "MINST_W=12", "QUOTA_W=10", NULL},
        {"KERNELS=4", "RATIO_MAX=32", "QUOTA_W=20", NULL},
        {"KERNELS=4", "RATIO_MAX=64", "QUOTA_W=24", NULL},
        {"KERNELS=1", "RATIO_MAX=64", "QUOTA_W=8", NULL},
    };
    for (unsigned i = 0; i < LENGTH(points); i++) {
        struct block_params p = point(points[i]);
        struct error err = {0};
        assert_int_equal(block_params_check(&mil_type, &p, &err), 0);
    }
}

/* ---- Room ---- */

static void test_after_reset(void **unused) {
    struct mil_bench b = START("KERNELS=3");
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(limit(&b, k), 255);
        assert_int_equal(room(&b, k), 4);
        assert_int_equal(inflight(&b, k), 0);
        assert_int_equal(ratio(&b, k), 1);
        assert_int_equal(quota(&b, k), 0);
        assert_int_equal(share(&b, k), 1);
    }
    assert_int_equal(b.out.update, 0);
    assert_int_equal(b.out.err, MIL_OK);
    assert_int_equal(b.out.st_busy, 0);
    end(&b);
}

/* Without a limit, the counter's maximum acts as the limit, so the counter cannot wrap. */
static void test_counter_is_full(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=0", "INFLIGHT_W=4");
    fly(&b, 1, 13);
    assert_int_equal(room(&b, 1), 2);
    fly(&b, 1, 2);
    assert_int_equal(room(&b, 1), 0);
    assert_int_equal(goes(&b, 3), 1);
    assert_int_equal(look(&b)->err, MIL_OK);
    end(&b);
}

static void test_go_without_order_ignores_others(void **unused) {
    struct mil_bench b = START("LIMIT=1", "ORDER=0");
    assert_int_equal(goes(&b, 0), 3);
    set_limit(&b, 0, 1);
    cycle(&b);
    fly(&b, 0, 1);
    assert_int_equal(goes(&b, 0), 2);
    end(&b);
}

static void test_no_want_no_go(void **unused) {
    for (unsigned order = 1; order <= 2; order++) {
        struct mil_bench b = START(order == 1 ? "ORDER=1" : "ORDER=2");
        assert_int_equal(goes(&b, 0), 0);
        assert_int_equal(goes(&b, 2), 2);
        end(&b);
    }
}

/* Instructions may be issued and done in the same cycle. */
static void test_both(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 5);
    set_iss(&b, 0, 4);
    set_done(&b, 0, 2);
    cycle(&b);
    assert_int_equal(inflight(&b, 0), 7);
    /* this is the value at the end of the cycle, not a value within it */
    assert_int_equal(max(&b, 0), 7);
    end(&b);
}

/* ---- Static limits ---- */

static void test_set_limits(void **unused) {
    struct mil_bench b = START("LIMIT=1");
    set_limit(&b, 1, 0);
    cycle(&b);
    assert_int_equal(limit(&b, 1), 1);
    assert_int_equal(b.out.update, 2);
    set_limit(&b, 1, 255);
    b.in.start = 2; /* leaves the limit unchanged */
    cycle(&b);
    assert_int_equal(limit(&b, 1), 255);
    set_limit(&b, 0, 7);
    cycle(&b);
    b.in.start = 1;
    cycle(&b);
    assert_int_equal(limit(&b, 0), 7);
    assert_int_equal(b.out.update, 0);
    reset(&b);
    assert_int_equal(limit(&b, 0), 255);
    end(&b);
}

static void test_set_is_ignored(void **unused) {
    struct mil_bench b = START("LIMIT=2");
    set_limit(&b, 0, 7);
    cycle(&b);
    assert_int_equal(limit(&b, 0), 255);
    assert_int_equal(b.out.update, 0);
    end(&b);
}

/* ---- Dynamic limits ---- */

static void test_zero_open(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 8);
    decide(&b, 0, 64); /* q is then 4 */
    assert_int_equal(limit(&b, 0), 2);
    cycle(&b);
    decide(&b, 0, 15);
    assert_int_equal(limit(&b, 0), 255);
    end(&b);
}

static void test_zero_keep(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0", "ZERO=1");
    fly(&b, 0, 8);
    decide(&b, 0, 64);
    cycle(&b);
    decide(&b, 0, 15);
    assert_int_equal(limit(&b, 0), 2);
    end(&b);
}

static void test_zero_step(void **unused) {
    struct mil_bench b =
        START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "INFLIGHT_W=4", "ORDER=0", "ZERO=2");
    fly(&b, 0, 14);
    decide(&b, 0, 16);
    assert_int_equal(limit(&b, 0), 14);
    cycle(&b);
    decide(&b, 0, 0);
    assert_int_equal(limit(&b, 0), 15);
    cycle(&b);
    decide(&b, 0, 0);
    assert_int_equal(limit(&b, 0), 15); /* the maximum, 15, means no limit */
    end(&b);
}

/* The last cycle of an interval belongs to it completely. The next interval starts with the
 * current number in flight. */
static void test_last_cycle_counts(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 4);
    failures(&b, 0, 15);
    accesses(&b, 0, 15);
    set_access(&b, 0);
    set_fail(&b, 0); /* impossible in an L1D, but the block counts it */
    set_iss(&b, 0, 3);
    cycle(&b);
    assert_int_equal(max(&b, 0), 7);
    assert_int_equal(rf(&b, 0), 0);
    land(&b, 0, 2);
    assert_int_equal(max(&b, 0), 7);
    idle(&b, 7);
    assert_int_equal(look(&b)->update, 1);
    assert_int_equal(limit(&b, 0), 7);
    accesses(&b, 0, 16);
    assert_int_equal(max(&b, 0), 5);
    end(&b);
}

/* Each kernel has its own counters of requests and failures. */
static void test_kernels_apart(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 6);
    fly(&b, 1, 8);
    failures(&b, 1, 32);
    accesses(&b, 1, 15);
    decide(&b, 0, 16);
    assert_int_equal(limit(&b, 0), 6);
    cycle(&b);
    accesses(&b, 1, 1);
    idle(&b, 8);
    assert_int_equal(look(&b)->update, 2);
    assert_int_equal(limit(&b, 1), 4);
    end(&b);
}

static void test_limit_below_flight(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 9);
    decide(&b, 0, 48);
    assert_int_equal(limit(&b, 0), 3);
    for (unsigned left = 9; left > 3; left--) {
        assert_int_equal(room(&b, 0), 0);
        land(&b, 0, 1);
    }
    land(&b, 0, 1);
    assert_int_equal(room(&b, 0), 1);
    end(&b);
}

/* ---- Ratios ---- */

static void expect_ratio(unsigned issued, unsigned r) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 1, issued);
    assert_int_equal(ratio(&b, 1), r);
    assert_int_equal(ratio(&b, 0), 1);
    end(&b);
}

static void test_ratios(void **unused) {
    static const unsigned of[][2] = {{1, 32},  {2, 32},  {3, 21},  {4, 16}, {10, 6},
                                     {25, 3},  {26, 2},  {42, 2},  {43, 1}, {64, 1},
                                     {128, 1}, {129, 1}, {255, 1}, {0, 1}};
    for (unsigned i = 0; i < LENGTH(of); i++)
        expect_ratio(of[i][0], of[i][1]);
}

static void test_ratio_of_none_stays(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 13);
    assert_int_equal(ratio(&b, 0), 5);
    measure(&b, 0, 0);
    assert_int_equal(ratio(&b, 0), 5);
    end(&b);
}

static void test_ratio_is_on_time(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=4", "MINST_W=4", "RF_W=4");
    fly(&b, 0, 4);
    accesses(&b, 0, 16);
    idle(&b, 5);
    assert_int_equal(ratio(&b, 0), 1);
    assert_int_equal(look(&b)->st_busy, 0);
    cycle(&b);
    assert_int_equal(ratio(&b, 0), 4);
    assert_int_equal(look(&b)->st_busy, 1);
    end(&b);
}

/* ---- Shares ---- */

/* Runs until the shares are known. Returns the number of cycles. */
static unsigned share_cycles(struct mil_bench *b) {
    unsigned n = 0;
    for (; look(b)->st_busy; n++)
        cycle(b);
    return n;
}

static void test_shares_are_on_time(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    /* The numbers are those of the formula in docs/understand/mil.md, with K = 2, QUOTA_W = 20 and
     * w = 6. The ratios are 5 and 1. 5 mod 1 is 0, so s is 0. */
    measure(&b, 0, 13);
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share_cycles(&b), 2 + 2 * 21 + 2 * 20 + 6 + 5);
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share(&b, 1), 5);
    /* The ratios are 5 and 8. 5 mod 8 is 5, and the pairs of Euclid's algorithm are 8 5, 3 5, 3 2,
     * 1 2 and 1 1, so s is 4. */
    measure(&b, 1, 8);
    assert_int_equal(share_cycles(&b), 2 + 2 * 21 + 2 * 20 + 6 + 5 + 4);
    assert_int_equal(share(&b, 0), 8);
    assert_int_equal(share(&b, 1), 5);
    end(&b);
}

/* Tests the shares for equal ratios, and for ratios of which one is a multiple of the other. */
static void test_shares_of_multiples(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 16);
    measure(&b, 1, 16);
    until_shares(&b);
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share(&b, 1), 1);
    measure(&b, 1, 5); /* the ratio is 13 */
    measure(&b, 1, 8); /* the ratio becomes 8 before the shares for 13 are known */
    until_shares(&b);
    assert_int_equal(share(&b, 0), 2);
    assert_int_equal(share(&b, 1), 1);
    end(&b);
}

static unsigned common_divisor(unsigned a, unsigned b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Expects the shares for the current ratios. Share k is the least common multiple of the ratios,
 * divided by ratio k. */
static void expect_shares(struct mil_bench *b, const unsigned *r) {
    const unsigned n = param(b, MIL_KERNELS);
    unsigned multiple = 1;
    until_shares(b);
    for (unsigned k = 0; k < n; k++)
        multiple = multiple / common_divisor(multiple, r[k]) * r[k];
    for (unsigned k = 0; k < n; k++) {
        assert_int_equal(ratio(b, k), r[k]);
        assert_int_equal(share(b, k), multiple / r[k]);
    }
}

/* Runs an interval that sets the ratio of kernel k to `to`. With intervals of 1024 requests, every
 * ratio up to 32 is possible. */
static void set_ratio(struct mil_bench *b, unsigned *r, unsigned k, unsigned to) {
    measure(b, k, (1024 + to / 2) / to);
    r[k] = to;
}

static void test_shares_of_all_pairs(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    unsigned r[2];
    for (unsigned i = 1; i <= 32; i++) {
        set_ratio(&b, r, 0, i);
        for (unsigned j = 1; j <= 32; j++) {
            set_ratio(&b, r, 1, j);
            expect_shares(&b, r);
        }
    }
    end(&b);
}

/* Sets 200 random ratios, one kernel after the other, and checks the shares after each. */
static void sample_shares(struct mil_bench b) {
    const unsigned n = param(&b, MIL_KERNELS);
    unsigned r[MIL_MAX_KERNELS] = {1, 1, 1, 1}, seed = 1;
    for (unsigned i = 0; i < 200; i++) {
        seed = seed * 1664525 + 1013904223;
        set_ratio(&b, r, i % n, 1 + seed / 65536 % 32);
        expect_shares(&b, r);
    }
    end(&b);
}

static void test_shares_of_more(void **unused) {
    sample_shares(START("LIMIT=0", "ORDER=2", "KERNELS=3"));
    sample_shares(START("LIMIT=0", "ORDER=2", "KERNELS=4"));
}

/* ---- Quotas ---- */

static void test_dead_kernel_gets_no_share(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    for (unsigned i = 0; i < 3; i++) {
        b.in.live = 1;
        cycle(&b);
        assert_int_equal(quota(&b, 0), 1);
        assert_int_equal(quota(&b, 1), 0);
    }
    cycle(&b); /* both kernels are live, but kernel 1 has no quota left */
    assert_int_equal(quota(&b, 0), 2);
    assert_int_equal(quota(&b, 1), 1);
    end(&b);
}

/* Four requests may be issued in one cycle even if the quota is 1. */
static void test_quota_stops_at_0(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    cycle(&b);
    set_iss(&b, 0, 4);
    cycle(&b);
    assert_int_equal(quota(&b, 0), 1);
    assert_int_equal(quota(&b, 1), 2);
    end(&b);
}

static void test_quota_saturates(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "RATIO_MAX=16", "QUOTA_W=8");
    for (unsigned i = 0; i < 300; i++) {
        set_iss(&b, 0, 1);
        b.in.done = i > 0;
        cycle(&b);
    }
    assert_int_equal(quota(&b, 1), 255);
    assert_int_equal(quota(&b, 0), 1);
    end(&b);
}

/* ---- Turns ---- */

static void test_turns(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=1", "KERNELS=4");
    assert_int_equal(goes(&b, 15), 1);
    b.in.want = 0;
    fly(&b, 2, 1);
    assert_int_equal(goes(&b, 15), 8);
    assert_int_equal(goes(&b, 7), 1);
    assert_int_equal(goes(&b, 6), 2);
    assert_int_equal(goes(&b, 4), 4);
    b.in.want = 0;
    fly(&b, 3, 1);
    assert_int_equal(goes(&b, 15), 1);
    b.in.start = 15; /* leaves the turn unchanged */
    fly(&b, 0, 1);
    assert_int_equal(goes(&b, 15), 2);
    reset(&b);
    assert_int_equal(goes(&b, 15), 1);
    end(&b);
}

/* ---- Start ---- */

static void test_start_forgets(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
    fly(&b, 0, 8);
    decide(&b, 0, 32);
    until_shares(&b);
    assert_int_equal(limit(&b, 0), 4);
    land(&b, 0, 2);
    failures(&b, 0, 5);
    accesses(&b, 0, 3);
    b.in.start = 1;
    set_fail(&b, 0); /* the failure is still counted */
    set_done(&b, 0, 1);
    cycle(&b);
    assert_int_equal(limit(&b, 0), 255);
    assert_int_equal(inflight(&b, 0), 5);
    assert_int_equal(max(&b, 0), 5);
    assert_int_equal(rf(&b, 0), 1);
    assert_int_equal(b.out.st_req, 0);
    assert_int_equal(ratio(&b, 0), 1);
    assert_int_equal(share(&b, 1), 1);
    end(&b);
}

static void test_start_drops_what_is_due(void **unused) {
    for (unsigned i = 0; i < 9; i++) {
        struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
        fly(&b, 0, 8);
        failures(&b, 0, 32);
        accesses(&b, 0, 16);
        idle(&b, i);
        b.in.start = 1;
        cycle(&b);
        for (unsigned n = 0; n < 12; n++) {
            assert_int_equal(look(&b)->update, 0);
            assert_int_equal(limit(&b, 0), 255);
            assert_int_equal(ratio(&b, 0), 1);
            cycle(&b);
        }
        assert_int_equal(look(&b)->st_busy, 0);
        end(&b);
    }
}

/* The start of one kernel sets all shares to 1, but keeps the other kernel's ratio. */
static void test_start_shares_alike(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 16);
    until_shares(&b);
    assert_int_equal(share(&b, 1), 4);
    b.in.start = 2;
    cycle(&b);
    assert_int_equal(share(&b, 1), 1);
    assert_int_equal(ratio(&b, 0), 4);
    /* the quota is used up, then refilled with the kernel's share */
    assert_int_equal(quota(&b, 1), 1);
    measure(&b, 1, 8);
    b.in.start = 1; /* starts kernel 0 while the shares are computed */
    cycle(&b);
    assert_int_equal(look(&b)->st_busy, 0);
    assert_int_equal(ratio(&b, 1), 8);
    end(&b);
}

/* ---- Faults ---- */

static void test_fault_done(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 1);
    set_done(&b, 0, 2);
    cycle(&b);
    assert_int_equal(look(&b)->err, MIL_ERR_DONE);
    assert_int_equal(inflight(&b, 0), 0);
    set_access(&b, 0); /* the block continues to work */
    cycle(&b);
    assert_int_equal(look(&b)->st_req, 1);
    set_iss(&b, 0, 5);
    cycle(&b);
    assert_int_equal(look(&b)->err, MIL_ERR_DONE); /* err still names the first error */
    reset(&b);
    assert_int_equal(look(&b)->err, MIL_OK);
    end(&b);
}

static void test_fault_kernel(void **unused) {
    for (unsigned i = 0; i < 3; i++) {
        struct mil_bench b = START("LIMIT=1", "KERNELS=3");
        if (i == 0)
            set_access(&b, 3);
        else if (i == 1)
            set_fail(&b, 3);
        else
            set_limit(&b, 3, 1);
        cycle(&b);
        assert_int_equal(look(&b)->err, MIL_ERR_KERNEL);
        assert_int_equal(look(&b)->update, 0);
        end(&b);
    }
}

static void test_fault_issued(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=1", "INFLIGHT_W=4");
    b.in.want = 3;
    set_iss(&b, 1, 1); /* kernel 1 issues, but kernel 0 has `go` */
    cycle(&b);
    assert_int_equal(look(&b)->err, MIL_ERR_ISSUED);
    reset(&b);
    fly(&b, 0, 13);
    assert_int_equal(look(&b)->err, MIL_OK);
    set_iss(&b, 0, 3); /* there is room for only 2 instructions */
    cycle(&b);
    assert_int_equal(look(&b)->err, MIL_ERR_ISSUED);
    assert_int_equal(inflight(&b, 0), 15);
    end(&b);
}

/* ---- Skipped cycles ---- */

static void test_next_event(void **unused) {
    struct mil_bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
    assert_int_equal(mil_next_event(b.inst.model), UINT64_MAX);
    fly(&b, 0, 8);
    accesses(&b, 0, 15);
    assert_int_equal(mil_next_event(b.inst.model), UINT64_MAX);
    accesses(&b, 0, 1);
    for (unsigned i = 0; i < 8 + 1; i++) {
        assert_int_equal(mil_next_event(b.inst.model), 0);
        cycle(&b);
    }
    until_shares(&b);
    assert_int_equal(mil_next_event(b.inst.model), UINT64_MAX);
    end(&b);
}

static void expect_pass(const char *rf_w, unsigned cycles) {
    struct mil_bench a = START(rf_w), b = START(rf_w);
    cycle(&a);
    cycle(&b);
    failures(&a, 1, cycles);
    mil_pass(b.inst.model, 1, cycles);
    assert_memory_equal(look(&a), look(&b), sizeof a.out);
    assert_int_equal(rf(&a, 0), 0);
    failures(&a, 1, 3);
    mil_pass(b.inst.model, 1, 3);
    assert_memory_equal(look(&a), look(&b), sizeof a.out);
    end(&a);
    end(&b);
}

static void test_pass(void **unused) {
    expect_pass("RF_W=12", 0);
    expect_pass("RF_W=12", 100);
    expect_pass("RF_W=12", 5000);
    expect_pass("LIMIT=1", 100); /* failures are not counted */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_legal),
        cmocka_unit_test(test_after_reset),
        cmocka_unit_test(test_counter_is_full),
        cmocka_unit_test(test_go_without_order_ignores_others),
        cmocka_unit_test(test_no_want_no_go),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_set_limits),
        cmocka_unit_test(test_set_is_ignored),
        cmocka_unit_test(test_zero_open),
        cmocka_unit_test(test_zero_keep),
        cmocka_unit_test(test_zero_step),
        cmocka_unit_test(test_last_cycle_counts),
        cmocka_unit_test(test_kernels_apart),
        cmocka_unit_test(test_limit_below_flight),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_ratio_of_none_stays),
        cmocka_unit_test(test_ratio_is_on_time),
        cmocka_unit_test(test_shares_are_on_time),
        cmocka_unit_test(test_shares_of_multiples),
        cmocka_unit_test(test_shares_of_all_pairs),
        cmocka_unit_test(test_shares_of_more),
        cmocka_unit_test(test_dead_kernel_gets_no_share),
        cmocka_unit_test(test_quota_stops_at_0),
        cmocka_unit_test(test_quota_saturates),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_start_forgets),
        cmocka_unit_test(test_start_drops_what_is_due),
        cmocka_unit_test(test_start_shares_alike),
        cmocka_unit_test(test_fault_done),
        cmocka_unit_test(test_fault_kernel),
        cmocka_unit_test(test_fault_issued),
        cmocka_unit_test(test_next_event),
        cmocka_unit_test(test_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
