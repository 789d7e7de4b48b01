// SPDX-License-Identifier: Apache-2.0
/* Tests of the non-blocking buffer alone: the turn, the search order, and the recorded state of
 * its entries. */
#include "nonblocking/nonblocking.h"
#include "tests/test.h"

#define ROOM 4
#define WHY 7

/* Returns a full buffer with requests 10, 11, ... to lines 0, 1, 2, ... mod `lines`. */
static struct nonblocking full_of(uint32_t lines) {
    struct nonblocking b;
    nonblocking_init(&b, ROOM);
    for (uint32_t i = 0; i < ROOM; i++) {
        assert_false(nonblocking_full(&b));
        nonblocking_push(&b, 10 + i, i % lines);
    }
    assert_true(nonblocking_full(&b));
    return b;
}

static void expect_order(const struct nonblocking *b, const uint32_t *requests, uint32_t n) {
    assert_int_equal(b->count, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(b->entry[nonblocking_at(b, i)].request, requests[i]);
}

#define EXPECT_ORDER(b, ...)                                                                       \
    expect_order(b, (const uint32_t[]){__VA_ARGS__},                                               \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void it_begins_in_order_of_arrival(void **state) {
    struct nonblocking b = full_of(ROOM);
    EXPECT_ORDER(&b, 10, 11, 12, 13);
    assert_int_equal(b.entry[2].line, 2);
    assert_false(b.entry_full || b.tried);
    nonblocking_free(&b);
}

static void the_turn_passes_on_from_a_refused_entry(void **state) {
    struct nonblocking b = full_of(ROOM);
    nonblocking_refused(&b, 1, WHY, false);
    EXPECT_ORDER(&b, 12, 13, 10, 11);
    nonblocking_refused(&b, 2, WHY, false);
    EXPECT_ORDER(&b, 13, 10, 11, 12);
    nonblocking_refused(&b, 3, WHY, false);
    EXPECT_ORDER(&b, 10, 11, 12, 13);
    nonblocking_free(&b);
}

/* After an entry is taken, the next entry is first in turn. Requests that arrive later are tried
 * after all present entries. */
static void the_turn_passes_on_from_a_taken_entry(void **state) {
    struct nonblocking b = full_of(ROOM);
    nonblocking_take(&b, 1);
    EXPECT_ORDER(&b, 12, 13, 10);
    nonblocking_take(&b, 2); /* this was the last entry, so the turn passes to the first */
    EXPECT_ORDER(&b, 10, 12);
    nonblocking_push(&b, 14, 4);
    EXPECT_ORDER(&b, 10, 12, 14);
    nonblocking_take(&b, 0);
    EXPECT_ORDER(&b, 12, 14);
    nonblocking_take(&b, 0);
    nonblocking_take(&b, 0);
    assert_int_equal(b.count, 0);
    nonblocking_push(&b, 15, 5);
    EXPECT_ORDER(&b, 15);
    nonblocking_free(&b);
}

static void the_oldest_of_a_line(void **state) {
    struct nonblocking b = full_of(2);
    const bool oldest[] = {true, true, false, false};
    for (uint32_t i = 0; i < ROOM; i++)
        assert_int_equal(nonblocking_oldest(&b, i), oldest[i]);
    nonblocking_take(&b, 1); /* the order does not depend on the turn */
    assert_true(nonblocking_oldest(&b, 0));
    assert_false(nonblocking_oldest(&b, 1));
    assert_true(nonblocking_oldest(&b, 2));
    nonblocking_free(&b);
}

/* A recorded refusal stays with its entry when the entry moves. All recorded refusals are deleted
 * when a resource is freed. */
static void what_is_known_lasts_until_something_comes_free(void **state) {
    struct nonblocking b = full_of(ROOM);
    nonblocking_refused(&b, 2, WHY, false);
    assert_true(b.tried);
    assert_false(b.entry_full);
    nonblocking_refused(&b, 3, WHY + 1, true);
    nonblocking_refused(&b, 0, WHY, false);
    assert_true(b.entry_full);
    nonblocking_take(&b, 1);
    const uint32_t refused[] = {WHY, WHY, WHY + 1};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(b.entry[i].refused, refused[i]);
    nonblocking_push(&b, 14, 4);
    assert_int_equal(b.entry[3].refused, 0);
    nonblocking_freed(&b);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_int_equal(b.entry[i].refused, 0);
    assert_false(b.entry_full);
    EXPECT_ORDER(&b, 12, 13, 14, 10); /* the turn does not change */
    nonblocking_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_in_order_of_arrival),
        cmocka_unit_test(the_turn_passes_on_from_a_refused_entry),
        cmocka_unit_test(the_turn_passes_on_from_a_taken_entry),
        cmocka_unit_test(the_oldest_of_a_line),
        cmocka_unit_test(what_is_known_lasts_until_something_comes_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
