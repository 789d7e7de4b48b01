/* SPDX-License-Identifier: Apache-2.0 */
/* cap: computes the prefetch size of capacity-aware prefetching (Gu, PhD dissertation, Oregon State
 * University, chapter 4). Ports and cycles: docs/understand/cap.md. RTL: rtl/cap/. */
#ifndef MEMTWIN_CAP_CAP_H
#define MEMTWIN_CAP_CAP_H

#include "block/block.h"

enum cap_param {
    CAP_GROUPS,  /* number of page groups (allocations) */
    CAP_AVAIL_W, /* number of bits in a page count */
    CAP_SIZE_W,  /* number of bits in a count of 64 KiB blocks */
    CAP_C_NUM,   /* numerator of c = C_NUM / C_DEN */
    CAP_C_DEN,
    CAP_OVER, /* log2 of the number of blocks per prefetch while memory is oversubscribed */
    CAP_N_PARAMS
};

#define CAP_MAX_GROUPS 64
#define CAP_LATENCY 2 /* cycles from a query to its response */

extern const struct block_type cap_type;

#endif
