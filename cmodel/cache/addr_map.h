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
 */
#ifndef MEMTWIN_CACHE_ADDR_MAP_H
#define MEMTWIN_CACHE_ADDR_MAP_H

#include <stdint.h>

#include "config/config.h"

/* l2.partition_map */
enum { PARTITION_MODULO, PARTITION_XOR };

/* Bits of a line number: device addresses of 47 bits. ADDR_W of an MSHR that tracks lines; one that
 * tracks sectors has two more. */
#define ADDR_LINE_BITS 40

struct addr_map {
    uint32_t partitions, subs;
    uint32_t interleave; /* consecutive lines in one partition */
    uint32_t sub_shift;  /* lowest bit of the rest line that chooses the bank */
    uint32_t map;        /* PARTITION_MODULO, PARTITION_XOR */
    uint32_t xor_shift;  /* of the chunk number: the address shifted twice by the chunk's bits */
};

static inline uint32_t addr_partition(const struct addr_map *m, uint64_t line) {
    uint64_t chunk = line / m->interleave;
    uint32_t p = (uint32_t)(chunk % m->partitions);
    if (m->map == PARTITION_MODULO)
        return p;
    return p ^ (uint32_t)(chunk >> m->xor_shift & (m->partitions - 1));
}

/* Lines of a partition, numbered without gaps. */
static inline uint64_t addr_rest(const struct addr_map *m, uint64_t line) {
    return line / m->interleave / m->partitions * m->interleave + line % m->interleave;
}

/* L2 bank over all partitions. */
static inline uint32_t addr_bank(const struct addr_map *m, uint64_t line) {
    uint32_t p = addr_partition(m, line);
    if (m->subs == 1)
        return p;
    return p * m->subs + (uint32_t)(addr_rest(m, line) >> m->sub_shift & (m->subs - 1));
}

/* Lines of a bank, numbered without gaps. */
static inline uint64_t addr_local(const struct addr_map *m, uint64_t line) {
    uint64_t rest = addr_rest(m, line);
    if (m->subs == 1)
        return rest;
    uint64_t low = rest & ((UINT64_C(1) << m->sub_shift) - 1);
    return (rest >> m->sub_shift) / m->subs << m->sub_shift | low;
}

/* The map of a configuration. */
struct addr_map addr_map_of(const struct config *cfg);

/* Set-index functions, in the order of the keys l1d.set_index and l2.set_index (reference: the same
 * functions in GPGPU-Sim's cache strings, letters L, X and H). */
enum set_index { SET_BMOD, SET_BXOR, SET_FERMI };

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

#endif
