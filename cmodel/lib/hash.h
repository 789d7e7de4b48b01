/* SPDX-License-Identifier: Apache-2.0 */
/* Computes hashes of numbers and bytes. */
#ifndef MEMTWIN_LIB_HASH_H
#define MEMTWIN_LIB_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^64 and 2^32 divided by the golden ratio and rounded to odd numbers, so that their multiples
 * are far apart. */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define HASH_FACTOR32 UINT32_C(0x9e3779b1)

/* Returns a hash that is `bits` bits wide (1 to 32). It consists of the top bits of a product,
 * which depend on all bits of the key. */
static inline uint32_t hash_top(uint64_t key, unsigned bits) {
    return (uint32_t)(key * HASH_FACTOR >> (64 - bits));
}

static inline uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * HASH_FACTOR;
    return hash ^ hash >> 32;
}

/* Returns a hash of n bytes, read eight at a time. `seed` is mixed into the hash; it may be 0. */
static inline uint64_t hash_bytes(uint64_t seed, const void *data, size_t n) {
    const unsigned char *p = data;
    uint64_t hash = seed ^ n, word;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        hash = hash_word(hash, word);
    }
    word = 0;
    memcpy(&word, p, n);
    return hash_word(hash, word);
}

#endif
