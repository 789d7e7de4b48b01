/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the coalescer by recomputing the accesses of an SM's memory instructions lane by lane.
 *
 * Every instruction that goes to the LSU is recorded with its lanes. Its accesses must enter the
 * L1D, or begin to wait for their translation, in instruction order. If there are prioritization
 * queues, the order holds only within each queue. Each line (or sector or segment, depending
 * on sm.coalesce) that the lanes touch is accessed once, with exactly the bytes that the lanes
 * access. For an atomic, the k-th access to a line has the bytes that at least k lanes update,
 * so that every lane is executed exactly once. If sm.coalesce=segment, the accesses of lanes 0
 * to 15 come first. If sm.model=gpgpusim, accesses come in the reverse order. Local addresses
 * are mapped independently of the coalescer. A load, or an atomic with a result, may complete
 * only after the replies to all its accesses. Any difference fails the check. */
#ifndef MEMTWIN_SM_LANES_H
#define MEMTWIN_SM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "config/config.h"
#include "sm/coalesce.h"
#include "kernel/kernel.h"

struct lanes;

/* Access that leaves the LSU or its prioritization queue. */
struct lanes_access {
    enum warp_op op; /* WARP_LOAD, WARP_STORE or WARP_ATOMIC */
    bool local;
    uint32_t id; /* load table entry, for a load or an atomic with a result */
    uint64_t line;
    struct byte_mask mask;
    uint32_t queue; /* prioritization queue; 0 if there are none */
};

/* Creates the check for an SM, sized for the instructions in its LSU and prioritization queues and
 * for sm.pending_loads load table entries. */
struct lanes *lanes_create(struct check *check, const struct config *cfg, unsigned sm);
void lanes_destroy(struct lanes *l);

/* Arranges local memory as coalescer_interleave() does. */
void lanes_interleave(struct lanes *l, unsigned sms, unsigned warps, unsigned ctas);
/* Records that a memory instruction goes to the LSU and that its accesses go to prioritization
 * queue `queue`. `slot` is its slot in local memory. */
void lanes_issue(struct lanes *l, const struct warp_inst *inst, unsigned slot, uint32_t queue);
/* Lets the newest instruction, a load with load table entry `id`, enter before older loads. */
void lanes_let_pass(struct lanes *l, uint32_t id, uint32_t queue);
/* Records that an access enters the L1D. */
void lanes_enter(struct lanes *l, const struct lanes_access *access);
/* lanes_park records that an access waits for its translation. lanes_unpark records that it
 * enters the L1D. Accesses to a line keep their order. */
void lanes_park(struct lanes *l, const struct lanes_access *access);
void lanes_unpark(struct lanes *l, const struct lanes_access *access);
/* Records the response to an access of load `id`. `offset` is the offset of the access's first
 * byte in the line. */
void lanes_answer(struct lanes *l, uint32_t id, uint64_t line, unsigned offset);
/* Checks that the load has received all its responses. Call it when the load's registers are
 * released. */
void lanes_complete(struct lanes *l, uint32_t id);
/* Checks that no access is left. Call it when the kernel has ended. */
void lanes_end(struct lanes *l);

#endif
