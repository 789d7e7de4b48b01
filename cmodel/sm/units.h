/* SPDX-License-Identifier: Apache-2.0 */
/* Execution units of an SM: arithmetic units of each scheduler and the shared memory, with the
 * results that are on their way.
 *
 * After an instruction a unit is busy for its interval: an arithmetic unit for the scheduler that
 * issued, the shared memory, of which an SM has one, for passes * interval cycles and for all. So
 * the results of a unit come back in the order of issue, unless they wait for registers
 * (units_write_later).
 */
#ifndef MEMTWIN_SM_UNITS_H
#define MEMTWIN_SM_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "lib/warp_set.h"
#include "kernel/kernel.h"

#define UNITS_MAX_SCHEDULERS 4
#define UNITS (WARP_SHARED + 1) /* by enum warp_op: WARP_ALU .. WARP_SHARED */
#define UNITS_MAX_PASSES 32

/* Registers that are ready in a known cycle. */
struct unit_result {
    uint64_t ready; /* SM cycle */
    uint32_t warp;  /* slot */
    struct reg_set regs;
};

struct unit {
    uint32_t latency, interval;          /* cycles */
    uint32_t head, count, capacity;      /* results */
    struct unit_result *result;          /* owned; ring, in order of `ready` */
    uint64_t free[UNITS_MAX_SCHEDULERS]; /* cycle from which that scheduler may issue to it */
};

struct units {
    struct unit unit[UNITS];
    uint64_t next; /* cycle of the earliest result; UINT64_MAX: none */
    /* Cycle from which no arithmetic unit of that scheduler is busy. */
    uint64_t all_free[UNITS_MAX_SCHEDULERS];
};

void units_init(struct units *u, const struct config *cfg);
void units_free(struct units *u);

/* Whether an instruction of that unit leaves it free for the scheduler's next cycle. */
static inline bool units_instant(const struct units *u, enum warp_op op) {
    return op != WARP_SHARED && u->unit[op].interval == 1;
}

/* An instruction of that unit issues; passes: of a shared-memory access, 1..32. */
void units_issue(struct units *u, enum warp_op op, uint32_t passes, uint32_t scheduler,
                 uint64_t cycle);
/* The instruction that issued last in this cycle, on that unit, will write these registers. */
void units_write(struct units *u, enum warp_op op, uint32_t passes, uint32_t warp,
                 const struct reg_set *regs, uint64_t cycle);
/* The same for arithmetic that issues in that cycle, in any order of cycles. */
void units_write_later(struct units *u, enum warp_op op, uint32_t warp, const struct reg_set *regs,
                       uint64_t cycle);
/* Takes the next result that is ready, or NULL. It stays good until the next units_write. */
const struct unit_result *units_take(struct units *u, uint64_t cycle);

/* The warps whose unit is busy for that scheduler; wants: the warps that want a unit next. */
static inline warp_set units_busy(const struct units *u, const warp_set wants[UNITS],
                                  uint32_t scheduler, uint64_t cycle) {
    warp_set busy = cycle < u->unit[WARP_SHARED].free[0] ? wants[WARP_SHARED] : 0;
    if (cycle >= u->all_free[scheduler])
        return busy;
    for (unsigned k = 0; k < WARP_SHARED; k++)
        if (cycle < u->unit[k].free[scheduler])
            busy |= wants[k];
    return busy;
}

/* The earliest cycle from `cycle` on in which one of the warps finds its unit free; there is one,
 * or none of them wants a unit: `cycle`. */
uint64_t units_free_from(const struct units *u, const warp_set wants[UNITS], warp_set warps,
                         uint32_t scheduler, uint64_t cycle);

#endif
