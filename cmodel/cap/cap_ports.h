/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of cap. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/cap.md.
 *
 *   set    sets the number of 64 KiB blocks that a group has requested
 *   agg    sets the number of 64 KiB blocks that all groups together have requested
 *   ask    a query for a fault in a group; ask_avail is the number of available pages, and ask_full
 *          is 1 while memory is oversubscribed
 *   ans    CAP_LATENCY cycles later: log2 of the number of blocks to prefetch
 *   st_    observed state
 *
 * All inputs except rst are late (block_type.late): no output depends on them.
 */
#ifndef MEMTWIN_CAP_CAP_PORTS_H
#define MEMTWIN_CAP_CAP_PORTS_H

#include "cap/cap.h"
#include "lib/bits.h"

#define CAP_PORTS(X)                                                                               \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, set_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, set_group, 6, bits_to_hold((uint64_t)p->v[CAP_GROUPS] - 1), in->set_valid)            \
    X(IN, N, set_req, 24, p->v[CAP_SIZE_W], in->set_valid)                                         \
    X(IN, N, agg_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, agg, 24, p->v[CAP_SIZE_W], in->agg_valid)                                             \
    X(IN, N, ask_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, ask_group, 6, bits_to_hold((uint64_t)p->v[CAP_GROUPS] - 1), in->ask_valid)            \
    X(IN, N, ask_avail, 28, p->v[CAP_AVAIL_W], in->ask_valid)                                      \
    X(IN, N, ask_full, 1, 1, in->ask_valid)                                                        \
    X(OUT, N, ans_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, ans_size, 3, 3, out->ans_valid)                                                      \
    X(OBS, N, st_ask, 1, 1, ALWAYS)                                                                \
    X(OBS, N, st_limit, 3, 3, out->st_ask)                                                         \
    X(OBS, N, st_fit, 3, 3, out->st_ask && out->st_limit > 0)

struct cap_in {
    BLOCK_IN_MEMBERS(CAP_PORTS)
};
struct cap_out {
    BLOCK_OUT_MEMBERS(CAP_PORTS)
};

#define BLOCK_PORTS CAP_PORTS
#define BLOCK_IN_T struct cap_in
#define BLOCK_OUT_T struct cap_out

#endif
