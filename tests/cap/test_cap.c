// SPDX-License-Identifier: Apache-2.0
/* Tests the prefetch sizes of capacity-aware prefetching. tests/cap/golden.sh tests the Verilog. A
 * size is log2 of a number of 64 KiB blocks: 0 means 64 KiB, and 4 means 1024 KiB. */
#include "bench.h"

enum { KIB_64, KIB_128, KIB_256, KIB_512, MIB_1 };

#define MIB(n) ((n)*UINT64_C(16)) /* number of 64 KiB blocks in n MiB */

/* ---- Gu's formula ---- */

static void test_1_gib_free(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, MIB(8), MIB(8));
    expect_size(&b, 0, 262144, false, MIB_1);
    end(&b);
}

static void test_2_mib_free(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 3, MIB(4), MIB(16));
    set(&b, 5, MIB(12), MIB(16));
    expect_size(&b, 3, 512, false, KIB_256); /* the formula gives 465 KiB */
    expect_size(&b, 5, 512, false, MIB_1);   /* the formula gives 1396 KiB */
    end(&b);
}

static void test_420_kib(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, MIB(4), MIB(4));
    expect_size(&b, 0, 116, false, KIB_256); /* the formula gives 421 KiB */
    expect_size(&b, 0, 115, false, KIB_256); /* the formula gives 418 KiB */
    end(&b);
}

static void test_allocation_of_220_kib(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, 3, 3);
    expect_size(&b, 0, 262144, false, KIB_128);
    expect_size(&b, 0, 262144, true, KIB_128);
    end(&b);
}

static void test_oversubscribed(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, MIB(8), MIB(8));
    expect_size(&b, 0, 0, true, KIB_512);
    expect_size(&b, 0, 262144, true, KIB_512);
    end(&b);
}

static void test_least_pages(void **unused) {
    static const struct {
        uint64_t avail;
        unsigned size;
    } cases[] = {{0, KIB_64},    {17, KIB_64},   {18, KIB_64},  {35, KIB_64},
                 {36, KIB_128},  {70, KIB_128},  {71, KIB_256}, {140, KIB_256},
                 {141, KIB_512}, {281, KIB_512}, {282, MIB_1},  {4194303, MIB_1}};
    struct cap_bench b = START("GROUPS=32");
    set(&b, 31, MIB(4), MIB(4));
    for (unsigned i = 0; i < LENGTH(cases); i++)
        expect_size(&b, 31, cases[i].avail, false, cases[i].size);
    end(&b);
}

/* The sizes shrink while one array of 4 MiB fills a memory of 512 frames. Each fault is served
 * alone. */
static void test_memory_fills(void **unused) {
    static const struct {
        uint64_t avail;
        bool full;
        unsigned size;
    } faults[] = {{511, false, MIB_1},  {255, false, KIB_512}, {127, false, KIB_256},
                  {63, false, KIB_128}, {31, false, KIB_64},   {15, false, KIB_64},
                  {0, false, KIB_64},   {0, true, KIB_512}};
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, MIB(4), MIB(4));
    for (unsigned i = 0; i < LENGTH(faults); i++)
        expect_size(&b, 0, faults[i].avail, faults[i].full, faults[i].size);
    end(&b);
}

static void test_equal_sides(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, 16, 10); /* size k needs 160 * avail >= 1760 * 2^k */
    for (unsigned k = 1; k <= 4; k++) {
        expect_size(&b, 0, 11 << k, false, k);
        expect_size(&b, 0, (11 << k) - 1, false, k - 1);
    }
    end(&b);
}

/* Tests another value of the factor C_NUM / C_DEN. The number of blocks in the group always limits
 * the size. */
static void test_other_factor(void **unused) {
    struct cap_bench b = START("C_NUM=3", "C_DEN=2", "OVER=4");
    set(&b, 0, 31, 31);
    set(&b, 1, 15, 31);
    expect_size(&b, 0, 383, false, KIB_512);
    expect_size(&b, 0, 384, false, MIB_1);
    expect_size(&b, 0, 0, true, MIB_1);
    expect_size(&b, 1, 0, true, KIB_512);
    expect_size(&b, 1, 4194303, false, KIB_512);
    end(&b);
}

/* Tests the greatest numbers that the ports accept. */
static void test_most(void **unused) {
    struct cap_bench b = START("GROUPS=64", "AVAIL_W=28", "SIZE_W=24", "C_NUM=255", "C_DEN=255");
    set(&b, 63, 0xffffff, 0xffffff);
    expect_size(&b, 63, 0xfffffff, false, MIB_1);
    expect_size(&b, 63, 255, false, KIB_512);
    set(&b, 63, 16, 0xffffff);
    expect_size(&b, 63, 0xfffffff, false, MIB_1); /* 0xfffffff0 is not less than 0xffffff00 */
    expect_size(&b, 63, 0xffffff0, false, MIB_1);
    expect_size(&b, 63, 0xfffffef, false, KIB_512);
    end(&b);
}

/* ---- Unset groups ---- */

static void test_limit(void **unused) {
    static const unsigned limits[] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4};
    struct cap_bench b = START("GROUPS=32");
    for (unsigned req = 0; req < LENGTH(limits); req++) {
        set(&b, 7, req, 0);
        expect_size(&b, 7, 0, false, limits[req]); /* agg is 0, so any size fits */
        expect_size(&b, 7, 0, true, limits[req] < 3 ? limits[req] : 3);
    }
    set(&b, 7, 0x20000, 0);
    expect_size(&b, 7, 0, false, MIB_1);
    end(&b);
}

static void test_not_set(void **unused) {
    struct cap_bench b = START("GROUPS=5");
    set_req(&b, 4, MIB(4));
    cycle(&b);
    expect_size(&b, 4, 4000, false, KIB_64); /* agg has not been set */
    expect_size(&b, 4, 4000, true, KIB_64);
    set(&b, 7, MIB(4), MIB(4)); /* there are only 5 groups */
    expect_size(&b, 7, 4000, false, KIB_64);
    expect_size(&b, 3, 4000, false, KIB_64);
    expect_size(&b, 3, 4000, true, KIB_64);
    expect_size(&b, 4, 4000, false, MIB_1);
    end(&b);
}

/* ---- Cycles ---- */

static void test_what_is_set_is_seen_in_the_next_cycle(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 2, MIB(1), MIB(1));
    set_ask(&b, 2, 36, false); /* 128 KiB fit */
    set_req(&b, 2, MIB(1) / 16);
    cycle(&b);
    set_ask(&b, 2, 36, false); /* the group has 1/16 of all blocks */
    set_agg(&b, 1);
    cycle(&b);
    set_ask(&b, 2, 36, false); /* the group has all blocks, but its limit is 64 KiB */
    set_req(&b, 2, 2);
    cycle(&b);
    expect_answer(&b, KIB_128);
    set_ask(&b, 2, 36, false);
    cycle(&b);
    expect_answer(&b, KIB_64);
    cycle(&b);
    expect_answer(&b, KIB_64);
    cycle(&b);
    expect_answer(&b, KIB_128);
    cycle(&b);
    expect_none(&b);
    end(&b);
}

/* A setting written after a query does not change the query's answer. */
static void test_a_question_keeps_its_numbers(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, MIB(4), MIB(4));
    for (unsigned at = 0; at < 3; at++) {
        set(&b, 0, MIB(4), MIB(4));
        set_ask(&b, 0, 141, false);
        for (unsigned i = 0; i < 3; i++) {
            if (i == at) {
                set_req(&b, 0, 1);
                set_agg(&b, 1);
            }
            cycle(&b);
        }
        expect_answer(&b, KIB_512);
    }
    end(&b);
}

static void test_a_question_in_each_cycle(void **unused) {
    static const unsigned avail[] = {17, 36, 71, 141, 282}; /* the answer to avail[k] is k */
    struct cap_bench b = START("GROUPS=32");
    set(&b, 9, MIB(2), MIB(2));
    for (unsigned i = 0; i < 40; i++) {
        set_ask(&b, 9, avail[i * 3 % 5], false);
        cycle(&b);
        if (i >= 2)
            expect_answer(&b, (i - 2) * 3 % 5);
    }
    end(&b);
}

static void test_groups_do_not_mix(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    for (unsigned i = 0; i < 32; i++)
        set(&b, i, 1u << i % 5, 0);
    for (unsigned i = 0; i < 34; i++) {
        if (i < 32)
            set_ask(&b, 31 - i, 0, false);
        cycle(&b);
        if (i >= 2)
            expect_answer(&b, (33 - i) % 5);
    }
    end(&b);
}

static void test_reset(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    /* `rest` is the number of cycles from a query to reset */
    for (unsigned rest = 0; rest < 3; rest++) {
        set(&b, 1, MIB(4), MIB(4));
        set_ask(&b, 1, 4000, false);
        for (unsigned i = 0; i < rest; i++)
            cycle(&b);
        set_req(&b, 2, MIB(4));
        set_agg(&b, MIB(4));
        reset(&b);
        idle(&b, 1);
        expect_none(&b);
        expect_size(&b, 1, 4000, false, KIB_64);
        set_agg(&b, MIB(4));
        cycle(&b);
        expect_size(&b, 1, 4000, false, KIB_64);
        expect_size(&b, 2, 4000, false, KIB_64); /* group 2 was set only in the reset cycle */
    }
    end(&b);
}

/* ---- Only the model ---- */

static void check_illegal_parameters(void **unused) {
    static const char *const beyond[] = {"GROUPS=0", "GROUPS=65", "AVAIL_W=3", "AVAIL_W=29",
                                         "SIZE_W=4", "SIZE_W=25", "C_NUM=0",   "C_NUM=256",
                                         "C_DEN=0",  "C_DEN=256", "OVER=-1",   "OVER=5"};
    for (unsigned i = 0; i < LENGTH(beyond); i++) {
        struct block_params p;
        struct error err = {0};
        block_params_default(&cap_type, &p);
        assert_int_equal(block_params_set(&cap_type, &p, beyond[i], &err), -1);
    }
    ILLEGAL("C_NUM must be at least C_DEN", "C_NUM=9");
    ILLEGAL("C_NUM must be at least C_DEN", "C_DEN=12");
}

static void test_observed(void **unused) {
    struct cap_bench b = START("GROUPS=32");
    set(&b, 0, 16, 16);
    set_ask(&b, 0, 282, false);
    cycle(&b);
    assert_int_equal(b.out.st_ask, 0);
    cycle(&b);
    assert_int_equal(b.out.st_ask, 1);
    assert_int_equal(b.out.st_limit, 4);
    assert_int_equal(b.out.st_fit, 4);
    cycle(&b);
    expect_answer(&b, MIB_1);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1_gib_free),
        cmocka_unit_test(test_2_mib_free),
        cmocka_unit_test(test_420_kib),
        cmocka_unit_test(test_allocation_of_220_kib),
        cmocka_unit_test(test_oversubscribed),
        cmocka_unit_test(test_least_pages),
        cmocka_unit_test(test_memory_fills),
        cmocka_unit_test(test_equal_sides),
        cmocka_unit_test(test_other_factor),
        cmocka_unit_test(test_most),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_not_set),
        cmocka_unit_test(test_what_is_set_is_seen_in_the_next_cycle),
        cmocka_unit_test(test_a_question_keeps_its_numbers),
        cmocka_unit_test(test_a_question_in_each_cycle),
        cmocka_unit_test(test_groups_do_not_mix),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(check_illegal_parameters),
        cmocka_unit_test(test_observed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
