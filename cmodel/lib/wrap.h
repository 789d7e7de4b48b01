/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a ring: a FIFO in an array of n slots, in which slot 0 follows the last. */
#ifndef MEMTWIN_LIB_WRAP_H
#define MEMTWIN_LIB_WRAP_H

#include <stdint.h>

/* The slot `at`, counted on past the last one: below 2 n. */
static inline uint32_t wrap(uint32_t at, uint32_t n) {
    return at >= n ? at - n : at;
}

#endif
