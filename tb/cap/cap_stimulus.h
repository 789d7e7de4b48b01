/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of cap, in phases. Each draws how often is set and asked, of which groups, and with what
 * numbers. Some look at the scoreboard, to ask where an answer changes. */
#ifndef MEMTWIN_CAP_CAP_STIMULUS_H
#define MEMTWIN_CAP_CAP_STIMULUS_H

#include "cap/cap_score.h"

/* Numbers of a phase. */
enum cap_numbers {
    NUMBERS_ANY,
    NUMBERS_SHORT, /* as many bits as are drawn */
    NUMBERS_EDGE,  /* none or all bits, and near that */
    NUMBERS_EXACT, /* both sides of a comparison can be equal */
    N_NUMBERS
};

/* Of questions, of what is set. */
enum cap_rate { RATE_ALWAYS, RATE_HALF, RATE_BURSTS, RATE_TURNS, RATE_RARE, N_RATES };

struct cap_stimulus {
    struct cap_geometry g;
    const struct cap_score *score;
    uint64_t rng, cycle;

    /* phase */
    uint64_t phase_end;
    enum cap_numbers numbers;
    enum cap_rate asks, sets, aggs;
    unsigned first, span; /* first group, number of groups */
    unsigned full;        /* of 4 questions */
    bool on;
    unsigned left; /* of a burst, on or off */

    bool reset_again; /* in this cycle too */
};

void cap_stimulus_init(struct cap_stimulus *d, const struct cap_geometry *g,
                       const struct cap_score *score, uint64_t seed);
/* The inputs of the next cycle; cycle 0 is reset. */
void cap_stimulus_drive(struct cap_stimulus *d, struct cap_in *in);

#endif
