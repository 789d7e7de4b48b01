/* SPDX-License-Identifier: Apache-2.0 */
/* bpg: the Bypassing Parameter Generator of model-driven bypassing (Dai, PhD dissertation, NC State
 * 2017, section 2.6). Ports and cycles: docs/understand/bpg.md. RTL: rtl/bpg/. */
#ifndef MEMTWIN_BPG_BPG_H
#define MEMTWIN_BPG_BPG_H

#include "block/block.h"

enum bpg_param {
    BPG_ADDR_W,      /* number of bits in a line number */
    BPG_ID_W,        /* number of bits in a warp or CTA slot number */
    BPG_SETS,        /* number of sets in the L1D */
    BPG_WAYS,        /* number of ways in the L1D and in the shadow arrays */
    BPG_INDEX,       /* enum set_index */
    BPG_SAMPLED,     /* number of sets per shadow array */
    BPG_TAG_W,       /* number of low tag bits that are kept */
    BPG_CALCULATORS, /* number of calculators of Adjusted Hits */
    BPG_INTERVAL,    /* number of accesses per decision interval */
    BPG_HIT_W,       /* number of bits in a hit counter */
    BPG_FAIL_W,      /* number of bits in the failure counter */
    BPG_HIT_SCALE,   /* left shift of the hit count before the failures are subtracted */
    BPG_N_PARAMS
};

/* Effect of an access on the shadow arrays. The RTL has the same codes (rtl/bpg/bpg_defs.vh). */
enum bpg_op {
    BPG_PASS = 0, /* no effect; the access only counts toward the interval, as with codes 5 to 7 */
    BPG_LOAD = 1, /* load: counts a hit, or allocates on a miss */
    BPG_UPDATE = 2, /* write-through store: touches the line on a hit */
    BPG_EVICT = 3,  /* store or atomic that drops the line */
    BPG_WRITE = 4,  /* store kept in the cache: allocates on a miss, but counts no hit */
};

#define BPG_MAX_CALCULATORS 16
#define BPG_CUBE_W 17 /* number of bits in a fixed-point (k/N)^3, of which 16 are fraction bits */
#define BPG_COUNT_W 20
/* Number of cycles from the lookup of the interval's last access to `update`. */
#define BPG_DECIDES(calculators) ((calculators) + 3)

extern const struct block_type bpg_type;

/* Returns entry k, counted from 1, of the table of (k/N)^3. N is n, the number of warps or CTAs on
 * the SM (1 to 65535). The entry is rounded down, and is 2^16 for k >= n. */
uint32_t bpg_cube(uint32_t k, uint32_t n);

/* Returns 0 if the next tick looks up an access, continues a decision or clears `update`. Otherwise
 * returns UINT64_MAX, because a tick without a launch, table write or access then only counts a
 * failure. */
uint64_t bpg_next_event(const void *model);
/* Skips `cycles` ticks of a model without a next event. The input `fail` is the same in each tick,
 * and no tick has a launch, table write or access. */
void bpg_advance(void *model, uint64_t cycles, bool fail);

#endif
