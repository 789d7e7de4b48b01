/* SPDX-License-Identifier: Apache-2.0 */
/* Set of small numbers, with one bit per number, in an array of words that the caller owns. */
#ifndef MEMTWIN_LIB_BIT_SET_H
#define MEMTWIN_LIB_BIT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/bits.h"

#define BIT_SET_NONE UINT32_MAX

/* Returns the number of words needed for a set of numbers below n. */
static inline uint32_t bit_set_words(uint32_t n) {
    return (n + 63) / 64;
}

static inline void bit_set_add(uint64_t *set, uint32_t i) {
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void bit_set_remove(uint64_t *set, uint32_t i) {
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static inline bool bit_set_any(const uint64_t *set, uint32_t words) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++)
        any |= set[w];
    return any != 0;
}

/* Returns the lowest member that is at least `from`, or BIT_SET_NONE. */
static inline uint32_t bit_set_next(const uint64_t *set, uint32_t words, uint32_t from) {
    uint32_t w = from / 64;
    if (w >= words)
        return BIT_SET_NONE;
    uint64_t x = set[w] & ~bits_low(from % 64);
    while (!x) {
        if (++w == words)
            return BIT_SET_NONE;
        x = set[w];
    }
    return 64 * w + bits_lowest(x);
}

/* Returns the lowest member that is at least `from` or, if there is none, the lowest member of
 * all. The set must not be empty. */
static inline uint32_t bit_set_next_round(const uint64_t *set, uint32_t words, uint32_t from) {
    uint32_t i = bit_set_next(set, words, from);
    return i == BIT_SET_NONE ? bit_set_next(set, words, 0) : i;
}

#endif
