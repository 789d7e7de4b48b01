// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/scan.h"

#define KNOWN_VERSION 6
#define MAX_GRID (UINT64_C(1) << 40)

/* Reads a decimal number of at most `max` that ends the line. */
static int read_number(struct traceg *t, const char *p, uint64_t max, uint32_t *value) {
    uint64_t v = 0;
    const char *from = p;
    if (!scan_decimal(&p, &v) || !traceg_at_line_end(t, p) || v > max) {
        char what[64];
        snprintf(what, sizeof what, "expected a number up to %llu", (unsigned long long)max);
        return traceg_fail_at(t, from, what);
    }
    *value = (uint32_t)v;
    return 0;
}

static int read_base(struct traceg *t, const char *p, uint64_t *base) {
    const char *from = p;
    if (!scan_hex(&p, base) || !traceg_at_line_end(t, p))
        return traceg_fail_at(t, from, "expected a hexadecimal address");
    return 0;
}

static int read_size(struct traceg *t, const char *p, uint32_t v[3]) {
    const char *from = p;
    if (*p++ != '(' || !traceg_scan_triple(&p, v) || *p++ != ')' || !traceg_at_line_end(t, p))
        return traceg_fail_at(t, from, "expected (x,y,z)");
    if (v[0] == 0 || v[1] == 0 || v[2] == 0)
        return traceg_fail_at(t, from, "expected positive sizes");
    return 0;
}

static int read_grid(struct traceg *t, const char *p) {
    const uint32_t *g = t->header.grid;
    if (read_size(t, p, t->header.grid) != 0)
        return -1;
    uint64_t rows = (uint64_t)g[0] * g[1];
    if (rows > MAX_GRID || rows * g[2] > MAX_GRID || g[2] > MAX_GRID / rows)
        return traceg_fail_at(t, p, "expected at most 2^40 blocks");
    t->n_blocks = rows * g[2];
    return 0;
}

static int read_block_size(struct traceg *t, const char *p) {
    const uint32_t *b = t->header.block;
    if (read_size(t, p, t->header.block) != 0)
        return -1;
    if (b[0] > 1024 || b[1] > 1024 || b[2] > 1024 || (uint64_t)b[0] * b[1] * b[2] > 1024)
        return traceg_fail_at(t, p, "expected at most 1024 threads");
    t->threads = b[0] * b[1] * b[2];
    t->warps = (t->threads + WARP_LANES - 1) / WARP_LANES;
    return 0;
}

static int read_version(struct traceg *t, const char *p) {
    const char *from = p;
    uint64_t v = 0, minor = 0;
    bool good = scan_decimal(&p, &v);
    if (good && *p == '.') {
        p++;
        good = scan_decimal(&p, &minor);
    }
    if (!good || !traceg_at_line_end(t, p) || v < 1 || v > KNOWN_VERSION)
        return traceg_fail_at(t, from, "expected a tracer version from 1 to 6");
    t->header.version = (uint32_t)v;
    return 0;
}

static int read_line_info(struct traceg *t, const char *p) {
    uint32_t v = 0;
    if (read_number(t, p, 1, &v) != 0)
        return -1;
    t->header.line_info = v == 1;
    return 0;
}

static int read_name(struct traceg *t, const char *p) {
    size_t n = (size_t)(t->line + t->size - p);
    if (traceg_at_line_end(t, p))
        return traceg_fail(t, "the kernel has no name");
    char *name = t->header.name = alloc_text_part(p, n);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            name[i] = '?';
    return 0;
}

static int read_shared(struct traceg *t, const char *p) {
    return read_number(t, p, UINT32_MAX, &t->header.shared_bytes);
}
/* Some tracers write any number here. Such a number is kept for a warning. */
static int read_regs(struct traceg *t, const char *p) {
    const size_t n = strspn(p, "-0123456789");
    const bool number = n && n < 24 && traceg_at_line_end(t, p + n);
    if (!number || (*p != '-' && strtoull(p, NULL, 10) <= WARP_REGS))
        return read_number(t, p, WARP_REGS, &t->header.regs);
    snprintf(t->odd[ODD_REGISTERS].opcode, ODD_OPCODE_MAX, "-nregs = %.*s", (int)n, p);
    traceg_note(t, ODD_REGISTERS);
    return 0;
}
static int read_shared_base(struct traceg *t, const char *p) {
    return read_base(t, p, &t->header.shared_base);
}
static int read_local_base(struct traceg *t, const char *p) {
    return read_base(t, p, &t->header.local_base);
}

static int read_stream(struct traceg *t, const char *p) {
    uint64_t v = 0;
    const char *from = p;
    for (; *p >= '0' && *p <= '9' && v <= (UINT64_MAX - (unsigned)(*p - '0')) / 10; p++)
        v = v * 10 + (unsigned)(*p - '0');
    if (p == from || !traceg_at_line_end(t, p))
        return traceg_fail_at(t, from, "expected a number up to 18446744073709551615");
    t->header.stream = v;
    return 0;
}

static int skip_value(struct traceg *t, const char *p) {
    (void)t;
    (void)p;
    return 0;
}

static const struct {
    const char *name;
    int (*read)(struct traceg *t, const char *value);
    bool needed;
} keys[] = {
    {"kernel name", read_name, true},
    {"grid dim", read_grid, true},
    {"block dim", read_block_size, true},
    {"shmem", read_shared, false},
    {"nregs", read_regs, false},
    {"shmem base_addr", read_shared_base, false},
    {"local mem base_addr", read_local_base, false},
    {"accelsim tracer version", read_version, false},
    {"enable lineinfo", read_line_info, false},
    {"kernel id", skip_value, false},
    {"binary version", skip_value, false},
    {"cuda stream id", read_stream, false},
    {"nvbit version", skip_value, false},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* Keeps the first unknown line of the header for a warning, without its value. */
static void note_unknown(struct traceg *t) {
    char *text = t->odd[ODD_HEADER].opcode;
    for (size_t n = 0; !t->odd[ODD_HEADER].times && n < t->size && n < ODD_OPCODE_MAX - 1 &&
                       t->line[n] != '=' && !traceg_at_line_end(t, t->line + n);
         n++) {
        const char c = t->line[n];
        text[n] = c >= ' ' && c <= '~' ? c : '?';
        text[n + 1] = '\0';
    }
    for (size_t n = strlen(text); n && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
    traceg_note(t, ODD_HEADER);
}

/* Reads one "-key = value". */
static int read_key(struct traceg *t, unsigned *given) {
    for (unsigned i = 0; i < KEYS; i++) {
        const char *value = traceg_value_of(t, t->line + 1, keys[i].name);
        if (!value)
            continue;
        if (*given & 1u << i)
            return traceg_fail(t, "-%s is given twice", keys[i].name);
        *given |= 1u << i;
        return keys[i].read(t, value);
    }
    note_unknown(t);
    return 0;
}

int traceg_read_header(struct traceg *t) {
    unsigned given = 0;
    int got;
    while ((got = traceg_next_line(t)) > 0 && (t->line[0] != '#' || !given)) {
        if (t->line[0] == '#')
            continue; /* a comment before the header */
        if (t->line[0] != '-')
            return traceg_fail_at(t, t->line, "expected '-key = value' or '#' in the header");
        if (read_key(t, &given) != 0)
            return -1;
    }
    if (got < 0)
        return -1;
    if (trace_input_number(t->in) == 0)
        return traceg_fail(t, "the file is empty");
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].needed && !(given & 1u << i))
            return traceg_fail(t, "the header has no '-%s'", keys[i].name);
    if (got == 0)
        return traceg_fail(t, "the file ends inside the header");
    t->begun = traceg_line_is(t, "#BEGIN_TB");
    return 0;
}
