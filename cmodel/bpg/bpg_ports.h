/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of bpg. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/bpg.md.
 *
 *   cube   writes the table of (k/N)^3
 *   ask    asks whether a warp or CTA bypasses the L1D in the current state
 *   acc    an access accepted by the L1D in this cycle
 *   st_    observed state
 *
 * acc_* and fail are late inputs (block_type.late): no output depends on them.
 */
#ifndef MEMTWIN_BPG_BPG_PORTS_H
#define MEMTWIN_BPG_BPG_PORTS_H

#include "bpg/bpg.h"
#include "lib/bits.h"

/* The functions below return port widths. A twin's shim also computes these widths. */

/* Returns the width of cube_index, which ranges from 0 to CALCULATORS - 1. */
static inline unsigned bpg_index_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[BPG_CALCULATORS] - 1);
}

/* Returns the width of lmax and st_judged_k, which range from 1 to CALCULATORS. */
static inline unsigned bpg_lmax_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[BPG_CALCULATORS]);
}

/* Returns the width of st_set. */
static inline unsigned bpg_set_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[BPG_SETS] - 1);
}

/* Returns the width of st_adjusted, including its sign bit. */
static inline unsigned bpg_adjusted_bits(const struct block_params *p) {
    int64_t hits = p->v[BPG_HIT_W] + p->v[BPG_HIT_SCALE], fails = p->v[BPG_FAIL_W] - 1;
    return (unsigned)(hits > fails ? hits : fails) + 1;
}

#define BPG_PORTS(X)                                                                               \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, launch, 1, 1, ALWAYS)                                                                 \
    X(IN, N, cube_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, cube_index, 4, bpg_index_bits(p), in->cube_valid)                                     \
    X(IN, N, cube_value, 17, BPG_CUBE_W, in->cube_valid)                                           \
    X(IN, N, ask_id, 8, p->v[BPG_ID_W], ALWAYS)                                                    \
    X(OUT, N, ask_past, 1, 1, ALWAYS)                                                              \
    X(OUT, N, lmax, 5, bpg_lmax_bits(p), ALWAYS)                                                   \
    X(OUT, N, update, 1, 1, ALWAYS)                                                                \
    X(IN, N, acc_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, acc_op, 3, 3, in->acc_valid)                                                          \
    X(IN, N, acc_addr, 48, p->v[BPG_ADDR_W], in->acc_valid)                                        \
    X(IN, N, acc_id, 8, p->v[BPG_ID_W], in->acc_valid)                                             \
    X(IN, N, fail, 1, 1, ALWAYS)                                                                   \
    X(OBS, N, st_look, 1, 1, ALWAYS)                                                               \
    X(OBS, N, st_set, 12, bpg_set_bits(p), out->st_look)                                           \
    X(OBS, N, st_sampled, 1, 1, out->st_look)                                                      \
    X(OBS, N, st_found, 16, p->v[BPG_CALCULATORS], out->st_look && out->st_sampled)                \
    X(OBS, N, st_count, 20, BPG_COUNT_W, ALWAYS)                                                   \
    X(OBS, N, st_fails, 16, p->v[BPG_FAIL_W], ALWAYS)                                              \
    X(OBS, W, st_hits, 256, p->v[BPG_CALCULATORS] * p->v[BPG_HIT_W], ALWAYS)                       \
    X(OBS, N, st_judged, 1, 1, ALWAYS)                                                             \
    X(OBS, N, st_judged_k, 5, bpg_lmax_bits(p), out->st_judged)                                    \
    X(OBS, N, st_adjusted, 24, bpg_adjusted_bits(p), out->st_judged)

struct bpg_in {
    BLOCK_IN_MEMBERS(BPG_PORTS)
};
struct bpg_out {
    BLOCK_OUT_MEMBERS(BPG_PORTS)
};

#define BLOCK_PORTS BPG_PORTS
#define BLOCK_IN_T struct bpg_in
#define BLOCK_OUT_T struct bpg_out

#endif
