/* SPDX-License-Identifier: Apache-2.0 */
/* Execution units of an SM: the arithmetic units of each scheduler, and the shared memory, with
 * their results in flight.
 *
 * After an instruction, a unit is busy for its interval. An arithmetic unit is busy only for the
 * scheduler that issued the instruction. The SM's single shared memory is busy for all
 * schedulers, for passes * interval cycles. A unit's latency is fixed, apart from the passes,
 * during which the unit is busy. Therefore, its results return in the order of issue, except
 * results that wait for operands (units_write_later). */
#ifndef MEMTWIN_SM_UNITS_H
#define MEMTWIN_SM_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "lib/ring.h"
#include "lib/warp_set.h"
#include "kernel/kernel.h"

#define UNITS_MAX_SCHEDULERS 4
#define UNITS_OF_OPS (WARP_SHARED + 1) /* units with the number of an enum warp_op */
#define UNITS (UNITS_OF_OPS + UNIT_UNIFORM - UNIT_INT + 1) /* and a unit per enum warp_unit */
#define UNITS_MAX_PASSES 32

/* Registers that become ready in a known cycle. */
struct unit_result {
    uint64_t ready; /* SM cycle */
    uint32_t warp;  /* warp slot */
    struct reg_set regs;
    bool atomic; /* true if it frees the warp, which waits for an atomic in shared memory */
};

struct unit {
    uint32_t latency, interval;          /* in cycles */
    RING(struct unit_result) results;    /* in order of `ready`; grows */
    uint64_t free[UNITS_MAX_SCHEDULERS]; /* for each scheduler, the first cycle in which it may
                                            issue to the unit */
};

struct units {
    struct unit unit[UNITS];
    uint32_t n;    /* number of units that may have results: UNITS_OF_OPS, or UNITS */
    uint64_t next; /* SM cycle of the earliest result, or UINT64_MAX if there is none */
    /* For each scheduler, the first cycle in which no arithmetic unit is busy for it. */
    uint64_t all_free[UNITS_MAX_SCHEDULERS];
    /* Number of the unit of each enum warp_unit. Several kinds may have one unit. */
    uint8_t kind_unit[UNIT_UNIFORM + 1];
};

/* Reads "LATENCY,INTERVAL" in cycles, 1..1000 and 1..64, as in sm.alu. Returns false if the text is
 * malformed. */
bool units_read(const char *text, uint32_t *latency, uint32_t *interval);
/* As units_read(), for a unit that a machine may lack. "none" has latency 0. */
bool units_read_own(const char *text, uint32_t *latency, uint32_t *interval);
void units_init(struct units *u, const struct config *cfg);
void units_free(struct units *u);

/* True if an instruction keeps the unit busy for only one cycle, so that the unit is free again
 * in the scheduler's next cycle. */
static inline bool units_instant(const struct units *u, enum warp_op op) {
    return op != WARP_SHARED && u->unit[op].interval == 1;
}

/* Issues an instruction to the unit for `op`. `passes` is 1 to 32 for a shared-memory access,
 * and is ignored otherwise. */
void units_issue(struct units *u, enum warp_op op, uint32_t passes, uint32_t scheduler,
                 uint64_t cycle);
/* Schedules the write of `regs` by the last instruction issued to unit number `unit` in this
 * cycle. Returns the result, whose other fields may be set until the next call. */
struct unit_result *units_write(struct units *u, uint32_t unit, uint32_t passes, uint32_t warp,
                                const struct reg_set *regs, uint64_t cycle);
/* Schedules the write of `regs` by an arithmetic instruction that issues in `cycle`. Calls may
 * be in any order of cycles. */
void units_write_later(struct units *u, enum warp_op op, uint32_t warp, const struct reg_set *regs,
                       uint64_t cycle);
/* Removes and returns the next ready result, or returns NULL. The result is valid until the next
 * units_write(). */
const struct unit_result *units_take(struct units *u, uint64_t cycle);

/* Returns the warps that need a unit that is busy for the scheduler. `wants` has, for each unit,
 * the warps with a next instruction for it. */
static inline warp_set units_busy(const struct units *u, const warp_set *wants, uint32_t scheduler,
                                  uint64_t cycle) {
    warp_set busy = cycle < u->unit[WARP_SHARED].free[0] ? wants[WARP_SHARED] : 0;
    if (cycle >= u->all_free[scheduler])
        return busy;
    for (unsigned k = 0; k < WARP_SHARED; k++)
        if (cycle < u->unit[k].free[scheduler])
            busy |= wants[k];
    return busy;
}

/* Returns the earliest cycle, from `cycle` on, in which the unit of one of the warps is free.
 * Returns `cycle` if one of the warps needs no unit. */
uint64_t units_free_from(const struct units *u, const warp_set *wants, warp_set warps,
                         uint32_t scheduler, uint64_t cycle);

#endif
