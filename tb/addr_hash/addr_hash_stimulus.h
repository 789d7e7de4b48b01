/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of addr_hash in phases. Each phase draws the kind of lines and the access
 * rate. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_STIMULUS_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_STIMULUS_H

#include "addr_hash/addr_hash_score.h"

/* Kinds of lines that a phase accesses. */
enum addr_hash_lines {
    ADDR_HASH_LINES_ANY,
    ADDR_HASH_LINES_STRIDE, /* lines that are a power of two apart */
    ADDR_HASH_LINES_LOW,    /* lines with the same low bits, which bmod maps to one set */
    ADDR_HASH_LINES_HOT,    /* mostly lines in one set */
    ADDR_HASH_LINES_SPARSE, /* lines with few bits set */
    ADDR_HASH_LINES_DENSE,  /* lines with most bits set */
    ADDR_HASH_LINES_BIT,    /* lines with one bit set, or all except one */
    ADDR_HASH_LINES_EDGE,   /* lines at or near the first or the last line */
    ADDR_HASH_LINES_PRIME,  /* lines at or next to a multiple of the divisor */
    ADDR_HASH_LINES_FEW,    /* the same few lines */
    ADDR_HASH_N_LINES
};

/* Rates of accesses. */
enum addr_hash_rate {
    ADDR_HASH_RATE_ALWAYS,
    ADDR_HASH_RATE_HALF,
    ADDR_HASH_RATE_BURSTS,
    ADDR_HASH_RATE_TURNS,
    ADDR_HASH_RATE_RARE,
    ADDR_HASH_N_RATES
};

struct addr_hash_stimulus {
    struct addr_hash_geometry g;
    uint64_t rng, cycle;

    /* the current phase */
    uint64_t phase_end;
    enum addr_hash_lines lines;
    enum addr_hash_rate rate;
    uint64_t base, line; /* `line` is the next line of the stride */
    unsigned stride;     /* log2 of the stride */
    bool on;
    unsigned left; /* number of cycles left in the current burst or gap */

    bool reset_again; /* true if the reset lasts another cycle */
};

void addr_hash_stimulus_init(struct addr_hash_stimulus *d, const struct addr_hash_geometry *g,
                             uint64_t seed);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void addr_hash_stimulus_drive(struct addr_hash_stimulus *d, struct addr_hash_in *in);

#endif
