// SPDX-License-Identifier: Apache-2.0
#include "trace/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "trace/traceg.h"

#define MAX_SOURCES 4       /* of an instruction, in Accel-Sim's reader; one destination */
#define REGISTER_STEP 4     /* a wide access uses up to four registers from the named one on */
#define MAX_REGISTER 64     /* kernels name R0 to R63 */
#define FORM_MAX 280        /* characters */
#define LINE_MAX_BYTES 1024 /* of one line */

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

static int make_room(void *array, size_t *room, size_t need) {
    void **a = array;
    size_t more = *room ? *room : 4096;
    while (more < need)
        more *= 2;
    if (more == *room)
        return 0;
    void *p = realloc(*a, more);
    if (!p)
        return -1;
    *a = p;
    *room = more;
    return 0;
}

/* ---- Program counters ---- */

static uint32_t hash_text(const char *s) {
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static struct pc_entry *find_entry(const struct pc_table *t, const char *form) {
    uint32_t i = hash_text(form);
    for (;; i++) {
        struct pc_entry *e = &t->entry[i & (t->n_entries - 1)];
        if (!e->form || strcmp(t->forms + e->form - 1, form) == 0)
            return e;
    }
}

static int grow_table(struct pc_table *t) {
    struct pc_table old = *t;
    t->n_entries = old.n_entries ? 2 * old.n_entries : 256;
    t->entry = calloc(t->n_entries, sizeof *t->entry);
    if (!t->entry) {
        *t = old;
        return -1;
    }
    for (uint32_t i = 0; i < old.n_entries; i++)
        if (old.entry[i].form)
            *find_entry(t, t->forms + old.entry[i].form - 1) = old.entry[i];
    free(old.entry);
    return 0;
}

/* 0, or -1 if out of memory. */
static int find_pc(struct pc_table *t, const char *form, uint32_t *pc) {
    if (2 * t->n >= t->n_entries && grow_table(t) != 0)
        return -1;
    struct pc_entry *e = find_entry(t, form);
    if (!e->form) {
        size_t n = strlen(form) + 1;
        if (make_room(&t->forms, &t->room, t->size + n) != 0)
            return -1;
        memcpy(t->forms + t->size, form, n);
        e->form = t->size + 1;
        e->pc = 16 * t->n++;
        t->size += n;
    }
    *pc = e->pc;
    return 0;
}

void pc_table_free(struct pc_table *t) {
    free(t->forms);
    free(t->entry);
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

/* "n R.. " */
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

/* Prints the form: from the number of destinations to the width. */
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

/* Registers of a run still to be named by its next lines. */
struct run {
    uint64_t makes, waits;
};

static struct run run_of(const struct warp_inst *inst) {
    const uint64_t src = inst->src.w[0], dst = inst->dst.w[0];
    return (struct run){dst, inst->repeat > 1 ? src | dst : src};
}

/* The highest register of a set, on its own. */
static uint64_t highest(uint64_t set) {
    return UINT64_C(1) << (63 - __builtin_clzll(set));
}

/* Takes the sources of the next line. Registers that the run itself writes come first, in the order
 * of writing, since no line may wait for the result of an earlier one. */
static uint64_t take_sources(struct run *run) {
    uint64_t taken = 0;
    for (unsigned i = 0; i < MAX_SOURCES && run->waits; i++) {
        const uint64_t made = run->waits & run->makes;
        const uint64_t one = highest(made ? made : run->waits);
        taken |= one;
        run->waits &= ~one;
    }
    return taken;
}

/* Takes the result of a line, with `left` lines to write, itself included. */
static uint64_t take_result(struct run *run, uint32_t left) {
    if ((uint32_t)__builtin_popcountll(run->makes) < left)
        return 0;
    const uint64_t one = highest(run->makes);
    run->makes &= ~one;
    return one;
}

/* ---- Addresses ---- */

/* Lists the addresses of the active lanes, in lane order. Returns their number. */
static unsigned access_addresses(const struct warp_inst *inst, uint64_t addr[WARP_LANES]) {
    uint64_t base = inst->space == SPACE_LOCAL ? LINES_LOCAL_BASE : 0;
    unsigned n = 0;
    for (uint32_t rest = inst->mask; rest; rest &= rest - 1)
        addr[n++] = base + inst->addr[__builtin_ctz(rest)];
    return n;
}

/* Makes shared addresses with as many passes: `passes` lanes on bank 0, the others on a bank each.
 */
static unsigned shared_addresses(const struct warp_inst *inst, uint64_t addr[WARP_LANES]) {
    unsigned n = bits_count32(inst->mask), passes = inst->passes;
    for (unsigned k = 0; k < n; k++)
        addr[k] = k < passes ? 128u * k : 4u * (k - passes + 1);
    return n;
}

/* Prints addresses in mode 1 if possible, else in mode 2. */
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

static int out_of_memory(char *err, size_t err_size) {
    snprintf(err, err_size, "out of memory");
    return -1;
}

static int add_line(struct lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                    uint32_t mask, const char *form, char *err, size_t err_size) {
    uint64_t addr[WARP_LANES];
    uint32_t pc;
    if (make_room(&out->text, &out->room, out->size + LINE_MAX_BYTES) != 0 ||
        find_pc(pcs, form, &pc) != 0)
        return out_of_memory(err, err_size);
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
    return 0;
}

/* The reason why the format cannot express an instruction; NULL if it can. */
static const char *cannot_say(const struct warp_inst *inst) {
    const struct run run = run_of(inst);
    for (unsigned i = 1; i < WARP_REGS / 64; i++)
        if (inst->src.w[i] | inst->dst.w[i])
            return "a register above R63";
    if ((uint32_t)__builtin_popcountll(run.makes) > inst->repeat)
        return "more than 1 destination an instruction";
    if ((uint32_t)__builtin_popcountll(run.waits) > (uint64_t)MAX_SOURCES * inst->repeat)
        return "more than 4 sources an instruction";
    if (!inst->mask && (is_access(inst) || inst->op == WARP_SHARED))
        return "an access without an active lane";
    if (inst->op == WARP_SHARED && inst->passes > bits_count32(inst->mask))
        return "a shared access of more passes than lanes";
    for (uint32_t rest = is_access(inst) ? inst->mask : 0; rest; rest &= rest - 1) {
        uint64_t addr = inst->addr[__builtin_ctz(rest)];
        if (addr >> TRACE_ADDRESS_BITS)
            return "an address of more than 47 bits";
        if (inst->space == SPACE_LOCAL && addr >= TRACE_WINDOW_BYTES)
            return "a local address above 16 MiB";
    }
    return NULL;
}

int trace_lines_add(struct lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                    uint32_t live, char *err, size_t err_size) {
    const char *why = cannot_say(inst);
    if (why) {
        snprintf(err, err_size, "a trace cannot say: %s", why);
        return -1;
    }
    const uint32_t mask = inst->op == WARP_EXIT ? live : inst->mask;
    struct run run = run_of(inst);
    char form[FORM_MAX];
    bool bare = false; /* the form names no register: so does the next, up to the first result */
    for (uint32_t left = inst->repeat; left > 0; left--) {
        const uint64_t src = take_sources(&run), dst = take_result(&run, left);
        if (src | dst || !bare)
            make_form(form, inst, dst, src);
        bare = !(src | dst);
        if (add_line(out, pcs, inst, mask, form, err, err_size) != 0)
            return -1;
    }
    return 0;
}

void trace_lines_free(struct lines *l) {
    free(l->text);
    memset(l, 0, sizeof *l);
}
