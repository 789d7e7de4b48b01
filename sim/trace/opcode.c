// SPDX-License-Identifier: Apache-2.0
#include "trace/opcode.h"

#include <string.h>

#include "kernel/kernel.h"

/* Opcodes that are not plain arithmetic, by the word before the first dot. */
static const struct {
    const char *word;
    uint8_t op, space;
} table[] = {
    {"LDG", WARP_LOAD, OPCODE_GLOBAL},
    {"STG", WARP_STORE, OPCODE_GLOBAL},
    {"LD", WARP_LOAD, OPCODE_GENERIC},
    {"ST", WARP_STORE, OPCODE_GENERIC},
    {"LDL", WARP_LOAD, OPCODE_LOCAL},
    {"STL", WARP_STORE, OPCODE_LOCAL},
    {"LDS", WARP_SHARED, OPCODE_SHARED},
    {"STS", WARP_SHARED, OPCODE_SHARED},
    {"LDSM", WARP_SHARED, OPCODE_SHARED},
    {"STSM", WARP_SHARED, OPCODE_SHARED},
    {"ATOMS", WARP_SHARED, OPCODE_SHARED},
    {"ATOM", WARP_ATOMIC, OPCODE_GENERIC},
    {"ATOMG", WARP_ATOMIC, OPCODE_GLOBAL},
    {"RED", WARP_ATOMIC, OPCODE_GLOBAL},
    {"REDG", WARP_ATOMIC, OPCODE_GLOBAL},
    {"LDGSTS", WARP_LOAD, OPCODE_ASYNC},
    {"BAR", WARP_BARRIER, 0},
    {"EXIT", WARP_EXIT, 0},
    {"MUFU", WARP_SFU, 0},
    {"DADD", WARP_FP64, 0},
    {"DMUL", WARP_FP64, 0},
    {"DFMA", WARP_FP64, 0},
    {"DMNMX", WARP_FP64, 0},
    {"DSET", WARP_FP64, 0},
    {"DSETP", WARP_FP64, 0},
    {"DMMA", WARP_FP64, 0},
};

static bool is_word(const char *text, size_t n, const char *word) {
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

/* Returns the width in bits that a token such as 64, U8, S16, F64 or B32 names. Returns 0 if the
 * token names no width. Sets *bad if the token has more than four digits. */
static uint32_t token_width(const char *t, size_t n, bool *bad) {
    uint32_t bits = 0;
    if (n > 1 && (t[0] == 'U' || t[0] == 'S' || t[0] == 'F' || t[0] == 'B')) {
        t++;
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        if (t[i] < '0' || t[i] > '9')
            return 0;
        *bad |= i >= 4;
        bits = bits * 10 + (uint32_t)(t[i] - '0');
    }
    return bits;
}

struct tokens {
    uint32_t width; /* width in bits; 0 if no token names one */
    bool strong, far, bypass, wide, arrive, bad;
};

static void read_token(struct tokens *k, const char *t, size_t n) {
    if (!k->width)
        k->width = token_width(t, n, &k->bad);
    k->strong |= is_word(t, n, "STRONG");
    k->far |= is_word(t, n, "GPU") || is_word(t, n, "SYS");
    k->bypass |= is_word(t, n, "CV") || is_word(t, n, "BYPASS");
    k->wide |= is_word(t, n, "WIDE");
    k->arrive |= is_word(t, n, "ARV");
}

static bool set_size(struct opcode *o, const struct tokens *k, bool matrix) {
    o->size = (uint8_t)(k->width && k->width <= 128 ? k->width / 8 : 4);
    if (matrix)
        o->size = 16; /* LDSM, STSM: each lane has the address of a row of 16 B */
    else if (k->bad || k->width % 8 || k->width > 128 || (o->size & (o->size - 1)))
        return false;
    o->narrow = o->op == WARP_ATOMIC && o->size < 4;
    if (o->op == WARP_ATOMIC)
        o->size = o->size < 8 ? 4 : 8;
    return true;
}

static void set_registers(struct opcode *o, const struct tokens *k) {
    uint8_t data = o->size > 4 ? o->size / 4 : 1;
    o->dst_regs = o->src_regs = o->data_regs = 1;
    if (o->space == OPCODE_GLOBAL || o->space == OPCODE_LOCAL || o->space == OPCODE_SHARED ||
        o->space == OPCODE_GENERIC)
        o->dst_regs = o->data_regs = data;
    else if (o->op == WARP_FP64)
        o->dst_regs = o->src_regs = o->data_regs = 2;
    else if (k->wide)
        o->dst_regs = 2;
}

/* Returns true for accesses that are modeled as arithmetic: constants, textures, surfaces and cache
 * control. */
static bool access_left_out(const char *text, size_t n) {
    static const char *const words[] = {"LDC",   "LDCU",   "ULDC",  "TEX",   "TEXS", "TLD",
                                        "TLDS",  "TLD4",   "TLD4S", "TXD",   "SULD", "SUST",
                                        "SURED", "SUATOM", "CCTL",  "CCTLL", "CCTLT"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_word(text, n, words[i]))
            return true;
    return false;
}

bool opcode_find(const char *text, size_t n, struct opcode *o) {
    const char *end = text + n, *dot = memchr(text, '.', n);
    size_t word = dot ? (size_t)(dot - text) : n;
    struct tokens k = {0};
    *o = (struct opcode){.op = WARP_ALU};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (is_word(text, word, table[i].word)) {
            o->op = table[i].op;
            o->space = table[i].space;
        }
    while (dot) {
        const char *from = dot + 1;
        dot = memchr(from, '.', (size_t)(end - from));
        read_token(&k, from, (size_t)((dot ? dot : end) - from));
    }
    o->skip_l1 = o->op == WARP_LOAD && ((k.strong && k.far) || k.bypass);
    o->left_out = access_left_out(text, word);
    o->arrives = o->op == WARP_BARRIER && k.arrive;
    if (o->arrives)
        o->op = WARP_ALU;
    bool matrix = is_word(text, word, "LDSM") || is_word(text, word, "STSM");
    bool good = o->space == OPCODE_NO_ACCESS || set_size(o, &k, matrix);
    set_registers(o, &k);
    if (matrix && n > 1 && text[n - 2] == '.') /* number of matrices, with one register each */
        o->dst_regs = o->data_regs = text[n - 1] == '4' ? 4 : text[n - 1] == '2' ? 2 : 1;
    return good;
}
