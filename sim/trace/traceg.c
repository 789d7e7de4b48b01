#include "trace/traceg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/banks.h"
#include "trace/opcode.h"
#include "trace/scan.h"

#define KNOWN_VERSION 5
#define MAX_REGISTERS 16 /* named by one instruction, of either kind */
#define MAX_GRID (UINT64_C(1) << 40)
#define SEEN_GRID (UINT64_C(1) << 27) /* up to this size blocks that come twice are found */
#define MAX_FORMS (1u << 19)
#define MAX_BLOCK_BYTES (UINT64_C(1) << 30)
#define RECENT 4096 /* power of two */
#define NO_FORM UINT32_MAX

/* Code of a block: a word for each instruction, then what it says.
 *   0..18   form (index)
 *   19      the mask is not that of the warp's threads: it follows, 4 bytes
 *   20..21  addresses: enum code_addresses; they follow
 *   22..23  enum code_use
 *   24..28  passes - 1 */
enum code_addresses {
    CODE_NONE,
    CODE_STRIDE, /* 8 bytes base, 4 bytes signed stride from active lane to active lane */
    CODE_NEAR,   /* 8 bytes base, 4 bytes offset for each active lane */
    CODE_FAR     /* 8 bytes for each active lane */
};
enum code_use {
    USE_OP,     /* what the form's opcode says */
    USE_SHARED, /* an access to shared memory */
    USE_LOCAL,  /* a load or store of local memory */
    USE_ALU     /* no lane takes part in what the opcode says */
};
#define CODE_FORM(code) ((code) & (MAX_FORMS - 1))
#define CODE_MASK (1u << 19)
#define CODE_INST_MAX (4 + 4 + WARP_LANES * 8)

/* What all executions of an instruction share. */
struct form {
    struct reg_set src, dst;
    struct opcode opcode;
    uint32_t text, text_size; /* in traceg.texts: "ndst R.. opcode nsrc R.. mem_width" */
    uint32_t next;            /* in the chain of its hash */
    bool addresses;           /* mem_width is not 0 */
};

struct traceg {
    struct trace_input *in; /* owned */
    struct traceg_header header;
    uint64_t n_blocks, read_blocks;
    uint32_t threads, warps; /* of a block */
    uint8_t *seen;           /* owned; bit per block of the grid; NULL: too many */
    const char *line;        /* the line that was read last */
    size_t size;
    bool begun;         /* the header ended with #BEGIN_TB */
    struct form *forms; /* owned */
    uint32_t n_forms, room_forms;
    char *texts; /* owned */
    size_t used_texts, room_texts;
    uint32_t *chain;  /* owned; first form of each hash; RECENT of them */
    uint32_t *recent; /* owned; form of the last instruction with this pc */
    /* The block that is being read. */
    struct traceg_block *b;
    uint32_t cta[3], warp, live; /* lanes that have not exited */
    char error[TRACE_ERROR_MAX];
};

/* ---- Errors and lines ---- */

__attribute__((format(printf, 2, 3))) static int fail(struct traceg *t, const char *fmt, ...) {
    va_list args;
    char what[256];
    if (t->error[0])
        return -1;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    for (char *c = what; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    snprintf(t->error, sizeof t->error, "%s:%llu: %s", trace_input_name(t->in),
             (unsigned long long)trace_input_number(t->in), what);
    return -1;
}

/* fail() with the field at p. */
static int fail_at(struct traceg *t, const char *p, const char *what) {
    const char *end = t->line + t->size;
    size_t left = p < end ? (size_t)(end - p) : 0, n = 0;
    char shown[41];
    for (; n < left && n < sizeof shown - 1 && !scan_field_end(p + n); n++)
        shown[n] = p[n] ? p[n] : '?';
    shown[n] = '\0';
    if (n == 0)
        return fail(t, "%s, but the line ends here", what);
    return fail(t, "%s, not '%s'", what, shown);
}

/* The next line that is not blank. 1, 0 at the end, -1 on an error. */
static int next_line(struct traceg *t) {
    do {
        if (!trace_input_line(t->in, &t->line, &t->size)) {
            const char *why = trace_input_error(t->in);
            return why ? fail(t, "%s", why) : 0;
        }
        while (t->size && (*t->line == ' ' || *t->line == '\t')) {
            t->line++;
            t->size--;
        }
        while (t->size && (t->line[t->size - 1] == ' ' || t->line[t->size - 1] == '\t'))
            t->size--;
    } while (t->size == 0);
    return 1;
}

static bool line_is(const struct traceg *t, const char *text) {
    return t->size == strlen(text) && memcmp(t->line, text, t->size) == 0;
}

/* ---- Header ---- */

/* "NAME = VALUE" at p: the value, or NULL if it is another name. */
static const char *value_of(const struct traceg *t, const char *p, const char *name) {
    size_t n = strlen(name);
    if ((size_t)(t->line + t->size - p) <= n || memcmp(p, name, n) != 0)
        return NULL;
    p += n;
    scan_spaces(&p);
    if (*p != '=')
        return NULL;
    p++;
    scan_spaces(&p);
    return p;
}

static bool at_line_end(const struct traceg *t, const char *p) {
    return p >= t->line + t->size;
}

/* A decimal number up to max that ends the line. */
static int read_number(struct traceg *t, const char *p, uint64_t max, uint32_t *value) {
    uint64_t v = 0;
    const char *from = p;
    if (!scan_decimal(&p, &v) || !at_line_end(t, p) || v > max) {
        char what[64];
        snprintf(what, sizeof what, "expected a number up to %llu", (unsigned long long)max);
        return fail_at(t, from, what);
    }
    *value = (uint32_t)v;
    return 0;
}

static int read_base(struct traceg *t, const char *p, uint64_t *base) {
    const char *from = p;
    if (!scan_hex(&p, base) || !at_line_end(t, p))
        return fail_at(t, from, "expected a hexadecimal address");
    return 0;
}

/* "x,y,z" */
static bool scan_triple(const char **p, uint32_t v[3]) {
    for (unsigned i = 0; i < 3; i++) {
        uint64_t n;
        if (i) {
            if (**p != ',')
                return false;
            ++*p;
            scan_spaces(p);
        }
        if (!scan_decimal(p, &n) || n > UINT32_MAX)
            return false;
        v[i] = (uint32_t)n;
    }
    return true;
}

static int read_size(struct traceg *t, const char *p, uint32_t v[3]) {
    const char *from = p;
    if (*p++ != '(' || !scan_triple(&p, v) || *p++ != ')' || !at_line_end(t, p))
        return fail_at(t, from, "expected (x,y,z)");
    if (v[0] == 0 || v[1] == 0 || v[2] == 0)
        return fail_at(t, from, "expected sizes above 0");
    return 0;
}

static int read_grid(struct traceg *t, const char *p) {
    const uint32_t *g = t->header.grid;
    if (read_size(t, p, t->header.grid) != 0)
        return -1;
    uint64_t rows = (uint64_t)g[0] * g[1];
    if (rows > MAX_GRID || rows * g[2] > MAX_GRID || g[2] > MAX_GRID / rows)
        return fail_at(t, p, "expected at most 2^40 blocks");
    t->n_blocks = rows * g[2];
    return 0;
}

static int read_block_size(struct traceg *t, const char *p) {
    const uint32_t *b = t->header.block;
    if (read_size(t, p, t->header.block) != 0)
        return -1;
    if (b[0] > 1024 || b[1] > 1024 || b[2] > 1024 || (uint64_t)b[0] * b[1] * b[2] > 1024)
        return fail_at(t, p, "expected at most 1024 threads");
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
    if (!good || !at_line_end(t, p) || v < 1 || v > KNOWN_VERSION)
        return fail_at(t, from, "expected a tracer version from 1 to 5");
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
    char *name = t->header.name;
    if (at_line_end(t, p))
        return fail(t, "the kernel has no name");
    n = n < TRACE_NAME_MAX - 1 ? n : TRACE_NAME_MAX - 1;
    memcpy(name, p, n);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || (unsigned char)name[i] > '~')
            name[i] = '?';
    return 0;
}

static int read_shared(struct traceg *t, const char *p) {
    return read_number(t, p, UINT32_MAX, &t->header.shared_bytes);
}
static int read_regs(struct traceg *t, const char *p) {
    return read_number(t, p, WARP_REGS, &t->header.regs);
}
static int read_shared_base(struct traceg *t, const char *p) {
    return read_base(t, p, &t->header.shared_base);
}
static int read_local_base(struct traceg *t, const char *p) {
    return read_base(t, p, &t->header.local_base);
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
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* One "-key = value"; keys that we have no use for are skipped. */
static int read_key(struct traceg *t, unsigned *given) {
    for (unsigned i = 0; i < KEYS; i++) {
        const char *value = value_of(t, t->line + 1, keys[i].name);
        if (!value)
            continue;
        if (*given & 1u << i)
            return fail(t, "-%s is given twice", keys[i].name);
        *given |= 1u << i;
        return keys[i].read(t, value);
    }
    return 0;
}

static int read_header(struct traceg *t) {
    unsigned given = 0;
    int got;
    while ((got = next_line(t)) > 0 && t->line[0] != '#') {
        if (t->line[0] != '-')
            return fail_at(t, t->line, "expected '-key = value' or '#' in the header");
        if (read_key(t, &given) != 0)
            return -1;
    }
    if (got < 0)
        return -1;
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].needed && !(given & 1u << i))
            return fail(t, "the header has no '-%s'", keys[i].name);
    if (got == 0)
        return fail(t, "the file ends in the header");
    t->begun = line_is(t, "#BEGIN_TB");
    return 0;
}

struct traceg *traceg_open(struct trace_input *in, char *err, size_t err_size) {
    struct traceg *t = calloc(1, sizeof *t);
    if (!t) {
        snprintf(err, err_size, "%s: out of memory", trace_input_name(in));
        trace_input_close(in);
        return NULL;
    }
    t->in = in;
    t->recent = malloc(RECENT * sizeof *t->recent);
    t->chain = malloc(RECENT * sizeof *t->chain);
    if (!t->recent || !t->chain) {
        fail(t, "out of memory");
    } else {
        memset(t->recent, 0xff, RECENT * sizeof *t->recent);
        memset(t->chain, 0xff, RECENT * sizeof *t->chain);
        read_header(t);
    }
    if (!t->error[0] && t->n_blocks <= SEEN_GRID && !(t->seen = calloc(t->n_blocks / 8 + 1, 1)))
        fail(t, "out of memory");
    if (!t->error[0])
        return t;
    snprintf(err, err_size, "%s", t->error);
    traceg_close(t);
    return NULL;
}

void traceg_close(struct traceg *t) {
    if (!t)
        return;
    trace_input_close(t->in);
    free(t->seen);
    free(t->forms);
    free(t->texts);
    free(t->chain);
    free(t->recent);
    free(t);
}

const struct traceg_header *traceg_header(const struct traceg *t) {
    return &t->header;
}

uint64_t traceg_bytes(const struct traceg *t) {
    return trace_input_bytes(t->in);
}

const char *traceg_error(const struct traceg *t) {
    return t->error;
}

/* ---- Forms ---- */

/* Doubles an array until it has room for `need` elements. */
static int grow(struct traceg *t, void *array, size_t elem, size_t need, size_t room, size_t *now) {
    void **a = array;
    size_t more = room ? room : 64;
    while (more < need)
        more *= 2;
    void *p = more == room ? *a : realloc(*a, more * elem);
    if (!p)
        return fail(t, "out of memory");
    *a = p;
    *now = more;
    return 0;
}

static void add_registers(struct reg_set *set, uint32_t first, uint32_t n) {
    for (uint32_t r = first; r < first + n && r < WARP_REGS - 1; r++)
        set->w[r / 64] |= UINT64_C(1) << r % 64;
}

/* "n R.. ": up to MAX_REGISTERS numbers. */
static int read_registers(struct traceg *t, const char **p, uint32_t *reg, uint32_t *n) {
    uint64_t v;
    const char *from = *p;
    if (!scan_decimal(p, &v) || !scan_field_end(*p) || v > MAX_REGISTERS)
        return fail_at(t, from, "expected a number of registers up to 16");
    *n = (uint32_t)v;
    for (uint32_t i = 0; i < *n; i++) {
        scan_spaces(p);
        from = *p;
        *p += **p == 'R';
        if (*from != 'R' || !scan_decimal(p, &v) || !scan_field_end(*p) || v >= WARP_REGS)
            return fail_at(t, from, "expected a register R0 to R255");
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
        return fail_at(t, from, "expected an opcode");
    if (!opcode_find(from, (size_t)(*p - from), o))
        return fail_at(t, from, "expected an opcode with a width of 8, 16, 32, 64 or 128 bits");
    scan_spaces(p);
    return 0;
}

/* From the number of destinations to mem_width. */
static int read_form(struct traceg *t, const char **p, struct form *f) {
    uint32_t dst[MAX_REGISTERS], src[MAX_REGISTERS], n_dst, n_src;
    uint64_t width;
    memset(f, 0, sizeof *f);
    if (read_registers(t, p, dst, &n_dst) != 0 || read_opcode(t, p, &f->opcode) != 0 ||
        read_registers(t, p, src, &n_src) != 0)
        return -1;
    const char *from = *p;
    if (!scan_decimal(p, &width) || !scan_field_end(*p) || width > 1024)
        return fail_at(t, from, "expected the memory width, a number up to 1024");
    const struct opcode *o = &f->opcode;
    bool stores = o->op == WARP_STORE || o->op == WARP_ATOMIC || n_dst == 0;
    for (uint32_t i = 0; i < n_dst; i++)
        add_registers(&f->dst, dst[i], o->dst_regs);
    for (uint32_t i = 0; i < n_src; i++)
        add_registers(&f->src, src[i],
                      i > 0 && i == n_src - 1 && stores ? o->data_regs : o->src_regs);
    f->addresses = width > 0;
    if (!f->addresses && o->space != OPCODE_NO_ACCESS)
        return fail_at(t, from, "expected a memory width above 0 for this opcode");
    if (f->addresses && o->space == OPCODE_NO_ACCESS && !o->left_out)
        return fail_at(t, from, "addresses of an opcode that is not known to access memory");
    return 0;
}

static uint32_t hash_text(const char *s, size_t n) {
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 0x100000001b3;
    return (uint32_t)(h >> 32 ^ h) % RECENT;
}

static bool form_is(const struct traceg *t, uint32_t form, const char *s, size_t n) {
    const struct form *f = &t->forms[form];
    return f->text_size == n && memcmp(t->texts + f->text, s, n) == 0;
}

/* Index of the form with this text, added if it is new. */
static int keep_form(struct traceg *t, struct form *f, const char *s, size_t n, uint32_t *form) {
    uint32_t h = hash_text(s, n);
    for (uint32_t i = t->chain[h]; i != NO_FORM; i = t->forms[i].next)
        if (form_is(t, i, s, n)) {
            *form = i;
            return 0;
        }
    if (t->n_forms == MAX_FORMS)
        return fail(t, "more than 524288 different instructions in a kernel");
    size_t room = t->room_forms;
    if (grow(t, &t->forms, sizeof *f, t->n_forms + 1u, t->room_forms, &room) != 0)
        return -1;
    t->room_forms = (uint32_t)room;
    if (grow(t, &t->texts, 1, t->used_texts + n, t->room_texts, &t->room_texts) != 0)
        return -1;
    if (t->used_texts + n > UINT32_MAX)
        return fail(t, "more than 4 GiB of different instructions in a kernel");
    memcpy(t->texts + t->used_texts, s, n);
    f->text = (uint32_t)t->used_texts;
    f->text_size = (uint32_t)n;
    f->next = t->chain[h];
    t->used_texts += n;
    t->forms[t->n_forms] = *f;
    t->chain[h] = *form = t->n_forms++;
    return 0;
}

/* The form at *p, behind pc and mask: that of the last instruction with this pc, if the text is the
 * same. */
static int find_form(struct traceg *t, const char **p, uint64_t pc, uint32_t *form) {
    uint32_t *recent = &t->recent[(pc >> 4 ^ pc >> 16) % RECENT];
    const char *s = *p;
    if (*recent != NO_FORM) {
        const struct form *f = &t->forms[*recent];
        size_t left = (size_t)(t->line + t->size - s);
        if (left >= f->text_size && memcmp(s, t->texts + f->text, f->text_size) == 0 &&
            scan_field_end(s + f->text_size)) {
            *p = s + f->text_size;
            *form = *recent;
            return 0;
        }
    }
    struct form f;
    if (read_form(t, p, &f) != 0 || keep_form(t, &f, s, (size_t)(*p - s), form) != 0)
        return -1;
    *recent = *form;
    return 0;
}

/* ---- Addresses ---- */

/* An access while it is parsed: addresses of the n active lanes, in lane order. */
struct access {
    uint32_t mask, n;
    uint64_t addr[WARP_LANES];
};

static int read_hex(struct traceg *t, const char **p, uint64_t *v) {
    scan_spaces(p);
    const char *from = *p;
    if (!scan_hex(p, v) || !scan_field_end(*p))
        return fail_at(t, from, "expected a hexadecimal address");
    return 0;
}

static int read_step(struct traceg *t, const char **p, int64_t *v) {
    scan_spaces(p);
    const char *from = *p;
    if (!scan_signed(p, v) || !scan_field_end(*p))
        return fail_at(t, from, "expected a decimal distance");
    return 0;
}

static int read_list(struct traceg *t, const char **p, struct access *a) {
    for (uint32_t i = 0; i < a->n; i++)
        if (read_hex(t, p, &a->addr[i]) != 0)
            return -1;
    return 0;
}

static int read_stride(struct traceg *t, const char **p, struct access *a) {
    uint64_t base;
    int64_t stride;
    const uint32_t run = a->mask ? a->mask / (a->mask & -a->mask) : 0;
    if (read_hex(t, p, &base) != 0 || read_step(t, p, &stride) != 0)
        return -1;
    if (run & (run + 1))
        return fail(t, "address mode 1 with a mask %08x that is not one run of lanes", a->mask);
    for (uint32_t i = 0; i < a->n; i++)
        a->addr[i] = base + (uint64_t)stride * i;
    return 0;
}

static int read_deltas(struct traceg *t, const char **p, struct access *a) {
    uint64_t at;
    if (read_hex(t, p, &at) != 0)
        return -1;
    for (uint32_t i = 0; i < a->n; i++) {
        int64_t delta = 0;
        if (i > 0 && read_step(t, p, &delta) != 0)
            return -1;
        at += (uint64_t)delta;
        a->addr[i] = at;
    }
    return 0;
}

/* "mode addresses" */
static int read_addresses(struct traceg *t, const char **p, struct access *a) {
    scan_spaces(p);
    char mode = **p;
    if (mode < '0' || mode > '2' || !scan_field_end(*p + 1))
        return fail_at(t, *p, "expected an address mode, 0, 1 or 2");
    ++*p;
    if (mode == '0')
        return read_list(t, p, a);
    return mode == '1' ? read_stride(t, p, a) : read_deltas(t, p, a);
}

static bool in_window(uint64_t addr, uint64_t base) {
    return base && addr - base < TRACE_WINDOW_BYTES;
}

/* The access is to shared memory, by its first active lane. */
static bool is_shared(const struct traceg *t, const struct opcode *o, const struct access *a) {
    if (o->space == OPCODE_SHARED)
        return true;
    bool in = in_window(a->addr[0], t->header.shared_base);
    if (o->space == OPCODE_ASYNC)
        return in || a->addr[0] < TRACE_WINDOW_BYTES;
    return o->space == OPCODE_GENERIC && in;
}

static bool is_local(const struct traceg *t, const struct opcode *o, const struct access *a) {
    if (o->space == OPCODE_LOCAL)
        return true;
    return o->space == OPCODE_GENERIC && o->op != WARP_ATOMIC &&
           in_window(a->addr[0], t->header.local_base);
}

/* Local addresses count from the window's start. */
static int to_local(struct traceg *t, struct access *a) {
    const uint64_t base = t->header.local_base;
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t addr = a->addr[i];
        if (in_window(addr, base))
            a->addr[i] = addr - base;
        else if (base == 0)
            a->addr[i] = addr % TRACE_WINDOW_BYTES;
        else if (addr >= TRACE_WINDOW_BYTES)
            return fail(t, "0x%llx is outside the local window of 16 MiB at 0x%llx",
                        (unsigned long long)addr, (unsigned long long)base);
    }
    return 0;
}

static int check_addresses(struct traceg *t, const struct access *a, uint32_t size) {
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t addr = a->addr[i];
        if (addr % size)
            return fail(t, "address 0x%llx is not a multiple of the width of %u B",
                        (unsigned long long)addr, size);
        if (addr >> TRACE_ADDRESS_BITS)
            return fail(t, "address 0x%llx has more than 47 bits", (unsigned long long)addr);
    }
    return 0;
}

/* ---- Code of a block ---- */

static void put(struct traceg_block *b, const void *data, size_t n) {
    memcpy(b->code + b->used, data, n);
    b->used += n;
}

/* Room for one instruction. */
static int code_room(struct traceg *t) {
    struct traceg_block *b = t->b;
    if (b->room - b->used >= CODE_INST_MAX)
        return 0;
    if (b->used + CODE_INST_MAX > MAX_BLOCK_BYTES)
        return fail(t, "more than 1 GiB of instructions in a block");
    return grow(t, &b->code, 1, b->used + CODE_INST_MAX, b->room, &b->room);
}

/* How the addresses are best kept. */
static enum code_addresses choose_code(const struct access *a, uint64_t *base, int32_t *stride) {
    uint64_t low = a->addr[0], high = low;
    int64_t step = a->n > 1 ? (int64_t)(a->addr[1] - a->addr[0]) : 0;
    bool even = step == (int32_t)step;
    for (uint32_t i = 1; i < a->n; i++) {
        even &= a->addr[i] - a->addr[i - 1] == (uint64_t)step;
        low = a->addr[i] < low ? a->addr[i] : low;
        high = a->addr[i] > high ? a->addr[i] : high;
    }
    *stride = (int32_t)step;
    *base = even ? a->addr[0] : low;
    if (even)
        return CODE_STRIDE;
    return high - low <= UINT32_MAX ? CODE_NEAR : CODE_FAR;
}

static void put_addresses(struct traceg_block *b, const struct access *a, enum code_addresses how,
                          uint64_t base, int32_t stride) {
    if (how == CODE_NONE)
        return;
    if (how == CODE_FAR) {
        put(b, a->addr, a->n * sizeof a->addr[0]);
        return;
    }
    put(b, &base, sizeof base);
    if (how == CODE_STRIDE) {
        put(b, &stride, sizeof stride);
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t offset = (uint32_t)(a->addr[i] - base);
        put(b, &offset, sizeof offset);
    }
}

static void put_inst(struct traceg *t, uint32_t form, enum code_use use, uint32_t passes,
                     const struct access *a, bool addresses) {
    struct traceg_block *b = t->b;
    uint64_t base = 0;
    int32_t stride = 0;
    bool masked = a->mask != b->warp[t->warp].lanes;
    enum code_addresses how = addresses ? choose_code(a, &base, &stride) : CODE_NONE;
    uint32_t code = form | (masked ? CODE_MASK : 0) | (uint32_t)how << 20 | (uint32_t)use << 22 |
                    (passes - 1) << 24;
    put(b, &code, sizeof code);
    if (masked)
        put(b, &a->mask, sizeof a->mask);
    put_addresses(b, a, how, base, stride);
}

static int put_access(struct traceg *t, uint32_t form, struct access *a) {
    const struct opcode *o = &t->forms[form].opcode;
    for (uint32_t i = 0; o->narrow && i < a->n; i++)
        a->addr[i] &= ~UINT64_C(3);
    if (is_shared(t, o, a)) {
        if (check_addresses(t, a, o->size) == 0)
            put_inst(t, form, USE_SHARED, banks_passes(a->mask, a->addr, o->size), a, false);
    } else if (is_local(t, o, a)) {
        if (to_local(t, a) == 0 && check_addresses(t, a, o->size) == 0)
            put_inst(t, form, USE_LOCAL, 1, a, true);
    } else if (check_addresses(t, a, o->size) == 0) {
        put_inst(t, form, USE_OP, 1, a, true);
    }
    return t->error[0] ? -1 : 0;
}

/* Lanes that exit. Returns what the instruction is: an exit if none are left. */
static enum code_use exit_lanes(struct traceg *t, uint32_t mask) {
    t->live &= ~mask;
    return t->live ? USE_ALU : USE_OP;
}

static int put_line(struct traceg *t, uint32_t form, struct access *a) {
    const struct form *f = &t->forms[form];
    enum code_use use = USE_OP;
    if (code_room(t) != 0)
        return -1;
    if (a->mask && f->opcode.space != OPCODE_NO_ACCESS)
        return put_access(t, form, a);
    if (f->opcode.op == WARP_EXIT)
        use = exit_lanes(t, a->mask);
    else if (!a->mask && (f->opcode.space != OPCODE_NO_ACCESS || f->opcode.op == WARP_BARRIER))
        use = USE_ALU;
    put_inst(t, form, use, 1, a, false);
    return 0;
}

/* ---- Body ---- */

/* "tbx tby tbz warp" of tracers before version 3. */
static int read_prefix(struct traceg *t, const char **p) {
    const char *from = *p;
    uint64_t v[4];
    for (unsigned i = 0; i < 4; i++) {
        if (!scan_decimal(p, &v[i]) || !scan_field_end(*p))
            return fail_at(t, from, "expected block x, y, z and warp (tracer version below 3)");
        scan_spaces(p);
    }
    if (v[0] != t->cta[0] || v[1] != t->cta[1] || v[2] != t->cta[2] || v[3] != t->warp)
        return fail(t, "the instruction is of block %llu,%llu,%llu, warp %llu",
                    (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                    (unsigned long long)v[3]);
    return 0;
}

static int read_pc(struct traceg *t, const char **p, uint64_t *pc) {
    uint64_t line;
    const char *from = *p;
    if (t->header.line_info) {
        if (!scan_decimal(p, &line) || !scan_field_end(*p))
            return fail_at(t, from, "expected a line number (lineinfo is on)");
        scan_spaces(p);
        from = *p;
    }
    if (!scan_hex(p, pc) || !scan_field_end(*p))
        return fail_at(t, from, "expected a hexadecimal pc");
    scan_spaces(p);
    return 0;
}

static int read_mask(struct traceg *t, const char **p, uint32_t *mask) {
    uint64_t v;
    const char *from = *p;
    const uint32_t lanes = t->b->warp[t->warp].lanes;
    if (!scan_hex(p, &v) || !scan_field_end(*p) || v > UINT32_MAX)
        return fail_at(t, from, "expected a mask of 32 lanes");
    if (v & ~(uint64_t)lanes)
        return fail_at(t, from, "expected a mask of lanes that have a thread");
    *mask = (uint32_t)v;
    scan_spaces(p);
    return 0;
}

/* What may follow: nothing or the immediate. */
static int read_rest(struct traceg *t, const char **p) {
    scan_spaces(p);
    if (at_line_end(t, *p))
        return 0;
    const char *from = *p;
    uint64_t v;
    *p += **p == '-';
    if (!scan_hex(p, &v) || !scan_field_end(*p))
        return fail_at(t, from, "expected the immediate, a number");
    scan_spaces(p);
    return at_line_end(t, *p) ? 0 : fail_at(t, *p, "expected the end of the line");
}

static int read_inst(struct traceg *t) {
    const char *p = t->line;
    uint64_t pc = 0;
    uint32_t form = NO_FORM;
    struct access a;
    if (t->header.version < 3 && read_prefix(t, &p) != 0)
        return -1;
    if (read_pc(t, &p, &pc) != 0 || read_mask(t, &p, &a.mask) != 0 ||
        find_form(t, &p, pc, &form) != 0)
        return -1;
    if (!t->live)
        return fail(t, "an instruction behind the exit of all lanes");
    a.n = (uint32_t)__builtin_popcount(a.mask);
    if (t->forms[form].addresses && read_addresses(t, &p, &a) != 0)
        return -1;
    if (read_rest(t, &p) != 0)
        return -1;
    return put_line(t, form, &a);
}

/* "insts = n" and the n lines. */
static int read_warp(struct traceg *t) {
    uint64_t n;
    int got = next_line(t);
    const char *p = got > 0 ? value_of(t, t->line, "insts") : NULL;
    if (got <= 0)
        return got < 0 ? -1 : fail(t, "the file ends in a block");
    if (!p || !scan_decimal(&p, &n) || !at_line_end(t, p))
        return fail_at(t, t->line, "expected 'insts = n'");
    t->live = t->b->warp[t->warp].lanes;
    for (uint64_t i = 0; i < n; i++) {
        got = next_line(t);
        if (got < 0)
            return -1;
        if (got == 0 || t->line[0] == '#' || t->line[0] == 'w')
            return fail(t, "warp %u has %llu of %llu instructions", t->warp, (unsigned long long)i,
                        (unsigned long long)n);
        if (read_inst(t) != 0)
            return -1;
    }
    return 0;
}

static int read_coordinates(struct traceg *t) {
    const uint32_t *g = t->header.grid, *c = t->cta;
    int got = next_line(t);
    const char *p = got > 0 ? value_of(t, t->line, "thread block") : NULL;
    if (got <= 0)
        return got < 0 ? -1 : fail(t, "the file ends in a block");
    if (!p || !scan_triple(&p, t->cta) || !at_line_end(t, p))
        return fail_at(t, t->line, "expected 'thread block = x,y,z'");
    if (c[0] >= g[0] || c[1] >= g[1] || c[2] >= g[2])
        return fail(t, "block %u,%u,%u is outside the grid of %u x %u x %u", c[0], c[1], c[2], g[0],
                    g[1], g[2]);
    uint64_t i = c[0] + (uint64_t)g[0] * (c[1] + (uint64_t)g[1] * c[2]);
    if (t->seen && t->seen[i / 8] & 1u << i % 8)
        return fail(t, "block %u,%u,%u comes twice", c[0], c[1], c[2]);
    if (t->seen)
        t->seen[i / 8] |= (uint8_t)(1u << i % 8);
    return 0;
}

static void reset_block(const struct traceg *t, struct traceg_block *b) {
    b->used = 0;
    memset(b->warp, 0, sizeof b->warp);
    for (uint32_t w = 0; w < t->warps; w++) {
        uint32_t left = t->threads - w * WARP_LANES;
        b->warp[w].lanes = left >= WARP_LANES ? UINT32_MAX : (1u << left) - 1;
    }
}

/* Behind #BEGIN_TB, to #END_TB. */
static int read_body(struct traceg *t) {
    uint32_t seen = 0; /* warps */
    int got;
    if (read_coordinates(t) != 0)
        return -1;
    while ((got = next_line(t)) > 0 && !line_is(t, "#END_TB")) {
        uint64_t w;
        const char *p = value_of(t, t->line, "warp");
        if (!p || !scan_decimal(&p, &w) || !at_line_end(t, p))
            return fail_at(t, t->line, "expected 'warp = w' or #END_TB");
        if (w >= t->warps)
            return fail(t, "warp %llu in a block of %u threads", (unsigned long long)w, t->threads);
        if (seen & 1u << w)
            return fail(t, "warp %llu comes twice", (unsigned long long)w);
        seen |= 1u << w;
        t->warp = (uint32_t)w;
        t->b->warp[w].begin = (uint32_t)t->b->used;
        if (read_warp(t) != 0)
            return -1;
        t->b->warp[w].end = (uint32_t)t->b->used;
    }
    return got > 0 ? 0 : got < 0 ? -1 : fail(t, "the file ends in a block, without #END_TB");
}

/* To the next #BEGIN_TB. 1, 0 if the file ends, -1 on an error. */
static int find_block(struct traceg *t) {
    int got = t->begun;
    t->begun = false;
    while (!got) {
        got = next_line(t);
        if (got <= 0)
            return got;
        got = line_is(t, "#BEGIN_TB");
        if (!got && t->line[0] != '#')
            return fail_at(t, t->line, "expected #BEGIN_TB");
    }
    return 1;
}

/* Behind the last block: nothing more may come. */
static int expect_end(struct traceg *t) {
    int got = find_block(t);
    if (got > 0)
        return fail(t, "more blocks than the %llu of the grid", (unsigned long long)t->n_blocks);
    return got;
}

int traceg_block(struct traceg *t, struct traceg_block *b) {
    if (t->error[0])
        return -1;
    if (t->read_blocks == t->n_blocks)
        return 0;
    int got = find_block(t);
    if (got == 0)
        return fail(t, "the file ends after %llu of %llu blocks",
                    (unsigned long long)t->read_blocks, (unsigned long long)t->n_blocks);
    if (got < 0)
        return -1;
    t->b = b;
    reset_block(t, b);
    if (read_body(t) != 0)
        return -1;
    if (++t->read_blocks == t->n_blocks && expect_end(t) != 0)
        return -1;
    return 1;
}

void traceg_block_free(struct traceg_block *b) {
    free(b->code);
    memset(b, 0, sizeof *b);
}

/* ---- Stepping ---- */

static void get(const struct traceg_block *b, uint32_t *at, void *to, size_t n) {
    memcpy(to, b->code + *at, n);
    *at += (uint32_t)n;
}

static void get_addresses(const struct traceg_block *b, uint32_t *at, enum code_addresses how,
                          struct warp_inst *inst) {
    uint64_t addr = 0;
    int32_t stride = 0;
    uint32_t offset;
    if (how == CODE_NONE)
        return;
    if (how != CODE_FAR)
        get(b, at, &addr, sizeof addr);
    if (how == CODE_STRIDE)
        get(b, at, &stride, sizeof stride);
    const uint64_t base = addr;
    for (uint32_t rest = inst->mask; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);
        if (how == CODE_FAR) {
            get(b, at, &addr, sizeof addr);
        } else if (how == CODE_NEAR) {
            get(b, at, &offset, sizeof offset);
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
    inst->skip_l1 = false;
    inst->src = inst->dst = (struct reg_set){{0}};
}

void traceg_decode(const struct traceg *t, const struct traceg_block *b, uint32_t warp,
                   uint32_t *at, struct warp_inst *inst) {
    if (*at >= b->warp[warp].end) {
        end_warp(inst);
        return;
    }
    uint32_t code;
    get(b, at, &code, sizeof code);
    const struct form *f = &t->forms[CODE_FORM(code)];
    const enum code_use use = code >> 22 & 3;
    static const uint8_t used[] = {[USE_SHARED] = WARP_SHARED, [USE_ALU] = WARP_ALU};
    inst->op = use == USE_OP || use == USE_LOCAL ? f->opcode.op : used[use];
    inst->mask = b->warp[warp].lanes;
    if (code & CODE_MASK)
        get(b, at, &inst->mask, sizeof inst->mask);
    inst->repeat = 1;
    inst->size = f->opcode.size;
    inst->space = use == USE_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
    inst->passes = (uint8_t)((code >> 24 & 31) + 1);
    inst->skip_l1 = f->opcode.skip_l1;
    inst->src = f->src;
    inst->dst = f->dst;
    if (inst->op == WARP_EXIT)
        inst->mask = 0;
    get_addresses(b, at, code >> 20 & 3, inst);
}
