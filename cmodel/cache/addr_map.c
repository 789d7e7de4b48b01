// SPDX-License-Identifier: Apache-2.0
#include "cache/addr_map.h"

#include <stddef.h>

#include "lib/bits.h"
#include "lib/line.h"

static bool is_prime(uint32_t n) {
    for (uint32_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n >= 2;
}

uint32_t addr_map_prime(enum partition_map map, uint32_t partitions) {
    uint32_t n = partitions;
    if (map == PARTITION_A_PRIME)
        return bits_power_of_two(n) && is_prime(2 * n - 1) ? 2 * n - 1 : 0;
    if (map != PARTITION_PRIME)
        return 0;
    while (n > 1 && !is_prime(n))
        n--;
    return n > 1 ? n : 0;
}

const char *addr_map_needs(enum partition_map map, uint32_t partitions) {
    switch (map) {
    case PARTITION_XOR:
    case PARTITION_XOR_NEXT:
    case PARTITION_D_PRIME:
        return bits_power_of_two(partitions) ? NULL : "a power-of-two number of partitions";
    case PARTITION_PRIME:
        return addr_map_prime(map, partitions) ? NULL : "at least two partitions";
    case PARTITION_A_PRIME:
        return addr_map_prime(map, partitions)
                   ? NULL
                   : "a power of two m of partitions with a prime 2m - 1 (2, 4, 16, 64)";
    case PARTITION_IPOLY_BANKS:
        return partitions >= 8 ? NULL : "at least 8 partitions";
    case PARTITION_IPOLY:
        return partitions >= 8 && partitions <= 64 && bits_power_of_two(partitions)
                   ? NULL
                   : "8, 16, 32 or 64 partitions";
    default:
        return NULL;
    }
}

struct addr_map addr_map_fixed(enum partition_map map, uint32_t partitions, uint32_t interleave) {
    uint32_t chunk_bits = LINE_BITS;
    while (UINT32_C(1) << (chunk_bits - LINE_BITS) < interleave)
        chunk_bits++;
    return (struct addr_map){
        .partitions = partitions,
        .banks = 1,
        .interleave = interleave,
        .map = map,
        .prime = addr_map_prime(map, partitions),
        .xor_shift = chunk_bits,
    };
}

/* Returns how many bits above the bank GPGPU-Sim hashes: its tables for 16, 32 and 64 banks end
 * there. */
static uint32_t bits_of_hash(uint32_t banks) {
    return banks == 16 ? 13 : banks == 32 ? 15 : 19;
}

uint32_t addr_hashed_bank(const struct addr_map *m, uint64_t line) {
    const uint64_t chunk = line / m->interleave;
    const uint32_t bank = addr_bank_in(m, (uint32_t)(chunk % m->partitions), addr_rest(m, line));
    const uint32_t degree = (uint32_t)__builtin_ctz(m->hash_banks),
                   banks = m->partitions * m->banks;
    const uint64_t above = banks == m->hash_banks ? chunk >> degree : chunk / m->partitions;
    const uint64_t used = above & ((UINT64_C(1) << bits_of_hash(m->hash_banks)) - 1);
    const uint32_t hashed = bank ^ set_index_remainder(used << degree, m->hash_banks);
    return banks == m->hash_banks ? hashed : hashed % banks;
}

struct addr_map addr_map_of(const struct config *cfg) {
    struct addr_map m =
        addr_map_fixed((enum partition_map)cfg->l2_partition_map, (uint32_t)cfg->l2_partitions,
                       (uint32_t)cfg->l2_interleave_lines);
    m.banks = (uint32_t)cfg->l2_banks;
    m.bank_shift = (uint32_t)cfg->l2_bank_shift;
    while (cfg->l2_banks << (m.draw_shift + 1) <= cfg->l2_interleave_lines)
        m.draw_shift++;
    m.hash_banks = m.banks;
    while (m.hash_banks < m.banks * m.partitions)
        m.hash_banks *= 2;
    return m;
}
