/* SPDX-License-Identifier: Apache-2.0 */
/* Observes a run through callbacks at the beginning and end of events. The callbacks are called
 * immediately, in order of time. Times are in SM cycles. Intervals are half-open: [begin, end). */
#ifndef MEMTWIN_CONTEXT_WATCHER_H
#define MEMTWIN_CONTEXT_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/request.h"

/* A transfer over PCIe. */
struct watched_transfer {
    const char *what; /* name of the transfer unit; static storage */
    bool to_host;
    uint32_t page, /* first page */
        pages;     /* number of pages; 0 for a transfer of other data */
    uint64_t bytes, begin, end;
};

struct watcher {
    void *ctx;
    /* Report the beginning and end of launch `launch`, counted from 0, of workload `stream`. The
     * name is valid until the launch ends. At most one launch per workload runs at a time. */
    void (*kernel_begins)(void *ctx, uint32_t stream, uint64_t launch, const char *name,
                          uint64_t cycle);
    void (*kernel_ends)(void *ctx, uint32_t stream, uint64_t cycle);
    /* Report the beginning and end of a CTA of the workload's launch in a CTA slot of an SM. `cta`
     * is the CTA's linear index in the launch. */
    void (*cta_begins)(void *ctx, uint32_t sm, uint32_t slot, uint32_t stream, uint64_t cta,
                       uint64_t cycle);
    void (*cta_ends)(void *ctx, uint32_t sm, uint32_t slot, uint64_t cycle);
    /* Report the time in which an SM's far-fault MSHR is in use, from the fault until the page has
     * arrived and the SM replays. */
    void (*fault_begins)(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle);
    void (*fault_ends)(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle);
    /* Reports the beginning of a transfer. At most one transfer per direction is in progress. */
    void (*transfer)(void *ctx, const struct watched_transfer *t);
};

/* Access of a warp load that has its data. Atomics are not loads. */
struct watched_load {
    const char *kernel; /* valid as long as the workload exists */
    struct warp_place place;
    struct warp_inst_form form;
    bool has_pc;
    uint32_t pc;       /* valid if has_pc */
    uint32_t sm, warp; /* SM and warp slot */
    uint32_t index, n; /* index of the access among the n accesses of its instruction */
    uint64_t line;
    struct byte_mask mask;
    uint64_t issued, done;       /* SM cycles of the issue and of the arrival of the data */
    uint32_t translating, piped; /* SM cycles, as in struct request_sm */
    struct request_times times;
    struct request_marks marks;
};

struct load_watcher {
    void *ctx;
    void (*done)(void *ctx, const struct watched_load *load);
};

#endif
