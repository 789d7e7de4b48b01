// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <string.h>

#include "lib/alloc.h"
#include "trace/banks.h"

#define MAX_BLOCK_BYTES (UINT64_C(1) << 30)

/* Code of a CTA. For each instruction, it has a word and then the fields that the word selects.
 * Bits of the word:
 *   0..18   form (index)
 *   19      the mask differs from the warp's threads and follows, 4 bytes
 *   20..21  addresses: enum code_addresses; they follow
 *   22..23  enum code_use
 *   24..28  passes - 1
 *   24..29  of an instruction that waits for copies: number of groups that it does not wait for */
enum code_addresses {
    CODE_NONE,
    CODE_STRIDE, /* 8 bytes for the base, 4 bytes for the signed stride between active lanes */
    CODE_NEAR,   /* 8 bytes for the base, 4 bytes for the offset of each active lane */
    CODE_FAR     /* 8 bytes for each active lane */
};
#define CODE_FORM(code) ((code) & (MAX_FORMS - 1))
#define CODE_MASK (1u << 19)
#define CODE_INST_MAX (4 + 4 + WARP_LANES * 8)

/* ---- Writing ---- */

static void put_data(struct traceg_block *b, const void *data, size_t n) {
    memcpy(b->code + b->used, data, n);
    b->used += n;
}

/* Makes room for the code of one instruction. */
static int code_room(struct traceg *t) {
    struct traceg_block *b = t->b;
    if (b->room - b->used >= CODE_INST_MAX)
        return 0;
    if (b->used + CODE_INST_MAX > MAX_BLOCK_BYTES)
        return traceg_fail(t, "more than 1 GiB of instructions in a block");
    b->code = alloc_reserved(b->code, &b->room, b->used + CODE_INST_MAX, 1);
    return 0;
}

/* Chooses the most compact encoding of the addresses. */
static enum code_addresses choose_code(const struct trace_access *a, uint64_t *base,
                                       int32_t *stride) {
    *base = a->addr[0];
    if (a->even) {
        *stride = (int32_t)a->stride; /* check_addresses limits the stride */
        return CODE_STRIDE;
    }
    const int64_t step = a->n > 1 ? (int64_t)(a->addr[1] - a->addr[0]) : 0;
    uint64_t uneven = 0;
    for (uint32_t i = 1; i < a->n; i++)
        uneven |= (a->addr[i] - a->addr[i - 1]) ^ (uint64_t)step;
    *stride = (int32_t)step;
    if (!uneven && step == (int32_t)step)
        return CODE_STRIDE;
    uint64_t high = a->addr[0];
    for (uint32_t i = 1; i < a->n; i++) {
        *base = a->addr[i] < *base ? a->addr[i] : *base;
        high = a->addr[i] > high ? a->addr[i] : high;
    }
    return high - *base <= UINT32_MAX ? CODE_NEAR : CODE_FAR;
}

static void put_addresses(struct traceg_block *b, const struct trace_access *a,
                          enum code_addresses how, uint64_t base, int32_t stride) {
    if (how == CODE_NONE)
        return;
    if (how == CODE_FAR) {
        put_data(b, a->addr, a->n * sizeof a->addr[0]);
        return;
    }
    put_data(b, &base, sizeof base);
    if (how == CODE_STRIDE) {
        put_data(b, &stride, sizeof stride);
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t offset = (uint32_t)(a->addr[i] - base);
        put_data(b, &offset, sizeof offset);
    }
}

/* Appends an instruction. `count` is what bits 24 to 29 of its word have. */
static void put_inst(struct traceg *t, uint32_t form, enum code_use use, uint32_t count,
                     const struct trace_access *a, bool addresses) {
    struct traceg_block *b = t->b;
    uint64_t base = 0;
    int32_t stride = 0;
    bool masked = a->mask != b->warp[t->warp].lanes;
    enum code_addresses how = addresses ? choose_code(a, &base, &stride) : CODE_NONE;
    uint32_t code =
        form | (masked ? CODE_MASK : 0) | (uint32_t)how << 20 | (uint32_t)use << 22 | count << 24;
    put_data(b, &code, sizeof code);
    if (masked)
        put_data(b, &a->mask, sizeof a->mask);
    put_addresses(b, a, how, base, stride);
}

/* Appends an access, all lanes of which are in one memory space. */
static int put_access(struct traceg *t, uint32_t form, struct trace_access *a) {
    const struct opcode *o = &t->forms[form].opcode;
    enum code_use use;
    if (o->once) {
        a->mask &= -a->mask;
        a->n = 1;
    }
    if (code_room(t) != 0 || traceg_locate(t, o, a, &use) != 0)
        return -1;
    const bool shared = use == USE_SHARED;
    put_inst(t, form, use, shared ? banks_passes(a->mask, a->addr, o->size) - 1 : 0, a,
             !shared || o->async == ASYNC_COPY);
    return 0;
}

/* Appends an access for each memory space that lanes of a generic access are in. */
static int put_mixed(struct traceg *t, uint32_t form, struct trace_access *a) {
    const struct opcode *o = &t->forms[form].opcode;
    for (enum code_use use = USE_OP; use <= USE_LOCAL; use++) {
        struct trace_access part;
        traceg_take_lanes(t, o, a, use, &part);
        if (part.n && put_access(t, form, &part) != 0)
            return -1;
    }
    return 0;
}

/* Removes exiting lanes from the live lanes. Returns the use of the instruction, which is an exit
 * if no lane remains. The last line of a warp ends it, whatever its mask is. */
static enum code_use exit_lanes(struct traceg *t, uint32_t mask) {
    t->exit_at = t->b->used;
    t->live_lanes = t->last ? 0 : t->live_lanes & ~mask;
    return t->live_lanes ? USE_ALU : USE_OP;
}

void traceg_undo_exit(struct traceg *t) {
    uint32_t code;
    memcpy(&code, t->b->code + t->exit_at, sizeof code);
    code |= (uint32_t)USE_ALU << 22; /* was USE_OP, 0 */
    memcpy(t->b->code + t->exit_at, &code, sizeof code);
    t->live_lanes = t->b->warp[t->warp].lanes;
    traceg_note(t, ODD_EARLY_EXIT);
}

/* Returns the number of groups that the line's instruction does not wait for. */
static uint32_t keep_of(const struct traceg *t) {
    return t->immediate < ASYNC_KEEP_MAX ? (uint32_t)t->immediate : ASYNC_KEEP_MAX;
}

int traceg_put(struct traceg *t, uint32_t form, struct trace_access *a) {
    const struct traceg_form *f = &t->forms[form];
    enum code_use use = USE_OP;
    if (f->odd)
        traceg_count_odd(t, f);
    if (a->mask && f->opcode.space != OPCODE_NO_ACCESS && traceg_is_access(t, &f->opcode, a))
        return traceg_is_mixed(t, &f->opcode, a) ? put_mixed(t, form, a) : put_access(t, form, a);
    if (code_room(t) != 0)
        return -1;
    if (f->opcode.op == WARP_EXIT)
        use = exit_lanes(t, a->mask);
    else if ((!a->mask || f->opcode.odd == ODD_UNKNOWN) &&
             (f->opcode.space != OPCODE_NO_ACCESS || f->opcode.op == WARP_BARRIER ||
              f->opcode.async != ASYNC_NONE))
        use = USE_ALU;
    const bool waits = use == USE_OP && f->opcode.async == ASYNC_WAIT;
    put_inst(t, form, use, waits ? keep_of(t) : 0, a, false);
    return 0;
}

/* ---- Decoding ---- */

static void get(const struct traceg_block *b, uint32_t *position, void *to, size_t n) {
    memcpy(to, b->code + *position, n);
    *position += (uint32_t)n;
}

static void get_addresses(const struct traceg_block *b, uint32_t *position, enum code_addresses how,
                          struct warp_inst *inst) {
    uint64_t addr = 0;
    int32_t stride = 0;
    uint32_t offset;
    if (how == CODE_NONE)
        return;
    if (how != CODE_FAR)
        get(b, position, &addr, sizeof addr);
    if (how == CODE_STRIDE)
        get(b, position, &stride, sizeof stride);
    const uint64_t base = addr;
    if (how == CODE_STRIDE && inst->mask == UINT32_MAX) {
        inst->even = true;
        inst->addr[0] = base;
        inst->addr[1] = base + (uint64_t)(int64_t)stride;
        return;
    }
    for (uint32_t rest = inst->mask; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);
        if (how == CODE_FAR) {
            get(b, position, &addr, sizeof addr);
        } else if (how == CODE_NEAR) {
            get(b, position, &offset, sizeof offset);
            addr = base + offset;
        }
        inst->addr[l] = addr;
        addr += (uint64_t)(int64_t)stride;
    }
}

static void end_warp(struct warp_inst *inst) {
    inst->op = WARP_EXIT;
    inst->mask = 0;
    inst->repeat = 1;
    inst->size = inst->space = 0;
    inst->passes = 1;
    inst->skip_l1 = inst->atomic = inst->has_pc = inst->even = false;
    inst->async = ASYNC_NONE;
    inst->src = inst->dst = (struct reg_set){{0}};
}

void traceg_decode(const struct traceg *t, const struct traceg_block *b, uint32_t warp,
                   uint32_t *position, struct warp_inst *inst) {
    if (*position >= b->warp[warp].end) {
        end_warp(inst);
        return;
    }
    uint32_t code;
    get(b, position, &code, sizeof code);
    const struct traceg_form *f = &t->forms[CODE_FORM(code)];
    const enum code_use use = code >> 22 & 3;
    static const uint8_t used[] = {[USE_SHARED] = WARP_SHARED, [USE_ALU] = WARP_ALU};
    inst->op = use == USE_OP || use == USE_LOCAL ? f->opcode.op : used[use];
    inst->mask = b->warp[warp].lanes;
    if (code & CODE_MASK)
        get(b, position, &inst->mask, sizeof inst->mask);
    inst->repeat = 1;
    inst->size = f->opcode.size;
    inst->space = use == USE_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
    inst->async = use == USE_ALU ? ASYNC_NONE : f->opcode.async & 3;
    inst->keep = code >> 24 & ASYNC_KEEP_MAX;
    inst->passes = inst->async == ASYNC_WAIT ? 1 : (uint8_t)((code >> 24 & 31) + 1);
    inst->unit = f->opcode.unit;
    inst->skip_l1 = f->opcode.skip_l1;
    inst->atomic = inst->op == WARP_SHARED && f->opcode.atomic;
    inst->has_pc = true;
    inst->even = false;
    inst->pc = f->pc;
    inst->src = f->src;
    inst->dst = f->dst;
    if (inst->op == WARP_EXIT)
        inst->mask = 0;
    get_addresses(b, position, code >> 20 & 3, inst);
}
