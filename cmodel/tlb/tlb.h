/* SPDX-License-Identifier: Apache-2.0 */
/* L1 TLB of an SM, between its LSU (or prioritization queues) and its L1D. An access passes through
 * the TLB before it is offered to the L1D, and waits in the TLB while its page's translation is
 * missing.
 *
 * The TLB is a stage of the SM (stage/stage.h). docs/understand/mmu.md describes its rules.
 */
#ifndef MEMTWIN_TLB_TLB_H
#define MEMTWIN_TLB_TLB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/request.h"
#include "lib/lru_table.h"
#include "stage/stage.h"
#include "stats/stats.h"
#include "tlb/mmu_port.h"
#include "uvm/uvm.h"

enum tlb_state {
    TLB_FREE,
    TLB_ASKED,    /* a request is in flight */
    TLB_TRACKED,  /* a far-fault that the GMMU tracks: the GMMU will report the page's arrival */
    TLB_UNTRACKED /* a far-fault that the GMMU does not track: the TLB repeats its request */
};

/* Page that accesses wait for. */
struct tlb_miss {
    uint64_t order; /* position of the miss in the order of opening */
    uint8_t state;  /* enum tlb_state */
    bool again;     /* ASKED: true if the request repeats the request of an untracked far-fault */
    bool faulted;   /* true if a Nack has arrived */
    bool waits;     /* true if the miss is counted in page.waiters */
    uint32_t first, last; /* first and last parked access */
};

/* Access that has left the LSU and waits in the TLB. */
struct tlb_parked {
    struct request access;
    uint64_t since; /* SM cycle of arrival */
    uint32_t next;  /* next access for the same page, in the ready list, or in the free list */
};

/* Source of the access offered to the L1D. It stays the same until the access is taken. */
enum tlb_whose { TLB_OFFERS_NONE, TLB_OFFERS_HEAD, TLB_OFFERS_PARKED };

struct tlb {
    struct context *context; /* not owned */
    struct uvm *uvm;         /* not owned */
    struct pages *pages;     /* not owned */
    struct stats *stats;     /* statistics of the SM; not owned */
    struct mmu_port *port;   /* not owned */
    uint32_t sm;
    bool blocking;  /* true if uvm.faults=blocking */
    uint32_t limit; /* maximum number of tracked far-faults of the SM; UINT32_MAX for no limit */
    struct lru_table entries;
    struct lru_table missing;  /* miss table, with one slot per page; an insertion never fails */
    struct tlb_miss *miss;     /* owned; indexed by slot */
    uint32_t misses, n_free;   /* number of slots and of free slots in the miss table */
    uint64_t order;            /* `order` of the next miss */
    struct tlb_parked *parked; /* owned */
    uint32_t free, room;       /* free: head of the free list; room: number of free places */
    uint32_t places;           /* number of places for parked accesses */
    uint32_t ready_first, ready_last; /* list of accesses that have their translation */
    uint32_t tracked;                 /* number of tracked far-faults */
    uint32_t asked_again; /* number of untracked far-faults with a repeated request in flight */
    uint32_t untracked;   /* number of other untracked far-faults */
    uint32_t faulted;     /* number of misses with a Nack and no translation yet */
    uint8_t offers;       /* enum tlb_whose */
    bool refused;         /* true if the head was refused in the last cycle, for `reason` */
    enum stat_id reason;
};

/* Creates a TLB for uvm.mode=paged. uvm and port are not owned. */
void tlb_init(struct tlb *t, const struct config *cfg, struct context *context, struct uvm *uvm,
              struct mmu_port *port, uint32_t sm, struct stats *stats);
void tlb_free(struct tlb *t);

/* True if no access is parked. */
static inline bool tlb_empty(const struct tlb *t) {
    return t->room == t->places;
}

/* Returns the TLB as a stage of the SM. */
struct stage tlb_stage(struct tlb *t);

/* True if the TLB has a translation of the page. */
static inline bool tlb_has(const struct tlb *t, uint32_t page) {
    return lru_table_has(&t->entries, page);
}
/* Removes the entry of a page that has left the page table. */
void tlb_shoot(struct tlb *t, uint32_t page);
/* Prints the waiting pages and accesses. */
void tlb_dump(const struct tlb *t, FILE *out);

#endif
