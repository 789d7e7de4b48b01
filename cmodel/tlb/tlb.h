/* The L1 TLB of an SM, between its LSU (or prioritisation queues) and its L1D: what would be
 * offered to the L1D is shown to the TLB first, and waits there if its page's translation is not
 * known.
 *
 * A cycle: tlb_offer, the L1D acts, tlb_taken if it took what was offered. Rules: docs/mmu.md.
 */
#ifndef MEMTWIN_TLB_TLB_H
#define MEMTWIN_TLB_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "context/context.h"
#include "l1d/l1d.h"
#include "lib/lru_table.h"
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
    struct l1d_access access;
    uint64_t since; /* SM cycle in which it came */
    uint32_t next;  /* of the same page, or of the ready ones, or of the free places */
};

/* Whose access the L1D is offered. It stays the same until it is taken. */
enum tlb_whose { TLB_OFFERS_NONE, TLB_OFFERS_HEAD, TLB_OFFERS_PARKED };

struct tlb {
    struct context *context; /* not owned, as all of these */
    struct uvm *uvm;
    struct pages *pages;
    struct stats *stats;   /* the SM's */
    struct mmu_port *port; /* NULL: there is no TLB */
    uint32_t sm;
    bool blocking;  /* uvm.faults */
    uint32_t limit; /* far-faults of an SM that the GMMU tracks; UINT32_MAX: any number */
    struct lru_table entries;
    struct tlb_miss *miss;     /* owned; the miss table */
    uint32_t *page;            /* owned; of each miss; PAGE_NONE: no access may join it */
    uint32_t *free_miss;       /* owned; stack */
    uint32_t misses, n_free;   /* of the miss table; of these: free */
    uint64_t order;            /* of the next miss */
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

/* uvm.mode=paged. uvm and port are not owned. Returns 0, or -1 if out of memory. */
int tlb_init(struct tlb *t, const struct config *cfg, struct context *context, struct uvm *uvm,
             struct mmu_port *port, uint32_t sm, struct stats *stats);
void tlb_free(struct tlb *t);

static inline bool tlb_on(const struct tlb *t) {
    return t->port;
}

/* No access is parked. */
static inline bool tlb_empty(const struct tlb *t) {
    return t->room == t->places;
}

/* A message from the GMMU is seen in this cycle. */
static inline bool tlb_has_input(const struct tlb *t, uint64_t cycle) {
    return tlb_on(t) && mmu_port_next_event(t->port) <= cycle;
}

/* One SM cycle, with the access that would be offered to the L1D (NULL: none), which stays the same
 * until it leaves. Returns what is offered instead: that access, a parked one, or NULL. *parked: it
 * leaves, to wait here. */
const struct l1d_access *tlb_offer(struct tlb *t, const struct l1d_access *head, uint64_t cycle,
                                   bool *parked);
/* The L1D is offered an access, and has not taken it; a parked one. */
static inline bool tlb_offers(const struct tlb *t) {
    return t->offers != TLB_OFFERS_NONE;
}
static inline bool tlb_offers_parked(const struct tlb *t) {
    return t->offers == TLB_OFFERS_PARKED;
}
/* The L1D took what was offered. */
void tlb_taken(struct tlb *t);

/* The next cycle may do more than refuse the head once more: head: there is one; blocked: the L1D
 * refuses what it is offered until something moves. */
static inline bool tlb_moves(const struct tlb *t, bool head, bool blocked) {
    if (tlb_offers(t))
        return !blocked;
    return t->ready_first != UINT32_MAX || (head && !t->refused);
}

/* Instead of so many cycles in which the head is refused once more, if it is. */
static inline void tlb_advance(struct tlb *t, uint64_t cycles) {
    if (!t->refused)
        return;
    stat_add(t->stats, STAT_tlb_rf, cycles);
    stat_add(t->stats, t->reason, cycles);
}

/* The page has left the page table. */
void tlb_shoot(struct tlb *t, uint32_t page);

#endif
