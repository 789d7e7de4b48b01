/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the driver. A file calls only files later in this list, and
 * account.c.
 *
 *   uvm.c        creation, ticks, statistics
 *   copy.c       uvm.mode=copy
 *   transfers.c  PCIe transfers
 *   user.c       uvm.user_prefetch, uvm.resident
 *   leaving.c    evictions
 *   faults.c     conversion of faults into transfers
 *   batch.c      transfers from hardware to the host
 *   hold.c       accesses
 *   notes.c      pages and frames */
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

/* Driver's private state of a page. The page's public state is in pages.h. */
struct uvm_note {
    uint64_t raised; /* SM cycle of the last fault */
    uint32_t run;    /* LEAVING, GOING: index of the page's run, or RUN_NONE if the page is not sent
                        to the host */
    bool demanded;   /* true if the page moved, or will move, because of a fault; false if it is
                        prefetched */
    bool used;       /* true if the page has been used at least once */
    bool evicted;    /* true if the page has been evicted at least once */
    bool untried;    /* true if the page was prefetched and has not been used since */
    bool along;      /* WAITED, COMING: true if the page is demanded, but served with another page's
                        fault */
};

/* Pages with consecutive numbers that move to the GPU together. */
struct uvm_load {
    uint32_t first, n;
};

/* Pages with consecutive numbers that move to the host together. */
struct uvm_run {
    uint32_t first, n;
    uint32_t held; /* number of pages in the run that are still LEAVING */
};

/* Group of entries that are sent to the host together. */
struct uvm_batch {
    const char *from;        /* name of the sender, a string constant */
    uint32_t entries, bytes; /* number of entries, and their total size */
};

/* Entry of a batch. */
struct uvm_entry {
    uint64_t word[2];
};

enum uvm_write_kind { WRITE_RUN, WRITE_BATCH };

struct uvm {
    const struct config *cfg; /* not owned */
    struct context *context;  /* not owned */
    struct book *book;        /* not owned; may be NULL */
    struct uvm_hooks hooks;
    struct pages pages;
    bool all_fit;            /* true if GPU memory has at least as many frames as there are pages */
    struct uvm_note *note;   /* owned; indexed by page number */
    uint32_t n_notes;        /* number of pages that have a note */
    struct account *account; /* owned; NULL if nothing is checked */
    struct stats stats;
    uint64_t cycle; /* cycle of the last tick */

    const struct evictor *evictor;
    void *evict;     /* state of `evictor`; owned */
    bool ideal;      /* true if the keys replace the policy's hardware with an ideal model */
    bool hears_hits; /* true if the policy is called immediately for each page walk that hits */
    const struct prefetcher *prefetcher[2]; /* [0]: until GPU memory is full; [1]: from then on */
    const void *port[2];                    /* ports of the prefetchers' hardware; not owned */
    void *prefetch[2];                      /* states of the prefetchers; owned */
    bool full;                              /* true if GPU memory has been full */

    /* Page numbers of faults, in the order in which they were raised. */
    RING(uint32_t) faults;
    uint64_t fault_cycles; /* service time of a fault, in SM cycles */
    bool interval;         /* uvm.service=set or serial: true if an interval is running */
    uint64_t interval_end; /* last cycle of the interval */
    uint32_t prefetches;   /* number of prefetched pages that wait for a load */
    uint32_t *pick;        /* owned; demanded and prefetched pages of a group */
    uint32_t n_pick, pick_room;

    struct pcie_link read, write;
    RING(struct uvm_load) loads; /* the load that is being transferred is first */
    struct uvm_run *run;         /* owned */
    uint32_t n_runs, free_run;   /* free_run: first free run; `first` of a free run is the next free
                                    run, or RUN_NONE */
    RING(uint32_t) runs;         /* indices of the runs that wait for the link or use it */
    RING(struct uvm_batch) batches; /* batches from hardware, in order */
    RING(struct uvm_entry) entries; /* entries of all batches */
    struct uvm_batch next_batch;    /* batch that is being collected */
    enum uvm_write_kind writing;    /* kind of the transfer, while write.busy */
    RING(uint32_t) vacated;         /* pages that are LEAVING and were released for the last time */
    uint32_t freeing;               /* number of frames that LEAVING and GOING pages still have */
    bool starved;                   /* true if a load waits for frames and no page can be evicted */
    uint64_t stalled;      /* cycle in which a load began to wait for frames, or CYCLE_NEVER */
    uint32_t regions_told; /* first pass of a trace: number of regions recorded in the book */

    /* uvm.user_prefetch=launch: number of `loads` that a launch waits for, and the first cycle of
     * the wait. */
    uint32_t user_loads;
    uint64_t user_since;

    /* uvm.mode=copy: progress of the copy. */
    bool copying;
    uint32_t copy_alloc;
    uint64_t copy_offset;
    uint32_t victim[EVICT_MOST];
};

/* ---- uvm_check.c ---- */

#define KEY_SIZE 64 /* size in bytes of a buffer for the text "uvm.KEY=POLICY" */

/* True if a chosen policy has the requirement `need` (pages/needs.h). If the result is true,
 * `key` contains the text "uvm.KEY=POLICY" for the first such policy. */
bool uvm_needs(const struct config *c, unsigned need, char key[KEY_SIZE]);

/* ---- notes.c ---- */

/* Creates notes for added pages, and adds frames for them if all pages fit. */
void uvm_cover(struct uvm *u);
void uvm_set_state(struct uvm *u, uint32_t page, enum page_state to);
/* Frees the frame of a page. */
void uvm_free_frame(struct uvm *u, uint32_t page);
/* Begins a transfer of pages, or of other data if the transfer has 0 pages. */
void uvm_begin_transfer(struct uvm *u, struct pcie_link *link, struct watched_transfer *t,
                        uint64_t cycle);
/* Compares page numbers for qsort(). */
int uvm_by_number(const void *a, const void *b);

/* ---- batch.c ---- */

/* Ends the oldest batch, which has reached the host. */
void uvm_end_batch(struct uvm *u);

/* ---- faults.c ---- */

/* Raises a fault on a page in host memory. */
void uvm_raise(struct uvm *u, uint32_t page, uint64_t cycle);
/* Turns the faults that are due in this cycle into loads. */
void uvm_serve(struct uvm *u, uint64_t cycle);
uint64_t uvm_serve_next_event(const struct uvm *u);

/* ---- user.c ---- */

/* Handles the end of a transfer to the GPU. */
void uvm_user_arrived(struct uvm *u, uint64_t cycle);
/* Makes all pages that contain lines resident (uvm.resident=yes). */
void uvm_be_resident(struct uvm *u);

/* ---- leaving.c ---- */

/* Evicts pages chosen by the policy. Returns false if no page is evicted. */
bool uvm_evict(struct uvm *u, uint64_t cycle);
/* Vacates the LEAVING pages that have been released for the last time. */
void uvm_vacate_released(struct uvm *u, uint64_t cycle);
/* Handles the arrival of a page at the host. The page is no longer in GPU memory. */
void uvm_back_home(struct uvm *u, uint32_t page, uint64_t cycle);
/* Frees the index of a run that has arrived at the host. */
void uvm_drop_run(struct uvm *u, uint32_t number);
/* Ticks the eviction policy and evicts the pages that it chooses proactively. */
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
