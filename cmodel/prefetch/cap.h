/* SPDX-License-Identifier: Apache-2.0 */
/* Capacity-aware prefetching (Gu, PhD dissertation, Oregon State University 2023, section 4.3):
 * what the prefetcher asks of its hardware, the block `cap` (docs/understand/cap.md). It decides by
 * the block's own rule in the cycle of the service; whoever steps the block (gmmu/gmmu_cap.h) shows
 * it the same questions and compares the answers. */
#ifndef MEMTWIN_PREFETCH_CAP_H
#define MEMTWIN_PREFETCH_CAP_H

#include "cap/cap.h"
#include "prefetch/prefetch.h"

#define CAP_AVAIL_BITS 22 /* of a number of pages; more that are free count as the most */

/* cap.range */
enum { CAP_RANGE_ALIGNED, CAP_RANGE_AHEAD };

/* A question, and what the prefetcher made of it. */
struct cap_ask {
    uint32_t group, avail; /* number of the allocation; pages that are free and not spoken for */
    bool full;             /* memory is oversubscribed */
    uint8_t size;          /* log2 of the blocks */
};

extern const struct prefetcher prefetcher_cap;

/* Mreq: the whole blocks of 64 KiB that were asked for, one at least. */
uint32_t cap_requested(const struct page_alloc *a);
/* Magg: those of all allocations. */
uint32_t cap_aggregate(const struct pages *pages);

/* The rule that the keys of section `cap` describe. */
struct cap_rule cap_rule_of(const struct config *cfg);

/* Takes the oldest question that the block has not been shown, of a policy of prefetcher `cap`.
 * False: there is none. */
bool cap_take_ask(void *policy, struct cap_ask *ask);

#endif
