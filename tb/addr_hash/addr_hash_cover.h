/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of addr_hash, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_COVER_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_COVER_H

#include "addr_hash/addr_hash_score.h"
#include "harness/cosim.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define ADDR_HASH_EVENTS(X)                                                                        \
    X(LINE_NONE, "access to line 0")                                                               \
    X(LINE_ALL, "access to the last line")                                                         \
    X(SET_FIRST, "remainder 0 of the divisor of the sets")                                         \
    X(SET_LAST, "greatest remainder of the divisor of the sets")                                   \
    X(SET_FOLDED, "remainder from SETS up")                                                        \
    X(PART_FIRST, "remainder 0 of the divisor of the partitions")                                  \
    X(PART_LAST, "greatest remainder of the divisor of the partitions")                            \
    X(PART_FOLDED, "remainder from PARTITIONS up")                                                 \
    X(ALONE, "access with none in the cycles beside it")                                           \
    X(BACK_TO_BACK, "accesses in two cycles running")                                              \
    X(LONG_BURST, "accesses in 8 cycles running")                                                  \
    X(GAP, "accesses with one cycle between them")                                                 \
    X(SAME_LINE, "the same line in two cycles running")                                            \
    X(SAME_SET, "another line of the same set in the next cycle")                                  \
    X(OTHER_SET, "another set in the next cycle")                                                  \
    X(RESET_EMPTY, "reset with nothing on its way")                                                \
    X(RESET_FULL, "reset with accesses on their way at every step")                                \
    X(RESET_ACCESS, "access in a cycle of reset")                                                  \
    X(RESET_TWICE, "reset in two cycles running")                                                  \
    X(AFTER_RESET, "access in the first cycle after reset")

enum addr_hash_event {
#define X(id, text) EV_##id,
    ADDR_HASH_EVENTS(X)
#undef X
        N_EVENTS
};

/* Upper limits: ranges that sets and partitions are counted in, address bits, sets. */
enum { ADDR_HASH_RANGES = 64, ADDR_HASH_BITS = 48, ADDR_HASH_MAX_SETS = 4096 };

struct addr_hash_counts {
    uint64_t events[N_EVENTS], sets[ADDR_HASH_RANGES], parts[ADDR_HASH_RANGES];
    uint64_t alone[ADDR_HASH_BITS], strides[ADDR_HASH_BITS]; /* alone: that bit and no other */
};

struct addr_hash_cover {
    struct addr_hash_geometry g;
    struct addr_hash_counts seen;
    struct addr_hash_counts possible; /* 0: there is no line for it */
    uint64_t sets_used;               /* that a line can have */
    struct addr_hash_in before[2];    /* inputs of the last cycles, the last one first */
    unsigned running;                 /* length of the current run of cycles with an access */
    uint64_t step;                    /* distance between the lines of the run */
    unsigned steps;                   /* steps of that distance so far */
    struct cover_point points[N_EVENTS + 2 * ADDR_HASH_RANGES + 2 * ADDR_HASH_BITS];
    char names[2 * ADDR_HASH_RANGES + 2 * ADDR_HASH_BITS][48];
};

void addr_hash_cover_init(struct addr_hash_cover *c, const struct addr_hash_geometry *g);
/* Between addr_hash_score_check and addr_hash_score_tick of a cycle. */
void addr_hash_cover_cycle(struct addr_hash_cover *c, const struct addr_hash_score *s,
                           const struct addr_hash_in *in);
size_t addr_hash_cover_points(struct addr_hash_cover *c, const struct cover_point **points);

#endif
