/* SPDX-License-Identifier: Apache-2.0 */
/* How many CTAs of a kernel an SM holds at once. */
#ifndef MEMTWIN_SM_OCCUPANCY_H
#define MEMTWIN_SM_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"

/* Registers are given to a warp in units of this many, as compute capability 3.0 and later do
 * (CUDA occupancy calculator, "register allocation unit size"). */
#define OCCUPANCY_REGISTER_UNIT 256

struct occupancy {
    uint32_t warps; /* of a CTA */
    uint32_t ctas;  /* resident at most */
};

/* The tightest of sm.ctas, sm.warps, sm.threads, sm.registers and sm.shared_kib. A CTA's threads
 * count as whole warps. Returns 0, or -1 if not even one CTA fits: one line in err that names the
 * kernel, what it needs and the limit. */
int occupancy_of(const struct config *cfg, const struct kernel_launch *launch,
                 struct occupancy *occupancy, char *err, size_t err_size);

#endif
