/* SPDX-License-Identifier: Apache-2.0 */
/* Runs cycles of an L1D without its SM. */
#ifndef MEMTWIN_TESTS_L1D_TICK_H
#define MEMTWIN_TESTS_L1D_TICK_H

#include "l1d/l1d.h"

/* Runs one SM cycle in which request r, if not NULL, is offered, and returns completed requests to
 * the pool, as the SM does. Returns true if r was accepted. */
static inline bool tick_l1d(struct l1d *l1, const struct request *r, uint64_t cycle) {
    const bool accepted = l1d_tick(l1, r, cycle);
    for (uint32_t i = 0; i < l1->n_done; i++)
        request_give(&l1->cache.context->pool, l1->done[i]);
    return accepted;
}

#endif
