/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the lines used in a run of cache_example: four hubs, the neighbors of each hub, and other
 * lines anywhere. The neighbors of a hub are all lines that differ from it in one address bit.
 * Most of them are in the hub's set. For each line, `memory` holds its contents in memory, and
 * `want` its expected contents after all stores whose responses have arrived. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_LINES_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_LINES_H

#include "cache_example/cache_example_ports.h"

enum { CACHE_HUBS = 4, CACHE_OTHERS = 64, CACHE_LINES = 4 * 44 + CACHE_OTHERS, CACHE_NONE = -1 };

struct cache_shape {
    unsigned bytes, /* number of bytes in a line */
        beats,      /* number of beats in a line */
        beat_bytes; /* number of bytes in a beat */
    unsigned size;  /* log2 of beat_bytes */
    unsigned sets, ways, heads, slots, evicts;
    unsigned ids;      /* number of IDs, a power of two */
    unsigned tags;     /* number of lines that map to a set, capped at 64 */
    uint64_t lines;    /* number of addressable lines */
    unsigned set_bits, /* width of a set number */
        line_bits;     /* width of a line number */
};

struct cache_line {
    uint64_t addr; /* byte address */
    uint8_t memory[128], want[128];
    bool failed;     /* true if the line's last fetch returned an error */
    int first, last; /* oldest and newest request without a response, or CACHE_NONE */
};

/* A hub. Its line is followed by its neighbors in the same set and then by those in other sets. */
struct cache_hub {
    unsigned first, /* index of the hub's line */
        same_set,   /* number of lines of this hub in its set: the hub and those neighbors */
        all;        /* number of lines of this hub: the hub and all neighbors */
};

struct cache_lines {
    struct cache_shape shape;
    struct cache_line line[CACHE_LINES];
    unsigned n;
    struct cache_hub hub[CACHE_HUBS];
};

void cache_lines_init(struct cache_lines *l, const struct block_params *p, uint64_t *rng);
/* Returns the index of the line at byte address `addr`, or CACHE_NONE. */
int cache_lines_find(const struct cache_lines *l, uint64_t addr);

#endif
