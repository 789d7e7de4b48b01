/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU's memory management unit, shared by all SMs: L2 TLB, page walkers with their cache,
 * far-fault MSHRs, and observers beside the walkers.
 *
 * It asks the driver for pages that are not in GPU memory (uvm/uvm.h), and tells the SMs that wait
 * for them. Order within a cycle, rules: docs/understand/mmu.md.
 */
#ifndef MEMTWIN_GMMU_GMMU_H
#define MEMTWIN_GMMU_GMMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "gmmu/observer.h"
#include "context/context.h"
#include "lib/level.h"
#include "lib/lru_table.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "tlb/mmu_port.h"
#include "uvm/uvm.h"

/* A request in the L2 TLB. */
struct gmmu_request {
    uint64_t ready; /* SM cycle in which it is looked up */
    uint32_t page;
    uint32_t sm;
    bool replay; /* it was Nacked before */
};

/* A page walk, waiting for a walker or under way. */
struct gmmu_walk {
    uint64_t end;                  /* under way: the SM cycle of its end, if nothing holds it up */
    uint64_t asking[MMU_SM_WORDS]; /* SMs that get its answer */
    uint32_t page;
    bool touches;  /* one of them asks for the first time, or replays count too */
    bool fresh;    /* one of them asks for the first time */
    bool uncached; /* under way: the page-walk cache has not got the line */
};

struct gmmu {
    struct context *context; /* not owned, as the next two */
    struct uvm *uvm;
    struct pages *pages;
    struct stats stats;
    uint32_t sms, words;   /* words: of a set of SMs */
    uint32_t limit;        /* far-faults of an SM that are tracked; UINT32_MAX: any number */
    struct mmu_port *port; /* owned; per SM */
    uint64_t asking[MMU_SM_WORDS]; /* SMs whose TLB asks */
    uint32_t turn;                 /* SM that is the first to be heard */
    uint32_t ports, latency;
    bool has_l2, has_cache, merges, replays_touch;
    struct lru_table l2;       /* pages */
    struct lru_table cache;    /* page-walk cache: lines of GMMU_LINE_PAGES entries */
    struct gmmu_request *pipe; /* owned; requests in the L2 TLB, a ring */
    uint32_t pipe_head, pipe_count, pipe_room;
    struct gmmu_walk *waiting; /* owned; for a walker, a ring */
    uint32_t wait_head, wait_count, wait_room;
    struct gmmu_walk *walk; /* owned; under way, in the order of their ends */
    uint32_t walks, walkers;
    uint32_t walk_latency, miss_latency;
    struct level queued;             /* walks that wait */
    uint32_t *tracked;               /* owned; far-fault MSHRs: `misses` pages per SM */
    uint32_t *n_tracked;             /* owned; per SM */
    uint32_t misses;                 /* pages that an SM asks for at once, at most */
    struct gmmu_observer *observers; /* owned; the first */
};

#define GMMU_LINE_PAGES 16 /* page-table entries of 8 B in a line */

/* Relations between the keys of L2 TLB and walkers. Returns 0, or -1 with one line in err. */
int gmmu_check(const struct config *cfg, char *err, size_t err_size);

/* uvm.mode=paged, with an observer for each block that the policies need; uvm is not owned. Returns
 * 0, or -1 with one line in err. */
int gmmu_init(struct gmmu *g, const struct config *cfg, struct context *context, struct uvm *uvm,
              char *err, size_t err_size);
/* In reset. The GMMU owns it from here on. */
void gmmu_attach(struct gmmu *g, struct gmmu_observer *o);
void gmmu_free(struct gmmu *g);

/* One SM cycle, after the driver's and before the SMs'. */
void gmmu_tick(struct gmmu *g, uint64_t cycle);
/* The earliest cycle, from `cycle` on, in which gmmu_tick may do anything if it has no input, the
 * driver does nothing and all cycles before were ticked or passed; UINT64_MAX: never. */
uint64_t gmmu_next_event(const struct gmmu *g, uint64_t cycle);
/* A TLB asks, or the driver has left something for an observer. */
static inline bool gmmu_has_input(const struct gmmu *g) {
    for (const struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->has_input && o->type->has_input(o))
            return true;
    return bit_set_any(g->asking, g->words);
}

/* From the driver: a page is resident; a page is no longer in the page table. */
void gmmu_arrived(struct gmmu *g, uint32_t page);
void gmmu_shoot(struct gmmu *g, uint32_t page);

/* What has been counted up to that cycle. */
void gmmu_add_stats(const struct gmmu *g, uint64_t cycle, struct stats *s);
/* Its gauges at that cycle. */
void gmmu_gauges(const struct gmmu *g, uint64_t cycle, const struct gauge_reader *to);
void gmmu_dump(const struct gmmu *g, FILE *out);

#endif
