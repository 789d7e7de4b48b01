/* SPDX-License-Identifier: Apache-2.0 */
/* What a policy of eviction (evict/evict.h) or prefetching (prefetch/prefetch.h) needs of the
 * machine around it: a set of bits. */
#ifndef MEMTWIN_PAGES_NEEDS_H
#define MEMTWIN_PAGES_NEEDS_H

enum {
    NEED_FIRST_PASS = 1,  /* the future, from a first pass (pages/book.h) */
    NEED_PAGING = 2,      /* pages that come and go: uvm.mode=paged without uvm.resident */
    NEED_PAGE_BLOCKS = 4, /* memory of whole blocks of BLOCK_PAGES, and arrays as page groups */
};

#define HARDWARE_MOST 4 /* hardware blocks of one policy, at most */

#endif
