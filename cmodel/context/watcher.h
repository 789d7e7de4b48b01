/* SPDX-License-Identifier: Apache-2.0 */
/* Observes a run through callbacks at the beginning and end of events. The callbacks are called
 * immediately, in order of time. Times are in SM cycles. Intervals are half-open: [begin, end). */
#ifndef MEMTWIN_CONTEXT_WATCHER_H
#define MEMTWIN_CONTEXT_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
