/* SPDX-License-Identifier: Apache-2.0 */
/* bpg: the Bypassing Parameter Generator of model-driven bypassing (Dai, PhD dissertation, NC State
 * 2017, section 2.6). Ports and cycles: docs/understand/bpg.md. RTL: rtl/bpg/. */
#ifndef MEMTWIN_BPG_BPG_H
#define MEMTWIN_BPG_BPG_H

#include "block/block.h"

enum bpg_param {
    BPG_ADDR_W,      /* bits of a line number */
    BPG_ID_W,        /* bits of a warp's or CTA's number */
    BPG_SETS,        /* sets of the L1D */
    BPG_WAYS,        /* ways of the L1D, and of the shadow arrays */
    BPG_INDEX,       /* enum set_index */
    BPG_SAMPLED,     /* sets that a shadow array has */
    BPG_TAG_W,       /* bits kept of a tag, the lowest ones */
    BPG_CALCULATORS, /* of Adjusted Hits */
    BPG_INTERVAL,    /* accesses from a decision to the next */
    BPG_HIT_W,       /* bits of a hit counter */
    BPG_FAIL_W,      /* bits of the failure counter */
    BPG_HIT_SCALE,   /* bits that the hits are shifted to the left before they are compared */
    BPG_N_PARAMS
};

/* What an access does to the shadow arrays. Same codes in the RTL (rtl/bpg/bpg_defs.vh). */
enum bpg_op {
    BPG_PASS = 0,   /* nothing; it only counts to the interval, as 5 to 7 do */
    BPG_LOAD = 1,   /* a hit is counted; a miss allocates */
    BPG_UPDATE = 2, /* a store that is written through: a line that is there is used */
    BPG_EVICT = 3,  /* a store or an atomic that drops the line */
    BPG_WRITE = 4,  /* a store that is kept: as a load, but its hit is not counted */
};

#define BPG_MAX_CALCULATORS 16
#define BPG_CUBE_W 17 /* (k/N)^3 as an integer: 1.0 is 2^16 */
#define BPG_COUNT_W 20
/* Cycles from the one in which the interval's last access is looked up to the one with `update`. */
#define BPG_DECIDES(calculators) ((calculators) + 3)

extern const struct block_type bpg_type;

/* Entry k (from 1) of the table of (k/N)^3 for n warps or CTAs on the SM, 1 to 65535: rounded down;
 * 2^16 for k >= n. */
uint32_t bpg_cube(uint32_t k, uint32_t n);

/* Returns 0 if the next tick looks up an access or continues a decision. UINT64_MAX: without a
 * launch, table write or access, a tick does no more than count a failure. */
uint64_t bpg_next_event(const void *model);
/* Skips ticks of a model without a next event, each with `fail` and without a launch, table write
 * or access. */
void bpg_advance(void *model, uint64_t cycles, bool fail);

#endif
