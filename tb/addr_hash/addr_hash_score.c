// SPDX-License-Identifier: Apache-2.0
#include "addr_hash/addr_hash_score.h"

/* ---- Arithmetic ---- */

static bool is_prime(uint64_t n) {
    for (uint64_t d = 2; d < n; d++)
        if (n % d == 0)
            return false;
    return n >= 2;
}

/* Returns the first prime number in n, n + step, n + 2 step, and so forth. `step` is 1 or -1. */
static uint64_t prime_from(uint64_t n, int step) {
    while (!is_prime(n))
        n += (uint64_t)(int64_t)step;
    return n;
}

/* Returns the polynomial over GF(2) for n sets or partitions, with one bit per term. */
static uint64_t polynomial_of(uint64_t n) {
    static const uint64_t of[] = {11, 19, 37, 67, 131, 283, 529, 1033, 2053, 4179};
    unsigned i = 0;
    while (UINT64_C(8) << i < n)
        i++;
    return of[i];
}

/* Performs polynomial long division, bit by bit from the highest bit. Returns the remainder. */
static uint64_t divide_number(uint64_t dividend, uint64_t n) {
    uint64_t by = polynomial_of(n), rest = 0;
    for (int bit = 47; bit >= 0; bit--) {
        rest = rest * 2 + (dividend >> bit) % 2;
        if (rest >= n)
            rest ^= by;
    }
    return rest;
}

static uint64_t sum_of_residues(uint64_t line) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 27; i++)
        sum += (line >> i) % 2 * ((UINT64_C(1) << i) % 19);
    return sum;
}

/* Returns bits 13, 14, 15, 17 and 19 of the byte address, packed from the lowest up. */
static uint64_t fermi_bits(uint64_t line) {
    static const unsigned bit[] = {13, 14, 15, 17, 19};
    uint64_t address = line * 128, bits = 0;
    for (unsigned i = 0; i < sizeof bit / sizeof *bit; i++)
        bits += (address >> bit[i]) % 2 << i;
    return bits;
}

/* ---- The functions ---- */

void addr_hash_geometry_init(struct addr_hash_geometry *g, const struct block_params *p) {
    *g = (struct addr_hash_geometry){
        .addr_w = (unsigned)p->v[ADDR_HASH_ADDR_W],
        .index = (unsigned)p->v[ADDR_HASH_INDEX],
        .map = (unsigned)p->v[ADDR_HASH_MAP],
        .interleave = (unsigned)p->v[ADDR_HASH_INTERLEAVE],
        .latency = (unsigned)p->v[ADDR_HASH_LATENCY],
        .sets = (uint64_t)p->v[ADDR_HASH_SETS],
        .partitions = (uint64_t)p->v[ADDR_HASH_PARTITIONS],
        .line_mask = (UINT64_C(1) << p->v[ADDR_HASH_ADDR_W]) - 1,
    };
    if (g->index == INDEX_PMOD)
        g->set_prime = prime_from(g->sets - 1, -1);
    if (g->index == INDEX_A_PRIME)
        g->set_prime = prime_from(g->sets + 1, 1);
    if (g->map == MAP_PRIME)
        g->part_prime = prime_from(g->partitions, -1);
    if (g->map == MAP_A_PRIME)
        g->part_prime = 2 * g->partitions - 1;
}

static uint64_t set_of(const struct addr_hash_geometry *g, uint64_t line) {
    const uint64_t n = g->sets, low = line % n, high = line / n;
    switch (g->index) {
    case INDEX_BXOR:
        return low ^ line / 128 % n;
    case INDEX_FERMI:
        return low ^ fermi_bits(line);
    case INDEX_XOR:
        return low ^ high % n;
    case INDEX_PMOD:
        return line % g->set_prime;
    case INDEX_A_PRIME:
        return line % g->set_prime % n;
    case INDEX_D_PRIME:
        return (11 * high + low) % n;
    case INDEX_IPOLY:
        return divide_number(line, n);
    case INDEX_IPOLY_SUM:
        return sum_of_residues(line) % n;
    default:
        return low;
    }
}

static uint64_t part_of(const struct addr_hash_geometry *g, uint64_t chunk) {
    const uint64_t m = g->partitions, low = chunk % m, high = chunk / m;
    switch (g->map) {
    case MAP_XOR:
        return low ^ (chunk >> (7 + g->interleave)) % m;
    case MAP_XOR_NEXT:
        return low ^ high % m;
    case MAP_PRIME:
        return chunk % g->part_prime;
    case MAP_A_PRIME:
        return chunk % g->part_prime % m;
    case MAP_D_PRIME:
        return (11 * high + low) % m;
    case MAP_IPOLY:
        return divide_number(chunk, m);
    default:
        return low;
    }
}

/* Returns the number of earlier chunks in the same partition. */
static uint64_t chunks_before(const struct addr_hash_geometry *g, uint64_t chunk) {
    if (g->map == MAP_PRIME)
        return chunk / g->part_prime;
    if (g->map == MAP_A_PRIME)
        return part_of(g, chunk) == g->partitions - 1
                   ? chunk / g->part_prime
                   : chunk / g->part_prime * 2 + chunk % g->part_prime / g->partitions;
    return chunk / g->partitions;
}

struct addr_hash_place addr_hash_place_of(const struct addr_hash_geometry *g, uint64_t line) {
    const uint64_t lines = UINT64_C(1) << g->interleave, chunk = addr_hash_chunk(g, line);
    return (struct addr_hash_place){
        .set = set_of(g, line),
        .part = part_of(g, chunk),
        .rest = chunks_before(g, chunk) * lines + line % lines,
    };
}

/* ---- A cycle ---- */

void addr_hash_score_init(struct addr_hash_score *s, const struct addr_hash_geometry *g) {
    *s = (struct addr_hash_score){.g = *g};
}

const char *addr_hash_score_check(const struct addr_hash_score *s,
                                  const struct addr_hash_out *out) {
    const struct addr_hash_access *due = addr_hash_score_due(s);
    if (out->out_valid != due->valid)
        return "out_valid differs from acc_valid LATENCY cycles earlier";
    if (!due->valid)
        return out->out_set || out->out_part || out->out_rest ? "an output without out_valid"
                                                              : NULL;
    const struct addr_hash_place place = addr_hash_place_of(&s->g, due->line);
    if (out->out_set != place.set)
        return "out_set is not the line's set";
    if (out->out_part != place.part)
        return "out_part is not the line's partition";
    if (out->out_rest != place.rest)
        return "out_rest is not the line's number in its partition";
    return NULL;
}

void addr_hash_score_tick(struct addr_hash_score *s, const struct addr_hash_in *in) {
    for (unsigned i = ADDR_HASH_MAX_LATENCY - 1; i > 0; i--)
        s->way[i] = (struct addr_hash_access){s->way[i - 1].valid && !in->rst, s->way[i - 1].line};
    s->way[0] = (struct addr_hash_access){in->acc_valid && !in->rst, in->acc_line};
}
