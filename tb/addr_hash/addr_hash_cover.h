/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of addr_hash in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_COVER_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_COVER_H

#include "addr_hash/addr_hash_score.h"
#include "harness/cosim.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define ADDR_HASH_EVENTS(X)                                                                        \
    X(LINE_NONE, "access to line 0")                                                               \
    X(LINE_ALL, "access to the last line")                                                         \
    X(SET_FIRST, "set remainder 0")                                                                \
    X(SET_LAST, "greatest set remainder")                                                          \
    X(SET_FOLDED, "set remainder of SETS or more")                                                 \
    X(PART_FIRST, "partition remainder 0")                                                         \
    X(PART_LAST, "greatest partition remainder")                                                   \
    X(PART_FOLDED, "partition remainder of PARTITIONS or more")                                    \
    X(ALONE, "access without one in the adjacent cycles")                                          \
    X(BACK_TO_BACK, "accesses in two consecutive cycles")                                          \
    X(LONG_BURST, "accesses in 8 consecutive cycles")                                              \
    X(GAP, "accesses with one cycle between them")                                                 \
    X(SAME_LINE, "the same line in two consecutive cycles")                                        \
    X(SAME_SET, "another line of the same set in the next cycle")                                  \
    X(OTHER_SET, "another set in the next cycle")                                                  \
    X(RESET_EMPTY, "reset with an empty pipeline")                                                 \
    X(RESET_FULL, "reset with an access in every stage")                                           \
    X(RESET_ACCESS, "access during reset")                                                         \
    X(RESET_TWICE, "reset in two consecutive cycles")                                              \
    X(AFTER_RESET, "access in the first cycle after reset")

enum addr_hash_event {
#define X(id, text) EV_##id,
    ADDR_HASH_EVENTS(X)
#undef X
        N_EVENTS
};

enum {
    ADDR_HASH_RANGES = 64,    /* maximum number of ranges of sets, and of ranges of partitions */
    ADDR_HASH_BITS = 48,      /* maximum number of address bits */
    ADDR_HASH_MAX_SETS = 4096 /* maximum number of sets */
};

struct addr_hash_counts {
    uint64_t events[N_EVENTS], sets[ADDR_HASH_RANGES], parts[ADDR_HASH_RANGES];
    uint64_t alone[ADDR_HASH_BITS], /* accesses to the line with only this bit set */
        strides[ADDR_HASH_BITS];    /* strides of 2^bit lines */
};

struct addr_hash_cover {
    struct addr_hash_geometry g;
    struct addr_hash_counts seen;
    struct addr_hash_counts possible; /* 0 for an event that no line can cause */
    uint64_t sets_used;               /* number of sets that lines map to */
    struct addr_hash_in before[2];    /* inputs of the last two cycles, newest first */
    unsigned running;                 /* number of consecutive cycles with an access so far */
    uint64_t step;                    /* distance between the last two lines */
    unsigned steps;                   /* number of consecutive steps of that distance so far */
    struct cover_point points[N_EVENTS + 2 * ADDR_HASH_RANGES + 2 * ADDR_HASH_BITS];
    char names[2 * ADDR_HASH_RANGES + 2 * ADDR_HASH_BITS][48];
};

void addr_hash_cover_init(struct addr_hash_cover *c, const struct addr_hash_geometry *g);
/* Counts the events of a cycle. Must be called between addr_hash_score_check and
 * addr_hash_score_tick. */
void addr_hash_cover_cycle(struct addr_hash_cover *c, const struct addr_hash_score *s,
                           const struct addr_hash_in *in);
size_t addr_hash_cover_points(struct addr_hash_cover *c, const struct cover_point **points);

#endif
