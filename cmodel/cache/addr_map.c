// SPDX-License-Identifier: Apache-2.0
#include "cache/addr_map.h"

#include "lib/bits.h"

#define LINE_BITS 7

struct addr_map addr_map_of(const struct config *cfg) {
    uint32_t chunk_bits = LINE_BITS;
    while (INT64_C(1) << (chunk_bits - LINE_BITS) < cfg->l2_interleave_lines)
        chunk_bits++;
    uint32_t draw_shift = 0;
    while (cfg->l2_subs << (draw_shift + 1) <= cfg->l2_interleave_lines)
        draw_shift++;
    return (struct addr_map){
        .partitions = (uint32_t)cfg->l2_partitions,
        .subs = (uint32_t)cfg->l2_subs,
        .interleave = (uint32_t)cfg->l2_interleave_lines,
        .sub_shift = (uint32_t)cfg->l2_sub_shift,
        .map = (uint32_t)cfg->l2_partition_map,
        .xor_shift = chunk_bits,
        .draw_shift = draw_shift,
    };
}
