// SPDX-License-Identifier: Apache-2.0
#include "sm/collectors.h"

#include <assert.h>
#include <string.h>

#define NOT_KNOWN UINT64_MAX
#define NEVER UINT64_MAX

/* Numbers of cycles from issue to the unit if there are no conflicts: one cycle to a collector,
 * one to read operands if there are any, and one to the unit. The register before the unit adds
 * no cycle, because the collectors take two steps per cycle (gpgpu_reg_file_port_throughput 2).
 * The L1D is offered an access as soon as the access has a collector. The latencies compensate
 * for this. */
#define TO_COLLECTOR 1
#define TO_UNIT 1
#define TO_LSU 2 /* as TO_UNIT, with the cycle that reads operands */

void collectors_init(struct collectors *c, uint32_t n, uint32_t banks, uint32_t steps) {
    assert(n <= COLLECTORS_MAX && banks <= BANK_USES_MAX && (banks || !steps));
    memset(c, 0, sizeof *c);
    c->n = n;
    c->steps = steps;
    c->next = NEVER;
    for (uint32_t i = 0; i < UNITS_MAX_SCHEDULERS; i++) {
        c->part[i].banks.n = banks;
        c->part[i].left = COLLECT_NONE;
        c->part[i].pipes.n = 1;
    }
}

/* Sets the unit of arithmetic. Exits and barriers pass through their unit in one cycle. */
static void choose_unit(struct collect_inst *to, const struct units *units,
                        const struct warp_inst *inst) {
    const enum warp_op op = inst->op;
    to->unit = op == WARP_SFU || op == WARP_FP64 ? (uint8_t)op
               : units->n == UNITS_OF_OPS
                   ? WARP_ALU
                   : units->kind_unit[op == WARP_ALU ? inst->unit : UNIT_INT];
    const uint32_t interval = op <= WARP_FP64 ? units->unit[to->unit].interval : 1;
    const bool twice = op == WARP_ALU && inst->unit == UNIT_HALF && interval > 1;
    to->interval = (uint8_t)(twice ? interval / 2 : interval);
}

void collectors_put(struct collectors *c, uint32_t scheduler, uint32_t warp, enum collect_kind kind,
                    const struct units *units, const struct warp_inst *inst,
                    const struct reg_set *dst) {
    assert(!(c->full_kinds[scheduler] & 1u << kind));
    c->full_kinds[scheduler] |= 1u << kind;
    struct collect_inst *to = &c->part[scheduler].inst[kind];
    *to = (struct collect_inst){.op = inst->op, .warp = warp, .src = inst->src, .dst = *dst};
    if (c->steps)
        choose_unit(to, units, inst);
    c->waiting |= 1u << kind;
    c->next = 0;
    struct collect_queue *q = &c->queue[kind];
    q->scheduler[q->count++] = (uint8_t)scheduler;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns the number of cycles that the instruction takes to read its operands, from `cycle` on. */
static uint32_t read_cycles(struct collect_part *p, const struct collect_inst *inst,
                            uint64_t cycle) {
    if (regs_none(&inst->src))
        return 0;
    return p->banks.n ? 1 + bank_uses_read(&p->banks, &inst->src, inst->warp, cycle) : 1;
}

/* Moves an arithmetic instruction through collector i to its unit. The result is timed as if the
 * instruction had issued just early enough to reach the unit in that cycle without conflicts. */
static void take_arithmetic(struct collect_part *p, uint32_t i, enum collect_kind kind,
                            struct units *units, uint64_t cycle) {
    const struct collect_inst *inst = &p->inst[kind];
    struct collect_unit *unit = &p->unit[kind];
    p->free[i] = later(cycle + read_cycles(p, inst, cycle), unit->last_take);
    unit->last_take = later(p->free[i] + TO_UNIT, unit->last_take + unit->busy);
    if (kind == COLLECT_ALU)
        unit->last_take = alu_pipes_enter(&p->pipes, inst->op == WARP_ALU, unit->last_take);
    unit->busy = inst->op <= WARP_FP64 ? units->unit[inst->op].interval : 1;
    if (inst->op <= WARP_FP64 && !regs_none(&inst->dst))
        units_write_later(units, inst->op, inst->warp, &inst->dst,
                          unit->last_take - TO_UNIT - !regs_none(&inst->src) - TO_COLLECTOR);
}

/* Returns the first cycle in which the instruction's operands have been read and the register
 * before the LSU is free, so that the instruction can leave its collector. */
static uint64_t memory_leaves(const struct collect_part *p, const struct collect_memory *m) {
    return later(m->since + m->read, p->lsu_free);
}

static bool leaves_before(const struct collect_part *p, const struct collect_memory *a,
                          const struct collect_memory *b) {
    const uint64_t leave_a = memory_leaves(p, a), leave_b = memory_leaves(p, b);
    return leave_a != leave_b ? leave_a < leave_b : a->collector < b->collector;
}

uint64_t collectors_oldest_write(const struct collectors *c) {
    uint64_t oldest = UINT64_MAX;
    for (unsigned left = c->writes ? c->memory : 0; left; left &= left - 1) {
        const struct collect_part *p = &c->part[bits_lowest(left)];
        for (const struct collect_memory *m = p->memory; m < p->memory + p->count; m++)
            if (!m->shared && !m->load && m->number < oldest)
                oldest = m->number;
    }
    return oldest;
}

/* Returns the index in `memory` of the instruction in the register before the LSU or, if the
 * register is empty, of the instruction that moves there next. There must be an instruction. */
static uint32_t find_leaving(const struct collect_part *p, uint64_t write) {
    if (p->left != COLLECT_NONE)
        return p->left;
    uint32_t next = 0;
    for (uint32_t i = 1; i < p->count; i++)
        if (collectors_may_leave(p, i, write) && leaves_before(p, &p->memory[i], &p->memory[next]))
            next = i;
    return next;
}

/* Moves the next memory instruction out of its collector if it can leave by `cycle`. */
static void leave_collector(struct collect_part *p, uint64_t cycle) {
    if (!p->count || p->left != COLLECT_NONE)
        return;
    const uint32_t i = find_leaving(p, 0);
    const uint64_t leaves = memory_leaves(p, &p->memory[i]);
    if (leaves > cycle)
        return;
    p->left = i;
    p->free[p->memory[i].collector] = leaves;
}

/* Returns the index of a free collector, or n if there is none. */
static uint32_t find_free(const struct collectors *c, struct collect_part *p, uint64_t cycle) {
    uint32_t i = 0;
    leave_collector(p, cycle);
    while (i < c->n && p->free[i] > cycle)
        i++;
    return i;
}

static void take_memory(struct collectors *c, struct collect_part *p, uint32_t i, uint64_t cycle) {
    const struct collect_inst *inst = &p->inst[COLLECT_MEMORY];
    assert(p->count <= COLLECTORS_MAX);
    c->memory |= 1u << (p - c->part);
    c->writes += inst->op != WARP_SHARED;
    p->memory[p->count++] = (struct collect_memory){.collector = i,
                                                    .read = read_cycles(p, inst, cycle),
                                                    .since = cycle,
                                                    .number = c->numbers++,
                                                    .shared = inst->op == WARP_SHARED};
    p->free[i] = NOT_KNOWN;
}

/* Assigns a collector to the first waiting instruction of the kind. Returns false if no instruction
 * waits or all collectors are in use. */
static bool take_inst(struct collectors *c, enum collect_kind kind, struct units *units,
                      uint64_t cycle) {
    struct collect_queue *q = &c->queue[kind];
    if (!q->count)
        return false;
    const uint32_t scheduler = q->scheduler[0];
    struct collect_part *p = &c->part[scheduler];
    uint32_t i = find_free(c, p, cycle);
    if (i == c->n)
        return false;
    if (kind == COLLECT_MEMORY)
        take_memory(c, p, i, cycle);
    else
        take_arithmetic(p, i, kind, units, cycle);
    c->full_kinds[scheduler] &= ~(1u << kind);
    memmove(q->scheduler, q->scheduler + 1, --q->count * sizeof *q->scheduler);
    return true;
}

uint32_t collectors_tick(struct collectors *c, struct units *units, uint64_t cycle,
                         bool *has_moved) {
    if (c->steps)
        return collect_steps_tick(c, units, cycle, has_moved);
    uint32_t memory = 0;
    bool more = true;
    *has_moved = false;
    while (more) {
        more = take_inst(c, COLLECT_ALU, units, cycle);
        more |= take_inst(c, COLLECT_SFU, units, cycle);
        if (take_inst(c, COLLECT_MEMORY, units, cycle)) {
            more = true;
            memory++;
        }
        *has_moved |= more;
    }
    return memory;
}

/* Returns the number of the oldest access to global memory that has a collector. */
static uint64_t oldest_global(const struct collectors *c) {
    uint64_t oldest = UINT64_MAX;
    for (unsigned left = c->memory; left; left &= left - 1) {
        const struct collect_part *p = &c->part[bits_lowest(left)];
        for (const struct collect_memory *m = p->memory; m < p->memory + p->count; m++)
            if (!m->shared && m->number < oldest)
                oldest = m->number;
    }
    return oldest;
}

/* True if the LSU may begin the instruction in `cycle`. With steps, it begins TO_LSU cycles before
 * the instruction reaches it, and the instruction must have read its operands by then. */
static bool may_begin(const struct collectors *c, const struct collect_part *p,
                      const struct collect_memory *m, uint64_t cycle) {
    return !c->steps || p->left != COLLECT_NONE || memory_leaves(p, m) < cycle + TO_LSU;
}

/* Returns the oldest of the schedulers' next instructions that may begin, and sets *part to its
 * scheduler's part. Without steps there is always one, because in the scheduler with the oldest
 * access to global memory, the next instruction is that access or an access to shared memory. */
static const struct collect_memory *find_next(struct collectors *c, uint64_t cycle,
                                              struct collect_part **part) {
    const struct collect_memory *next = NULL;
    const uint64_t global = oldest_global(c), write = collectors_oldest_write(c);
    for (unsigned left = c->memory; left; left &= left - 1) {
        struct collect_part *p = &c->part[bits_lowest(left)];
        const struct collect_memory *m = &p->memory[find_leaving(p, write)];
        const bool waits = m->load ? m->number > write : !m->shared && m->number != global;
        if ((next && m->number > next->number) || waits || !may_begin(c, p, m, cycle))
            continue;
        next = m;
        *part = p;
    }
    return next;
}

/* Returns the number of instructions in collectors that are older than instruction `number`. */
static uint32_t count_older(const struct collectors *c, uint64_t number) {
    uint32_t n = 0;
    for (unsigned left = c->memory; left; left &= left - 1) {
        const struct collect_part *p = &c->part[bits_lowest(left)];
        for (uint32_t i = 0; i < p->count && p->memory[i].number < number; i++)
            n++;
    }
    return n;
}

bool collectors_begin(struct collectors *c, uint64_t cycle, uint32_t *older) {
    struct collect_part *p = NULL;
    const struct collect_memory *next = find_next(c, cycle, &p);
    if (c->memory)
        c->next = 0;
    if (!next)
        return false;
    const struct collect_memory m = *next;
    const uint32_t index = (uint32_t)(next - p->memory);
    *older = count_older(c, m.number);
    c->writes -= !m.shared && !m.load;
    if (p->left == COLLECT_NONE && c->steps)
        p->begun |= 1u << m.collector;
    else if (p->left == COLLECT_NONE)
        p->free[m.collector] = memory_leaves(p, &m);
    p->lsu_free = cycle + (c->steps ? TO_LSU : m.read + TO_UNIT);
    p->left = COLLECT_NONE;
    memmove(&p->memory[index], &p->memory[index + 1], (--p->count - index) * sizeof m);
    if (!p->count)
        c->memory &= ~(1u << (p - c->part));
    return true;
}

uint64_t collectors_next_event(const struct collectors *c, uint64_t cycle) {
    uint64_t next = NEVER;
    if (c->steps)
        return later(c->next, cycle);
    for (unsigned kind = 0; kind < COLLECT_KINDS; kind++) {
        if (!c->queue[kind].count)
            continue;
        const struct collect_part *p = &c->part[c->queue[kind].scheduler[0]];
        for (uint32_t i = 0; i < c->n; i++)
            if (p->free[i] < next)
                next = p->free[i];
        if (p->count && p->left == COLLECT_NONE) {
            const uint64_t leaves = memory_leaves(p, &p->memory[find_leaving(p, 0)]);
            next = leaves < next ? leaves : next;
        }
    }
    return later(next, cycle);
}
