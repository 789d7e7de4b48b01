/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM has for CTAs, what a CTA needs of it, and how many of a kernel fit. */
#ifndef MEMTWIN_SM_OCCUPANCY_H
#define MEMTWIN_SM_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"

enum { REGISTERS_TRACES, REGISTERS_ALL }; /* sm.registers_of */

enum sm_resource { RES_CTAS, RES_WARPS, RES_THREADS, RES_REGISTERS, RES_SHARED, SM_RESOURCES };

struct sm_resources {
    uint64_t n[SM_RESOURCES];
};

/* "threads (of whole warps)", and the key that says how many there are: "sm.threads". */
extern const char *const sm_resource_unit[SM_RESOURCES];
extern const char *const sm_resource_key[SM_RESOURCES];

/* What the SM has. Registers without a limit: UINT64_MAX. */
struct sm_resources sm_resources_of(const struct config *cfg);

/* What a CTA of the launch needs. Its threads count as whole warps, and its registers are given to
 * a warp in units of sm.register_unit (CUDA occupancy calculator, "register allocation unit size").
 * Returns 0, or -1 if the SM has not even that: one line in err that names the kernel, what it
 * needs and the limit. */
int sm_resources_needed(const struct config *cfg, const struct kernel_launch *launch,
                        struct sm_resources *need, char *err, size_t err_size);

/* How many CTAs that need so much fit into `have` beside what is used. */
uint64_t sm_resources_fit(const struct sm_resources *have, const struct sm_resources *used,
                          const struct sm_resources *need);

/* *used += n * need; n may be negative. */
void sm_resources_add(struct sm_resources *used, const struct sm_resources *need, int64_t n);

#endif
