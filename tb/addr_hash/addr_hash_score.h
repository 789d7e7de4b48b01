/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of addr_hash. Computes the formulas as written in docs/understand/addr_hash.md, with
 * remainders and long division, and tracks the accesses in the pipeline. Uses nothing from
 * cmodel/cache. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_SCORE_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_SCORE_H

#include "addr_hash/addr_hash_ports.h"

/* Values of INDEX and of MAP, as numbered in the contract. */
enum { INDEX_BMOD, INDEX_BXOR, INDEX_FERMI, INDEX_XOR, INDEX_PMOD, INDEX_A_PRIME, INDEX_D_PRIME };
enum { INDEX_IPOLY = 7, INDEX_IPOLY_SUM = 8 };
enum { MAP_MODULO, MAP_XOR, MAP_XOR_NEXT, MAP_PRIME, MAP_A_PRIME, MAP_D_PRIME, MAP_IPOLY };

/* Sizes derived from the parameters. */
struct addr_hash_geometry {
    unsigned addr_w, index, map, interleave, latency;
    uint64_t sets, partitions, line_mask;
    uint64_t set_prime, part_prime; /* divisors for the set and the partition; 0 if the function has
                                       no divisor */
};

/* Set and partition of a line, and its number within the partition. */
struct addr_hash_place {
    uint64_t set, part, rest;
};

struct addr_hash_access {
    bool valid;
    uint64_t line;
};

struct addr_hash_score {
    struct addr_hash_geometry g;
    struct addr_hash_access way[ADDR_HASH_MAX_LATENCY]; /* accesses in the pipeline, newest first */
};

void addr_hash_geometry_init(struct addr_hash_geometry *g, const struct block_params *p);
struct addr_hash_place addr_hash_place_of(const struct addr_hash_geometry *g, uint64_t line);
static inline uint64_t addr_hash_chunk(const struct addr_hash_geometry *g, uint64_t line) {
    return line / (UINT64_C(1) << g->interleave);
}

void addr_hash_score_init(struct addr_hash_score *s, const struct addr_hash_geometry *g);
/* Returns the access whose outputs are due in this cycle. */
static inline const struct addr_hash_access *addr_hash_score_due(const struct addr_hash_score *s) {
    return &s->way[s->g.latency - 1];
}
/* Checks the outputs of a cycle. Returns a text that names the broken rule, or NULL if there is
 * none. */
const char *addr_hash_score_check(const struct addr_hash_score *s, const struct addr_hash_out *out);
/* Applies the cycle's clock edge. */
void addr_hash_score_tick(struct addr_hash_score *s, const struct addr_hash_in *in);

#endif
