/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of in_fifo, bank_queues and cart in each cycle, based on the
 * scoreboard. */
#ifndef MEMTWIN_INCOMING_INCOMING_COVER_H
#define MEMTWIN_INCOMING_INCOMING_COVER_H

#include "harness/cosim.h"
#include "incoming/incoming_score.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define EVENTS(X)                                                                                  \
    X(JOIN, "fill joins a queue of its line")                                                      \
    X(SECOND, "fill opens a second queue for its line")                                            \
    X(QUEUE, "fill takes an empty queue of its row's group")                                       \
    X(GROUP, "fill takes an empty group (bank_queues, in_fifo: empty queue)")                      \
    X(NO_ROW, "refused: no row group")                                                             \
    X(NO_ROOM, "refused: no queue in the group (bank_queues, in_fifo: full)")                      \
    X(THIRD, "fill opens a third queue for its line")                                              \
    X(JOIN_OTHER, "fill joins a queue whose youngest request is for another line")                 \
    X(WIDE_ROW, "fill gives a row more queues than a group has")                                   \
    X(MANY_ROWS, "fill adds a row beyond the number of groups")                                    \
    X(ACCEPTED_LATER, "fill accepted after a refusal")                                             \
    X(WITHDRAWN, "a refused fill is withdrawn")                                                    \
    X(CHANGED, "a refused fill is changed")                                                        \
    X(JOIN_LAST, "fill joins a queue while its last request is drained")                           \
    X(FULL_DRAINS, "fill finds its line's queue full while it is drained")                         \
    X(ROOM_FREED, "refused for no free queue while a queue of the row empties")                    \
    X(ROW_FREED, "refused for no free group while a group empties")                                \
    X(GROUP_OTHER, "a group emptied in the previous cycle is assigned to another row")             \
    X(GROUP_SAME, "a group emptied in the previous cycle is assigned to its row again")            \
    X(ROW_NEAR, "a group is assigned to a row one bit from the last drained row")                  \
    X(ROW_NEAR_TOP,                                                                                \
      "a group is assigned to a row that differs from the last drained row in the highest bit")    \
    X(BRANCH_TAKEN, "every queue of a branch in use")                                              \
    X(FILL_EMPTY, "fill into an empty block")                                                      \
    X(EMPTIED, "the block's last request is drained")                                              \
    X(EMPTIED_FILL, "the block's last request is drained while another enters")                    \
    X(NEXT, "drain: next in turn")                                                                 \
    X(HELD, "drain: held")                                                                         \
    X(AGED, "drain: aged")                                                                         \
    X(LAST_QUEUE, "drain: last drained queue")                                                     \
    X(LAST_ROW, "drain: last drained row")                                                         \
    X(LONGEST, "drain: longest")                                                                   \
    X(AGED_BEFORE_QUEUE, "aged, although the last drained queue has requests")                     \
    X(AGED_BEFORE_ROW, "aged, although another queue of the last drained row has requests")        \
    X(QUEUE_BEFORE_LONGER, "last drained queue, although another is longer")                       \
    X(ROW_BEFORE_LONGER, "last drained row, although another row has a longer queue")              \
    X(ROW_AGAIN, "last drained row, although its group was free in between")                       \
    X(ROW_TIE, "last drained row with two longest queues")                                         \
    X(TIE, "two longest queues in the branch")                                                     \
    X(OLDER, "drain from the older of a line's two queues")                                        \
    X(OLDER_SHORTER, "output from the older of a line's queues, although the younger is longer")   \
    X(OLDER_EMPTIES, "the older of a line's queues empties")                                       \
    X(OLDER_EMPTIES_FILL, "a queue is assigned while an older one of its line empties")            \
    X(WRAP, "the rotation wraps")                                                                  \
    X(SKIP, "the rotation skips an empty branch")                                                  \
    X(HELD_FILL, "a fill enters while the output is held")                                         \
    X(HELD_JOIN, "a fill enters the queue of the held output")                                     \
    X(HELD_NEW_BRANCH, "a fill enters an empty branch while the output is held")                   \
    X(HELD_LONG, "an output waits for 32 cycles")                                                  \
    X(MOVES_ON, "a refused output is replaced by another branch")                                  \
    X(MOVES_WITHIN, "a refused output is replaced by another line of its branch")                  \
    X(OFFER_STAYS, "a refused output is repeated, not held")                                       \
    X(RESET, "reset with stored requests")                                                         \
    X(RESET_FILL_DRAIN, "reset in the cycle of a fill and a drain")

enum cover_event {
#define X(id, text) EV_##id,
    EVENTS(X)
#undef X
        N_EVENTS
};

/* Place from which a cycle drains, relative to the fill. */
enum drain_place {
    INCOMING_OTHER_BRANCH,
    INCOMING_OTHER_ROW,
    INCOMING_OTHER_LINE,
    INCOMING_SAME_LINE,
    INCOMING_N_PLACES
};

struct cover {
    struct geometry g;
    uint64_t events[N_EVENTS], crosses[N_FILL_RULES][INCOMING_N_PLACES];
    unsigned waited; /* number of cycles for which the output has waited */
    bool refused;    /* true if the fill in the previous cycle was refused */
    uint64_t refused_addr, refused_id;
    struct incoming_branch *left; /* branch in which the previous cycle emptied a group, or NULL */
    bool left_full;               /* true if `left` had no other empty group */
    struct cover_point points[N_EVENTS + N_FILL_RULES * INCOMING_N_PLACES];
    char names[N_FILL_RULES * INCOMING_N_PLACES][80];
};

void cover_init(struct cover *c, const struct geometry *g);
/* Counts the events of a cycle. Must be called between score_check and score_tick. */
void cover_cycle(struct cover *c, const struct score *s, const struct incoming_in *in,
                 const struct incoming_out *out, const struct look *look);
/* Sets *points to the coverage points, and returns their number. The floor of each possible point
 * is `floor`, and that of all other points is 0. */
size_t cover_points(struct cover *c, uint64_t floor, const struct cover_point **points);

#endif
