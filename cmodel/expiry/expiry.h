/* SPDX-License-Identifier: Apache-2.0 */
/* expiry: the coalescing table of true-usage eviction (Gu, PhD dissertation, Oregon State
 * University 2023, section 4.3.2.2). Ports and cycles: docs/understand/expiry.md.
 * RTL: rtl/expiry/. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_H
#define MEMTWIN_EXPIRY_EXPIRY_H

#include "block/block.h"

enum expiry_param {
    EXPIRY_ENTRIES, /* entries, of one block of pages each */
    EXPIRY_BLOCK_W, /* bits of a block number */
    EXPIRY_PAGES,   /* pages of a block, a power of two */
    EXPIRY_TAKE,    /* most entries that leave for one `take` */
    EXPIRY_N_PARAMS
};

/* Why something stands at the output. */
enum expiry_why {
    EXPIRY_FULL,     /* least recently updated, and its place is needed for a new block */
    EXPIRY_TAKEN,    /* least recently updated, for `take` */
    EXPIRY_RECALLED, /* its block was recalled */
    EXPIRY_NOTHING   /* no entry: of the block recalled, or any for `take` */
};

/* Cycles from the one in which an operation is taken to the one in which the next can be, or in
 * which its output stands; from an output that leaves to the next output of the same operation. */
#define EXPIRY_OP_CYCLES 4
#define EXPIRY_NEXT_CYCLES 3

extern const struct block_type expiry_type;

/* 0: the next tick goes on with an operation. UINT64_MAX: without inputs it changes nothing. */
uint64_t expiry_next_event(const void *model);

#endif
