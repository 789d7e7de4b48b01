/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of lease. Columns: block/block.h. Cycle-by-cycle contract: docs/understand/lease.md. A
 * vector has a field for each lane or entry. Field 0 is the lowest.
 *
 *   quota  maximum number of a group's entries in a window
 *   acc    accesses to pages
 *   upd    a group's new lease
 *   st_    observed state
 *
 * All inputs except rst are late (block_type.late): no output depends on them. */
#ifndef MEMTWIN_LEASE_LEASE_PORTS_H
#define MEMTWIN_LEASE_LEASE_PORTS_H

#include "lease/lease.h"
#include "lib/bits.h"

/* Widths of fields, which a twin's shim also computes. */

static inline unsigned lease_page_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[LEASE_PAGES] - 1);
}

static inline unsigned lease_group_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[LEASE_GROUPS] - 1);
}

/* Returns the width in bits of a quota. A quota is a number from 0 to ENTRIES. */
static inline unsigned lease_quota_bits(const struct block_params *p) {
    return bits_to_hold((uint64_t)p->v[LEASE_ENTRIES]);
}

/* Returns field k of a vector. */
static inline uint32_t lease_field(const uint32_t *vector, unsigned k, unsigned width) {
    unsigned bit = k * width, over = bit % 32 + width;
    uint64_t words = vector[bit / 32];
    if (over > 32)
        words |= (uint64_t)vector[bit / 32 + 1] << 32;
    return (uint32_t)(words >> bit % 32 & bits_low(width));
}

/* Writes field k of a vector. The field must be 0. */
static inline void lease_put(uint32_t *vector, unsigned k, unsigned width, uint32_t value) {
    unsigned bit = k * width;
    uint64_t words = (uint64_t)value << bit % 32;
    vector[bit / 32] |= (uint32_t)words;
    if (bit % 32 + width > 32)
        vector[bit / 32 + 1] |= (uint32_t)(words >> 32);
}

#define LEASE_PORTS(X)                                                                             \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, quota_valid, 1, 1, ALWAYS)                                                            \
    X(IN, N, quota_group, 6, lease_group_bits(p), in->quota_valid)                                 \
    X(IN, N, quota, 6, lease_quota_bits(p), in->quota_valid)                                       \
    X(IN, N, acc_valid, 32, p->v[LEASE_LANES], out->duty)                                          \
    X(IN, W, acc_block, 640, p->v[LEASE_LANES] * p->v[LEASE_BLOCK_W], out->duty && in->acc_valid)  \
    X(IN, W, acc_page, 160, p->v[LEASE_LANES] * lease_page_bits(p), out->duty && in->acc_valid)    \
    X(IN, W, acc_group, 192, p->v[LEASE_LANES] * lease_group_bits(p), out->duty && in->acc_valid)  \
    X(OUT, N, upd_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, upd_group, 6, lease_group_bits(p), out->upd_valid)                                   \
    X(OUT, N, upd_lease, 16, p->v[LEASE_LIFE_W], out->upd_valid)                                   \
    X(OUT, N, duty, 1, 1, ALWAYS)                                                                  \
    X(OBS, N, st_phase, 2, 2, ALWAYS)                                                              \
    X(OBS, N, st_used, 32, p->v[LEASE_ENTRIES], ALWAYS)                                            \
    X(OBS, W, st_count, 512, p->v[LEASE_ENTRIES] * p->v[LEASE_COUNT_W], ALWAYS)                    \
    X(OBS, W, st_pages, 1024, p->v[LEASE_ENTRIES] * p->v[LEASE_PAGES], ALWAYS)                     \
    X(OBS, N, st_missed, 16, 16, ALWAYS)

struct lease_in {
    BLOCK_IN_MEMBERS(LEASE_PORTS)
};
struct lease_out {
    BLOCK_OUT_MEMBERS(LEASE_PORTS)
};

#define BLOCK_PORTS LEASE_PORTS
#define BLOCK_IN_T struct lease_in
#define BLOCK_OUT_T struct lease_out

#endif
