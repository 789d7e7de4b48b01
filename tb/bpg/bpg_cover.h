/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of bpg, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_BPG_BPG_COVER_H
#define MEMTWIN_BPG_BPG_COVER_H

#include "bpg/bpg_score.h"
#include "harness/cosim.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define BPG_EVENTS(X)                                                                              \
    X(ALLOC_EMPTY, "allocation in an empty set")                                                   \
    X(ALLOC_LAST, "allocation in the last invalid way")                                            \
    X(ALLOC_HOLE, "allocation in a way that EVICT has emptied")                                    \
    X(ALLOC_LRU, "allocation replaces the least recently used line")                               \
    X(DIFFER, "found by one calculator whose user it is, not by another")                          \
    X(ALIAS, "found under another address")                                                        \
    X(AGAIN, "the same line in two cycles running")                                                \
    X(HIT_FULL, "hit with its counter full")                                                       \
    X(FAIL_FULL, "failure with its counter full")                                                  \
    X(HITS_HALVED, "a full counter of hits is halved")                                             \
    X(FAILS_HALVED, "the full counter of failures is halved")                                      \
    X(END_HIT, "interval ends with a hit")                                                         \
    X(END_FAIL, "interval ends with a failure and an access")                                      \
    X(END_NOTHING, "interval ends with an access that does nothing")                               \
    X(END_BEHIND, "interval ends with an access right behind")                                     \
    X(END_ALONE, "interval ends, and no access comes until lmax is decided")                       \
    X(END_SHORT, "an interval with an access in each cycle")                                       \
    X(FAIL_ALONE, "failure in a cycle without access")                                             \
    X(JUDGED_LESS, "compared: less than the best")                                                 \
    X(JUDGED_TIE, "compared: as good as the best")                                                 \
    X(JUDGED_MORE, "compared: better than the best")                                               \
    X(JUDGED_NEGATIVE, "Adjusted Hits below 0")                                                    \
    X(JUDGED_SIGNS, "Adjusted Hits of both signs compared")                                        \
    X(BEST_NEGATIVE, "decided by Adjusted Hits below 0")                                           \
    X(UPDATE_SAME, "update: lmax stays")                                                           \
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
    X(WRITE_NONE, "table: a write to no entry")                                                    \
    X(WRITE_LAUNCH, "table: written with launch")                                                  \
    X(WRITE_RESET, "table: written with reset")                                                    \
    X(LAUNCH_END, "launch as the interval ends")                                                   \
    X(LAUNCH_FIRST, "launch in the first cycle of a decision")                                     \
    X(LAUNCH_SECOND, "launch in the second")                                                       \
    X(LAUNCH_JUDGED, "launch with Adjusted Hits compared, not the last")                           \
    X(LAUNCH_LAST, "launch with the last compared")                                                \
    X(LAUNCH_UPDATE, "launch with update")                                                         \
    X(LAUNCH_TAKES, "launch with an access and a failure, which are lost")                         \
    X(LAUNCH_AGAIN, "launch in two cycles running")                                                \
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

/* What an access finds in the arrays. One may be in several of the first three. */
enum bpg_finds { FINDS_LINE, FINDS_NONE, FINDS_OTHERS, FINDS_UNCOUNTED, FINDS_UNSAMPLED, N_FINDS };

enum { BPG_OPS = BPG_WRITE + 2 }; /* 5 to 7 are one */

struct bpg_cover {
    struct bpg_geometry g;
    uint64_t events[N_EVENTS], finds[BPG_OPS][N_FINDS], decided[BPG_MAX_CALCULATORS];
    uint64_t cycle, ended; /* ended: in which the last interval did */
    bool whole;            /* since then neither launch nor reset */
    bool launched, ends;   /* in the cycle before */
    bool idle;             /* no access has been taken since the interval's end */
    bool negative;         /* among what was compared in this decision */
    bool positive;
    uint64_t line, looked; /* the access before, looked up in the cycle before this */
    unsigned wrote;        /* k, in the cycle before; 0: nothing */
    bool hole[BPG_MAX_CALCULATORS][BPG_MAX_SAMPLED];
    struct cover_point points[N_EVENTS + BPG_OPS * N_FINDS + BPG_MAX_CALCULATORS];
    char names[BPG_OPS * N_FINDS + BPG_MAX_CALCULATORS][80];
};

void bpg_cover_init(struct bpg_cover *c, const struct bpg_geometry *g);
/* Between bpg_score_check and bpg_score_tick of a cycle. */
void bpg_cover_cycle(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in,
                     const struct bpg_look *look);
/* Each point that can occur at these parameters gets `floor`, the others 0. */
size_t bpg_cover_points(struct bpg_cover *c, uint64_t floor, const struct cover_point **points);

#endif
