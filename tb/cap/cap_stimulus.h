/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of cap in phases. Each phase draws the rates of settings and queries,
 * their groups and their numbers. Some phases use the scoreboard to find numbers at which an answer
 * changes. */
#ifndef MEMTWIN_CAP_CAP_STIMULUS_H
#define MEMTWIN_CAP_CAP_STIMULUS_H

#include "cap/cap_score.h"

/* Kinds of numbers that a phase uses. */
enum cap_numbers {
    CAP_NUMBERS_ANY,
    CAP_NUMBERS_SHORT, /* numbers with a random number of bits */
    CAP_NUMBERS_EDGE,  /* numbers at or near 0 and the maximum */
    CAP_NUMBERS_EXACT, /* numbers that can make both sides of a comparison equal */
    CAP_N_NUMBERS
};

/* Rates of queries and of settings. */
enum cap_rate {
    CAP_RATE_ALWAYS,
    CAP_RATE_HALF,
    CAP_RATE_BURSTS,
    CAP_RATE_TURNS,
    CAP_RATE_RARE,
    CAP_N_RATES
};

struct cap_stimulus {
    struct cap_geometry g;
    const struct cap_score *score;
    uint64_t rng, cycle;

    /* the current phase */
    uint64_t phase_end;
    enum cap_numbers numbers;
    enum cap_rate asks, sets, aggs;
    unsigned first, /* index of the first group */
        span;       /* number of groups */
    unsigned full;  /* number of oversubscribed queries in 4 */
    bool on;
    unsigned left; /* number of cycles left in the current burst or gap */

    bool reset_again; /* true if the reset lasts another cycle */
};

void cap_stimulus_init(struct cap_stimulus *d, const struct cap_geometry *g,
                       const struct cap_score *score, uint64_t seed);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void cap_stimulus_drive(struct cap_stimulus *d, struct cap_in *in);

#endif
