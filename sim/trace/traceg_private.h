/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files traceg*.c: the kernel being read, and functions used across files. */
#ifndef MEMTWIN_TRACE_TRACEG_PRIVATE_H
#define MEMTWIN_TRACE_TRACEG_PRIVATE_H

#include "trace/opcode.h"
#include "trace/traceg.h"

#define MAX_FORMS (1u << 19)
#define RECENT 4096 /* power of two */
#define NO_FORM UINT32_MAX
#define BEGINNINGS_LOG2 9
#define BEGINNING_MAX 71

/* The constant part of an instruction. */
struct form {
    struct reg_set src, dst;
    struct opcode opcode;
    uint32_t pc;              /* lower half of the line's program counter */
    uint32_t text, text_size; /* in traceg.texts: "ndst R.. opcode nsrc R.. mem_width" */
    uint32_t next;            /* in the chain of its hash */
    bool addresses;           /* mem_width is not 0 */
};

/* The beginning of a line, with its pc, mask and form. Lines that begin with the same text share
 * them. */
struct beginning {
    uint32_t form, mask;
    uint8_t size; /* of text; 0: none was read yet */
    char text[BEGINNING_MAX];
};

/* An access while it is parsed: addresses of the n active lanes, in lane order. */
struct access {
    uint32_t mask, n;
    bool even;      /* only addr[0] is filled in; lanes are `stride` apart */
    int64_t stride; /* if even */
    uint64_t addr[WARP_LANES];
};

/* Use of an instruction beyond its form. */
enum code_use {
    USE_OP,     /* as the form's opcode */
    USE_SHARED, /* an access to shared memory */
    USE_LOCAL,  /* a load or store of local memory */
    USE_ALU     /* no lane is active in the access */
};

struct traceg {
    struct trace_input *in; /* owned */
    struct traceg_header header;
    uint64_t n_blocks, read_blocks;
    uint32_t threads, warps; /* of a block */
    uint8_t *seen;           /* owned; bit per block of the grid; NULL: grid too large */
    const char *line;        /* last line read */
    size_t size;
    bool begun;         /* the header ended with #BEGIN_TB */
    struct form *forms; /* owned */
    uint32_t n_forms, room_forms;
    char *texts; /* owned */
    size_t used_texts, room_texts;
    uint32_t *chain;            /* owned; first form of each hash; RECENT of them */
    uint32_t *recent;           /* owned; form of the last instruction with this pc */
    struct beginning *begun_as; /* owned; by a hash of its first bytes */
    /* The block that is being read. */
    struct traceg_block *b;
    uint32_t cta[3], warp, live; /* lanes that have not exited */
    char error[TRACE_ERROR_MAX];
};

/* ---- Lines (traceg_line.c): what fails returns -1 with "file:line: reason" in t->error ---- */

__attribute__((format(printf, 2, 3))) int traceg_fail(struct traceg *t, const char *fmt, ...);
/* traceg_fail() that quotes the field at p. */
int traceg_fail_at(struct traceg *t, const char *p, const char *what);
/* Reads the next line that is not blank. 1, 0 at the end, -1 on an error. */
int traceg_next_line(struct traceg *t);
bool traceg_line_is(const struct traceg *t, const char *text);
/* The value of "NAME = VALUE" at p; NULL if the name differs. */
const char *traceg_value_of(const struct traceg *t, const char *p, const char *name);
/* Reads "x,y,z". */
bool traceg_scan_triple(const char **p, uint32_t v[3]);
/* Doubles an array until it has room for `need` elements. */
int traceg_grow(struct traceg *t, void *array, size_t elem, size_t need, size_t room, size_t *now);

static inline bool traceg_at_line_end(const struct traceg *t, const char *p) {
    return p >= t->line + t->size;
}

/* ---- Header (traceg_header.c) ---- */

/* Reads the header, up to the first line that begins with #. */
int traceg_read_header(struct traceg *t);

/* ---- Forms (traceg_form.c) ---- */

/* Reads the form at *p, after pc and mask. */
int traceg_find_form(struct traceg *t, const char **p, uint64_t pc, uint32_t *form);
/* Recalls form and mask at *p from a recent line that began with the same text. */
bool traceg_recall(const struct traceg *t, const char **p, uint32_t *form, uint32_t *mask);
/* Remembers form and mask of the text from `from` to `end`. */
void traceg_remember(struct traceg *t, const char *from, const char *end, uint32_t form,
                     uint32_t mask);

/* ---- Addresses (traceg_access.c) ---- */

/* Reads "mode addresses". */
int traceg_read_addresses(struct traceg *t, const char **p, struct access *a);
/* Finds the accessed memory by the first active lane. Makes local addresses relative to the start
 * of their window. */
int traceg_locate(struct traceg *t, const struct opcode *o, struct access *a, enum code_use *use);

/* ---- Code of a block (traceg_code.c; traceg_decode reads it) ---- */

/* Appends an instruction of t->warp to t->b. */
int traceg_put(struct traceg *t, uint32_t form, struct access *a);

#endif
