/* SPDX-License-Identifier: Apache-2.0 */
/* cart: the Cache Access Reordering Tree (Gu, PhD dissertation, Oregon State University, section
 * 2.4). Ports and cycles: docs/understand/cart.md. RTL: rtl/cart/. */
#ifndef MEMTWIN_CART_CART_H
#define MEMTWIN_CART_CART_H

#include "incoming/incoming_ports.h"
#include "config/values.def"

enum cart_param {
    CART_BANKS = INCOMING_N_COMMON, /* number of DRAM banks; each has a branch */
    CART_BANK_MASK,                 /* mask of the line-number bits that form the bank number */
    CART_COL_MASK,  /* mask of the line-number bits that form the column; the remaining bits form
                       the row */
    CART_ROWS,      /* number of row groups per branch */
    CART_COLS,      /* number of leaf queues per row group */
    CART_POLICY,    /* enum cart_policy */
    CART_AGE_LIMIT, /* maximum number of drains that overtake a branch's oldest request; 0 for no
                       limit */
    CART_FILL,      /* enum cart_fill_scope */
    CART_COL_DROP,  /* number of low column bits that do not affect the choice of a queue */
    CART_HOLD,
    CART_N_PARAMS
};

enum cart_policy { L2_CART_POLICY_VALUES(VALUE_ENUMERATOR) };

/* Scope of the search for an empty queue: the row group, or the whole branch. */
enum cart_fill_scope { L2_CART_FILL_VALUES(VALUE_ENUMERATOR) };

extern const struct block_type cart_type;

#endif
