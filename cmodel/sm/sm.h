/* SPDX-License-Identifier: Apache-2.0 */
/* A streaming multiprocessor: resident CTAs and warps, schedulers, scoreboard, units, LSU, L1D.
 *
 * A cycle: results come back (units, one load response), the L1D takes one access of the LSU, each
 * scheduler issues at most one instruction. docs/understand/sm.md has the details.
 */
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

enum { CTA_ENDS_EXIT, CTA_ENDS_STORES }; /* sm.cta_ends */
enum { ISSUE_FIXED, ISSUE_ROTATING };    /* sm.issue_order */
enum { SHARED_OWN, SHARED_LSU };         /* sm.shared_path */
enum { ATOMICS_FREE, ATOMICS_HOLD };     /* sm.atomics */

/* By cache lines of the host: what each instruction needs, its registers, the rest of it. */
struct sm_warp {
    _Alignas(HOST_LINE) struct reg_set pending; /* registers whose value is on its way */
    enum warp_op op;                            /* of `inst`, as it is noted in sm.wants */
    uint32_t left;                              /* instructions left of the run in `inst` */
    uint32_t lanes;                             /* active lanes of `inst` */
    uint32_t cta;                               /* CTA slot */
    uint32_t kernel;                            /* of that CTA */
    uint32_t next_pc;      /* address that is fetched next; with an instruction cache only */
    uint32_t held_for;     /* atomics that hold it (sm.atomics) */
    uint32_t queued;       /* accesses of the slot before the stage that fences; 0 without one */
    struct warp_inst inst; /* instruction buffer: the next to issue */
    struct warp_place place;
    struct reg_set far; /* of `pending`: from a load or an atomic; kept if the policy wants it */
};

_Static_assert(offsetof(struct sm_warp, inst) == HOST_LINE, "the lines of sm_warp");

/* Warps that have issued their exit and have not ended, in order. */
struct sm_exits {
    uint32_t head, count;
    struct {
        uint64_t cycle; /* in which it ends, or later, when its registers are written */
        uint32_t warp;
    } at[WARP_SLOTS];
};

struct sm_cta {
    warp_set warps;   /* live warps, bit per warp slot */
    warp_set arrived; /* live warps that wait at the barrier */
    uint32_t stores;  /* unfinished accesses of stores and of atomics without a result */
    uint32_t kernel;
    bool live;
};

/* From the LSU to the L1D. */
struct sm_path {
    struct stage stage[SM_MAX_STAGES]; /* in the order in which requests pass them */
    uint32_t n;                        /* stages */
    uint32_t parked;                   /* requests that they hold parked */
    const uint64_t *input;             /* of the stage that has an input; NULL if there is none */
    bool fences;        /* a stage gives up an order that is needed (stage/stage.h) at */
    enum warp_op fence; /* this instruction */
    warp_set queued;    /* warp slots with requests before that stage */
};

/* First what each cycle looks at, then the large and the rare: a cycle is to find its fields in few
 * cache lines of the host. */
struct sm {
    struct context *context;  /* not owned */
    const struct config *cfg; /* not owned */
    uint32_t id, n_schedulers;
    bool stops; /* a warp may stop for other reasons than a barrier: held, exited */
    bool dual_issue;
    bool rotates;           /* another scheduler issues first in each cycle with warps */
    uint64_t unused;        /* SM cycles without a warp */
    bool shared_in_lsu;     /* shared-memory accesses go through the LSU */
    bool collected;         /* instructions wait for operand collectors */
    bool banked;            /* banks of registers delay instructions */
    unsigned at_unit;       /* kinds that go to their unit as they issue: bit per enum warp_op */
    uint32_t memory_issue;  /* memory instructions that issue in a cycle, at most */
    uint32_t l1d_responses; /* that it takes in a cycle, at most */
    uint64_t now;           /* the next cycle that is not accounted for */
    /* Sets of warp slots. */
    warp_set live;                 /* in use */
    warp_set ready;                /* live; scoreboard and barrier let the next instruction issue */
    warp_set wants[WARP_EXIT + 1]; /* live warps by the kind of the next instruction */
    warp_set wants_kind[COLLECT_KINDS]; /* live warps by the collector kind of that instruction */
    warp_set wants_entry; /* live; the next instruction needs an entry of the load table */
    warp_set at_barrier;  /* live; wait at the barrier */
    warp_set held;        /* live; wait for atomics (sm.atomics) */
    warp_set exited;      /* live; have issued their exit */
    warp_set leaving;     /* exited; wait for registers only */
    warp_set far;         /* live; wait for a load (kept if the policy needs it) */
    bool wants_far;
    /* No scheduler issues before this cycle, unless sm_wake_issue is called. Until then each loses
     * its slots for the reason in `lost`, once it is noted. */
    uint64_t next_issue;
    bool noted;
    enum stat_id lost[SM_MAX_SCHEDULERS];
    warp_set of_scheduler[SM_MAX_SCHEDULERS]; /* warp slots that belong to it */
    struct sm_warp *warp;                     /* owned; per slot */
    struct alu_pipes pipes;
    struct lsu lsu;
    struct sm_path path;
    uint32_t n_kernels;   /* that may run at once */
    struct mrpb mrpb;     /* a stage, if the configuration has queues */
    struct tlb tlb;       /* a stage, if there is an MMU */
    struct l1d_pipe pipe; /* a stage, the last, with l1d.lookup=back */
    struct lanes *lanes;  /* owned; account of the coalescer; NULL without a check */
    struct l1d l1d;
    struct fetch fetch;
    struct icache icache;
    struct units units;
    struct banks banks;
    struct addresses addresses;
    struct sched scheduler[SM_MAX_SCHEDULERS];
    struct collectors collectors;
    struct sm_exits exits;
    struct sm_cta cta[SM_MAX_CTAS];
    struct stats stats;
    struct sm_resources have, used;      /* used: by live CTAs */
    struct limiter limiter;              /* of several kernels */
    struct quota quota;                  /* likewise */
    warp_set of_kernel[KERNELS_AT_ONCE]; /* live ones */
    struct sm_kernel kernel[KERNELS_AT_ONCE];
    struct stats *kernel_stats[KERNELS_AT_ONCE]; /* not owned: the parts of the kernels */
};

/* Memory instructions that are not done, at most: loads, and others on their way to the L1D. */
int64_t sm_most_in_flight(const struct config *cfg);

/* Relations between the keys of the SM. Returns 0, or -1 with one line in err. */
int sm_check(const struct config *cfg, char *err, size_t err_size);

/* Packets that an SM can hold, at most. */
uint64_t sm_requests(const struct config *cfg);
/* SM cycles in which an SM with work may move nothing, at most, if nothing is in the memory system.
 */
uint64_t sm_longest_wait(const struct config *cfg);

/* All of it is zero before. Returns 0, or -1 with one line in err. */
int sm_init(struct sm *sm, const struct config *cfg, struct context *context,
            const struct l1d_ports *ports, uint32_t id, char *err, size_t err_size);
void sm_free(struct sm *sm);
/* Unified memory is paged: a TLB with that port to the GMMU becomes the last stage. */
void sm_attach_mmu(struct sm *sm, struct uvm *uvm, struct mmu_port *port);

/* Lets n kernels run at once. Call it right after sm_init, which allows one. Returns 0, or -1 with
 * one line in err. */
int sm_use_kernels(struct sm *sm, uint32_t n, char *err, size_t err_size);
/* Prepares a launch of kernel k; its previous launch must have ended. Returns 0, or -1 with one
 * line in err if a CTA does not fit or memory is short. */
int sm_launch(struct sm *sm, uint32_t k, const struct kernel_launch *launch, char *err,
              size_t err_size);
/* For a CTA of kernel k. */
static inline bool sm_has_room(const struct sm *sm, uint32_t k) {
    const struct sm_kernel *kernel = &sm->kernel[k];
    return kernel->live_ctas < kernel->limit &&
           sm_resources_fit(&sm->have, &sm->used, &kernel->need);
}
/* Starts the CTA of that linear index; there is room. All cycles before are accounted for. */
void sm_dispatch(struct sm *sm, uint32_t k, uint64_t cta);
/* Nothing of kernel k is left: no CTA, no access without an answer. */
static inline bool sm_kernel_done(const struct sm *sm, uint32_t k) {
    return !sm->kernel[k].live_ctas && !sm->kernel[k].out;
}
/* One SM cycle. Cycles come in order, each ticked or among those of an sm_advance. */
void sm_tick(struct sm *sm, uint64_t cycle);
/* All of it uses that context from now on: another one of the same system. */
void sm_use_context(struct sm *sm, struct context *context);
/* The earliest cycle >= `cycle`, the next one, in which sm_tick may do anything but count a cycle
 * without issue, if until then nothing arrives from the crossbar or the GMMU and no CTA is
 * dispatched. UINT64_MAX: never. */
uint64_t sm_next_event(const struct sm *sm, uint64_t cycle);
/* Accounts for skipped cycles, all before sm_next_event. Statistics are those of as many ticks. */
void sm_advance(struct sm *sm, uint64_t cycles);
/* Something from outside lets the SM move: a reply, room in the crossbar, a message of the GMMU. */
static inline bool sm_has_input(const struct sm *sm, uint64_t cycle) {
    return l1d_has_input(&sm->l1d) || (sm->path.input && *sm->path.input <= cycle);
}
/* Before its next tick, the SM may get input that is not a reply. */
static inline bool sm_may_wake(const struct sm *sm) {
    return sm->path.input || sm->l1d.cache.miss_queue.count;
}
/* No warp, no access, no load, no store, no dirty line is left. */
bool sm_empty(const struct sm *sm);
/* All kernels are over: the L1D's lines become INVALID. */
void sm_end_kernel(struct sm *sm);
/* Adds the SM's statistics, its L1D's included, up to this cycle; all before are accounted for. */
void sm_add_stats(const struct sm *sm, uint64_t cycle, struct stats *to);
/* Its gauges, its L1D's included, at this cycle; all before are accounted for. */
void sm_gauges(const struct sm *sm, uint64_t cycle, const struct gauge_reader *to);
/* Its warps, and what waits in it, a line each. */
void sm_dump(const struct sm *sm, FILE *out);

#endif
