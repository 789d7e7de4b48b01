/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions the L1D's ways among concurrent kernels by utility (l1d.partition=ucp). Based on
 * Qureshi and Patt, "Utility-based cache partitioning", MICRO 2006. Dai's dissertation (NC State
 * 2017, section 4.2) uses it for comparison.
 *
 * For every eighth set, each kernel has a monitor with the tags that the kernel would have in
 * the set if it had the L1D to itself, in LRU order. The monitor counts hits by LRU position:
 * with n ways, a kernel would have the hits at its first n positions. Every l1d.ucp_cycles
 * cycles, the ways are reassigned and the counters are halved. After that, a miss takes its way
 * from a kernel that exceeds its share. See docs/understand/concurrent.md. */
#ifndef MEMTWIN_POLICY_UCP_H
#define MEMTWIN_POLICY_UCP_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/lines.h"
#include "kernel/kernel.h"

struct ucp {
    uint64_t *tag;  /* owned; line or LINE_NONE for each kernel, monitored set and LRU position */
    uint64_t *hits; /* owned; number of hits for each kernel and LRU position */
    uint8_t *owner; /* owned; for each way, the kernel that allocated its line */
    uint64_t interval; /* number of SM cycles between decisions */
    uint64_t decides;  /* SM cycle of the next decision */
    uint32_t kernels;
    uint32_t ways, sets;               /* ways: ways per set; sets: number of monitored sets */
    uint32_t share[WORKLOADS_AT_ONCE]; /* number of ways per set for each kernel */
};

/* Initializes the monitors and equal shares for 2 to WORKLOADS_AT_ONCE kernels. `t` must have at
 * least one way per kernel in each set. */
void ucp_init(struct ucp *u, const struct lines *t, uint32_t kernels, uint64_t interval);
void ucp_free(struct ucp *u);

/* ---- lines ---- */

/* Returns the victim for a new line of the kernel. This is a free way, or else the least
 * recently used way of the kernels that exceed their shares in the set, or else the kernel's own
 * least recently used way. A way with pending sectors is never the victim. Returns WAY_NONE if
 * there is no victim. */
uint32_t ucp_victim(const struct ucp *u, const struct lines *t, uint32_t set, uint32_t kernel);

/* Records that a miss of the kernel allocates a line in the way. */
static inline void ucp_own(struct ucp *u, uint32_t way, uint32_t kernel) {
    u->owner[way] = (uint8_t)kernel;
}

/* ---- monitors ---- */

/* ucp_use records that the kernel uses the line. ucp_evict records that an access of the kernel
 * evicts the line from the L1D. */
void ucp_use(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line);
void ucp_evict(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line);
/* Removes lines `first` to `end` - 1, which the L1D drops, from the monitors. */
void ucp_forget(struct ucp *u, uint64_t first, uint64_t end);

/* ---- decisions ---- */

/* Assigns the ways with the lookahead algorithm of Qureshi and Patt. `hits` has `ways` counters for
 * each kernel. Each kernel first gets one way. After that, each step finds the kernel and the
 * number n for which the kernel's next n ways gain the most hits per way, and gives these n ways to
 * the kernel. Ties go to the smallest n, then to the kernel with the fewest ways, then to the first
 * kernel. */
void ucp_share_out(const uint64_t *hits, uint32_t kernels, uint32_t ways,
                   uint32_t share[WORKLOADS_AT_ONCE]);
/* Computes new shares from the monitors, in an SM cycle in which a decision is due. */
void ucp_decide(struct ucp *u, uint64_t cycle);

#endif
