/* SPDX-License-Identifier: Apache-2.0 */
/* Runs cycles of an L1D without its SM. */
#ifndef MEMTWIN_TESTS_L1D_TICK_H
#define MEMTWIN_TESTS_L1D_TICK_H

#include "l1d/l1d.h"

/* Returns completed requests to the pool, as the SM does. */
static inline void take_done(struct l1d *l1) {
    for (uint32_t i = 0; i < l1->n_done; i++)
        request_give(&l1->cache.context->pool, l1->done[i]);
}

/* Runs one SM cycle in which request r, if not NULL, is offered and, if `more` is not NULL, another
 * one. Returns the number of accepted requests. */
static inline unsigned tick_l1d_twice(struct l1d *l1, const struct request *r,
                                      const struct request *more, uint64_t cycle) {
    unsigned accepted = l1d_tick(l1, r, cycle);
    take_done(l1);
    if (more) {
        accepted += l1d_tick_more(l1, more, NULL, cycle);
        take_done(l1);
    }
    if (l1->cache.banks > 1) {
        l1d_tick_end(l1, r, cycle);
        take_done(l1);
    }
    return accepted;
}

/* Runs one SM cycle in which request r, if not NULL, is offered. Returns true if r was accepted. */
static inline bool tick_l1d(struct l1d *l1, const struct request *r, uint64_t cycle) {
    return tick_l1d_twice(l1, r, NULL, cycle);
}

#endif
