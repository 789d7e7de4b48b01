/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bpg, in phases. Each draws, apart from one another, which lines are accessed, by
 * whom, by what and how often, how often an access fails, and what the table holds. Some look at
 * the scoreboard, to bring about what chance would not. */
#ifndef MEMTWIN_BPG_BPG_STIMULUS_H
#define MEMTWIN_BPG_BPG_STIMULUS_H

#include "bpg/bpg_score.h"

/* Lines that a phase uses. All but STREAM and ANY: of `span` tags in each of their sets. */
enum bpg_lines {
    LINES_SET,       /* one sampled set */
    LINES_SAMPLED,   /* all sampled sets */
    LINES_UNSAMPLED, /* no sampled set, if there are others */
    LINES_ALIAS,     /* one sampled set; any bits above those that are kept of a tag */
    LINES_STREAM,    /* one after another */
    LINES_ANY,
    N_LINES
};

enum bpg_users { USERS_ONE, USERS_FEW, USERS_COUNTED, USERS_EDGE, USERS_ANY, N_USERS };

enum bpg_ops { OPS_LOAD, OPS_ONE, OPS_STORES, OPS_NO_HIT, OPS_ANY, N_OPS };

enum bpg_rate { RATE_ALWAYS, RATE_HALF, RATE_BURSTS, RATE_RARE, RATE_NEVER, N_RATES };

enum bpg_stop { STOP_LAUNCH, STOP_RESET, STOP_BOTH };

/* What a phase is for. */
enum bpg_phase {
    PHASE_RANDOM,
    PHASE_STEER, /* a decision, as its turn is */
    PHASE_HITS,  /* the counters of hits fill up */
    PHASE_WAYS,  /* the sets fill up */
    PHASE_FAILS, /* the counter of failures fills up, or all is quiet; then accesses */
};

/* Turns of PHASE_STEER: a decision is stopped at a stage, by a launch unless the turn is RESET; one
 * compares Adjusted Hits of both signs; one has all calculators equal; then one for each k, which
 * table and failures make the best. */
enum bpg_turn {
    TURN_END,
    TURN_FIRST,
    TURN_SECOND,
    TURN_JUDGED,
    TURN_LAST,
    TURN_UPDATE,
    TURN_RESET,
    TURN_SIGNS,
    TURN_EQUAL,
    N_TURNS
};

struct bpg_stimulus {
    struct bpg_geometry g;
    const struct bpg_score *score;
    uint64_t rng, cycle, total;

    /* phase */
    enum bpg_phase phase;
    unsigned phases, turn; /* phases: so far; turn: of PHASE_STEER */
    uint64_t phase_end;
    enum bpg_lines lines;
    enum bpg_users users;
    enum bpg_ops ops;
    enum bpg_rate acc_rate, fail_rate;
    uint64_t tag, line; /* line: the next of LINES_STREAM */
    unsigned row, span, user, op;
    bool one_bit, own;   /* tags differ by one bit; each user has lines of its own */
    unsigned bit;        /* of one_bit: the first that differs, then those above it */
    bool stop_decisions; /* by launch or reset */
    unsigned cube_1_in;  /* rate of table writes; 0: never */
    uint32_t table[BPG_MAX_CALCULATORS]; /* written by the phase, an entry a cycle */
    unsigned written;                    /* entries of table */

    /* accesses: none until both have come; PHASE_FAILS: when it is due, how many there were */
    uint64_t quiet_end, idle_end;
    uint64_t next_fails;
    unsigned fills;
    bool acc_on, fail_on;
    unsigned acc_left, fail_left; /* left: of a burst, on or off */

    /* launch or reset */
    uint64_t stop_at;
    unsigned stop_cycles;
    enum bpg_stop stop_how;
};

void bpg_stimulus_init(struct bpg_stimulus *d, const struct bpg_geometry *g,
                       const struct bpg_score *score, uint64_t seed, uint64_t total);
/* Turns of PHASE_STEER, an interval or so each; with few calculators each has several. */
unsigned bpg_stimulus_turns(const struct bpg_stimulus *d);
/* The inputs of the next cycle; cycle 0 is reset. */
void bpg_stimulus_drive(struct bpg_stimulus *d, struct bpg_in *in);

#endif
