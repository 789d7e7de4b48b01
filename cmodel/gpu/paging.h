/* SPDX-License-Identifier: Apache-2.0 */
/* Connects unified memory to the system. Creates and ticks the driver and the GMMU, and connects
 * the driver's hooks and the SMs' TLBs. */
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
    bool paged;      /* true if uvm.mode=paged; the members below are used only then */
    struct gmmu gmmu;
    struct page_data data;
    uint64_t gmmu_event; /* next event of the GMMU, as of its last tick */
};

/* Creates g->paging as uvm.mode requires, unless uvm.mode=off. For `book`, see uvm_create().
 * Returns 0, or -1 with one line in err. */
int paging_init(struct gpu *g, struct book *book, struct error *err);
void paging_free(struct gpu *g);

/* The functions below require g->paging. */

/* Prepares the first launch. On an error, records a fault and returns false. */
bool paging_begin(struct gpu *g, const struct workload *workload);
/* Runs one SM cycle of paging, before the SMs are ticked. */
void paging_tick(struct gpu *g, uint64_t cycle);
/* Returns the first cycle, from `cycle` on, in which paging may change state or an SM sees a
 * message from the GMMU, if the SMs do nothing before that cycle. */
uint64_t paging_next_event(const struct gpu *g, uint64_t cycle);
void paging_add_stats(const struct gpu *g, struct stats *s);
/* Passes the gauges of the GMMU, if there is one, and those of the driver. */
void paging_gauges(const struct gpu *g, const struct gauge_reader *gmmu,
                   const struct gauge_reader *driver);
void paging_dump(const struct gpu *g, FILE *out);

#endif
