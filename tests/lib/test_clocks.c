// SPDX-License-Identifier: Apache-2.0
/* Clock domains: exact edges, no drift. FIFOs and levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/clocks.h"
#include "lib/fifo.h"
#include "lib/level.h"

/* The n-th edge of a domain of f MHz is at n / f: between two edges of another domain of g MHz, at
 * k / g and (k + 1) / g, lie exactly the n with k f <= n g < (k + 1) f. */
static void edges_are_exact(void **state) {
    (void)state;
    const uint64_t mhz[CLOCK_DOMAINS] = {2700, 1137, 9973, 700};
    struct clocks c;
    clocks_init(&c, mhz);
    uint64_t n[CLOCK_DOMAINS] = {0};
    for (unsigned i = 0; i < 200000; i++) {
        unsigned edges = clocks_next(&c);
        assert_int_not_equal(edges, 0);
        uint64_t at = UINT64_MAX, f = 1; /* this instant is at / f */
        for (unsigned d = 0; d < CLOCK_DOMAINS; d++)
            if (edges & 1u << d) {
                if (at != UINT64_MAX)
                    assert_int_equal(n[d] * f, at * mhz[d]); /* truly simultaneous */
                at = n[d]++;
                f = mhz[d];
            }
        for (unsigned d = 0; d < CLOCK_DOMAINS; d++)
            assert_true(n[d] * f > at * mhz[d]); /* no domain is late */
    }
}

static void first_edges_are_together(void **state) {
    (void)state;
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
    assert_int_equal(edges[CLOCK_DRAM], 900); /* 2700 : 1137 = 900 : 379 */
    assert_int_equal(edges[CLOCK_SM], 379);
    assert_int_equal(edges[CLOCK_L2], 379);
}

static void a_fifo_keeps_order_and_size(void **state) {
    (void)state;
    struct fifo q;
    fifo_init(&q, 3);
    uint32_t in = 0, out = 0;
    for (unsigned i = 0; i < 100; i++) {
        while (!fifo_full(&q))
            fifo_push(&q, in++);
        assert_int_equal(q.count, 3);
        for (uint32_t k = 0; k < 3; k++)
            assert_int_equal(fifo_at(&q, k), out + k);
        for (unsigned k = 0; k < 1 + i % 3; k++)
            assert_int_equal(fifo_pop(&q), out++);
    }
    fifo_free(&q);
}

static void a_level_is_integrated(void **state) {
    (void)state;
    struct level l = {0};
    level_change(&l, 10, 1);
    level_change(&l, 12, 2);  /* 1 in cycles 10, 11 */
    level_change(&l, 15, -3); /* 3 in cycles 12..14 */
    level_change(&l, 20, 5);
    assert_int_equal(level_area(&l, 21), 2 + 9 + 5);
    assert_int_equal(level_busy(&l, 21), 2 + 3 + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_exact),
        cmocka_unit_test(first_edges_are_together),
        cmocka_unit_test(a_fifo_keeps_order_and_size),
        cmocka_unit_test(a_level_is_integrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
