/* SPDX-License-Identifier: Apache-2.0 */
/* When a part has to be ticked next, and up to which cycle its cycles are accounted for. In cycles
 * of its clock domain. */
#ifndef MEMTWIN_GPU_CLOCKED_H
#define MEMTWIN_GPU_CLOCKED_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/skips.h"

struct clocked {
    uint64_t next_event; /* before it the part does nothing unless it has input */
    uint64_t accounted;  /* cycles that it has ticked, or was told of by its x_advance */
    bool may_wake; /* before its next tick it may get input that is no packet of the crossbar */
#ifdef MEMTWIN_CHECKED
    struct skips skips;
#endif
};

/* The part has been ticked in this cycle. */
static inline void clocked_ticked(struct clocked *c, uint64_t cycle, uint64_t next_event,
                                  bool may_wake) {
    c->accounted = cycle + 1;
    c->next_event = next_event;
    c->may_wake = may_wake;
#ifdef MEMTWIN_CHECKED
    skips_begin(&c->skips, cycle + 1);
#endif
}

/* Its next event is in this cycle at the latest. */
static inline void clocked_due(struct clocked *c, uint64_t cycle) {
    if (cycle < c->next_event)
        c->next_event = cycle;
}

/* How many cycles before this one passed without a tick: the caller accounts for them now. */
static inline uint64_t clocked_passed(struct clocked *c, uint64_t cycle) {
    uint64_t n = cycle > c->accounted ? cycle - c->accounted : 0;
    c->accounted = cycle;
    return n;
}

#endif
