// SPDX-License-Identifier: Apache-2.0
/* Vectors for tests/rtl/set_index.v: "line set" in hexadecimal, by addr_set. set_index FUNCTION
 * SETS ADDR_W: low lines, for bmod, bxor and fermi all values of the bits that they can look at;
 * each line bit, and its neighbours; multiples of the prime, and those less one; random lines of
 * all ADDR_W bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache/set_index.h"

#define RANDOM_LINES 200
#define LOW_LINES 600

static enum set_index function;
static uint32_t sets;
static uint64_t mask;

static void put(uint64_t line) {
    line &= mask;
    printf("%" PRIx64 " %" PRIx32 "\n", line, addr_set(function, line, sets));
}

/* Of xorshift64*. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* bxor looks at bits up to 6 + log2(sets), fermi at bits up to 12. */
static void put_low_lines(void) {
    uint64_t seen = UINT64_C(128) * sets < 8192 ? 8192 : UINT64_C(128) * sets;
    if (function > SET_FERMI)
        seen = LOW_LINES;
    for (uint64_t line = 0; line < seen && line <= mask; line++)
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
        uint64_t line = next_random(&state) & mask;
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
