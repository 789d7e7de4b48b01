/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of lease. For each window, draws the quotas of the groups, the accessed
 * blocks, and their order. In some windows, the mean of two blocks in a group is at the edge of
 * rounding; others begin with a script that uses up a quota or saturates a counter, or end with
 * two accesses that use up a quota. Most resets occur while the block is busy. */
#ifndef MEMTWIN_LEASE_LEASE_STIMULUS_H
#define MEMTWIN_LEASE_LEASE_STIMULUS_H

#include "lease/lease_score.h"

/* How the block of an access is chosen. */
enum lease_blocks {
    LEASE_BLOCKS_FEW,   /* one of a few blocks */
    LEASE_BLOCKS_LAST,  /* mostly the block of the previous cycle */
    LEASE_BLOCKS_NEW,   /* a new block in each cycle or in each lane */
    LEASE_BLOCKS_AGAIN, /* new blocks, and then each of them again */
    LEASE_BLOCKS_SAME,  /* the same block in all lanes */
    LEASE_N_BLOCKS
};
enum lease_touched { LEASE_PAGES_ANY, LEASE_PAGES_ONE, LEASE_PAGES_IN_TURN, LEASE_N_PAGES };
/* How the group of an access is chosen: by the block, among all groups or two groups; any group;
 * the last group. */
enum lease_owners { OWNERS_BLOCK, OWNERS_TWO, OWNERS_ANY, OWNERS_LAST, N_OWNERS };

/* Scripts at the start of a window. LEASE_SCRIPT_NEW sets the quota of a group, and then exceeds it
 * with a new block in each cycle; LEASE_SCRIPT_TWICE accesses each such block twice, and
 * LEASE_SCRIPT_HOT one page in all lanes for the whole window. */
enum lease_script {
    LEASE_SCRIPT_NONE,
    LEASE_SCRIPT_NEW,
    LEASE_SCRIPT_TWICE,
    LEASE_SCRIPT_HOT,
    LEASE_N_SCRIPTS
};

struct lease_stimulus {
    struct lease_geometry g;
    const struct lease_score *score;
    uint64_t rng, cycle;

    /* the current window */
    enum lease_blocks blocks;
    enum lease_touched pages;
    enum lease_owners owners;
    unsigned span;        /* number of blocks in LEASE_BLOCKS_FEW and LEASE_BLOCKS_AGAIN */
    unsigned first_group; /* first of the two groups in OWNERS_TWO */
    unsigned base, bit;   /* number of the first block; lowest bit in which blocks differ */
    unsigned valid_in_16; /* number of lanes in 16 that have an access, in a cycle with accesses */
    unsigned some_in_16;  /* number of cycles in 16 that have an access */
    unsigned until;       /* cycle of the period in which the accesses stop */
    unsigned quotas_left; /* number of quotas still to be set at the window's start */
    unsigned quota_most;
    unsigned quota_1_in; /* a quota is set once in this many cycles of the window; 0 if never */
    unsigned fresh;      /* next new block */
    unsigned last_block; /* block of the last access */
    unsigned turn;       /* next page */
    struct {             /* two blocks whose mean is at the edge of rounding; has its own rng */
        bool on;
        unsigned group, accesses[2], pages[2];
        uint64_t rng;
    } edge;
    struct { /* a script of consecutive accesses from cycle 1 on; has its own rng */
        enum lease_script kind;
        unsigned group, quota, page;
        uint64_t rng;
    } script;
    unsigned windows; /* number of windows so far */
    struct {          /* the window's last accesses use up the quota of a group */
        bool on;
        unsigned group, room; /* number of entries from the group's present ones to the quota */
    } last;
    uint32_t reset_at; /* cycle of the period with a reset, or `period` if there is none */
    bool reset_shown;  /* true to reset in a cycle with an update */
};

void lease_stimulus_init(struct lease_stimulus *d, const struct lease_geometry *g,
                         const struct lease_score *score, uint64_t seed);
/* True if groups use up a quota of several with a new block in each cycle. */
bool lease_stimulus_bursts(const struct lease_geometry *g);
/* True if some windows have enough accesses to a page for the greatest lease. */
bool lease_stimulus_saturates(const struct lease_geometry *g);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void lease_stimulus_drive(struct lease_stimulus *d, struct lease_in *in);

#endif
