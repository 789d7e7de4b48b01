// SPDX-License-Identifier: Apache-2.0
#include "sm/occupancy.h"

#include <inttypes.h>
#include <stdio.h>

#define MANY_THREADS (UINT64_C(1) << 31)

const char *const sm_resource_unit[SM_RESOURCES] = {
    [RES_CTAS] = "CTAs",
    [RES_WARPS] = "warps",
    [RES_REGISTERS] = "registers",
    [RES_SHARED] = "B of shared memory",
};
const char *const sm_resource_key[SM_RESOURCES] = {
    [RES_CTAS] = "sm.ctas",
    [RES_WARPS] = "sm.warps",
    [RES_REGISTERS] = "sm.registers",
    [RES_SHARED] = "sm.shared_kib * 1024",
};

struct sm_resources sm_resources_of(const struct config *cfg) {
    return (struct sm_resources){{
        [RES_CTAS] = (uint64_t)cfg->sm_ctas,
        [RES_WARPS] = (uint64_t)cfg->sm_warps,
        [RES_REGISTERS] = cfg->sm_registers ? (uint64_t)cfg->sm_registers : UINT64_MAX,
        [RES_SHARED] = (uint64_t)cfg->sm_shared_kib * 1024,
    }};
}

/* Returns the number of threads in a CTA. Saturates, because a launch from a file may be huge. */
static uint64_t threads_of(const struct kernel_launch *l) {
    uint64_t n = (uint64_t)l->block[0] * l->block[1];
    if (n > MANY_THREADS)
        n = MANY_THREADS;
    return n * l->block[2];
}

static uint64_t registers_of(const struct config *cfg, const struct kernel_launch *l,
                             uint64_t warps) {
    const uint64_t unit = (uint64_t)cfg->sm_register_unit;
    uint64_t regs = l->regs;
    if (!cfg->sm_registers)
        return 0;
    if (!regs && cfg->sm_register_source == REGISTERS_ALL)
        regs = l->paper_regs;
    return warps * ((regs * WARP_LANES + unit - 1) / unit * unit);
}

int sm_resources_needed(const struct config *cfg, const struct kernel_launch *launch,
                        struct sm_resources *need, struct error *err) {
    const uint64_t warps = (threads_of(launch) + WARP_LANES - 1) / WARP_LANES;
    const struct sm_resources have = sm_resources_of(cfg);
    if (warps == 0)
        return error_set(err, "kernel %.60s: a CTA without threads", launch->name);
    *need = (struct sm_resources){{
        [RES_CTAS] = 1,
        [RES_WARPS] = warps,
        [RES_REGISTERS] = registers_of(cfg, launch, warps),
        [RES_SHARED] = launch->shared_bytes,
    }};
    for (unsigned i = 0; i < SM_RESOURCES; i++)
        if (need->n[i] > have.n[i])
            return error_set(
                err, "kernel %.60s: a CTA of %" PRIu64 " %s does not fit: %s = %" PRIu64,
                launch->name, need->n[i], sm_resource_unit[i], sm_resource_key[i], have.n[i]);
    return 0;
}

uint64_t sm_resources_fit(const struct sm_resources *have, const struct sm_resources *used,
                          const struct sm_resources *need) {
    uint64_t ctas = UINT64_MAX;
    for (unsigned i = 0; i < SM_RESOURCES; i++) {
        const uint64_t left = have->n[i] > used->n[i] ? have->n[i] - used->n[i] : 0;
        if (need->n[i] && left / need->n[i] < ctas)
            ctas = left / need->n[i];
    }
    return ctas;
}

void sm_resources_add(struct sm_resources *used, const struct sm_resources *need, int64_t n) {
    for (unsigned i = 0; i < SM_RESOURCES; i++)
        used->n[i] += (uint64_t)n * need->n[i];
}
