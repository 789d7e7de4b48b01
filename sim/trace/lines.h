/* SPDX-License-Identifier: Apache-2.0 */
/* Converts warp instructions to lines of a trace, in the format of tracer version 4. */
#ifndef MEMTWIN_TRACE_LINES_H
#define MEMTWIN_TRACE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/hash_map.h"

#define LINES_SHARED_BASE UINT64_C(0x7f2c00000000)
#define LINES_LOCAL_BASE UINT64_C(0x7f2c01000000)

/* List of lines that grows. All members are zero if it is empty. */
struct trace_lines {
    char *text;        /* owned */
    size_t size, room; /* in bytes */
    uint64_t n;        /* number of lines */
};

/* Assigns a pc to each form, which is an opcode with its registers. The table is all zero if
 * empty. */
struct pc_table {
    char *forms;            /* owned; texts of the forms, each ended by a zero byte */
    size_t size, room;      /* in bytes */
    size_t *form;           /* owned; offset of each text */
    uint32_t room_form;     /* capacity of `form` in texts */
    struct hash_map hashes; /* maps the texts to their index in `form` */
};

/* Appends the lines of one instruction. An instruction with repeat > 1 is a run of `repeat`
 * instructions, and each has a line. The first line has the run's sources, and the last line has
 * its result. If there are more than 4 sources, the others are in the lines after the first. If
 * there is more than one result, the others are in the lines before the last. `lanes` is the mask
 * of the warp's lanes, which exit together. Returns 0, or -1 with one line in err that names a
 * feature that the format cannot express. */
int trace_lines_add(struct trace_lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                    uint32_t lanes, struct error *err);
void trace_lines_free(struct trace_lines *l);
void pc_table_free(struct pc_table *t);

#endif
