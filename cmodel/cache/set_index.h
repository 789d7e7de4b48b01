/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a line's set in a cache, with functions that differ between papers.
 * rtl/lib/mt_set_index.v implements all these functions in Verilog. Sources: Dai, PhD dissertation,
 * NC State 2017, section 3.4, and the files that its authors published; GPGPU-Sim's cache strings
 * (letters L, X, H and P).
 */
#ifndef MEMTWIN_CACHE_SET_INDEX_H
#define MEMTWIN_CACHE_SET_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "config/values.def"

/* Values of l1d.set_index, l2.set_index and the Verilog parameter INDEX. In their descriptions, L
 * is the line number, n the number of sets, x = L mod n, and T = L div n. */
enum set_index { CACHE_SET_INDEX_VALUES(VALUE_ENUMERATOR) };

/* Returns a text that says which numbers of sets the function allows, or NULL if it allows
 * `sets`. */
const char *set_index_needs(enum set_index f, uint32_t sets);

/* True if the set and T together identify the line. */
bool set_index_is_exact(enum set_index f);

/* Returns the largest prime below the number of sets (SET_PMOD), or the smallest prime above it
 * (SET_A_PRIME). The number of sets is a power of two from 4 to 4096. The tables contain the
 * distances to the primes. */
static inline uint32_t set_index_prime(enum set_index f, uint32_t sets) {
    static const uint8_t below[] = {1, 1, 3, 1, 3, 1, 5, 3, 3, 9, 3};
    static const uint8_t above[] = {1, 3, 1, 5, 3, 3, 1, 9, 7, 5, 3};
    const uint32_t i = (uint32_t)__builtin_ctz(sets) - 2;
    return f == SET_PMOD ? sets - below[i] : sets + above[i];
}

/* Returns a polynomial over GF(2) of degree log2(sets), without its highest term. Returns 0 if
 * there is no polynomial for this number of sets. The polynomials for 16, 32 and 64 sets are
 * GPGPU-Sim's. */
static inline uint32_t set_index_polynomial(uint32_t sets) {
    switch (sets) {
    case 8:
    case 16:
    case 64:
    case 128:
        return 0x3;
    case 32:
    case 2048:
        return 0x5;
    case 256:
        return 0x1b;
    case 512:
        return 0x11;
    case 1024:
        return 0x9;
    case 4096:
        return 0x53;
    default:
        return 0;
    }
}

/* Returns the remainder of `line`, read as a polynomial over GF(2), modulo x^degree + p. The
 * remainder of x^degree is p. Squaring doubles all powers, so x^(2 degree) equals p with its
 * powers doubled. Therefore, the upper bits can be folded in pieces of 4, 2 and 1 times the
 * degree. */
static inline uint32_t set_index_divide(uint64_t line, uint32_t sets) {
    const uint32_t p = set_index_polynomial(sets), degree = (uint32_t)__builtin_ctz(sets);
    for (uint32_t by = 4; by > 0; by /= 2)
        for (uint64_t high; (high = line >> degree * by) != 0;) {
            line ^= high << degree * by;
            for (uint32_t terms = p; terms; terms &= terms - 1)
                line ^= high << (uint32_t)__builtin_ctz(terms) * by;
        }
    return (uint32_t)line;
}

static inline uint64_t set_index_fold(uint64_t line, uint32_t bits, uint32_t to) {
    const uint64_t high = line >> bits;
    return (line & ((UINT64_C(1) << bits) - 1)) ^ high ^ high << to;
}

/* Returns the result of set_index_divide() for 64 sets (x^6 = x + 1), but without loops. */
static inline uint32_t set_index_divide_64(uint64_t line) {
    line = set_index_fold(set_index_fold(line, 48, 8), 24, 4);
    line = set_index_fold(set_index_fold(line, 12, 2), 12, 2);
    return (uint32_t)set_index_fold(set_index_fold(line, 6, 1), 6, 1);
}

/* Returns the result of set_index_divide() for 32 sets (x^5 = x^2 + 1), but without loops. */
static inline uint32_t set_index_divide_32(uint64_t line) {
    line = set_index_fold(line, 40, 16);
    line = set_index_fold(set_index_fold(line, 20, 8), 20, 8);
    line = set_index_fold(set_index_fold(line, 10, 4), 10, 4);
    return (uint32_t)set_index_fold(set_index_fold(line, 5, 2), 5, 2);
}

static inline uint32_t set_index_remainder(uint64_t line, uint32_t sets) {
    if (sets == 32)
        return set_index_divide_32(line);
    return sets == 64 ? set_index_divide_64(line) : set_index_divide(line, sets);
}

/* Returns the weighted sum of bits 0 to 26 of the line. Bit i has the weight 2^i mod 19. */
static inline uint32_t set_index_sum(uint64_t line) {
    uint32_t sum = 0, residue = 1;
    for (unsigned i = 0; i < 27; i++) {
        sum += line >> i & 1 ? residue : 0;
        residue = residue * 2 % 19;
    }
    return sum;
}

/* Returns T. The number of sets must be a power of two. */
static inline uint64_t set_index_above(uint64_t line, uint32_t sets) {
    return line >> __builtin_ctz(sets);
}

static inline uint32_t addr_set(enum set_index f, uint64_t line, uint32_t sets) {
    const uint32_t mask = sets - 1;
    switch (f) {
    case SET_BXOR:
        return (uint32_t)((line ^ line >> 7) & mask);
    case SET_FERMI:
        return (uint32_t)((line & mask) ^
                          ((line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4));
    case SET_XOR:
        return (uint32_t)((line ^ set_index_above(line, sets)) & mask);
    case SET_PMOD:
        return (uint32_t)(line % set_index_prime(f, sets));
    case SET_A_PRIME:
        return (uint32_t)(line % set_index_prime(f, sets)) & mask;
    case SET_D_PRIME:
        return (uint32_t)(set_index_above(line, sets) * 11 + line) & mask;
    case SET_IPOLY:
        return set_index_remainder(line, sets);
    case SET_IPOLY_SUM:
        return set_index_sum(line) & mask;
    default:
        return (uint32_t)((sets & mask) == 0 ? line & mask : line % sets);
    }
}

#endif
