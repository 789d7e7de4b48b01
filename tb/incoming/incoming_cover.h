/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of in_fifo, bank_queues and cart, from what the scoreboard sees in a cycle.
 */
#ifndef MEMTWIN_INCOMING_INCOMING_COVER_H
#define MEMTWIN_INCOMING_INCOMING_COVER_H

#include "harness/cosim.h"
#include "incoming/incoming_score.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define EVENTS(X)                                                                                  \
    X(JOIN, "fill: joins a queue of its line")                                                     \
    X(SECOND, "fill: second queue for its line")                                                   \
    X(QUEUE, "fill: empty queue of its row's group")                                               \
    X(GROUP, "fill: empty group (bank_queues, in_fifo: empty queue)")                              \
    X(NO_ROW, "refused: no row group")                                                             \
    X(NO_ROOM, "refused: no queue in the group (bank_queues, in_fifo: full)")                      \
    X(THIRD, "fill: third queue for its line")                                                     \
    X(JOIN_OTHER, "fill: joins a queue whose youngest request is for another line")                \
    X(WIDE_ROW, "fill: a row gets more queues than a group has")                                   \
    X(MANY_ROWS, "fill: a row more than there are groups")                                         \
    X(ACCEPTED_LATER, "fill: taken after it was refused")                                          \
    X(WITHDRAWN, "a refused fill is withdrawn")                                                    \
    X(CHANGED, "a refused fill is changed")                                                        \
    X(JOIN_LAST, "fill joins a queue whose last request is drained in this cycle")                 \
    X(FULL_DRAINS, "fill finds its line's queue full that is drained in this cycle")               \
    X(ROOM_FREED, "refused, no queue being free, while a queue of the row empties")                \
    X(ROW_FREED, "refused, no group being free, while a group empties")                            \
    X(GROUP_OTHER, "a group emptied in the cycle before goes to another row")                      \
    X(GROUP_SAME, "a group emptied in the cycle before goes to its row again")                     \
    X(ROW_NEAR, "a group goes to a row that differs from the row of last time in one bit")         \
    X(ROW_NEAR_TOP, "the same, in the highest bit")                                                \
    X(BRANCH_TAKEN, "every queue of a branch taken")                                               \
    X(FILL_EMPTY, "fill into an empty block")                                                      \
    X(EMPTIED, "the block's last request is drained")                                              \
    X(EMPTIED_FILL, "the block's last request is drained while one enters")                        \
    X(NEXT, "drain: next in turn")                                                                 \
    X(HELD, "drain: held")                                                                         \
    X(AGED, "drain: aged")                                                                         \
    X(LAST_QUEUE, "drain: queue of last time")                                                     \
    X(LAST_ROW, "drain: row of last time")                                                         \
    X(LONGEST, "drain: longest")                                                                   \
    X(AGED_BEFORE_QUEUE, "aged, though the queue of last time goes on")                            \
    X(AGED_BEFORE_ROW, "aged, though the row of last time goes on without its queue")              \
    X(QUEUE_BEFORE_LONGER, "queue of last time, though another is longer")                         \
    X(ROW_BEFORE_LONGER, "row of last time, though another row has a longer queue")                \
    X(ROW_AGAIN, "row of last time, though its group was given up in between")                     \
    X(ROW_TIE, "row of last time has two longest queues")                                          \
    X(TIE, "two longest queues in the branch")                                                     \
    X(OLDER, "drain from the older of a line's two queues")                                        \
    X(OLDER_SHORTER, "offer from the older of a line's queues, though the younger is longer")      \
    X(OLDER_EMPTIES, "the older of a line's queues empties")                                       \
    X(OLDER_EMPTIES_FILL, "a queue is assigned while an older one of its line empties")            \
    X(WRAP, "the rotation wraps")                                                                  \
    X(SKIP, "the rotation passes over an empty branch")                                            \
    X(HELD_FILL, "a fill enters while the offer is held")                                          \
    X(HELD_JOIN, "a fill enters the queue whose offer is held")                                    \
    X(HELD_NEW_BRANCH, "a fill enters an empty branch while the offer is held")                    \
    X(HELD_LONG, "an offer waits for 32 cycles")                                                   \
    X(MOVES_ON, "an offer that was not taken gives way to another branch")                         \
    X(MOVES_WITHIN, "an offer that was not taken gives way to another line of its branch")         \
    X(OFFER_STAYS, "an offer that was not taken comes again, not held")                            \
    X(RESET, "reset with requests held")                                                           \
    X(RESET_FILL_DRAIN, "reset in a cycle of fill and drain")

enum cover_event {
#define X(id, text) EV_##id,
    EVENTS(X)
#undef X
        N_EVENTS
};

/* Where the drain of a cycle is, seen from the fill. */
enum drain_place { OTHER_BRANCH, OTHER_ROW, OTHER_LINE, SAME_LINE, N_PLACES };

struct cover {
    struct geometry g;
    uint64_t events[N_EVENTS], crosses[N_FILL_RULES][N_PLACES];
    unsigned waited; /* cycles that the offer has waited */
    bool refused;    /* the fill of the cycle before */
    uint64_t refused_addr, refused_id;
    struct branch *left; /* whose group was emptied in the cycle before, or NULL */
    bool left_full;      /* and had no other empty group */
    struct cover_point points[N_EVENTS + N_FILL_RULES * N_PLACES];
    char names[N_FILL_RULES * N_PLACES][80];
};

void cover_init(struct cover *c, const struct geometry *g);
/* Between score_check and score_tick of a cycle. */
void cover_cycle(struct cover *c, const struct score *s, const struct incoming_in *in,
                 const struct incoming_out *out, const struct look *look);
/* Each point that can occur at these parameters gets `floor`, the others 0. */
size_t cover_points(struct cover *c, uint64_t floor, const struct cover_point **points);

#endif
