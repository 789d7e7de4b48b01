// SPDX-License-Identifier: Apache-2.0
#include "sm/addresses.h"

#include <stdlib.h>

#include "lib/alloc.h"

struct held_access {
    bool waits;
    struct warp_inst inst;
};

void addresses_init(struct addresses *a, const struct config *cfg) {
    *a = (struct addresses){.insts = (uint32_t)cfg->sm_address_insts};
    if (a->insts)
        a->held = alloc_zeroed((size_t)cfg->sm_warps, sizeof *a->held);
}

void addresses_free(struct addresses *a) {
    free(a->held);
}

void addresses_clear(struct addresses *a, uint32_t slot) {
    if (a->insts)
        a->held[slot].waits = false;
}

bool addresses_next(struct addresses *a, uint32_t slot, struct warp_inst *inst) {
    struct held_access *held = &a->held[slot];
    if (!held->waits)
        return false;
    held->waits = false;
    *inst = held->inst;
    return true;
}

/* True if the access needs address arithmetic. Instructions from a trace have a pc, and the
 * trace already contains the arithmetic. */
static bool wants_address(const struct warp_inst *inst) {
    const bool lanes = inst->op == WARP_LOAD || inst->op == WARP_STORE || inst->op == WARP_ATOMIC;
    return !inst->has_pc && (inst->op == WARP_SHARED || (lanes && inst->space == SPACE_GLOBAL));
}

void addresses_before(struct addresses *a, uint32_t slot, struct warp_inst *inst) {
    static const struct reg_set address = {
        {[ADDRESS_REGISTER / 64] = UINT64_C(1) << ADDRESS_REGISTER % 64}};
    static const struct reg_set none;
    if (!wants_address(inst))
        return;
    struct held_access *held = &a->held[slot];
    /* A load uses all its source registers for the address. Other accesses may also read data, so
     * their address arithmetic has no source registers. */
    const struct reg_set src = inst->op == WARP_LOAD ? inst->src : none;
    *held = (struct held_access){.waits = true, .inst = *inst};
    regs_add(&held->inst.src, &address);
    const uint32_t run = inst->repeat ? inst->repeat : 1;
    *inst = (struct warp_inst){.op = WARP_ALU,
                               .mask = held->inst.mask,
                               .repeat = a->insts * run,
                               .src = src,
                               .dst = address};
}
