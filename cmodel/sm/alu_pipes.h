/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines of arithmetic (sm.ends_wait), as in GPGPU-Sim (simd_function_unit::can_issue,
 * shader_core_ctx::test_res_bus): of an SM, or with operand collectors of a scheduler. Arithmetic,
 * exits and barriers enter in order, one a cycle into each. Exits and barriers pass ALU_PIPES_GAP
 * stages less. One that would come out of its pipeline together with arithmetic that entered before
 * waits, and so does all that comes behind it.
 */
#ifndef MEMTWIN_SM_ALU_PIPES_H
#define MEMTWIN_SM_ALU_PIPES_H

#include <stdbool.h>
#include <stdint.h>

#define ALU_PIPES_MAX 8
/* GPGPU-Sim's latencies: 4 cycles of arithmetic, 1 of an exit or a barrier. */
#define ALU_PIPES_GAP 3
/* Without collectors: cycles for which instructions that have issued may wait. Six collectors of
 * arithmetic, from which two leave in a cycle (-gpgpu_operand_collector_num_units_sp). */
#define ALU_PIPES_WAITS 3

struct alu_pipes {
    uint32_t n;       /* pipelines; 0: nothing waits */
    uint64_t last;    /* cycle in which the last instruction entered */
    uint32_t entered; /* instructions that entered in that cycle */
    uint32_t ends;    /* exits and barriers that entered in that cycle */
    uint32_t alu;     /* nibble i: arithmetic that entered in cycle last - i */
};

/* Without collectors: an instruction may issue in this cycle. */
static inline bool alu_pipes_room(const struct alu_pipes *p, uint64_t cycle) {
    return p->last + (p->entered == p->n) <= cycle + ALU_PIPES_WAITS;
}

static inline void alu_pipes_move(struct alu_pipes *p, uint64_t cycle) {
    const uint64_t passed = cycle - p->last;
    p->alu = passed < 8 ? p->alu << 4 * passed : 0;
    p->entered = p->ends = 0;
    p->last = cycle;
}

/* The next instruction comes to the pipelines in this cycle; it is arithmetic, or an exit or a
 * barrier. Returns the cycle in which it enters one. */
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
