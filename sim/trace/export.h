/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a workload as an Accel-Sim trace that runs just as the workload does. */
#ifndef MEMTWIN_TRACE_EXPORT_H
#define MEMTWIN_TRACE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

struct trace_exported {
    uint64_t kernels, blocks, warps, insts; /* insts: lines, of warp instructions */
    uint64_t bytes;                         /* of text */
};

struct trace_export {
    const char *dir;           /* new folder, or an existing empty one */
    bool xz;                   /* kernel-N.traceg.xz instead of kernel-N.traceg */
    const volatile bool *stop; /* polled at every block; if set, the export fails */
    /* Called at every block, with what is written so far; may be NULL. */
    void (*progress)(void *ctx, const struct trace_exported *totals, const char *kernel,
                     uint64_t block, uint64_t blocks);
    void *ctx;
};

/* Runs the workload without timing: block after block, with the warps of a block taking turns, one
 * instruction each. The folder appears only when it is complete. Returns 0, or -1 with one line in
 * err. */
int trace_export(struct workload *w, const struct trace_export *how, struct trace_exported *totals,
                 char *err, size_t err_size);

#endif
