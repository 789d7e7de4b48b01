/* SPDX-License-Identifier: Apache-2.0 */
/* Page eviction policies behind one interface. A policy is a file in this room and a line in
 * evict.def. docs/understand/eviction.md describes each.
 *
 * The driver tells a policy what happens to pages, and asks it for victims. Pages are numbers of
 * pages/pages.h, whose table says where each is; a policy reads it and changes nothing there.
 */
#ifndef MEMTWIN_EVICT_EVICT_H
#define MEMTWIN_EVICT_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "context/context.h"
#include "stats/stats.h"
#include "pages/book.h"
#include "pages/needs.h"
#include "pages/pages.h"

/* rrip.insert */
enum { RRIP_LONG, RRIP_DISTANT };
/* hpe.hits */
enum { HPE_HITS_HIR, HPE_HITS_IDEAL };
/* hpe.strategy */
enum { HPE_ADAPTIVE, HPE_LRU, HPE_MRU_C };

#define EVICT_MOST CHUNK_PAGES /* pages of one choice */

struct evict_env {
    const struct config *cfg;  /* no member is owned */
    const struct pages *pages; /* they may grow while the policy lives (pages.on_touch) */
    struct book *book;         /* of a first pass; NULL without NEED_FIRST_PASS */
    struct stats *stats;
    struct context *context;
};

struct evictor {
    const char *name, *doc; /* doc: one line */
    unsigned needs;         /* NEED_ (pages/needs.h) */
    /* Blocks that the policy attaches to the page walkers (gmmu/observers.def). */
    const struct block_type *hardware[HARDWARE_MOST];
    /* Whether the keys replace the hardware by an ideal model. NULL: never. */
    bool (*ideal)(const struct config *cfg);
    /* Checks the policy's keys and their relations. Returns 0, or -1 with a message. Called for
     * every policy, chosen or not. */
    int (*check)(const struct config *cfg, char *err, size_t err_size);
    void *(*create)(const struct evict_env *env);
    void (*destroy)(void *policy);
    /* Callbacks that a policy does not need are NULL, also `check`. */
    void (*fault)(void *policy, uint32_t page); /* the driver accepts a fault, in order */
    /* `times` walks have found the page (ideal model). With `hear`, called only if `ideal`. */
    void (*touch)(void *policy, uint32_t page, uint32_t times);
    /* The host has received an entry from the policy's hardware (uvm_send in uvm/uvm.h). */
    void (*hear)(void *policy, const uint64_t entry[2]);
    void (*use)(void *policy, uint32_t page); /* an access has got its translation */
    void (*come)(void *policy, uint32_t page, bool demanded); /* it is resident now; not demanded:
                                                                 prefetched */
    void (*gone)(void *policy, uint32_t page); /* it was chosen and has left the page table */
    /* Writes the pages to evict to `victim`: one page, or all pages of the policy's unit; each once
     * and page_evictable, at most EVICT_MOST. Returns their number, 0 if no page can be evicted.
     * The driver then calls `gone` for each, and `choose` again if it needs more frames. The first
     * call marks the moment at which GPU memory became full. */
    uint32_t (*choose)(void *policy, uint32_t *victim);
    /* For a policy with a clock: both or neither. `tick` is called in each SM cycle that
     * `next_event` returns, the first one from `cycle` on (UINT64_MAX: never). The result may
     * change only after another call to the policy. */
    void (*tick)(void *policy, uint64_t cycle);
    uint64_t (*next_event)(const void *policy, uint64_t cycle);
    /* For a policy that evicts proactively: pages to evict although no frame is needed, by the
     * rules of `choose`. The driver calls it in each cycle in which it does anything, cycles of
     * `tick` included, right after `tick`. */
    uint32_t (*wants)(void *policy, uint32_t *victim);
};

/* Table of all policies, ended by NULL: evict.def. */
extern const struct evictor *const evictors[];
const struct evictor *evictor_find(const char *name); /* NULL if there is none */

#endif
