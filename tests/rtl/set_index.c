// SPDX-License-Identifier: Apache-2.0
/* Vectors for tests/rtl/set_index.v: "line set" in hexadecimal, by addr_set. set_index FUNCTION
 * SETS ADDR_W: low lines, for bmod, bxor, fermi, xor and d_prime all values of the bits that they
 * can look at, with more than 256 sets for the last two the first 65536;
 * each line bit, and its neighbours; multiples of the prime, and those less one; random lines of
 * all ADDR_W bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache/set_index.h"
#include "lib/random.h"

#define RANDOM_LINES 200
#define LOW_LINES 600
#define SEEN_AT_MOST 65536

static enum set_index function;
static uint32_t sets;
static uint64_t mask;

static void put(uint64_t line) {
    line &= mask;
    printf("%" PRIx64 " %" PRIx32 "\n", line, addr_set(function, line, sets));
}

/* Number of values of the bits that the function uses. bxor uses bits up to 6 + log2(sets), fermi
 * bits up to 12, xor and d_prime bits below 2 log2(sets), but SEEN_AT_MOST values at most. The
 * others use all bits. */
static uint64_t seen(void) {
    const uint64_t sets_64 = sets, squared = sets_64 * sets_64;
    if (function <= SET_FERMI)
        return 128 * sets_64 < 8192 ? 8192 : 128 * sets_64;
    if (function == SET_XOR || function == SET_D_PRIME)
        return squared < SEEN_AT_MOST ? squared : SEEN_AT_MOST;
    return LOW_LINES;
}

static void put_low_lines(void) {
    const uint64_t end = seen();
    for (uint64_t line = 0; line < end && line <= mask; line++)
        put(line);
}

static void put_edges(void) {
    for (unsigned i = 0; i < 48; i++)
        for (uint64_t by = 0; by < 3; by++)
            put((UINT64_C(1) << i) + by - 1);
}

static void put_random(void) {
    const bool divides = function == SET_PMOD || function == SET_A_PRIME;
    const uint64_t prime = divides ? set_index_prime(function, sets) : 1;
    uint64_t state = sets + 1;
    for (int i = 0; i < RANDOM_LINES; i++) {
        uint64_t line = random_next(&state) & mask;
        put(line);
        put(line / prime * prime);
        put(line / prime * prime + prime - 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 1;
    function = (enum set_index)atoi(argv[1]);
    sets = (uint32_t)atoi(argv[2]);
    mask = (UINT64_C(1) << atoi(argv[3])) - 1;
    put_low_lines();
    put_edges();
    put_random();
    return 0;
}
