// SPDX-License-Identifier: Apache-2.0
#include "sm/collectors.h"

#include <assert.h>
#include <string.h>

#define NOT_KNOWN UINT64_MAX
#define NEVER UINT64_MAX

/* From issue, if nothing is in the way: a cycle to a collector, one to read operands if there are
 * any, one to the register before the unit, one to the unit. The L1D is offered an access as soon
 * as it has a collector: latencies make up for it. */
#define TO_COLLECTOR 1
#define TO_REGISTER 1
#define TO_UNIT 1

void collectors_init(struct collectors *c, uint32_t n, uint32_t banks, uint32_t pipes) {
    assert(n <= COLLECTORS_MAX && banks <= BANK_USES_MAX && pipes <= ALU_PIPES_MAX);
    memset(c, 0, sizeof *c);
    c->n = n;
    for (uint32_t i = 0; i < UNITS_MAX_SCHEDULERS; i++) {
        c->part[i].banks.n = banks;
        c->part[i].pipes.n = pipes;
    }
}

void collectors_put(struct collectors *c, uint32_t scheduler, uint32_t warp,
                    const struct warp_inst *inst, const struct reg_set *dst) {
    enum collect_kind kind = collect_kind_of(inst->op);
    assert(!(c->taken[scheduler] & 1u << kind));
    c->taken[scheduler] |= 1u << kind;
    c->part[scheduler].inst[kind] = (struct collect_inst){inst->op, warp, inst->src, *dst};
    struct collect_queue *q = &c->queue[kind];
    q->scheduler[q->count++] = (uint8_t)scheduler;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* A collector that is free, or n. */
static uint32_t find_free(const struct collectors *c, const struct collect_part *p,
                          uint64_t cycle) {
    uint32_t i = 0;
    while (i < c->n && p->free[i] > cycle)
        i++;
    return i;
}

/* Cycles in which it reads its operands, from that cycle on. */
static uint32_t read_cycles(struct collect_part *p, const struct collect_inst *inst,
                            uint64_t cycle) {
    if (regs_none(&inst->src))
        return 0;
    return p->banks.n ? 1 + bank_uses_read(&p->banks, &inst->src, inst->warp, cycle) : 1;
}

/* The result comes as if the instruction had issued just early enough to get to its unit then. */
static void take_arithmetic(struct collect_part *p, uint32_t i, enum collect_kind kind,
                            struct units *units, uint64_t cycle) {
    const struct collect_inst *inst = &p->inst[kind];
    struct collect_unit *unit = &p->unit[kind];
    p->free[i] = later(cycle + read_cycles(p, inst, cycle) + TO_REGISTER, unit->taken);
    unit->taken = later(p->free[i] + TO_UNIT, unit->taken + unit->busy);
    if (kind == COLLECT_ALU && p->pipes.n)
        unit->taken = alu_pipes_enter(&p->pipes, inst->op == WARP_ALU, unit->taken);
    unit->busy = inst->op <= WARP_FP64 ? units->unit[inst->op].interval : 1;
    if (inst->op <= WARP_FP64 && !regs_none(&inst->dst))
        units_write_later(units, inst->op, inst->warp, &inst->dst,
                          unit->taken - TO_UNIT - TO_REGISTER - !regs_none(&inst->src) -
                              TO_COLLECTOR);
}

/* It leaves the collector when the one before it has left the register before the LSU. */
static uint64_t memory_leaves(const struct collect_part *p, const struct collect_memory *m) {
    return later(m->since + m->read + TO_REGISTER, p->lsu_free);
}

static void take_memory(struct collect_part *p, uint32_t i, uint64_t cycle) {
    const struct collect_memory m = {i, read_cycles(p, &p->inst[COLLECT_MEMORY], cycle), cycle};
    p->free[i] = p->count ? NOT_KNOWN : memory_leaves(p, &m);
    assert(p->count <= COLLECTORS_MAX);
    p->memory[(p->head + p->count++) % (COLLECTORS_MAX + 1)] = m;
}

/* The first of the kind that waits gets a collector. Returns false if there is none for it. */
static bool take(struct collectors *c, enum collect_kind kind, struct units *units,
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
        take_memory(p, i, cycle);
    else
        take_arithmetic(p, i, kind, units, cycle);
    c->taken[scheduler] &= ~(1u << kind);
    memmove(q->scheduler, q->scheduler + 1, --q->count * sizeof *q->scheduler);
    return true;
}

uint32_t collectors_tick(struct collectors *c, struct units *units, uint64_t cycle, bool *moved) {
    uint32_t memory = 0;
    bool more = true;
    *moved = false;
    while (more) {
        more = take(c, COLLECT_ALU, units, cycle);
        more |= take(c, COLLECT_SFU, units, cycle);
        if (take(c, COLLECT_MEMORY, units, cycle)) {
            more = true;
            memory++;
        }
        *moved |= more;
    }
    return memory;
}

void collectors_begin(struct collectors *c, uint32_t scheduler, uint64_t cycle) {
    struct collect_part *p = &c->part[scheduler];
    assert(p->count);
    p->lsu_free = cycle + p->memory[p->head].read + TO_REGISTER + TO_UNIT;
    p->head = (p->head + 1) % (COLLECTORS_MAX + 1);
    if (!--p->count)
        return;
    const struct collect_memory *next = &p->memory[p->head];
    p->free[next->collector] = memory_leaves(p, next);
}

uint64_t collectors_next_event(const struct collectors *c, uint64_t cycle) {
    uint64_t next = NEVER;
    for (unsigned kind = 0; kind < COLLECT_KINDS; kind++) {
        if (!c->queue[kind].count)
            continue;
        const struct collect_part *p = &c->part[c->queue[kind].scheduler[0]];
        for (uint32_t i = 0; i < c->n; i++)
            if (p->free[i] < next)
                next = p->free[i];
    }
    return later(next, cycle);
}
