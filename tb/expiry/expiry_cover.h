/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of expiry, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_COVER_H
#define MEMTWIN_EXPIRY_EXPIRY_COVER_H

#include "expiry/expiry_score.h"
#include "harness/cosim.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define EXPIRY_EVENTS(X)                                                                           \
    X(NEW_ONLY, "new entry in an empty table")                                                     \
    X(NEW_LAST, "new entry is the last that was free")                                             \
    X(NEW_HOLE, "new entry below one in use")                                                      \
    X(NEW_HIGH, "new entry in the highest way")                                                    \
    X(UPDATE_ONLY, "update of the only entry")                                                     \
    X(UPDATE_ONLY_HIGH, "update of the only entry, in the highest way")                            \
    X(UPDATE_OLDEST, "update of the oldest of several entries")                                    \
    X(UPDATE_MIDDLE, "update of an entry between others")                                          \
    X(UPDATE_NEWEST, "update of the newest of several entries")                                    \
    X(UPDATE_FULL, "update with all entries in use")                                               \
    X(UPDATE_AGAIN, "a page expires that has its bit")                                             \
    X(UPDATE_ALL, "all pages of a block have expired")                                             \
    X(UPDATE_HIGH, "update of the highest way")                                                    \
    X(REPLACE_HIGH, "the highest way gets another block")                                          \
    X(REPLACE_MANY, "an entry with several pages goes for a new block")                            \
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
    X(TAKE_MOST, "a take ends with as many entries as it may")                                     \
    X(TAKE_ALL, "a take ends with the last entry in use")                                          \
    X(TAKE_FULL, "a take with all entries in use")                                                 \
    X(TAKE_MERGED, "take with one waiting already")                                                \
    X(TAKE_TWICE, "take while one is under way")                                                   \
    X(TAKE_WAITS, "another operation is taken with a take waiting")                                \
    X(SAME_CYCLE, "recall and expiration taken that came in the same cycle")                       \
    X(SAME_BLOCK, "the same, of the same block")                                                   \
    X(EXP_OLDER, "recall and expiration taken, of which the expiration waited longer")             \
    X(EXP_OLDER_BLOCK, "the same, of the same block")                                              \
    X(REC_OLDER, "recall and expiration taken, of which the recall waited longer")                 \
    X(REC_OLDER_BLOCK, "the same, of the same block")                                              \
    X(PLACE_LOST, "an expiration that waited is taken away and comes again, with a recall")        \
    X(RESET_TAKE, "reset with a take waiting")                                                     \
    X(RESET_NEXT, "reset with an operation waiting that was taken")                                \
    X(RESET_FULL, "reset with all entries in use")                                                 \
    X(RESET_OLDER, "reset with an expiration at its port longer than a recall")                    \
    X(RESET_TWICE, "reset in two cycles running")                                                  \
    X(RESET_BEGIN, "an operation is taken in the first cycle after reset")

enum expiry_event {
#define X(id, text) EV_##id,
    EXPIRY_EVENTS(X)
#undef X
        N_EVENTS
};

/* The state of a cycle. */
enum expiry_state {
    STATE_IDLE,
    STATE_FOLLOWS, /* what was taken with the operation before begins */
    STATE_LOOK,    /* the cycles after an operation has begun */
    STATE_FIND,
    STATE_READ,
    STATE_STANDS, /* something stands at the output, and is not taken */
    STATE_LEAVES,
    N_STATES
};

/* What a state meets at the inputs. */
enum expiry_meets {
    MEETS_NOTHING,
    MEETS_EXP,
    MEETS_REC,
    MEETS_BOTH,
    MEETS_TAKE,
    MEETS_RESET,
    N_MEETS
};

/* What has become of an operation; two of them without a cycle between. */
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
    uint64_t events[N_EVENTS], meets[N_STATES][N_MEETS];
    uint64_t pairs[N_DONE][N_DONE], same_way[N_DONE][N_DONE];
    uint64_t stands[4], pages[32]; /* by why; by page */
    unsigned stood;                /* cycles of this output */
    enum expiry_done before;       /* of the operation before; N_DONE: none since reset */
    unsigned before_way;
    bool at_once; /* the operation under way began in the first cycle that it could */
    bool idled;   /* the cycle before was idle */
    bool dropped; /* an expiration was taken away while this operation was under way */
    bool reset;   /* in the cycle before */
    struct cover_point points[N_EVENTS + N_STATES * N_MEETS + 2 * N_DONE * N_DONE + 4 + 32];
    char names[N_STATES * N_MEETS + 2 * N_DONE * N_DONE + 4 + 32][80];
};

void expiry_cover_init(struct expiry_cover *c, const struct expiry_geometry *g);
/* Between expiry_score_check and expiry_score_tick of a cycle. */
void expiry_cover_cycle(struct expiry_cover *c, const struct expiry_score *s,
                        const struct expiry_in *in, const struct expiry_look *look);
/* The coverage points. The floor of a point is 1 if it can occur within `cycles` at the parameters,
 * else 0. */
size_t expiry_cover_points(struct expiry_cover *c, uint64_t cycles,
                           const struct cover_point **points);

#endif
