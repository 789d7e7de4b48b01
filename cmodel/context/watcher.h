/* SPDX-License-Identifier: Apache-2.0 */
/* Observer of a run: callbacks at the begin and end of events, immediate and in the order of time.
 * Time is in SM cycles. Intervals are half-open: [begin, end). */
#ifndef MEMTWIN_CONTEXT_WATCHER_H
#define MEMTWIN_CONTEXT_WATCHER_H

#include <stdbool.h>
#include <stdint.h>

/* A transfer over PCIe. */
struct watched_transfer {
    const char *what; /* name of the unit that is sent; static storage */
    bool to_host;
    uint32_t page, pages; /* first page and number of pages; pages is 0 if it sends no pages */
    uint64_t bytes, begin, end;
};

struct watcher {
    void *ctx;
    /* A launch, from 0, of workload number `stream`. The name lives as long as the launch. One of
     * each workload runs at a time. */
    void (*kernel_begins)(void *ctx, uint32_t stream, uint64_t launch, const char *name,
                          uint64_t cycle);
    void (*kernel_ends)(void *ctx, uint32_t stream, uint64_t cycle);
    /* A CTA of that workload's launch, by its linear index, in a CTA slot of an SM. */
    void (*cta_begins)(void *ctx, uint32_t sm, uint32_t slot, uint32_t stream, uint64_t cta,
                       uint64_t cycle);
    void (*cta_ends)(void *ctx, uint32_t sm, uint32_t slot, uint64_t cycle);
    /* A far-fault MSHR of an SM: from the fault until the page is there and the SM replays. */
    void (*fault_begins)(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle);
    void (*fault_ends)(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle);
    /* A transfer begins. At most one per direction is in progress. */
    void (*transfer)(void *ctx, const struct watched_transfer *t);
};

#endif
