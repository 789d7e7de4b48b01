/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of the MSHR blocks in phases. Each phase draws a locality mode
 * and, independently, a mix of delays for each channel. Some phases use the scoreboard to cause
 * rare events. */
#ifndef MEMTWIN_MSHR_MSHR_STIMULUS_H
#define MEMTWIN_MSHR_MSHR_STIMULUS_H

#include "mshr/mshr_score.h"

enum { MAX_HOT = 64 };

enum mshr_mode {
    MODE_PRIMARY,   /* almost never the same block twice */
    MODE_SECONDARY, /* one to four different blocks */
    MODE_MIXED,     /* MAX_HOT blocks, the first ones more often */
    MODE_FULL,      /* few blocks or all different blocks; fills arrive only after a refusal */
    MODE_REFILL,    /* requests follow the block that is draining */
    MODE_PAIRS,     /* two back-to-back requests for each new block, with immediate fills */
    MODE_HEADS,     /* only after a reset: all blocks are different until a shared set is a head,
                       whose fill arrives first */
    N_MODES
};

enum mshr_delays { DELAY_SHORT, DELAY_MEDIUM, DELAY_LONG, N_DELAYS };

struct mshr_stimulus {
    struct mshr_shape g;
    const struct mshr_score *score;
    uint64_t rng, cycle, total;
    uint64_t quiet_from; /* cycle from which on there are no requests */
    bool drains;         /* true while enough cycles remain for all responses */

    /* the current phase */
    enum mshr_mode mode;
    unsigned phases; /* number of phases so far */
    uint64_t phase_end, next_upset;
    enum mshr_delays req_mix, ret_mix, rsp_mix;
    unsigned n_hot; /* number of hot blocks; 0 if all blocks are different */
    uint64_t hot[MAX_HOT];
    bool may_withdraw;

    /* the channels */
    struct mshr_in req; /* the pending request, or the previous one */
    bool offering,      /* true if the request is offered */
        withdrawn;      /* true if the request is withdrawn in this cycle */
    unsigned req_wait, rsp_wait, refused_for, pair_left;
    bool ahead; /* with a two-cycle lookup, true if the block of the next request has been chosen */
    uint64_t ahead_addr;
    uint64_t due[MSHR_MAX_SETS]; /* earliest cycle for the fill of each head */
    int ret_head;                /* head of the offered RET, or MSHR_SCORE_NONE */

    /* planned faults */
    bool bad_ret; /* true if a faulty RET of a set in bad_state is planned */
    unsigned bad_state, bad_wait;
    unsigned reset_in;   /* number of cycles until a planned reset, or 0 */
    unsigned reset_wait; /* number of cycles left to wait for a drain past its head, or 0 */
    unsigned upsets;     /* number of upsets planned so far */
};

void mshr_stimulus_init(struct mshr_stimulus *d, const struct mshr_shape *g,
                        const struct mshr_score *score, uint64_t seed, uint64_t total);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void mshr_stimulus_drive(struct mshr_stimulus *d, struct mshr_in *in);
/* Records the outputs of the cycle. Call it after mshr_score_tick. */
void mshr_stimulus_saw(struct mshr_stimulus *d, const struct mshr_in *in,
                       const struct mshr_out *out, const struct mshr_look *look);

#endif
