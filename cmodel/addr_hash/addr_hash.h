/* SPDX-License-Identifier: Apache-2.0 */
/* addr_hash: computes a line's L1D set, its memory partition and its number within the partition,
 * with the functions in cache/. Ports and cycles: docs/understand/addr_hash.md.
 * RTL: rtl/addr_hash/. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_H

#include "block/block.h"

enum addr_hash_param {
    ADDR_HASH_ADDR_W,     /* number of bits in a line number */
    ADDR_HASH_SETS,       /* number of sets in the L1D, a power of two */
    ADDR_HASH_INDEX,      /* enum set_index */
    ADDR_HASH_PARTITIONS, /* number of memory partitions */
    ADDR_HASH_MAP,        /* enum partition_map */
    ADDR_HASH_INTERLEAVE, /* log2 of the number of consecutive lines mapped to one partition */
    ADDR_HASH_LATENCY,    /* cycles from an access to its outputs */
    ADDR_HASH_N_PARAMS
};

#define ADDR_HASH_MAX_LATENCY 2

extern const struct block_type addr_hash_type;

/* Returns 0 if an access is in the pipeline. Otherwise returns UINT64_MAX, because a tick without a
 * new access then changes nothing. */
uint64_t addr_hash_next_event(const void *model);

#endif
