/* SPDX-License-Identifier: Apache-2.0 */
/* The set of a line in a cache, by the functions that the papers vary. The Verilog of all of them
 * is rtl/lib/mt_set_index.v. Sources: Dai, PhD dissertation, NC State 2017, section 3.4, and the
 * files that its authors published; the cache strings of GPGPU-Sim (letters L, X, H, P).
 */
#ifndef MEMTWIN_CACHE_SET_INDEX_H
#define MEMTWIN_CACHE_SET_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* l1d.set_index, l2.set_index and INDEX of the Verilog. L: number of the line, n: of sets,
 * x = L mod n, T = L div n. */
enum set_index {
    SET_BMOD,     /* x */
    SET_BXOR,     /* x, XORed with L >> 7: the authors' files */
    SET_FERMI,    /* x, bits 6, 7, 8, 10, 12 of L XORed into the low five: 32 or 64 sets */
    SET_XOR,      /* x, XORed with T: the dissertation's text */
    SET_PMOD,     /* L mod the largest prime below n: the other sets stay empty */
    SET_A_PRIME,  /* L mod the smallest prime above n, mod n */
    SET_D_PRIME,  /* (11 T + x) mod n */
    SET_IPOLY,    /* L as a polynomial over GF(2), mod that of n */
    SET_IPOLY_SUM /* the authors' sum of residues: with carries, no polynomial */
};

/* What the function needs of the number of sets, if this one will not do; else NULL. */
const char *set_index_needs(enum set_index f, uint32_t sets);

/* Set and T together tell the line. */
bool set_index_is_exact(enum set_index f);

/* For 4 to 4096 sets, a power of two: how far the largest prime below lies, and the smallest above.
 */
static inline uint32_t set_index_prime(enum set_index f, uint32_t sets) {
    static const uint8_t below[] = {1, 1, 3, 1, 3, 1, 5, 3, 3, 9, 3};
    static const uint8_t above[] = {1, 3, 1, 5, 3, 3, 1, 9, 7, 5, 3};
    const uint32_t i = (uint32_t)__builtin_ctz(sets) - 2;
    return f == SET_PMOD ? sets - below[i] : sets + above[i];
}

/* Of a power of two of sets: a polynomial over GF(2) of that degree, without its highest term; 0:
 * none here. For 16, 32 and 64 sets those of GPGPU-Sim. */
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

/* The remainder of a number, as a polynomial over GF(2). x^degree is p there. Squaring spreads the
 * terms: x^(2 degree) is p with all powers doubled. So the upper bits go in pieces of 4, 2, 1 times
 * the degree. */
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

static inline uint64_t set_index_fold(uint64_t line, uint32_t at, uint32_t to) {
    const uint64_t high = line >> at;
    return (line & ((UINT64_C(1) << at) - 1)) ^ high ^ high << to;
}

/* The same without loops for 64 sets, x^6 = x + 1. */
static inline uint32_t set_index_divide_64(uint64_t line) {
    line = set_index_fold(set_index_fold(line, 48, 8), 24, 4);
    line = set_index_fold(set_index_fold(line, 12, 2), 12, 2);
    return (uint32_t)set_index_fold(set_index_fold(line, 6, 1), 6, 1);
}

static inline uint32_t set_index_remainder(uint64_t line, uint32_t sets) {
    return sets == 64 ? set_index_divide_64(line) : set_index_divide(line, sets);
}

/* Bits 0 to 26 of the line weigh 2^i mod 19. */
static inline uint32_t set_index_sum(uint64_t line) {
    uint32_t sum = 0, residue = 1;
    for (unsigned i = 0; i < 27; i++) {
        sum += line >> i & 1 ? residue : 0;
        residue = residue * 2 % 19;
    }
    return sum;
}

/* T, of a power of two of sets. */
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
