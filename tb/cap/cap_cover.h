/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of cap, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_CAP_CAP_COVER_H
#define MEMTWIN_CAP_CAP_COVER_H

#include "cap/cap_score.h"
#include "harness/cosim.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define CAP_EVENTS(X)                                                                              \
    X(EQUAL, "both sides of a comparison are equal")                                               \
    X(AVAIL_0, "asked with no page available")                                                     \
    X(AVAIL_MAX, "asked with the most pages that can be said")                                     \
    X(REQ_0, "asked for a group that has requested nothing")                                       \
    X(REQ_MAX, "asked for a group that has requested the most")                                    \
    X(AGG_0, "asked with nothing requested by all")                                                \
    X(AGG_MAX, "asked with the most requested by all")                                             \
    X(ALL_MAX, "all three at their most")                                                          \
    X(FULL_LIMIT, "oversubscribed: the group has requested less than OVER")                        \
    X(FULL_OVER, "oversubscribed: OVER is less than what fits")                                    \
    X(FULL_MORE, "oversubscribed: OVER is more than what fits")                                    \
    X(FULL_UNSET, "oversubscribed: the group was not set")                                         \
    X(UNSET, "asked for a group that was not set, with agg")                                       \
    X(UNSET_AGG, "asked for a group that was set, without agg")                                    \
    X(FORGOTTEN, "asked for a group that was set before reset only")                               \
    X(BEYOND, "asked for a group from GROUPS up")                                                  \
    X(SET_BEYOND, "a group from GROUPS up is set")                                                 \
    X(SET_NOW, "a group is set and asked for in a cycle")                                          \
    X(SET_BEFORE, "a group is set in the cycle before it is asked for")                            \
    X(SET_AFTER, "a group is set in the cycle after it was asked for")                             \
    X(AGG_NOW, "agg is set in a cycle of a question")                                              \
    X(AGG_BEFORE, "agg is set in the cycle before a question")                                     \
    X(AGG_AFTER, "agg is set in the cycle after a question")                                       \
    X(ALONE, "a question with none beside it")                                                     \
    X(GAP, "questions with one cycle between them")                                                \
    X(LONG_BURST, "questions in 8 cycles running")                                                 \
    X(OTHER_SIZE, "two questions running with different answers")                                  \
    X(RESET_FULL, "reset with two questions on their way")                                         \
    X(RESET_ASK, "question in a cycle of reset")                                                   \
    X(RESET_SET, "a group and agg are set in a cycle of reset")                                    \
    X(RESET_TWICE, "reset in two cycles running")                                                  \
    X(AFTER_RESET, "question in the first cycle after reset")

enum cap_event {
#define X(id, text) EV_##id,
    CAP_EVENTS(X)
#undef X
        N_EVENTS
};

struct cap_cover {
    struct cap_geometry g;
    uint64_t events[N_EVENTS], sizes[CAP_SIZES][CAP_SIZES]; /* sizes: by limit and fit */
    uint64_t least[CAP_SIZES], most[CAP_SIZES];             /* of avail, for fit */
    uint64_t groups[CAP_MAX_GROUPS];
    bool was_set[CAP_MAX_GROUPS];
    struct cap_in before;
    unsigned running; /* length of the current run of cycles with a question */
    struct cap_point_names {
        char sizes[CAP_SIZES][CAP_SIZES][48], edges[2][CAP_SIZES][48], groups[CAP_MAX_GROUPS][48];
    } names;
    struct cover_point points[N_EVENTS + CAP_SIZES * CAP_SIZES + 2 * CAP_SIZES + CAP_MAX_GROUPS];
};

void cap_cover_init(struct cap_cover *c, const struct cap_geometry *g);
/* Between cap_score_check and cap_score_tick of a cycle. */
void cap_cover_cycle(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in);
size_t cap_cover_points(struct cap_cover *c, const struct cover_point **points);

#endif
