/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of cap in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_CAP_CAP_COVER_H
#define MEMTWIN_CAP_CAP_COVER_H

#include "cap/cap_score.h"
#include "harness/cosim.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define CAP_EVENTS(X)                                                                              \
    X(EQUAL, "both sides of a comparison are equal")                                               \
    X(AVAIL_0, "query with no page available")                                                     \
    X(AVAIL_MAX, "query with the greatest number of pages")                                        \
    X(REQ_0, "query for a group without requests")                                                 \
    X(REQ_MAX, "query for a group with the greatest request")                                      \
    X(AGG_0, "query with a total request of 0")                                                    \
    X(AGG_MAX, "query with the greatest total request")                                            \
    X(ALL_MAX, "query with the greatest avail, req and agg")                                       \
    X(FULL_LIMIT, "oversubscribed: the group's limit is below OVER")                               \
    X(FULL_OVER, "oversubscribed: OVER is below the fitting size")                                 \
    X(FULL_MORE, "oversubscribed: OVER is above the fitting size")                                 \
    X(FULL_UNSET, "oversubscribed: the group is not set")                                          \
    X(UNSET, "query for a group that is not set, with agg")                                        \
    X(UNSET_AGG, "query for a group that is set, without agg")                                     \
    X(FORGOTTEN, "query for a group that was set only before reset")                               \
    X(BEYOND, "query for a group of GROUPS or above")                                              \
    X(SET_BEYOND, "a group of GROUPS or above is set")                                             \
    X(SET_NOW, "a group is set in the cycle of its query")                                         \
    X(SET_BEFORE, "a group is set in the cycle before its query")                                  \
    X(SET_AFTER, "a group is set in the cycle after its query")                                    \
    X(AGG_NOW, "agg is set in the cycle of a query")                                               \
    X(AGG_BEFORE, "agg is set in the cycle before a query")                                        \
    X(AGG_AFTER, "agg is set in the cycle after a query")                                          \
    X(ALONE, "query without one in the adjacent cycles")                                           \
    X(GAP, "queries with one cycle between them")                                                  \
    X(LONG_BURST, "queries in 8 consecutive cycles")                                               \
    X(OTHER_SIZE, "two consecutive queries with different answers")                                \
    X(RESET_FULL, "reset with two queries in the pipeline")                                        \
    X(RESET_ASK, "query during reset")                                                             \
    X(RESET_SET, "a group and agg are set during reset")                                           \
    X(RESET_TWICE, "reset in two consecutive cycles")                                              \
    X(AFTER_RESET, "query in the first cycle after reset")

enum cap_event {
#define X(id, text) EV_##id,
    CAP_EVENTS(X)
#undef X
        N_EVENTS
};

struct cap_cover {
    struct cap_geometry g;
    uint64_t events[N_EVENTS],       /* number of times that each event has occurred */
        sizes[CAP_SIZES][CAP_SIZES]; /* number of queries with each limit and fit */
    uint64_t least[CAP_SIZES],       /* number of queries with the fewest pages, for each fit */
        most[CAP_SIZES];             /* number of queries with the most pages, for each fit */
    uint64_t groups[CAP_MAX_GROUPS];
    bool was_set[CAP_MAX_GROUPS];
    struct cap_in before;
    unsigned running; /* number of consecutive cycles with a query so far */
    struct cap_point_names {
        char sizes[CAP_SIZES][CAP_SIZES][48], edges[2][CAP_SIZES][48], groups[CAP_MAX_GROUPS][48];
    } names;
    struct cover_point points[N_EVENTS + CAP_SIZES * CAP_SIZES + 2 * CAP_SIZES + CAP_MAX_GROUPS];
};

void cap_cover_init(struct cap_cover *c, const struct cap_geometry *g);
/* Counts the events of a cycle. Must be called between cap_score_check and cap_score_tick. */
void cap_cover_cycle(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in);
size_t cap_cover_points(struct cap_cover *c, const struct cover_point **points);

#endif
