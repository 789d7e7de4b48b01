/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of shared memory. */
#ifndef MEMTWIN_TRACE_BANKS_H
#define MEMTWIN_TRACE_BANKS_H

#include <stdint.h>

/* Passes of one access, 1 to 32. There are 32 banks of 4 B, and lanes that access the same word
 * share it. Accesses of 8 B are split into half-warps and those of 16 B into quarter-warps; each
 * takes as many passes as its fullest bank has words. addr: addresses of the active lanes, in lane
 * order, multiples of size; size: 1, 2, 4, 8 or 16; mask: not 0. */
uint32_t banks_passes(uint32_t mask, const uint64_t *addr, uint32_t size);

#endif
