/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of references to pages, of the six types of access patterns that Yu et al. (2019) found
 * in GPU kernels. `patterns` is a kernel that makes them; the tests of eviction policies use them
 * alone.
 *
 *   I    each page once, in order
 *   II   I, repeated
 *   III  in order; a quarter of the pages again, up to three times, a little later
 *   IV   III, of seven pages in eight
 *   V    IV, repeated
 *   VI   regions of an eighth of the pages, one after the other: four rounds in each, all pages in
 *        the first, a page in each other round with a probability of 5/8
 *
 * "A little later" is up to a sixteenth of all pages behind the reference before.
 */
#ifndef MEMTWIN_WORKLOADS_PAGE_STRING_H
#define MEMTWIN_WORKLOADS_PAGE_STRING_H

#include <stdint.h>

#define PAGE_STRING_PAGES (1u << 18)
#define PAGE_STRING_REPEATS 256

enum page_pattern {
    PATTERN_STREAMING = 1,
    PATTERN_THRASHING,
    PATTERN_PART_REPETITIVE,
    PATTERN_MOST_REPETITIVE,
    PATTERN_REPETITIVE_THRASHING,
    PATTERN_REGION_MOVING
};

struct page_string {
    uint32_t *page; /* owned */
    uint32_t n;
};

/* Pages 0 .. pages - 1, PAGE_STRING_PAGES at most; repeats of types II and V, PAGE_STRING_REPEATS
 * at most; at least one of each. Returns 0, or -1 if out of memory. */
int page_string_init(struct page_string *s, enum page_pattern pattern, uint32_t pages,
                     uint32_t repeats);
void page_string_free(struct page_string *s);

#endif
