/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the stimulus of mil in phases. Each phase draws how often each kernel requests to
 * issue, how many instructions it issues, and how soon they complete. It also draws which kernels'
 * accesses the L1D accepts, and how often the L1D refuses an access. The simulated user obeys `go`
 * and `room`, except in faults, which are followed by a reset. */
#ifndef MEMTWIN_MIL_MIL_STIMULUS_H
#define MEMTWIN_MIL_MIL_STIMULUS_H

#include "mil/mil_score.h"

enum mil_issue { ISSUE_ONE, ISSUE_ALL, ISSUE_ANY, N_ISSUES };
/* Kinds of accesses in a phase. ACC_INTERVALS has failures of one kernel, then accesses until the
 * kernel's interval ends, and then no accesses. */
enum mil_accesses { ACC_NONE, ACC_ONE, ACC_TURNS, ACC_ANY, ACC_INTERVALS };

/* Behavior of a kernel in a phase. */
struct mil_habit {
    unsigned want_in_8; /* number of cycles in 8 in which the kernel requests to issue */
    enum mil_issue issue;
    unsigned issue_1_in; /* issues in one of this many cycles in which it may issue */
    unsigned done_in_8;  /* number of cycles in 8 in which a request completes */
};

struct mil_stimulus {
    struct mil_geometry g;
    const struct mil_score *score;
    uint64_t rng, cycle, total;

    uint64_t phase_end;
    struct mil_habit habit[MIL_MAX_KERNELS];
    enum mil_accesses accesses;
    unsigned focus;                /* the kernel of ACC_ONE and ACC_INTERVALS */
    unsigned acc_in_8, fails_in_8; /* number of cycles in 8 with an access; number of the others in
                                      8 with a failure */
    /* number of failures and number of cycles without an access that are left in ACC_INTERVALS */
    unsigned fails_left, quiet_for;
    uint64_t mostly_live;          /* mask of the kernels that are live most of the time */
    bool flickers;                 /* true if sometimes any kernels are live */
    bool stops;                    /* true to start kernels, or to reset, when an output is due */
    unsigned start_1_in, set_1_in; /* each occurs in one of this many cycles; 0 if never */
    unsigned fault_1_in;           /* occurs in one of this many cycles; 0 if the user obeys */
    unsigned faulty;               /* number of phases with faults so far */
    unsigned reset_for;            /* number of remaining cycles of reset */

    /* a long phase in which one kernel uses up its quota in each cycle and the others, which do not
     * issue, get their greatest share until their quotas are full */
    struct {
        bool on;
        uint64_t next; /* cycle from which on such a phase may start */
        uint64_t begun;
    } fill;

    /* a phase in which the kernel `focus` gets failures for a whole interval, and then accesses of
     * all kernels without failures for another one */
    struct {
        bool on;        /* true until the interval with failures ends */
        bool light;     /* few instructions are in flight, instead of as many as possible */
        bool starts;    /* all kernels have yet to start */
        unsigned n;     /* number of such phases so far */
        uint64_t next;  /* cycle from which on such a phase may start */
        uint64_t shown; /* cycle in which its limit has been output */
    } press;
};

void mil_stimulus_init(struct mil_stimulus *d, const struct mil_geometry *g,
                       const struct mil_score *score, uint64_t seed, uint64_t total);
/* Returns the length of a phase that fills quotas, or 0 if the parameters allow none. */
uint64_t mil_stimulus_fill(const struct mil_geometry *g);
/* Returns the greatest length of a phase that presses a limit down, in a run of `total` cycles.
 * Returns 0 if the run has none: without dynamic limits, and if its intervals end often anyway. */
uint64_t mil_stimulus_press(const struct mil_geometry *g, uint64_t total);
/* Generates the inputs of the next cycle. Cycle 0 is a reset cycle. */
void mil_stimulus_drive(struct mil_stimulus *d, struct mil_in *in);

#endif
