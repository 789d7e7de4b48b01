// SPDX-License-Identifier: Apache-2.0
/* Tests the LRU table against a simple reference model. */
#include "lib/lru_table.h"
#include "tests/test.h"

#define MOST 64

static uint32_t seed;

static uint32_t draw(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

/* Keys in each set, newest first. */
struct lru_plain {
    uint32_t key[MOST][MOST], count[MOST], sets, ways;
    enum lru_index index;
};

/* Returns the set of a key. With LRU_XOR and n = log2(sets), bit i of the set is the parity of the
 * key's bits i, i + n, i + 2 n, and so forth. */
static uint32_t set_of(const struct lru_plain *p, uint32_t key) {
    uint32_t bits = 0, set = 0;
    if (p->index == LRU_MODULO)
        return key % p->sets;
    while (1u << bits < p->sets)
        bits++;
    for (uint32_t i = 0; bits && i < 32; i++)
        set ^= (key >> i & 1) << i % bits;
    return set;
}

static uint32_t place_of(const struct lru_plain *p, uint32_t key) {
    uint32_t set = set_of(p, key), i = 0;
    while (i < p->count[set] && p->key[set][i] != key)
        i++;
    return i;
}

static bool plain_has(const struct lru_plain *p, uint32_t key) {
    return place_of(p, key) < p->count[set_of(p, key)];
}

static void plain_remove(struct lru_plain *p, uint32_t key) {
    uint32_t set = set_of(p, key), i = place_of(p, key);
    p->count[set]--;
    memmove(&p->key[set][i], &p->key[set][i + 1], (p->count[set] - i) * sizeof(uint32_t));
}

static uint32_t plain_insert(struct lru_plain *p, uint32_t key) {
    uint32_t set = set_of(p, key), out = LRU_NONE;
    if (p->count[set] == p->ways)
        out = p->key[set][--p->count[set]];
    memmove(&p->key[set][1], &p->key[set][0], p->count[set]++ * sizeof(uint32_t));
    p->key[set][0] = key;
    return out;
}

static void step(struct lru_table *t, struct lru_plain *p, uint32_t key, bool remove) {
    bool there = plain_has(p, key);
    assert_int_equal(lru_table_has(t, key), there);
    if (remove) {
        assert_int_equal(lru_table_remove(t, key), there);
        if (there)
            plain_remove(p, key);
        return;
    }
    assert_int_equal(lru_table_touch(t, key), there);
    if (there) {
        plain_remove(p, key);
        plain_insert(p, key);
        return;
    }
    assert_int_equal(lru_table_insert(t, key), plain_insert(p, key));
}

static void is_as_the_plain_one(uint32_t entries, uint32_t ways, enum lru_index index) {
    static struct lru_plain p;
    struct lru_table t;
    memset(&p, 0, sizeof p);
    p.sets = entries / ways;
    p.ways = ways;
    p.index = index;
    lru_table_init(&t, entries, ways, index);
    for (unsigned n = 0; n < 20000; n++)
        step(&t, &p, draw(2 * entries + 3) * (n < 10000 ? 1 : 65521), draw(8) == 0);
    lru_table_free(&t);
}

static void every_shape(void **state) {
    const uint32_t shape[][2] = {{1, 1}, {2, 1}, {2, 2}, {12, 4}, {15, 5}, {64, 64}, {64, 1}};
    for (unsigned i = 0; i < sizeof shape / sizeof *shape; i++)
        is_as_the_plain_one(shape[i][0], shape[i][1], LRU_MODULO);
}

static void every_xored_shape(void **state) {
    const uint32_t shape[][2] = {{1, 1}, {2, 1}, {16, 4}, {40, 5}, {64, 64}, {64, 1}};
    for (unsigned i = 0; i < sizeof shape / sizeof *shape; i++)
        is_as_the_plain_one(shape[i][0], shape[i][1], LRU_XOR);
}

/* Tests eight keys at a stride of 64 in 64 sets. With LRU_MODULO, they map to the same set. With
 * LRU_XOR, each has its own set. */
static void power_of_two_strides(void **state) {
    for (int index = LRU_MODULO; index <= LRU_XOR; index++) {
        struct lru_table t;
        unsigned kept = 0;
        lru_table_init(&t, 64, 1, (enum lru_index)index);
        for (uint32_t i = 0; i < 8; i++)
            lru_table_insert(&t, 64 * i + 5);
        for (uint32_t i = 0; i < 8; i++)
            kept += lru_table_has(&t, 64 * i + 5);
        assert_int_equal(kept, index == LRU_MODULO ? 1 : 8);
        lru_table_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shape),
                                       cmocka_unit_test(every_xored_shape),
                                       cmocka_unit_test(power_of_two_strides)};
    return cmocka_run_group_tests_name("lru_table", tests, NULL, NULL);
}
