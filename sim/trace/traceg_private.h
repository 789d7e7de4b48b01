/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the sources traceg*.c share: the kernel being read, and functions used across
 * files. */
#ifndef MEMTWIN_TRACE_TRACEG_PRIVATE_H
#define MEMTWIN_TRACE_TRACEG_PRIVATE_H

#include "lib/hash_map.h"
#include "trace/opcode.h"
#include "trace/traceg.h"

#define MAX_FORMS (1u << 19)
#define RECENT 4096 /* a power of two */
#define NO_FORM UINT32_MAX
#define BEGINNINGS_LOG2 9
#define BEGINNING_MAX 71

/* Constant part of an instruction. */
struct traceg_form {
    struct reg_set src, dst;
    struct opcode opcode;
    uint32_t pc;              /* lower half of the line's pc */
    uint32_t text, text_size; /* offset in traceg.texts of "ndst R.. opcode nsrc R.. mem_width" */
    uint16_t width;           /* mem_width; 0 if the line has no addresses */
    uint8_t odd;              /* entry of traceg.odd; 0 if nothing is odd */
};

/* Cached beginning of a line, with its pc, mask and form. Lines that begin with the same text share
 * it. */
struct traceg_start {
    uint32_t form, mask;
    uint8_t size; /* number of bytes of text; 0 if unused */
    char text[BEGINNING_MAX];
};

/* Access during parsing, with the addresses of the n active lanes in lane order. */
struct trace_access {
    uint32_t mask, n;
    bool even;      /* true if only addr[0] is set and lanes are `stride` apart */
    int64_t stride; /* valid if `even` is true */
    uint64_t addr[WARP_LANES];
};

/* Use of a form by an instruction. */
enum code_use {
    USE_OP,     /* as the form's opcode specifies */
    USE_SHARED, /* access to shared memory */
    USE_LOCAL,  /* load or store of local memory */
    USE_ALU     /* as arithmetic: no lane is active, or the warp goes on after an EXIT */
};

struct traceg {
    struct trace_input *in; /* owned */
    struct traceg_header header;
    uint64_t n_blocks, read_blocks;
    uint32_t threads, warps; /* numbers per CTA */
    uint8_t *seen;           /* owned; one bit per CTA of the grid; NULL if the grid is too large */
    const char *line;        /* line read last */
    size_t size;
    bool begun;                /* true if the header ended with #BEGIN_TB */
    bool sorted;               /* true if `in` is the sorted copy of a raw .trace */
    struct traceg_form *forms; /* owned */
    uint32_t n_forms, room_forms;
    char *texts; /* owned */
    size_t used_texts, room_texts;
    struct hash_map by_text; /* maps the hash of a pc and a form's text to the form */
    uint32_t *recent;        /* owned; for each hash of a pc, the form of its latest instruction */
    struct traceg_start *begun_as; /* owned; indexed by a hash of the first bytes */
    /* State of the CTA being read. */
    struct traceg_block *b;
    bool again; /* true if the file had a CTA with these coordinates before */
    uint32_t cta[3], warp, live_lanes; /* `live_lanes`: mask of lanes that have not exited */
    bool last;                         /* true in the last line of a warp */
    size_t exit_at;                    /* offset of the code of the warp's latest EXIT */
    uint64_t bulk_bytes;               /* of the latest bulk copy */
    uint64_t immediate;                /* last one of the line; 0 if it has none */
    struct traceg_odd odd[ODD_ENTRIES];
    uint64_t local_low, local_high; /* lowest and highest local address of the kernel so far */
    struct error error;
};

/* ---- Lines (traceg_line.c). Functions return -1 with "file:line: reason" in t->error on error
 * ---- */

__attribute__((format(printf, 2, 3))) int traceg_fail(struct traceg *t, const char *fmt, ...);
/* Calls traceg_fail() with the field at p in quotes. */
int traceg_fail_at(struct traceg *t, const char *p, const char *what);
/* Reads the next line that is not blank. Returns 1 if there is one, 0 at the end, or -1 on an
 * error. */
int traceg_next_line(struct traceg *t);
bool traceg_line_is(const struct traceg *t, const char *text);
/* Returns the value of "NAME = VALUE" at p, or NULL if the name differs. */
const char *traceg_value_of(const struct traceg *t, const char *p, const char *name);
/* Reads "x,y,z". */
bool traceg_scan_triple(const char **p, uint32_t v[3]);

static inline bool traceg_at_line_end(const struct traceg *t, const char *p) {
    return p >= t->line + t->size;
}

/* ---- Header (traceg_header.c) ---- */

/* Reads the header, up to the first line that begins with #. */
int traceg_read_header(struct traceg *t);

/* ---- Raw traces (traceg_raw.c) ---- */

/* Makes a sorted copy of a raw .trace and continues with that. Called in the first line after the
 * header. */
int traceg_sort(struct traceg *t);

/* ---- Forms (traceg_form.c) ---- */

/* Reads the form at *p, which follows the pc and the mask. */
int traceg_find_form(struct traceg *t, const char **p, uint64_t pc, uint32_t *form);
/* Finds the form and the mask at *p in the cache of recent lines that began with the same text.
 * Returns false if the cache does not have them. */
bool traceg_recall(const struct traceg *t, const char **p, uint32_t *form, uint32_t *mask);
/* Caches the form and the mask for the text from `from` to `end`. */
void traceg_remember(struct traceg *t, const char *from, const char *end, uint32_t form,
                     uint32_t mask);

/* ---- Oddities (traceg_odd.c) ---- */

/* Counts an oddity of the current line. */
void traceg_note(struct traceg *t, unsigned entry);
/* Returns the entry for an opcode, which is in the line at p. */
uint8_t traceg_find_odd(struct traceg *t, enum trace_oddity kind, const char *p);
/* Counts an instruction whose form is odd. */
void traceg_count_odd(struct traceg *t, const struct traceg_form *f);

/* ---- Addresses (traceg_access.c) ---- */

/* Reads "mode addresses". */
int traceg_read_addresses(struct traceg *t, const char **p, struct trace_access *a);
/* Reads the part of a bulk copy's line behind mem_width. Sets t->bulk_bytes to its bytes, which
 * tracer version 6 writes; before it, to mem_width times the addresses. */
int traceg_read_bulk(struct traceg *t, const char **p, uint32_t width, struct trace_access *a);
/* Finds the memory space from the address of the first active lane. Makes local addresses relative
 * to the start of their window. */
int traceg_locate(struct traceg *t, const struct opcode *o, struct trace_access *a,
                  enum code_use *use);
/* Returns true, or false for an unknown opcode whose addresses are no global or shared ones. */
bool traceg_is_access(const struct traceg *t, const struct opcode *o, struct trace_access *a);
/* Returns true if lanes of a generic access are in different memory spaces. */
bool traceg_is_mixed(const struct traceg *t, const struct opcode *o, struct trace_access *a);
/* Sets *part to the lanes of an access that have a use. */
void traceg_take_lanes(const struct traceg *t, const struct opcode *o, struct trace_access *a,
                       enum code_use use, struct trace_access *part);

/* ---- Code of a CTA (traceg_code.c; traceg_decode reads it) ---- */

/* Appends an instruction of t->warp to t->b. */
int traceg_put(struct traceg *t, uint32_t form, struct trace_access *a);
/* Makes the warp's latest EXIT arithmetic, because an instruction follows it. */
void traceg_undo_exit(struct traceg *t);

#endif
