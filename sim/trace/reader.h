/* SPDX-License-Identifier: Apache-2.0 */
/* Accel-Sim traces as a workload: kernelslist.g, each kernel a launch. docs/traces.md has the
 * format and what of it is modelled. */
#ifndef MEMTWIN_TRACE_READER_H
#define MEMTWIN_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/input.h"

/* What a kernelslist.g says. */
struct trace_list {
    char **kernels; /* owned; names as they stand there */
    size_t n_kernels;
    uint64_t copies, copy_bytes; /* MemcpyHtoD lines */
};

/* Reads a list, up to the end of `in`. `warn` (may be NULL) gets a line for each line that is none
 * of the format. 0, or -1 with "file:line: reason" in err. */
int trace_list_read(struct trace_list *list, struct trace_input *in,
                    void (*warn)(void *ctx, const char *line), void *ctx, char *err,
                    size_t err_size);
void trace_list_free(struct trace_list *list);

/* The trace as a workload. Each kernel's file must be there; it is read while the kernel runs, so
 * memory holds the resident blocks only. The nth block of a file is the nth of the grid, x fastest,
 * whatever its coordinates. `warn` as above; it gets one more line if there are copies to the
 * device, which are not modelled. Errors found in a kernel's file end the run: `error` of the
 * workload has them. NULL with one line in err. */
struct workload *trace_open(const char *kernelslist, void (*warn)(void *ctx, const char *line),
                            void *ctx, char *err, size_t err_size);

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
int trace_count(const char *kernelslist, void (*warn)(void *ctx, const char *line), void *ctx,
                bool (*go_on)(void *ctx, const struct trace_counts *counts),
                struct trace_counts *counts, char *err, size_t err_size);

#endif
