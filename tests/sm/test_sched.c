// SPDX-License-Identifier: Apache-2.0
/* Tests of the scheduling policies alone: which warps they choose, and which warps may issue. */
#include "sm/sched.h"
#include "tests/test.h"

#define W(n) (UINT64_C(1) << (n))
#define ALL UINT64_MAX

static struct config cfg;
static struct sched s;

static void make(int64_t policy, int64_t limit) {
    config_default(&cfg);
    cfg.sm_scheduler = policy;
    cfg.sm_active_warps = limit;
    sched_init(&s, &cfg, ALL);
}

/* Starts a warp in each slot of a list, which ends with 99. */
static void start(const unsigned *slot) {
    for (; *slot != 99; slot++)
        sched_add(&s, *slot);
    sched_update(&s, 0, 0);
}

static void expect_allowed(uint64_t at_barrier, uint64_t far, uint64_t allowed) {
    sched_update(&s, at_barrier, far);
    assert_int_equal(s.allowed & s.live_warps, allowed);
    struct sched once = s;
    sched_update(&s, at_barrier, far); /* a repeated update changes nothing */
    assert_memory_equal(&once, &s, sizeof s);
}

static void gto_goes_by_age_not_by_slot(void **state) {
    make(SCHEDULER_GTO, 8);
    start((const unsigned[]){3, 1, 63, 2, 99});
    assert_int_equal(sched_pick(&s, W(2) | W(1) | W(63)), 1);
    /* the last warp has priority, because the policy is greedy */
    assert_int_equal(sched_pick(&s, W(3) | W(1)), 1);
    assert_int_equal(sched_pick(&s, W(2) | W(63)), 63);
    assert_int_equal(sched_pick(&s, W(2)), 2);
    assert_int_equal(sched_pick(&s, W(2) | W(3) | W(63)), 2);
    sched_remove(&s, 2);
    sched_add(&s, 2); /* the slot's next warp is the youngest, and does not have priority */
    assert_int_equal(sched_pick(&s, W(2) | W(63)), 63);
    sched_remove(&s, 3);
    sched_remove(&s, 63);
    assert_int_equal(sched_pick(&s, W(2) | W(1)), 1);
}

static void lrr_goes_round(void **state) {
    make(SCHEDULER_LRR, 8);
    start((const unsigned[]){0, 5, 2, 63, 99});
    const uint64_t all = W(0) | W(5) | W(2) | W(63);
    static const uint32_t order[] = {0, 2, 5, 63, 0, 2};
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(sched_pick(&s, all), order[i]);
    assert_int_equal(sched_pick(&s, W(0) | W(2)), 0);
    assert_int_equal(sched_pick(&s, W(5) | W(63)), 5);
    sched_remove(&s, 5); /* the round continues from slot 5 */
    assert_int_equal(sched_pick(&s, W(0) | W(63)), 63);
    assert_int_equal(sched_pick(&s, W(63)), 63);
    expect_allowed(W(0), W(2), all & ~W(5));
}

static void two_level_replaces_who_waits_long(void **state) {
    make(SCHEDULER_TWO_LEVEL, 2);
    start((const unsigned[]){0, 1, 2, 3, 99});
    expect_allowed(0, 0, W(0) | W(1));
    expect_allowed(0, W(0), W(1) | W(2));
    expect_allowed(0, W(0) | W(1), W(2) | W(3));
    expect_allowed(0, W(1), W(2) | W(3)); /* warp 0 is ready again, but the active set is full */
    expect_allowed(W(2), W(1), W(0) | W(3));
    expect_allowed(W(2), W(1) | W(0), W(3)); /* only waiting warps are replaced */
    expect_allowed(0, 0, W(1) | W(3));       /* warp 1 has waited longest, then 2, then 0 */
    sched_remove(&s, 3);
    expect_allowed(0, 0, W(1) | W(2));
    sched_remove(&s, 1);
    expect_allowed(0, 0, W(0) | W(2));
    sched_add(&s, 1);
    expect_allowed(0, W(0) | W(2), W(1));
    assert_int_equal(sched_pick(&s, W(1)), 1);
}

static void two_level_is_round_robin_inside(void **state) {
    make(SCHEDULER_TWO_LEVEL, 3);
    start((const unsigned[]){4, 2, 6, 1, 99});
    expect_allowed(0, 0, W(4) | W(2) | W(6));
    static const uint32_t order[] = {2, 4, 6, 2};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sched_pick(&s, s.allowed), order[i]);
}

static void swl_lets_the_oldest_issue(void **state) {
    make(SCHEDULER_SWL, 2);
    start((const unsigned[]){5, 1, 3, 0, 99});
    expect_allowed(0, 0, W(5) | W(1));
    expect_allowed(0, W(5) | W(1), W(5) | W(1)); /* a warp that waits for a load keeps its slot */
    expect_allowed(W(5), 0, W(1) | W(3));
    sched_remove(&s, 1);
    expect_allowed(W(5), 0, W(3) | W(0));
    expect_allowed(W(5) | W(3) | W(0), 0, 0);
    expect_allowed(0, 0, W(5) | W(3));
    assert_int_equal(sched_pick(&s, W(5) | W(3)), 5);
    assert_int_equal(sched_pick(&s, W(3)), 3);
    assert_int_equal(sched_pick(&s, W(5) | W(3)), 3); /* GTO order among the allowed warps */
}

static void no_limit_that_matters(void **state) {
    static const int64_t policies[] = {SCHEDULER_TWO_LEVEL, SCHEDULER_SWL};
    for (unsigned p = 0; p < 2; p++) {
        make(policies[p], 64);
        for (unsigned w = 0; w < 64; w++)
            sched_add(&s, w);
        expect_allowed(0, 0, ALL);
        for (unsigned w = 0; w < 64; w++)
            sched_remove(&s, w);
        expect_allowed(0, 0, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gto_goes_by_age_not_by_slot),
        cmocka_unit_test(lrr_goes_round),
        cmocka_unit_test(two_level_replaces_who_waits_long),
        cmocka_unit_test(two_level_is_round_robin_inside),
        cmocka_unit_test(swl_lets_the_oldest_issue),
        cmocka_unit_test(no_limit_that_matters),
    };
    return cmocka_run_group_tests_name("sched", tests, NULL, NULL);
}
