/* SPDX-License-Identifier: Apache-2.0 */
/* Counts bank conflicts of shared memory. */
#ifndef MEMTWIN_TRACE_BANKS_H
#define MEMTWIN_TRACE_BANKS_H

#include <stdint.h>

/* Returns the number of passes of one access, 1 to 32. There are 32 banks of 4 B, and lanes that
 * access the same word share it. An access of 8 B is split into half-warps and one of 16 B into
 * quarter-warps. Each part takes one pass for each different word in its fullest bank. `addr` has
 * the addresses of the active lanes in lane order. They must be multiples of `size`, which is 1, 2,
 * 4, 8 or 16. `mask` must not be 0. */
uint32_t banks_passes(uint32_t mask, const uint64_t *addr, uint32_t size);

#endif
