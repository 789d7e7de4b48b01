/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of expiry in phases. Each phase independently draws the rates of
 * expirations, recalls and takes, their blocks, and the rate at which outputs are accepted. Some
 * phases use the scoreboard to cause rare events. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_STIMULUS_H
#define MEMTWIN_EXPIRY_EXPIRY_STIMULUS_H

#include "expiry/expiry_score.h"

/* Rates of an event. */
enum expiry_rate {
    EXPIRY_RATE_ALWAYS,
    EXPIRY_RATE_HALF,
    EXPIRY_RATE_SOME,
    EXPIRY_RATE_RARE,
    EXPIRY_RATE_NEVER,
    EXPIRY_N_RATES
};

/* Kinds of blocks that a phase uses. */
enum expiry_blocks {
    EXPIRY_BLOCKS_HELD,   /* blocks with an entry, mostly at the ends of the order */
    EXPIRY_BLOCKS_NEAR,   /* blocks that differ in one bit from a block with an entry */
    EXPIRY_BLOCKS_FEW,    /* one of a few blocks */
    EXPIRY_BLOCKS_STREAM, /* consecutive blocks */
    EXPIRY_BLOCKS_ANY,
    EXPIRY_N_BLOCKS
};

/* Kinds of cycles. The first cycle of the kind in a phase gets a reset. */
enum expiry_reset {
    RESET_NEVER,
    RESET_SOON,
    RESET_FOLLOWS,
    RESET_BUSY,
    RESET_OUTPUT,
    N_RESETS,  /* number of kinds that a phase draws */
    RESET_FULL /* all entries are in use */
};

struct expiry_stimulus {
    struct expiry_geometry g;
    const struct expiry_score *score;
    uint64_t rng, cycle, total;

    uint64_t phase_end, phases, next_fill;
    bool fills;             /* true to use only new blocks until all entries are in use */
    bool thins;             /* true to remove entries until one is left, which is then updated */
    bool empties;           /* true to alternate between making entries and taking all of them */
    bool emptying, recalls; /* in such a phase: all are taken now, also with recalls */
    unsigned full_left;     /* number of remaining phases with nearly all entries in use */
    unsigned fulls;         /* number of times that all entries were in use at the end of a fill */
    enum expiry_rate exps, recs, takes, readies;
    enum expiry_blocks exp_blocks, rec_blocks;
    uint64_t base, stream;
    unsigned span, page;
    bool one_page, in_turn; /* how pages are chosen; any page if both are false */
    bool same;              /* true if the request at one port is for the block at the other */
    bool exp_patient;       /* true if exp_valid stays until it is accepted */
    enum expiry_reset reset_in;
    bool reset_again;
    bool exp_held, rec_held; /* true if a request waits at the port */
    struct expiry_in held;   /* the waiting requests */
};

/* True if all entries are in use at some time within `cycles`. */
bool expiry_stimulus_fills(const struct expiry_geometry *g, uint64_t cycles);
void expiry_stimulus_init(struct expiry_stimulus *d, const struct expiry_geometry *g,
                          const struct expiry_score *score, uint64_t seed, uint64_t total);
/* Generates the inputs of the next cycle. */
void expiry_stimulus_drive(struct expiry_stimulus *d, struct expiry_in *in);

#endif
