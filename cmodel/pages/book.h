/* SPDX-License-Identifier: Apache-2.0 */
/* What a first pass has seen of the pages, for policies that know the future (oracle, ideal).
 *
 * A use is an access that has got its translation. The k-th use of a page in the second pass is
 * taken to be the k-th of the first: so an order that differs a little between the passes does not
 * lead it astray. Positions are uses of all pages, in units of BOOK_EPOCH.
 */
#ifndef MEMTWIN_PAGES_BOOK_H
#define MEMTWIN_PAGES_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#define BOOK_EPOCH 64
#define BOOK_NEVER UINT64_MAX

struct book;

struct book *book_create(void);
void book_destroy(struct book *b);

/* First pass: a use. */
void book_write(struct book *b, uint32_t page);
/* The first pass is over: from here on it is read, from its beginning; once more, from there again.
 */
void book_read(struct book *b);
bool book_is_read(const struct book *b);
/* Second pass: a use. One that the first pass did not have is ignored. */
void book_use(struct book *b, uint32_t page);
/* Position of the page's next use; BOOK_NEVER: there is none. */
uint64_t book_next(const struct book *b, uint32_t page);
/* Takes a page whose next use has changed since it was taken here, or since the second pass began,
 * in any order. False: there is none. For one reader. */
bool book_changed(struct book *b, uint32_t *page);
/* The pages in the order of their first use. */
const uint32_t *book_order(const struct book *b, uint32_t *n);

/* First pass of a trace: the page table has got an allocation at that device address. The second
 * pass makes these again, in this order, so that pages have the same numbers. */
void book_write_region(struct book *b, uint64_t base);
const uint64_t *book_regions(const struct book *b, uint32_t *n);

#endif
