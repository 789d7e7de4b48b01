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

/* Returns one read, in the byte of its bank, for each register. The number of banks is a power of
 * two. */
static uint64_t reads_of(const struct collect_part *p, const struct reg_set *regs, uint32_t warp) {
    uint64_t reads = 0;
    uint32_t r;
    for (struct reg_set left = *regs; banks_next_reg(&left, &r);)
        reads += UINT64_C(1) << 8 * ((r + warp) & (p->banks.n - 1));
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

static bool enter_units(struct collectors *c, uint32_t scheduler, struct units *units,
                        uint64_t cycle) {
    struct collect_part *p = &c->part[scheduler];
    bool moves = false;
    for (unsigned left = p->full_outs; left; left &= left - 1) {
        const unsigned kind = bits_lowest(left);
        if (p->accepts[kind] > cycle)
            continue;
        enter_unit(c, p, kind, units, cycle);
        moves = true;
    }
    if (!p->full_outs)
        c->outs &= ~(1u << scheduler);
    return moves;
}

/* ---- collectors ---- */

/* Records that the instruction in collector i has read its operands. */
static void set_ready(struct collect_part *p, uint32_t i) {
    const unsigned kind = p->slot[i].kind;
    p->ready[kind] |= (uint8_t)(1u << i);
    p->ready_kinds |= 1u << kind;
}

/* Frees collector i, whose instruction has read its operands. */
static void free_slot(struct collect_part *p, uint32_t i) {
    const unsigned kind = p->slot[i].kind;
    unsigned at = 0;
    while ((p->order >> at & 255) != i)
        at += 8;
    const uint64_t older = bits_low(at);
    p->order = (p->order & older) | (p->order >> 8 & ~older);
    p->n_held--;
    p->held &= ~(1u << i);
    p->begun &= ~(1u << i);
    p->ready[kind] &= (uint8_t) ~(1u << i);
    if (!p->ready[kind])
        p->ready_kinds &= ~(1u << kind);
}

/* Returns the index in `memory` of the instruction in collector i, if it may leave. Otherwise
 * returns COLLECT_NONE. */
static uint32_t find_memory(const struct collect_part *p, uint32_t i, uint64_t write) {
    for (uint32_t k = 0; k < p->count; k++)
        if (p->memory[k].collector == i)
            return collectors_may_leave(p, k, write) ? k : COLLECT_NONE;
    return COLLECT_NONE;
}

/* Moves the instruction in collector i to the register before the LSU, if it may leave and no other
 * one is there. */
static bool enter_lsu(struct collect_part *p, uint32_t i, uint64_t write) {
    if (p->left != COLLECT_NONE)
        return false;
    p->left = find_memory(p, i, write);
    return p->left != COLLECT_NONE;
}

/* Moves the memory instructions that the LSU has begun out of their collectors, and one other to
 * the register before the LSU, if it is free. Returns true if an instruction moves. */
static bool leave_to_lsu(const struct collectors *c, struct collect_part *p, uint64_t cycle) {
    const bool room = p->left == COLLECT_NONE && p->lsu_free <= cycle;
    unsigned left = p->ready[COLLECT_MEMORY] & (room ? ~0u : p->begun);
    const uint64_t write = left ? collectors_oldest_write(c) : 0;
    bool moves = false;
    for (; left; left &= left - 1) {
        const uint32_t i = bits_lowest(left);
        if (!(p->begun >> i & 1) && !enter_lsu(p, i, write))
            continue;
        free_slot(p, i);
        moves = true;
    }
    return moves;
}

/* Moves an arithmetic instruction of the kind to the register before its unit, which is free. */
static void leave_to_unit(struct collect_part *p, unsigned kind) {
    const uint32_t i = bits_lowest(p->ready[kind]);
    p->full_outs |= 1u << kind;
    p->out[kind] = p->slot[i].inst;
    free_slot(p, i);
}

static bool leave_slots(struct collectors *c, uint32_t scheduler, uint64_t cycle) {
    struct collect_part *p = &c->part[scheduler];
    const unsigned kinds = p->ready_kinds & ~(p->full_outs | 1u << COLLECT_MEMORY);
    bool moves = kinds != 0;
    for (unsigned left = kinds; left; left &= left - 1)
        leave_to_unit(p, bits_lowest(left));
    if (kinds)
        c->outs |= 1u << scheduler;
    moves |= leave_to_lsu(c, p, cycle);
    if (!p->held)
        c->held &= ~(1u << scheduler);
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
    uint64_t order = p->order;
    for (unsigned left = p->reading; left; order >>= 8) {
        const uint32_t i = order & 255;
        struct collect_slot *slot = &p->slot[i];
        if (!slot->reads)
            continue;
        const uint64_t served = nonzero_bytes(slot->reads) & ~busy;
        left &= ~(1u << i);
        slot->reads -= served;
        busy |= served;
        moves |= served != 0;
        if (slot->reads)
            continue;
        p->reading &= ~(1u << i);
        set_ready(p, i);
        if (slot->kind == COLLECT_MEMORY)
            set_leaves(p, i, next);
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
    uint64_t reads = 0, order = p->order;
    for (unsigned left = p->reading; left; order >>= 8) {
        const uint32_t i = order & 255;
        const struct collect_slot *slot = &p->slot[i];
        left &= ~(1u << i);
        reads += slot->reads;
        if (slot->reads && slot->kind == COLLECT_MEMORY)
            set_leaves(p, i, next + greatest(reads, slot->reads) / steps);
    }
}

/* Puts the instruction into collector i, which is free. */
static void fill_slot(struct collect_part *p, uint32_t i, unsigned kind,
                      const struct collect_inst *inst) {
    const uint64_t reads = reads_of(p, &inst->src, inst->warp);
    p->slot[i] = (struct collect_slot){.kind = (uint8_t)kind, .reads = reads, .inst = *inst};
    p->order |= (uint64_t)i << 8 * p->n_held++;
    p->held |= 1u << i;
    if (reads)
        p->reading |= 1u << i;
    else
        set_ready(p, i);
}

/* Assigns a collector to the first waiting instruction of the kind. Returns false if its scheduler
 * has no free collector. */
static bool take_slot(struct collectors *c, unsigned kind, uint64_t cycle) {
    struct collect_queue *q = &c->queue[kind];
    const uint32_t scheduler = q->scheduler[0];
    struct collect_part *p = &c->part[scheduler];
    const uint32_t i = bits_lowest(~p->held);
    if (i == c->n)
        return false;
    const struct collect_inst *inst = &p->inst[kind];
    fill_slot(p, i, kind, inst);
    c->held |= 1u << scheduler;
    if (kind == COLLECT_MEMORY) {
        c->memory |= 1u << scheduler;
        p->memory[p->count++] = (struct collect_memory){.collector = i,
                                                        .read = 1,
                                                        .since = cycle,
                                                        .number = c->numbers++,
                                                        .shared = inst->op == WARP_SHARED,
                                                        .load = inst->op == WARP_LOAD};
        c->writes += inst->op != WARP_SHARED && inst->op != WARP_LOAD;
    }
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
    for (unsigned parts = c->outs | c->memory; parts; parts &= parts - 1) {
        const struct collect_part *p = &c->part[bits_lowest(parts)];
        for (unsigned left = p->full_outs; left; left &= left - 1)
            if (p->accepts[bits_lowest(left)] < next)
                next = p->accepts[bits_lowest(left)];
        if (p->count && p->left == COLLECT_NONE && p->lsu_free > cycle && p->lsu_free < next)
            next = p->lsu_free;
    }
    return next;
}

#ifdef MEMTWIN_CHECKED
/* Checks that the sets of schedulers agree with the schedulers. */
static void check_sets(const struct collectors *c) {
    for (uint32_t s = 0; s < UNITS_MAX_SCHEDULERS; s++) {
        const struct collect_part *p = &c->part[s];
        assert((c->held >> s & 1) == (p->held != 0) && (c->outs >> s & 1) == (p->full_outs != 0));
        assert((c->memory >> s & 1) == (p->count != 0));
    }
}
#else
static inline void check_sets(const struct collectors *c) {
    (void)c;
}
#endif

uint32_t collect_steps_tick(struct collectors *c, struct units *units, uint64_t cycle,
                            bool *has_moved) {
    bool moves = false;
    uint32_t memory = 0;
    check_sets(c);
    c->ended = 0;
    for (unsigned left = c->outs; left; left &= left - 1)
        moves |= enter_units(c, bits_lowest(left), units, cycle);
    for (uint32_t step = 0; step < c->steps; step++) {
        bool written = false, moves_now = false;
        for (unsigned left = c->held; left; left &= left - 1) {
            const uint32_t scheduler = bits_lowest(left);
            struct collect_part *p = &c->part[scheduler];
            moves_now |= leave_slots(c, scheduler, cycle);
            const uint64_t busy = step == 0 && p->written_in == cycle ? p->written : 0;
            moves_now |= read_banks(p, busy, step + 1 == c->steps ? cycle + 1 : cycle);
            written |= busy != 0;
        }
        memory += take_slots(c, cycle, &moves_now);
        moves |= moves_now;
        if (!moves_now && !written)
            break; /* nothing moves in the further steps either */
    }
    for (unsigned left = c->memory; left; left &= left - 1)
        foresee_leaves(&c->part[bits_lowest(left)], c->steps, cycle + 1);
    c->next = moves ? cycle + 1 : next_accept(c, cycle);
    *has_moved = moves;
    return memory;
}
