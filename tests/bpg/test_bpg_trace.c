// SPDX-License-Identifier: Apache-2.0
/* Tests with synthetic traces in which all hits are lost if too many users share the cache. The
 * best lmax is computed by hand, and the block must find it in time.
 *
 * Eight users take turns to make accesses. Each user cycles through its own lines, which are
 * `depth` lines per set of an L1D with 32 sets and 3 ways. In a set, k users cycle through
 * k * depth lines. If there are at most 3 such lines, all accesses hit after the first round. If
 * there are more, no access hits, since LRU evicts each line just before its next use. An interval
 * of 1024 accesses has 128 accesses per user, 16 of which are to the 4 sampled sets. */
#include "tests/bpg/bench.h"

#define USERS 8
#define INTERVAL 1024

static struct bpg_bench start_trace(const char *index) {
    struct bpg_bench b = START("WAYS=3", "INTERVAL=1024", "FAIL_W=16", index);
    load_table(&b, USERS);
    return b;
}

/* Presents access i of a phase. Phases with different values of `area` use different lines. */
static void set_turn(struct bpg_bench *b, uint64_t i, uint64_t depth, uint64_t area) {
    uint64_t user = i % USERS, line = i / USERS % (depth * 32);
    set_access(b, BPG_LOAD, (area << 20 | user << 13) + line, user);
}

/* Reports `fails` failures, then runs interval `number` of a phase. Returns the interval's
 * decision. */
static struct test_bpg_decision interval(struct bpg_bench *b, uint64_t number, uint64_t depth,
                                         uint64_t area, uint64_t fails) {
    failures(b, fails);
    for (uint64_t i = 0; i < INTERVAL; i++) {
        set_turn(b, number * INTERVAL + i, depth, area);
        cycle(b);
    }
    return watch_decision(b);
}

/* With depth 1, 3 users fit and 4 thrash. The first round, 256 accesses, is cold, so in the first
 * interval a user hits in 3 of 4 rounds. For k up to 3, hits(k) is 12 k, and Adjusted(k) is
 * 96 k - floor(failures * k^3 / 1024). For greater k, hits(k) is 0.
 *   failures  Adjusted(1)   Adjusted(2)      Adjusted(3)        lmax
 *   0         96            192              288                3
 *   5000      96 - 4 = 92   192 - 39 = 153   288 - 131 = 157    3
 *   6000      96 - 5 = 91   192 - 46 = 146   288 - 158 = 130    2
 *   14000     96 - 13 = 83  192 - 109 = 83   288 - 369 = -81    2, the greater k in the tie
 *   20000     96 - 19 = 77  192 - 156 = 36   288 - 527 = -239   1 */
static void test_first_decision(void **unused) {
    static const struct {
        uint64_t fails;
        int64_t adjusted[3];
        unsigned lmax;
    } expect[] = {{0, {96, 192, 288}, 3},
                  {5000, {92, 153, 157}, 3},
                  {6000, {91, 146, 130}, 2},
                  {14000, {83, 83, -81}, 2},
                  {20000, {77, 36, -239}, 1}};
    static const char *const index[] = {"INDEX=0", "INDEX=1", "INDEX=2"};
    for (unsigned i = 0; i < 15; i++) {
        unsigned e = i / 3;
        struct bpg_bench b = start_trace(index[i % 3]);
        struct test_bpg_decision d = interval(&b, 0, 1, 0, expect[e].fails);
        for (unsigned k = 1; k <= 3; k++)
            assert_int_equal(d.adjusted[k - 1], expect[e].adjusted[k - 1]);
        for (int64_t k = 4; k <= USERS; k++)
            assert_int_equal(d.adjusted[k - 1], -((int64_t)expect[e].fails * k * k * k / 1024));
        assert_int_equal(d.lmax, expect[e].lmax);
        end(&b);
    }
}

/* Failures that occur only in the first interval are halved like the hits. With 6000 failures in
 * the first interval, the second decision counts 3000 failures and 16 k + 12 k / 2 = 22 k hits.
 * Adjusted(2) is 8 * 44 - 23 = 329, and Adjusted(3) is 8 * 66 - 79 = 449. */
static void test_failures_fade(void **unused) {
    struct bpg_bench b = start_trace("INDEX=1");
    assert_int_equal(interval(&b, 0, 1, 0, 6000).lmax, 2);
    struct test_bpg_decision d = interval(&b, 1, 1, 0, 0);
    assert_int_equal(d.adjusted[1], 329);
    assert_int_equal(d.adjusted[2], 449);
    assert_int_equal(d.lmax, 3);
    end(&b);
}

/* At the first decision, the counter of k users has 12 k hits. At each later decision, it has 16 k
 * new hits plus half of its value at the previous decision:
 *   hits(1)  12 22 27 29 30 31 31 31      hits(2)  24 44 54 59 61 62 63 63
 *   hits(3)  36 66 81 88 92 94 95 95
 * Then the phase changes to new lines, three times as many (depth 3), so 1 user fits and 2 thrash.
 * The first round, 768 accesses, is cold. A user hits 4 times in the first interval and 16 times in
 * each later one. The counters of 1, 2 and 3 users and the resulting lmax are:
 *   1st decision  31/2 + 4 = 19   63/2 = 31   95/2 = 47     still 3
 *   2nd decision  19/2 + 16 = 25  31/2 = 15   47/2 = 23     1
 * After two halvings, the counter of 3 users is at most 95/4, which is less than the 16 + 9 of 1
 * user, so two decisions suffice. Back in the first phase, whose lines were evicted, the first
 * decision is right:
 *   31/2 + 12 = 27                0 + 24      0 + 36        3 */
static void test_phases(void **unused) {
    static const uint32_t warm[8][3] = {{12, 24, 36}, {22, 44, 66}, {27, 54, 81}, {29, 59, 88},
                                        {30, 61, 92}, {31, 62, 94}, {31, 63, 95}, {31, 63, 95}};
    struct bpg_bench b = start_trace("INDEX=1");
    for (uint64_t i = 0; i < 8; i++) {
        struct test_bpg_decision d = interval(&b, i, 1, 0, 0);
        for (unsigned k = 0; k < USERS; k++)
            assert_int_equal(d.adjusted[k], k < 3 ? warm[i][k] * 8 : 0);
        assert_int_equal(d.lmax, 3);
    }
    struct test_bpg_decision d = interval(&b, 0, 3, 1, 0);
    assert_int_equal(d.adjusted[0], 19 * 8);
    assert_int_equal(d.adjusted[2], 47 * 8);
    assert_int_equal(d.lmax, 3);
    d = interval(&b, 1, 3, 1, 0);
    assert_int_equal(d.adjusted[0], 25 * 8);
    assert_int_equal(d.adjusted[1], 15 * 8);
    assert_int_equal(d.adjusted[2], 23 * 8);
    assert_int_equal(d.lmax, 1);
    for (uint64_t i = 2; i < 8; i++)
        assert_int_equal(interval(&b, i, 3, 1, 0).lmax, 1);
    d = interval(&b, 0, 1, 0, 0);
    assert_int_equal(d.adjusted[0], 27 * 8);
    assert_int_equal(d.adjusted[2], 36 * 8);
    assert_int_equal(d.lmax, 3);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_decision),
        cmocka_unit_test(test_failures_fade),
        cmocka_unit_test(test_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
