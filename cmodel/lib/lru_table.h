/* SPDX-License-Identifier: Apache-2.0 */
/* A set-associative table of numbers with LRU replacement, such as a TLB of page numbers. A number
 * is looked up by a hash, so that a table of one wide set costs no more than a narrow one.
 */
#ifndef MEMTWIN_LIB_LRU_TABLE_H
#define MEMTWIN_LIB_LRU_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define LRU_NONE UINT32_MAX /* is no number */

/* The set of a number: it modulo the sets; or, for a power of two of sets, all of its bits XORed
 * together in groups of as many as a set number has. */
enum lru_index { LRU_MODULO, LRU_XOR };

struct lru_slot {
    uint32_t key;          /* LRU_NONE: free */
    uint32_t newer, older; /* slots of the set, LRU_NONE at the ends */
    uint32_t next;         /* slot of the same bucket, or LRU_NONE */
};

struct lru_set {
    uint32_t newest, oldest; /* free slots are the oldest */
};

struct lru_table {
    struct lru_slot *slot; /* owned; `ways` per set */
    struct lru_set *set;   /* owned */
    uint32_t *bucket;      /* owned; first slot, or LRU_NONE */
    uint32_t sets, ways, shift;
    enum lru_index index;
};

/* entries is a multiple of ways, both at least 1. */
void lru_table_init(struct lru_table *t, uint32_t entries, uint32_t ways, enum lru_index index);
void lru_table_free(struct lru_table *t);

/* Its slot, or LRU_NONE. It stays in this slot until it leaves. */
uint32_t lru_table_find(const struct lru_table *t, uint32_t key);
bool lru_table_has(const struct lru_table *t, uint32_t key);
/* Whether it is there; if so it is its set's newest from now on. */
bool lru_table_touch(struct lru_table *t, uint32_t key);
/* It is there from now on, as its set's newest; it was not. Returns what had to leave, or LRU_NONE.
 */
uint32_t lru_table_insert(struct lru_table *t, uint32_t key);
/* Returns whether it was there. */
bool lru_table_remove(struct lru_table *t, uint32_t key);

#endif
