/* SPDX-License-Identifier: Apache-2.0 */
/* Operand collectors (sm.collectors), as in GPGPU-Sim's sub-core model. Each scheduler has its own
 * collectors, and instructions of all kinds share them.
 *
 * An instruction issues into its scheduler's register for its kind. From the next cycle on, it can
 * get a collector of its scheduler. Instructions of a kind get collectors in the order of issue
 * across all schedulers, so an instruction that finds no free collector blocks all later
 * instructions of its kind. In each cycle, arithmetic is served first, then SFU and FP64, then
 * memory. An instruction leaves its collector when its operands have been read and the register
 * before its unit is free. That register is always free for arithmetic. For SFU, FP64 and memory
 * instructions, it is free once the unit or the LSU has accepted the previous instruction.
 * Instructions that wait for their unit can therefore keep others from issuing.
 *
 * If several memory instructions of a scheduler can leave, the instruction in the lowest-numbered
 * collector leaves. The others wait even if that collector is refilled again and again (find_ready
 * in GPGPU-Sim). The LSU takes the oldest of the schedulers' next memory instructions, even if that
 * instruction is still reading operands. Unlike in GPGPU-Sim, accesses to global memory keep their
 * order among themselves; with sm.register_ports, loads may overtake loads.
 *
 * If there are no conflicts, results and accesses have the same timing as without collectors.
 *
 * With sm.register_ports, the collectors run in steps (collect_steps.c), as many per cycle. In a
 * step, instructions that have read their operands leave to the registers before their units, each
 * bank serves the read of the oldest instruction that waits for it, and waiting instructions get
 * collectors. Writes have precedence over the reads of a cycle's first step. Of a scheduler's
 * instructions for a unit, that in the lowest collector leaves first: another one can starve.
 * Kinds of arithmetic that have units of their own also have registers of their own. */
#ifndef MEMTWIN_SM_COLLECTORS_H
#define MEMTWIN_SM_COLLECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernel/kernel.h"
#include "sm/alu_pipes.h"
#include "sm/banks.h"
#include "sm/units.h"

#define COLLECTORS_MAX 8 /* maximum number of collectors per scheduler */
#define COLLECT_NONE UINT32_MAX

/* Kinds in the order in which they are served. Only steps have those after COLLECT_MEMORY. */
enum collect_kind {
    COLLECT_ALU,
    COLLECT_SFU,
    COLLECT_MEMORY,
    COLLECT_FP64,
    COLLECT_INT,
    COLLECT_BRANCH,
    COLLECT_TEXTURE,
    COLLECT_TENSOR,
    COLLECT_UNIFORM,
    COLLECT_KINDS
};

/* Instruction that waits for a collector. */
struct collect_inst {
    enum warp_op op;
    uint32_t warp;      /* warp slot */
    struct reg_set src; /* registers that the instruction reads */
    struct reg_set dst; /* registers that arithmetic writes; may be empty */
    uint8_t unit;       /* number of its unit, and the cycles that it keeps the unit busy (steps) */
    uint8_t interval;
};

/* Collector in use (steps). */
struct collect_slot {
    uint8_t kind;   /* enum collect_kind */
    uint64_t reads; /* byte b: number of registers still to read from bank b */
    struct collect_inst inst;
};

/* Memory instruction in a collector that the LSU has not begun. */
struct collect_memory {
    uint32_t collector;
    uint32_t read;   /* number of cycles to read its operands */
    uint64_t since;  /* cycle in which it got the collector */
    uint64_t number; /* position in the order of issue across all schedulers */
    bool shared;     /* true for an access to shared memory */
    bool load;       /* true for a load, which may leave before older loads (steps) */
};

/* Arithmetic unit of a kind. */
struct collect_unit {
    uint64_t last_take; /* cycle in which it accepted its last instruction */
    uint64_t busy;      /* number of cycles for which that instruction keeps it busy */
};

/* Collectors of a scheduler. The fields used in each cycle come first. */
struct collect_part {
    uint32_t count;    /* number of instructions in `memory` */
    uint32_t left;     /* index in `memory` of the instruction in the register before the LSU, or
                          COLLECT_NONE */
    uint64_t lsu_free; /* first cycle in which the register before the LSU is free */
    /* Steps. */
    uint64_t order;   /* numbers of the collectors in use, one per byte, the oldest in the lowest */
    uint32_t n_held;  /* number of collectors in use */
    unsigned held;    /* set of collectors in use, one bit each */
    unsigned begun;   /* set of collectors with an instruction that the LSU has begun */
    unsigned reading; /* set of collectors that have operands to read */
    unsigned full_outs;   /* bit k is 1 if the register before the unit of kind k is occupied */
    unsigned ready_kinds; /* bit k is 1 if ready[k] is not empty */
    uint8_t ready[COLLECT_KINDS]; /* for each kind, set of collectors with an instruction of the
                                     kind that has read its operands */
    uint64_t written;             /* byte b is not 0 if bank b is written in cycle `written_in` */
    uint64_t written_in;
    uint64_t accepts[COLLECT_KINDS]; /* first cycle in which the unit accepts an instruction */
    struct collect_slot slot[COLLECTORS_MAX];
    struct collect_inst out[COLLECT_KINDS]; /* instruction in the register before the unit */
    /* All models. */
    struct collect_memory memory[COLLECTORS_MAX + 1]; /* in order of issue */
    struct collect_inst inst[COLLECT_KINDS]; /* waiting instruction in the register of each kind */
    /* Without steps. */
    uint64_t free[COLLECTORS_MAX]; /* for each collector, the first cycle in which it is free;
                                      UINT64_MAX if not known yet */
    struct collect_unit unit[COLLECT_MEMORY];
    struct bank_uses banks;
    struct alu_pipes pipes;
};

/* Schedulers with an occupied register of a kind, in order of issue. */
struct collect_queue {
    uint8_t scheduler[UNITS_MAX_SCHEDULERS];
    uint32_t count;
};

/* The fields used in each cycle come first. */
struct collectors {
    uint32_t n; /* number of collectors per scheduler; if 0, instructions go directly to their
                   units */
    struct collect_queue queue[COLLECT_KINDS];
    unsigned full_kinds[UNITS_MAX_SCHEDULERS]; /* for each scheduler, bit k is 1 if the register of
                                                  kind k is occupied */
    uint32_t steps;   /* number of steps per cycle; 0 if collectors are timed on allocation */
    unsigned waiting; /* bit k is 1 if an instruction of kind k waits for a collector (steps) */
    uint64_t next;    /* first cycle in which a step may change anything */
    /* Sets of schedulers, one bit each. */
    unsigned held;   /* schedulers with a collector in use (steps) */
    unsigned outs;   /* schedulers with an occupied register before a unit (steps) */
    unsigned memory; /* schedulers with a memory instruction that the LSU has not begun */
    uint32_t ended;  /* number of exits that their unit has accepted in this cycle */
    uint8_t ended_warp[UNITS_MAX_SCHEDULERS];
    uint64_t numbers; /* number of memory instructions that have received a collector so far */
    uint32_t writes;  /* number of stores and atomics in collectors that the LSU has not begun */
    struct collect_part part[UNITS_MAX_SCHEDULERS];
};

/* Creates n collectors (1 to COLLECTORS_MAX) and `banks` register banks (0 to BANK_USES_MAX) per
 * scheduler. With steps, there are banks. */
void collectors_init(struct collectors *c, uint32_t n, uint32_t banks, uint32_t steps);

static inline enum collect_kind collect_kind_of(enum warp_op op) {
    if (op >= WARP_SHARED && op <= WARP_ATOMIC)
        return COLLECT_MEMORY;
    return op == WARP_SFU || op == WARP_FP64 ? COLLECT_SFU : COLLECT_ALU;
}

/* Returns the kind of an instruction, by the units that the machine has. */
static inline enum collect_kind collect_kind_in(const struct units *u,
                                                const struct warp_inst *inst) {
    if (u->n == UNITS_OF_OPS || inst->op == WARP_SFU || collect_kind_of(inst->op) == COLLECT_MEMORY)
        return collect_kind_of(inst->op);
    if (inst->op == WARP_FP64)
        return u->kind_unit[UNIT_INT] == WARP_ALU ? COLLECT_SFU : COLLECT_FP64;
    static const uint8_t kind[UNIT_UNIFORM + 1] = {
        [UNIT_INT] = COLLECT_INT,         [UNIT_BRANCH] = COLLECT_BRANCH,
        [UNIT_TEXTURE] = COLLECT_TEXTURE, [UNIT_TENSOR] = COLLECT_TENSOR,
        [UNIT_UNIFORM] = COLLECT_UNIFORM,
    };
    const uint8_t unit = u->kind_unit[inst->op == WARP_ALU ? inst->unit : UNIT_INT];
    return unit == WARP_ALU ? COLLECT_ALU : kind[unit - UNITS_OF_OPS];
}

/* True if collectors_tick() may change anything in this cycle. */
static inline bool collectors_waiting(const struct collectors *c, uint64_t cycle) {
    if (c->steps)
        return c->next <= cycle;
    return c->queue[COLLECT_ALU].count || c->queue[COLLECT_SFU].count ||
           c->queue[COLLECT_MEMORY].count;
}

/* Issues an instruction of the warp slot into the register of its kind, which must be free. `dst`
 * contains the registers that an arithmetic instruction writes. */
void collectors_put(struct collectors *c, uint32_t scheduler, uint32_t warp, enum collect_kind kind,
                    const struct units *units, const struct warp_inst *inst,
                    const struct reg_set *dst);
/* ---- steps (collect_steps.c) ---- */

/* Returns the number of the oldest store or atomic in collectors, or UINT64_MAX. Loads after it
 * wait for it. */
uint64_t collectors_oldest_write(const struct collectors *c);
/* True if no older instruction of the part keeps instruction i of `memory` in its collector.
 * `write` is the number of the oldest store or atomic in all collectors. */
static inline bool collectors_may_leave(const struct collect_part *p, uint32_t i, uint64_t write) {
    const struct collect_memory *m = &p->memory[i];
    if (m->shared || (m->load && m->number < write))
        return true;
    while (i && p->memory[i - 1].shared)
        i--;
    return i == 0 && !m->load;
}
void collect_steps_write(struct collect_part *p, const struct reg_set *regs, uint32_t warp,
                         uint64_t cycle);
uint32_t collect_steps_tick(struct collectors *c, struct units *units, uint64_t cycle,
                            bool *has_moved);

/* ---- */

/* Records that registers of the warp slot are written in `cycle`. Call it before
 * collectors_tick() for that cycle. */
static inline void collectors_write(struct collectors *c, uint32_t scheduler, uint32_t warp,
                                    const struct reg_set *regs, uint64_t cycle) {
    if (c->steps)
        collect_steps_write(&c->part[scheduler], regs, warp, cycle);
    else if (c->part[scheduler].banks.n)
        bank_uses_write(&c->part[scheduler].banks, regs, warp, cycle);
}
/* Assigns collectors to waiting instructions, before the issue of a cycle, and records the
 * results of arithmetic in `units`. Returns the number of memory instructions that got a
 * collector. Sets *has_moved to true if any instruction got a collector, or else to false. */
uint32_t collectors_tick(struct collectors *c, struct units *units, uint64_t cycle,
                         bool *has_moved);
/* Chooses the memory instruction that the LSU begins next, and removes it from the collectors. Sets
 * *older to the number of older memory instructions in collectors. Without steps, some instruction
 * must have a collector; with steps, returns false if no instruction will have read its operands in
 * time. */
bool collectors_begin(struct collectors *c, uint64_t cycle, uint32_t *older);
/* Returns the first cycle, from `cycle` on, in which collectors_tick() changes state if the LSU
 * begins no instruction until then. Returns UINT64_MAX if there is none. */
uint64_t collectors_next_event(const struct collectors *c, uint64_t cycle);
/* Prints the instructions that wait for a collector and the memory instructions in collectors, one
 * line per scheduler that has any. */
void collectors_dump(const struct collectors *c, uint32_t sm, FILE *out);

#endif
