/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the files of the SM share. sm.c calls issue.c and memory.c, issue.c calls memory.c
 * and fetch.c, and all of them call ctas.c. */
#ifndef MEMTWIN_SM_INSIDE_H
#define MEMTWIN_SM_INSIDE_H

#include "sm/sm.h"

static inline uint64_t sm_sooner(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Wakes the schedulers after a change of anything that decides which warps issue: a set of warps,
 * room for an instruction, a buffer, a quota or a limit. In test builds, a change without this call
 * ends the run (check_waits in issue.c). */
static inline void sm_wake_issue(struct sm *sm) {
    sm->next_issue = 0;
}

/* ---- ctas.c ---- */

/* Puts the next instruction of the warp into its buffer. */
void sm_refill(struct sm *sm, uint32_t w);
/* Clears the scoreboard for registers that have been written. */
void sm_release(struct sm *sm, uint32_t w, const struct reg_set *regs);
/* The warp has come to a barrier; the warp has exited. */
void sm_arrive(struct sm *sm, uint32_t w);
void sm_exit_warp(struct sm *sm, uint32_t w, uint64_t cycle);
/* A store access, or one of an atomic without a result, is done. */
void sm_store_done(struct sm *sm, const struct request *done);
/* sm_hold: the warp issues nothing until n more accesses or atomics are done. sm_atomic_done: one
 * of them is. */
void sm_hold(struct sm *sm, uint32_t w, uint32_t n);
void sm_atomic_done(struct sm *sm, uint32_t w);
/* Ends the warps whose exit latency (sm.exit_latency) has passed. */
void sm_end_warps(struct sm *sm, uint64_t cycle);
static inline uint64_t sm_next_end(const struct sm *sm) {
    return sm->exits.count ? sm->exits.at[sm->exits.head].cycle : UINT64_MAX;
}
/* Lets the scheduling policies update the warps that may issue. */
void sm_update_schedulers(struct sm *sm);

/* ---- memory.c ---- */

/* Whether nothing is left that could store to the L1D, so that its dirty lines may be written back.
 * An SM without a warp would have got a CTA if there were one left. */
static inline bool sm_drained(const struct sm *sm) {
    return !sm->live && !sm->path.parked && !sm->pipe.count && !sm->lsu.count;
}

/* Sends the warp's next instruction, a memory access, to the LSU, which must have room. */
void sm_access_memory(struct sm *sm, uint32_t w, uint64_t cycle);
/* Predicts the request that the L1D is offered after the current one is accepted. Returns false if
 * it cannot tell. A wrong prediction (lsu_behind) costs a lookup of the MSHR. */
bool sm_next_request(const void *source, struct request *next);
/* One cycle of the memory path: accepts responses and offers an access to the L1D. */
void sm_memory_tick(struct sm *sm, uint64_t cycle);
/* One cycle of the operand collectors, before sm_memory_tick. */
void sm_collect_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_memory_next_event(const struct sm *sm, uint64_t cycle);
void sm_memory_advance(struct sm *sm, uint64_t cycles);

/* ---- fetch.c ---- */

/* Fetches instructions, after the issue of the cycle. */
void sm_fetch_tick(struct sm *sm);
/* Whether the cycle, after its issue, has an instruction to fetch or decode. */
static inline bool sm_fetches(const struct sm *sm) {
    return sm->fetch.width &&
           (sm->fetch.hungry || sm->fetch.decoding != FETCH_NONE || sm->icache.come.count);
}

/* ---- issue.c ---- */

/* Issues at most one instruction per scheduler. */
void sm_issue_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_issue_next_event(const struct sm *sm, uint64_t cycle);
void sm_issue_advance(struct sm *sm, uint64_t cycles);
/* The reason why warp slot w does not issue, one word for the dump. */
const char *sm_why(const struct sm *sm, uint32_t w);

#endif
