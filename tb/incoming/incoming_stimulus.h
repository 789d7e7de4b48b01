/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of in_fifo, bank_queues and cart, in phases. Each phase draws, apart from one another,
 * where its lines come from, how the block is filled, how it is drained, and what becomes of a fill
 * that is refused. Some look at the scoreboard, to bring about what chance would not. */
#ifndef MEMTWIN_INCOMING_INCOMING_STIMULUS_H
#define MEMTWIN_INCOMING_INCOMING_STIMULUS_H

#include "incoming/incoming_score.h"

enum { STIMULUS_POOL = 16 };

enum lines {
    LINES_POOL,   /* of a few banks, rows and columns, from one line to many */
    LINES_STREAM, /* one after another, from several places */
    LINES_FOLLOW, /* most often the line that is offered, or another of its row */
    LINES_BRIM,   /* of one branch most, and many of them lines whose queue is full */
    LINES_PAIR,   /* one line, whose queues fill up before the oldest of them empties */
    LINES_DUO,    /* two lines, whose queues fill up, and overflow while one drains */
    LINES_ANY,
    LINES_STARVE, /* one line or two (hot) keep a branch busy, others in it wait; with AGE_LIMIT
                     alone */
};

enum rate {
    RATE_ALWAYS,
    RATE_HALF,
    RATE_TOGGLE,
    RATE_RARE,
    RATE_BURSTS, /* on and off, for up to two queues' lengths each */
    RATE_NEVER,
    RATE_REFUSED, /* of a drain: when a fill was refused in the cycle before */
    N_RATES
};

enum refused { REFUSED_STAYS, REFUSED_WITHDRAWN, REFUSED_CHANGED, N_REFUSED };

struct stimulus {
    struct geometry g;
    const struct score *score;
    uint64_t rng, cycle, total;

    /* phase */
    enum lines lines;
    enum rate fill_rate, drain_rate;
    enum refused when_refused;
    uint64_t phase_end, reset_at;
    unsigned reset_cycles, fill_left, drain_left; /* left: of a burst, on or off */
    bool fill_on, drain_on, lean;
    unsigned n_banks, n_rows, n_cols, next_stream, full_1_in, fresh_1_in;
    uint64_t bank[STIMULUS_POOL], row[STIMULUS_POOL], col[STIMULUS_POOL], stream[4];

    struct incoming_in in; /* of the cycle before */
    bool refused, offered; /* in it */
    uint64_t offer;        /* what was offered then */
};

/* total: cycles of the run, at whose end the block is empty. */
void stimulus_init(struct stimulus *d, const struct geometry *g, const struct score *score,
                   uint64_t seed, uint64_t total);
/* The inputs of the next cycle; cycle 0 is reset. */
void stimulus_drive(struct stimulus *d, struct incoming_in *in);
/* What came of them. */
void stimulus_saw(struct stimulus *d, const struct incoming_in *in, const struct incoming_out *out);

#endif
