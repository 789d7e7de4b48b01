/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of mil in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_MIL_MIL_COVER_H
#define MEMTWIN_MIL_MIL_COVER_H

#include "harness/cosim.h"
#include "mil/mil_score.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define MIL_EVENTS(X)                                                                              \
    X(ROOM_NONE, "a kernel wants to issue without room")                                           \
    X(ROOM_SOME, "room for less than SCHEDULERS")                                                  \
    X(ROOM_ALL, "room for SCHEDULERS")                                                             \
    X(ROOM_FELL, "more in flight than the limit")                                                  \
    X(FULL, "the counter of instructions in flight is full")                                       \
    X(ISSUED_ALL, "SCHEDULERS issued in a cycle")                                                  \
    X(ISSUED_ROOM, "the limit's last room is used")                                                \
    X(BOTH, "issued and done in a cycle")                                                          \
    X(TWO_ISSUE, "two kernels issue in a cycle")                                                   \
    X(DRAINED, "the last in flight is done")                                                       \
    X(MASKED, "a kernel wants and has room, but another issues")                                   \
    X(GREATER, "a higher kernel issues before a lower one")                                        \
    X(LOWER, "a lower kernel issues before a higher one")                                          \
    X(EQUAL, "of equal quotas the lowest kernel issues")                                           \
    X(TURN_WRAPS, "the turn wraps from the last kernel to the first")                              \
    X(TURN_SAME, "the same kernel issues again, alone")                                            \
    X(SET, "a limit is set")                                                                       \
    X(SET_0, "a limit of 0 is set")                                                                \
    X(SET_NONE, "a limit is set to no limit")                                                      \
    X(SET_START, "a limit is set in the cycle of start")                                           \
    X(ENDS, "an interval ends")                                                                    \
    X(ENDS_MAX, "an interval ends in the cycle of its maximum in flight")                          \
    X(RF_FULL, "failure with its counter full")                                                    \
    X(MINST_FULL, "issued with the counter of instructions full")                                  \
    X(Q_0, "limit: failures below one per request")                                                \
    X(Q_0_LIMITED, "limit: failures below one per request, with a limit")                          \
    X(Q_1, "limit: one failure per request")                                                       \
    X(Q_MORE, "limit: several failures per request, at most the number in flight")                 \
    X(Q_BEYOND, "limit: more failures per request than in flight")                                 \
    X(LIMIT_FALLS, "update: the limit falls")                                                      \
    X(LIMIT_RISES, "update: the limit rises")                                                      \
    X(LIMIT_SAME, "update: the limit is unchanged")                                                \
    X(RATIO_1, "ratio 1")                                                                          \
    X(RATIO_SOME, "ratio between 1 and RATIO_MAX")                                                 \
    X(RATIO_MAX, "ratio RATIO_MAX")                                                                \
    X(RATIO_IDLE, "ratio of an interval without an issue")                                         \
    X(SHARES, "new shares")                                                                        \
    X(SHARES_DIFFER, "new shares that differ")                                                     \
    X(SHARES_AGAIN, "the computation of shares restarts")                                          \
    X(REFILL, "a quota is used up: all get their share")                                           \
    X(REFILL_REST, "a share is added to a remaining quota")                                        \
    X(REFILL_DEAD, "a kernel that is not live gets no share")                                      \
    X(REFILL_FULL, "a share that saturates")                                                       \
    X(QUOTA_BELOW, "more issued than the quota")                                                   \
    X(QUOTA_0, "a kernel that is not live has quota 0")                                            \
    X(START, "a kernel starts")                                                                    \
    X(START_ALL, "all start together")                                                             \
    X(START_ENDS, "start with the last access of an interval, and an issue")                       \
    X(START_LIMIT, "start while a limit is due")                                                   \
    X(START_RATIO, "start while a ratio is due")                                                   \
    X(START_OTHER, "start while a ratio of another kernel is due")                                 \
    X(START_SHARES, "start while shares are computed")                                             \
    X(START_SHOW, "start in the cycle before new shares")                                          \
    X(START_FLIES, "start with instructions in flight")                                            \
    X(START_COUNTS, "start with an access, a failure or an issue")                                 \
    X(ERR_DONE, "fault: more done than in flight")                                                 \
    X(ERR_KERNEL, "fault: a nonexistent kernel")                                                   \
    X(ERR_ISSUED, "fault: more issued than allowed")                                               \
    X(ERR_SECOND, "a second fault")                                                                \
    X(RESET_BUSY, "reset during a computation")                                                    \
    X(RESET_LIMITED, "reset with a limit")

enum mil_event {
#define X(id, text) EV_##id,
    MIL_EVENTS(X)
#undef X
        N_EVENTS
};

struct mil_cover {
    struct mil_geometry g;
    uint64_t events[N_EVENTS], cycles;
    uint64_t goes[MIL_MAX_KERNELS];
    struct cover_point points[N_EVENTS + MIL_MAX_KERNELS];
    char names[MIL_MAX_KERNELS][24];
};

void mil_cover_init(struct mil_cover *c, const struct mil_geometry *g, uint64_t cycles);
/* Must be called between mil_score_check and mil_score_tick in each cycle. */
void mil_cover_before(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in);
/* Must be called after mil_score_tick in each cycle. */
void mil_cover_after(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                     unsigned err_before);
size_t mil_cover_points(struct mil_cover *c, const struct cover_point **points);

#endif
