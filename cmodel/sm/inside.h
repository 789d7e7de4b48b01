/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the SM. sm.c calls issue.c and memory.c, issue.c calls
 * memory.c and fetch.c, and all of them call ctas.c. */
#ifndef MEMTWIN_SM_INSIDE_H
#define MEMTWIN_SM_INSIDE_H

#include "sm/sm.h"

static inline uint64_t sm_sooner(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Wakes the schedulers after a change to their inputs: a set of warps, room for an instruction, a
 * buffer, a quota or a limit. In builds with MEMTWIN_CHECKED, a change without this call ends the
 * run (check_waits in issue.c). */
static inline void sm_wake_issue(struct sm *sm) {
    sm->next_issue = 0;
}

/* ---- ctas.c ---- */

/* Puts the warp's next instruction into its buffer. */
void sm_refill(struct sm *sm, uint32_t w);
/* Removes registers from the scoreboard after they have been written. */
void sm_release(struct sm *sm, uint32_t w, const struct reg_set *regs);
/* sm_arrive handles a warp that has reached a barrier. sm_exit_warp handles a warp that has
 * exited. */
void sm_arrive(struct sm *sm, uint32_t w);
void sm_exit_warp(struct sm *sm, uint32_t w, uint64_t cycle);
/* Records that an access of a store, or of an atomic without a result, is done. */
void sm_store_done(struct sm *sm, const struct request *done);
/* sm_hold stops the warp from issuing until n more accesses, atomics or copies are done.
 * sm_hold_less records that one of them is done. sm_atomic_done does so for an atomic, which holds
 * its warp only with sm.model=gpgpusim. */
void sm_hold(struct sm *sm, uint32_t w, uint32_t n);
void sm_hold_less(struct sm *sm, uint32_t w);
void sm_atomic_done(struct sm *sm, uint32_t w);
/* Performs what an instruction of warp slot w that issues does with the warp's copies. */
void sm_issue_async(struct sm *sm, uint32_t w);
/* Records that a copy of warp slot w has arrived. */
void sm_copy_done(struct sm *sm, uint32_t w, uint32_t group);
/* Ends the warps that have completed their exit latency (sm.exit_latency). */
void sm_end_warps(struct sm *sm, uint64_t cycle);
static inline uint64_t sm_next_end(const struct sm *sm) {
    return sm->exits.count ? ring_first(&sm->exits)->cycle : UINT64_MAX;
}
/* Lets the scheduling policies update the sets of warps that may issue. */
void sm_update_schedulers(struct sm *sm);

/* ---- memory.c ---- */

/* True if nothing can store to the L1D any more, so that its dirty lines may be written back. No
 * CTA is left to dispatch, because an SM without a warp would have received it. */
static inline bool sm_drained(const struct sm *sm) {
    return !sm->live_warps && !sm->path.parked && !sm->pipe.count && !sm->lsu.order.count;
}

/* Sends the warp's next instruction, a memory access, to the LSU, which must have room. */
void sm_access_memory(struct sm *sm, uint32_t w, uint64_t cycle);
/* Predicts the request that is offered to the L1D after it accepts the current one. Returns false
 * if there is no prediction. A wrong prediction (lsu_behind) costs a lookup of the MSHR. */
bool sm_next_request(const void *source, struct request *next);
/* Accepts responses of the L1D. With sm.register_ports it precedes sm_collect_tick(), because the
 * registers that they write come before reads. */
void sm_take_responses(struct sm *sm, uint64_t cycle);
/* Runs one cycle of the memory path: accepts responses and offers an access to the L1D. */
void sm_memory_tick(struct sm *sm, uint64_t cycle);
/* Runs one cycle of the operand collectors, before sm_memory_tick(). */
void sm_collect_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_memory_next_event(const struct sm *sm, uint64_t cycle);
void sm_memory_advance(struct sm *sm, uint64_t cycles);

/* ---- fetch.c ---- */

/* Runs one cycle of fetch and decode, after the cycle's issue. */
void sm_fetch_tick(struct sm *sm);
/* True if there is an instruction to fetch or decode after the issue of this cycle. */
static inline bool sm_fetches(const struct sm *sm) {
    return sm->fetch.width &&
           (sm->fetch.hungry || sm->fetch.decoding != FETCH_NONE || sm->icache.ready_warps.count);
}

/* ---- issue.c ---- */

/* Issues at most one instruction per scheduler, or two if sm.dual_issue=yes. */
void sm_issue_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_issue_next_event(const struct sm *sm, uint64_t cycle);
void sm_issue_advance(struct sm *sm, uint64_t cycles);
/* Returns the reason why warp slot w does not issue, as one word for the dump. */
const char *sm_why(const struct sm *sm, uint32_t w);

#endif
