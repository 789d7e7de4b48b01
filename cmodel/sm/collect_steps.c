// SPDX-License-Identifier: Apache-2.0
/* Steps of the operand collectors (sm.register_ports), as in GPGPU-Sim (opndcoll_rfu_t::step). The
 * order of memory instructions, and what the LSU takes, are in collectors.c. */
#include <assert.h>
#include <string.h>

#include "lib/bits.h"
#include "sm/collectors.h"

#define NEVER UINT64_MAX
#define BYTES UINT64_C(0x0101010101010101)

/* Number of cycles from issue to the unit, without conflicts, of an instruction with operands. The
 * latencies begin at issue. */
#define TO_UNIT 3

/* Returns 1 in each byte that is not 0. Bytes are below 128. */
static uint64_t nonzero_bytes(uint64_t x) {
    return (x + 127 * BYTES) >> 7 & BYTES;
}

/* Returns one read, in the byte of its bank, for each register. */
static uint64_t reads_of(const struct collect_part *p, const struct reg_set *regs, uint32_t warp) {
    uint64_t reads = 0;
    uint32_t r;
    for (struct reg_set left = *regs; banks_next_reg(&left, &r);)
        reads += UINT64_C(1) << 8 * ((r + warp) % p->banks.n);
    return reads;
}

void collect_steps_write(struct collect_part *p, const struct reg_set *regs, uint32_t warp,
                         uint64_t cycle) {
    const uint64_t written = nonzero_bytes(reads_of(p, regs, warp));
    p->written = p->written_in == cycle ? p->written | written : written;
    p->written_in = cycle;
}

/* ---- units ---- */

/* Passes the instruction before the unit of a kind to the unit. */
static void enter_unit(struct collectors *c, struct collect_part *p, unsigned kind,
                       struct units *units, uint64_t cycle) {
    const struct collect_inst *inst = &p->out[kind];
    p->full_outs &= ~(1u << kind);
    p->accepts[kind] = cycle + inst->interval;
    if (inst->op == WARP_EXIT)
        c->ended_warp[c->ended++] = (uint8_t)inst->warp;
    else if (!regs_none(&inst->dst))
        units_write(units, inst->unit, 1, inst->warp, &inst->dst, cycle - TO_UNIT);
}

static bool enter_units(struct collectors *c, struct collect_part *p, struct units *units,
                        uint64_t cycle) {
    bool moves = false;
    for (unsigned left = p->full_outs; left; left &= left - 1) {
        const unsigned kind = bits_lowest(left);
        if (p->accepts[kind] > cycle)
            continue;
        enter_unit(c, p, kind, units, cycle);
        moves = true;
    }
    return moves;
}

/* ---- collectors ---- */

static void free_slot(struct collect_part *p, uint32_t i) {
    uint32_t at = 0;
    p->slot[i].held = false;
    while (p->order[at] != i)
        at++;
    memmove(p->order + at, p->order + at + 1, --p->held - at);
}

/* Returns the index in `memory` of the instruction in collector i, if it may leave: accesses to
 * global memory keep their order. Otherwise returns COLLECT_NONE. */
static uint32_t find_memory(const struct collect_part *p, uint32_t i) {
    bool global = false;
    for (uint32_t k = 0; k < p->count; k++) {
        const struct collect_memory *m = &p->memory[k];
        if (m->collector == i)
            return m->shared || !global ? k : COLLECT_NONE;
        global |= !m->shared;
    }
    return COLLECT_NONE;
}

/* Moves the memory instruction in collector i to the register before the LSU, if it can leave. */
static bool leave_to_lsu(struct collect_part *p, uint32_t i, uint64_t cycle) {
    if (p->slot[i].begun)
        return true;
    if (p->left != COLLECT_NONE || p->lsu_free > cycle)
        return false;
    p->left = find_memory(p, i);
    return p->left != COLLECT_NONE;
}

/* Moves the arithmetic instruction in collector i to the register before its unit, if it is free.
 */
static bool leave_to_unit(struct collect_part *p, uint32_t i) {
    const struct collect_slot *slot = &p->slot[i];
    if (p->full_outs >> slot->kind & 1)
        return false;
    p->full_outs |= 1u << slot->kind;
    p->out[slot->kind] = slot->inst;
    return true;
}

static bool leave_slots(struct collect_part *p, uint32_t n, uint64_t cycle) {
    bool moves = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct collect_slot *slot = &p->slot[i];
        if (!slot->held || slot->reads ||
            !(slot->kind == COLLECT_MEMORY ? leave_to_lsu(p, i, cycle) : leave_to_unit(p, i)))
            continue;
        free_slot(p, i);
        moves = true;
    }
    return moves;
}

/* Records that the memory instruction in collector i leaves in `cycle`. */
static void set_leaves(struct collect_part *p, uint32_t i, uint64_t cycle) {
    for (struct collect_memory *m = p->memory; m < p->memory + p->count; m++)
        if (m->collector == i && cycle > m->since)
            m->read = (uint32_t)(cycle - m->since);
}

/* Lets each bank outside `busy` serve a read. The next step is in cycle `next`. */
static bool read_banks(struct collect_part *p, uint64_t busy, uint64_t next) {
    bool moves = false;
    for (uint32_t k = 0; k < p->held; k++) {
        struct collect_slot *slot = &p->slot[p->order[k]];
        if (!slot->reads)
            continue;
        const uint64_t served = nonzero_bytes(slot->reads) & ~busy;
        slot->reads -= served;
        busy |= served;
        moves |= served != 0;
        if (!slot->reads && slot->kind == COLLECT_MEMORY)
            set_leaves(p, p->order[k], next);
    }
    return moves;
}

/* Returns the greatest byte of x in which `bytes` is not 0. */
static uint32_t greatest(uint64_t x, uint64_t bytes) {
    uint32_t most = 0;
    for (; bytes; bytes >>= 8, x >>= 8)
        if (bytes & 255 && (x & 255) > most)
            most = x & 255;
    return most;
}

/* Foresees when memory instructions that still read will leave, without further writes, if the next
 * step is the first one of cycle `next`. */
static void foresee_leaves(struct collect_part *p, uint32_t steps, uint64_t next) {
    uint64_t reads = 0;
    for (uint32_t k = 0; k < p->held; k++) {
        const struct collect_slot *slot = &p->slot[p->order[k]];
        reads += slot->reads;
        if (slot->reads && slot->kind == COLLECT_MEMORY)
            set_leaves(p, p->order[k], next + greatest(reads, slot->reads) / steps);
    }
}

static uint32_t find_slot(const struct collectors *c, const struct collect_part *p) {
    uint32_t i = 0;
    while (i < c->n && p->slot[i].held)
        i++;
    return i;
}

/* Assigns a collector to the first waiting instruction of the kind. Returns false if its scheduler
 * has no free collector. */
static bool take_slot(struct collectors *c, unsigned kind, uint64_t cycle) {
    struct collect_queue *q = &c->queue[kind];
    const uint32_t scheduler = q->scheduler[0];
    struct collect_part *p = &c->part[scheduler];
    const uint32_t i = find_slot(c, p);
    if (i == c->n)
        return false;
    const struct collect_inst *inst = &p->inst[kind];
    p->slot[i] = (struct collect_slot){.held = true,
                                       .kind = (uint8_t)kind,
                                       .reads = reads_of(p, &inst->src, inst->warp),
                                       .inst = *inst};
    p->order[p->held++] = (uint8_t)i;
    if (kind == COLLECT_MEMORY)
        p->memory[p->count++] = (struct collect_memory){.collector = i,
                                                        .read = 1,
                                                        .since = cycle,
                                                        .number = c->numbers++,
                                                        .shared = inst->op == WARP_SHARED};
    c->full_kinds[scheduler] &= ~(1u << kind);
    memmove(q->scheduler, q->scheduler + 1, --q->count * sizeof *q->scheduler);
    if (!q->count)
        c->waiting &= ~(1u << kind);
    return true;
}

/* Assigns collectors to waiting instructions. Returns the number of memory instructions. */
static uint32_t take_slots(struct collectors *c, uint64_t cycle, bool *moves) {
    uint32_t memory = 0;
    for (unsigned kinds = c->waiting, left = 0; kinds; kinds = left, left = 0)
        for (; kinds; kinds &= kinds - 1) {
            const unsigned kind = bits_lowest(kinds);
            if (!take_slot(c, kind, cycle))
                continue;
            memory += kind == COLLECT_MEMORY;
            left |= c->waiting & 1u << kind;
            *moves = true;
        }
    return memory;
}

/* ---- a cycle ---- */

/* Returns the first cycle after `cycle` in which a unit or the LSU accepts an instruction, if
 * nothing moves before. */
static uint64_t next_accept(const struct collectors *c, uint64_t cycle) {
    uint64_t next = NEVER;
    for (const struct collect_part *p = c->part; p < c->part + UNITS_MAX_SCHEDULERS; p++) {
        for (unsigned left = p->full_outs; left; left &= left - 1)
            if (p->accepts[bits_lowest(left)] < next)
                next = p->accepts[bits_lowest(left)];
        if (p->count && p->left == COLLECT_NONE && p->lsu_free > cycle && p->lsu_free < next)
            next = p->lsu_free;
    }
    return next;
}

uint32_t collect_steps_tick(struct collectors *c, struct units *units, uint64_t cycle,
                            bool *has_moved) {
    struct collect_part *const end = c->part + UNITS_MAX_SCHEDULERS;
    bool moves = false;
    uint32_t memory = 0;
    c->ended = 0;
    for (struct collect_part *p = c->part; p < end; p++)
        if (p->full_outs)
            moves |= enter_units(c, p, units, cycle);
    for (uint32_t step = 0; step < c->steps; step++) {
        for (struct collect_part *p = c->part; p < end; p++) {
            if (!p->held)
                continue;
            moves |= leave_slots(p, c->n, cycle);
            const uint64_t busy = step == 0 && p->written_in == cycle ? p->written : 0;
            moves |= read_banks(p, busy, step + 1 == c->steps ? cycle + 1 : cycle);
        }
        memory += take_slots(c, cycle, &moves);
    }
    for (struct collect_part *p = c->part; p < end; p++)
        if (p->count)
            foresee_leaves(p, c->steps, cycle + 1);
    c->next = moves ? cycle + 1 : next_accept(c, cycle);
    *has_moved = moves;
    return memory;
}
