/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim traces as a workload, each kernel a launch. docs/use/traces.md describes the format and
 * the features that are modelled. */
#ifndef MEMTWIN_TRACE_READER_H
#define MEMTWIN_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/list.h"

/* Makes a workload of a trace, which must outlive it. A kernel's file is read while the kernel
 * runs, so that memory holds only resident blocks. The nth block of a file is the nth of the grid,
 * x fastest, whatever its coordinates. An error in a kernel's file ends the run and is returned by
 * `error` of the workload. NULL with one line in err. */
struct workload *trace_open(const struct trace *t, char *err, size_t err_size);

/* Counts of a trace's contents. */
struct trace_counts {
    uint64_t kernels, blocks, warps, insts; /* insts: warp instructions with exits */
    uint64_t loads, stores, atomics;        /* warp instructions to global memory */
    uint64_t local;                         /* loads and stores of local memory */
    uint64_t shared, shared_passes, barriers;
    uint64_t alu, sfu, fp64;
    uint64_t threads;    /* active lanes of all instructions */
    uint64_t text_bytes; /* of the kernels' files, decompressed */
};

/* Reads a whole trace. `go_on` (may be NULL) is called after every block and may end it. 0, or -1
 * with one line in err. */
int trace_count(const struct trace *t, void *ctx,
                bool (*go_on)(void *ctx, const struct trace_counts *counts),
                struct trace_counts *counts, char *err, size_t err_size);

#endif
