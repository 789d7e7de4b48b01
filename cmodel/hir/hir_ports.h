/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of hir. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/hir.md.
 *
 *   hit    a page walk that hit, which is one touch of a page in a page set
 *   flush  request to output all entries
 *   out    the next entry to send, in the order of first touch
 *   st_    observed state
 *
 * All inputs except rst are late (block_type.late): no output depends on them. */
#ifndef MEMTWIN_HIR_HIR_PORTS_H
#define MEMTWIN_HIR_HIR_PORTS_H

#include "hir/hir.h"
#include "lib/bits.h"

#define HIR_PORTS(X)                                                                               \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, hit_valid, 1, 1, !out->busy)                                                          \
    X(IN, N, hit_set, 48, p->v[HIR_SET_W], in->hit_valid && out->hit_ready)                        \
    X(IN, N, hit_page, 5, bits_to_hold((uint64_t)p->v[HIR_PAGES] - 1),                             \
      in->hit_valid && out->hit_ready)                                                             \
    X(OUT, N, hit_ready, 1, 1, ALWAYS)                                                             \
    X(IN, N, flush, 1, 1, !out->busy)                                                              \
    X(OUT, N, busy, 1, 1, ALWAYS)                                                                  \
    X(OUT, N, out_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, out_set, 48, p->v[HIR_SET_W], out->out_valid)                                        \
    X(OUT, N, out_counts, 64, p->v[HIR_PAGES] * p->v[HIR_COUNT_W], out->out_valid)                 \
    X(OUT, N, out_last, 1, 1, out->out_valid)                                                      \
    X(IN, N, out_ready, 1, 1, out->out_valid)                                                      \
    X(OUT, N, lost, 16, p->v[HIR_LOST_W], ALWAYS)                                                  \
    X(OBS, N, st_look, 1, 1, ALWAYS)                                                               \
    X(OBS, N, st_row, 10, bits_to_hold((uint64_t)p->v[HIR_SETS] - 1), out->st_look)                \
    X(OBS, N, st_found, 1, 1, out->st_look)                                                        \
    X(OBS, N, st_lose, 1, 1, out->st_look)                                                         \
    X(OBS, N, st_way, 4, bits_to_hold((uint64_t)p->v[HIR_WAYS] - 1),                               \
      out->st_look && !out->st_lose)                                                               \
    X(OBS, N, st_count, 15, bits_to_hold((uint64_t)(p->v[HIR_SETS] * p->v[HIR_WAYS])), ALWAYS)

struct hir_in {
    BLOCK_IN_MEMBERS(HIR_PORTS)
};
struct hir_out {
    BLOCK_OUT_MEMBERS(HIR_PORTS)
};

#define BLOCK_PORTS HIR_PORTS
#define BLOCK_IN_T struct hir_in
#define BLOCK_OUT_T struct hir_out

#endif
