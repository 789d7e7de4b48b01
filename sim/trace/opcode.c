// SPDX-License-Identifier: Apache-2.0
#include "trace/opcode.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"

#define WORD_SIZE 15 /* size of the longest word with its zero byte */

enum {
    SKIPS = 1,
    MAYBE = 2,
    ROWS = 4,
    ONCE = 8,
    BULK = 16,
    FIELDS = 32,
    REMOTE = 64,
    CLOSES = 128,
    WAITS = 256,
    HOLDS = 512
};

enum opcode_class {
#define OPCODE_CLASS(name, op, space, unit, marks, model) CLASS_##name,
#define OPCODE(word, name)
#include "trace/opcode.def"
#undef OPCODE_CLASS
#undef OPCODE
};

static const struct opcode_model {
    uint8_t op, space, unit;
    uint16_t marks;
} classes[] = {
#define OPCODE_CLASS(name, op, space, unit, marks, model)                                          \
    {WARP_##op, OPCODE_##space, UNIT_##unit, marks},
#define OPCODE(word, name)
#include "trace/opcode.def"
#undef OPCODE_CLASS
#undef OPCODE
};

static const struct opcode_word {
    char text[WORD_SIZE];
    uint8_t class;
} words[] = {
#define OPCODE_CLASS(name, op, space, unit, marks, model)
#define OPCODE(word, name) {#word, CLASS_##name},
#include "trace/opcode.def"
#undef OPCODE_CLASS
#undef OPCODE
};

static int compare_words(const void *a, const void *b) {
    return memcmp(a, b, WORD_SIZE);
}

/* Returns the class of a word, or NULL if the word is unknown. */
static const struct opcode_model *find_class(const char *text, size_t n) {
    struct opcode_word key = {{0}, 0};
    if (n >= WORD_SIZE)
        return NULL;
    memcpy(key.text, text, n);
    const struct opcode_word *w =
        bsearch(&key, words, sizeof words / sizeof words[0], sizeof words[0], compare_words);
    return w ? &classes[w->class] : NULL;
}

static bool is_word(const char *text, size_t n, const char *word) {
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

/* Reads a decimal number. The result is at most 99999. */
static uint32_t read_number(const char **t, const char *end) {
    uint32_t n = 0;
    for (; *t < end && **t >= '0' && **t <= '9'; ++*t)
        n = n < 10000 ? n * 10 + (uint32_t)(**t - '0') : n;
    return n;
}

/* Returns the width in bits that a token such as 64, U8, S16, F64, B32 or F16x2 names. Returns 0 if
 * the token names no width. */
static uint32_t token_width(const char *t, size_t n) {
    const char *end = t + n;
    t += n > 2 && t[0] == 'B' && t[1] == 'F';
    t += n > 1 && (t[0] == 'U' || t[0] == 'S' || t[0] == 'F' || t[0] == 'B');
    uint32_t bits = read_number(&t, end);
    if (bits && t < end && *t == 'x') {
        t++;
        bits *= read_number(&t, end);
    }
    return t == end ? bits : 0;
}

struct tokens {
    uint32_t width; /* width in bits; 0 if no token names one */
    bool strong, far, bypass, wide, arrive;
};

static void read_token(struct tokens *k, const char *t, size_t n) {
    if (!k->width)
        k->width = token_width(t, n);
    k->strong |= is_word(t, n, "STRONG");
    k->far |= is_word(t, n, "GPU") || is_word(t, n, "SYS");
    k->bypass |= is_word(t, n, "CV") || is_word(t, n, "BYPASS");
    k->wide |= is_word(t, n, "WIDE");
    k->arrive |= is_word(t, n, "ARV");
}

/* Sets the size of an access to its width, or to the next size that the model has. */
static void set_size(struct opcode *o, uint32_t bits) {
    const uint8_t most = o->space == OPCODE_GLOBAL && o->op != WARP_ATOMIC ? 32 : 16;
    for (o->size = 1; o->size * 8u < bits && o->size < most;)
        o->size *= 2;
    if (o->size * 8u != bits || (o->op == WARP_ATOMIC && bits > 64))
        o->odd = ODD_WIDTH;
    o->rounded = o->odd == ODD_WIDTH;
    if (o->op != WARP_ATOMIC)
        return;
    o->rounded |= o->size < 4;
    o->size = o->size < 8 ? 4 : 8;
}

/* An operand of 32 B is two groups of four registers, which need not follow each other. */
static void set_registers(struct opcode *o, bool wide) {
    uint8_t data = o->size >= 16 ? 4 : o->size == 8 ? 2 : 1;
    o->dst_regs = o->src_regs = o->data_regs = 1;
    if (o->space != OPCODE_NO_ACCESS && o->space != OPCODE_ASYNC)
        o->dst_regs = o->data_regs = data;
    else if (o->op == WARP_FP64)
        o->dst_regs = o->src_regs = o->data_regs = 2;
    else if (wide)
        o->dst_regs = 2;
}

void opcode_drop_access(struct opcode *o) {
    o->op = WARP_ALU;
    o->space = OPCODE_NO_ACCESS;
    o->odd = ODD_BARE;
}

void opcode_guess_access(struct opcode *o, bool load, uint32_t width) {
    o->op = load ? WARP_LOAD : WARP_STORE;
    o->space = OPCODE_GENERIC;
    set_size(o, 8 * width);
    set_registers(o, false);
    o->odd = ODD_UNKNOWN;
}

static void set_class(struct opcode *o, const struct opcode_model *c) {
    o->op = c->op;
    o->space = c->space;
    o->unit = c->unit;
    o->left_out = c->marks & SKIPS;
    o->maybe = c->marks & MAYBE;
    o->once = c->marks & ONCE;
    o->atomic = c->marks & HOLDS || (c->op == WARP_ATOMIC && c->space == OPCODE_GENERIC);
    o->bulk = c->marks & FIELDS;
    o->async = c->space == OPCODE_ASYNC ? ASYNC_COPY
               : c->marks & CLOSES      ? ASYNC_CLOSE
               : c->marks & WAITS       ? ASYNC_WAIT
                                        : ASYNC_NONE;
    o->odd = c->marks & BULK ? ODD_BULK : c->marks & REMOTE ? ODD_REMOTE : ODD_NONE;
}

void opcode_find(const char *text, size_t n, struct opcode *o) {
    const char *end = text + n, *dot = memchr(text, '.', n);
    const struct opcode_model *class = find_class(text, dot ? (size_t)(dot - text) : n);
    struct tokens k = {0};
    *o = (struct opcode){.op = WARP_ALU, .odd = ODD_UNKNOWN, .left_out = true};
    if (class)
        set_class(o, class);
    while (dot) {
        const char *from = dot + 1;
        dot = memchr(from, '.', (size_t)(end - from));
        read_token(&k, from, (size_t)((dot ? dot : end) - from));
    }
    o->skip_l1 = o->op == WARP_LOAD && ((k.strong && k.far) || k.bypass);
    o->arrives = o->op == WARP_BARRIER && k.arrive;
    if (o->arrives)
        o->op = WARP_ALU;
    const bool rows = class && class->marks & ROWS;
    if (o->space != OPCODE_NO_ACCESS)
        set_size(o, rows ? 128 : k.width ? k.width : 32);
    set_registers(o, k.wide);
    if (rows && n > 1 && text[n - 2] == '.') /* number of matrices, with one register each */
        o->dst_regs = o->data_regs = text[n - 1] == '4' ? 4 : text[n - 1] == '2' ? 2 : 1;
}
