/* SPDX-License-Identifier: Apache-2.0 */
/* Page prefetchers behind one interface. A policy is a file in this folder and a line in
 * prefetch.def. docs/understand/prefetch.md describes the policies.
 *
 * When the driver is about to move faulted pages, it calls the policy to choose further pages to
 * move with them. */
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
    const struct config *cfg;  /* no pointer in this struct is owned */
    const struct pages *pages; /* may grow while the policy exists (pages.on_touch) */
    struct book *book;         /* record of a first pass, or NULL if there was none */
    bool full; /* true if the policy is uvm.prefetch_full, used once GPU memory is full */
    struct stats *stats;
    struct context *context;
    const void *port; /* port of the policy's hardware; its type depends on the policy */
};

struct prefetcher {
    const char *name, *doc; /* doc: one line of documentation */
    unsigned needs;         /* NEED_ bits (pages/needs.h) */
    /* Hardware blocks of this policy at the page walkers (gmmu/observers.def). */
    const struct block_type *hardware[HARDWARE_MOST];
    bool one_fault; /* true if the policy handles one fault at a time and cannot be used with
                       transfer sets */
    bool fills;     /* true if it prefetches without a fault while transfer sets have room */
    /* Checks the keys of the policy and their combination with other keys. Returns 0, or -1 with
     * a message. It is called for every policy, whether chosen or not. The pointer may be NULL. */
    int (*check)(const struct config *cfg, struct error *err);
    void *(*create)(const struct prefetch_env *env);
    void (*destroy)(void *policy);
    /* Chooses pages to move with the n faulted pages in `demand`, which are all PAGE_WAITED. n
     * may be 0 if `fills` is true. Writes at most `room` pages to `out`, in the order in which
     * they should move, without duplicates. page_wanted() must be true for each page. Returns
     * the number of pages. */
    uint32_t (*choose)(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room);
};

/* Table of all policies in prefetch.def, terminated by NULL. */
extern const struct prefetcher *const prefetchers[];
/* Returns the policy with this name, or NULL if there is none. */
const struct prefetcher *prefetcher_find(const char *name);

#endif
