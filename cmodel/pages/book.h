/* SPDX-License-Identifier: Apache-2.0 */
/* Records the page accesses of a first pass, for policies that use future accesses (oracle, ideal).
 *
 * A use is an access that has received its translation. The k-th use of a page in the second
 * pass is matched with the page's k-th use in the first pass, so the passes may differ slightly
 * in the order of accesses. A position is the number of earlier uses of all pages, in
 * units of BOOK_EPOCH. */
#ifndef MEMTWIN_PAGES_BOOK_H
#define MEMTWIN_PAGES_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#define BOOK_EPOCH 64
#define BOOK_NEVER UINT64_MAX

struct book;

struct book *book_create(void);
void book_destroy(struct book *b);

/* Records a use in the first pass. */
void book_write(struct book *b, uint32_t page);
/* Ends the first pass, if it has not ended yet, and starts reading from the beginning. */
void book_read(struct book *b);
bool book_is_read(const struct book *b);
/* Reports a use in the second pass. A use that did not occur in the first pass is ignored. */
void book_use(struct book *b, uint32_t page);
/* Returns the position of the page's next use, or BOOK_NEVER if there is none. */
uint64_t book_next(const struct book *b, uint32_t page);
/* Stores in *page a page whose next use has changed since this function last returned the page,
 * or since the second pass began. The order is arbitrary. Returns false if there is no such
 * page. Only one reader may call this function. */
bool book_changed(struct book *b, uint32_t *page);
/* Returns the pages in order of first use, and stores the number of pages in *n. */
const uint32_t *book_order(const struct book *b, uint32_t *n);

/* Records, in the first pass of a trace, that the page table has an allocation at device address
 * `base`. The second pass makes the same allocations in the same order, so that pages have the same
 * numbers. */
void book_write_region(struct book *b, uint64_t base);
const uint64_t *book_regions(const struct book *b, uint32_t *n);

#endif
