/* SPDX-License-Identifier: Apache-2.0 */
/* cap: the prefetch size of capacity-aware prefetching (Gu, PhD dissertation, Oregon State
 * University, chapter 4). Ports and cycles: docs/understand/cap.md. RTL: rtl/cap/. */
#ifndef MEMTWIN_CAP_CAP_H
#define MEMTWIN_CAP_CAP_H

#include "block/block.h"

enum cap_param {
    CAP_GROUPS,  /* page groups: allocations */
    CAP_AVAIL_W, /* bits of a number of pages */
    CAP_SIZE_W,  /* bits of a number of blocks of 64 KiB */
    CAP_C_NUM,   /* c = C_NUM / C_DEN */
    CAP_C_DEN,
    CAP_OVER, /* size while memory is oversubscribed */
    CAP_N_PARAMS
};

#define CAP_MAX_GROUPS 64
#define CAP_LATENCY 2 /* cycles from a question to its answer */

extern const struct block_type cap_type;

#endif
