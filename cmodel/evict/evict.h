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
    /* Blocks that stand beside the page walkers (gmmu/observers.def) for this policy. */
    const struct block_type *hardware[HARDWARE_MOST];
    /* The keys ask for an ideal model in place of the hardware. NULL: they never do. */
    bool (*ideal)(const struct config *cfg);
    /* Whether the keys make sense, its own and with others: 0, or -1 with a message. Asked of each
     * policy, chosen or not. */
    int (*check)(const struct config *cfg, char *err, size_t err_size);
    void *(*create)(const struct evict_env *env);
    void (*destroy)(void *policy);
    /* What is not of interest is NULL, `check` too. */
    void (*fault)(void *policy, uint32_t page); /* the driver takes a fault on the page, in order */
    /* Walks of the page that hit just now: an ideal model. With `hear` only if `ideal`. */
    void (*touch)(void *policy, uint32_t page, uint32_t times);
    /* The host has got an entry from its hardware (uvm_send in uvm/uvm.h). */
    void (*hear)(void *policy, const uint64_t entry[2]);
    void (*use)(void *policy, uint32_t page); /* an access has got its translation */
    void (*come)(void *policy, uint32_t page, bool demanded); /* it is resident now; not demanded:
                                                                 prefetched */
    void (*gone)(void *policy, uint32_t page); /* it was chosen and has left the page table */
    /* Pages that shall leave, all page_evictable, none twice, at most EVICT_MOST, written to
     * `victim`: one page, or all of the policy's unit. Returns how many; 0: there is none. The
     * driver calls `gone` for each right after. It asks again if that was not enough. The first
     * call ever is the moment at which GPU memory has become full. */
    uint32_t (*choose)(void *policy, uint32_t *victim);
    /* For a policy that has time of its own: tick, in each SM cycle that next_event names; both or
     * none. next_event: the first one from `cycle` on (UINT64_MAX: never); a later call names
     * another only if the policy has been called in between. */
    void (*tick)(void *policy, uint64_t cycle);
    uint64_t (*next_event)(const void *policy, uint64_t cycle);
    /* For a policy that evicts of its own accord: pages that shall leave now, though nobody needs
     * their frames; the rules are those of `choose`. The driver asks in each cycle in which it does
     * anything, those of `tick` among them, right behind that. */
    uint32_t (*wants)(void *policy, uint32_t *victim);
};

/* Table of all policies, ended by NULL: evict.def. */
extern const struct evictor *const evictors[];
const struct evictor *evictor_find(const char *name); /* NULL if there is none */

#endif
