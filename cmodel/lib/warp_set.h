/* SPDX-License-Identifier: Apache-2.0 */
/* Set of an SM's warp slots, with one bit per slot. */
#ifndef MEMTWIN_LIB_WARP_SET_H
#define MEMTWIN_LIB_WARP_SET_H

#include <stdint.h>

#define WARP_SLOTS 128

typedef unsigned __int128 warp_set;

static inline warp_set warp_bit(uint32_t w) {
    return (warp_set)1 << w;
}

/* Returns the lowest slot of a non-empty set. */
static inline uint32_t warp_first(warp_set s) {
    uint64_t low = (uint64_t)s;
    return low ? (uint32_t)__builtin_ctzll(low)
               : 64 + (uint32_t)__builtin_ctzll((uint64_t)(s >> 64));
}

static inline uint32_t warp_count(warp_set s) {
    return (uint32_t)(__builtin_popcountll((uint64_t)s) +
                      __builtin_popcountll((uint64_t)(s >> 64)));
}

/* Returns the set of all slots below w. */
static inline warp_set warp_below(uint32_t w) {
    return w < WARP_SLOTS ? warp_bit(w) - 1 : ~(warp_set)0;
}

#endif
