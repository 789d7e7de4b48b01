// SPDX-License-Identifier: Apache-2.0
/* Tests of clock domains, which have exact edges without drift, and of levels. */
#include "lib/clocks.h"
#include "lib/level.h"
#include "tests/test.h"

/* The n-th edge of a domain of f MHz is at n / f us. The edges between two edges k / g and (k + 1)
 * / g of a domain of g MHz are exactly those with k f <= n g < (k + 1) f. */
static void edges_are_exact(void **state) {
    const uint64_t mhz[CLOCK_DOMAINS] = {2700, 1137, 9973, 700};
    struct clocks c;
    clocks_init(&c, mhz);
    uint64_t n[CLOCK_DOMAINS] = {0};
    for (unsigned i = 0; i < 200000; i++) {
        unsigned edges = clocks_next(&c);
        assert_int_not_equal(edges, 0);
        uint64_t at = UINT64_MAX, f = 1; /* the current instant is at / f us */
        for (unsigned d = 0; d < CLOCK_DOMAINS; d++)
            if (edges & 1u << d) {
                if (at != UINT64_MAX)
                    /* the edges are exactly simultaneous */
                    assert_int_equal(n[d] * f, at * mhz[d]);
                at = n[d]++;
                f = mhz[d];
            }
        for (unsigned d = 0; d < CLOCK_DOMAINS; d++)
            assert_true(n[d] * f > at * mhz[d]); /* no domain is late */
    }
}

static void first_edges_are_together(void **state) {
    const uint64_t mhz[CLOCK_DOMAINS] = {2700, 1137, 1137, 1137};
    struct clocks c;
    clocks_init(&c, mhz);
    assert_int_equal(clocks_next(&c), 0xf);
    unsigned edges[CLOCK_DOMAINS] = {0}, both = 0;
    do {
        unsigned e = clocks_next(&c);
        for (unsigned d = 0; d < CLOCK_DOMAINS; d++)
            edges[d] += e >> d & 1;
        both = e;
    } while (both != 0xf);
    /* the clocks have the ratio 2700 : 1137 = 900 : 379 */
    assert_int_equal(edges[CLOCK_DRAM], 900);
    assert_int_equal(edges[CLOCK_SM], 379);
    assert_int_equal(edges[CLOCK_L2], 379);
}

static void a_level_is_integrated(void **state) {
    struct level l = {0};
    level_change(&l, 10, 1);
    level_change(&l, 12, 2);  /* the level is 1 in cycles 10 and 11 */
    level_change(&l, 15, -3); /* the level is 3 in cycles 12 to 14 */
    level_change(&l, 20, 5);
    assert_int_equal(level_area(&l, 21), 2 + 9 + 5);
    assert_int_equal(level_busy(&l, 21), 2 + 3 + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_exact),
        cmocka_unit_test(first_edges_are_together),
        cmocka_unit_test(a_level_is_integrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
