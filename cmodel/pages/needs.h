/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements of an eviction policy (evict/evict.h) or a prefetcher (prefetch/prefetch.h), as a
 * set of bits. */
#ifndef MEMTWIN_PAGES_NEEDS_H
#define MEMTWIN_PAGES_NEEDS_H

enum {
    NEED_FIRST_PASS = 1,  /* record of the page accesses in a first pass (pages/book.h) */
    NEED_PAGING = 2,      /* page migration: uvm.mode=paged without uvm.resident */
    NEED_PAGE_BLOCKS = 4, /* memory size in whole blocks of BLOCK_PAGES, and a table of arrays */
};

#define HARDWARE_MOST 4 /* maximum number of hardware blocks per policy */

#endif
