/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of addr_hash: the one list. Columns: block/block.h. docs/understand/addr_hash.md has
 * the cycle-by-cycle contract.
 *
 *   acc    the L1D takes an access to that line
 *   out    LATENCY cycles later: where the line lives
 *
 * acc_* are late inputs (block_type.late): no output depends on them.
 */
#ifndef MEMTWIN_ADDR_HASH_ADDR_HASH_PORTS_H
#define MEMTWIN_ADDR_HASH_ADDR_HASH_PORTS_H

#include "addr_hash/addr_hash.h"
#include "lib/bits.h"

#define ADDR_HASH_PORTS(X)                                                                         \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, acc_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, acc_line, 48, p->v[ADDR_HASH_ADDR_W], in->acc_valid)                                  \
    X(OUT, N, out_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, out_set, 12, bits_to_hold((uint64_t)p->v[ADDR_HASH_SETS] - 1), out->out_valid)       \
    X(OUT, N, out_part, 8, bits_to_hold((uint64_t)p->v[ADDR_HASH_PARTITIONS] - 1), out->out_valid) \
    X(OUT, N, out_rest, 48, p->v[ADDR_HASH_ADDR_W], out->out_valid)

struct addr_hash_in {
    BLOCK_IN_MEMBERS(ADDR_HASH_PORTS)
};
struct addr_hash_out {
    BLOCK_OUT_MEMBERS(ADDR_HASH_PORTS)
};

#define BLOCK_PORTS ADDR_HASH_PORTS
#define BLOCK_IN_T struct addr_hash_in
#define BLOCK_OUT_T struct addr_hash_out

#endif
