// SPDX-License-Identifier: Apache-2.0
/* Tests of the arithmetic pipelines alone: the cycle in which each instruction enters.
 * tier: test, 1 s */
#include "sm/alu_pipes.h"
#include "tests/test.h"

/* Issues instructions to n pipelines. 'a' is arithmetic, 'e' is an exit or a barrier, and a comma
 * ends a cycle. Returns the cycles in which the instructions enter, as digits. */
static const char *entered(uint32_t n, const char *insts) {
    static char text[64];
    struct alu_pipes p = {.n = n};
    size_t size = 0;
    uint64_t cycle = 1;
    for (; *insts; insts++)
        if (*insts == ',')
            cycle++;
        else
            text[size++] = (char)('0' + alu_pipes_enter(&p, *insts == 'a', cycle));
    text[size] = '\0';
    return text;
}

static void as_many_a_cycle_as_pipes(void **state) {
    assert_string_equal(entered(2, "aaaaa"), "11223");
    assert_string_equal(entered(1, "aaa,,,,,aa"), "12367");
    assert_string_equal(entered(3, "aa,aa,aa,aaaa"), "1122334445");
}

/* Three cycles after arithmetic that filled the pipelines, no exit can enter. */
static void an_exit_waits(void **state) {
    assert_string_equal(entered(2, "aa,aa,aa,e"), "1122337");
    assert_string_equal(entered(1, "a,a,a,e,a"), "12378");
    assert_string_equal(entered(1, "a,,,e"), "15");
    assert_string_equal(entered(1, "a,,e"), "13");
    assert_string_equal(entered(1, "a,,,,e"), "15");
}

/* An exit enters if one pipeline was free in the cycle three cycles earlier. */
static void an_exit_passes(void **state) {
    assert_string_equal(entered(2, "a,a,a,e,a"), "12345");
    assert_string_equal(entered(2, "aa,,,,e"), "115");
    assert_string_equal(entered(2, "e,e,e"), "123");
    assert_string_equal(entered(1, "e,,,e"), "14");
}

/* Exits that issue in the same cycle need one pipeline each. The next cycle uses other
 * pipelines. */
static void exits_of_a_cycle(void **state) {
    assert_string_equal(entered(2, "ee"), "11");
    assert_string_equal(entered(2, "a,,,eea"), "1455");
    assert_string_equal(entered(2, "aa,aa,aa,ee,aa"), "1122337788");
}

/* After a long pause, earlier instructions make no difference. */
static void a_pause(void **state) {
    assert_string_equal(entered(1, "aaa,,,,,,,,e"), "1239");
}

static void room_for_three_cycles(void **state) {
    struct alu_pipes p = {.n = 2};
    for (unsigned i = 0; i < 7; i++) {
        assert_true(alu_pipes_room(&p, 1));
        alu_pipes_enter(&p, true, 1);
    }
    assert_true(alu_pipes_room(&p, 1)); /* the eighth instruction enters in cycle 4 */
    alu_pipes_enter(&p, true, 1);
    assert_false(alu_pipes_room(&p, 1));
    assert_true(alu_pipes_room(&p, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_a_cycle_as_pipes),
        cmocka_unit_test(an_exit_waits),
        cmocka_unit_test(an_exit_passes),
        cmocka_unit_test(exits_of_a_cycle),
        cmocka_unit_test(a_pause),
        cmocka_unit_test(room_for_three_cycles),
    };
    return cmocka_run_group_tests_name("alu_pipes", tests, NULL, NULL);
}
