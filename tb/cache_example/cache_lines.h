/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that a run of cache_example uses: four hubs with all lines whose address differs from
 * theirs in one bit, most of them in the hub's set; others lie anywhere. Of each line there is what
 * memory holds, and what it should hold by the stores that were answered. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_LINES_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_LINES_H

#include "cache_example/cache_example_ports.h"

enum { CACHE_HUBS = 4, CACHE_OTHERS = 64, CACHE_LINES = 4 * 44 + CACHE_OTHERS, CACHE_NONE = -1 };

struct cache_shape {
    unsigned bytes, beats, beat_bytes; /* of a line; in it; of one */
    unsigned size;                     /* log2 of beat_bytes */
    unsigned sets, ways, heads, slots, evicts;
    unsigned ids;                 /* a power of two */
    unsigned tags;                /* of a set, at most 64 */
    uint64_t lines;               /* that addresses name */
    unsigned set_bits, line_bits; /* of the number of a set, of a line */
};

struct cache_line {
    uint64_t addr; /* in bytes */
    uint8_t memory[128], want[128];
    bool failed;     /* its last fetch came with an error */
    int first, last; /* requests that were taken and not answered, or CACHE_NONE */
};

/* A hub, its first line, and its neighbours behind it: those of its set, then the others. */
struct cache_hub {
    unsigned first, same_set, all; /* same_set, all: lines, with the hub */
};

struct cache_lines {
    struct cache_shape shape;
    struct cache_line line[CACHE_LINES];
    unsigned n;
    struct cache_hub hub[CACHE_HUBS];
};

void cache_lines_init(struct cache_lines *l, const struct block_params *p, uint64_t *rng);
/* The line at that address, or CACHE_NONE. */
int cache_lines_find(const struct cache_lines *l, uint64_t addr);

#endif
