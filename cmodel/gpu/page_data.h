/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the effects of page migration to the caches and to the data (context.carry).
 *
 * The data of a page are either in host memory or in GPU memory. GPU memory contains garbage in
 * place of absent pages, so that illegal accesses are detected.
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
    uint64_t l1d_dropped,
        l2_dropped; /* statistics: numbers of lines dropped from the L1Ds and from the L2 */
};

void page_data_init(struct gpu *g);
void page_data_free(struct page_data *d);
/* Call it after the page's last use. Copies the page's data to the host if the page is dirty, and
 * drops its lines from all caches. */
void page_data_drop(struct gpu *g, uint32_t page);
/* Copies the page's data to the GPU. */
void page_data_fill(struct gpu *g, uint32_t page);
/* Reads a line from host memory. Returns false if the line's page is in GPU memory or does not
 * exist. */
bool page_data_read(struct gpu *g, uint64_t line, uint8_t data[LINE_BYTES]);
void page_data_add_stats(const struct page_data *d, struct stats *s);

#endif
