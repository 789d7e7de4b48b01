/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the interface between the capacity-aware prefetcher (Gu, PhD dissertation, Oregon
 * State University 2023, section 4.3) and its hardware, the block `cap`
 * (docs/understand/cap.md). */
#ifndef MEMTWIN_PREFETCH_CAP_H
#define MEMTWIN_PREFETCH_CAP_H

#include "cap/cap.h"
#include "prefetch/prefetch.h"
#include "config/values.def"

#define CAP_AVAIL_BITS 22 /* width in bits of the number of free pages, which saturates */

/* Values of cap.range. */
enum { CAP_RANGE_VALUES(VALUE_ENUMERATOR) };

/* Factor c in percent, which keeps a prefetch below the group's share of free memory (Gu 2023,
 * chapter 4). */
#define CAP_C_PERCENT 110

/* Query to the block `cap`. */
struct cap_ask {
    uint32_t group, avail; /* group: index of the allocation; avail: number of free pages that are
                              not reserved */
    bool full;             /* true if GPU memory is full */
};

/* Port of the block `cap` (gmmu/gmmu_cap.c). answer() returns log2 of the number of 64 KiB blocks
 * to move. A result that differs from Gu's formula ends the run. */
struct cap_port {
    void *ctx;
    unsigned (*answer)(void *ctx, const struct cap_ask *ask);
};

/* Returns Mreq, which is the number of whole 64 KiB blocks in the allocation, but at least one. */
uint32_t cap_requested(const struct page_alloc *a);
/* Returns Magg, which is the sum of Mreq over all allocations. */
uint32_t cap_aggregate(const struct pages *pages);

#endif
