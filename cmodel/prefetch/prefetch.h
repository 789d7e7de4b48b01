/* SPDX-License-Identifier: Apache-2.0 */
/* Page prefetchers behind one interface. A policy is a file in this room and a line in
 * prefetch.def. docs/understand/prefetch.md describes each.
 *
 * The driver is about to bring pages that were faulted on, and asks which others to bring along.
 */
#ifndef MEMTWIN_PREFETCH_PREFETCH_H
#define MEMTWIN_PREFETCH_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "context/context.h"
#include "pages/book.h"
#include "pages/needs.h"
#include "pages/pages.h"

struct prefetch_env {
    const struct config *cfg;  /* no member is owned */
    const struct pages *pages; /* they may grow while the policy lives (pages.on_touch) */
    struct book *book;         /* of a first pass; NULL without NEED_FIRST_PASS */
    bool full; /* it is uvm.prefetch_full: asked from the moment on at which GPU memory is full */
    struct stats *stats;
    struct context *context;
    const void *port; /* through which its hardware answers; the policy knows what it is */
};

struct prefetcher {
    const char *name, *doc; /* doc: one line */
    unsigned needs;         /* NEED_ (pages/needs.h) */
    /* Blocks that stand beside the page walkers (gmmu/observers.def) for this policy. */
    const struct block_type *hardware[HARDWARE_MOST];
    bool one_fault; /* works out what comes along with one fault: not for transfer sets */
    bool fills;     /* goes on without a fault, as long as transfer sets have room */
    /* Whether the keys make sense, its own and with others: 0, or -1 with a message; NULL if it has
     * none. Asked of each policy, chosen or not. */
    int (*check)(const struct config *cfg, char *err, size_t err_size);
    void *(*create)(const struct prefetch_env *env);
    void (*destroy)(void *policy);
    /* demand: pages that were faulted on (all PAGE_WAITED), in that order; n may be 0 if it
     * `fills`. Writes pages to bring along to `out`, all page_wanted, none twice, at most `room`,
     * in the order in which they shall go. Returns how many. */
    uint32_t (*choose)(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room);
};

/* Table of all policies, ended by NULL: prefetch.def. */
extern const struct prefetcher *const prefetchers[];
const struct prefetcher *prefetcher_find(const char *name); /* NULL if there is none */

#endif
