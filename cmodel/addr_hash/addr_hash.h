/* SPDX-License-Identifier: Apache-2.0 */
/* addr_hash: the set of a line in the L1D, its memory partition and its place there, by the
 * functions of cache/. Ports and cycles: docs/understand/addr_hash.md. RTL: rtl/addr_hash/. */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_H

#include "block/block.h"

enum addr_hash_param {
    ADDR_HASH_ADDR_W,     /* bits of a line number */
    ADDR_HASH_SETS,       /* sets of the L1D, a power of two */
    ADDR_HASH_INDEX,      /* enum set_index */
    ADDR_HASH_PARTITIONS, /* memory partitions */
    ADDR_HASH_MAP,        /* PARTITION_ */
    ADDR_HASH_INTERLEAVE, /* log2 of the lines of a chunk */
    ADDR_HASH_LATENCY,    /* cycles from an access to its outputs */
    ADDR_HASH_N_PARAMS
};

#define ADDR_HASH_MAX_LATENCY 2

extern const struct block_type addr_hash_type;

/* 0: an access is on its way through the block. UINT64_MAX: without access, a tick changes
 * nothing. */
uint64_t addr_hash_next_event(const void *model);

#endif
