/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of in_fifo, bank_queues and cart in phases. Each phase independently draws
 * the source of its lines, the rates of fill and drain, and the reaction to a refused fill. Some
 * phases use the scoreboard to cause rare events. */
#ifndef MEMTWIN_INCOMING_INCOMING_STIMULUS_H
#define MEMTWIN_INCOMING_INCOMING_STIMULUS_H

#include "incoming/incoming_score.h"

enum { STIMULUS_POOL = 16 };

enum incoming_lines {
    INCOMING_LINES_POOL,   /* one or more lines from a few banks, rows and columns */
    INCOMING_LINES_STREAM, /* consecutive lines in several streams */
    INCOMING_LINES_FOLLOW, /* mostly the line that is offered, or another line in its row */
    INCOMING_LINES_BRIM,   /* mostly lines in one branch, many of them with a full queue */
    INCOMING_LINES_PAIR,   /* one line, whose queues fill up before the oldest queue empties */
    INCOMING_LINES_DUO,    /* two lines, whose queues fill up and overflow while one drains */
    INCOMING_LINES_ANY,
    INCOMING_LINES_STARVE, /* one or two hot lines keep a branch busy while its other lines wait;
                     only with AGE_LIMIT */
};

enum rate {
    INCOMING_RATE_ALWAYS,
    INCOMING_RATE_HALF,
    INCOMING_RATE_TOGGLE,
    INCOMING_RATE_RARE,
    INCOMING_RATE_BURSTS, /* bursts and gaps of up to twice the length of a queue */
    INCOMING_RATE_NEVER,
    INCOMING_RATE_REFUSED, /* drains only after a cycle with a refused fill */
    INCOMING_N_RATES
};

enum refused { REFUSED_STAYS, REFUSED_WITHDRAWN, REFUSED_CHANGED, N_REFUSED };

struct incoming_stimulus {
    struct geometry g;
    const struct score *score;
    uint64_t rng, cycle, total;

    /* the current phase */
    enum incoming_lines lines;
    enum rate fill_rate, drain_rate;
    enum refused when_refused;
    uint64_t phase_end, reset_at;
    unsigned reset_cycles,     /* length of the reset in cycles */
        fill_left, drain_left; /* numbers of cycles left in the current burst or gap */
    bool fill_on, drain_on, lean;
    unsigned n_banks, n_rows, n_cols, next_stream, full_1_in, fresh_1_in;
    uint64_t bank[STIMULUS_POOL], row[STIMULUS_POOL], col[STIMULUS_POOL], stream[4];

    struct incoming_in in; /* inputs in the previous cycle */
    bool refused,          /* true if the previous cycle had a refused fill */
        offered;           /* true if the previous cycle had an output */
    uint64_t offer;        /* line at the output in the previous cycle */
};

/* Initializes the stimulus. `total` is the length of the run in cycles. The block is empty at the
 * end of the run. */
void stimulus_init(struct incoming_stimulus *d, const struct geometry *g, const struct score *score,
                   uint64_t seed, uint64_t total);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void stimulus_drive(struct incoming_stimulus *d, struct incoming_in *in);
/* Records the outputs for these inputs. */
void stimulus_saw(struct incoming_stimulus *d, const struct incoming_in *in,
                  const struct incoming_out *out);

#endif
