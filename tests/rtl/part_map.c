// SPDX-License-Identifier: Apache-2.0
/* Generates vectors for tests/rtl/part_map.v: "line partition rest" in hexadecimal, from
 * addr_partition and addr_rest. Usage: part_map MAP PARTITIONS INTERLEAVE ADDR_W. The vectors
 * contain low lines; each line bit and its neighbors; the first and the last chunk of each
 * residue; and random lines of all ADDR_W bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache/addr_map.h"
#include "lib/random.h"

#define RANDOM_LINES 64
#define LOW_LINES 256

static struct addr_map map;
static uint64_t mask;

static void put(uint64_t line) {
    line &= mask;
    printf("%" PRIx64 " %" PRIx32 " %" PRIx64 "\n", line, addr_partition(&map, line),
           addr_rest(&map, line));
}

static void put_edges(void) {
    for (unsigned i = 0; i < 48; i++)
        for (uint64_t by = 0; by < 3; by++)
            put((UINT64_C(1) << i) + by - 1);
}

static void put_random(void) {
    const uint64_t period = (uint64_t)map.interleave * (map.prime ? map.prime : map.partitions);
    uint64_t state = map.partitions + 1;
    for (int i = 0; i < RANDOM_LINES; i++) {
        uint64_t line = random_next(&state) & mask;
        put(line);
        put(line / period * period);
        put(line / period * period + period - 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 1;
    const enum partition_map f = (enum partition_map)atoi(argv[1]);
    const uint32_t partitions = (uint32_t)atoi(argv[2]), bits = (uint32_t)atoi(argv[3]);
    if (addr_map_needs(f, partitions))
        return 1;
    map = (struct addr_map){
        .partitions = partitions,
        .interleave = UINT32_C(1) << bits,
        .map = f,
        .prime = addr_map_prime(f, partitions),
        .xor_shift = 7 + bits,
    };
    mask = (UINT64_C(1) << atoi(argv[4])) - 1;
    for (uint64_t line = 0; line < LOW_LINES && line <= mask; line++)
        put(line);
    put_edges();
    put_random();
    return 0;
}
