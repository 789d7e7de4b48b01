/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of expiry. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/expiry.md.
 *
 *   exp   records that a page of a block has expired
 *   rec   removes the entry of a block, because a page of it is used again or the block was evicted
 *   take  removes up to TAKE least recently updated entries
 *   out   a removed entry, or the message that there is none
 *   st_   observed state
 *
 * All inputs except rst are late (block_type.late): no output depends on them.
 */
#ifndef MEMTWIN_EXPIRY_EXPIRY_PORTS_H
#define MEMTWIN_EXPIRY_EXPIRY_PORTS_H

#include "expiry/expiry.h"
#include "lib/bits.h"

#define EXPIRY_PORTS(X)                                                                            \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, exp_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, exp_block, 32, p->v[EXPIRY_BLOCK_W], in->exp_valid && out->exp_ready)                 \
    X(IN, N, exp_page, 5, bits_to_hold((uint64_t)p->v[EXPIRY_PAGES] - 1),                          \
      in->exp_valid && out->exp_ready)                                                             \
    X(OUT, N, exp_ready, 1, 1, ALWAYS)                                                             \
    X(IN, N, rec_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, rec_block, 32, p->v[EXPIRY_BLOCK_W], in->rec_valid && out->rec_ready)                 \
    X(OUT, N, rec_ready, 1, 1, ALWAYS)                                                             \
    X(IN, N, take, 1, 1, ALWAYS)                                                                   \
    X(OUT, N, out_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, out_block, 32, p->v[EXPIRY_BLOCK_W], out->out_valid && out->out_why < 3)             \
    X(OUT, N, out_mask, 32, p->v[EXPIRY_PAGES], out->out_valid && out->out_why < 3)                \
    X(OUT, N, out_why, 2, 2, out->out_valid)                                                       \
    X(OUT, N, out_last, 1, 1, out->out_valid)                                                      \
    X(IN, N, out_ready, 1, 1, out->out_valid)                                                      \
    X(OBS, N, st_entries, 11, bits_to_hold((uint64_t)p->v[EXPIRY_ENTRIES]), ALWAYS)                \
    X(OBS, N, st_look, 1, 1, ALWAYS)                                                               \
    X(OBS, N, st_found, 1, 1, out->st_look)                                                        \
    X(OBS, N, st_use, 1, 1, out->st_look)                                                          \
    X(OBS, N, st_way, 10, bits_to_hold((uint64_t)p->v[EXPIRY_ENTRIES] - 1),                        \
      out->st_look && out->st_use)

struct expiry_in {
    BLOCK_IN_MEMBERS(EXPIRY_PORTS)
};
struct expiry_out {
    BLOCK_OUT_MEMBERS(EXPIRY_PORTS)
};

#define BLOCK_PORTS EXPIRY_PORTS
#define BLOCK_IN_T struct expiry_in
#define BLOCK_OUT_T struct expiry_out

#endif
