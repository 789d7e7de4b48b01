/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that come and go, as the caches and the data (context.carry) see it.
 *
 * Host memory has what the GPU's has not: the data of a page are in one of the two. GPU memory
 * holds garbage where a page is not, so that an access that should not have been made shows.
 */
#ifndef MEMTWIN_GPU_PAGE_DATA_H
#define MEMTWIN_GPU_PAGE_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "dram/backing.h"
#include "stats/stats.h"

struct gpu;

struct page_data {
    struct backing host;
    uint64_t l1d_dropped, l2_dropped; /* statistics: lines */
};

void page_data_init(struct gpu *g);
void page_data_free(struct page_data *d);
/* Nothing uses the page any more: its lines leave all caches, its data go to the host if they are
 * newer than the host's. */
void page_data_drop(struct gpu *g, uint32_t page);
/* The page's data come to the GPU. */
void page_data_fill(struct gpu *g, uint32_t page);
/* The line as host memory has it, if its page is there and not in GPU memory. */
bool page_data_read(struct gpu *g, uint64_t line, uint8_t data[LINE_BYTES]);
void page_data_add_stats(const struct page_data *d, struct stats *s);

#endif
