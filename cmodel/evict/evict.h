/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the interface of page eviction policies. A policy consists of a file in this folder and a
 * line in evict.def. docs/understand/eviction.md describes each policy.
 *
 * The driver notifies a policy of page events and requests victims from it. Pages are numbered as
 * in pages/pages.h. A policy may read the page table in that file, but must not change it.
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

/* Values of rrip.insert. */
enum { RRIP_INSERT_VALUES(VALUE_ENUMERATOR) };
/* Values of hpe.hits. */
enum { HPE_HITS_VALUES(VALUE_ENUMERATOR) };
/* Values of hpe.strategy. */
enum { HPE_STRATEGY_VALUES(VALUE_ENUMERATOR) };

#define EVICT_MOST CHUNK_PAGES /* maximum number of pages per choice */

/* Environment of a policy. No member is owned. */
struct evict_env {
    const struct config *cfg;
    const struct pages *pages; /* may grow during the life of the policy (pages.on_touch) */
    struct book *book; /* record of a first pass; NULL unless the policy has NEED_FIRST_PASS */
    struct stats *stats;
    struct context *context;
};

struct evictor {
    const char *name, *doc; /* doc: one-line description */
    unsigned needs;         /* set of NEED_ flags (pages/needs.h) */
    /* Blocks that the policy attaches to the page walkers (gmmu/observers.def). */
    const struct block_type *hardware[HARDWARE_MOST];
    /* True if the keys replace the hardware with an ideal model. NULL means never. */
    bool (*ideal)(const struct config *cfg);
    /* Checks the policy's keys and the relations between them. Returns 0, or -1 with a message in
     * err. Called for every policy, whether or not it is in use. */
    int (*check)(const struct config *cfg, struct error *err);
    void *(*create)(const struct evict_env *env);
    void (*destroy)(void *policy);
    /* A callback that a policy does not need, including `check`, is NULL. */
    void (*fault)(void *policy, uint32_t page); /* the driver has accepted a fault */
    /* `times` page walks have found the page. Not called for a policy that has `hear`, unless
     * `ideal` returns true. */
    void (*touch)(void *policy, uint32_t page, uint32_t times);
    /* The host has received an entry from the policy's hardware (uvm_send in uvm/uvm.h). */
    void (*hear)(void *policy, const uint64_t entry[2]);
    void (*use)(void *policy, uint32_t page); /* an access has received its translation */
    void (*add)(
        void *policy, uint32_t page,
        bool demanded); /* the page has become resident; `demanded` is false if it was prefetched */
    void (*remove)(void *policy,
                   uint32_t page); /* the page was chosen and has left the page table */
    /* Writes the pages to evict to `victim`: one page, or all evictable pages of the policy's unit,
     * at most EVICT_MOST. Returns the number of pages, or 0 if no page can be evicted.
     * page_evictable must be true for each page, and no page may appear twice. The driver then
     * calls `remove` for each page, and `choose` again if it needs more frames. The first call
     * marks the moment at which GPU memory became full. */
    uint32_t (*choose)(void *policy, uint32_t *victim);
    /* For a policy with a clock. Either both of the next two functions or neither must be defined.
     * `next_event` returns the first SM cycle, from `cycle` on, in which `tick` must be called, or
     * UINT64_MAX. The result of `next_event` may change only after another call to the policy. */
    void (*tick)(void *policy, uint64_t cycle);
    uint64_t (*next_event)(const void *policy, uint64_t cycle);
    /* For a policy that evicts proactively. Writes pages to `victim` as `choose` does, although no
     * frame is needed. The driver calls this function directly after `tick`, in each cycle in which
     * the driver is active. */
    uint32_t (*wants)(void *policy, uint32_t *victim);
};

/* Table of the policies in evict.def, terminated by NULL. */
extern const struct evictor *const evictors[];
const struct evictor *evictor_find(const char *name); /* returns NULL if no policy has this name */

#endif
