/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a workload as an Accel-Sim trace that replays exactly as the workload runs. */
#ifndef MEMTWIN_TRACE_EXPORT_H
#define MEMTWIN_TRACE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

struct trace_exported {
    uint64_t kernels, blocks, warps, insts; /* `insts` is the number of lines */
    uint64_t bytes;                         /* number of bytes of text */
};

struct trace_export {
    const char *dir;           /* path of a new folder, or of an existing empty one */
    bool xz;                   /* true to write kernel-N.traceg.xz instead of kernel-N.traceg */
    const volatile bool *stop; /* polled at every CTA; if it is true, the export fails */
    /* Called at every CTA, with the totals so far; may be NULL. */
    void (*progress)(void *ctx, const struct trace_exported *totals, const char *kernel,
                     uint64_t block, uint64_t blocks);
    void *ctx;
};

/* Runs the workload without timing, one CTA after the other. The warps of a CTA take turns, one
 * instruction each. The folder appears only when it is complete. Returns 0, or -1 with one line in
 * err. */
int trace_export(struct workload *w, const struct trace_export *how, struct trace_exported *totals,
                 struct error *err);

#endif
