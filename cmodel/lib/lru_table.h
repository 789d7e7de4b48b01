/* SPDX-License-Identifier: Apache-2.0 */
/* Set-associative table of 32-bit keys with LRU replacement, such as a TLB of page numbers. Lookups
 * use a hash map, so one wide set is as fast as many narrow ones. */
#ifndef MEMTWIN_LIB_LRU_TABLE_H
#define MEMTWIN_LIB_LRU_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "config/values.def"
#include "lib/hash_map.h"

#define LRU_NONE HASH_MAP_NONE /* not a valid key */

/* Set index of a key. LRU_MODULO means the key modulo the number of sets. The other value needs a
 * power-of-two number of sets, and means the XOR of the key's bits in groups as wide as a set
 * index. */
enum lru_index { TLB_L2_INDEX_VALUES(VALUE_ENUMERATOR) };

struct lru_slot {
    uint32_t key;   /* LRU_NONE if the slot is free */
    uint32_t newer, /* next newer slot in the set, or LRU_NONE */
        older;      /* next older slot in the set, or LRU_NONE */
};

struct lru_set {
    uint32_t newest, /* most recently used slot */
        oldest;      /* least recently used slot, or a free slot if there is one */
};

struct lru_table {
    struct lru_slot *slot; /* owned; `ways` slots per set */
    struct lru_set *set;   /* owned */
    struct hash_map slots; /* maps a key to its slot */
    uint32_t sets, ways;
    enum lru_index index;
};

/* Creates an empty table. `entries` is a multiple of `ways`; both are at least 1. */
void lru_table_init(struct lru_table *t, uint32_t entries, uint32_t ways, enum lru_index index);
void lru_table_free(struct lru_table *t);

/* Returns the slot of a key, or LRU_NONE. A key keeps its slot until it is evicted or removed. */
uint32_t lru_table_find(const struct lru_table *t, uint32_t key);
bool lru_table_has(const struct lru_table *t, uint32_t key);
/* Makes a key the newest in its set. Returns false if the key is not in the table. */
bool lru_table_touch(struct lru_table *t, uint32_t key);
/* Inserts a key that is not in the table, as the newest in its set. Returns the evicted key, or
 * LRU_NONE. */
uint32_t lru_table_insert(struct lru_table *t, uint32_t key);
/* Removes a key. Returns true if the key was in the table. */
bool lru_table_remove(struct lru_table *t, uint32_t key);

#endif
