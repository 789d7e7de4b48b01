/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of dl_mshr and static_mshr, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_MSHR_MSHR_COVER_H
#define MEMTWIN_MSHR_MSHR_COVER_H

#include "harness/cosim.h"
#include "mshr/mshr_score.h"

/* Points: id, text. event_possible() in the .c file says where one cannot occur. */
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
    X(PAIR, "two back-to-back requests to one new block")                                          \
    X(LATE, "late request opens a second head while the first drains")                             \
    X(LATE_MERGE, "merge into that second head while the first drains")                            \
    X(NEAR, "new block that differs from a tracked one in the highest bit")                        \
    X(POOL_EMPTY, "no set free in either pool")                                                    \
    X(POOL_FULL, "last set comes free")                                                            \
    X(SHARED_EMPTY, "no shared set free, a reserved one is")                                       \
    X(STALL_MID_DRAIN, "back-pressure in the middle of a drain")                                   \
    X(STALL_LAST, "back-pressure on the last response")                                            \
    X(RET_WAITS, "RET waits for a drain")                                                          \
    X(RET_ON_LAST, "RET accepted with the last response of the drain before")                      \
    X(RET_FIRST_CYCLE, "RET in the cycle after the primary")                                       \
    X(WITHDRAWN, "a refused request is withdrawn")                                                 \
    X(LOOK_AHEAD, "LOOKUP=2: the next block is looked up in the cycle of a request")               \
    X(LOOK_OPENED, "LOOKUP=2: a block is looked up in the cycle of the request that opens it")     \
    X(LOOK_JOINED, "LOOKUP=2: a block is looked up in the cycle of a request that joins it")       \
    X(LOOK_NEAR, "LOOKUP=2: .. or one that differs from that of the request in the highest bit")   \
    X(LOOK_RET, "LOOKUP=2: a block is looked up in the cycle of its RET")                          \
    X(KEPT_RET, "LOOKUP=2: RET of the block that was looked up, and is kept")                      \
    X(KEPT_LONG, "LOOKUP=2: a request from a lookup of 16 cycles before or more")                  \
    X(SUCCESSIVE, "LOOKUP=2: requests for two blocks accepted in successive cycles")               \
    X(ERROR, "RET for a set that is no outstanding head")                                          \
    X(RESET, "reset in the middle")                                                                \
    X(RESET_PAST_HEAD, "reset while a drain goes on past its reserved head")                       \
    X(RESET_PRIMARY, "reset in the cycle of a request that would open an entry")                   \
    X(RESET_RET, "reset in the cycle of a RET that would begin a drain")                           \
    X(SHARED_FIRST, "the first line after a reset comes back to a shared head")

enum mshr_event {
#define X(id, text) EV_##id,
    MSHR_EVENTS(X)
#undef X
        N_EVENTS
};

/* Events by the state of the set that they meet, at the start of the cycle. */
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
enum { N_NAMED = N_CROSSES * N_STATES MSHR_MOVES(X) }; /* at most */
#undef X

struct mshr_cover {
    struct mshr_shape g;
    uint64_t events[N_EVENTS], moves[N_STATES][N_STATES], crosses[N_CROSSES][N_STATES];
    uint64_t cycle, look_cycle, accepted_addr, accepted_cycle; /* of the last lookup, request */
    int fresh_head;   /* head taken in the cycle before, or NONE */
    bool drained_any; /* since reset */
    struct cover_point points[N_EVENTS + N_NAMED];
    char names[N_NAMED][64];
};

void mshr_cover_init(struct mshr_cover *c, const struct mshr_shape *g);
/* Between mshr_score_check and mshr_score_tick of a cycle. */
void mshr_cover_cycle(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                      const struct mshr_out *out, const struct mshr_look *look);
/* Each point that can occur at these parameters gets `floor`, the others 0. */
size_t mshr_cover_points(struct mshr_cover *c, uint64_t floor, const struct cover_point **points);

#endif
