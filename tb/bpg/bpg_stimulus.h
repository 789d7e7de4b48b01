/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of bpg in phases. Each phase independently draws the lines, users,
 * operations and rate of accesses, the rate of failures, and the contents of the table. Some phases
 * use the scoreboard to cause rare events. */
#ifndef MEMTWIN_BPG_BPG_STIMULUS_H
#define MEMTWIN_BPG_BPG_STIMULUS_H

#include "bpg/bpg_score.h"

/* Kinds of lines that a phase uses. All except STREAM and ANY have `span` tags in each of their
 * sets. */
enum bpg_lines {
    BPG_LINES_SET,       /* one sampled set */
    BPG_LINES_SAMPLED,   /* all sampled sets */
    BPG_LINES_UNSAMPLED, /* sets that are not sampled, if there are any */
    BPG_LINES_ALIAS,     /* one sampled set, with any bits above the stored part of a tag */
    BPG_LINES_STREAM,    /* consecutive lines */
    BPG_LINES_ANY,       /* random lines */
    BPG_N_LINES
};

enum bpg_users { USERS_ONE, USERS_FEW, USERS_COUNTED, USERS_EDGE, USERS_ANY, N_USERS };

enum bpg_ops { OPS_LOAD, OPS_ONE, OPS_STORES, OPS_NO_HIT, OPS_ANY, N_OPS };

enum bpg_rate {
    BPG_RATE_ALWAYS,
    BPG_RATE_HALF,
    BPG_RATE_BURSTS,
    BPG_RATE_RARE,
    BPG_RATE_NEVER,
    BPG_N_RATES
};

enum bpg_stop { STOP_LAUNCH, STOP_RESET, STOP_BOTH };

/* Purposes of a phase. */
enum bpg_phase {
    BPG_PHASE_RANDOM,
    BPG_PHASE_STEER, /* steers a decision, as bpg_turn says */
    BPG_PHASE_HITS,  /* fills the counters of hits */
    BPG_PHASE_WAYS,  /* fills the sets */
    BPG_PHASE_FAILS, /* fills the counter of failures, or pauses; then makes accesses */
};

/* Turns of BPG_PHASE_STEER. In TURN_END to TURN_RESET, a decision is stopped at some stage, by a
 * reset in TURN_RESET and by a launch in the other turns. From N_TURNS on, there is a turn for
 * each k, in which the table and the failures make k the best. */
enum bpg_turn {
    TURN_END,
    TURN_FIRST,
    TURN_SECOND,
    TURN_JUDGED,
    TURN_LAST,
    TURN_UPDATE,
    TURN_RESET,
    TURN_SIGNS, /* compares Adjusted Hits of both signs */
    TURN_EQUAL, /* all calculators are equal */
    N_TURNS
};

struct bpg_stimulus {
    struct bpg_geometry g;
    const struct bpg_score *score;
    uint64_t rng, cycle, total;

    /* the current phase */
    enum bpg_phase phase;
    unsigned phases, /* number of phases so far, without those of kind BPG_PHASE_FAILS */
        turn;        /* current turn of BPG_PHASE_STEER */
    uint64_t phase_end;
    enum bpg_lines lines;
    enum bpg_users users;
    enum bpg_ops ops;
    enum bpg_rate acc_rate, fail_rate;
    uint64_t tag, line; /* `line` is the next line of BPG_LINES_STREAM */
    unsigned row, span, user, op;
    bool one_bit,        /* true if tags differ in one bit */
        own;             /* true if each user has its own lines */
    unsigned bit;        /* lowest differing bit if one_bit is set; the bits above it follow */
    bool stop_decisions; /* true to stop decisions with a launch or a reset */
    unsigned cube_1_in;  /* writes the table once in this many cycles; 0 if never */
    uint32_t table[BPG_MAX_CALCULATORS]; /* values to write to the table, one per cycle */
    unsigned written;                    /* number of entries of `table` written so far */

    /* the accesses and failures */
    uint64_t quiet_end, idle_end; /* no access is made until both cycles have been reached */
    uint64_t next_fails;          /* cycle in which BPG_PHASE_FAILS is due */
    unsigned fills;               /* number of phases of kind BPG_PHASE_FAILS so far */
    bool acc_on, fail_on;
    unsigned acc_left, fail_left; /* number of cycles left in the current burst or gap */

    /* the scheduled launch or reset */
    uint64_t stop_at;
    unsigned stop_cycles;
    enum bpg_stop stop_how;
};

void bpg_stimulus_init(struct bpg_stimulus *d, const struct bpg_geometry *g,
                       const struct bpg_score *score, uint64_t seed, uint64_t total);
/* Returns the number of turns of BPG_PHASE_STEER. Each turn lasts about one interval. With few
 * calculators, each of them has several turns. */
unsigned bpg_stimulus_turns(const struct bpg_stimulus *d);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void bpg_stimulus_drive(struct bpg_stimulus *d, struct bpg_in *in);

#endif
