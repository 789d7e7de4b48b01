/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Accel-Sim traces as a workload, in which each kernel is a launch. docs/use/traces.md
 * describes the format and the features that are modeled. */
#ifndef MEMTWIN_TRACE_READER_H
#define MEMTWIN_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/list.h"

/* Makes a workload of a trace. The trace must outlive the workload. A kernel's file is read while
 * the kernel runs, so that memory holds only resident CTAs. The nth CTA of a file is the nth CTA of
 * the grid, with x fastest, whatever its coordinates are. An error in a kernel's file ends the run
 * and is returned by `error` of the workload. */
struct workload *trace_open(struct trace *t);

/* Adds what was odd so far in the file of the running kernel to the trace. Further oddities of that
 * kernel are lost. */
void trace_note_odd(struct workload *w);

/* Counts of a trace's contents. */
struct trace_counts {
    uint64_t kernels, blocks, warps, insts; /* `insts` includes exits */
    uint64_t loads, stores, atomics; /* numbers of warp instructions that access global memory */
    uint64_t local;                  /* number of loads and stores of local memory */
    uint64_t shared, shared_passes, barriers;
    uint64_t alu, sfu, fp64;
    uint64_t threads;    /* number of active lanes of all instructions */
    uint64_t text_bytes; /* size of the kernels' files in bytes, decompressed */
};

/* Reads a whole trace, and leaves out the kernels that are bad. Calls `go_on` (may be NULL) after
 * every CTA, and stops if it returns false. Returns 0, or -1 with one line in err. */
int trace_count(struct trace *t, void *ctx,
                bool (*go_on)(void *ctx, const struct trace_counts *counts),
                struct trace_counts *counts, struct error *err);

#endif
