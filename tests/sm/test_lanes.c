// SPDX-License-Identifier: Apache-2.0
/* Tests of the coalescer check (sm/lanes.h): it accepts a correct coalescer and detects each kind
 * of error. */
#include "sm/lanes.h"
#include "check/check.h"
#include "mrpb/mrpb.h"
#include "tests/test.h"

#define LINE UINT64_C(0x1000000)
#define WARP 5

/* prioritization queue that the helpers below use for instructions and accesses */
static uint32_t queue;
static struct check *check;
static struct lanes *lanes;

static int make(int64_t coalesce, int64_t queues) {
    queue = 0;
    check = check_create(2);
    struct config cfg;
    config_default(&cfg);
    cfg.sm_lsu_queue = 2;
    cfg.sm_pending_loads = 4;
    cfg.l1d_mrpb_queues = queues;
    cfg.sm_coalesce = coalesce;
    lanes = lanes_create(check, &cfg, 1);
    return check && lanes ? 0 : -1;
}

static int setup(void **state) {
    return make(COALESCE_LINE, 0);
}

static int setup_sectors(void **state) {
    return make(COALESCE_SECTOR, 0);
}

static int setup_segments(void **state) {
    return make(COALESCE_SEGMENT, 0);
}

static int setup_queues(void **state) {
    return make(COALESCE_LINE, 2);
}

static int teardown(void **state) {
    lanes_destroy(lanes);
    check_destroy(check);
    return 0;
}

/* Issues an instruction with 32 lanes of 4 bytes, from the middle of LINE on, so that 64 bytes are
 * in each of two lines. */
static void issue(enum warp_op op) {
    struct warp_inst i = {.op = op, .mask = UINT32_MAX, .repeat = 1, .size = 4};
    for (unsigned l = 0; l < WARP_LANES; l++)
        i.addr[l] = LINE * LINE_BYTES + 64 + 4 * l;
    lanes_issue(lanes, &i, WARP, queue);
}

static void enter_as(enum warp_op op, bool local, uint32_t id, uint64_t line, uint64_t low,
                     uint64_t high) {
    const struct lanes_access a = {op, local, id, line, {{low, high}}, queue};
    lanes_enter(lanes, &a);
}

static void enter(bool write, uint32_t id, uint64_t line, uint64_t low, uint64_t high) {
    enter_as(write ? WARP_STORE : WARP_LOAD, false, id, line, low, high);
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
    for (int round = 0; round < 5; round++) {
        issue(WARP_STORE);
        issue(WARP_LOAD);
        enter(true, 0, LINE + 1, UINT64_MAX, 0);
        enter(true, 0, LINE, 0, UINT64_MAX);
        enter(false, 3, LINE, 0, UINT64_MAX);
        lanes_answer(lanes, 3, LINE, 64);
        enter(false, 3, LINE + 1, UINT64_MAX, 0);
        lanes_answer(lanes, 3, LINE + 1, 0);
        lanes_complete(lanes, 3);
        lanes_end(lanes);
        expect_good();
    }
}

static void a_missing_byte(void **state) {
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX >> 1);
    expect_failure("without byte 127");
}

static void a_byte_too_many(void **state) {
    issue(WARP_LOAD);
    enter(false, 0, LINE, UINT64_C(1) << 63, UINT64_MAX);
    expect_failure("with byte 63");
}

static void a_wrong_line(void **state) {
    issue(WARP_LOAD);
    enter(false, 0, LINE + 2, UINT64_MAX, 0);
    expect_failure("lanes do not request");
}

static void a_line_twice(void **state) {
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX);
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("lanes do not request");
}

static void a_load_as_a_store(void **state) {
    issue(WARP_LOAD);
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("lanes do not request");
}

static void two_loads_mixed(void **state) {
    issue(WARP_LOAD);
    enter(false, 0, LINE, 0, UINT64_MAX);
    enter(false, 1, LINE + 1, UINT64_MAX, 0);
    expect_failure("lanes do not request");
}

static void a_line_left_out_before_the_next(void **state) {
    issue(WARP_STORE);
    issue(WARP_LOAD);
    enter(true, 0, LINE, 0, UINT64_MAX);
    enter(false, 0, LINE, 0, UINT64_MAX);
    expect_failure("lanes do not request");
}

static void a_line_left_out_at_the_end(void **state) {
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX);
    lanes_end(lanes);
    expect_failure("never entered");
}

static void a_load_completes_early(void **state) {
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_complete(lanes, 2);
    expect_failure("without its bytes");
}

static void an_answer_too_many(void **state) {
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_answer(lanes, 2, LINE, 64);
    expect_failure("for which it does not wait");
}

static void an_answer_to_no_load(void **state) {
    lanes_answer(lanes, 2, LINE, 64);
    expect_failure("for which it does not wait");
}

static void a_load_that_never_completes(void **state) {
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    enter(false, 2, LINE + 1, UINT64_MAX, 0);
    lanes_end(lanes);
    expect_failure("never completed");
}

static void too_many_instructions(void **state) {
    for (int i = 0; i < 3; i++)
        issue(WARP_STORE);
    expect_failure("more than 2");
}

/* ---- sectors ---- */

static void sectors_enter_and_are_answered_alone(void **state) {
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_C(0xffffffff) << 32);
    enter(false, 2, LINE, 0, UINT32_MAX);
    enter(false, 2, LINE + 1, UINT32_MAX, 0);
    lanes_answer(lanes, 2, LINE + 1, 0);
    enter(false, 2, LINE + 1, UINT64_C(0xffffffff) << 32, 0);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_answer(lanes, 2, LINE + 1, 32);
    expect_good();
    lanes_answer(lanes, 2, LINE + 1, 32);
    expect_failure("for which it does not wait");
}

static void a_line_instead_of_its_sectors(void **state) {
    issue(WARP_STORE);
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("with byte 96");
}

/* ---- segments ---- */

/* Issues an instruction whose 32 lanes of `size` bytes, at a stride of 4 bytes, span all of
 * LINE. */
static void issue_apart(enum warp_op op, uint8_t size) {
    struct warp_inst i = {.op = op, .mask = UINT32_MAX, .repeat = 1, .size = size};
    for (unsigned l = 0; l < WARP_LANES; l++)
        i.addr[l] = LINE * LINE_BYTES + 4 * l;
    lanes_issue(lanes, &i, WARP, queue);
}

#define EACH_4TH_BYTE UINT64_C(0x1111111111111111) /* mask of each fourth byte in 64 bytes */

static void segments_enter_and_are_answered_alone(void **state) {
    issue_apart(WARP_LOAD, 1);
    enter(false, 2, LINE, 0, EACH_4TH_BYTE << 32);
    enter(false, 2, LINE, EACH_4TH_BYTE & UINT32_MAX, 0);
    enter(false, 2, LINE, 0, EACH_4TH_BYTE & UINT32_MAX);
    lanes_answer(lanes, 2, LINE, 96);
    enter(false, 2, LINE, EACH_4TH_BYTE << 32, 0);
    lanes_answer(lanes, 2, LINE, 0);
    lanes_answer(lanes, 2, LINE, 32);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_complete(lanes, 2);
    lanes_end(lanes);
    expect_good();
}

static void segments_have_the_size_of_the_access(void **state) {
    issue_apart(WARP_STORE, 2);
    issue_apart(WARP_STORE, 4);
    enter(true, 0, LINE, EACH_4TH_BYTE * 3, 0);
    enter(true, 0, LINE, 0, EACH_4TH_BYTE * 3);
    enter(true, 0, LINE, UINT64_MAX, UINT64_MAX);
    lanes_end(lanes);
    expect_good();
}

static void a_line_instead_of_its_segments(void **state) {
    issue_apart(WARP_STORE, 2);
    enter(true, 0, LINE, EACH_4TH_BYTE * 3, EACH_4TH_BYTE * 3);
    expect_failure("with byte 64");
}

static void a_sector_instead_of_a_segment(void **state) {
    issue_apart(WARP_STORE, 2);
    enter(true, 0, LINE, EACH_4TH_BYTE * 3 & UINT32_MAX, 0);
    expect_failure("without byte 32");
}

static void a_load_completes_without_a_segment(void **state) {
    issue_apart(WARP_LOAD, 2);
    enter(false, 1, LINE, EACH_4TH_BYTE * 3, 0);
    enter(false, 1, LINE, 0, EACH_4TH_BYTE * 3);
    lanes_answer(lanes, 1, LINE, 64);
    lanes_complete(lanes, 1);
    expect_failure("without its bytes");
}

/* Issues an atomic in which each lane updates its own word, except the last lane, which updates
 * the previous lane's word. */
static void issue_atomic_row(bool result) {
    struct warp_inst i = {.op = WARP_ATOMIC, .mask = UINT32_MAX, .repeat = 1, .size = 4};
    for (unsigned l = 0; l < WARP_LANES; l++)
        i.addr[l] = LINE * LINE_BYTES + 4 * (l == 31 ? 30 : l);
    i.dst.w[0] = result;
    lanes_issue(lanes, &i, WARP, queue);
}

static void enter_atomic(uint64_t low, uint64_t high) {
    enter_as(WARP_ATOMIC, false, 1, LINE, low, high);
}

static void halves_of_an_atomic_enter_in_order(void **state) {
    for (int result = 0; result < 2; result++) {
        issue_atomic_row(result);
        enter_atomic(UINT64_MAX, 0);
        enter_atomic(0, UINT64_MAX >> 4);
        enter_atomic(0, UINT64_C(0xf) << 56);
        if (result) {
            for (unsigned n = 0; n < 3; n++)
                lanes_answer(lanes, 1, LINE, n ? 64 : 0);
            lanes_complete(lanes, 1);
        }
        lanes_end(lanes);
        expect_good();
    }
}

static void a_half_of_an_atomic_is_lost(void **state) {
    issue_atomic_row(false);
    enter_atomic(UINT64_MAX, 0);
    lanes_end(lanes);
    expect_failure("never entered");
}

static void an_atomic_completes_without_a_half(void **state) {
    issue_atomic_row(true);
    enter_atomic(UINT64_MAX, 0);
    enter_atomic(0, UINT64_MAX >> 4);
    enter_atomic(0, UINT64_C(0xf) << 56);
    lanes_answer(lanes, 1, LINE, 0);
    lanes_answer(lanes, 1, LINE, 64);
    lanes_complete(lanes, 1);
    expect_failure("without its bytes");
}

/* Without segments, both halves of an atomic may enter in the same access. */
static void halves_of_an_atomic_enter_at_once(void **state) {
    issue_atomic_row(false);
    enter_atomic(UINT64_MAX, UINT64_MAX >> 4);
    enter_atomic(0, UINT64_C(0xf) << 56);
    lanes_end(lanes);
    expect_good();
}

static void an_atomic_of_both_halves(void **state) {
    issue_atomic_row(false);
    enter_atomic(UINT64_MAX, UINT64_MAX >> 4);
    expect_failure("with byte 64");
}

static void the_other_half_of_an_atomic_first(void **state) {
    issue_atomic_row(false);
    enter_atomic(0, UINT64_MAX >> 4);
    expect_failure("without byte 0");
}

/* ---- prioritization queues ---- */

/* Each queue has its own order. Accesses of the younger instruction may enter first if they use
 * another queue. */
static void queues_have_their_own_order(void **state) {
    issue(WARP_STORE);
    queue = 1;
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    queue = 0;
    enter(true, 0, LINE, 0, UINT64_MAX);
    enter(true, 0, LINE + 1, UINT64_MAX, 0);
    queue = 1;
    enter(false, 2, LINE + 1, UINT64_MAX, 0);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_answer(lanes, 2, LINE + 1, 0);
    lanes_complete(lanes, 2);
    lanes_end(lanes);
    expect_good();
}

static void an_access_of_another_queue(void **state) {
    issue(WARP_STORE);
    queue = 1;
    enter(true, 0, LINE, 0, UINT64_MAX);
    expect_failure("lanes do not request");
}

static void an_instruction_that_passes_another_of_its_queue(void **state) {
    queue = 1;
    issue(WARP_STORE);
    issue(WARP_LOAD);
    enter(false, 2, LINE, 0, UINT64_MAX);
    expect_failure("lanes do not request");
}

/* The limit is two instructions in the LSU plus eight in each queue. */
static void queues_hold_more(void **state) {
    for (int n = 0; n < 2 + 2 * MRPB_DEPTH; n++)
        issue(WARP_STORE);
    expect_good();
    issue(WARP_STORE);
    expect_failure("more than 18");
}

/* ---- atomics ---- */

/* Issues an atomic. Lanes 0, 1 and 2 update one word, and lane 3 updates the next. */
static void issue_atomic(bool result) {
    struct warp_inst i = {.op = WARP_ATOMIC, .mask = 15, .repeat = 1, .size = 4};
    for (unsigned l = 0; l < 4; l++)
        i.addr[l] = LINE * LINE_BYTES + (l == 3 ? 4 : 0);
    i.dst.w[0] = result;
    lanes_issue(lanes, &i, WARP, queue);
}

static void every_lane_of_an_atomic_is_done_once(void **state) {
    for (int result = 0; result < 2; result++) {
        issue_atomic(result);
        enter_as(WARP_ATOMIC, false, 1, LINE, 0xff, 0);
        enter_as(WARP_ATOMIC, false, 1, LINE, 0xf, 0);
        enter_as(WARP_ATOMIC, false, 1, LINE, 0xf, 0);
        if (result) {
            for (unsigned n = 0; n < 3; n++)
                lanes_answer(lanes, 1, LINE, 0);
            lanes_complete(lanes, 1);
        }
        lanes_end(lanes);
        expect_good();
    }
}

static void a_lane_of_an_atomic_is_lost(void **state) {
    issue_atomic(false);
    enter_as(WARP_ATOMIC, false, 0, LINE, 0xff, 0);
    enter_as(WARP_ATOMIC, false, 0, LINE, 0xf, 0);
    lanes_end(lanes);
    expect_failure("never entered");
}

static void a_lane_of_an_atomic_is_done_twice(void **state) {
    issue_atomic(false);
    enter_as(WARP_ATOMIC, false, 0, LINE, 0xff, 0);
    enter_as(WARP_ATOMIC, false, 0, LINE, 0xff, 0);
    expect_failure("with byte 4");
}

static void an_atomic_too_many(void **state) {
    issue_atomic(false);
    issue(WARP_STORE);
    enter_as(WARP_ATOMIC, false, 0, LINE, 0xff, 0);
    for (unsigned n = 0; n < 3; n++)
        enter_as(WARP_ATOMIC, false, 0, LINE, 0xf, 0);
    expect_failure("lanes do not request");
}

static void an_atomic_completes_early(void **state) {
    issue_atomic(true);
    enter_as(WARP_ATOMIC, false, 1, LINE, 0xff, 0);
    enter_as(WARP_ATOMIC, false, 1, LINE, 0xf, 0);
    enter_as(WARP_ATOMIC, false, 1, LINE, 0xf, 0);
    lanes_answer(lanes, 1, LINE, 0);
    lanes_answer(lanes, 1, LINE, 0);
    lanes_complete(lanes, 1);
    expect_failure("without its bytes");
}

static void an_atomic_as_a_store(void **state) {
    issue_atomic(false);
    enter_as(WARP_STORE, false, 0, LINE, 0xff, 0);
    expect_failure("lanes do not request");
}

/* ---- local memory ---- */

/* Returns the line of a local-memory word. With 48 warp slots per SM, slot 5 of SM 1 has window 48
 * + 5 = 53. */
static uint64_t local_line(uint64_t word) {
    return (UINT64_C(1) << 39) + 53 * UINT64_C(131073) + word;
}

static void issue_local(void) {
    struct warp_inst i = {
        .op = WARP_LOAD, .mask = UINT32_MAX, .repeat = 1, .size = 8, .space = SPACE_LOCAL};
    for (unsigned l = 0; l < WARP_LANES; l++)
        i.addr[l] = l == 31 ? 800 : 8;
    lanes_issue(lanes, &i, WARP, queue);
}

static void local_memory_is_mapped(void **state) {
    issue_local();
    for (uint64_t word = 2; word < 4; word++)
        enter_as(WARP_LOAD, true, 0, local_line(word), UINT64_MAX, UINT64_MAX >> 4);
    for (uint64_t word = 200; word < 202; word++)
        enter_as(WARP_LOAD, true, 0, local_line(word), 0, UINT64_C(0xf) << 60);
    expect_good();
}

static void local_memory_of_another_warp(void **state) {
    issue_local();
    enter_as(WARP_LOAD, true, 0, local_line(2) + 131073, UINT64_MAX, UINT64_MAX >> 4);
    expect_failure("lanes do not request");
}

static void local_memory_as_global(void **state) {
    issue_local();
    enter_as(WARP_LOAD, false, 0, local_line(2), UINT64_MAX, UINT64_MAX >> 4);
    expect_failure("lanes do not request");
}

/* ---- accesses that wait for their translation ---- */

/* Returns the instruction's access to `line`, one of its two lines. */
static struct lanes_access access_to(uint64_t line, enum warp_op op, uint32_t id) {
    uint64_t low = line == LINE ? 0 : UINT64_MAX;
    return (struct lanes_access){op, false, id, line, {{low, ~low}}, queue};
}

static void park_both(enum warp_op op, uint32_t id) {
    for (uint64_t line = LINE; line < LINE + 2; line++) {
        struct lanes_access a = access_to(line, op, id);
        lanes_park(lanes, &a);
    }
}

static void unpark(uint64_t line, enum warp_op op, uint32_t id) {
    struct lanes_access a = access_to(line, op, id);
    lanes_unpark(lanes, &a);
}

/* Accesses to other lines may overtake a parked access, even if they belong to the same
 * instruction. */
static void parked_accesses_pass(void **state) {
    issue(WARP_LOAD);
    issue(WARP_STORE);
    park_both(WARP_LOAD, 2);
    park_both(WARP_STORE, 0);
    unpark(LINE + 1, WARP_LOAD, 2);
    unpark(LINE + 1, WARP_STORE, 0);
    unpark(LINE, WARP_LOAD, 2);
    unpark(LINE, WARP_STORE, 0);
    lanes_answer(lanes, 2, LINE, 64);
    lanes_answer(lanes, 2, LINE + 1, 0);
    lanes_complete(lanes, 2);
    lanes_end(lanes);
    expect_good();
}

static void a_parked_access_is_overtaken(void **state) {
    issue(WARP_STORE);
    park_both(WARP_STORE, 0);
    issue(WARP_LOAD);
    enter(false, 1, LINE, 0, UINT64_MAX);
    expect_failure("before an older access that waits");
}

static void a_parked_access_passes_another(void **state) {
    issue(WARP_STORE);
    issue(WARP_LOAD);
    park_both(WARP_STORE, 0);
    park_both(WARP_LOAD, 1);
    unpark(LINE, WARP_LOAD, 1);
    expect_failure("not the oldest");
}

static void a_parked_access_enters_twice(void **state) {
    issue(WARP_STORE);
    park_both(WARP_STORE, 0);
    unpark(LINE, WARP_STORE, 0);
    unpark(LINE, WARP_STORE, 0);
    expect_failure("not the oldest");
}

static void a_parked_store_is_lost(void **state) {
    issue(WARP_STORE);
    park_both(WARP_STORE, 0);
    unpark(LINE, WARP_STORE, 0);
    lanes_end(lanes);
    expect_failure("still waits");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#define SECTORS(f) cmocka_unit_test_setup_teardown(f, setup_sectors, teardown)

#define SEGMENTS(f) cmocka_unit_test_setup_teardown(f, setup_segments, teardown)

#define QUEUES(f) cmocka_unit_test_setup_teardown(f, setup_queues, teardown)

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
        CASE(an_answer_to_no_load),
        CASE(a_load_that_never_completes),
        CASE(too_many_instructions),
        SECTORS(sectors_enter_and_are_answered_alone),
        SECTORS(a_line_instead_of_its_sectors),
        SEGMENTS(segments_enter_and_are_answered_alone),
        SEGMENTS(segments_have_the_size_of_the_access),
        SEGMENTS(a_line_instead_of_its_segments),
        SEGMENTS(a_sector_instead_of_a_segment),
        SEGMENTS(a_load_completes_without_a_segment),
        SEGMENTS(halves_of_an_atomic_enter_in_order),
        CASE(halves_of_an_atomic_enter_at_once),
        SEGMENTS(a_half_of_an_atomic_is_lost),
        SEGMENTS(an_atomic_completes_without_a_half),
        SEGMENTS(an_atomic_of_both_halves),
        SEGMENTS(the_other_half_of_an_atomic_first),
        CASE(every_lane_of_an_atomic_is_done_once),
        CASE(a_lane_of_an_atomic_is_lost),
        CASE(a_lane_of_an_atomic_is_done_twice),
        CASE(an_atomic_too_many),
        CASE(an_atomic_completes_early),
        CASE(an_atomic_as_a_store),
        CASE(local_memory_is_mapped),
        CASE(local_memory_of_another_warp),
        CASE(local_memory_as_global),
        CASE(parked_accesses_pass),
        CASE(a_parked_access_is_overtaken),
        CASE(a_parked_access_passes_another),
        CASE(a_parked_access_enters_twice),
        CASE(a_parked_store_is_lost),
        QUEUES(queues_have_their_own_order),
        QUEUES(an_access_of_another_queue),
        cmocka_unit_test_setup_teardown(an_instruction_that_passes_another_of_its_queue,
                                        setup_queues, teardown),
        QUEUES(queues_hold_more),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
