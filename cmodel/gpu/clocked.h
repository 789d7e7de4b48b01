/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a part's next event and its number of accounted cycles, in cycles of the part's clock
 * domain. */
#ifndef MEMTWIN_GPU_CLOCKED_H
#define MEMTWIN_GPU_CLOCKED_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/skips.h"

struct clocked {
    uint64_t next_event; /* the part does nothing before this cycle unless it has input */
    uint64_t accounted;  /* number of cycles ticked, or skipped with the part's advance function */
    bool may_wake; /* true if the part may get input other than a crossbar packet before its next
                      tick */
#ifdef MEMTWIN_CHECKED
    struct skips skips;
#endif
};

/* Records that the part has been ticked in `cycle`. */
static inline void clocked_ticked(struct clocked *c, uint64_t cycle, uint64_t next_event,
                                  bool may_wake) {
    c->accounted = cycle + 1;
    c->next_event = next_event;
    c->may_wake = may_wake;
#ifdef MEMTWIN_CHECKED
    skips_begin(&c->skips, cycle + 1);
#endif
}

/* Sets the part's next event to `cycle` if the next event is later. */
static inline void clocked_due(struct clocked *c, uint64_t cycle) {
    if (cycle < c->next_event)
        c->next_event = cycle;
}

/* Returns the number of skipped cycles before `cycle` that are not accounted for. The caller must
 * account for them, because they now count as accounted. */
static inline uint64_t clocked_passed(struct clocked *c, uint64_t cycle) {
    uint64_t n = cycle > c->accounted ? cycle - c->accounted : 0;
    c->accounted = cycle;
    return n;
}

#endif
