/* SPDX-License-Identifier: Apache-2.0 */
/* Generates strings of page references with the six types of access patterns that Yu et al. (2019)
 * found in GPU kernels. The workload `patterns` executes them; tests of eviction policies use them
 * directly.
 *
 *   I    each page once, in order
 *   II   like I, repeated
 *   III  in order; a quarter of the pages again, up to three times, a little later
 *   IV   like III, but for seven pages in eight
 *   V    like IV, repeated
 *   VI   regions of an eighth of the pages, one after the other, with four rounds each: all pages
 *        in the first round, each page with a probability of 5/8 in each other round
 *
 * "A little later" means up to a sixteenth of all pages after the previous reference.
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

/* Creates a string over `pages` pages, at most PAGE_STRING_PAGES. `repeats`, at most
 * PAGE_STRING_REPEATS, applies to types II and V. Both must be at least 1. */
void page_string_init(struct page_string *s, enum page_pattern pattern, uint32_t pages,
                      uint32_t repeats);
void page_string_free(struct page_string *s);

#endif
