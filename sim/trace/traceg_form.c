// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <string.h>

#include "lib/alloc.h"
#include "lib/hash.h"
#include "trace/scan.h"

#define NO_REGISTER (WARP_REGS - 1) /* RZ, which nothing waits for */
#define MAX_REGISTERS 16 /* maximum number of sources or destinations of an instruction */

static void add_registers(struct reg_set *set, uint32_t first, uint32_t n) {
    for (uint32_t r = first; r < first + n && r < WARP_REGS - 1; r++)
        set->w[r / 64] |= UINT64_C(1) << r % 64;
}

/* Skips the first letters of a uniform register or predicate (UR, P or UP), up to the last one.
 * Returns false for another register. */
static bool skip_kind(const char **p) {
    *p += **p == 'U' && ((*p)[1] == 'R' || (*p)[1] == 'P');
    return **p == 'P' || (*p)[-1] == 'U';
}

/* Reads "n R.. " with up to MAX_REGISTERS register numbers. */
static int read_registers(struct traceg *t, const char **p, uint32_t *reg, uint32_t *n) {
    uint64_t v;
    const char *from = *p;
    if (!scan_decimal(p, &v) || !scan_field_end(*p) || v > MAX_REGISTERS)
        return traceg_fail_at(t, from, "expected a number of registers up to 16");
    *n = (uint32_t)v;
    for (uint32_t i = 0; i < *n; i++) {
        scan_spaces(p);
        from = *p;
        const bool other = skip_kind(p);
        *p += **p == 'R' || other;
        if (*p == from || !scan_decimal(p, &v) || !scan_field_end(*p) || v >= WARP_REGS)
            return traceg_fail_at(t, from, "expected a register R0 to R255");
        reg[i] = other ? NO_REGISTER : (uint32_t)v;
    }
    scan_spaces(p);
    return 0;
}

/* Skips the flag that tracer version 6 writes behind the sources of HGMMA and its like. */
static int skip_commit(struct traceg *t, const char **p, const char *opcode, size_t n) {
    uint64_t v;
    const char *from = *p;
    if (t->header.version < 6 || !memmem(opcode, n, "GMMA", 4))
        return 0;
    if (!scan_decimal(p, &v) || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected the flag of a commit group, 0 or 1");
    scan_spaces(p);
    return 0;
}

static int read_opcode(struct traceg *t, const char **p, struct opcode *o) {
    const char *from = *p;
    while (**p > ' ' && **p <= '~')
        ++*p;
    if (*p == from || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected an opcode");
    opcode_find(from, (size_t)(*p - from), o);
    scan_spaces(p);
    return 0;
}

/* Makes the opcode fit a line with or without addresses. */
static int match_addresses(struct traceg *t, const char *p, uint32_t width, bool load,
                           struct opcode *o) {
    const bool addresses = width > 0;
    if (o->odd == ODD_UNKNOWN && addresses)
        opcode_guess_access(o, load, width);
    const bool access = o->space != OPCODE_NO_ACCESS;
    if (access && !addresses && !o->maybe)
        return traceg_fail_at(t, p, "expected a memory width above 0 for this opcode");
    if (access && !addresses)
        opcode_drop_access(o);
    if (!access && addresses && !o->left_out)
        o->odd = ODD_STRAY;
    return 0;
}

/* Reads a form, which is the part of a line from the number of destinations to mem_width. */
static int read_form(struct traceg *t, const char **p, struct traceg_form *f) {
    uint32_t dst[MAX_REGISTERS], src[MAX_REGISTERS], n_dst, n_src;
    uint64_t width;
    memset(f, 0, sizeof *f);
    if (read_registers(t, p, dst, &n_dst) != 0)
        return -1;
    const char *opcode = *p;
    if (read_opcode(t, p, &f->opcode) != 0)
        return -1;
    const size_t length = (size_t)(*p - opcode);
    if (read_registers(t, p, src, &n_src) != 0 || skip_commit(t, p, opcode, length) != 0)
        return -1;
    const char *from = *p;
    if (!scan_decimal(p, &width) || !scan_field_end(*p) || width > 1024)
        return traceg_fail_at(t, from, "expected the memory width, a number up to 1024");
    if (match_addresses(t, from, (uint32_t)width, n_dst > 0, &f->opcode) != 0)
        return -1;
    const struct opcode *o = &f->opcode;
    bool stores = o->op == WARP_STORE || o->op == WARP_ATOMIC || n_dst == 0;
    for (uint32_t i = 0; i < n_dst; i++)
        add_registers(&f->dst, dst[i], o->dst_regs);
    for (uint32_t i = 0; i < n_src; i++)
        add_registers(&f->src, src[i],
                      i > 0 && i == n_src - 1 && stores ? o->data_regs : o->src_regs);
    f->width = (uint16_t)width;
    f->odd = traceg_find_odd(t, f->opcode.odd, opcode);
    return 0;
}

static bool form_is(const struct traceg *t, uint32_t form, uint32_t pc, const char *s, size_t n) {
    const struct traceg_form *f = &t->forms[form];
    return f->pc == pc && f->text_size == n && memcmp(t->texts + f->text, s, n) == 0;
}

/* Sets *form to the index of the form with this text and the pc of f. Adds the form if it is
 * new. */
static int keep_form(struct traceg *t, struct traceg_form *f, const char *s, size_t n,
                     uint32_t *form) {
    const uint64_t hash = hash_bytes(f->pc, s, n);
    uint32_t at = HASH_MAP_START;
    while ((*form = hash_map_next(&t->by_text, hash, &at)) != HASH_MAP_NONE)
        if (form_is(t, *form, f->pc, s, n))
            return 0;
    if (t->n_forms == MAX_FORMS)
        return traceg_fail(t, "more than 524288 different instructions in a kernel");
    size_t room = t->room_forms;
    t->forms = alloc_reserved(t->forms, &room, t->n_forms + 1u, sizeof *f);
    t->room_forms = (uint32_t)room;
    t->texts = alloc_reserved(t->texts, &t->room_texts, t->used_texts + n, 1);
    if (t->used_texts + n > UINT32_MAX)
        return traceg_fail(t, "more than 4 GiB of different instructions in a kernel");
    memcpy(t->texts + t->used_texts, s, n);
    f->text = (uint32_t)t->used_texts;
    f->text_size = (uint32_t)n;
    t->used_texts += n;
    t->forms[t->n_forms] = *f;
    *form = t->n_forms++;
    hash_map_add(&t->by_text, hash, *form);
    return 0;
}

/* Returns the cache entry for the beginning of a line, or NULL if the line is too short. `left` is
 * the number of bytes from p on. */
static struct traceg_start *beginning_at(const struct traceg *t, const char *p, size_t left) {
    uint64_t key;
    if (left < sizeof key)
        return NULL;
    memcpy(&key, p, sizeof key);
    return &t->begun_as[hash_top(key, BEGINNINGS_LOG2)];
}

bool traceg_recall(const struct traceg *t, const char **p, uint32_t *form, uint32_t *mask) {
    const size_t left = (size_t)(t->line + t->size - *p);
    const struct traceg_start *b = beginning_at(t, *p, left);
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
    struct traceg_start *b = beginning_at(t, from, size);
    if (!b || size > BEGINNING_MAX)
        return;
    *b = (struct traceg_start){.form = form, .mask = mask, .size = (uint8_t)size};
    memcpy(b->text, from, size);
}

int traceg_find_form(struct traceg *t, const char **p, uint64_t pc, uint32_t *form) {
    uint32_t *recent = &t->recent[(pc >> 4 ^ pc >> 16) % RECENT];
    const char *s = *p;
    if (*recent != NO_FORM) {
        const struct traceg_form *f = &t->forms[*recent];
        size_t left = (size_t)(t->line + t->size - s);
        if (f->pc == (uint32_t)pc && left >= f->text_size &&
            memcmp(s, t->texts + f->text, f->text_size) == 0 && scan_field_end(s + f->text_size)) {
            *p = s + f->text_size;
            *form = *recent;
            return 0;
        }
    }
    struct traceg_form f;
    if (read_form(t, p, &f) != 0)
        return -1;
    f.pc = (uint32_t)pc;
    if (keep_form(t, &f, s, (size_t)(*p - s), form) != 0)
        return -1;
    *recent = *form;
    return 0;
}
