/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of dl_mshr and static_mshr, in phases. Each phase draws a locality mode and,
 * independently, a delay mix for each channel. Some look at the scoreboard, to bring about what
 * chance would not. */
#ifndef MEMTWIN_MSHR_MSHR_STIMULUS_H
#define MEMTWIN_MSHR_MSHR_STIMULUS_H

#include "mshr/mshr_score.h"

enum { MAX_HOT = 64 };

enum mshr_mode {
    MODE_PRIMARY,   /* hardly ever the same block twice */
    MODE_SECONDARY, /* one to four blocks */
    MODE_MIXED,     /* MAX_HOT blocks, the first ones hotter */
    MODE_FULL,      /* few blocks or all different; a line comes back only after a refusal */
    MODE_REFILL,    /* requests follow the block that is draining */
    MODE_PAIRS,     /* two requests back to back to each new block, lines come back at once */
    MODE_HEADS,     /* all blocks different until a shared set is a head, whose line comes back
                       first; only after a reset */
    N_MODES
};

enum mshr_delays { DELAY_SHORT, DELAY_MEDIUM, DELAY_LONG, N_DELAYS };

struct mshr_stimulus {
    struct mshr_shape g;
    const struct mshr_score *score;
    uint64_t rng, cycle, total;
    uint64_t quiet_from; /* no request comes from this cycle on */
    bool drains;         /* and that is long enough for all to be answered */

    /* phase */
    enum mshr_mode mode;
    unsigned phases; /* so far */
    uint64_t phase_end, next_upset;
    enum mshr_delays req_mix, ret_mix, rsp_mix;
    unsigned n_hot; /* 0: all blocks different */
    uint64_t hot[MAX_HOT];
    bool may_withdraw;

    /* channels */
    struct mshr_in req;       /* the request that is offered, or was last */
    bool offering, withdrawn; /* withdrawn: in this cycle */
    unsigned req_wait, rsp_wait, refused_for, pair_left;
    bool ahead; /* LOOKUP=2: the block of the next request is chosen */
    uint64_t ahead_addr;
    uint64_t due[MSHR_MAX_SETS]; /* cycle from which the line of a head may come back */
    int ret_head;                /* offered, or NONE */

    /* upsets */
    bool bad_ret; /* a faulty RET is planned, of a set in bad_state */
    unsigned bad_state, bad_wait;
    unsigned reset_in;   /* cycles until a planned reset, 0: none planned */
    unsigned reset_wait; /* cycles left to wait for a drain past its head; 0: none planned */
    unsigned upsets;     /* so far */
};

void mshr_stimulus_init(struct mshr_stimulus *d, const struct mshr_shape *g,
                        const struct mshr_score *score, uint64_t seed, uint64_t total);
/* The inputs of the next cycle; cycle 0 is reset. */
void mshr_stimulus_drive(struct mshr_stimulus *d, struct mshr_in *in);
/* What the block answered in that cycle: after the scoreboard's edge. */
void mshr_stimulus_saw(struct mshr_stimulus *d, const struct mshr_in *in,
                       const struct mshr_out *out, const struct mshr_look *look);

#endif
