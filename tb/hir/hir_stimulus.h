/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of hir, in phases. Each draws, apart from one another, which page sets and pages are
 * touched and how often, when it is told to send, and how fast the entries are taken. Some look at
 * the scoreboard, to bring about what chance would not. */
#ifndef MEMTWIN_HIR_HIR_STIMULUS_H
#define MEMTWIN_HIR_HIR_STIMULUS_H

#include "hir/hir_score.h"

/* Page sets that a phase touches. */
enum hir_numbers {
    NUMBERS_ONE,
    NUMBERS_SET,    /* `span` of one set */
    NUMBERS_NEAR,   /* the same, whose tags differ by one bit */
    NUMBERS_SETS,   /* `span` of each of two sets */
    NUMBERS_FEW,    /* `span`, anywhere */
    NUMBERS_STREAM, /* one after another, each for all its pages */
    NUMBERS_ANY,
    N_NUMBERS
};

/* Pages of them. */
enum hir_pages { PAGES_ONE, PAGES_STREAM, PAGES_STRIDE, PAGES_EDGE, PAGES_ANY, N_PAGES };

/* Of hits, of flush, of out_ready. */
enum hir_rate {
    RATE_ALWAYS,
    RATE_HALF,
    RATE_BURSTS,
    RATE_TURNS, /* every other cycle */
    RATE_RARE,
    RATE_NEVER,
    N_RATES
};

/* What a phase is for. */
enum hir_phase {
    PHASE_RANDOM,
    PHASE_SCRIPT, /* again and again a few hits, a few cycles of rest, flush */
    PHASE_FILL,   /* all entries, then flush: from then on RANDOM, as after LOSE */
    PHASE_LOSE,   /* one set, then the counter of lost hits, then flush */
};

struct hir_stimulus {
    struct hir_geometry g;
    const struct hir_score *score;
    uint64_t rng, cycle, total;

    /* phase */
    enum hir_phase phase;
    unsigned phases; /* so far */
    uint64_t phase_end, next_fill, next_lose;
    enum hir_numbers numbers;
    enum hir_pages pages;
    enum hir_rate hits, flushes, readies;
    uint64_t base, number; /* tag or page set; number: of NUMBERS_STREAM */
    unsigned row, other_row, span, page;
    unsigned bit; /* of NUMBERS_NEAR: the first that differs, then those above it */
    bool hit_on, ready_on;
    unsigned hit_left, ready_left; /* of a burst, on or off */

    unsigned script_hits, script_rest; /* of PHASE_SCRIPT, until flush */

    /* reset when it gets to a state */
    bool reset_waits;
    enum hir_state reset_in;
    bool reset_lost;  /* and not before a hit was lost */
    bool reset_again; /* in this cycle too */
};

/* Whether a run of `cycles` cycles has phases PHASE_FILL, PHASE_LOSE. */
bool hir_stimulus_fills(const struct hir_geometry *g, uint64_t cycles);
bool hir_stimulus_loses(const struct hir_geometry *g, uint64_t cycles);

void hir_stimulus_init(struct hir_stimulus *d, const struct hir_geometry *g,
                       const struct hir_score *score, uint64_t seed, uint64_t total);
/* The inputs of the next cycle; cycle 0 is reset. */
void hir_stimulus_drive(struct hir_stimulus *d, struct hir_in *in);

#endif
