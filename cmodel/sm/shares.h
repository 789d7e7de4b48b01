/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics told apart by kernel, if several run at once: what an SM counts while it does
 * something for a kernel is that kernel's. Instructions, memory instructions, CTAs, and what the
 * L1D makes of accesses; over all kernels they sum up to the SM's. */
#ifndef MEMTWIN_SM_SHARES_H
#define MEMTWIN_SM_SHARES_H

#include "sm/sm.h"

/* l1d_tick and l1d_advance, and what they mean for the kernel: what is counted, what its limiter is
 * told. */
bool shares_tick(struct sm *sm, const struct l1d_access *access, uint64_t cycle);
void shares_advance(struct sm *sm, const struct l1d_access *access, uint64_t cycles);

/* New shares of the L1D's ways in that cycle, if they are due (l1d.partition). Before its tick. */
void shares_decide(struct sm *sm, uint64_t cycle);
static inline void shares_of_ways(struct sm *sm, uint64_t cycle) {
    if (sm->l1d.ucp.decides <= cycle)
        shares_decide(sm, cycle);
}

/* An instruction of so many lanes has issued; one that accesses memory has gone to the LSU. */
static inline void shares_issue(struct stats *part, uint32_t lanes) {
    stat_add(part, STAT_warp_insts, 1);
    stat_add(part, STAT_thread_insts, lanes);
}
void shares_memory(struct stats *part, const struct warp_inst *inst);

#endif
