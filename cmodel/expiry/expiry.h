/* SPDX-License-Identifier: Apache-2.0 */
/* expiry: the coalescing table of true-usage eviction (Gu, PhD dissertation, Oregon State
 * University 2023, section 4.3.2.2). Ports and cycles: docs/understand/expiry.md.
 * RTL: rtl/expiry/. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_H
#define MEMTWIN_EXPIRY_EXPIRY_H

#include "block/block.h"

enum expiry_param {
    EXPIRY_ENTRIES, /* number of entries; each holds one block of pages */
    EXPIRY_BLOCK_W, /* number of bits in a block number */
    EXPIRY_PAGES,   /* number of pages in a block, a power of two */
    EXPIRY_TAKE,    /* maximum number of entries output per `take` */
    EXPIRY_N_PARAMS
};

/* Reason for an output. */
enum expiry_why {
    EXPIRY_FULL,     /* least recently updated entry; evicted for a new block */
    EXPIRY_TAKEN,    /* least recently updated entry; removed for `take` */
    EXPIRY_RECALLED, /* entry whose block was recalled */
    EXPIRY_NOTHING   /* the recalled block has no entry, or the table is empty at a `take` */
};

/* Number of cycles from the acceptance of an operation to its output or, if it has no output, to
 * the first cycle in which the next operation can be accepted. */
#define EXPIRY_OP_CYCLES 4
/* Number of cycles from the acceptance of an output of a take to the take's next output. */
#define EXPIRY_NEXT_CYCLES 3

extern const struct block_type expiry_type;

/* Returns 0 if an operation is in progress or waits. Otherwise returns UINT64_MAX, because a tick
 * without a valid input then changes nothing. */
uint64_t expiry_next_event(const void *model);

#endif
