/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of hir in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_HIR_HIR_COVER_H
#define MEMTWIN_HIR_HIR_COVER_H

#include "harness/cosim.h"
#include "hir/hir_score.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define HIR_EVENTS(X)                                                                              \
    X(NEW_FIRST, "new entry in an empty set")                                                      \
    X(NEW_LAST, "new entry in the last free way")                                                  \
    X(NEW_ALL, "new entry in the last free way of the table")                                      \
    X(STALE_SENT, "new entry for a page set that the way held before it was sent")                 \
    X(STALE_RESET, "new entry for a page set that the way held before reset")                      \
    X(COUNT_FIRST, "found, first touch of its page")                                               \
    X(COUNT_FILLS, "a counter reaches its greatest value")                                         \
    X(COUNT_FULL, "touch of a page whose counter is at its greatest value")                        \
    X(COUNT_FULL_BESIDE, "touch of a page whose counter is full below one that is not full")       \
    X(FOUND_FULL, "found in a set without a free way")                                             \
    X(LOSE_FIRST, "first lost hit")                                                                \
    X(LOSE_FULL, "lost hit with `lost` at its greatest value")                                     \
    X(BEGIN_NEW, "the hit in the cycle of flush makes an entry")                                   \
    X(BEGIN_ONLY, "the hit in the cycle of flush makes the only entry")                            \
    X(BEGIN_FOUND, "the hit in the cycle of flush finds an entry")                                 \
    X(BEGIN_FILLS, "the hit in the cycle of flush fills a counter of the only entry")              \
    X(BEGIN_LOSES, "the hit in the cycle of flush is lost")                                        \
    X(FLUSH_1, "flush 1 cycle after the last hit")                                                 \
    X(FLUSH_2, "flush 2 cycles after the last hit")                                                \
    X(FLUSH_3, "flush 3 cycles after the last hit")                                                \
    X(FLUSH_4, "flush 4 cycles after the last hit")                                                \
    X(END_HIT, "hit in the first cycle after sending")                                             \
    X(END_FLUSH, "flush in the first cycle after sending")                                         \
    X(NONE_HIT, "hit in the first cycle after a flush without entries")                            \
    X(NONE_FLUSH, "flush in the first cycle after a flush without entries")                        \
    X(SENT_1, "one entry was sent")                                                                \
    X(SENT_2, "two entries were sent")                                                             \
    X(SENT_3, "three entries were sent")                                                           \
    X(SENT_MANY, "more than three entries were sent")                                              \
    X(SENT_ALL, "all ways were sent")                                                              \
    X(SENT_LOST, "sending ends with `lost` above 0")                                               \
    X(STANDS_LONG, "an entry waits for 8 cycles")                                                  \
    X(LEAVES_AGAIN, "an entry is sent with more than one touch of a page")                         \
    X(LEAVES_TOUCHED, "an entry is sent with all pages touched")                                   \
    X(RESET_LOOK, "reset during the lookup of a hit")                                              \
    X(RESET_LOST, "reset with `lost` above 0")                                                     \
    X(RESET_TWICE, "reset in two consecutive cycles")                                              \
    X(RESET_FLUSH, "flush in the first cycle after reset")

enum hir_event {
#define X(id, text) EV_##id,
    HIR_EVENTS(X)
#undef X
        N_EVENTS
};

/* Inputs that arrive in a state. */
enum hir_meets {
    HIR_MEETS_NOTHING,
    HIR_MEETS_HIT,
    HIR_MEETS_FLUSH,
    HIR_MEETS_BOTH,
    HIR_MEETS_RESET,
    HIR_N_MEETS
};

/* Kinds of pairs of touches in a set, 1 to HIR_DISTANCES cycles apart. The lookup of the second
 * touch must see the effect of the first. */
#define HIR_PAIRS(X)                                                                               \
    X(NEW_SAME, "the same page of a new entry again")                                              \
    X(NEW_OTHER, "a new entry, then another page of it")                                           \
    X(FOUND_SAME, "the same page of an entry again")                                               \
    X(FOUND_OTHER, "an entry, then another page of it")                                            \
    X(NEW_NEW, "two new entries of a set")                                                         \
    X(NEW_LOSES, "a new entry, then a lost hit")                                                   \
    X(LOSES_LOSES, "two lost hits of a set")                                                       \
    X(LOSES_FOUND, "a lost hit, then one that finds its entry")                                    \
    X(ENTRY_ENTRY, "hits of two entries of a set")

enum hir_pair {
#define X(id, text) PAIR_##id,
    HIR_PAIRS(X)
#undef X
        N_PAIRS
};

enum { HIR_DISTANCES = 3, HIR_READY_CYCLES = 4, HIR_READY_PATTERNS = 1 << HIR_READY_CYCLES };

/* A hit that was looked up. */
struct hir_touch {
    struct hir_look look;
    unsigned page;
};

struct hir_cover {
    struct hir_geometry g;
    uint64_t events[N_EVENTS], meets[HIR_N_STATES][HIR_N_MEETS], pairs[N_PAIRS][HIR_DISTANCES];
    uint64_t ready[HIR_READY_PATTERNS], made[HIR_MAX_WAYS], found[HIR_MAX_WAYS];
    uint64_t pages[HIR_MAX_PAGES];
    struct hir_touch touches[HIR_DISTANCES]; /* touches in previous cycles, newest first */
    unsigned since_hit;                      /* number of cycles since the last hit */
    /* number of consecutive cycles with an entry shown; their out_ready bits */
    unsigned shown, pattern;
    unsigned stands;                          /* number of cycles for which the entry has waited */
    enum hir_state before;                    /* state of the previous cycle */
    bool reset;                               /* the previous cycle was a reset */
    bool by_reset;                            /* the table was last emptied by a reset */
    uint64_t was[HIR_MAX_SETS][HIR_MAX_WAYS]; /* page set of the last entry made there, plus 1 */
    struct cover_point points[N_EVENTS + HIR_N_STATES * HIR_N_MEETS + N_PAIRS * HIR_DISTANCES +
                              HIR_READY_PATTERNS + 2 * HIR_MAX_WAYS + HIR_MAX_PAGES];
    char names[HIR_N_STATES * HIR_N_MEETS + N_PAIRS * HIR_DISTANCES + HIR_READY_PATTERNS +
               2 * HIR_MAX_WAYS + HIR_MAX_PAGES][80];
};

void hir_cover_init(struct hir_cover *c, const struct hir_geometry *g);
/* Must be called between hir_score_check and hir_score_tick in each cycle. */
void hir_cover_cycle(struct hir_cover *c, const struct hir_score *s, const struct hir_in *in,
                     const struct hir_look *look);
/* Lists the coverage points. The floor of a point is 1 if the point can occur within `cycles` at
 * these parameters, else 0. */
size_t hir_cover_points(struct hir_cover *c, uint64_t cycles, const struct cover_point **points);

#endif
