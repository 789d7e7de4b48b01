/* SPDX-License-Identifier: Apache-2.0 */
/* The L1D's ways shared out among kernels that run at once, by utility (l1d.partition=ucp). After
 * Qureshi and Patt, "Utility-based cache partitioning", MICRO 2006; Dai compares with it in his
 * dissertation (NC State 2017, section 4.2).
 *
 * A monitor for each kernel has the tags that the kernel would have in one of eight sets if the
 * L1D were its own, in the order of their last use. It counts hits by the place in that order: the
 * hits that a kernel would have with n ways are those at its first n places. Every l1d.ucp_cycles
 * the ways are shared out again, and the counters are halved. A miss then takes its way from a
 * kernel that has more than its share. docs/understand/concurrent.md.
 */
#ifndef MEMTWIN_POLICY_UCP_H
#define MEMTWIN_POLICY_UCP_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/lines.h"
#include "kernel/kernel.h"

struct ucp {
    uint64_t *tag;     /* owned; per kernel, monitored set and place: a line, or LINE_NONE */
    uint64_t *hits;    /* owned; per kernel and place */
    uint8_t *owner;    /* owned; per way: the kernel whose miss has allocated its line */
    uint64_t interval; /* SM cycles from a decision to the next */
    uint64_t decides;  /* SM cycle of the next decision */
    uint32_t kernels;
    uint32_t ways, sets;             /* sets: monitored ones */
    uint32_t share[KERNELS_AT_ONCE]; /* ways */
};

/* 2..KERNELS_AT_ONCE kernels, no more than ways. */
void ucp_init(struct ucp *u, const struct lines *t, uint32_t kernels, uint64_t interval);
void ucp_free(struct ucp *u);

/* ---- lines ---- */

/* The way that a new line of the kernel may take: a free one, else the least recently used one of
 * kernels that have more ways in the set than their shares, else of its own. Never one with
 * something pending; WAY_NONE: there is no such way. */
uint32_t ucp_victim(const struct ucp *u, const struct lines *t, uint32_t set, uint32_t kernel);

/* The kernel's miss allocates the line of that way. */
static inline void ucp_own(struct ucp *u, uint32_t way, uint32_t kernel) {
    u->owner[way] = (uint8_t)kernel;
}

/* ---- monitors ---- */

/* The kernel uses the line, or (ucp_evict) makes the L1D drop it. */
void ucp_use(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line);
void ucp_evict(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line);
/* The L1D drops the lines from `first` up to `end`. */
void ucp_forget(struct ucp *u, uint64_t first, uint64_t end);

/* ---- decisions ---- */

/* Look-ahead assignment of the ways: `hits` has `ways` counters for each kernel. Each kernel gets
 * one way. The other ways go, n at a time, to the kernel that gains the most hits per way from its
 * next n ways, for the best n. Ties go to the least n, then to the kernel with the fewest ways,
 * then to the first. */
void ucp_share_out(const uint64_t *hits, uint32_t kernels, uint32_t ways,
                   uint32_t share[KERNELS_AT_ONCE]);
/* New shares by what the monitors have counted, in that SM cycle, which is due. */
void ucp_decide(struct ucp *u, uint64_t cycle);

#endif
