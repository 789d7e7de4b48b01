/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the resources of an SM, the resources that a CTA needs, and the number of CTAs that
 * fit. */
#ifndef MEMTWIN_SM_OCCUPANCY_H
#define MEMTWIN_SM_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"

enum { SM_REGISTER_SOURCE_VALUES(VALUE_ENUMERATOR) }; /* values of sm.register_source */

enum sm_resource { RES_CTAS, RES_WARPS, RES_REGISTERS, RES_SHARED, SM_RESOURCES };

struct sm_resources {
    uint64_t n[SM_RESOURCES];
};

/* For each resource, its unit, for example "warps", and the key that limits it, for example
 * "sm.warps". */
extern const char *const sm_resource_unit[SM_RESOURCES];
extern const char *const sm_resource_key[SM_RESOURCES];

/* Returns the resources of the SM. If registers are unlimited, their number is UINT64_MAX. */
struct sm_resources sm_resources_of(const struct config *cfg);

/* Computes the resources that a CTA of the launch needs. The CTA's threads are rounded up to whole
 * warps, and the registers of each warp to a multiple of sm.register_unit (CUDA occupancy
 * calculator, "register allocation unit size"). Returns 0, or -1 if the SM cannot hold even one
 * CTA, with one line in err that names the kernel, its need and the limit. */
int sm_resources_needed(const struct config *cfg, const struct kernel_launch *launch,
                        struct sm_resources *need, struct error *err);

/* Returns the number of further CTAs that fit into `have` if `used` is already occupied. */
uint64_t sm_resources_fit(const struct sm_resources *have, const struct sm_resources *used,
                          const struct sm_resources *need);

/* Adds n * need to *used. n may be negative. */
void sm_resources_add(struct sm_resources *used, const struct sm_resources *need, int64_t n);

#endif
