/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of addr_hash, in phases. Each draws which lines are accessed and how often. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_STIMULUS_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_STIMULUS_H

#include "addr_hash/addr_hash_score.h"

/* Lines of a phase. */
enum addr_hash_lines {
    LINES_ANY,
    LINES_STRIDE, /* a power of two apart */
    LINES_LOW,    /* with the same low bits: one set by bmod */
    LINES_HOT,    /* of one set, mostly */
    LINES_SPARSE, /* with few bits */
    LINES_DENSE,  /* with most bits */
    LINES_BIT,    /* one bit, or all but one */
    LINES_EDGE,   /* none or all bits, and near that */
    LINES_PRIME,  /* at a multiple of a prime that divides, or one off it */
    LINES_FEW,    /* the same ones again */
    N_LINES
};

/* Of accesses. */
enum addr_hash_rate { RATE_ALWAYS, RATE_HALF, RATE_BURSTS, RATE_TURNS, RATE_RARE, N_RATES };

struct addr_hash_stimulus {
    struct addr_hash_geometry g;
    uint64_t rng, cycle;

    /* phase */
    uint64_t phase_end;
    enum addr_hash_lines lines;
    enum addr_hash_rate rate;
    uint64_t base, line; /* line: of the stride, the next one */
    unsigned stride;     /* log2 */
    bool on;
    unsigned left; /* of a burst, on or off */

    bool reset_again; /* in this cycle too */
};

void addr_hash_stimulus_init(struct addr_hash_stimulus *d, const struct addr_hash_geometry *g,
                             uint64_t seed);
/* The inputs of the next cycle; cycle 0 is reset. */
void addr_hash_stimulus_drive(struct addr_hash_stimulus *d, struct addr_hash_in *in);

#endif
