// SPDX-License-Identifier: Apache-2.0
/* Tests of the index of records by key, against a search of all records. */
#include "lib/key_index.h"
#include "lib/random.h"
#include "tests/test.h"

enum { RECORDS = 24, DISTINCT_KEYS = 60 };

static uint64_t key_of[RECORDS];
static bool held[RECORDS];

static uint32_t find(const struct key_index *x, uint64_t key) {
    uint32_t i = key_index_first(x, key);
    while (i != KEY_INDEX_NONE && key_of[i] != key)
        i = x->next[i];
    return i;
}

static uint32_t search(uint64_t key) {
    for (uint32_t i = 0; i < RECORDS; i++)
        if (held[i] && key_of[i] == key)
            return i;
    return KEY_INDEX_NONE;
}

/* Adds and removes records at random, first with few hashes, so that chains are long. */
static void each_record_is_found_by_its_key(void **state) {
    uint32_t memory[256];
    uint64_t seed = 1;
    struct key_index x;
    assert_true(key_index_size(RECORDS) <= 256);
    for (unsigned bits = 1; bits < 8; bits += 3) {
        key_index_init(&x, memory, RECORDS);
        x.bits = bits < x.bits ? bits : x.bits;
        key_index_clear(&x);
        memset(held, 0, sizeof held);
        for (unsigned n = 0, used = 0; n < 20000; n++) {
            const uint64_t key = (uint64_t)random_below(&seed, DISTINCT_KEYS) << 30;
            const uint32_t i = search(key), at = random_below(&seed, RECORDS);
            assert_int_equal(find(&x, key), i);
            if (i != KEY_INDEX_NONE) {
                key_index_remove(&x, key, i);
                held[i] = false;
                used--;
            } else if (!held[at]) {
                key_index_add(&x, key, at);
                held[at] = true;
                key_of[at] = key;
                used++;
            }
            assert_int_equal(x.used, used);
        }
    }
    key_index_clear(&x);
    for (uint64_t key = 0; key < DISTINCT_KEYS; key++)
        assert_int_equal(find(&x, key << 30), KEY_INDEX_NONE);
}

static void sizes_are_at_most_three_words_per_record(void **state) {
    for (uint32_t n = 1; n < 5000; n++) {
        assert_in_range(key_index_size(n), 2 * n, 3 * n);
        assert_true(UINT64_C(1) << key_index_bits(n) >= n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_record_is_found_by_its_key),
        cmocka_unit_test(sizes_are_at_most_three_words_per_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
