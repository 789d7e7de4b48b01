/* The account of a warp's lanes: a right coalescer passes, every kind of wrong one is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "check/lanes.h"

#define LINE UINT64_C(0x1000000)

static struct check *check;
static struct lanes *lanes;

static int setup(void **state) {
    (void)state;
    check = check_create(2);
    lanes = lanes_create(check, 1, 2, 4);
    return check && lanes ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    lanes_destroy(lanes);
    check_destroy(check);
    return 0;
}

/* 32 lanes of 4 bytes from the middle of LINE on: 64 bytes in each of two lines. */
static void issue(enum warp_op op) {
    struct warp_inst i = {.op = op, .mask = UINT32_MAX, .repeat = 1, .size = 4};
    for (unsigned l = 0; l < WARP_LANES; l++)
        i.addr[l] = LINE * LINE_BYTES + 64 + 4 * l;
    lanes_issue(lanes, &i);
}

static void enter(bool write, uint32_t id, uint64_t line, uint64_t low, uint64_t high) {
    const struct byte_mask m = {{low, high}};
    lanes_enter(lanes, write, id, line, &m);
}

static void expect_good(void) {
    if (check_failure(check))
        fail_msg("%s", check_failure(check));
}

static void expect_failure(const char *word) {
    assert_non_null(check_failure(check));
    if (!strstr(check_failure(check), word))
        fail_msg("'%s' expected: %s", word, check_failure(check));
}

static void right_accesses_pass(void **state) {
    (void)state;
    for (int round = 0; round < 5; round++) {
        issue(WARP_STORE);
        issue(WARP_LOAD);
        enter(true, 0, LINE + 1, UINT64_MAX, 0);
        enter(true, 0, LINE, 0, UINT64_MAX);
        enter(false, 3, LINE, 0, UINT64_MAX);
        lanes_answer(lanes, 3, LINE);
        enter(false, 3, LINE + 1, UINT64_MAX, 0);
        lanes_answer(lanes, 3, LINE + 1);
        lanes_complete(lanes, 3);
        lanes_end(lanes);
        expect_good();
    }
}

static void a_missing_byte(void **state) {
    (void)state;
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX >> 1);
    expect_failure("without byte 127");
}

static void a_byte_too_many(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 0, LINE, UINT64_C(1) << 63, UINT64_MAX);
    expect_failure("with byte 63");
}

static void a_wrong_line(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 0, LINE + 2, UINT64_MAX, 0);
    expect_failure("do not ask for that");
}

static void a_line_twice(void **state) {
    (void)state;
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX);
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("do not ask for that");
}

static void a_load_as_a_store(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("do not ask for that");
}

static void two_loads_mixed(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 0, LINE, 0, UINT64_MAX);
    enter(false, 1, LINE + 1, UINT64_MAX, 0);
    expect_failure("do not ask for that");
}

static void a_line_left_out_before_the_next(void **state) {
    (void)state;
    issue(WARP_STORE);
    issue(WARP_LOAD);
    enter(true, 0, LINE, 0, UINT64_MAX);
    enter(false, 0, LINE, 0, UINT64_MAX);
    expect_failure("do not ask for that");
}

static void a_line_left_out_at_the_end(void **state) {
    (void)state;
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX);
    lanes_end(lanes);
    expect_failure("never entered");
}

static void a_load_completes_early(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    lanes_answer(lanes, 2, LINE);
    lanes_complete(lanes, 2);
    expect_failure("without its bytes");
}

static void an_answer_too_many(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    lanes_answer(lanes, 2, LINE);
    lanes_answer(lanes, 2, LINE);
    expect_failure("does not wait for");
}

static void a_load_that_never_completes(void **state) {
    (void)state;
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    enter(false, 2, LINE + 1, UINT64_MAX, 0);
    lanes_end(lanes);
    expect_failure("never completed");
}

static void too_many_instructions(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        issue(WARP_STORE);
    expect_failure("more than 2");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(right_accesses_pass),
        CASE(a_missing_byte),
        CASE(a_byte_too_many),
        CASE(a_wrong_line),
        CASE(a_line_twice),
        CASE(a_load_as_a_store),
        CASE(two_loads_mixed),
        CASE(a_line_left_out_before_the_next),
        CASE(a_line_left_out_at_the_end),
        CASE(a_load_completes_early),
        CASE(an_answer_too_many),
        CASE(a_load_that_never_completes),
        CASE(too_many_instructions),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
