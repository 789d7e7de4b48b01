/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of mil, in phases. Each draws, for each kernel, how often it wants, how many it issues
 * and how soon they are done, and for all whose accesses the L1D takes and how often it fails. The
 * user obeys `go` and `room`, but for faults, which a reset follows. */
#ifndef MEMTWIN_MIL_MIL_STIMULUS_H
#define MEMTWIN_MIL_MIL_STIMULUS_H

#include "mil/mil_score.h"

enum mil_issue { ISSUE_ONE, ISSUE_ALL, ISSUE_ANY, N_ISSUES };
/* ACC_INTERVALS: failures of one kernel, then its accesses until its interval ends, then none. */
enum mil_accesses { ACC_NONE, ACC_ONE, ACC_TURNS, ACC_ANY, ACC_INTERVALS };

/* What a kernel does in a phase. */
struct mil_habit {
    unsigned want_in_8; /* cycles of 8 in which it wants to issue */
    enum mil_issue issue;
    unsigned issue_1_in; /* issues in one of this many cycles in which it may */
    unsigned done_in_8;  /* cycles of 8 in which a request completes */
};

struct mil_stimulus {
    struct mil_geometry g;
    const struct mil_score *score;
    uint64_t rng, cycle, total;

    uint64_t phase_end;
    struct mil_habit habit[MIL_MAX_KERNELS];
    enum mil_accesses accesses;
    unsigned focus;                 /* kernel of ACC_ONE and ACC_INTERVALS */
    unsigned acc_in_8, fails_in_8;  /* fails: of the cycles without access */
    unsigned fails_left, quiet_for; /* of ACC_INTERVALS: failures, then cycles without access */
    uint64_t live;                  /* mostly these are */
    bool flickers;                  /* live is any, now and then */
    bool stops;                     /* kernels start, or reset, where something is due */
    unsigned start_1_in, set_1_in;  /* 0: never */
    unsigned fault_1_in;            /* 0: the user obeys */
    unsigned reset_for;             /* cycles of reset that are left */
};

void mil_stimulus_init(struct mil_stimulus *d, const struct mil_geometry *g,
                       const struct mil_score *score, uint64_t seed, uint64_t total);
/* The inputs of the next cycle; cycle 0 is reset. */
void mil_stimulus_drive(struct mil_stimulus *d, struct mil_in *in);

#endif
