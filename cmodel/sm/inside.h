/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the SM share. sm.c calls issue.c and memory.c, issue.c calls memory.c and
 * fetch.c, and all of them ctas.c. */
#ifndef MEMTWIN_SM_INSIDE_H
#define MEMTWIN_SM_INSIDE_H

#include "sm/sm.h"

static inline uint64_t sm_sooner(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Something that decides who issues has changed: a set of warps, room for an instruction, a buffer,
 * a quota or a limit. The schedulers look again. In builds for tests, a change without this call
 * ends the run (check_waits in issue.c). */
static inline void sm_wake_issue(struct sm *sm) {
    sm->next_issue = 0;
}

/* ---- ctas.c ---- */

/* The next instruction of the warp comes into its buffer. */
void sm_refill(struct sm *sm, uint32_t w);
/* The registers have their values. */
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
/* Ends the warps whose time has come (sm.exit_latency). */
void sm_end_warps(struct sm *sm, uint64_t cycle);
static inline uint64_t sm_next_end(const struct sm *sm) {
    return sm->exits.count ? sm->exits.at[sm->exits.head].cycle : UINT64_MAX;
}
/* Lets the scheduling policies update the warps that may issue. */
void sm_update_schedulers(struct sm *sm);

/* ---- memory.c ---- */

/* Nothing is left that could store to the L1D: its dirty lines may go out. An SM without a warp
 * would have got a CTA if there were one left. */
static inline bool sm_drained(const struct sm *sm) {
    return !sm->live && !sm->path.parked && !sm->pipe.count && !sm->lsu.count;
}

/* The next instruction of the warp, a memory access, goes to the LSU, which has room for it. */
void sm_access_memory(struct sm *sm, uint32_t w, uint64_t cycle);
/* Predicts the request that the L1D is offered after the current one is accepted. Returns false if
 * it cannot tell. A wrong prediction (lsu_behind) costs a lookup of the MSHR. */
bool sm_next_request(const void *source, struct request *next);
/* A response comes back, and the L1D is offered an access. */
void sm_memory_tick(struct sm *sm, uint64_t cycle);
/* Operand collectors, before these. */
void sm_collect_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_memory_next_event(const struct sm *sm, uint64_t cycle);
void sm_memory_advance(struct sm *sm, uint64_t cycles);

/* ---- fetch.c ---- */

/* The fetches of a cycle, after its issue. */
void sm_fetch_tick(struct sm *sm);
/* A cycle, after its issue, has something to fetch or to decode. */
static inline bool sm_fetches(const struct sm *sm) {
    return sm->fetch.width &&
           (sm->fetch.hungry || sm->fetch.decoding != FETCH_NONE || sm->icache.come.count);
}

/* ---- issue.c ---- */

/* Each scheduler issues at most one instruction. */
void sm_issue_tick(struct sm *sm, uint64_t cycle);
uint64_t sm_issue_next_event(const struct sm *sm, uint64_t cycle);
void sm_issue_advance(struct sm *sm, uint64_t cycles);
/* Why warp slot w does not issue: one word for the dump. */
const char *sm_why(const struct sm *sm, uint32_t w);

#endif
