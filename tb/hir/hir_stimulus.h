/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of hir in phases. Each phase independently draws the page sets, pages and
 * rate of hits, the rate of flush, and the rate at which entries are accepted. Some phases use the
 * scoreboard to cause rare events. */
#ifndef MEMTWIN_HIR_HIR_STIMULUS_H
#define MEMTWIN_HIR_HIR_STIMULUS_H

#include "hir/hir_score.h"

/* Kinds of page sets that a phase touches. */
enum hir_numbers {
    HIR_NUMBERS_ONE,
    HIR_NUMBERS_SET,    /* `span` page sets in one set */
    HIR_NUMBERS_NEAR,   /* `span` page sets in one set, with tags that differ in one bit */
    HIR_NUMBERS_SETS,   /* `span` page sets in each of two sets */
    HIR_NUMBERS_FEW,    /* `span` page sets in any set */
    HIR_NUMBERS_STREAM, /* consecutive page sets, each with all its pages */
    HIR_NUMBERS_ANY,
    HIR_N_NUMBERS
};

/* Kinds of pages that a phase touches in a page set. */
enum hir_pages {
    HIR_PAGES_ONE,
    HIR_PAGES_STREAM,
    HIR_PAGES_STRIDE,
    HIR_PAGES_EDGE,
    HIR_PAGES_ANY,
    HIR_N_PAGES
};

/* Rates of hits, flush and out_ready. */
enum hir_rate {
    HIR_RATE_ALWAYS,
    HIR_RATE_HALF,
    HIR_RATE_BURSTS,
    HIR_RATE_TURNS, /* in every other cycle */
    HIR_RATE_RARE,
    HIR_RATE_NEVER,
    HIR_N_RATES
};

/* Purposes of a phase. */
enum hir_phase {
    HIR_PHASE_RANDOM,
    HIR_PHASE_SCRIPT, /* repeats a few hits, a few idle cycles and a flush */
    HIR_PHASE_FILL,   /* fills all entries, flushes and becomes RANDOM */
    HIR_PHASE_LOSE,   /* fills a set and the counter of lost hits, flushes and becomes RANDOM */
};

struct hir_stimulus {
    struct hir_geometry g;
    const struct hir_score *score;
    uint64_t rng, cycle, total;

    /* the current phase */
    enum hir_phase phase;
    unsigned phases; /* number of phases so far */
    uint64_t phase_end, next_fill, next_lose;
    enum hir_numbers numbers;
    enum hir_pages pages;
    enum hir_rate hits, flushes, readies;
    uint64_t base, number; /* tag or page set; current page set of HIR_NUMBERS_STREAM */
    unsigned row, other_row, span, page;
    unsigned bit; /* lowest differing tag bit in HIR_NUMBERS_NEAR; the bits above it follow */
    bool hit_on, ready_on;
    unsigned hit_left, ready_left; /* number of cycles left in the current burst or gap */

    /* numbers of hits and of idle cycles until HIR_PHASE_SCRIPT flushes */
    unsigned script_hits, script_rest;

    /* a reset in a given state */
    bool reset_waits;
    enum hir_state reset_in;
    bool reset_lost;  /* true to reset only after a hit was lost */
    bool reset_again; /* true if the reset lasts another cycle */
};

/* These return true if a run of `cycles` cycles has phases of kind HIR_PHASE_FILL and
 * HIR_PHASE_LOSE, respectively. In a sweep, the longest run has half of the cycles. */
bool hir_stimulus_fills(const struct hir_geometry *g, uint64_t cycles);
bool hir_stimulus_loses(const struct hir_geometry *g, uint64_t cycles);

void hir_stimulus_init(struct hir_stimulus *d, const struct hir_geometry *g,
                       const struct hir_score *score, uint64_t seed, uint64_t total);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void hir_stimulus_drive(struct hir_stimulus *d, struct hir_in *in);

#endif
