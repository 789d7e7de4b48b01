/* SPDX-License-Identifier: Apache-2.0 */
/* Address arithmetic: the integer instructions that a compiler puts before an access of global or
 * shared memory, and that the built-in workloads leave out (sm.address_insts). */
#ifndef MEMTWIN_SM_ADDRESSES_H
#define MEMTWIN_SM_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "kernel/kernel.h"

/* That they write and the access waits for: CUDA gives no thread this register. */
#define ADDRESS_REGISTER (WARP_REGS - 1)

struct addresses {
    uint32_t insts;           /* before each access; 0: none, and the rest is unused */
    struct held_access *held; /* owned; per warp slot: the access behind them */
};

void addresses_init(struct addresses *a, const struct config *cfg);
void addresses_free(struct addresses *a);

/* A warp begins in the slot. */
void addresses_clear(struct addresses *a, uint32_t slot);

/* Whether the access behind the slot's last instruction is next; then it is in *inst. */
bool addresses_next(struct addresses *a, uint32_t slot, struct warp_inst *inst);

/* *inst is what the kernel has next. If it accesses global or shared memory it is kept, and *inst
 * becomes what computes its address; of a run of accesses, their addresses. */
void addresses_before(struct addresses *a, uint32_t slot, struct warp_inst *inst);

#endif
