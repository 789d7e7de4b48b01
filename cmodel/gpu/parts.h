/* The parts of a system, for gpu.c and dump.c. */
#ifndef MEMTWIN_GPU_PARTS_H
#define MEMTWIN_GPU_PARTS_H

#include "cache/addr_map.h"
#include "dram/dram.h"
#include "context/context.h"
#include "gpu/gpu.h"
#include "gpu/paging.h"
#include "l2/l2.h"
#include "lib/clocks.h"
#include "sm/sm.h"
#include "xbar/xbar.h"
#include "config/config.h"

struct gpu {
    const struct config *cfg; /* not owned */
    struct context context;
    struct clocks clocks;
    struct addr_map map;
    uint32_t n_sms, n_banks, n_channels;
    struct sm *sm;     /* owned */
    struct l2 *l2;     /* owned */
    struct dram *dram; /* owned; one channel per partition, of subs banks */
    struct xbar req, reply;
    struct mdb_bus bus;
    struct backing backing;
    struct paging *paging;         /* owned; NULL: uvm.mode=off */
    struct kernel_launch launch;   /* the kernel that runs */
    bool running;                  /* a kernel runs */
    bool all_done;                 /* the workload has no more */
    uint64_t next_cta, n_ctas;     /* of the launch */
    uint32_t turn;                 /* SM that is first to get a CTA */
    uint64_t cycle;                /* SM cycles done */
    uint64_t edges[CLOCK_DOMAINS]; /* edges passed, ticked or not */
    /* Per part: cycle of its domain before which it has nothing to do unless something arrives. */
    uint64_t *sm_wake, *l2_wake; /* owned */
    uint64_t *sm_seen, *l2_seen; /* owned; per part: cycles of its domain accounted for */
    bool skip;                   /* sim.skip */
    bool quiet;                  /* no part has had anything to do since the last SM cycle */
    uint64_t ctas_seen;          /* context.ctas_ended at the last dispatch without room */
    uint64_t kernels;            /* run to their end */
    uint64_t users;              /* of the L1Ds (mdb/mdb.h), summed over launches */
    uint64_t cta_launches;       /* launches in which these are CTAs */
    uint64_t seen_progress;      /* context.progress in cycle `moved_at` */
    uint64_t moved_at;           /* last SM cycle in which it had grown */
    uint64_t patience;           /* SM cycles without progress that end the run */
    struct stats at_launch;      /* totals when the running kernel began */
    uint64_t sampled;            /* SM cycle of the last sample */
};

#endif
