/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the coalescer: recomputes the accesses of an SM's memory instructions lane by lane.
 *
 * Every instruction that goes to the LSU is entered with its lanes. Its accesses must then go to
 * the L1D, or wait for their translation, in the order of instructions (with prioritisation queues:
 * in the order of each queue). Each line (sector or segment, by sm.coalesce) that the lanes touch
 * is accessed once, with exactly their bytes. For an atomic, the k-th access of a line has the
 * bytes that at least k lanes update, so that every lane is done exactly once. With
 * sm.coalesce=segment the accesses of lanes 0 to 15 come first. Local addresses are mapped
 * independently here. A load, or an atomic with a result, may complete only after the replies to
 * all its accesses. A difference fails the check.
 */
#ifndef MEMTWIN_SM_LANES_H
#define MEMTWIN_SM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "config/config.h"
#include "sm/coalesce.h"
#include "kernel/kernel.h"

struct lanes;

/* An access that leaves the LSU or its prioritisation queue. */
struct lanes_access {
    enum warp_op op; /* WARP_LOAD, WARP_STORE or WARP_ATOMIC */
    bool local;
    uint32_t id; /* of a load, or of an atomic with a result */
    uint64_t line;
    struct byte_mask mask;
    uint32_t queue; /* prioritisation queue; 0 if there are none */
};

/* For that SM: as many instructions as its LSU and its prioritisation queues hold, sm.pending_loads
 * ids. */
struct lanes *lanes_create(struct check *check, const struct config *cfg, unsigned sm);
void lanes_destroy(struct lanes *l);

/* A memory instruction of that warp slot goes to the LSU, its accesses to that queue. */
void lanes_issue(struct lanes *l, const struct warp_inst *inst, unsigned warp, uint32_t queue);
/* An access enters the L1D. */
void lanes_enter(struct lanes *l, const struct lanes_access *access);
/* An access waits for its translation; later it enters the L1D. Accesses of a line keep their
 * order.
 */
void lanes_park(struct lanes *l, const struct lanes_access *access);
void lanes_unpark(struct lanes *l, const struct lanes_access *access);
/* An access of the load is answered; offset: of its first byte in the line. */
void lanes_answer(struct lanes *l, uint32_t id, uint64_t line, unsigned offset);
/* The load's registers are released. */
void lanes_complete(struct lanes *l, uint32_t id);
/* The kernel is over: nothing is left. */
void lanes_end(struct lanes *l);

#endif
