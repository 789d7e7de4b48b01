/* SPDX-License-Identifier: Apache-2.0 */
/* Generates random numbers that are the same in every run and on every machine (splitmix64). */
#ifndef MEMTWIN_LIB_RANDOM_H
#define MEMTWIN_LIB_RANDOM_H

#include <stdint.h>

/* Returns the next random number. The initial `state` is the seed. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a random number below n. n must not be 0. */
static inline uint32_t random_below(uint64_t *state, uint32_t n) {
    return (uint32_t)((random_next(state) >> 32) * n >> 32);
}

#endif
