/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of the MSHR blocks in each cycle, using the scoreboard. */
#ifndef MEMTWIN_MSHR_MSHR_COVER_H
#define MEMTWIN_MSHR_MSHR_COVER_H

#include "harness/cosim.h"
#include "mshr/mshr_score.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define MSHR_EVENTS(X)                                                                             \
    X(PRIMARY, "req.primary")                                                                      \
    X(MERGE, "req.merge")                                                                          \
    X(LINK, "req.link")                                                                            \
    X(WALK, "req.walk")                                                                            \
    X(ENTRY_FULL, "refuse.entry_full")                                                             \
    X(MERGE_FULL, "refuse.merge_full")                                                             \
    X(MERGE_FULL_DRAINING, "refuse.merge_full while another entry drains")                         \
    X(ALLOC_AND_FREE, "allocate and free in one cycle")                                            \
    X(RET_AND_MERGE, "RET in the cycle of a merge into that entry")                                \
    X(RET_AND_LINK, "RET in the cycle of a link to that entry")                                    \
    X(RET_AND_REFUSE, "RET in the cycle of a merge-full refusal by that entry")                    \
    X(PAIR, "two back-to-back requests for one new block")                                         \
    X(LATE, "request for a draining block opens a second head")                                    \
    X(LATE_MERGE, "merge into the second head of a draining block")                                \
    X(NEAR, "new block that differs from a tracked one in the highest bit")                        \
    X(POOL_EMPTY, "no set free in either pool")                                                    \
    X(POOL_FULL, "the last set becomes free")                                                      \
    X(SHARED_EMPTY, "no shared set free, but a reserved one")                                      \
    X(STALL_MID_DRAIN, "back-pressure in the middle of a drain")                                   \
    X(STALL_LAST, "back-pressure on the last response")                                            \
    X(RET_WAITS, "RET waits for a drain")                                                          \
    X(RET_ON_LAST, "RET accepted with the last response of the previous drain")                    \
    X(RET_FIRST_CYCLE, "RET in the cycle after the primary")                                       \
    X(WITHDRAWN, "a refused request is withdrawn")                                                 \
    X(LOOK_AHEAD, "two-cycle lookup: lookup of the next block in the cycle of a request")          \
    X(LOOK_OPENED, "two-cycle lookup: lookup of a block in the cycle of its primary miss")         \
    X(LOOK_JOINED, "two-cycle lookup: lookup of a block in the cycle of a merge")                  \
    X(LOOK_NEAR, "two-cycle lookup: lookup in the cycle of a request that differs in the highest " \
                 "address bit")                                                                    \
    X(LOOK_RET, "two-cycle lookup: lookup of a block in the cycle of its RET")                     \
    X(KEPT_RET, "two-cycle lookup: RET of the block in the lookup register")                       \
    X(KEPT_LONG, "two-cycle lookup: request at least 16 cycles after its lookup")                  \
    X(SUCCESSIVE, "two-cycle lookup: requests for two blocks accepted in successive cycles")       \
    X(DRAIN_MERGE, "merge into the draining entry")                                                \
    X(DRAIN_LINK, "link to the draining entry")                                                    \
    X(DRAIN_LAST, "merge in the cycle of the last response")                                       \
    X(DRAIN_GAP, "merge in the cycle after such a merge")                                          \
    X(DRAIN_REFUSE, "merge-full refusal by the draining entry")                                    \
    X(STALE, "request refused because the drain has ended since its lookup")                       \
    X(NO_ROOM, "request accepted without room")                                                    \
    X(LAST_ROOM, "request accepted with room for one")                                             \
    X(ERROR, "RET for a set that is no head in flight")                                            \
    X(RESET, "reset while busy")                                                                   \
    X(RESET_PAST_HEAD, "reset while a drain is past its reserved head")                            \
    X(RESET_PRIMARY, "reset in the cycle of a request that would open an entry")                   \
    X(RESET_RET, "reset in the cycle of a RET that would begin a drain")                           \
    X(SHARED_FIRST, "the first fill after a reset is for a shared head")

enum mshr_event {
#define X(id, text) EV_##id,
    MSHR_EVENTS(X)
#undef X
        N_EVENTS
};

/* Events that are counted separately for each state of their set at the start of the cycle. */
#define MSHR_CROSSES(X)                                                                            \
    X(MERGE, "merge at a tail in")                                                                 \
    X(LINK, "link to a tail in")                                                                   \
    X(REFUSE, "merge-full at a tail in")                                                           \
    X(RET, "RET of a head in")                                                                     \
    X(RET_TAIL, "RET of an entry whose attached tail is in")                                       \
    X(BAD_RET, "faulty RET of a set in")

enum mshr_cross {
#define X(id, text) CR_##id,
    MSHR_CROSSES(X)
#undef X
        N_CROSSES
};

#define X(from, to, need) +1
/* maximum number of named points */
enum { N_NAMED = N_CROSSES * MSHR_SCORE_N_STATES MSHR_MOVES(X) };
#undef X

struct mshr_cover {
    struct mshr_shape g;
    uint64_t events[N_EVENTS], moves[MSHR_SCORE_N_STATES][MSHR_SCORE_N_STATES],
        crosses[N_CROSSES][MSHR_SCORE_N_STATES];
    uint64_t cycle,     /* number of the current cycle */
        look_cycle,     /* cycle of the last lookup */
        accepted_addr,  /* address of the last accepted request */
        accepted_cycle; /* cycle of the last accepted request */
    int fresh_head;     /* head taken in the previous cycle, or MSHR_SCORE_NONE */
    bool drained_any;   /* true if there has been a drain since the reset */
    struct cover_point points[N_EVENTS + N_NAMED];
    char names[N_NAMED][64];
};

void mshr_cover_init(struct mshr_cover *c, const struct mshr_shape *g);
/* Counts the events of a cycle. Must be called between mshr_score_check and mshr_score_tick. */
void mshr_cover_cycle(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                      const struct mshr_out *out, const struct mshr_look *look);
/* Sets *points to the coverage points, and returns their number. The floor of each possible point
 * is `floor`, and that of all other points is 0. */
size_t mshr_cover_points(struct mshr_cover *c, uint64_t floor, const struct cover_point **points);

#endif
