// SPDX-License-Identifier: Apache-2.0
/* Traces with a knee, made by hand: the best lmax is worked out, and is found in time.
 *
 * Eight users take turns, each goes round its own lines, `depth` in each set of an L1D of 32 sets
 * and 3 ways, an access each. In a set k users cycle through k * depth lines: if these are at most
 * 3 all hit once they are there; else none ever does, since LRU turns each out just before its next
 * use. An interval of 1024 accesses has 128 of each user, 16 of them in the 4 sampled sets. */
#include "tests/bpg/bench.h"

#define USERS 8
#define INTERVAL 1024

static struct bench start_trace(const char *index) {
    struct bench b = START("WAYS=3", "INTERVAL=1024", "FAIL_W=16", index);
    load_table(&b, USERS);
    return b;
}

/* Access i of a phase; different `area`: different lines. */
static void set_turn(struct bench *b, uint64_t i, uint64_t depth, uint64_t area) {
    uint64_t user = i % USERS, line = i / USERS % (depth * 32);
    set_access(b, BPG_LOAD, (area << 20 | user << 13) + line, user);
}

/* An interval of a phase, in which accesses are refused `fails` times first. */
static struct decision interval(struct bench *b, uint64_t number, uint64_t depth, uint64_t area,
                                uint64_t fails) {
    failures(b, fails);
    for (uint64_t i = 0; i < INTERVAL; i++) {
        set_turn(b, number * INTERVAL + i, depth, area);
        cycle(b);
    }
    return watch_decision(b);
}

/* depth 1: 3 users fit, 4 thrash. The first round, 256 accesses, is cold, so in the first interval
 * a user hits in 3 of 4 rounds: hits(k) is 12 k up to 3, then 0, and
 * Adjusted(k) = 96 k - floor(failures * k^3 / 1024) up to 3. The greatest, by failures:
 *   0       96  192  288                                            3
 *   5000    96 - 4 = 92   192 - 39 = 153   288 - 131 = 157          3
 *   6000    96 - 5 = 91   192 - 46 = 146   288 - 158 = 130          2
 *   14000   96 - 13 = 83  192 - 109 = 83   288 - 369 = -81          2, of equal ones
 *   20000   96 - 19 = 77  192 - 156 = 36   288 - 527 = -239         1 */
static void test_first_decision(void **unused) {
    (void)unused;
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
        struct bench b = start_trace(index[i % 3]);
        struct decision d = interval(&b, 0, 1, 0, expect[e].fails);
        for (unsigned k = 1; k <= 3; k++)
            assert_int_equal(d.adjusted[k - 1], expect[e].adjusted[k - 1]);
        for (int64_t k = 4; k <= USERS; k++)
            assert_int_equal(d.adjusted[k - 1], -((int64_t)expect[e].fails * k * k * k / 1024));
        assert_int_equal(d.lmax, expect[e].lmax);
        end(&b);
    }
}

/* Failures of the first interval alone are forgotten as the hits are: with 6000 the second decision
 * has 3000, and 16 k + 12 k / 2 hits: 8 * 44 - 23 = 329 of 2 users, 8 * 66 - 79 = 449 of 3. */
static void test_failures_fade(void **unused) {
    (void)unused;
    struct bench b = start_trace("INDEX=1");
    assert_int_equal(interval(&b, 0, 1, 0, 6000).lmax, 2);
    struct decision d = interval(&b, 1, 1, 0, 0);
    assert_int_equal(d.adjusted[1], 329);
    assert_int_equal(d.adjusted[2], 449);
    assert_int_equal(d.lmax, 3);
    end(&b);
}

/* At each decision a counter has 16 k hits and half of what it had at the one before:
 *   hits(1)  12 22 27 29 30 31 31 31      hits(2)  24 44 54 59 61 62 63 63
 *   hits(3)  36 66 81 88 92 94 95 95
 * Then the lines get three times as many (depth 3), and new ones: 1 user fits, 2 thrash. A user's
 * round, 768 accesses, is cold; in the first interval it hits 4 times, later 16 times.
 *   1st decision  31/2 + 4 = 19   63/2 = 31   95/2 = 47     still 3
 *   2nd decision  19/2 + 16 = 25  31/2 = 15   47/2 = 23     1
 * The counter of 3 users cannot keep more than 95/4 until then, and 16 + 9 is more: the halving
 * allows two intervals. Back in the first phase, whose lines are gone, the first decision is right:
 *   31/2 + 12 = 27                0 + 24      0 + 36        3 */
static void test_phases(void **unused) {
    (void)unused;
    static const uint32_t warm[8][3] = {{12, 24, 36}, {22, 44, 66}, {27, 54, 81}, {29, 59, 88},
                                        {30, 61, 92}, {31, 62, 94}, {31, 63, 95}, {31, 63, 95}};
    struct bench b = start_trace("INDEX=1");
    for (uint64_t i = 0; i < 8; i++) {
        struct decision d = interval(&b, i, 1, 0, 0);
        for (unsigned k = 0; k < USERS; k++)
            assert_int_equal(d.adjusted[k], k < 3 ? warm[i][k] * 8 : 0);
        assert_int_equal(d.lmax, 3);
    }
    struct decision d = interval(&b, 0, 3, 1, 0);
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
