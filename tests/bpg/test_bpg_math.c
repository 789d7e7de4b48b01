// SPDX-License-Identifier: Apache-2.0
/* Tests Adjusted Hits at the ports against exact rational arithmetic. Also tests the choice of the
 * best value in ties, with counters at their limits, and at all widths. */
#include <stdio.h>

#include "tests/bpg/bench.h"

typedef __int128 wide;

/* Returns x^3. */
static wide cube(uint64_t x) {
    return (wide)x * x * x;
}

static void expect_cube(uint32_t k, uint32_t n) {
    uint32_t c = bpg_cube(k, n);
    assert_true(c <= 1u << 16);
    if (k >= n) {
        assert_int_equal(c, 1u << 16);
        return;
    }
    wide exact = cube(k) << 16; /* the exact entry times n^3 */
    assert_true(c * cube(n) <= exact && exact < (c + (wide)1) * cube(n));
}

static void test_table(void **unused) {
    for (uint32_t k = 1; k <= BPG_MAX_CALCULATORS; k++) {
        for (uint32_t n = 1; n <= 2048; n++)
            expect_cube(k, n);
        expect_cube(k, 65535);
    }
    expect_cube(65534, 65535);
}

/* Checks that `got` is the integer defined in the contract, and that it is near the exact value
 * hits * 2^HIT_SCALE - fails * (min(k, users) / users)^3 / 2. */
static void expect_adjusted(const struct bpg_bench *b, int64_t got, unsigned k, uint32_t users,
                            uint64_t hits, uint64_t fails) {
    int64_t scaled = (int64_t)(hits << param(b, BPG_HIT_SCALE));
    assert_true(got == scaled - (int64_t)(fails * bpg_cube(k, users) >> 17));
    wide n3 = cube(users), k3 = k < users ? cube(k) : n3;
    /* the difference between `got` and the exact value, times 2 n^3 2^17 */
    wide above = (got * n3 * 2 - (scaled * n3 * 2 - fails * k3)) << 17;
    assert_true(above >= 0);
    assert_true(above < 2 * n3 * (((wide)1 << 17) + fails));
}

/* Returns the k with the greatest value. In a tie, returns the greatest such k. */
static unsigned best_of(const int64_t *value, unsigned n) {
    unsigned best = n;
    for (unsigned k = n; k >= 1; k--)
        if (value[k - 1] > value[best - 1])
            best = k;
    return best;
}

static void check(struct bpg_bench *b, uint32_t users, const uint32_t *hits, uint64_t fails) {
    struct test_bpg_decision d = decision_of(b, hits, fails);
    for (unsigned k = 1; k <= calculators(b); k++)
        expect_adjusted(b, d.adjusted[k - 1], k, users, hits[k - 1], fails);
    assert_int_equal(d.lmax, best_of(d.adjusted, calculators(b)));
}

static void check_all_alike(struct bpg_bench *b, uint32_t users, uint32_t hits, uint64_t fails) {
    uint32_t each[BPG_MAX_CALCULATORS];
    for (unsigned k = 0; k < calculators(b); k++)
        each[k] = hits;
    check(b, users, each, fails);
}

/* Lists 0, 1, the powers of two and their neighbors, up to the maximum of `width` bits, without
 * duplicates. Returns the number of listed values. */
static unsigned corners(unsigned width, uint64_t *value) {
    unsigned n = 0;
    uint64_t next = 0;
    for (unsigned bit = 0; bit <= width; bit++)
        for (uint64_t v = (UINT64_C(1) << bit) - 1; v <= (UINT64_C(1) << bit) + 1; v++)
            if (v >= next && v <= bits_low(width)) {
                value[n++] = v;
                next = v + 1;
            }
    return n;
}

static void check_failures(struct bpg_bench *b, uint32_t users, uint32_t hits) {
    uint64_t fails[64];
    unsigned n = corners((unsigned)param(b, BPG_FAIL_W), fails);
    load_table(b, users);
    for (unsigned i = 0; i < n; i++)
        check_all_alike(b, users, hits, fails[i]);
}

/* Tests 16 calculators with 1 to 33 users and with some greater numbers of users, and then each
 * HIT_SCALE with 1 to 32 users. */
static void test_all_users_and_failures(void **unused) {
    struct bpg_bench b = START("CALCULATORS=16", "FAIL_W=16", "INTERVAL=20");
    for (uint32_t users = 1; users <= 33; users++)
        check_failures(&b, users, 0);
    static const uint32_t more[] = {48, 64, 100, 1023, 1024, 65535};
    for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
        check_failures(&b, more[i], 0);
    end(&b);
    for (unsigned scale = 0; scale <= 7; scale++) {
        char set[32];
        snprintf(set, sizeof set, "HIT_SCALE=%u", scale);
        b = START("CALCULATORS=16", "INTERVAL=20", set);
        for (uint32_t users = 1; users <= 32; users++)
            check_failures(&b, users, 1);
        end(&b);
    }
}

/* Tests counters that are 0, 1 or full, with the given widths and HIT_SCALE. */
static void check_widths(int64_t hit_w, int64_t fail_w, int64_t scale) {
    struct block_params p;
    p = point((const char *const[]){"CALCULATORS=4", NULL});
    p.v[BPG_HIT_W] = hit_w;
    p.v[BPG_FAIL_W] = fail_w;
    p.v[BPG_HIT_SCALE] = scale;
    p.v[BPG_INTERVAL] = (1 << hit_w) + 8;
    struct bpg_bench b = start_at(NULL, &p);
    static const uint32_t users[] = {1, 3, 5, 16};
    uint32_t hits[] = {0, 1, (uint32_t)bits_low((unsigned)hit_w)};
    uint64_t fails[] = {0, 1, bits_low((unsigned)fail_w)};
    for (int u = 0; u < 4; u++) {
        load_table(&b, users[u]);
        for (int h = 0; h < 3; h++)
            for (int f = 0; f < 3; f++)
                check_all_alike(&b, users[u], hits[h], fails[f]);
    }
    end(&b);
}

static void test_widths(void **unused) {
    static const int64_t hit_w[] = {2, 3, 9, 10}, fail_w[] = {2, 3, 12, 13, 15, 16};
    for (int h = 0; h < 4; h++)
        for (int f = 0; f < 6; f++)
            for (int64_t scale = 0; scale <= 7; scale++)
                check_widths(hit_w[h], fail_w[f], scale);
    static const int64_t scales[] = {0, 7};
    for (int s = 0; s < 2; s++) {
        check_widths(16, 2, scales[s]);
        check_widths(16, 16, scales[s]);
        check_widths(15, 16, scales[s]);
    }
}

/* Tests decisions in which the calculators have different numbers of hits. */
static void test_each_its_own_hits(void **unused) {
    struct bpg_bench b = START("CALCULATORS=8", "INTERVAL=3000");
    static const uint32_t hits[][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {40, 80, 110, 128, 130, 120, 60, 10},
        {0, 0, 0, 9, 0, 0, 0, 0}, {1, 0, 1, 0, 1, 0, 1, 0}, {300, 1, 0, 2, 0, 3, 0, 301}};
    static const uint64_t fails[] = {0, 1, 100, 1000, 4095};
    for (uint32_t users = 1; users <= 9; users++) {
        load_table(&b, users);
        for (int h = 0; h < 6; h++)
            for (int f = 0; f < 5; f++)
                check(&b, users, hits[h], fails[f]);
    }
    end(&b);
}

/* ---- Ties: the greatest k ---- */

static void test_ties(void **unused) {
    struct bpg_bench b = START("INTERVAL=200");
    load_table(&b, 8);
    for (uint32_t hits = 0; hits < 4; hits++) {
        uint32_t each[8] = {hits, hits, hits, hits, hits, hits, hits, hits};
        assert_int_equal(decision_of(&b, each, 0).lmax, 8);
    }
    for (unsigned low = 0; low < 8; low++)
        for (unsigned high = low; high < 8; high++) {
            uint32_t hits[8] = {2, 1, 0, 2, 1, 0, 2, 1};
            hits[low] = hits[high] = 3;
            assert_int_equal(decision_of(&b, hits, 0).lmax, high + 1);
        }
    end(&b);
}

/* Tests equal Adjusted Hits that result from different hits and failures. With 8 users and 16
 * failures, RF(8)/2 is 8, which is one scaled hit, RF(4)/2 is 1, and RF(3)/2 is 0. */
static void test_ties_of_different_parts(void **unused) {
    struct bpg_bench b = START("INTERVAL=100");
    load_table(&b, 8);
    struct test_bpg_decision d = decision_of(&b, (uint32_t[8]){0, 0, 1, 0, 0, 0, 0, 2}, 16);
    assert_int_equal(d.adjusted[2], 8);
    assert_int_equal(d.adjusted[7], 8);
    assert_int_equal(d.lmax, 8);
    /* calculators 3 and 8 have the values 8 and 7 */
    assert_int_equal(decision_of(&b, (uint32_t[8]){0, 0, 1, 0, 0, 0, 0, 2}, 18).lmax, 3);
    assert_int_equal(decision_of(&b, (uint32_t[8]){0, 0, 1, 0, 0, 0, 0, 2}, 17).lmax, 8);
    end(&b);
}

/* With 8 users, the table entry c(k) is exactly 128 k^3, so RF(k)/2 is
 * floor(failures * k^3 / 1024). All values of k for which this is 0 tie. The greatest k with
 * failures * k^3 < 1024 is chosen, or 1 if there is none. */
static void test_failures_only(void **unused) {
    static const struct {
        uint64_t fails;
        unsigned lmax;
    } expect[] = {{0, 8},   {1, 8},    {2, 7},    {3, 6},    {4, 6},    {5, 5},   {8, 5},
                  {9, 4},   {15, 4},   {16, 3},   {37, 3},   {38, 2},   {127, 2}, {128, 1},
                  {999, 1}, {1023, 1}, {1024, 1}, {1200, 1}, {2048, 1}, {4095, 1}};
    struct bpg_bench b = START("INTERVAL=20");
    load_table(&b, 8);
    for (unsigned i = 0; i < sizeof expect / sizeof *expect; i++)
        assert_int_equal(decision_of(&b, (uint32_t[8]){0}, expect[i].fails).lmax, expect[i].lmax);
    load_table(&b, 1); /* all entries are 1.0, so all k tie */
    assert_int_equal(decision_of(&b, (uint32_t[8]){0}, 4095).lmax, 8);
    load_table(&b, 5); /* calculators 5 to 8 tie, and are worse than 1 to 4 */
    assert_int_equal(decision_of(&b, (uint32_t[8]){0}, 4095).lmax, 1);
    end(&b);
}

/* Calculators 5 to 8 have equal hits and equal table entries. */
static void test_more_calculators_than_users(void **unused) {
    struct bpg_bench b = START("INTERVAL=500");
    load_table(&b, 5);
    struct test_bpg_decision d = decision_of(&b, (uint32_t[8]){5, 9, 13, 20, 32, 32, 32, 32}, 100);
    assert_int_equal(d.adjusted[4], 32 * 8 - 50);
    for (unsigned k = 5; k < 8; k++)
        assert_int_equal(d.adjusted[k], d.adjusted[4]);
    assert_int_equal(d.lmax, 8);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),         cmocka_unit_test(test_all_users_and_failures),
        cmocka_unit_test(test_widths),        cmocka_unit_test(test_each_its_own_hits),
        cmocka_unit_test(test_ties),          cmocka_unit_test(test_ties_of_different_parts),
        cmocka_unit_test(test_failures_only), cmocka_unit_test(test_more_calculators_than_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
