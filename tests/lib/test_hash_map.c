// SPDX-License-Identifier: Apache-2.0
/* Tests the hash map against a plain list: growth, removals in clusters, several values per key. */
#include <stdbool.h>

#include "lib/hash_map.h"
#include "lib/random.h"
#include "tests/test.h"

#define KEYS 600

static struct hash_map map;

/* Returns the n-th key, counted from 0, whose search starts at entry `home` in a map of 2^bits
 * entries. */
static uint64_t key_at(uint32_t home, unsigned bits, uint32_t n) {
    for (uint64_t key = 0;; key++)
        if (hash_top(key, bits) == home && n-- == 0)
            return key;
}

static void zeros_are_an_empty_map(void **state) {
    assert_int_equal(hash_map_get(&map, 0), HASH_MAP_NONE);
    hash_map_clear(&map);
    hash_map_free(&map);
}

static void grows_and_keeps_all(void **state) {
    for (uint32_t i = 0; i < KEYS; i++)
        hash_map_add(&map, i * UINT64_C(0x100000001), i);
    assert_int_equal(map.used, KEYS);
    assert_true(map.mask >= 2 * KEYS - 1);
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(hash_map_get(&map, i * UINT64_C(0x100000001)), i);
    assert_int_equal(hash_map_get(&map, 1), HASH_MAP_NONE);
    hash_map_clear(&map);
    assert_int_equal(map.used, 0);
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(hash_map_get(&map, i * UINT64_C(0x100000001)), HASH_MAP_NONE);
    hash_map_free(&map);
}

/* Seven keys in 16 entries form two clusters that meet around the last entry. The test removes
 * each pair of keys, and the other keys must stay. */
static void removals_close_the_gap(void **state) {
    const uint32_t home[] = {14, 14, 15, 14, 0, 15, 1};
    const uint32_t n = sizeof home / sizeof *home;
    uint64_t key[sizeof home / sizeof *home];
    for (uint32_t i = 0; i < n; i++)
        key[i] = key_at(home[i], 4, i);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            for (uint32_t i = 0; i < n; i++)
                hash_map_add(&map, key[i], i);
            assert_int_equal(map.mask, 15);
            hash_map_remove(&map, key[a]);
            if (b != a)
                hash_map_remove(&map, key[b]);
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(hash_map_get(&map, key[i]), i == a || i == b ? HASH_MAP_NONE : i);
            hash_map_clear(&map);
        }
    hash_map_free(&map);
}

/* Removals really free their entries. After a million removals, searches are still short and the
 * map is still small. */
static void removals_do_not_fill_the_map(void **state) {
    for (uint32_t i = 0; i < 1000000; i++) {
        hash_map_add(&map, i, i);
        if (i >= 4)
            hash_map_remove(&map, i - 4);
    }
    assert_int_equal(map.used, 4);
    assert_int_equal(map.mask, 15);
    uint32_t not_free = 0;
    for (uint32_t i = 0; i <= map.mask; i++)
        not_free += map.entry[i].value != HASH_MAP_NONE;
    assert_int_equal(not_free, 4);
    hash_map_free(&map);
}

static void random_keys(void **state) {
    static bool there[KEYS];
    uint64_t seed = 1;
    uint32_t n = 0;
    for (uint32_t step = 0; step < 200000; step++) {
        const uint32_t i = random_below(&seed, KEYS);
        assert_int_equal(hash_map_get(&map, 64 * i), there[i] ? i : HASH_MAP_NONE);
        if (there[i])
            hash_map_remove(&map, 64 * i);
        else
            hash_map_add(&map, 64 * i, i);
        n += there[i] ? UINT32_MAX : 1;
        there[i] = !there[i];
        assert_int_equal(map.used, n);
    }
    hash_map_free(&map);
}

/* The values of a key are returned one by one, without those of another key in the same cluster. */
static void several_values(void **state) {
    const uint64_t key = key_at(15, 4, 0), other = key_at(15, 4, 1);
    bool seen[4] = {false};
    for (uint32_t i = 0; i < 4; i++) {
        hash_map_add(&map, key, i);
        if (i < 3)
            hash_map_add(&map, other, 100);
    }
    uint32_t at = HASH_MAP_START, value, n = 0;
    while ((value = hash_map_next(&map, key, &at)) != HASH_MAP_NONE) {
        assert_true(value < 4 && !seen[value]);
        seen[value] = true;
        n++;
    }
    assert_int_equal(n, 4);
    hash_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_an_empty_map),
        cmocka_unit_test(grows_and_keeps_all),
        cmocka_unit_test(removals_close_the_gap),
        cmocka_unit_test(removals_do_not_fill_the_map),
        cmocka_unit_test(random_keys),
        cmocka_unit_test(several_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
