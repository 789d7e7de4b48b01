/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the page sets of HPE: a chain of the sets with pages in GPU memory, least recently used
 * first, in three partitions, and a record of divided sets that have left the chain
 * (docs/understand/hpe.md).
 *
 * The entry of a page set has number 2 * set + 1. The secondary of a divided set is a separate
 * entry with number 2 * set + 2. The chain is a ring that ends at entry 0. The entry after entry 0
 * is the oldest, and the entry before entry 0 is the newest.
 */
#ifndef MEMTWIN_EVICT_HPE_CHAIN_H
#define MEMTWIN_EVICT_HPE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/stats.h"

#define HPE_END 0          /* number of the entry at the end of the ring; also means no entry */
#define HPE_COUNTER_MOST 4 /* counters saturate at this value times the set size in pages */

struct hpe_entry {
    uint32_t prev, next; /* neighbors in the chain */
    /* In the next four masks, bit i is for page i of the set. */
    uint32_t here;    /* pages in GPU memory */
    uint32_t due;     /* pages that have faulted but not arrived yet */
    uint32_t bits;    /* pages that have faulted since the entry entered the chain */
    uint32_t primary; /* for the first entry of a divided set, the pages that remain in it; 0 if the
                         set is not divided. The mask is kept when the entry leaves the chain */
    uint32_t counter; /* number of touches of the entry */
    uint64_t newest_since; /* interval in which the entry became the newest */
    bool listed;           /* the entry is in the chain */
};

struct hpe_chain {
    struct hpe_entry *entry; /* owned; indexed by entry number */
    uint32_t n;              /* capacity of `entry` in entries */
    uint32_t p1,             /* newest entry of the old partition, or HPE_END */
        p2;                  /* newest entry of the old and middle partitions, or HPE_END */
    uint32_t length;         /* number of entries in the chain */
    uint32_t set_pages;
    uint32_t all;        /* mask with a bit for each page of a set */
    uint64_t interval;   /* number of the current interval */
    struct stats *stats; /* not owned */
};

void hpe_chain_init(struct hpe_chain *c, uint32_t set_pages, struct stats *stats);
void hpe_chain_free(struct hpe_chain *c);

/* Handles a fault on a page. */
void hpe_chain_fault(struct hpe_chain *c, uint32_t page);
/* Handles `times` touches of a page. */
void hpe_chain_touch(struct hpe_chain *c, uint32_t page, uint32_t times);
/* Handles the arrival of a page. */
void hpe_chain_come(struct hpe_chain *c, uint32_t page);
/* Handles the eviction of a page. The entry leaves the chain if it has no other page that is in GPU
 * memory or due. */
void hpe_chain_gone(struct hpe_chain *c, uint32_t page);
/* Ends the interval. The middle partition joins the old partition, and the new partition becomes
 * the middle partition. */
void hpe_chain_end_interval(struct hpe_chain *c);

/* Returns the page's entry, whether or not it is in the chain, or HPE_END if there is no room for
 * the entry yet. */
uint32_t hpe_chain_entry(const struct hpe_chain *c, uint32_t page);
/* Returns the first page of the entry's page set. */
uint32_t hpe_chain_first(const struct hpe_chain *c, uint32_t entry);
/* Returns the number of entries in the old partition. */
uint32_t hpe_chain_old(const struct hpe_chain *c);

#endif
