/* SPDX-License-Identifier: Apache-2.0 */
/* Capacity-aware prefetching (Gu, PhD dissertation, Oregon State University 2023, section 4.3):
 * what the prefetcher asks of its hardware, the block `cap` (docs/understand/cap.md). */
#ifndef MEMTWIN_PREFETCH_CAP_H
#define MEMTWIN_PREFETCH_CAP_H

#include "cap/cap.h"
#include "prefetch/prefetch.h"

#define CAP_AVAIL_BITS 22 /* of a number of pages; more that are free count as the most */

/* cap.range */
enum { CAP_RANGE_ALIGNED, CAP_RANGE_AHEAD };

/* A question. */
struct cap_ask {
    uint32_t group, avail; /* number of the allocation; pages that are free and not spoken for */
    bool full;             /* memory is oversubscribed */
};

/* The port of the block (gmmu/gmmu_cap.c): it answers with log2 of the blocks. The prefetcher takes
 * the answer; one that is not what Gu's formula gives ends the run. */
struct cap_port {
    void *ctx;
    unsigned (*answer)(void *ctx, const struct cap_ask *ask);
};

/* Mreq: the whole blocks of 64 KiB that were asked for, one at least. */
uint32_t cap_requested(const struct page_alloc *a);
/* Magg: those of all allocations. */
uint32_t cap_aggregate(const struct pages *pages);

#endif
