/* SPDX-License-Identifier: Apache-2.0 */
/* Adds address arithmetic: the integer instructions that a compiler places before an access to
 * global or shared memory, and that the built-in workloads omit (sm.address_insts). */
#ifndef MEMTWIN_SM_ADDRESSES_H
#define MEMTWIN_SM_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"

/* Register that links address arithmetic to its access. CUDA threads never use it. */
#define ADDRESS_REGISTER (WARP_REGS - 1)

struct addresses {
    uint32_t insts; /* number of instructions before each access; if 0, `held` is unused */
    struct held_access *held; /* owned; for each warp slot, the access that is held back */
};

void addresses_init(struct addresses *a, const struct config *cfg);
void addresses_free(struct addresses *a);

/* Clears the state for a new warp in the slot. */
void addresses_clear(struct addresses *a, uint32_t slot);

/* If an access of the slot is held back, moves it to *inst and returns true. Otherwise returns
 * false. */
bool addresses_next(struct addresses *a, uint32_t slot, struct warp_inst *inst);

/* If *inst, the kernel's next instruction, accesses global or shared memory, holds the access
 * back and replaces *inst with its address arithmetic. The arithmetic for a run covers all
 * accesses of the run. */
void addresses_before(struct addresses *a, uint32_t slot, struct warp_inst *inst);

#endif
