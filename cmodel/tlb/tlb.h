/* SPDX-License-Identifier: Apache-2.0 */
/* The L1 TLB of an SM, between its LSU (or prioritisation queues) and its L1D: what would be
 * offered to the L1D is shown to the TLB first, and waits there if its page's translation is not
 * known.
 *
 * It is a stage of the SM (stage/stage.h). Rules: docs/understand/mmu.md.
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
    TLB_ASKED,    /* a request is on its way */
    TLB_TRACKED,  /* a far-fault, and the GMMU will say when its page has come */
    TLB_UNTRACKED /* a far-fault, and it will not: it is asked for again */
};

/* A page that accesses wait for. */
struct tlb_miss {
    uint64_t order;       /* grows from miss to miss */
    uint8_t state;        /* enum tlb_state */
    bool again;           /* ASKED: for an untracked fault */
    bool faulted;         /* has been Nacked */
    bool waits;           /* is counted in page.waiters */
    uint32_t first, last; /* parked accesses */
};

/* An access that has left the LSU. */
struct tlb_parked {
    struct request access;
    uint64_t since; /* SM cycle in which it came */
    uint32_t next;  /* of the same page, or of the ready ones, or of the free places */
};

/* Whose access the L1D is offered. It stays the same until it is taken. */
enum tlb_whose { TLB_OFFERS_NONE, TLB_OFFERS_HEAD, TLB_OFFERS_PARKED };

struct tlb {
    struct context *context; /* not owned, nor are the next four */
    struct uvm *uvm;
    struct pages *pages;
    struct stats *stats; /* the SM's */
    struct mmu_port *port;
    uint32_t sm;
    bool blocking;  /* uvm.faults */
    uint32_t limit; /* far-faults of an SM that the GMMU tracks; UINT32_MAX: any number */
    struct lru_table entries;
    struct lru_table missing; /* the miss table: pages, a slot each; never full when it takes one */
    struct tlb_miss *miss;    /* owned; of each slot */
    uint32_t misses, n_free;  /* slots of the miss table; free ones */
    uint64_t order;           /* of the next miss */
    struct tlb_parked *parked; /* owned */
    uint32_t free, room;       /* first free one, how many are free */
    uint32_t places;
    uint32_t ready_first, ready_last;
    uint32_t tracked;     /* far-faults that the GMMU tracks */
    uint32_t asked_again; /* untracked ones that have been asked for again and not answered */
    uint32_t untracked;   /* the others */
    uint32_t faulted;     /* misses that have been Nacked and not translated since */
    uint8_t offers;       /* enum tlb_whose */
    bool refused;         /* the head in the last cycle, for this reason */
    enum stat_id reason;
};

/* Relations between the keys of TLBs. Returns 0, or -1 with one line in err. */
int tlb_check(const struct config *cfg, char *err, size_t err_size);

/* uvm.mode=paged. uvm and port are not owned. */
void tlb_init(struct tlb *t, const struct config *cfg, struct context *context, struct uvm *uvm,
              struct mmu_port *port, uint32_t sm, struct stats *stats);
void tlb_free(struct tlb *t);

/* No access is parked. */
static inline bool tlb_empty(const struct tlb *t) {
    return t->room == t->places;
}

/* The TLB as a stage of the SM. */
struct stage tlb_stage(struct tlb *t);

/* There is a translation of the page. */
static inline bool tlb_has(const struct tlb *t, uint32_t page) {
    return lru_table_has(&t->entries, page);
}
/* The page has left the page table. */
void tlb_shoot(struct tlb *t, uint32_t page);
/* What waits in it. */
void tlb_dump(const struct tlb *t, FILE *out);

#endif
