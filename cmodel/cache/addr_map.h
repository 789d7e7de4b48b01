/* SPDX-License-Identifier: Apache-2.0 */
/* Where a line lives: its partition, bank, line number within the bank. One place for the functions
 * that the papers vary; sets: cache/set_index.h. Lines are byte addresses / LINE_BYTES.
 *
 * Consecutive lines form chunks of `interleave`; a map gives each chunk its partition. With the
 * partition taken out, what is left is the *rest* line: the lines of a partition, numbered without
 * gaps. It is also what the DRAM channel decodes. Of the rest line, log2(subs) bits from
 * `sub_shift` up choose the L2 bank of the partition; with them taken out too, the *local* line
 * numbers the lines of a bank without gaps. By it the L2 chooses the set.
 *
 * Two maps have no order. With `random`, option 4 of GPGPU-Sim, the L2 bank of a line is drawn when
 * the line is first asked for. `hash` draws by the address alone, so that it does not matter who
 * asks first. Neighbouring lines share a draw: 1, a half or a quarter of a chunk, for 1, 2 or 4
 * banks in a partition. Rest and local stay as modulo has them: lines of a bank may share them.
 * Caches hold whole line numbers, and the DRAM sees one row.
 */
#ifndef MEMTWIN_CACHE_ADDR_MAP_H
#define MEMTWIN_CACHE_ADDR_MAP_H

#include <assert.h>
#include <stdint.h>

#include "cache/draws.h"
#include "cache/set_index.h"
#include "config/config.h"
#include "context/context.h"
#include "lib/random.h"

/* l2.partition_map, and MAP of rtl/lib/mt_part_map.v as far as ipoly. C: number of the chunk, m: of
 * partitions, x = C mod m, T = C div m. Source: Dai, PhD dissertation, NC State 2017, section 3.7;
 * where it is silent, the constants are those of the authors' files. */
enum partition_map {
    PARTITION_MODULO,   /* x */
    PARTITION_XOR,      /* x, XORed with C >> xor_shift */
    PARTITION_XOR_NEXT, /* x, XORed with T */
    PARTITION_PRIME,    /* C mod the largest prime up to m: the other partitions stay idle */
    PARTITION_A_PRIME,  /* C mod the prime 2m - 1, mod m */
    PARTITION_D_PRIME,  /* (11 T + x) mod m */
    PARTITION_IPOLY,    /* C as a polynomial over GF(2), mod that of m */
    PARTITION_RANDOM,
    PARTITION_HASH
};

#define ADDR_NO_BANK DRAWS_NONE

/* Bits of a line number: device addresses of 47 bits. ADDR_W of an MSHR that tracks lines; one that
 * tracks sectors has two more. */
#define ADDR_LINE_BITS 40

struct addr_map {
    uint32_t partitions, subs;
    uint32_t interleave; /* consecutive lines in one partition */
    uint32_t sub_shift;  /* lowest bit of the rest line that chooses the bank */
    uint32_t map;        /* enum partition_map */
    uint32_t prime;      /* divisor of prime and a_prime */
    uint32_t xor_shift;  /* of the chunk number: the address shifted twice by the chunk's bits */
    uint32_t draw_shift; /* log2 of the lines that share a draw */
    struct draws *draws; /* of PARTITION_RANDOM; not owned */
};

/* Unless it is drawn. */
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

/* Chunks of a partition, likewise. Of a_prime, two residues go to each but the last. */
static inline uint64_t addr_rest_chunk(const struct addr_map *m, uint64_t chunk) {
    if (m->map != PARTITION_PRIME && m->map != PARTITION_A_PRIME)
        return chunk / m->partitions;
    const uint64_t rounds = chunk / m->prime, residue = chunk - rounds * m->prime;
    if (m->map == PARTITION_PRIME || residue == m->partitions - 1)
        return rounds;
    return 2 * rounds + (residue >= m->partitions);
}

/* Lines of a partition, numbered without gaps unless it is drawn. */
static inline uint64_t addr_rest(const struct addr_map *m, uint64_t line) {
    return addr_rest_chunk(m, line / m->interleave) * m->interleave + line % m->interleave;
}

/* L2 bank over all partitions, drawn from the address. */
static inline uint32_t addr_drawn_bank(const struct addr_map *m, uint64_t line) {
    uint64_t piece = line >> m->draw_shift;
    return random_below(&piece, m->partitions * m->subs);
}

/* L2 bank over all partitions, of a line of a partition. */
static inline uint32_t addr_bank_in(const struct addr_map *m, uint32_t partition, uint64_t rest) {
    return partition * m->subs + (uint32_t)(rest >> m->sub_shift & (m->subs - 1));
}

static inline uint32_t addr_fixed_bank(const struct addr_map *m, uint64_t line) {
    if (m->map == PARTITION_HASH)
        return addr_drawn_bank(m, line);
    uint32_t p = addr_partition(m, line);
    if (m->subs == 1)
        return p;
    return addr_bank_in(m, p, addr_rest(m, line));
}

/* L2 bank over all partitions, of a line that goes there. */
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
/* One without draws, and with one bank in a partition. */
struct addr_map addr_map_fixed(enum partition_map map, uint32_t partitions, uint32_t interleave);

/* The divisor of the maps prime and a_prime for that number of partitions; 0 for the other maps and
 * if there is no such prime. */
uint32_t addr_map_prime(enum partition_map map, uint32_t partitions);

/* The numbers of partitions that the map allows, as text, if `partitions` is none of them; else
 * NULL. */
const char *addr_map_needs(enum partition_map map, uint32_t partitions);

/* The set of a line in its L2 bank, by any function. */
static inline uint32_t addr_l2_set(const struct addr_map *m, enum set_index f, uint64_t line,
                                   uint32_t sets) {
    return addr_set(f, addr_local(m, line), sets);
}

/* The bank of a line that the request of that number asks for; REQUEST_NONE: none does. Draws it if
 * the map does so. If threads must not draw now it is noted in context.undrawn, and the bank is not
 * the one. */
static inline uint32_t line_bank(struct context *c, const struct addr_map *m, uint64_t line,
                                 uint32_t packet) {
    uint32_t bank = c->undrawn ? addr_find_bank(m, line) : addr_bank(m, line);
    if (bank != ADDR_NO_BANK)
        return bank;
    assert(c->n_undrawn < c->undrawn_room);
    c->undrawn[c->n_undrawn++] = (struct undrawn){line, packet};
    return 0;
}

#endif
