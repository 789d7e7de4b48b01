/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of hir, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_HIR_HIR_COVER_H
#define MEMTWIN_HIR_HIR_COVER_H

#include "harness/cosim.h"
#include "hir/hir_score.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define HIR_EVENTS(X)                                                                              \
    X(NEW_FIRST, "new entry in an empty set")                                                      \
    X(NEW_LAST, "new entry in the last free way")                                                  \
    X(NEW_ALL, "new entry is the last that was free")                                              \
    X(STALE_SENT, "new entry for a page set that was in that way before it was sent")              \
    X(STALE_RESET, "new entry for a page set that was in that way before reset")                   \
    X(COUNT_FIRST, "found, and its page is touched for the first time")                            \
    X(COUNT_FILLS, "a counter gets to its greatest value")                                         \
    X(COUNT_FULL, "touch of a page whose counter is at its greatest value")                        \
    X(COUNT_FULL_BESIDE, "the same, with the counter below another that is not")                   \
    X(FOUND_FULL, "found in a set without free way")                                               \
    X(LOSE_FIRST, "first hit that is lost")                                                        \
    X(LOSE_FULL, "hit is lost with lost at its greatest value")                                    \
    X(BEGIN_NEW, "the hit of flush's cycle makes an entry")                                        \
    X(BEGIN_ONLY, "the hit of flush's cycle makes the only entry")                                 \
    X(BEGIN_FOUND, "the hit of flush's cycle finds one")                                           \
    X(BEGIN_FILLS, "the hit of flush's cycle fills a counter of the only entry")                   \
    X(BEGIN_LOSES, "the hit of flush's cycle is lost")                                             \
    X(FLUSH_1, "flush 1 cycle after the last hit")                                                 \
    X(FLUSH_2, "flush 2 cycles after the last hit")                                                \
    X(FLUSH_3, "flush 3 cycles after the last hit")                                                \
    X(FLUSH_4, "flush 4 cycles after the last hit")                                                \
    X(END_HIT, "hit in the first cycle after all was sent")                                        \
    X(END_FLUSH, "flush in the first cycle after all was sent")                                    \
    X(NONE_HIT, "hit in the first cycle after a flush without entries")                            \
    X(NONE_FLUSH, "flush in the first cycle after a flush without entries")                        \
    X(SENT_1, "one entry was sent")                                                                \
    X(SENT_2, "two were")                                                                          \
    X(SENT_3, "three were")                                                                        \
    X(SENT_MANY, "more were")                                                                      \
    X(SENT_ALL, "as many as there are were")                                                       \
    X(SENT_LOST, "all was sent with lost above 0")                                                 \
    X(STANDS_LONG, "an entry stands for 8 cycles")                                                 \
    X(LEAVES_AGAIN, "an entry leaves with more than one touch of a page")                          \
    X(LEAVES_TOUCHED, "an entry leaves with all pages touched")                                    \
    X(RESET_LOOK, "reset with a hit being looked up")                                              \
    X(RESET_LOST, "reset with lost above 0")                                                       \
    X(RESET_TWICE, "reset in two cycles running")                                                  \
    X(RESET_FLUSH, "flush in the first cycle after reset")

enum hir_event {
#define X(id, text) EV_##id,
    HIR_EVENTS(X)
#undef X
        N_EVENTS
};

/* What a state meets. */
enum hir_meets { MEETS_NOTHING, MEETS_HIT, MEETS_FLUSH, MEETS_BOTH, MEETS_RESET, N_MEETS };

/* Two touches of a set, the second 1 to HIR_DISTANCES cycles after the first: what it can only find
 * if what the first has done is seen. */
#define HIR_PAIRS(X)                                                                               \
    X(NEW_SAME, "a new entry's page again")                                                        \
    X(NEW_OTHER, "another page of a new entry")                                                    \
    X(FOUND_SAME, "a page again")                                                                  \
    X(FOUND_OTHER, "another page of an entry")                                                     \
    X(NEW_NEW, "two new entries of a set")                                                         \
    X(NEW_LOSES, "a new entry, and none for the next")                                             \
    X(LOSES_LOSES, "two hits lost of a set")                                                       \
    X(LOSES_FOUND, "a lost hit, and one that finds its entry")                                     \
    X(ENTRY_ENTRY, "two entries of a set found")

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
    uint64_t events[N_EVENTS], meets[N_STATES][N_MEETS], pairs[N_PAIRS][HIR_DISTANCES];
    uint64_t ready[HIR_READY_PATTERNS], made[HIR_MAX_WAYS], found[HIR_MAX_WAYS];
    uint64_t pages[HIR_MAX_PAGES];
    struct hir_touch touches[HIR_DISTANCES]; /* of the cycles before, the last one first */
    unsigned since_hit;                      /* cycles */
    unsigned shown, pattern; /* shown: cycles with an entry so far; pattern: their out_ready */
    unsigned stands;         /* cycles in which this entry has stood */
    enum hir_state before;   /* of the cycle before */
    bool reset;              /* in the cycle before */
    bool by_reset;           /* what emptied it last */
    uint64_t was[HIR_MAX_SETS][HIR_MAX_WAYS]; /* page set + 1 that an entry was made for last */
    struct cover_point points[N_EVENTS + N_STATES * N_MEETS + N_PAIRS * HIR_DISTANCES +
                              HIR_READY_PATTERNS + 2 * HIR_MAX_WAYS + HIR_MAX_PAGES];
    char names[N_STATES * N_MEETS + N_PAIRS * HIR_DISTANCES + HIR_READY_PATTERNS +
               2 * HIR_MAX_WAYS + HIR_MAX_PAGES][80];
};

void hir_cover_init(struct hir_cover *c, const struct hir_geometry *g);
/* Between hir_score_check and hir_score_tick of a cycle. */
void hir_cover_cycle(struct hir_cover *c, const struct hir_score *s, const struct hir_in *in,
                     const struct hir_look *look);
/* The coverage points. The floor of a point is 1 if it can occur within `cycles` at the parameters,
 * else 0. */
size_t hir_cover_points(struct hir_cover *c, uint64_t cycles, const struct cover_point **points);

#endif
