/* SPDX-License-Identifier: Apache-2.0 */
/* Page sets of HPE: a chain of those that have pages in GPU memory, least recently used first, in
 * three partitions; and what is kept of a divided set when it has left (docs/understand/hpe.md).
 *
 * A page set and the secondary of a divided one are entries of their own, with numbers that tell
 * which pages they are of: entry 2 * set + 1, and 2 * set + 2 for the secondary. Entry 0 is the end
 * of the ring that the chain is: what comes after it is the oldest, what is before it the newest.
 */
#ifndef MEMTWIN_EVICT_HPE_CHAIN_H
#define MEMTWIN_EVICT_HPE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/stats.h"

#define HPE_END 0          /* the end of the ring: no entry */
#define HPE_COUNTER_MOST 4 /* times the pages of a set: counters saturate there */

struct hpe_entry {
    uint32_t prev, next; /* in the chain */
    /* Bit i of the next four is page i of the set. */
    uint32_t here;    /* pages in GPU memory */
    uint32_t due;     /* pages with a fault that have not arrived yet */
    uint32_t bits;    /* pages with a fault since the entry entered the chain */
    uint32_t primary; /* first entry of a set: its pages since the set was divided; 0: it was not.
                         Stays when the entry has left the chain */
    uint32_t counter; /* touches */
    uint64_t moved;   /* interval in which it became the newest */
    bool listed;      /* in the chain */
};

struct hpe_chain {
    struct hpe_entry *entry; /* owned; by number */
    uint32_t n;              /* entries there is room for */
    uint32_t p1, p2;         /* newest of old; newest that is not new; HPE_END: none */
    uint32_t length;         /* entries in the chain */
    uint32_t set_pages;
    uint32_t all;        /* a bit for each page of a set */
    uint64_t interval;   /* number of the current one */
    struct stats *stats; /* not owned */
};

void hpe_chain_init(struct hpe_chain *c, uint32_t set_pages, struct stats *stats);
void hpe_chain_free(struct hpe_chain *c);

/* What happens to a page. */
void hpe_chain_fault(struct hpe_chain *c, uint32_t page);
void hpe_chain_touch(struct hpe_chain *c, uint32_t page, uint32_t times);
void hpe_chain_come(struct hpe_chain *c, uint32_t page);
/* The page's entry leaves the chain if this was its last page. */
void hpe_chain_gone(struct hpe_chain *c, uint32_t page);
/* What was referenced in the interval that ends is middle now, what was middle is old. */
void hpe_chain_end_interval(struct hpe_chain *c);

/* The page's entry, in the chain or not; HPE_END if there is no room for it yet. */
uint32_t hpe_chain_entry(const struct hpe_chain *c, uint32_t page);
/* Page 0 of the entry's page set. */
uint32_t hpe_chain_first(const struct hpe_chain *c, uint32_t entry);
/* Entries of the old partition, counted. */
uint32_t hpe_chain_old(const struct hpe_chain *c);

#endif
