// SPDX-License-Identifier: Apache-2.0
/* The LRU table against one that is written down plainly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lib/lru_table.h"

#define MOST 64

static uint32_t seed;

static uint32_t draw(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

/* Per set, newest first. */
struct plain {
    uint32_t key[MOST][MOST], count[MOST], sets, ways;
};

static uint32_t place_of(const struct plain *p, uint32_t key) {
    uint32_t set = key % p->sets, i = 0;
    while (i < p->count[set] && p->key[set][i] != key)
        i++;
    return i;
}

static bool plain_has(const struct plain *p, uint32_t key) {
    return place_of(p, key) < p->count[key % p->sets];
}

static void plain_remove(struct plain *p, uint32_t key) {
    uint32_t set = key % p->sets, i = place_of(p, key);
    p->count[set]--;
    memmove(&p->key[set][i], &p->key[set][i + 1], (p->count[set] - i) * sizeof(uint32_t));
}

static uint32_t plain_insert(struct plain *p, uint32_t key) {
    uint32_t set = key % p->sets, out = LRU_NONE;
    if (p->count[set] == p->ways)
        out = p->key[set][--p->count[set]];
    memmove(&p->key[set][1], &p->key[set][0], p->count[set]++ * sizeof(uint32_t));
    p->key[set][0] = key;
    return out;
}

static void step(struct lru_table *t, struct plain *p, uint32_t key, bool remove) {
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

static void is_as_the_plain_one(uint32_t entries, uint32_t ways) {
    static struct plain p;
    struct lru_table t;
    memset(&p, 0, sizeof p);
    p.sets = entries / ways;
    p.ways = ways;
    assert_int_equal(lru_table_init(&t, entries, ways), 0);
    for (unsigned n = 0; n < 20000; n++)
        step(&t, &p, draw(2 * entries + 3) * (n < 10000 ? 1 : 65521), draw(8) == 0);
    lru_table_free(&t);
}

static void every_shape(void **state) {
    (void)state;
    const uint32_t shape[][2] = {{1, 1}, {2, 1}, {2, 2}, {12, 4}, {15, 5}, {64, 64}, {64, 1}};
    for (unsigned i = 0; i < sizeof shape / sizeof *shape; i++)
        is_as_the_plain_one(shape[i][0], shape[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shape)};
    return cmocka_run_group_tests_name("lru_table", tests, NULL, NULL);
}
