/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes what a trace's opcode, such as "LDG.E.64.STRONG.GPU", means for the memory system. */
#ifndef MEMTWIN_TRACE_OPCODE_H
#define MEMTWIN_TRACE_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/odd.h"

/* Memory space of the addresses. */
enum opcode_space {
    OPCODE_NO_ACCESS, /* no modeled access; addresses, if any, are skipped */
    OPCODE_GLOBAL,
    OPCODE_LOCAL,
    OPCODE_SHARED,
    OPCODE_GENERIC, /* depends on the address: shared or local window, else global */
    OPCODE_ASYNC    /* LDGSTS: its two lines are a global load and a shared store */
};

struct opcode {
    uint8_t op;    /* enum warp_op; a generic address in shared memory changes it to WARP_SHARED */
    uint8_t space; /* enum opcode_space */
    uint8_t size;  /* bytes per lane of an access: a power of two up to 16, or up to 32 for a global
                      load or store; 4 or 8 for an atomic */
    uint8_t odd;   /* enum trace_oddity */
    uint8_t unit;  /* enum warp_unit of arithmetic */
    uint8_t async; /* enum warp_async */
    bool skip_l1;
    bool atomic;   /* true for an atomic in shared memory */
    bool rounded;  /* true if addresses are rounded down to a multiple of `size` */
    bool arrives;  /* true for BAR.ARV, which does not wait (op is WARP_ALU) */
    bool left_out; /* true if modeled as arithmetic, although its line may have addresses */
    bool maybe;    /* true if a line without addresses is arithmetic */
    bool bulk;     /* true if lines of tracer version 6 have the fields of a bulk copy */
    bool once;     /* true if only the first active lane accesses memory */
    uint8_t dst_regs, src_regs, data_regs; /* numbers of consecutive registers of a destination, a
                                              source, and the last source (a store's data) */
};

/* Decodes a text of n bytes without spaces. */
void opcode_find(const char *text, size_t n, struct opcode *o);

/* Makes an unknown opcode an access of `width` bytes per lane, a load or a store, since its line
 * has addresses. */
void opcode_guess_access(struct opcode *o, bool load, uint32_t width);
/* Makes an access arithmetic, since its line has no addresses. */
void opcode_drop_access(struct opcode *o);

#endif
