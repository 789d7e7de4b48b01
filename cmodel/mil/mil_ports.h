/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of mil. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/mil.md.
 * Vectors have a field for each kernel. Kernel 0 has the lowest field.
 *
 *   set   a static limit for a kernel
 *   want  kernels with a memory instruction to issue
 *   go    kernels that may issue
 *   room  number of instructions that each kernel may issue
 *   iss   number of instructions that each kernel issues
 *   done  number of each kernel's instructions that have completed
 *   acc   an access accepted by the L1D
 *   fail  an access refused by the L1D
 *   st_   observed state
 *
 * All inputs except want are late (block_type.late): no output depends on them. */
#ifndef MEMTWIN_MIL_MIL_PORTS_H
#define MEMTWIN_MIL_MIL_PORTS_H

#include "lib/bits.h"
#include "mil/mil.h"

/* Widths of fields, which a twin's shim also computes. */

static inline unsigned mil_index_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[MIL_KERNELS] - 1);
}

/* Returns the width in bits of a field of `room` or `iss`. The field's value is 0 to SCHEDULERS. */
static inline unsigned mil_room_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[MIL_SCHEDULERS]);
}

static inline unsigned mil_ratio_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[MIL_RATIO_MAX]);
}

/* Returns field k of a vector. */
static inline uint32_t mil_field(uint64_t vector, unsigned k, unsigned width) {
    return (uint32_t)(vector >> k * width & bits_low(width));
}

#define MIL_PORTS(X)                                                                               \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, set_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, set_kernel, 2, mil_index_bits(p), in->set_valid)                                      \
    X(IN, N, set_limit, 10, p->v[MIL_INFLIGHT_W], in->set_valid)                                   \
    X(IN, N, live, 4, p->v[MIL_KERNELS], ALWAYS)                                                   \
    X(IN, N, start, 4, p->v[MIL_KERNELS], ALWAYS)                                                  \
    X(IN, N, want, 4, p->v[MIL_KERNELS], ALWAYS)                                                   \
    X(OUT, N, go, 4, p->v[MIL_KERNELS], ALWAYS)                                                    \
    X(OUT, N, room, 12, p->v[MIL_KERNELS] * mil_room_bits(p), ALWAYS)                              \
    X(IN, N, iss, 12, p->v[MIL_KERNELS] * mil_room_bits(p), ALWAYS)                                \
    X(IN, N, done, 8, p->v[MIL_KERNELS] * 2, ALWAYS)                                               \
    X(IN, N, acc_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, acc_kernel, 2, mil_index_bits(p), in->acc_valid)                                      \
    X(IN, N, fail_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, fail_kernel, 2, mil_index_bits(p), in->fail_valid)                                    \
    X(OUT, N, limit, 40, p->v[MIL_KERNELS] * p->v[MIL_INFLIGHT_W], ALWAYS)                         \
    X(OUT, N, update, 4, p->v[MIL_KERNELS], ALWAYS)                                                \
    X(OUT, N, err, 2, 2, ALWAYS)                                                                   \
    X(OBS, N, st_inflight, 40, p->v[MIL_KERNELS] * p->v[MIL_INFLIGHT_W], ALWAYS)                   \
    X(OBS, N, st_max, 40, p->v[MIL_KERNELS] * p->v[MIL_INFLIGHT_W], ALWAYS)                        \
    X(OBS, W, st_rf, 96, p->v[MIL_KERNELS] * p->v[MIL_RF_W], ALWAYS)                               \
    X(OBS, N, st_req, 64, p->v[MIL_KERNELS] * p->v[MIL_INTERVAL_W], ALWAYS)                        \
    X(OBS, N, st_minst, 64, p->v[MIL_KERNELS] * p->v[MIL_MINST_W], ALWAYS)                         \
    X(OBS, N, st_ratio, 28, p->v[MIL_KERNELS] * mil_ratio_bits(p), ALWAYS)                         \
    X(OBS, W, st_quota, 96, p->v[MIL_KERNELS] * p->v[MIL_QUOTA_W], ALWAYS)                         \
    X(OBS, W, st_share, 96, p->v[MIL_KERNELS] * p->v[MIL_QUOTA_W], ALWAYS)                         \
    X(OBS, N, st_busy, 1, 1, ALWAYS)

struct mil_in {
    BLOCK_IN_MEMBERS(MIL_PORTS)
};
struct mil_out {
    BLOCK_OUT_MEMBERS(MIL_PORTS)
};

#define BLOCK_PORTS MIL_PORTS
#define BLOCK_IN_T struct mil_in
#define BLOCK_OUT_T struct mil_out

#endif
