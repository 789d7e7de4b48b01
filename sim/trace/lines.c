// SPDX-License-Identifier: Apache-2.0
#include "trace/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/hash.h"
#include "trace/traceg.h"

#define MAX_SOURCES 4   /* maximum number of sources per instruction, as in Accel-Sim's reader */
#define REGISTER_STEP 4 /* maximum number of consecutive registers that a wide access uses */
#define FORM_MAX 280    /* maximum length of a form in characters */
#define LINE_MAX_BYTES 1024 /* maximum size of one line in bytes */
#define PC_STEP 16          /* bytes from one instruction to the next */

/* ---- Characters ---- */

static char *put_text(char *to, const char *text) {
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

static char *put_hex(char *to, uint64_t v, unsigned digits) {
    for (unsigned i = digits; i-- > 0; v >>= 4)
        to[i] = "0123456789abcdef"[v & 15];
    return to + digits;
}

static char *put_signed(char *to, int64_t v) {
    char digits[24];
    unsigned n = 0;
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
    if (v < 0)
        *to++ = '-';
    do
        digits[n++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

/* ---- Program counters ---- */

static uint32_t add_form(struct pc_table *t, const char *form, size_t n, uint64_t hash) {
    const uint32_t i = t->hashes.used;
    t->forms = alloc_reserved(t->forms, &t->room, t->size + n, 1);
    t->form = alloc_grown(t->form, i, &t->room_form, sizeof *t->form);
    memcpy(t->forms + t->size, form, n);
    t->form[i] = t->size;
    t->size += n;
    hash_map_add(&t->hashes, hash, i);
    return i;
}

static uint32_t find_pc(struct pc_table *t, const char *form) {
    const size_t n = strlen(form) + 1;
    const uint64_t hash = hash_bytes(0, form, n);
    uint32_t at = HASH_MAP_START, i;
    do
        i = hash_map_next(&t->hashes, hash, &at);
    while (i != HASH_MAP_NONE && strcmp(t->forms + t->form[i], form) != 0);
    return PC_STEP * (i == HASH_MAP_NONE ? add_form(t, form, n, hash) : i);
}

void pc_table_free(struct pc_table *t) {
    free(t->forms);
    free(t->form);
    hash_map_free(&t->hashes);
    memset(t, 0, sizeof *t);
}

/* ---- Opcode and registers ---- */

static const char *opcode_of(const struct warp_inst *inst) {
    bool local = inst->space == SPACE_LOCAL, wide = inst->size == 8;
    switch (inst->op) {
    case WARP_ALU:
        return "IADD3";
    case WARP_SFU:
        return "MUFU.RCP";
    case WARP_FP64:
        return "DFMA";
    case WARP_SHARED:
        return regs_none(&inst->dst) ? "STS" : "LDS";
    case WARP_LOAD:
        return local ? "LDL" : "LDG.E";
    case WARP_STORE:
        return local ? "STL" : "STG.E";
    case WARP_ATOMIC:
        if (regs_none(&inst->dst))
            return wide ? "RED.E.ADD.64" : "RED.E.ADD";
        return wide ? "ATOMG.E.ADD.64" : "ATOMG.E.ADD";
    case WARP_BARRIER:
        return "BAR.SYNC";
    case WARP_EXIT:
        break;
    }
    return "EXIT";
}

static bool is_access(const struct warp_inst *inst) {
    return inst->op == WARP_LOAD || inst->op == WARP_STORE || inst->op == WARP_ATOMIC;
}

static const char *width_of(const struct warp_inst *inst) {
    if (inst->op != WARP_LOAD && inst->op != WARP_STORE)
        return "";
    return inst->size == 1    ? ".U8"
           : inst->size == 2  ? ".U16"
           : inst->size == 8  ? ".64"
           : inst->size == 16 ? ".128"
                              : "";
}

/* Prints "n R.. ". */
static char *put_registers(char *to, uint64_t set) {
    to = put_signed(to, __builtin_popcountll(set));
    *to++ = ' ';
    for (; set; set &= set - 1) {
        *to++ = 'R';
        to = put_signed(to, __builtin_ctzll(set) * REGISTER_STEP);
        *to++ = ' ';
    }
    return to;
}

/* Makes the form, which is the part of a line from the number of destinations to the width. */
static void make_form(char form[FORM_MAX], const struct warp_inst *inst, uint64_t dst,
                      uint64_t src) {
    bool memory = is_access(inst) || inst->op == WARP_SHARED;
    char *p = put_registers(form, dst);
    p = put_text(p, opcode_of(inst));
    p = put_text(p, width_of(inst));
    p = put_text(p, inst->op == WARP_LOAD && inst->skip_l1 ? ".STRONG.GPU " : " ");
    p = put_registers(p, src);
    p = put_signed(p, !memory ? 0 : is_access(inst) ? inst->size : 4);
    *p = '\0';
}

/* ---- Runs ---- */

/* Registers that the remaining lines of a run still have to name: `makes` are results, and `waits`
 * are sources. */
struct lines_run {
    uint64_t makes, waits;
};

static struct lines_run run_of(const struct warp_inst *inst) {
    const uint64_t src = inst->src.w[0], dst = inst->dst.w[0];
    return (struct lines_run){dst, inst->repeat > 1 ? src | dst : src};
}

/* Returns a set with only the highest register of `set`. */
static uint64_t highest(uint64_t set) {
    return UINT64_C(1) << (63 - __builtin_clzll(set));
}

/* Removes the sources of the next line from the run, and returns them. Registers that the run
 * itself writes come first, in the order of writing, because no line may wait for the result of an
 * earlier line. */
static uint64_t take_sources(struct lines_run *run) {
    uint64_t used = 0;
    for (unsigned i = 0; i < MAX_SOURCES && run->waits; i++) {
        const uint64_t made = run->waits & run->makes;
        const uint64_t one = highest(made ? made : run->waits);
        used |= one;
        run->waits &= ~one;
    }
    return used;
}

/* Removes the result of the next line from the run, and returns it, or 0 if that line has no
 * result. `left` lines remain, including that line. */
static uint64_t take_result(struct lines_run *run, uint32_t left) {
    if ((uint32_t)__builtin_popcountll(run->makes) < left)
        return 0;
    const uint64_t one = highest(run->makes);
    run->makes &= ~one;
    return one;
}

/* ---- Addresses ---- */

/* Lists the addresses of the active lanes, in lane order. Returns their number. Addresses of LDL
 * and STL are offsets into the window, at whose end local memory is. */
static unsigned access_addresses(const struct warp_inst *inst, uint64_t addr[WARP_LANES]) {
    uint64_t base = inst->space == SPACE_LOCAL ? TRACE_WINDOW_BYTES - LOCAL_BYTES : 0;
    unsigned n = 0;
    for (uint32_t rest = inst->mask; rest; rest &= rest - 1)
        addr[n++] = base + inst->addr[__builtin_ctz(rest)];
    return n;
}

/* Makes shared addresses that take the instruction's number of passes: `passes` lanes use bank 0,
 * and each other lane uses a bank of its own. */
static unsigned shared_addresses(const struct warp_inst *inst, uint64_t addr[WARP_LANES]) {
    unsigned n = bits_count32(inst->mask), passes = inst->passes;
    for (unsigned k = 0; k < n; k++)
        addr[k] = k < passes ? 128u * k : 4u * (k - passes + 1);
    return n;
}

/* Prints addresses in mode 1 (base and stride) if possible, else in mode 2 (base and
 * differences). */
static char *put_addresses(char *to, uint32_t mask, const uint64_t *addr, unsigned n) {
    const uint32_t run = mask / (mask & -mask);
    bool even = (run & (run + 1)) == 0;
    for (unsigned i = 2; i < n; i++)
        even &= addr[i] - addr[i - 1] == addr[1] - addr[0];
    to = put_text(to, even ? " 1 0x" : " 2 0x");
    to = put_hex(to, addr[0], 12);
    for (unsigned i = 1; i < (even ? 2 : n); i++) {
        *to++ = ' ';
        to = put_signed(to, i < n ? (int64_t)(addr[i] - addr[i - 1]) : 0);
    }
    return to;
}

/* ---- Lines ---- */

static void add_line(struct trace_lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                     uint32_t mask, const char *form) {
    uint64_t addr[WARP_LANES];
    const uint32_t pc = find_pc(pcs, form);
    out->text = alloc_reserved(out->text, &out->room, out->size + LINE_MAX_BYTES, 1);
    char *p = put_hex(out->text + out->size, pc, pc > 0xffff ? 8 : 4);
    *p++ = ' ';
    p = put_hex(p, mask, 8);
    *p++ = ' ';
    p = put_text(p, form);
    if (is_access(inst))
        p = put_addresses(p, mask, addr, access_addresses(inst, addr));
    else if (inst->op == WARP_SHARED)
        p = put_addresses(p, mask, addr, shared_addresses(inst, addr));
    p = put_text(p, " 0\n");
    out->size = (size_t)(p - out->text);
    out->n++;
}

/* Returns the reason why the format cannot express an instruction, or NULL if it can. */
static const char *cannot_say(const struct warp_inst *inst) {
    const struct lines_run run = run_of(inst);
    for (unsigned i = 1; i < WARP_REGS / 64; i++)
        if (inst->src.w[i] | inst->dst.w[i])
            return "a register above R63";
    if ((uint32_t)__builtin_popcountll(run.makes) > inst->repeat)
        return "more than 1 destination per instruction";
    if ((uint32_t)__builtin_popcountll(run.waits) > (uint64_t)MAX_SOURCES * inst->repeat)
        return "more than 4 sources per instruction";
    if (!inst->mask && (is_access(inst) || inst->op == WARP_SHARED))
        return "an access without an active lane";
    if (inst->op == WARP_SHARED && inst->passes > bits_count32(inst->mask))
        return "a shared access with more passes than lanes";
    for (uint32_t rest = is_access(inst) ? inst->mask : 0; rest; rest &= rest - 1) {
        uint64_t addr = inst->addr[__builtin_ctz(rest)];
        if (addr >> TRACE_ADDRESS_BITS)
            return "an address of more than 47 bits";
        if (inst->space == SPACE_LOCAL && addr >= LOCAL_BYTES)
            return "a local address above 512 KiB";
    }
    return NULL;
}

int trace_lines_add(struct trace_lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                    uint32_t lanes, struct error *err) {
    const char *why = cannot_say(inst);
    if (why)
        return error_set(err, "a trace cannot express %s", why);
    const uint32_t mask = inst->op == WARP_EXIT ? lanes : inst->mask;
    struct lines_run run = run_of(inst);
    char form[FORM_MAX];
    bool bare = false; /* true if `form` names no register, so that the next line without registers
                          can use it too */
    for (uint32_t left = inst->repeat; left > 0; left--) {
        const uint64_t src = take_sources(&run), dst = take_result(&run, left);
        if (src | dst || !bare)
            make_form(form, inst, dst, src);
        bare = !(src | dst);
        add_line(out, pcs, inst, mask, form);
    }
    return 0;
}

void trace_lines_free(struct trace_lines *l) {
    free(l->text);
    memset(l, 0, sizeof *l);
}
