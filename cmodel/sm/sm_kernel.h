/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM knows of a kernel that runs on it: how many CTAs it may have here and has, and what
 * its warps and CTAs keep between instructions, by slot. */
#ifndef MEMTWIN_SM_SM_KERNEL_H
#define MEMTWIN_SM_SM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"
#include "sm/occupancy.h"
#include "stats/stats.h"

/* The same number of bytes for each slot. */
struct slot_state {
    uint8_t *bytes; /* owned */
    size_t room;    /* allocated */
    size_t size;    /* from one slot to the next; 0: nothing is kept */
};

struct sm_kernel {
    const struct kernel_launch *launch; /* not owned */
    uint32_t warps_per_cta;
    struct sm_resources need; /* of a CTA */
    uint32_t limit;           /* CTAs that it may have here at once, if they fit */
    uint32_t live_ctas;
    uint32_t out; /* accesses from the LSU's queue on that are not answered */
    struct slot_state warp, cta;
    struct stats *part; /* owned; its share of the statistics that are told apart (cache/cache.h);
                         * NULL: all are its own */
};

/* Makes ready for a launch; no CTA of the one before is left. The limit is what fits on an empty
 * SM. Returns 0, or -1 if a CTA does not fit, with one line in err. */
int sm_kernel_begin(struct sm_kernel *k, const struct config *cfg,
                    const struct kernel_launch *launch, char *err, size_t err_size);
void sm_kernel_free(struct sm_kernel *k);

/* NULL: nothing is kept. */
static inline void *slot_state(const struct slot_state *s, uint32_t slot) {
    return s->size ? s->bytes + slot * s->size : NULL;
}

/* A warp or a CTA begins in the slot. */
void sm_kernel_clear_warp(const struct sm_kernel *k, uint32_t slot);
void sm_kernel_clear_cta(const struct sm_kernel *k, uint32_t slot);

/* Warp `warp` of the CTA of that linear index. */
struct warp_place sm_kernel_place(const struct sm_kernel *k, uint64_t cta, uint32_t warp);

/* The next instruction of the warp at that place. */
static inline void sm_kernel_step(const struct sm_kernel *k, const struct warp_place *place,
                                  uint32_t cta, uint32_t warp, struct warp_inst *inst) {
    k->launch->step(k->launch->ctx, place, slot_state(&k->cta, cta), slot_state(&k->warp, warp),
                    inst);
}

#endif
