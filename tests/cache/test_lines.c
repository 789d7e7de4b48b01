// SPDX-License-Identifier: Apache-2.0
/* Tests of a cache's lines: lookup, replacement and valid bytes. */
#include "cache/lines.h"
#include "lib/random.h"
#include "tests/test.h"

static struct lines t;

static void make(uint32_t sets, uint32_t ways) {
    lines_init(&t, sets, ways);
    lines_carry(&t, true);
}

static struct byte_mask mask(uint64_t low, uint64_t high) {
    return (struct byte_mask){{low, high}};
}

static void expect_mask(struct byte_mask got, uint64_t low, uint64_t high) {
    assert_int_equal(got.w[0], low);
    assert_int_equal(got.w[1], high);
}

static void a_line_is_found_in_its_set_only(void **state) {
    make(2, 2);
    assert_int_equal(lines_count(&t), 4);
    assert_int_equal(lines_find(&t, 1, 77), WAY_NONE);
    uint32_t way = lines_victim(&t, 1);
    assert_in_range(way, 2, 3);
    lines_claim(&t, way, 77);
    assert_int_equal(lines_find(&t, 1, 77), way);
    assert_int_equal(lines_find(&t, 0, 77), WAY_NONE);
    lines_drop(&t, way);
    assert_int_equal(lines_find(&t, 1, 77), WAY_NONE);
    lines_free(&t);
}

static void marks_match_as_in_a_plain_search(void **state) {
    uint8_t mark[16];
    uint64_t seed = 1;
    for (unsigned n = 0; n < 1000; n++) {
        for (unsigned i = 0; i < 16; i++)
            mark[i] = (uint8_t)(100 + random_below(&seed, 56));
        const uint8_t want = mark[random_below(&seed, 16)];
        assert_int_equal(lines_match(mark, want), lines_match_plain(mark, want));
        assert_true(lines_match(mark, want) != 0);
        assert_int_equal(lines_match(mark, 0), 0);
    }
}

/* More ways than marks that are compared at once, and no multiple of them. */
static void each_line_of_a_large_set_is_found(void **state) {
    make(2, 40);
    for (uint32_t way = 0; way < 80; way++) {
        lines_claim(&t, way, 3 * way);
        for (uint32_t k = 0; k <= way; k++)
            assert_int_equal(lines_find(&t, k / 40, 3 * k), k);
        assert_int_equal(lines_find(&t, way / 40, 3 * way + 1), WAY_NONE);
    }
    lines_free(&t);
}

static void free_ways_go_first_then_the_least_recently_used(void **state) {
    make(1, 3);
    for (uint64_t line = 1; line <= 3; line++) {
        uint32_t way = lines_victim(&t, 0);
        assert_int_equal(t.line[way], LINE_NONE);
        lines_claim(&t, way, line);
    }
    lines_touch(&t, lines_find(&t, 0, 1));
    assert_int_equal(lines_victim(&t, 0), lines_find(&t, 0, 2));
    t.way[lines_find(&t, 0, 2)].pending = 4;
    assert_int_equal(lines_victim(&t, 0), lines_find(&t, 0, 3));
    t.way[lines_find(&t, 0, 3)].flags = WAY_PINNED;
    assert_int_equal(lines_victim(&t, 0), lines_find(&t, 0, 1));
    t.way[lines_find(&t, 0, 1)].pending = 1;
    assert_int_equal(lines_victim(&t, 0), WAY_NONE);
    assert_int_equal(t.held, 3);
    lines_drop_all(&t);
    assert_int_equal(lines_victim(&t, 0), 0);
    assert_int_equal(t.held, 0);
    for (uint32_t way = 0; way < 3; way++)
        assert_true(t.line[way] == LINE_NONE);
    lines_free(&t);
}

/* The number of ways that hold a line changes with each claim and each drop. */
static void lines_are_counted(void **state) {
    make(2, 2);
    assert_int_equal(t.held, 0);
    lines_drop(&t, 1); /* the way is already free */
    assert_int_equal(t.held, 0);
    lines_claim(&t, 3, 7);
    lines_claim(&t, 3, 8);
    assert_int_equal(t.held, 1);
    assert_int_equal(lines_find(&t, 1, 8), 3);
    lines_drop(&t, 3);
    assert_int_equal(t.held, 0);
    assert_int_equal(lines_find(&t, 1, 8), WAY_NONE);
    lines_free(&t);
}

static void a_claimed_way_has_nothing_of_the_line_before(void **state) {
    make(1, 1);
    const struct byte_mask m = mask(0xff, 0);
    lines_claim(&t, 0, 1);
    lines_store(&t, 0, &m, NULL, true);
    t.way[0].pending = 15;
    t.way[0].flags = WAY_STALE;
    assert_true(lines_dirty(&t, 0));
    lines_claim(&t, 0, 2);
    assert_false(lines_dirty(&t, 0));
    assert_false(lines_hold(&t, 0, &m));
    assert_int_equal(t.way[0].pending | t.way[0].flags, 0);
    lines_free(&t);
}

static void a_fill_leaves_dirty_bytes(void **state) {
    make(1, 1);
    uint8_t stored[LINE_BYTES], clean[LINE_BYTES], filled[LINE_BYTES];
    memset(stored, 1, sizeof stored);
    memset(clean, 2, sizeof clean);
    memset(filled, 3, sizeof filled);
    const struct byte_mask dirty = mask(0xf0, 0), written = mask(0xf, 1);
    lines_claim(&t, 0, 9);
    lines_store(&t, 0, &dirty, stored, true);
    lines_store(&t, 0, &written, clean, false);
    expect_mask(t.way[0].valid, 0xff, 1);
    expect_mask(t.way[0].dirty, 0xf0, 0);
    t.way[0].pending = 15;
    lines_fill(&t, 0, 1, filled); /* fills sector 0 */
    expect_mask(t.way[0].valid, 0xffffffff, 1);
    expect_mask(t.way[0].dirty, 0xf0, 0);
    assert_int_equal(t.way[0].pending, 14);
    const uint8_t *data = lines_data(&t, 0);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(data[i], i >= 4 && i < 8 ? 1 : 3);
    assert_int_equal(data[64], 2); /* the byte is in another sector */
    const struct byte_mask across = mask(UINT64_C(3) << 31, 0);
    assert_false(lines_hold(&t, 0, &across));
    lines_fill(&t, 0, 14, filled);
    assert_true(lines_hold(&t, 0, &across));
    assert_int_equal(t.way[0].pending, 0);
    assert_int_equal(data[64], 3);
    lines_free(&t);
}

static void a_fill_is_of_its_sectors_only(void **state) {
    make(1, 1);
    lines_claim(&t, 0, 9);
    t.way[0].pending = 6;
    lines_fill(&t, 0, 2, NULL);
    assert_int_equal(t.way[0].pending, 4);
    expect_mask(t.way[0].valid, UINT64_C(0xffffffff00000000), 0);
    lines_free(&t);
}

/* Below the percentage, written lines are not replaced, unless their set has no others. */
static void written_lines_stay_up_to_a_percentage(void **state) {
    const struct byte_mask one = mask(1, 0);
    make(2, 4);
    t.written_percent = 50;
    for (uint32_t way = 0; way < 4; way++) {
        lines_claim(&t, way, 10 + way);
        if (way < 3)
            lines_store(&t, way, &one, NULL, false);
    }
    lines_store(&t, 0, &one, NULL, false); /* counted once */
    assert_int_equal(t.written, 3);
    assert_int_equal(lines_victim(&t, 0), 3);
    t.way[3].pending = 1;
    assert_int_equal(lines_victim(&t, 0), WAY_NONE);
    lines_use_ways(&t, 3); /* three of six ways are written */
    assert_int_equal(lines_victim(&t, 0), 0);
    t.written_percent = 51; /* but the set has no other lines */
    assert_int_equal(lines_victim(&t, 0), 0);
    lines_claim(&t, 1, 20);
    assert_int_equal(t.written, 2);
    assert_int_equal(lines_victim(&t, 0), 1);
    lines_use_ways(&t, 1);
    assert_int_equal(t.written, 1);
    lines_drop_all(&t);
    assert_int_equal(t.written, 0);
    lines_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found_in_its_set_only),
        cmocka_unit_test(marks_match_as_in_a_plain_search),
        cmocka_unit_test(each_line_of_a_large_set_is_found),
        cmocka_unit_test(free_ways_go_first_then_the_least_recently_used),
        cmocka_unit_test(lines_are_counted),
        cmocka_unit_test(a_claimed_way_has_nothing_of_the_line_before),
        cmocka_unit_test(a_fill_leaves_dirty_bytes),
        cmocka_unit_test(a_fill_is_of_its_sectors_only),
        cmocka_unit_test(written_lines_stay_up_to_a_percentage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
