/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of shared memory. */
#ifndef MEMTWIN_TRACE_BANKS_H
#define MEMTWIN_TRACE_BANKS_H

#include <stdint.h>

/* Passes that one access takes, 1 to 32: 32 banks of 4 B; lanes that touch the same word share it;
 * 8 B go by half-warps and 16 B by quarter-warps, each of which takes as many passes as its fullest
 * bank has words. addr: of the active lanes, in lane order, multiples of
 * size; size 1, 2, 4, 8 or 16. mask not 0. */
uint32_t banks_passes(uint32_t mask, const uint64_t *addr, uint32_t size);

#endif
