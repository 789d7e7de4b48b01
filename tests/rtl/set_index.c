// SPDX-License-Identifier: Apache-2.0
/* Vectors for tests/rtl/set_index.v: "line set" in hexadecimal, by addr_set. set_index FUNCTION
 * SETS ADDR_W: all values of the line bits that a function can look at, then random lines of all
 * ADDR_W bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache/addr_map.h"

#define RANDOM_LINES 4096

static void put(enum set_index f, uint64_t line, uint32_t sets) {
    printf("%" PRIx64 " %" PRIx32 "\n", line, addr_set(f, line, sets));
}

/* Of xorshift64*. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 1;
    enum set_index f = (enum set_index)atoi(argv[1]);
    uint32_t sets = (uint32_t)atoi(argv[2]);
    uint64_t mask = (UINT64_C(1) << atoi(argv[3])) - 1;
    /* bxor looks at bits up to 6 + log2(sets), fermi at bits up to 12. */
    uint64_t seen = UINT64_C(128) * sets < 8192 ? 8192 : UINT64_C(128) * sets;
    for (uint64_t line = 0; line < seen && line <= mask; line++)
        put(f, line, sets);
    uint64_t state = sets + 1;
    for (int i = 0; i < RANDOM_LINES; i++)
        put(f, next_random(&state) & mask, sets);
    return 0;
}
