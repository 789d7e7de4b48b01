/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the driver share. uvm.c: creation, ticks, statistics; copy.c:
 * uvm.mode=copy; transfers.c: PCIe; user.c: uvm.user_prefetch, uvm.resident; leaving.c: evictions;
 * faults.c: turns faults into transfers; sending.c: transfers from hardware to the host; hold.c:
 * accesses; notes.c: pages and frames. A file calls only later ones of this list, and account.c. */
#ifndef MEMTWIN_UVM_INSIDE_H
#define MEMTWIN_UVM_INSIDE_H

#include "evict/evict.h"
#include "lib/ring.h"
#include "prefetch/prefetch.h"
#include "uvm/account.h"
#include "uvm/pcie.h"
#include "lib/bits.h"
#include "uvm/uvm.h"
#include "config/config.h"

#define CYCLE_NEVER UINT64_MAX
#define RUN_NONE UINT32_MAX

/* The driver's private state of a page; its public state is in pages.h. */
struct note {
    uint64_t raised; /* SM cycle of the last fault */
    uint32_t run;    /* LEAVING, GOING: its run, or RUN_NONE: it is not sent to the host */
    bool demanded;   /* moved, or will move, because of a fault; else prefetched */
    bool used;       /* has ever been used */
    bool evicted;    /* has ever been evicted */
    bool untried;    /* was prefetched and has not been used since */
    bool along;      /* WAITED, COMING: demanded, but served with another page's fault */
};

/* Pages with successive numbers that move to the GPU together. */
struct load {
    uint32_t first, n;
};

/* Pages with successive numbers that move to the host together. */
struct run {
    uint32_t first, n;
    uint32_t held; /* pages of the run that are still LEAVING */
};

/* Entries that are sent to the host together. */
struct sending {
    const char *from; /* constant text */
    uint32_t entries, bytes;
};

enum write_kind { WRITE_RUN, WRITE_SENDING };

struct uvm {
    const struct config *cfg; /* not owned */
    struct context *context;  /* not owned */
    struct book *book;        /* not owned; NULL: none */
    struct uvm_hooks hooks;
    struct pages pages;
    bool all_fit;            /* GPU memory has as many frames as there are pages */
    struct note *note;       /* owned; by page */
    uint32_t n_notes;        /* pages that have one */
    struct account *account; /* owned; NULL: no check */
    struct stats stats;
    uint64_t cycle; /* of the last tick */

    const struct evictor *evictor;
    void *evict;                            /* owned; its state */
    bool ideal;                             /* the keys replace its hardware by an ideal model */
    bool hears_hits;                        /* each walk that hits is reported at once */
    const struct prefetcher *prefetcher[2]; /* until memory is full; from then on */
    const void *port[2];                    /* not owned; of their hardware */
    void *prefetch[2];                      /* owned; their states */
    bool full;                              /* GPU memory has been full */

    /* Faults, in the order in which they were raised: page numbers. */
    struct ring faults;
    uint64_t fault_cycles; /* service time of a fault */
    bool interval;         /* service=set, serial: an interval is running */
    uint64_t interval_end; /* its last cycle */
    uint32_t prefetches;   /* pages that wait to be loaded without a fault */
    uint32_t *pick;        /* owned; demanded and prefetched pages of a group */
    uint32_t n_pick, pick_room;

    struct pcie_link read, write;
    struct ring loads;           /* the link's transfer first, if it is busy */
    struct run *run;             /* owned */
    uint32_t n_runs, free_run;   /* `first` of a free run is the next free one, or RUN_NONE */
    struct ring runs;            /* numbers of those that wait for the link or are on it */
    struct ring sendings;        /* of hardware, in order */
    struct ring entries;         /* of all these */
    struct sending next_sending; /* the next one, so far */
    enum write_kind writing;     /* write.busy: what */
    struct ring vacated;         /* pages that are LEAVING and were released for the last time */
    uint32_t freeing;            /* frames of pages that are LEAVING or GOING */
    bool starved;                /* a load waits for frames, and no page may be chosen */
    uint64_t stalled;            /* cycle in which a load began to wait for frames; CYCLE_NEVER */
    uint32_t regions_told;       /* first pass of a trace: regions that are in the book */

    /* uvm.user_prefetch=launch: number of `loads` that a launch waits for, and since which cycle.
     */
    uint32_t user_loads;
    uint64_t user_since;

    /* uvm.mode=copy: progress of the copy. */
    bool copying;
    uint32_t copy_alloc;
    uint64_t copy_offset;
    uint32_t victim[EVICT_MOST];
};

/* ---- uvm_check.c ---- */

#define KEY_SIZE 64 /* of the text "uvm.KEY=POLICY" */

/* Whether a chosen policy has the need (pages/needs.h). Writes the first such policy to `key`. */
bool uvm_needs(const struct config *c, unsigned need, char key[KEY_SIZE]);

/* ---- notes.c ---- */

/* Makes notes for added pages, and gives them frames if all pages fit. */
void uvm_cover(struct uvm *u);
void uvm_set_state(struct uvm *u, uint32_t page, enum page_state to);
/* Frees the frame of a page. */
void uvm_free_frame(struct uvm *u, uint32_t page);
/* Begins a transfer of pages or bytes (0 pages: bytes only). */
void uvm_begin_transfer(struct uvm *u, struct pcie_link *link, struct watched_transfer *t,
                        uint64_t cycle);
/* For qsort: page numbers. */
int uvm_by_number(const void *a, const void *b);

/* ---- sending.c ---- */

/* The oldest sending has reached the host. */
void uvm_end_sending(struct uvm *u);

/* ---- faults.c ---- */

/* Raises a fault on a page in host memory. */
void uvm_raise(struct uvm *u, uint32_t page, uint64_t cycle);
/* Turns the faults that are due in this cycle into loads. */
void uvm_serve(struct uvm *u, uint64_t cycle);
uint64_t uvm_serve_next_event(const struct uvm *u);

/* ---- user.c ---- */

/* A transfer to the GPU has ended. */
void uvm_user_arrived(struct uvm *u, uint64_t cycle);
/* uvm.resident=yes: puts all pages that hold lines into GPU memory. */
void uvm_be_resident(struct uvm *u);

/* ---- leaving.c ---- */

/* Evicts pages chosen by the policy. Returns false if it chooses none. */
bool uvm_evict(struct uvm *u, uint64_t cycle);
/* Vacates pages that were released for the last time. */
void uvm_vacate_released(struct uvm *u, uint64_t cycle);
/* The page has reached the host and is no longer in GPU memory. */
void uvm_back_home(struct uvm *u, uint32_t page, uint64_t cycle);
/* The run has reached the host. */
void uvm_drop_run(struct uvm *u, uint32_t number);
/* Ticks the eviction policy and evicts the pages that it wants to evict proactively. */
void uvm_tick_evictor(struct uvm *u, uint64_t cycle);

/* ---- transfers.c ---- */

/* Ends the transfers that are due in this cycle. */
void uvm_end_transfers(struct uvm *u, uint64_t cycle);
/* Vacates released pages and begins the transfers that can start. */
void uvm_start_transfers(struct uvm *u, uint64_t cycle);
uint64_t uvm_transfers_next_event(const struct uvm *u, uint64_t cycle);

/* ---- copy.c ---- */

void uvm_begin_copy(struct uvm *u);
void uvm_tick_copy(struct uvm *u, uint64_t cycle);
uint64_t uvm_copy_next_event(const struct uvm *u, uint64_t cycle);

#endif
