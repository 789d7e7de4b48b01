// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <string.h>

#include "lib/hash.h"
#include "trace/scan.h"

#define MAX_REGISTERS 16 /* per instruction, of sources or destinations */

static void add_registers(struct reg_set *set, uint32_t first, uint32_t n) {
    for (uint32_t r = first; r < first + n && r < WARP_REGS - 1; r++)
        set->w[r / 64] |= UINT64_C(1) << r % 64;
}

/* Reads "n R.. ", up to MAX_REGISTERS numbers. */
static int read_registers(struct traceg *t, const char **p, uint32_t *reg, uint32_t *n) {
    uint64_t v;
    const char *from = *p;
    if (!scan_decimal(p, &v) || !scan_field_end(*p) || v > MAX_REGISTERS)
        return traceg_fail_at(t, from, "expected a number of registers up to 16");
    *n = (uint32_t)v;
    for (uint32_t i = 0; i < *n; i++) {
        scan_spaces(p);
        from = *p;
        *p += **p == 'R';
        if (*from != 'R' || !scan_decimal(p, &v) || !scan_field_end(*p) || v >= WARP_REGS)
            return traceg_fail_at(t, from, "expected a register R0 to R255");
        reg[i] = (uint32_t)v;
    }
    scan_spaces(p);
    return 0;
}

static int read_opcode(struct traceg *t, const char **p, struct opcode *o) {
    const char *from = *p;
    while (**p > ' ' && **p <= '~')
        ++*p;
    if (*p == from || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected an opcode");
    if (!opcode_find(from, (size_t)(*p - from), o))
        return traceg_fail_at(t, from,
                              "expected an opcode with a width of 8, 16, 32, 64 or 128 bits");
    scan_spaces(p);
    return 0;
}

/* Reads a form: from the number of destinations to mem_width. */
static int read_form(struct traceg *t, const char **p, struct form *f) {
    uint32_t dst[MAX_REGISTERS], src[MAX_REGISTERS], n_dst, n_src;
    uint64_t width;
    memset(f, 0, sizeof *f);
    if (read_registers(t, p, dst, &n_dst) != 0 || read_opcode(t, p, &f->opcode) != 0 ||
        read_registers(t, p, src, &n_src) != 0)
        return -1;
    const char *from = *p;
    if (!scan_decimal(p, &width) || !scan_field_end(*p) || width > 1024)
        return traceg_fail_at(t, from, "expected the memory width, a number up to 1024");
    const struct opcode *o = &f->opcode;
    bool stores = o->op == WARP_STORE || o->op == WARP_ATOMIC || n_dst == 0;
    for (uint32_t i = 0; i < n_dst; i++)
        add_registers(&f->dst, dst[i], o->dst_regs);
    for (uint32_t i = 0; i < n_src; i++)
        add_registers(&f->src, src[i],
                      i > 0 && i == n_src - 1 && stores ? o->data_regs : o->src_regs);
    f->addresses = width > 0;
    if (!f->addresses && o->space != OPCODE_NO_ACCESS)
        return traceg_fail_at(t, from, "expected a memory width above 0 for this opcode");
    if (f->addresses && o->space == OPCODE_NO_ACCESS && !o->left_out)
        return traceg_fail_at(t, from,
                              "expected a memory width of 0 for an opcode that is not known "
                              "to access memory");
    return 0;
}

static uint32_t hash_form(uint32_t pc, const char *s, size_t n) {
    return hash_bytes(pc, s, n) % RECENT;
}

static bool form_is(const struct traceg *t, uint32_t form, uint32_t pc, const char *s, size_t n) {
    const struct form *f = &t->forms[form];
    return f->pc == pc && f->text_size == n && memcmp(t->texts + f->text, s, n) == 0;
}

/* Index of the form with its pc and this text, added if it is new. */
static int keep_form(struct traceg *t, struct form *f, const char *s, size_t n, uint32_t *form) {
    uint32_t h = hash_form(f->pc, s, n);
    for (uint32_t i = t->chain[h]; i != NO_FORM; i = t->forms[i].next)
        if (form_is(t, i, f->pc, s, n)) {
            *form = i;
            return 0;
        }
    if (t->n_forms == MAX_FORMS)
        return traceg_fail(t, "more than 524288 different instructions in a kernel");
    size_t room = t->room_forms;
    if (traceg_grow(t, &t->forms, sizeof *f, t->n_forms + 1u, t->room_forms, &room) != 0)
        return -1;
    t->room_forms = (uint32_t)room;
    if (traceg_grow(t, &t->texts, 1, t->used_texts + n, t->room_texts, &t->room_texts) != 0)
        return -1;
    if (t->used_texts + n > UINT32_MAX)
        return traceg_fail(t, "more than 4 GiB of different instructions in a kernel");
    memcpy(t->texts + t->used_texts, s, n);
    f->text = (uint32_t)t->used_texts;
    f->text_size = (uint32_t)n;
    f->next = t->chain[h];
    t->used_texts += n;
    t->forms[t->n_forms] = *f;
    t->chain[h] = *form = t->n_forms++;
    return 0;
}

/* The cache entry for the beginning of a line; left: bytes from p on. NULL if the line is too
 * short. */
static struct beginning *beginning_at(const struct traceg *t, const char *p, size_t left) {
    uint64_t key;
    if (left < sizeof key)
        return NULL;
    memcpy(&key, p, sizeof key);
    return &t->begun_as[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BEGINNINGS_LOG2)];
}

bool traceg_recall(const struct traceg *t, const char **p, uint32_t *form, uint32_t *mask) {
    const size_t left = (size_t)(t->line + t->size - *p);
    const struct beginning *b = beginning_at(t, *p, left);
    if (!b || !b->size || left < b->size || memcmp(*p, b->text, b->size) != 0 ||
        !scan_field_end(*p + b->size) || b->mask & ~t->b->warp[t->warp].lanes)
        return false;
    *p += b->size;
    *form = b->form;
    *mask = b->mask;
    return true;
}

void traceg_remember(struct traceg *t, const char *from, const char *end, uint32_t form,
                     uint32_t mask) {
    const size_t size = (size_t)(end - from);
    struct beginning *b = beginning_at(t, from, size);
    if (!b || size > BEGINNING_MAX)
        return;
    *b = (struct beginning){.form = form, .mask = mask, .size = (uint8_t)size};
    memcpy(b->text, from, size);
}

int traceg_find_form(struct traceg *t, const char **p, uint64_t pc, uint32_t *form) {
    uint32_t *recent = &t->recent[(pc >> 4 ^ pc >> 16) % RECENT];
    const char *s = *p;
    if (*recent != NO_FORM) {
        const struct form *f = &t->forms[*recent];
        size_t left = (size_t)(t->line + t->size - s);
        if (f->pc == (uint32_t)pc && left >= f->text_size &&
            memcmp(s, t->texts + f->text, f->text_size) == 0 && scan_field_end(s + f->text_size)) {
            *p = s + f->text_size;
            *form = *recent;
            return 0;
        }
    }
    struct form f;
    if (read_form(t, p, &f) != 0)
        return -1;
    f.pc = (uint32_t)pc;
    if (keep_form(t, &f, s, (size_t)(*p - s), form) != 0)
        return -1;
    *recent = *form;
    return 0;
}
