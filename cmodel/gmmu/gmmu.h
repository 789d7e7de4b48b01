/* SPDX-License-Identifier: Apache-2.0 */
/* Models the GPU's memory management unit, which all SMs share: the L2 TLB, the page walkers with
 * their cache, the far-fault MSHRs, and the observers of page walks.
 *
 * The GMMU requests pages that are not in GPU memory from the driver (uvm/uvm.h), and notifies the
 * SMs that wait for these pages. docs/understand/mmu.md has the rules and the order within a cycle.
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
#include "lib/ring.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "tlb/mmu_port.h"
#include "uvm/uvm.h"

/* A request in the L2 TLB. */
struct gmmu_request {
    uint64_t ready; /* SM cycle in which the request is looked up */
    uint32_t page;
    uint32_t sm;
    bool replay; /* true if the SM has already received a Nack for this page */
};

/* A page walk that waits for a walker or is in progress. */
struct gmmu_walk {
    uint64_t end; /* SM cycle in which a walk in progress ends, unless an observer delays it */
    uint64_t asking[MMU_SM_WORDS]; /* set of the SMs that get the walk's result */
    uint32_t page;
    bool touches;  /* true if the walk counts as a touch: it is `fresh`, or replays also count */
    bool fresh;    /* true if at least one of the walk's requests is not a replay */
    bool uncached; /* true if the walk is in progress and missed the page-walk cache */
};

struct gmmu {
    struct context *context; /* not owned */
    struct uvm *uvm;         /* not owned */
    struct pages *pages;     /* not owned */
    struct stats stats;
    uint32_t sms,                  /* number of SMs */
        words;                     /* number of words in a set of SMs */
    uint32_t limit;                /* maximum number of tracked far-faults per SM, or UINT32_MAX */
    struct mmu_port *port;         /* owned; one port per SM */
    uint64_t asking[MMU_SM_WORDS]; /* set of the SMs that have a request from their TLB */
    uint32_t turn;                 /* number of the SM whose request is accepted first */
    uint32_t ports, latency;
    bool has_l2, has_cache, merges, replays_touch;
    struct lru_table l2;    /* L2 TLB; its keys are pages */
    struct lru_table cache; /* page-walk cache; its keys are lines of GMMU_LINE_PAGES entries */
    RING(struct gmmu_request) pipe; /* requests in the L2 TLB */
    RING(struct gmmu_walk) waiting; /* page walks that wait for a walker */
    struct gmmu_walk *walk;         /* owned; page walks in progress, ordered by end */
    uint32_t walks, walkers;
    uint32_t walk_latency, miss_latency;
    struct level queued; /* number of waiting page walks */
    uint32_t *tracked;   /* owned; pages in the far-fault MSHRs; `misses` elements per SM */
    uint32_t *n_tracked; /* owned; number of tracked pages per SM */
    uint32_t misses;     /* maximum number of pages for which an SM can wait */
    struct gmmu_observer *observers; /* owned; linked list */
};

#define GMMU_LINE_PAGES 16 /* number of 8 B page-table entries per line */

/* Checks relations between the keys of the L2 TLB and the walkers. Returns 0, or -1 with one line
 * in err. */
int gmmu_check(const struct config *cfg, struct error *err);

/* Creates the GMMU for uvm.mode=paged, with an observer for each block that the policies need.
 * `uvm` is not owned. Returns 0, or -1 with one line in err. */
int gmmu_init(struct gmmu *g, const struct config *cfg, struct context *context, struct uvm *uvm,
              struct error *err);
/* Attaches an observer that is in its reset state. The GMMU owns the observer after this call. */
void gmmu_attach(struct gmmu *g, struct gmmu_observer *o);
void gmmu_free(struct gmmu *g);

/* Ticks one SM cycle, after the driver and before the SMs. */
void gmmu_tick(struct gmmu *g, uint64_t cycle);
/* Returns the earliest cycle, from `cycle` on, in which gmmu_tick() may change state without input
 * and without an action of the driver, or UINT64_MAX. All earlier cycles must have been ticked or
 * skipped. */
uint64_t gmmu_next_event(const struct gmmu *g, uint64_t cycle);
/* True if a TLB has a request, or an observer has input from the driver. */
static inline bool gmmu_has_input(const struct gmmu *g) {
    for (const struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->has_input && o->type->has_input(o))
            return true;
    return bit_set_any(g->asking, g->words);
}

/* The driver calls gmmu_arrived when a page has become resident, and gmmu_shoot when a page has
 * left the page table. */
void gmmu_arrived(struct gmmu *g, uint32_t page);
void gmmu_shoot(struct gmmu *g, uint32_t page);

/* Adds the statistics up to `cycle`. */
void gmmu_add_stats(const struct gmmu *g, uint64_t cycle, struct stats *s);
/* Passes the gauges to `to`, with their values at `cycle`. */
void gmmu_gauges(const struct gmmu *g, uint64_t cycle, const struct gauge_reader *to);
void gmmu_dump(const struct gmmu *g, FILE *out);

#endif
