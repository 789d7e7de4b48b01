/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of lease. For each window it draws the quotas of groups, which blocks are accessed, and
 * in which order; in some it is two blocks of a group whose mean is almost rounded another way.
 * Resets come where something is under way. */
#ifndef MEMTWIN_LEASE_LEASE_STIMULUS_H
#define MEMTWIN_LEASE_LEASE_STIMULUS_H

#include "lease/lease_score.h"

/* The block of an access: any of a few; mostly that of the cycle before; a new one in each cycle,
 * or in each lane; new ones and then each again; the same in all lanes. */
enum lease_blocks { BLOCKS_FEW, BLOCKS_LAST, BLOCKS_NEW, BLOCKS_AGAIN, BLOCKS_SAME, N_BLOCKS };
enum lease_touched { PAGES_ANY, PAGES_ONE, PAGES_IN_TURN, N_PAGES };
/* The group of an access: follows the block, to all or two groups; any; the last group. */
enum lease_owners { OWNERS_BLOCK, OWNERS_TWO, OWNERS_ANY, OWNERS_LAST, N_OWNERS };

struct lease_stimulus {
    struct lease_geometry g;
    const struct lease_score *score;
    uint64_t rng, cycle;

    /* Of the window */
    enum lease_blocks blocks;
    enum lease_touched pages;
    enum lease_owners owners;
    unsigned span;        /* of BLOCKS_FEW and BLOCKS_AGAIN */
    unsigned first_group; /* of OWNERS_TWO */
    unsigned base, bit;   /* of blocks: they differ in bits from this one up, too */
    unsigned valid_in_16; /* lanes, where there is one */
    unsigned some_in_16;  /* cycles with an access */
    unsigned until;       /* accesses stop with this cycle of the period */
    unsigned quotas_left; /* that are set as it begins */
    unsigned quota_most;
    unsigned quota_1_in; /* within it; 0: none */
    unsigned fresh;      /* the next new block */
    unsigned last;       /* the last block */
    unsigned turn;       /* the next page */
    struct {             /* two blocks whose mean is at the edge of rounding; their draws, apart */
        bool on;
        unsigned group, accesses[2], pages[2];
        uint64_t rng;
    } edge;
    uint32_t reset_at; /* cycle of the period; `period`: none */
    bool reset_shown;  /* reset with an update */
};

void lease_stimulus_init(struct lease_stimulus *d, const struct lease_geometry *g,
                         const struct lease_score *score, uint64_t seed);
/* The inputs of the next cycle; cycle 0 is reset. */
void lease_stimulus_drive(struct lease_stimulus *d, struct lease_in *in);

#endif
