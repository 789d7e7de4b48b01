/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of bpg in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_BPG_BPG_COVER_H
#define MEMTWIN_BPG_BPG_COVER_H

#include "bpg/bpg_score.h"
#include "harness/cosim.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define BPG_EVENTS(X)                                                                              \
    X(ALLOC_EMPTY, "allocation in an empty set")                                                   \
    X(ALLOC_LAST, "allocation in the last invalid way")                                            \
    X(ALLOC_HOLE, "allocation in a way emptied by EVICT")                                          \
    X(ALLOC_LRU, "allocation replaces the least recently used line")                               \
    X(DIFFER, "found by one calculator of the user, not by another")                               \
    X(ALIAS, "found by an aliasing address")                                                       \
    X(AGAIN, "the same line in two consecutive cycles")                                            \
    X(HIT_FULL, "hit with its counter full")                                                       \
    X(FAIL_FULL, "failure with its counter full")                                                  \
    X(HITS_HALVED, "a full counter of hits is halved")                                             \
    X(FAILS_HALVED, "the full counter of failures is halved")                                      \
    X(END_HIT, "interval ends with a hit")                                                         \
    X(END_FAIL, "interval ends with a failure and an access")                                      \
    X(END_NOTHING, "interval ends with an access without effect")                                  \
    X(END_BEHIND, "interval ends, and an access follows in the next cycle")                        \
    X(END_ALONE, "interval ends, without an access until lmax is decided")                         \
    X(END_SHORT, "interval with an access in every cycle")                                         \
    X(FAIL_ALONE, "failure in a cycle without an access")                                          \
    X(JUDGED_LESS, "compared: less than the best")                                                 \
    X(JUDGED_TIE, "compared: as good as the best")                                                 \
    X(JUDGED_MORE, "compared: better than the best")                                               \
    X(JUDGED_NEGATIVE, "Adjusted Hits below 0")                                                    \
    X(JUDGED_SIGNS, "Adjusted Hits of both signs compared")                                        \
    X(BEST_NEGATIVE, "decision by Adjusted Hits below 0")                                          \
    X(UPDATE_SAME, "update: lmax is unchanged")                                                    \
    X(UPDATE_DOWN, "update: lmax falls")                                                           \
    X(UPDATE_UP, "update: lmax rises")                                                             \
    X(ASK_BELOW, "ask: a user below lmax")                                                         \
    X(ASK_AT, "ask: user lmax bypasses")                                                           \
    X(ASK_PAST, "ask: a user between lmax and CALCULATORS bypasses")                               \
    X(ASK_PAST_K, "ask: a user without a calculator bypasses")                                     \
    X(ASK_K, "ask: a user without a calculator, with lmax CALCULATORS")                            \
    X(WRITE_BEFORE, "table: written in the cycle before it is read")                               \
    X(WRITE_READ, "table: written in the cycle in which it is read")                               \
    X(WRITE_AFTER, "table: written in the cycle after it is read")                                 \
    X(WRITE_NONE, "table: write to a nonexistent entry")                                           \
    X(WRITE_LAUNCH, "table: written with launch")                                                  \
    X(WRITE_RESET, "table: written with reset")                                                    \
    X(LAUNCH_END, "launch as the interval ends")                                                   \
    X(LAUNCH_FIRST, "launch in the first cycle of a decision")                                     \
    X(LAUNCH_SECOND, "launch in the second cycle of a decision")                                   \
    X(LAUNCH_JUDGED, "launch while Adjusted Hits are compared, not the last")                      \
    X(LAUNCH_LAST, "launch while the last Adjusted Hits are compared")                             \
    X(LAUNCH_UPDATE, "launch with update")                                                         \
    X(LAUNCH_TAKES, "launch with an access and a failure, which are dropped")                      \
    X(LAUNCH_AGAIN, "launch in two consecutive cycles")                                            \
    X(LAUNCH_PAST, "launch with lmax below CALCULATORS")                                           \
    X(RESET_DECISION, "reset during a decision")                                                   \
    X(RESET_PAST, "reset with lmax below CALCULATORS")                                             \
    X(RESET_LAUNCH, "reset with launch")

enum bpg_event {
#define X(id, text) EV_##id,
    BPG_EVENTS(X)
#undef X
        N_EVENTS
};

/* Results of the search for the line of an access in the arrays of the calculators. The first three
 * can apply to one access together. */
enum bpg_finds {
    FINDS_LINE,      /* an array that counts the user has the line */
    FINDS_NONE,      /* an array that counts the user does not have the line */
    FINDS_OTHERS,    /* an array that does not count the user has the line */
    FINDS_UNCOUNTED, /* no array counts the user */
    FINDS_UNSAMPLED, /* the set is not sampled */
    N_FINDS
};

enum { BPG_OPS = BPG_WRITE + 2 }; /* operations 5 to 7 count as one */

struct bpg_cover {
    struct bpg_geometry g;
    uint64_t events[N_EVENTS], finds[BPG_OPS][N_FINDS], decided[BPG_MAX_CALCULATORS];
    uint64_t cycle,   /* number of the current cycle */
        ended;        /* cycle in which the last interval ended */
    bool undisturbed; /* true if there was no launch or reset since the last interval ended */
    bool launched,    /* true if there was a launch in the previous cycle */
        ends;         /* true if an interval ended in the previous cycle */
    bool idle;        /* true if no access has been accepted since the interval's end */
    bool negative;    /* true if the current decision has compared a negative value */
    bool positive;    /* true if the current decision has compared a positive value */
    uint64_t line,    /* line of the previous access */
        looked;       /* cycle in which it was looked up */
    unsigned wrote;   /* k of the table entry that the previous cycle wrote, or 0 if none */
    bool hole[BPG_MAX_CALCULATORS][BPG_MAX_SAMPLED];
    struct cover_point points[N_EVENTS + BPG_OPS * N_FINDS + BPG_MAX_CALCULATORS];
    char names[BPG_OPS * N_FINDS + BPG_MAX_CALCULATORS][80];
};

void bpg_cover_init(struct bpg_cover *c, const struct bpg_geometry *g);
/* Counts the events of a cycle. Must be called between bpg_score_check and bpg_score_tick. */
void bpg_cover_cycle(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in,
                     const struct bpg_look *look);
/* Sets *points to the coverage points, and returns their number. The floor of each possible point
 * is `floor`, and that of all other points is 0. */
size_t bpg_cover_points(struct bpg_cover *c, uint64_t floor, const struct cover_point **points);

#endif
