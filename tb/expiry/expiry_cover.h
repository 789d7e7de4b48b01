/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of expiry in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_COVER_H
#define MEMTWIN_EXPIRY_EXPIRY_COVER_H

#include "expiry/expiry_score.h"
#include "harness/cosim.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define EXPIRY_EVENTS(X)                                                                           \
    X(NEW_ONLY, "new entry in an empty table")                                                     \
    X(NEW_LAST, "new entry in the last free way")                                                  \
    X(NEW_HOLE, "new entry below a way in use")                                                    \
    X(NEW_HIGH, "new entry in the highest way")                                                    \
    X(UPDATE_ONLY, "update of the only entry")                                                     \
    X(UPDATE_ONLY_HIGH, "update of the only entry, in the highest way")                            \
    X(UPDATE_OLDEST, "update of the oldest of several entries")                                    \
    X(UPDATE_MIDDLE, "update of an entry between others")                                          \
    X(UPDATE_NEWEST, "update of the newest of several entries")                                    \
    X(UPDATE_FULL, "update with all entries in use")                                               \
    X(UPDATE_AGAIN, "a page expires again")                                                        \
    X(UPDATE_ALL, "all pages of a block have expired")                                             \
    X(UPDATE_HIGH, "update of the highest way")                                                    \
    X(REPLACE_HIGH, "the highest way gets another block")                                          \
    X(REPLACE_MANY, "an entry with several pages is evicted for a new block")                      \
    X(RECALL_ONLY, "recall of the only entry")                                                     \
    X(RECALL_OLDEST, "recall of the oldest of several entries")                                    \
    X(RECALL_MIDDLE, "recall of an entry between others")                                          \
    X(RECALL_NEWEST, "recall of the newest of several entries")                                    \
    X(RECALL_FULL, "recall with all entries in use")                                               \
    X(RECALL_EMPTY, "recall from an empty table")                                                  \
    X(RECALL_MISS, "recall of a block without entry, with others in use")                          \
    X(RECALL_NEAR, "recall of a block one bit from one that has an entry")                         \
    X(TAKE_EMPTY, "take from an empty table")                                                      \
    X(TAKE_ONE, "a take ends with its first entry")                                                \
    X(TAKE_MOST, "a take ends with TAKE entries")                                                  \
    X(TAKE_ALL, "a take ends with the last entry in use")                                          \
    X(TAKE_FULL, "a take with all entries in use")                                                 \
    X(TAKE_MERGED, "take while another is waiting")                                                \
    X(TAKE_TWICE, "take during a take")                                                            \
    X(TAKE_WAITS, "another operation is accepted while a take waits")                              \
    X(SAME_CYCLE, "recall and expiration that came in the same cycle")                             \
    X(SAME_BLOCK, "recall and expiration of one block that came in the same cycle")                \
    X(EXP_OLDER, "recall and expiration, the expiration waited longer")                            \
    X(EXP_OLDER_BLOCK, "recall and expiration of one block, the expiration waited longer")         \
    X(REC_OLDER, "recall and expiration, the recall waited longer")                                \
    X(REC_OLDER_BLOCK, "recall and expiration of one block, the recall waited longer")             \
    X(PLACE_LOST, "a waiting expiration is withdrawn and returns with a recall")                   \
    X(RESET_TAKE, "reset with a take waiting")                                                     \
    X(RESET_NEXT, "reset with an accepted operation waiting")                                      \
    X(RESET_FULL, "reset with all entries in use")                                                 \
    X(RESET_OLDER, "reset while an expiration has waited longer than a recall")                    \
    X(RESET_TWICE, "reset in two consecutive cycles")                                              \
    X(RESET_BEGIN, "an operation is accepted in the first cycle after reset")

enum expiry_event {
#define X(id, text) EV_##id,
    EXPIRY_EVENTS(X)
#undef X
        N_EVENTS
};

/* States of a cycle. */
enum expiry_state {
    EXPIRY_STATE_IDLE,
    EXPIRY_STATE_FOLLOWS, /* the operation accepted with the previous one starts */
    EXPIRY_STATE_LOOK,    /* a cycle after an operation has started */
    EXPIRY_STATE_FIND,
    EXPIRY_STATE_READ,
    EXPIRY_STATE_STANDS, /* an output is shown but not accepted */
    EXPIRY_STATE_LEAVES, /* an output is shown and accepted */
    EXPIRY_N_STATES
};

/* Inputs that arrive in a state. */
enum expiry_meets {
    EXPIRY_MEETS_NOTHING,
    EXPIRY_MEETS_EXP,
    EXPIRY_MEETS_REC,
    EXPIRY_MEETS_BOTH,
    EXPIRY_MEETS_TAKE,
    EXPIRY_MEETS_RESET,
    EXPIRY_N_MEETS
};

/* Results of an operation. A pair consists of two operations without a cycle between them. */
enum expiry_done {
    DONE_NEW,
    DONE_UPDATE,
    DONE_REPLACE,
    DONE_RECALL,
    DONE_TAKE,
    DONE_NOTHING,
    N_DONE
};

enum { EXPIRY_STANDS_LONG = 8 };

struct expiry_cover {
    struct expiry_geometry g;
    uint64_t events[N_EVENTS], meets[EXPIRY_N_STATES][EXPIRY_N_MEETS];
    uint64_t pairs[N_DONE][N_DONE], same_way[N_DONE][N_DONE];
    uint64_t stands[4], pages[32]; /* indexed by out_why; indexed by page */
    unsigned stood;                /* number of cycles for which the output has waited */
    enum expiry_done before;       /* result of the previous operation, or N_DONE after reset */
    unsigned before_way;
    bool at_once; /* the current operation started in the first possible cycle */
    bool idled;   /* the previous cycle was idle */
    bool dropped; /* an expiration was withdrawn during this operation */
    bool reset;   /* the previous cycle was a reset */
    struct cover_point
        points[N_EVENTS + EXPIRY_N_STATES * EXPIRY_N_MEETS + 2 * N_DONE * N_DONE + 4 + 32];
    char names[EXPIRY_N_STATES * EXPIRY_N_MEETS + 2 * N_DONE * N_DONE + 4 + 32][80];
};

void expiry_cover_init(struct expiry_cover *c, const struct expiry_geometry *g);
/* Must be called between expiry_score_check and expiry_score_tick in each cycle. */
void expiry_cover_cycle(struct expiry_cover *c, const struct expiry_score *s,
                        const struct expiry_in *in, const struct expiry_look *look);
/* Lists the coverage points. The floor of a point is 1 if the point can occur within `cycles` at
 * these parameters, else 0. */
size_t expiry_cover_points(struct expiry_cover *c, uint64_t cycles,
                           const struct cover_point **points);

#endif
