/* SPDX-License-Identifier: Apache-2.0 */
/* cart: the Cache Access Reordering Tree (Gu, PhD dissertation, Oregon State University, section
 * 2.4). Ports and cycles: docs/understand/cart.md. RTL: rtl/cart/. */
#ifndef MEMTWIN_CART_CART_H
#define MEMTWIN_CART_CART_H

#include "incoming/incoming_ports.h"

enum cart_param {
    CART_BANKS = INCOMING_N_COMMON, /* DRAM banks: branches */
    CART_BANK_MASK,                 /* bits of the line number that are the bank */
    CART_COL_MASK,                  /* bits that are the column; the others are the row */
    CART_ROWS,                      /* row groups in a branch */
    CART_COLS,                      /* leaf queues in a row group */
    CART_POLICY,                    /* enum cart_policy */
    CART_AGE_LIMIT,                 /* drains that may pass a branch's oldest request; 0: any */
    CART_FILL,                      /* enum cart_fill_scope */
    CART_COL_DROP,                  /* lowest bits of the column that no queue is chosen by */
    CART_HOLD,
    CART_N_PARAMS
};

enum cart_policy { CART_ROTATING, CART_LONGEST_FIRST, CART_ROUND_ROBIN };

/* Where a request finds an empty queue: in the group of its row, or in its whole branch. */
enum cart_fill_scope { CART_FILL_GROUP, CART_FILL_BRANCH };

extern const struct block_type cart_type;

#endif
