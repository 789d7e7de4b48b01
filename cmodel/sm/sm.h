/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming multiprocessor: resident CTAs and warps, schedulers, scoreboard, units, LSU and L1D.
 *
 * In each cycle, the units and the L1D return results, the L1D accepts at most one access from
 * the LSU, and each scheduler issues at most one instruction, or two if sm.dual_issue=yes.
 * docs/understand/sm.md has the details. */
#ifndef MEMTWIN_SM_SM_H
#define MEMTWIN_SM_SM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sm/addresses.h"
#include "sm/lanes.h"
#include "context/context.h"
#include "icache/icache.h"
#include "kernel/kernel.h"
#include "l1d/l1d.h"
#include "l1d_pipe/l1d_pipe.h"
#include "limiter/limiter.h"
#include "mrpb/mrpb.h"
#include "sm/alu_pipes.h"
#include "sm/banks.h"
#include "sm/collectors.h"
#include "sm/fetch.h"
#include "sm/lsu.h"
#include "sm/sched.h"
#include "sm/model.h"
#include "sm/occupancy.h"
#include "sm/quota.h"
#include "sm/sm_kernel.h"
#include "sm/units.h"
#include "stage/stage.h"
#include "stats/stats.h"
#include "tlb/tlb.h"
#include "config/config.h"

#define SM_MAX_CTAS 64
#define SM_MAX_SCHEDULERS UNITS_MAX_SCHEDULERS
#define SM_MAX_STAGES 4

/* Fields are grouped by the host's cache lines. The first line has the fields needed for each
 * instruction, the second has the instruction's registers, and the rest follows. */
struct sm_warp {
    _Alignas(HOST_LINE) struct reg_set pending; /* registers with a result in flight */
    enum warp_op op;                            /* kind of `inst`, as recorded in sm.wants */
    uint32_t left;         /* number of instructions left in the run of `inst` */
    uint32_t lanes;        /* number of active lanes of `inst` */
    uint32_t cta;          /* CTA slot */
    uint8_t kernel;        /* kernel of that CTA */
    uint8_t kind;          /* enum collect_kind of `inst`, as recorded in sm.wants_kind */
    uint32_t next_pc;      /* next address to fetch; used only if there is an instruction cache */
    uint32_t held_for;     /* number of atomics (sm.model=gpgpusim) or copies to shared memory that
                              the warp waits for */
    uint32_t queued;       /* number of accesses of the slot that have not left the stage with a
                              fence */
    struct warp_inst inst; /* instruction buffer: the next instruction */
    struct warp_place place;
    struct reg_set far; /* subset of `pending`: results of loads and atomics; maintained only if the
                           policy needs it */
    uint32_t copies;    /* number of its copies to shared memory in flight */
    uint32_t group;     /* open group of copies, from 1 */
    uint32_t awaited;   /* the warp waits for copies of the groups before this one; 0: for none */
};

_Static_assert(offsetof(struct sm_warp, inst) == HOST_LINE, "the lines of sm_warp");

/* Warp that has issued its exit and has not ended. */
struct sm_exit {
    uint64_t cycle; /* first cycle in which the warp may end; it also waits for its registers */
    uint32_t warp;
};

struct sm_cta {
    warp_set warps;   /* live warps, one bit per warp slot */
    warp_set arrived; /* live warps that wait at the barrier */
    uint32_t stores;  /* number of unfinished accesses of stores and of atomics without a result */
    uint32_t kernel;
    bool in_use;
};

/* Path from the LSU to the L1D. */
struct sm_path {
    struct stage stage[SM_MAX_STAGES]; /* in the order in which requests pass through them */
    uint32_t n;                        /* number of stages */
    uint32_t parked;                   /* number of requests parked in stages */
    const uint64_t *input;             /* input of the stage that has one, or NULL */
    bool fences; /* true if a stage does not keep an order that `fence` needs (stage/stage.h) */
    enum warp_op fence;
    warp_set queued; /* warp slots with requests that have not left the stage with the fence */
};

/* The fields used in each cycle come first, so that they occupy few of the host's cache lines. */
struct sm {
    struct context *context;  /* not owned */
    const struct config *cfg; /* not owned */
    uint32_t id, n_schedulers;
    struct sm_model model;
    uint64_t unused;  /* number of SM cycles without a warp */
    unsigned at_unit; /* mask of the kinds (enum warp_op) of instructions that go to their unit when
                         they issue */
    uint32_t memory_issue;  /* maximum number of memory instructions issued per cycle */
    uint32_t l1d_responses; /* maximum number of L1D responses accepted per cycle */
    uint64_t now;           /* first cycle that has been neither ticked nor skipped */
    /* Sets of warp slots. */
    warp_set live_warps; /* slots in use */
    warp_set ready; /* live warps with a next instruction that the scoreboard and the barrier allow
                       to issue */
    warp_set wants[WARP_EXIT + 1]; /* live warps, indexed by the kind of their next instruction */
    warp_set
        wants_kind[COLLECT_KINDS]; /* live warps by the collector kind of their next instruction */
    warp_set wants_entry; /* live warps with a next instruction that needs a load table entry */
    warp_set at_barrier;  /* live warps that wait at the barrier */
    warp_set held;        /* live warps that wait for atomics (sm.model=gpgpusim) or copies */
    warp_set exited;      /* live warps that have issued their exit */
    warp_set leaving;     /* exited warps that wait only for registers */
    warp_set far; /* live warps that wait for a load; maintained only if the policy needs it */
    bool wants_far;
    /* No scheduler issues before this cycle, unless sm_wake_issue() is called. Until then, each
     * scheduler loses its slots for the reason in `lost`, which is valid if `noted` is true. */
    uint64_t next_issue;
    bool noted;
    enum stat_id lost[SM_MAX_SCHEDULERS];
    warp_set scheduler_warps[SM_MAX_SCHEDULERS]; /* warp slots of each scheduler */
    struct sm_warp *warp;                        /* owned; one per warp slot */
    struct alu_pipes pipes;
    struct lsu lsu;
    struct sm_path path;
    uint32_t n_kernels;   /* maximum number of concurrent kernels */
    struct mrpb mrpb;     /* stage with the prioritization queues, if there are any */
    struct tlb tlb;       /* stage; used if there is an MMU */
    struct l1d_pipe pipe; /* last stage if l1d.model=gpgpusim */
    struct lanes *lanes;  /* owned; check of the coalescer; NULL if there is no check */
    struct l1d l1d;
    struct fetch fetch;
    struct icache icache;
    struct units units;
    struct banks banks;
    struct addresses addresses;
    struct sched scheduler[SM_MAX_SCHEDULERS];
    struct collectors collectors;
    RING(struct sm_exit) exits; /* in order of `cycle` */
    struct sm_cta cta[SM_MAX_CTAS];
    struct stats stats;
    struct sm_resources have, used;         /* resources of the SM and of its live CTAs */
    struct limiter limiter;                 /* used if there are several kernels */
    struct quota quota;                     /* used if there are several kernels */
    warp_set kernel_warps[KERNELS_AT_ONCE]; /* live warps of each kernel */
    struct sm_kernel kernel[KERNELS_AT_ONCE];
    struct stats *kernel_stats[KERNELS_AT_ONCE]; /* per-kernel statistics; not owned */
};

/* Returns the maximum number of unfinished memory instructions, which are loads in flight and
 * instructions on their way to the L1D. */
int64_t sm_most_in_flight(const struct config *cfg);

/* Checks relations between the keys of the SM. Returns 0, or -1 with one line in err. */
int sm_check(const struct config *cfg, struct error *err);

/* Returns the maximum number of requests in an SM. */
uint64_t sm_requests(const struct config *cfg);
/* Returns the maximum number of SM cycles that an SM with work can spend without progress while the
 * memory system is empty. */
uint64_t sm_longest_wait(const struct config *cfg);

/* Creates an SM in zeroed memory. Returns 0, or -1 with one line in err. */
int sm_init(struct sm *sm, const struct config *cfg, struct context *context,
            const struct l1d_ports *ports, uint32_t id, struct error *err);
void sm_free(struct sm *sm);
/* Adds a TLB with a port to the GMMU, for paged unified memory. The TLB becomes the last
 * stage, or the last but one if there is an L1D pipeline. */
void sm_attach_mmu(struct sm *sm, struct uvm *uvm, struct mmu_port *port);

/* Allows n concurrent kernels. Call it right after sm_init(), which allows one. Returns 0, or -1
 * with one line in err. */
int sm_use_kernels(struct sm *sm, uint32_t n, struct error *err);
/* Gives the L1D the ways that CTAs with this much shared memory in sum leave. No line may be dirty
 * or pending. */
static inline void sm_divide(struct sm *sm, uint64_t shared_bytes) {
    l1d_use_carveout(&sm->l1d, sm->cfg, shared_bytes);
}
/* Prepares a launch of kernel k. The kernel's previous launch must have ended. Returns 0, or -1
 * with one line in err if a CTA does not fit. */
int sm_launch(struct sm *sm, uint32_t k, const struct kernel_launch *launch, struct error *err);
/* True if there is room for a CTA of kernel k. */
static inline bool sm_has_room(const struct sm *sm, uint32_t k) {
    const struct sm_kernel *kernel = &sm->kernel[k];
    return kernel->live_ctas < kernel->limit &&
           sm_resources_fit(&sm->have, &sm->used, &kernel->need);
}
/* Starts the CTA with linear index `cta`. There must be room. All earlier cycles must be
 * accounted for. */
void sm_dispatch(struct sm *sm, uint32_t k, uint64_t cta);
/* True if kernel k has no live CTA and no access without a response. */
static inline bool sm_kernel_done(const struct sm *sm, uint32_t k) {
    return !sm->kernel[k].live_ctas && !sm->kernel[k].out;
}
/* Ticks one SM cycle. Cycles come in order. Each cycle is either ticked or skipped by
 * sm_advance(). */
void sm_tick(struct sm *sm, uint64_t cycle);
/* Returns the first cycle, from the next cycle `cycle` on, in which sm_tick() may do more than
 * count a cycle without issue, or UINT64_MAX if there is none. Assumes that, until then, nothing
 * arrives from the crossbar or the GMMU and no CTA is dispatched. */
uint64_t sm_next_event(const struct sm *sm, uint64_t cycle);
/* Accounts for skipped cycles. All of them must be before the cycle of sm_next_event(). The
 * statistics are the same as if these cycles had been ticked. */
void sm_advance(struct sm *sm, uint64_t cycles);
/* True if an input lets the SM move: a reply, room in the crossbar, or a message from the GMMU. */
static inline bool sm_has_input(const struct sm *sm, uint64_t cycle) {
    return l1d_has_input(&sm->l1d) || (sm->path.input && *sm->path.input <= cycle);
}
/* True if the SM may get input other than a reply before its next tick. */
static inline bool sm_may_wake(const struct sm *sm) {
    return sm->path.input || sm->l1d.cache.miss_queue.count;
}
/* True if no warp, access, load, store or dirty line is left. */
bool sm_empty(const struct sm *sm);
/* True if no work and no fetch of the L1D is left, so that sm_end_kernel() may be called. */
static inline bool sm_idle(const struct sm *sm) {
    return !sm->live_warps && !cache_tracked(&sm->l1d.cache) && sm_empty(sm);
}
/* Ends all kernels and invalidates the L1D. */
void sm_end_kernel(struct sm *sm);
/* Adds the statistics of the SM and its L1D up to `cycle` to *to. All earlier cycles must be
 * accounted for. */
void sm_add_stats(const struct sm *sm, uint64_t cycle, struct stats *to);
/* Passes the gauges of the SM and its L1D to `to`, with `cycle` as the number of cycles so far.
 * All earlier cycles must be accounted for. */
void sm_gauges(const struct sm *sm, uint64_t cycle, const struct gauge_reader *to);
/* Prints the SM's warps, and its waiting instructions and requests, one per line. */
void sm_dump(const struct sm *sm, FILE *out);

#endif
