/* SPDX-License-Identifier: Apache-2.0 */
/* Composes lines from a bank, a row and a column for the directed tests of cart. */
#ifndef MEMTWIN_TESTS_CART_LINES_H
#define MEMTWIN_TESTS_CART_LINES_H

#include "cart/cart.h"
#include "tests/incoming/bench.h"

/* The bank is in bits 0 and 1, the column in bits 2 to 4, and the row above them. */
#define MAP "ADDR_W=12", "BANKS=4", "BANK_MASK=3", "COL_MASK=28"
#define START(...) start(&cart_type, (const char *const[]){MAP, __VA_ARGS__, NULL})

static inline uint64_t line(unsigned bank, unsigned row, unsigned column) {
    return bank | column << 2 | row << 5;
}

#endif
