/* SPDX-License-Identifier: Apache-2.0 */
/* Warp instructions as lines of a trace, tracer version 4. */
#ifndef MEMTWIN_TRACE_LINES_H
#define MEMTWIN_TRACE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

#define LINES_SHARED_BASE UINT64_C(0x7f2c00000000)
#define LINES_LOCAL_BASE UINT64_C(0x7f2c01000000)

/* A growing list of lines. All zero: empty. */
struct lines {
    char *text;        /* owned */
    size_t size, room; /* bytes */
    uint64_t n;        /* lines */
};

/* Assigns a pc to each opcode with its registers. All zero: empty. */
struct pc_table {
    char *forms;       /* owned; the texts, each ended by a zero byte */
    size_t size, room; /* bytes */
    struct pc_entry {
        size_t form; /* + 1; 0: free */
        uint32_t pc;
    } * entry; /* owned; hash table, a power of two */
    uint32_t n, n_entries;
};

/* Appends the lines of one instruction; a run has a line for each of its instructions. The first
 * line has the run's sources and the last its result; the lines next to them have sources beyond 4
 * and results beyond 1. `live`: the warp's lanes, which exit together. Returns 0, or -1 with one
 * line in err: out of memory, or what the format cannot express. */
int trace_lines_add(struct lines *out, struct pc_table *pcs, const struct warp_inst *inst,
                    uint32_t live, char *err, size_t err_size);
void trace_lines_free(struct lines *l);
void pc_table_free(struct pc_table *t);

#endif
