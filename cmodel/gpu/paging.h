/* SPDX-License-Identifier: Apache-2.0 */
/* Unified memory in the system: the driver and its hooks, the GMMU, the TLBs of the SMs; when they
 * are ticked. */
#ifndef MEMTWIN_GPU_PAGING_H
#define MEMTWIN_GPU_PAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"
#include "gmmu/gmmu.h"
#include "gpu/page_data.h"
#include "kernel/kernel.h"
#include "stats/stats.h"
#include "uvm/uvm.h"

struct gpu;

struct paging {
    struct uvm *uvm; /* owned */
    bool paged;      /* uvm.mode=paged: the rest is there */
    struct gmmu gmmu;
    struct page_data data;
    uint64_t gmmu_event; /* the next event of the GMMU, as of its last tick */
};

/* Makes what uvm.mode asks for, if that is not off: g->paging. book: see uvm_create. Returns 0, or
 * -1 with one line in err. */
int paging_init(struct gpu *g, struct book *book, char *err, size_t err_size);
void paging_free(struct gpu *g);

/* g->paging is there, for all below. */

/* Before the first launch. Returns false, with a fault, if it cannot be. */
bool paging_begin(struct gpu *g, const struct workload *workload);
/* One SM cycle, before the SMs'. */
void paging_tick(struct gpu *g, uint64_t cycle);
/* The earliest cycle, from `cycle` on, in which it may do anything, or an SM sees a message of the
 * GMMU, if the SMs do nothing. */
uint64_t paging_next_event(const struct gpu *g, uint64_t cycle);
void paging_add_stats(const struct gpu *g, struct stats *s);
/* Shows the gauges of the GMMU (if there is one) and of the driver. */
void paging_gauges(const struct gpu *g, const struct gauge_reader *gmmu,
                   const struct gauge_reader *driver);
void paging_dump(const struct gpu *g, FILE *out);

#endif
