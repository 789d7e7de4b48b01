/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim traces as a workload, each kernel a launch. docs/use/traces.md has the
 * format and what of it is modelled. */
#ifndef MEMTWIN_TRACE_READER_H
#define MEMTWIN_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/list.h"

/* A trace that was found as a workload; it must outlive that. A kernel's file is read while the
 * kernel runs, so memory holds the resident blocks only. The nth block of a file is the nth of the
 * grid, x fastest, whatever its coordinates. Errors found in a kernel's file end the run: `error`
 * of the workload has them. NULL with one line in err. */
struct workload *trace_open(const struct trace *t, char *err, size_t err_size);

/* What a trace holds, as a machine would see it. */
struct trace_counts {
    uint64_t kernels, blocks, warps, insts; /* insts: of warps, exits included */
    uint64_t loads, stores, atomics;        /* warp instructions to global memory */
    uint64_t local;                         /* loads and stores of local memory */
    uint64_t shared, shared_passes, barriers;
    uint64_t alu, sfu, fp64;
    uint64_t threads;    /* active lanes of all instructions */
    uint64_t text_bytes; /* of the kernels' files, decompressed */
};

/* Reads a whole trace. `go_on` (may be NULL) is called behind every block and may end it. 0, or -1
 * with one line in err. */
int trace_count(const struct trace *t, void *ctx,
                bool (*go_on)(void *ctx, const struct trace_counts *counts),
                struct trace_counts *counts, char *err, size_t err_size);

#endif
