/* SPDX-License-Identifier: Apache-2.0 */
/* Maps each line to its partition, its bank and its number within the bank, with functions that
 * differ between papers. The functions for sets are in cache/set_index.h. A line number is a
 * byte address / LINE_BYTES.
 *
 * Each chunk of `interleave` consecutive lines is in one partition, which the map chooses. The
 * *rest* line is a line's number within its partition. These numbers have no gaps. The DRAM channel
 * also decodes the rest line. Its log2(banks) bits, starting at bit `bank_shift`, choose the L2
 * bank of the partition. Its other bits form the *local* line, the line's number within its bank,
 * which gives the set in the L2. Local lines have no gaps either.
 *
 * The map `random`, option 4 of GPGPU-Sim, draws a random L2 bank for a line when the line is
 * first requested. Adjacent lines share a draw: the lines of a whole, half or quarter chunk if a
 * partition has 1, 2 or 4 banks, respectively. Rest and local lines are computed as for modulo, so
 * two lines of a bank may have the same rest or local line. Tags distinguish these lines, because
 * they are whole line numbers. The DRAM does not distinguish them.
 *
 * The map `ipoly_banks`, option 2 of GPGPU-Sim, hashes the number of the L2 bank that modulo gives
 * with the bits of the chunk number above it. Rest and local lines are computed as for modulo. If
 * the number of banks is not a power of two, two lines of a bank may have the same ones.
 */
#ifndef MEMTWIN_CACHE_ADDR_MAP_H
#define MEMTWIN_CACHE_ADDR_MAP_H

#include <stdint.h>

#include "cache/draws.h"
#include "cache/set_index.h"
#include "config/config.h"

/* Values of l2.partition_map. The values up to ipoly are also those of MAP in
 * rtl/lib/mt_part_map.v. In their descriptions, C is the chunk number, m the number of partitions,
 * x = C mod m, and T = C div m. Source: Dai, PhD dissertation, NC State 2017, section 3.7;
 * constants that the dissertation omits are from its authors' files. */
enum partition_map { L2_PARTITION_MAP_VALUES(VALUE_ENUMERATOR) };

#define ADDR_NO_BANK DRAWS_NONE

/* Number of bits in a line number, for 47-bit device addresses. ADDR_W of an MSHR has this
 * value if the MSHR tracks lines, and is 2 greater if it tracks sectors. */
#define ADDR_LINE_BITS 40

struct addr_map {
    uint32_t partitions, banks;
    uint32_t interleave; /* number of consecutive lines in a chunk */
    uint32_t bank_shift; /* position of the lowest rest-line bit that chooses the bank */
    uint32_t map;        /* enum partition_map */
    uint32_t prime;      /* divisor of the maps prime and a_prime; 0 for other maps */
    uint32_t xor_shift;  /* right shift of the chunk number for the map xor */
    uint32_t draw_shift; /* log2 of the number of lines that share a draw */
    uint32_t hash_banks; /* ipoly_banks: number of L2 banks, rounded up to a power of two */
    struct draws *draws; /* used only by the map random; not owned */
};

/* Returns the partition of a line for all maps except random and ipoly_banks. */
static inline uint32_t addr_partition(const struct addr_map *m, uint64_t line) {
    const uint64_t chunk = line / m->interleave;
    const uint32_t x = (uint32_t)(chunk % m->partitions), mask = m->partitions - 1;
    switch (m->map) {
    case PARTITION_XOR:
        return x ^ (uint32_t)(chunk >> m->xor_shift & mask);
    case PARTITION_XOR_NEXT:
        return x ^ (uint32_t)(chunk / m->partitions & mask);
    case PARTITION_PRIME:
        return (uint32_t)(chunk % m->prime);
    case PARTITION_A_PRIME:
        return (uint32_t)(chunk % m->prime) & mask;
    case PARTITION_D_PRIME:
        return (uint32_t)(chunk / m->partitions * 11 + x) & mask;
    case PARTITION_IPOLY:
        return set_index_remainder(chunk, m->partitions);
    default:
        return x;
    }
}

/* Returns the index of a chunk within its partition. For the map random, the index is that of
 * modulo. For a_prime, two residues map to each partition except the last. */
static inline uint64_t addr_rest_chunk(const struct addr_map *m, uint64_t chunk) {
    if (m->map != PARTITION_PRIME && m->map != PARTITION_A_PRIME)
        return chunk / m->partitions;
    const uint64_t rounds = chunk / m->prime, residue = chunk - rounds * m->prime;
    if (m->map == PARTITION_PRIME || residue == m->partitions - 1)
        return rounds;
    return 2 * rounds + (residue >= m->partitions);
}

/* Returns the rest line, which is the line's number within its partition. */
static inline uint64_t addr_rest(const struct addr_map *m, uint64_t line) {
    return addr_rest_chunk(m, line / m->interleave) * m->interleave + line % m->interleave;
}

/* Returns the number, counted over all partitions, of the L2 bank that contains this rest line of a
 * partition. */
static inline uint32_t addr_bank_in(const struct addr_map *m, uint32_t partition, uint64_t rest) {
    return partition * m->banks + (uint32_t)(rest >> m->bank_shift & (m->banks - 1));
}

/* Returns the L2 bank of a line for the map ipoly_banks. */
uint32_t addr_hashed_bank(const struct addr_map *m, uint64_t line);

static inline uint32_t addr_fixed_bank(const struct addr_map *m, uint64_t line) {
    if (m->map == PARTITION_IPOLY_BANKS)
        return addr_hashed_bank(m, line);
    uint32_t p = addr_partition(m, line);
    if (m->banks == 1)
        return p;
    return addr_bank_in(m, p, addr_rest(m, line));
}

/* Returns the number, counted over all partitions, of the L2 bank of a requested line. Draws the
 * bank if the map is random and the bank has not been drawn yet. */
static inline uint32_t addr_bank(const struct addr_map *m, uint64_t line) {
    return m->map == PARTITION_RANDOM ? draws_get(m->draws, line >> m->draw_shift)
                                      : addr_fixed_bank(m, line);
}

/* Returns the L2 bank of a line, or ADDR_NO_BANK if it has not been drawn yet. */
static inline uint32_t addr_find_bank(const struct addr_map *m, uint64_t line) {
    return m->map == PARTITION_RANDOM ? draws_find(m->draws, line >> m->draw_shift)
                                      : addr_fixed_bank(m, line);
}

/* Returns the local line, which is the line's number within its bank. */
static inline uint64_t addr_local(const struct addr_map *m, uint64_t line) {
    uint64_t rest = addr_rest(m, line);
    if (m->banks == 1)
        return rest;
    uint64_t low = rest & ((UINT64_C(1) << m->bank_shift) - 1);
    return (rest >> m->bank_shift) / m->banks << m->bank_shift | low;
}

/* Returns the map of a configuration. The caller must set `draws` if the map is random. */
struct addr_map addr_map_of(const struct config *cfg);
/* Returns a map without draws and with one bank per partition. */
struct addr_map addr_map_fixed(enum partition_map map, uint32_t partitions, uint32_t interleave);

/* Returns the divisor of the map prime or a_prime for this number of partitions. Returns 0 for
 * other maps and if there is no suitable prime. */
uint32_t addr_map_prime(enum partition_map map, uint32_t partitions);

/* Returns a text that says which numbers of partitions are allowed, or NULL if `partitions` is
 * allowed. */
const char *addr_map_needs(enum partition_map map, uint32_t partitions);

/* Returns the set of a line in its L2 bank, for any set-index function. */
static inline uint32_t addr_l2_set(const struct addr_map *m, enum set_index f, uint64_t line,
                                   uint32_t sets) {
    return addr_set(f, addr_local(m, line), sets);
}

#endif
