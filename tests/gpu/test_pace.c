// SPDX-License-Identifier: Apache-2.0
/* Whether all threads or the caller alone do a cycle, by a clock that the test sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gpu/pace.h"

static uint64_t now;

static uint64_t test_clock(void) {
    return now;
}

/* The cost of a cycle, and the parts that it ticks. */
struct cost {
    uint64_t ns, parts;
};

/* Does a whole round. Returns the cycles that all threads did. */
static uint32_t run_round(struct pace *p, struct cost caller, struct cost all) {
    uint32_t by_all = 0;
    for (uint32_t i = 0; i < PACE_EVERY; i++) {
        const struct cost *cost = pace_all(p) ? &all : &caller;
        by_all += pace_all(p);
        now += cost->ns;
        p->parts += cost->parts;
        pace_cycle(p);
    }
    return by_all;
}

static void whoever_is_faster_does_the_rest(void **state) {
    (void)state;
    const struct cost caller = {100, 8}, faster = {99, 8}, slower = {101, 8};
    struct pace p = {.clock = test_clock};
    assert_int_equal(run_round(&p, caller, slower), PACE_TRY);
    assert_int_equal(run_round(&p, caller, faster), PACE_EVERY - PACE_TRY);
    assert_int_equal(run_round(&p, caller, caller), PACE_TRY);
    assert_int_equal(run_round(&p, caller, faster), PACE_EVERY - PACE_TRY);
}

/* One of the two may have had cycles with more to do. */
static void time_is_that_of_a_part(void **state) {
    (void)state;
    struct pace p = {.clock = test_clock};
    assert_int_equal(run_round(&p, (struct cost){100, 4}, (struct cost){150, 8}),
                     PACE_EVERY - PACE_TRY);
    assert_int_equal(run_round(&p, (struct cost){100, 8}, (struct cost){90, 4}), PACE_TRY);
}

/* Threads that slept are woken in the first half. */
static void the_first_half_is_not_timed(void **state) {
    (void)state;
    struct pace p = {.clock = test_clock};
    for (uint32_t i = 0; i < 2 * PACE_TRY; i++) {
        assert_int_equal(pace_all(&p), i >= PACE_TRY);
        now += i < PACE_TRY ? 100 : i < PACE_TRY + PACE_TRY / 2 ? 100000 : 50;
        p.parts += 8;
        pace_cycle(&p);
    }
    assert_true(pace_all(&p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_is_faster_does_the_rest),
        cmocka_unit_test(time_is_that_of_a_part),
        cmocka_unit_test(the_first_half_is_not_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
