/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of addr_hash. Columns: block/block.h. Cycle-by-cycle contract:
 * docs/understand/addr_hash.md.
 *
 *   acc    an access to line acc_line that the L1D accepts
 *   out    LATENCY cycles later: the line's set, its partition and its number in the partition
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
