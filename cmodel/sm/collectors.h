/* SPDX-License-Identifier: Apache-2.0 */
/* Operand collectors (sm.collectors), which instructions of all kinds share, as in GPGPU-Sim's
 * sub-core model: each scheduler has its own.
 *
 * An instruction issues into the register of its scheduler and kind. From the next cycle on it gets
 * a collector of its scheduler: of each kind in the order of issue over all schedulers, so one that
 * finds none free holds up the others of its kind; arithmetic first, then SFU and FP64, then
 * memory. It leaves the collector when its operands are there and the register before its unit is
 * free: arithmetic at once, SFU and FP64 when the unit has taken the one before, a memory
 * instruction when the LSU has. So instructions that wait for their unit keep others from issuing.
 *
 * Of memory instructions that can leave, the one in the scheduler's first collector does: another
 * waits while that one is filled again and again (find_ready of GPGPU-Sim). Of the next one of each
 * scheduler the LSU takes the oldest, also while it reads operands. Unlike there, accesses to
 * global memory keep their order among themselves.
 *
 * Results and accesses are timed as without collectors if nothing is in the way.
 */
#ifndef MEMTWIN_SM_COLLECTORS_H
#define MEMTWIN_SM_COLLECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernel/kernel.h"
#include "sm/alu_pipes.h"
#include "sm/banks.h"
#include "sm/units.h"

#define COLLECTORS_MAX 8 /* of a scheduler */
#define COLLECT_NONE UINT32_MAX

enum collect_kind { COLLECT_ALU, COLLECT_SFU, COLLECT_MEMORY, COLLECT_KINDS };

/* An instruction that waits for a collector. */
struct collect_inst {
    enum warp_op op;
    uint32_t warp;      /* slot */
    struct reg_set src; /* registers that it reads */
    struct reg_set dst; /* registers that arithmetic writes; may be none */
};

/* A memory instruction that has got a collector, and that the LSU has not begun. */
struct collect_memory {
    uint32_t collector;
    uint32_t read;   /* cycles that its operands take */
    uint64_t since;  /* cycle in which it got the collector */
    uint64_t number; /* in the order of issue over all schedulers */
    bool shared;     /* an access to shared memory */
};

/* The arithmetic unit of a kind. */
struct collect_unit {
    uint64_t taken; /* cycle in which it took its last instruction, */
    uint64_t busy;  /* and cycles that it is busy with it */
};

/* The collectors of a scheduler. */
struct collect_part {
    struct collect_inst inst[COLLECT_KINDS]; /* in the registers */
    uint64_t free[COLLECTORS_MAX]; /* cycle from which it is free; UINT64_MAX: not known yet */
    struct collect_memory memory[COLLECTORS_MAX + 1]; /* in order of issue */
    uint32_t count;
    uint32_t left;     /* the instruction in the register before the LSU, or COLLECT_NONE */
    uint64_t lsu_free; /* cycle from which that register is free */
    struct collect_unit unit[COLLECT_MEMORY];
    struct bank_uses banks;
    struct alu_pipes pipes;
};

/* Schedulers whose register of a kind is taken, in order of issue. */
struct collect_queue {
    uint8_t scheduler[UNITS_MAX_SCHEDULERS];
    uint32_t count;
};

/* First what each cycle looks at, then the rest. */
struct collectors {
    uint32_t n; /* of a scheduler; 0: an instruction goes to its unit at once */
    struct collect_queue queue[COLLECT_KINDS];
    unsigned taken[UNITS_MAX_SCHEDULERS]; /* the same by scheduler; bit k: kind k */
    uint64_t numbers;                     /* memory instructions that have got a collector so far */
    struct collect_part part[UNITS_MAX_SCHEDULERS];
};

/* n: 0 to COLLECTORS_MAX. Of a scheduler: banks of registers, 0 to BANK_USES_MAX; pipelines of
 * arithmetic, 0 to ALU_PIPES_MAX. */
void collectors_init(struct collectors *c, uint32_t n, uint32_t banks, uint32_t pipes);

static inline enum collect_kind collect_kind_of(enum warp_op op) {
    if (op >= WARP_SHARED && op <= WARP_ATOMIC)
        return COLLECT_MEMORY;
    return op == WARP_SFU || op == WARP_FP64 ? COLLECT_SFU : COLLECT_ALU;
}

/* Some instruction waits for a collector. */
static inline bool collectors_waiting(const struct collectors *c) {
    return c->queue[COLLECT_ALU].count || c->queue[COLLECT_SFU].count ||
           c->queue[COLLECT_MEMORY].count;
}

/* The warp slot issues that instruction; its register is free. dst: see collect_inst. */
void collectors_put(struct collectors *c, uint32_t scheduler, uint32_t warp,
                    const struct warp_inst *inst, const struct reg_set *dst);
/* In that cycle, before its collectors_tick, registers of the warp slot are written. */
static inline void collectors_write(struct collectors *c, uint32_t scheduler, uint32_t warp,
                                    const struct reg_set *regs, uint64_t cycle) {
    if (c->part[scheduler].banks.n)
        bank_uses_write(&c->part[scheduler].banks, regs, warp, cycle);
}
/* Before the issue of a cycle: what waits gets collectors, and the results of arithmetic are noted
 * in `units`. Returns how many memory instructions have got one. moved: an instruction has. */
uint32_t collectors_tick(struct collectors *c, struct units *units, uint64_t cycle, bool *moved);
/* The LSU begins a memory instruction, of those that have got a collector. Returns how many of them
 * are older. */
uint32_t collectors_begin(struct collectors *c, uint64_t cycle);
/* The first cycle, from `cycle` on, in which collectors_tick does anything, if the LSU begins none
 * until then; UINT64_MAX: none. */
uint64_t collectors_next_event(const struct collectors *c, uint64_t cycle);
/* What waits for a collector, and the memory instructions that hold one: a line for each scheduler
 * that has any. */
void collectors_dump(const struct collectors *c, uint32_t sm, FILE *out);

#endif
