/* SPDX-License-Identifier: Apache-2.0 */
/* Where a line lives: its partition, bank, line number within the bank, set. One place for the
 * functions that the papers vary. Lines are byte addresses / LINE_BYTES.
 *
 * Consecutive lines form chunks of `interleave`; chunks go round the partitions (modulo, or with
 * higher bits of the address XORed in, for a power of two of partitions). With the partition taken
 * out, what is left is the *rest* line: the lines of a partition, numbered without gaps. It is also
 * what the DRAM channel decodes. Of the rest line, log2(subs) bits from `sub_shift` up choose the
 * L2 bank of the partition; with them taken out too, the *local* line numbers the lines of a bank
 * without gaps.
 *
 * Two maps have no order. With `random`, option 4 of GPGPU-Sim, the L2 bank of a line is drawn when
 * the line is first asked for. `hash` draws by the address alone, so that it does not matter who
 * asks first. Neighbouring lines share a draw: 1, a half or a quarter of a chunk, for 1, 2 or 4
 * banks in a partition. Rest and local stay as modulo has them: lines of a bank may share them.
 * Caches hold whole line numbers, and the DRAM sees one row.
 */
#ifndef MEMTWIN_CACHE_ADDR_MAP_H
#define MEMTWIN_CACHE_ADDR_MAP_H

#include <stdint.h>

#include "cache/draws.h"
#include "config/config.h"
#include "lib/random.h"

/* l2.partition_map */
enum { PARTITION_MODULO, PARTITION_XOR, PARTITION_RANDOM, PARTITION_HASH };

#define ADDR_NO_BANK DRAWS_NONE

/* Bits of a line number: device addresses of 47 bits. ADDR_W of an MSHR that tracks lines; one that
 * tracks sectors has two more. */
#define ADDR_LINE_BITS 40

struct addr_map {
    uint32_t partitions, subs;
    uint32_t interleave; /* consecutive lines in one partition */
    uint32_t sub_shift;  /* lowest bit of the rest line that chooses the bank */
    uint32_t map;        /* l2.partition_map */
    uint32_t xor_shift;  /* of the chunk number: the address shifted twice by the chunk's bits */
    uint32_t draw_shift; /* log2 of the lines that share a draw */
    struct draws *draws; /* of PARTITION_RANDOM; not owned */
};

/* Of PARTITION_MODULO and PARTITION_XOR. */
static inline uint32_t addr_partition(const struct addr_map *m, uint64_t line) {
    uint64_t chunk = line / m->interleave;
    uint32_t p = (uint32_t)(chunk % m->partitions);
    if (m->map == PARTITION_MODULO)
        return p;
    return p ^ (uint32_t)(chunk >> m->xor_shift & (m->partitions - 1));
}

/* Lines of a partition, numbered without gaps unless it is drawn. */
static inline uint64_t addr_rest(const struct addr_map *m, uint64_t line) {
    return line / m->interleave / m->partitions * m->interleave + line % m->interleave;
}

/* L2 bank over all partitions, drawn from the address. */
static inline uint32_t addr_hash_bank(const struct addr_map *m, uint64_t line) {
    uint64_t piece = line >> m->draw_shift;
    return random_below(&piece, m->partitions * m->subs);
}

static inline uint32_t addr_fixed_bank(const struct addr_map *m, uint64_t line) {
    if (m->map == PARTITION_HASH)
        return addr_hash_bank(m, line);
    uint32_t p = addr_partition(m, line);
    if (m->subs == 1)
        return p;
    return p * m->subs + (uint32_t)(addr_rest(m, line) >> m->sub_shift & (m->subs - 1));
}

/* L2 bank over all partitions, of a line that goes there. ADDR_NO_BANK: out of memory. */
static inline uint32_t addr_bank(const struct addr_map *m, uint64_t line) {
    return m->map == PARTITION_RANDOM ? draws_get(m->draws, line >> m->draw_shift)
                                      : addr_fixed_bank(m, line);
}

/* The same for onlookers, who draw nothing. ADDR_NO_BANK: the line has been in no bank. */
static inline uint32_t addr_find_bank(const struct addr_map *m, uint64_t line) {
    return m->map == PARTITION_RANDOM ? draws_find(m->draws, line >> m->draw_shift)
                                      : addr_fixed_bank(m, line);
}

/* Lines of a bank, likewise. */
static inline uint64_t addr_local(const struct addr_map *m, uint64_t line) {
    uint64_t rest = addr_rest(m, line);
    if (m->subs == 1)
        return rest;
    uint64_t low = rest & ((UINT64_C(1) << m->sub_shift) - 1);
    return (rest >> m->sub_shift) / m->subs << m->sub_shift | low;
}

/* The map of a configuration. */
struct addr_map addr_map_of(const struct config *cfg);

/* Set-index functions, in the order of the key l2.set_index (reference: the same functions in
 * GPGPU-Sim's cache strings, letters L, X, H, P). */
enum set_index { SET_BMOD, SET_BXOR, SET_FERMI, SET_IPOLY };

/* Of a power of two of sets: a polynomial over GF(2) of that degree, without its highest term; 0:
 * none here. For 16, 32 and 64 sets those of GPGPU-Sim. */
static inline uint32_t addr_polynomial(uint32_t sets) {
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

/* The remainder of the line number, as a polynomial over GF(2). x^degree is p there. Squaring
 * spreads the terms: x^(2 degree) is p with all powers doubled. So the upper bits go in pieces of
 * 4, 2, 1 times the degree. */
static inline uint32_t addr_remainder(uint64_t line, uint32_t sets) {
    const uint32_t p = addr_polynomial(sets), degree = (uint32_t)__builtin_ctz(sets);
    for (uint32_t by = 4; by > 0; by /= 2)
        for (uint64_t high; (high = line >> degree * by) != 0;) {
            line ^= high << degree * by;
            for (uint32_t terms = p; terms; terms &= terms - 1)
                line ^= high << (uint32_t)__builtin_ctz(terms) * by;
        }
    return (uint32_t)line;
}

static inline uint64_t addr_fold(uint64_t line, uint32_t at, uint32_t to) {
    const uint64_t high = line >> at;
    return (line & ((UINT64_C(1) << at) - 1)) ^ high ^ high << to;
}

/* The same at once for 64 sets and lines of ADDR_LINE_BITS. */
static inline uint32_t addr_remainder_64(uint64_t line) {
    line = addr_fold(line, 24, 4);
    line = addr_fold(addr_fold(line, 12, 2), 12, 2);
    return (uint32_t)addr_fold(addr_fold(line, 6, 1), 6, 1);
}

static inline uint32_t addr_ipoly(uint64_t line, uint32_t sets) {
    return sets == 64 ? addr_remainder_64(line) : addr_remainder(line, sets);
}

/* Those of l1d.set_index and of the Verilog: all but ipoly. */
static inline uint32_t addr_set(enum set_index f, uint64_t line, uint32_t sets) {
    uint32_t low = (uint32_t)((sets & (sets - 1)) == 0 ? (line & (sets - 1)) : line % sets);
    switch (f) {
    case SET_BXOR: /* a power of two of sets; the line bits above 7 folded in */
        return low ^ (uint32_t)(line >> 7 & (sets - 1));
    case SET_FERMI: /* 32 or 64 sets: address bits 13, 14, 15, 17, 19 folded into the low five */
        return low ^ (uint32_t)((line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4);
    default:
        return low;
    }
}

/* The set of a line in its L2 bank, by any function. */
static inline uint32_t addr_l2_set(const struct addr_map *m, enum set_index f, uint64_t line,
                                   uint32_t sets) {
    const uint64_t local = addr_local(m, line);
    return f == SET_IPOLY ? addr_ipoly(local, sets) : addr_set(f, local, sets);
}

#endif
