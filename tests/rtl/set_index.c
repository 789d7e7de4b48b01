// SPDX-License-Identifier: Apache-2.0
/* Generates vectors for tests/rtl/set_index.v: "line set" in hexadecimal, from addr_set. Usage:
 * set_index FUNCTION SETS ADDR_W. The vectors contain low lines; each line bit and its neighbors;
 * multiples of the prime, and those minus one; and random lines of all ADDR_W bits. For bmod,
 * bxor, fermi, xor and d_prime, the low lines include all values of the relevant bits, but for xor
 * and d_prime only the first 65536 if there are more than 256 sets. */
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

/* Returns the number of values of the bits that the function uses, at most SEEN_AT_MOST. bxor uses
 * bits up to 6 + log2(sets), fermi bits up to 12, and xor and d_prime bits below 2 log2(sets). The
 * other functions use all bits. */
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
