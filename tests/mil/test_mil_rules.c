// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the model of mil: docs/understand/mil.md, sentence by sentence. */
#include "bench.h"

/* ---- Parameters ---- */

static void expect_illegal(const char *text, const char *const *set) {
    struct block_params p = point(set);
    char err[1024] = "";
    assert_int_equal(block_params_check(&mil_type, &p, err, sizeof err), -1);
    if (!strstr(err, text))
        fail_msg("'%s' is not in '%s'", text, err);
}

#define ILLEGAL(text, ...) expect_illegal(text, (const char *const[]){__VA_ARGS__, NULL})

static void test_illegal(void **unused) {
    (void)unused;
    ILLEGAL("RF_W must be at least INTERVAL_W", "RF_W=9");
    ILLEGAL("MINST_W must be", "MINST_W=9");
    ILLEGAL("MINST_W must be", "MINST_W=13");
    ILLEGAL("RATIO_MAX to the power", "QUOTA_W=9");
    ILLEGAL("RATIO_MAX to the power", "KERNELS=4", "RATIO_MAX=33");
    ILLEGAL("RATIO_MAX to the power", "KERNELS=3", "RATIO_MAX=64", "QUOTA_W=17");
}

static void test_legal(void **unused) {
    (void)unused;
    static const char *const points[][4] = {
        {"RF_W=10", "MINST_W=12", "QUOTA_W=10", NULL},
        {"KERNELS=4", "RATIO_MAX=32", "QUOTA_W=20", NULL},
        {"KERNELS=4", "RATIO_MAX=64", "QUOTA_W=24", NULL},
        {"KERNELS=1", "RATIO_MAX=64", "QUOTA_W=8", NULL},
    };
    for (unsigned i = 0; i < LENGTH(points); i++) {
        struct block_params p = point(points[i]);
        char err[1024] = "";
        assert_int_equal(block_params_check(&mil_type, &p, err, sizeof err), 0);
    }
}

/* ---- Room ---- */

static void test_after_reset(void **unused) {
    (void)unused;
    struct bench b = START("KERNELS=3");
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

/* Without a limit the counter is one: it cannot wrap. */
static void test_counter_is_full(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=0", "INFLIGHT_W=4");
    fly(&b, 1, 13);
    assert_int_equal(room(&b, 1), 2);
    fly(&b, 1, 2);
    assert_int_equal(room(&b, 1), 0);
    assert_int_equal(goes(&b, 3), 1);
    assert_int_equal(now(&b)->err, MIL_OK);
    end(&b);
}

static void test_go_without_order_ignores_others(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=1", "ORDER=0");
    assert_int_equal(goes(&b, 0), 3);
    set_limit(&b, 0, 1);
    cycle(&b);
    fly(&b, 0, 1);
    assert_int_equal(goes(&b, 0), 2);
    end(&b);
}

static void test_no_want_no_go(void **unused) {
    (void)unused;
    for (unsigned order = 1; order <= 2; order++) {
        struct bench b = START(order == 1 ? "ORDER=1" : "ORDER=2");
        assert_int_equal(goes(&b, 0), 0);
        assert_int_equal(goes(&b, 2), 2);
        end(&b);
    }
}

/* Issued and done in the same cycle. */
static void test_both(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 5);
    set_iss(&b, 0, 4);
    set_done(&b, 0, 2);
    cycle(&b);
    assert_int_equal(inflight(&b, 0), 7);
    assert_int_equal(max(&b, 0), 7); /* at the end of the cycle, not within it */
    end(&b);
}

/* ---- Static limits ---- */

static void test_set_limits(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=1");
    set_limit(&b, 1, 0);
    cycle(&b);
    assert_int_equal(limit(&b, 1), 1);
    assert_int_equal(b.out.update, 2);
    set_limit(&b, 1, 255);
    b.in.start = 2; /* leaves it */
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
    (void)unused;
    struct bench b = START("LIMIT=2");
    set_limit(&b, 0, 7);
    cycle(&b);
    assert_int_equal(limit(&b, 0), 255);
    assert_int_equal(b.out.update, 0);
    end(&b);
}

/* ---- Dynamic limits ---- */

static void test_zero_open(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 8);
    decide(&b, 0, 64); /* q 4 */
    assert_int_equal(limit(&b, 0), 2);
    cycle(&b);
    decide(&b, 0, 15);
    assert_int_equal(limit(&b, 0), 255);
    end(&b);
}

static void test_zero_keep(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0", "ZERO=1");
    fly(&b, 0, 8);
    decide(&b, 0, 64);
    cycle(&b);
    decide(&b, 0, 15);
    assert_int_equal(limit(&b, 0), 2);
    end(&b);
}

static void test_zero_step(void **unused) {
    (void)unused;
    struct bench b =
        START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "INFLIGHT_W=4", "ORDER=0", "ZERO=2");
    fly(&b, 0, 14);
    decide(&b, 0, 16);
    assert_int_equal(limit(&b, 0), 14);
    cycle(&b);
    decide(&b, 0, 0);
    assert_int_equal(limit(&b, 0), 15);
    cycle(&b);
    decide(&b, 0, 0);
    assert_int_equal(limit(&b, 0), 15); /* 15 is the maximum: no limit */
    end(&b);
}

/* All of an interval's last cycle belongs to it; the next begins with what is in flight. */
static void test_last_cycle_counts(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 4);
    failures(&b, 0, 15);
    accesses(&b, 0, 15);
    set_access(&b, 0);
    set_fail(&b, 0); /* never so in an L1D, and counted */
    set_iss(&b, 0, 3);
    cycle(&b);
    assert_int_equal(max(&b, 0), 7);
    assert_int_equal(rf(&b, 0), 0);
    land(&b, 0, 2);
    assert_int_equal(max(&b, 0), 7);
    idle(&b, 7);
    assert_int_equal(now(&b)->update, 1);
    assert_int_equal(limit(&b, 0), 7);
    accesses(&b, 0, 16);
    assert_int_equal(max(&b, 0), 5);
    end(&b);
}

/* A kernel's requests and failures are its own. */
static void test_kernels_apart(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
    fly(&b, 0, 6);
    fly(&b, 1, 8);
    failures(&b, 1, 32);
    accesses(&b, 1, 15);
    decide(&b, 0, 16);
    assert_int_equal(limit(&b, 0), 6);
    cycle(&b);
    accesses(&b, 1, 1);
    idle(&b, 8);
    assert_int_equal(now(&b)->update, 2);
    assert_int_equal(limit(&b, 1), 4);
    end(&b);
}

static void test_limit_below_flight(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4", "ORDER=0");
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
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 1, issued);
    assert_int_equal(ratio(&b, 1), r);
    assert_int_equal(ratio(&b, 0), 1);
    end(&b);
}

static void test_ratios(void **unused) {
    (void)unused;
    static const unsigned of[][2] = {{1, 32},  {2, 32},  {3, 21},  {4, 16}, {10, 6},
                                     {25, 3},  {26, 2},  {42, 2},  {43, 1}, {64, 1},
                                     {128, 1}, {129, 1}, {255, 1}, {0, 1}};
    for (unsigned i = 0; i < LENGTH(of); i++)
        expect_ratio(of[i][0], of[i][1]);
}

static void test_ratio_of_none_stays(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 13);
    assert_int_equal(ratio(&b, 0), 5);
    measure(&b, 0, 0);
    assert_int_equal(ratio(&b, 0), 5);
    end(&b);
}

static void test_ratio_is_on_time(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=4", "MINST_W=4", "RF_W=4");
    fly(&b, 0, 4);
    accesses(&b, 0, 16);
    idle(&b, 5);
    assert_int_equal(ratio(&b, 0), 1);
    assert_int_equal(now(&b)->st_busy, 0);
    cycle(&b);
    assert_int_equal(ratio(&b, 0), 4);
    assert_int_equal(now(&b)->st_busy, 1);
    end(&b);
}

/* ---- Shares ---- */

/* Cycles from the one with a new ratio to the one with the shares. */
static unsigned share_cycles(struct bench *b) {
    unsigned n = 0;
    for (; now(b)->st_busy; n++)
        cycle(b);
    return n;
}

static void test_shares_are_on_time(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 13); /* 5, 1: 5 mod 1 is 0, no subtraction */
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share_cycles(&b), 2 + 2 * 21 + 2 * 20 + 6 + 5);
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share(&b, 1), 5);
    measure(&b, 1, 8); /* 5, 8: 5 mod 8; 8 5, 3 5, 3 2, 1 2, 1 1 */
    assert_int_equal(share_cycles(&b), 2 + 2 * 21 + 2 * 20 + 6 + 5 + 4);
    assert_int_equal(share(&b, 0), 8);
    assert_int_equal(share(&b, 1), 5);
    end(&b);
}

/* Of equal ratios, and of one that divides the other. */
static void test_shares_of_multiples(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 16);
    measure(&b, 1, 16);
    until_shares(&b);
    assert_int_equal(share(&b, 0), 1);
    assert_int_equal(share(&b, 1), 1);
    measure(&b, 1, 5); /* 13 */
    measure(&b, 1, 8); /* 8, before the shares of 13 are there */
    until_shares(&b);
    assert_int_equal(share(&b, 0), 2);
    assert_int_equal(share(&b, 1), 1);
    end(&b);
}

static unsigned common_divisor(unsigned a, unsigned b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Of the ratios that it has: share k is their least common multiple over ratio k. */
static void expect_shares(struct bench *b, const unsigned *r) {
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

/* An interval of 1024 requests brings about every ratio up to 32. */
static void set_ratio(struct bench *b, unsigned *r, unsigned k, unsigned to) {
    measure(b, k, (1024 + to / 2) / to);
    r[k] = to;
}

static void test_shares_of_all_pairs(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2");
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

/* One after the other, so that each has met many of the others' ratios. */
static void sample_shares(struct bench b) {
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
    (void)unused;
    sample_shares(START("LIMIT=0", "ORDER=2", "KERNELS=3"));
    sample_shares(START("LIMIT=0", "ORDER=2", "KERNELS=4"));
}

/* ---- Quotas ---- */

static void test_dead_kernel_gets_no_share(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2");
    for (unsigned i = 0; i < 3; i++) {
        b.in.live = 1;
        cycle(&b);
        assert_int_equal(quota(&b, 0), 1);
        assert_int_equal(quota(&b, 1), 0);
    }
    cycle(&b); /* both live: 1 has none */
    assert_int_equal(quota(&b, 0), 2);
    assert_int_equal(quota(&b, 1), 1);
    end(&b);
}

/* Of a quota of 1, four issue in a cycle. */
static void test_quota_stops_at_0(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2");
    cycle(&b);
    set_iss(&b, 0, 4);
    cycle(&b);
    assert_int_equal(quota(&b, 0), 1);
    assert_int_equal(quota(&b, 1), 2);
    end(&b);
}

static void test_quota_saturates(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "RATIO_MAX=16", "QUOTA_W=8");
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
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=1", "KERNELS=4");
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
    b.in.start = 15; /* leaves the turn */
    fly(&b, 0, 1);
    assert_int_equal(goes(&b, 15), 2);
    reset(&b);
    assert_int_equal(goes(&b, 15), 1);
    end(&b);
}

/* ---- Start ---- */

static void test_start_forgets(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
    fly(&b, 0, 8);
    decide(&b, 0, 32);
    until_shares(&b);
    assert_int_equal(limit(&b, 0), 4);
    land(&b, 0, 2);
    failures(&b, 0, 5);
    accesses(&b, 0, 3);
    b.in.start = 1;
    set_fail(&b, 0); /* counts */
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
    (void)unused;
    for (unsigned i = 0; i < 9; i++) {
        struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
        fly(&b, 0, 8);
        failures(&b, 0, 32);
        accesses(&b, 0, 16);
        idle(&b, i);
        b.in.start = 1;
        cycle(&b);
        for (unsigned n = 0; n < 12; n++) {
            assert_int_equal(now(&b)->update, 0);
            assert_int_equal(limit(&b, 0), 255);
            assert_int_equal(ratio(&b, 0), 1);
            cycle(&b);
        }
        assert_int_equal(now(&b)->st_busy, 0);
        end(&b);
    }
}

/* A start of one makes all shares 1, but leaves the other's ratio. */
static void test_start_shares_alike(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=2", "INTERVAL_W=6", "MINST_W=8", "RF_W=6");
    measure(&b, 0, 16);
    until_shares(&b);
    assert_int_equal(share(&b, 1), 4);
    b.in.start = 2;
    cycle(&b);
    assert_int_equal(share(&b, 1), 1);
    assert_int_equal(ratio(&b, 0), 4);
    assert_int_equal(quota(&b, 1), 1); /* used up, and given its share */
    measure(&b, 1, 8);
    b.in.start = 1; /* while they are being worked out */
    cycle(&b);
    assert_int_equal(now(&b)->st_busy, 0);
    assert_int_equal(ratio(&b, 1), 8);
    end(&b);
}

/* ---- Faults ---- */

static void test_fault_done(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 1);
    set_done(&b, 0, 2);
    cycle(&b);
    assert_int_equal(now(&b)->err, MIL_ERR_DONE);
    assert_int_equal(inflight(&b, 0), 0);
    set_access(&b, 0); /* it goes on */
    cycle(&b);
    assert_int_equal(now(&b)->st_req, 1);
    set_iss(&b, 0, 5);
    cycle(&b);
    assert_int_equal(now(&b)->err, MIL_ERR_DONE); /* the first one */
    reset(&b);
    assert_int_equal(now(&b)->err, MIL_OK);
    end(&b);
}

static void test_fault_kernel(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        struct bench b = START("LIMIT=1", "KERNELS=3");
        if (i == 0)
            set_access(&b, 3);
        else if (i == 1)
            set_fail(&b, 3);
        else
            set_limit(&b, 3, 1);
        cycle(&b);
        assert_int_equal(now(&b)->err, MIL_ERR_KERNEL);
        assert_int_equal(now(&b)->update, 0);
        end(&b);
    }
}

static void test_fault_issued(void **unused) {
    (void)unused;
    struct bench b = START("LIMIT=0", "ORDER=1", "INFLIGHT_W=4");
    b.in.want = 3;
    set_iss(&b, 1, 1); /* 0 goes */
    cycle(&b);
    assert_int_equal(now(&b)->err, MIL_ERR_ISSUED);
    reset(&b);
    fly(&b, 0, 13);
    assert_int_equal(now(&b)->err, MIL_OK);
    set_iss(&b, 0, 3); /* there is room for 2 */
    cycle(&b);
    assert_int_equal(now(&b)->err, MIL_ERR_ISSUED);
    assert_int_equal(inflight(&b, 0), 15);
    end(&b);
}

/* ---- Time that is passed over ---- */

static void test_next_event(void **unused) {
    (void)unused;
    struct bench b = START("INTERVAL_W=4", "RF_W=8", "MINST_W=4");
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
    struct bench a = START(rf_w), b = START(rf_w);
    cycle(&a);
    cycle(&b);
    failures(&a, 1, cycles);
    mil_pass(b.inst.model, 1, cycles);
    assert_memory_equal(now(&a), now(&b), sizeof a.out);
    assert_int_equal(rf(&a, 0), 0);
    failures(&a, 1, 3);
    mil_pass(b.inst.model, 1, 3);
    assert_memory_equal(now(&a), now(&b), sizeof a.out);
    end(&a);
    end(&b);
}

static void test_pass(void **unused) {
    (void)unused;
    expect_pass("RF_W=12", 0);
    expect_pass("RF_W=12", 100);
    expect_pass("RF_W=12", 5000);
    expect_pass("LIMIT=1", 100); /* counts no failures */
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
