/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of expiry, in phases. Each draws, apart from one another, how often pages expire, are
 * recalled and entries taken, of which blocks, and how fast outputs are taken. Some look at the
 * scoreboard, to bring about what chance would not. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_STIMULUS_H
#define MEMTWIN_EXPIRY_EXPIRY_STIMULUS_H

#include "expiry/expiry_score.h"

/* How often something is. */
enum expiry_rate { RATE_ALWAYS, RATE_HALF, RATE_SOME, RATE_RARE, RATE_NEVER, N_RATES };

/* Which blocks. */
enum expiry_blocks {
    BLOCKS_HELD,   /* of the entries: the ends of the order more often */
    BLOCKS_NEAR,   /* a bit different from that of an entry */
    BLOCKS_FEW,    /* of a few */
    BLOCKS_STREAM, /* one after the other */
    BLOCKS_ANY,
    N_BLOCKS
};

/* The first cycle of its kind in a phase that sees a reset. */
enum expiry_reset { RESET_NEVER, RESET_SOON, RESET_FOLLOWS, RESET_OUTPUT, N_RESETS };

struct expiry_stimulus {
    struct expiry_geometry g;
    const struct expiry_score *score;
    uint64_t rng, cycle, total;

    uint64_t phase_end, phases, next_fill;
    bool fills;         /* nothing but new blocks until all entries are in use */
    bool thins;         /* entries go until one is left, which is updated */
    unsigned full_left; /* phases to go with nearly all in use */
    enum expiry_rate exps, recs, takes, readies;
    enum expiry_blocks exp_blocks, rec_blocks;
    uint64_t base, stream;
    unsigned span, page;
    bool one_page, in_turn; /* pages; neither: any */
    bool same;              /* what waits at one port is of the block at the other */
    bool exp_patient;       /* exp_valid stays until it is taken */
    enum expiry_reset reset_in;
    bool reset_again;
    bool exp_held, rec_held; /* what waits at the ports: */
    struct expiry_in held;
};

/* Whether all entries are used within `cycles`. */
bool expiry_stimulus_fills(const struct expiry_geometry *g, uint64_t cycles);
void expiry_stimulus_init(struct expiry_stimulus *d, const struct expiry_geometry *g,
                          const struct expiry_score *score, uint64_t seed, uint64_t total);
/* The inputs of the next cycle. */
void expiry_stimulus_drive(struct expiry_stimulus *d, struct expiry_in *in);

#endif
