/* SPDX-License-Identifier: Apache-2.0 */
/* Index of an array of records by 64-bit keys, which the records hold themselves. Records whose
 * keys have the same hash form a chain. The index takes 8 to 12 bytes per record. Its user
 * provides the memory and frees it, and compares the keys:
 *
 *     uint32_t i = key_index_first(&index, key);
 *     while (i != KEY_INDEX_NONE && record[i].key != key)
 *         i = index.next[i];
 */
#ifndef MEMTWIN_LIB_KEY_INDEX_H
#define MEMTWIN_LIB_KEY_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/hash.h"

#define KEY_INDEX_NONE UINT32_MAX

struct key_index {
    uint32_t *first; /* per hash: the first record of its chain, or KEY_INDEX_NONE */
    uint32_t *next;  /* per record: the next one of its chain, or KEY_INDEX_NONE */
    uint32_t used;   /* number of records in chains */
    unsigned bits;   /* width of a hash in bits, at least 1 */
};

/* Returns the width of the hashes of n records (1 to 2^30): one to two hashes per record. */
static inline unsigned key_index_bits(uint32_t n) {
    return n == 1 ? 1 : 32 - (unsigned)__builtin_clz(n - 1);
}

/* Returns the number of elements of `first` and `next` together, for n records. */
static inline size_t key_index_size(uint32_t n) {
    return ((size_t)1 << key_index_bits(n)) + n;
}

/* Creates an empty index of n records in `memory`, which has key_index_size(n) elements. */
static inline void key_index_init(struct key_index *x, uint32_t *memory, uint32_t n) {
    x->bits = key_index_bits(n);
    x->first = memory;
    x->next = memory + ((size_t)1 << x->bits);
    x->used = 0;
    memset(x->first, 0xff, ((size_t)1 << x->bits) * sizeof *x->first);
}

/* Removes all records. */
static inline void key_index_clear(struct key_index *x) {
    if (x->used)
        memset(x->first, 0xff, ((size_t)1 << x->bits) * sizeof *x->first);
    x->used = 0;
}

/* Returns the first record that may have the key, or KEY_INDEX_NONE. */
static inline uint32_t key_index_first(const struct key_index *x, uint64_t key) {
    return x->first[hash_top(key, x->bits)];
}

/* Adds record i, which is in no chain. */
static inline void key_index_add(struct key_index *x, uint64_t key, uint32_t i) {
    uint32_t *const first = &x->first[hash_top(key, x->bits)];
    x->next[i] = *first;
    *first = i;
    x->used++;
}

/* Removes record i, which was added with this key. */
static inline void key_index_remove(struct key_index *x, uint64_t key, uint32_t i) {
    uint32_t *link = &x->first[hash_top(key, x->bits)];
    while (*link != i)
        link = &x->next[*link];
    *link = x->next[i];
    x->used--;
}

#endif
