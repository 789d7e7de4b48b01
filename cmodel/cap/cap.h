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

/* What a prefetch's size depends on besides the memory that is free. */
struct cap_rule {
    uint64_t c_num, c_den; /* CAP_C_NUM, CAP_C_DEN */
    unsigned over;         /* CAP_OVER */
};

/* log2 of the blocks of a prefetch, 0..4. avail: pages; req, agg: blocks of the group and of all
 * groups; full: memory is oversubscribed. */
unsigned cap_size(const struct cap_rule *rule, uint64_t avail, uint64_t req, uint64_t agg,
                  bool full);

#endif
