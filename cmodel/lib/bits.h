/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, finds and masks bits, and rounds up to powers of two. */
#ifndef MEMTWIN_LIB_BITS_H
#define MEMTWIN_LIB_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static inline unsigned bits_count(uint64_t x) {
    return (unsigned)__builtin_popcountll(x);
}

/* Returns the number of set bits. It is fast for full masks, which are the common case. Without
 * a popcnt instruction, counting needs a function call. */
static inline unsigned bits_count32(uint32_t x) {
    return x == UINT32_MAX ? 32 : (unsigned)__builtin_popcount(x);
}

/* Returns the number of set bits of x. x must be below 16. */
static inline unsigned bits_count4(unsigned x) {
    assert(x < 16);
    return UINT64_C(0x4332322132212110) >> 4 * x & 15;
}

/* Returns the position of the lowest set bit. x must not be 0. */
static inline unsigned bits_lowest(uint64_t x) {
    return (unsigned)__builtin_ctzll(x);
}

/* Returns a mask of the n lowest bits. n is at most 64. */
static inline uint64_t bits_low(unsigned n) {
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

static inline bool bits_power_of_two(uint64_t x) {
    return x && (x & (x - 1)) == 0;
}

/* Returns the position of the first set bit above position i, wrapping around to the lowest set
 * bit. x must not be 0, and i must be below 64. */
static inline unsigned bits_next(uint64_t x, unsigned i) {
    uint64_t above = x & ~bits_low(i + 1);
    return bits_lowest(above ? above : x);
}

/* Returns the smallest power of two that is at least x. */
static inline uint64_t bits_round_up(uint64_t x) {
    uint64_t p = 1;
    while (p < x)
        p <<= 1;
    return p;
}

/* Returns the number of bits needed for a number from 0 to x. The result is at least 1. */
static inline unsigned bits_to_hold(uint64_t x) {
    return x > 1 ? bits_lowest(bits_round_up(x + 1)) : 1;
}

#endif
