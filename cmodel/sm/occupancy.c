// SPDX-License-Identifier: Apache-2.0
#include "sm/occupancy.h"

#include <stdio.h>

#include "lib/bits.h"

#define MANY_THREADS (UINT64_C(1) << 31)

/* Saturates: a launch may come from a file. */
static uint64_t threads_of(const struct kernel_launch *l) {
    uint64_t n = (uint64_t)l->block[0] * l->block[1];
    if (n > MANY_THREADS)
        n = MANY_THREADS;
    return n * l->block[2];
}

struct need {
    uint64_t cta, sm; /* what a CTA needs; what an SM has */
    const char *unit, *key;
};

/* 256 registers at a time for each warp. */
static uint64_t registers_of(uint64_t warps, uint32_t regs) {
    uint64_t unit = OCCUPANCY_REGISTER_UNIT;
    return warps * (((uint64_t)regs * WARP_LANES + unit - 1) / unit * unit);
}

int occupancy_of(const struct config *cfg, const struct kernel_launch *launch,
                 struct occupancy *occupancy, char *err, size_t err_size) {
    uint64_t warps = (threads_of(launch) + WARP_LANES - 1) / WARP_LANES;
    if (warps == 0) {
        snprintf(err, err_size, "kernel %.60s: a CTA without threads", launch->name);
        return -1;
    }
    const struct need needs[] = {
        {warps, (uint64_t)cfg->sm_warps, "warps", "sm.warps"},
        {warps * WARP_LANES, (uint64_t)cfg->sm_threads, "threads (of whole warps)", "sm.threads"},
        {cfg->sm_registers ? registers_of(warps, launch->regs) : 0, (uint64_t)cfg->sm_registers,
         "registers", "sm.registers"},
        {launch->shared_bytes, (uint64_t)cfg->sm_shared_kib * 1024, "B of shared memory",
         "sm.shared_kib * 1024"},
    };
    uint64_t ctas = (uint64_t)cfg->sm_ctas;
    for (unsigned i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        const struct need *n = &needs[i];
        if (n->cta > n->sm) {
            snprintf(err, err_size, "kernel %.60s: a CTA of %llu %s does not fit: %s = %llu",
                     launch->name, (unsigned long long)n->cta, n->unit, n->key,
                     (unsigned long long)n->sm);
            return -1;
        }
        if (n->cta && n->sm / n->cta < ctas)
            ctas = n->sm / n->cta;
    }
    *occupancy = (struct occupancy){(uint32_t)warps, (uint32_t)ctas};
    return 0;
}
