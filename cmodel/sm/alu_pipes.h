/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic pipelines (sm.model=gpgpusim), as in GPGPU-Sim (simd_function_unit::can_issue,
 * shader_core_ctx::test_res_bus). Each scheduler has one if there are operand collectors.
 * Otherwise the schedulers share the pipelines of the SM. Arithmetic, exits and barriers enter in
 * order, one per cycle and pipeline. Exits and barriers pass through ALU_PIPES_GAP fewer stages
 * than arithmetic. An exit or barrier that would leave its pipeline together with earlier
 * arithmetic waits and blocks all later instructions. */
#ifndef MEMTWIN_SM_ALU_PIPES_H
#define MEMTWIN_SM_ALU_PIPES_H

#include <stdbool.h>
#include <stdint.h>

/* Difference between two latencies in GPGPU-Sim: 4 cycles for arithmetic, and 1 cycle for an
 * exit or barrier. */
#define ALU_PIPES_GAP 3
/* Maximum number of cycles that issued instructions wait if there are no collectors: GPGPU-Sim has
 * six collectors for arithmetic (-gpgpu_operand_collector_num_units_sp), and two instructions leave
 * them per cycle. */
#define ALU_PIPES_WAITS 3

struct alu_pipes {
    uint32_t n;       /* number of pipelines; 0 for no delay */
    uint64_t last;    /* cycle in which the last instruction entered */
    uint32_t entered; /* number of instructions that entered in cycle `last` */
    uint32_t ends;    /* number of exits and barriers among these instructions */
    uint32_t alu; /* nibble i: number of arithmetic instructions that entered in cycle last - i */
};

/* True if an instruction may issue in this cycle. Call it only if there are no collectors. */
static inline bool alu_pipes_room(const struct alu_pipes *p, uint64_t cycle) {
    return p->last + (p->entered == p->n) <= cycle + ALU_PIPES_WAITS;
}

static inline void alu_pipes_move(struct alu_pipes *p, uint64_t cycle) {
    const uint64_t passed = cycle - p->last;
    p->alu = passed < 8 ? p->alu << 4 * passed : 0;
    p->entered = p->ends = 0;
    p->last = cycle;
}

/* Handles the next instruction that reaches the pipelines in `cycle`. It is arithmetic if
 * `alu` is true, or else an exit or barrier. Returns the cycle in which the instruction enters a
 * pipeline. */
static inline uint64_t alu_pipes_enter(struct alu_pipes *p, bool alu, uint64_t cycle) {
    if (cycle > p->last)
        alu_pipes_move(p, cycle);
    else if (p->entered == p->n)
        alu_pipes_move(p, p->last + 1);
    while (!alu && (p->alu >> 4 * ALU_PIPES_GAP & 15) + p->ends >= p->n)
        alu_pipes_move(p, p->last + 1);
    p->entered++;
    p->alu += alu;
    p->ends += !alu;
    return p->last;
}

#endif
