/* SPDX-License-Identifier: Apache-2.0 */
/* State of a kernel on an SM: the maximum and current number of its CTAs, and the per-slot state
 * that its warps and CTAs keep between instructions. */
#ifndef MEMTWIN_SM_SM_KERNEL_H
#define MEMTWIN_SM_SM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"
#include "sm/occupancy.h"
#include "stats/stats.h"

/* Per-slot state, of the same size for each slot. */
struct slot_state {
    uint8_t *bytes; /* owned */
    size_t room;    /* number of bytes allocated */
    size_t size;    /* number of bytes per slot; 0 if there is no state */
};

struct sm_kernel {
    const struct kernel_launch *launch; /* not owned */
    uint32_t warps_per_cta;
    struct sm_resources need; /* resources of a CTA */
    uint32_t limit;           /* number of the kernel's CTAs that fit on the empty SM */
    uint32_t live_ctas;
    uint32_t out; /* number of accesses that have entered the LSU's queue and have no response */
    struct slot_state warp, cta;
    struct stats *part; /* owned; the kernel's share of the statistics that are kept per kernel
                           (cache/cache.h); NULL if it is the only kernel */
};

/* Prepares a launch. No CTA of the previous launch may be left. The limit is the number of CTAs
 * that fit on an empty SM. Returns 0, or -1 with one line in err if a CTA does not fit. */
int sm_kernel_begin(struct sm_kernel *k, const struct config *cfg,
                    const struct kernel_launch *launch, struct error *err);
void sm_kernel_free(struct sm_kernel *k);

/* Returns the state of a slot, or NULL if slots have no state. */
static inline void *slot_state(const struct slot_state *s, uint32_t slot) {
    return s->size ? s->bytes + slot * s->size : NULL;
}

/* Clear the slot's state for a new warp or CTA. */
void sm_kernel_clear_warp(const struct sm_kernel *k, uint32_t slot);
void sm_kernel_clear_cta(const struct sm_kernel *k, uint32_t slot);

/* Returns the position of warp `warp` in the CTA with linear index `cta`. */
struct warp_place sm_kernel_place(const struct sm_kernel *k, uint64_t cta, uint32_t warp);

/* Gets the next instruction of the warp at position `place`. */
static inline void sm_kernel_step(const struct sm_kernel *k, const struct warp_place *place,
                                  uint32_t cta, uint32_t warp, struct warp_inst *inst) {
    k->launch->step(k->launch->ctx, place, slot_state(&k->cta, cta), slot_state(&k->warp, warp),
                    inst);
}

#endif
