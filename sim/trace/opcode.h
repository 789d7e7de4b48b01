/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a trace's opcode ("LDG.E.64.STRONG.GPU") for the memory system. */
#ifndef MEMTWIN_TRACE_OPCODE_H
#define MEMTWIN_TRACE_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory space of the addresses. */
enum opcode_space {
    OPCODE_NO_ACCESS, /* no access that is modelled; addresses, if any, are skipped */
    OPCODE_GLOBAL,
    OPCODE_LOCAL,
    OPCODE_SHARED,
    OPCODE_GENERIC, /* by the address: shared or local window, else global */
    OPCODE_ASYNC    /* LDGSTS: its two lines are a global load and a shared store */
};

struct opcode {
    uint8_t op;    /* enum warp_op; of an access, unless it is to shared memory */
    uint8_t space; /* enum opcode_space */
    uint8_t size;  /* bytes per lane of an access: 1, 2, 4, 8 or 16; atomics 4 or 8 */
    bool skip_l1;
    bool narrow;  /* an atomic of less than 4 bytes, which is done on the word around its address */
    bool arrives; /* BAR.ARV: does not wait (op is WARP_ALU) */
    bool left_out;                         /* is modelled as arithmetic, but may have addresses */
    uint8_t dst_regs, src_regs, data_regs; /* registers that a named one stands for: destination,
                                              sources, last source */
};

/* Text of n bytes without spaces. False: the width that it states is none of 8, 16, 32, 64, 128. */
bool opcode_find(const char *text, size_t n, struct opcode *o);

#endif
