/* A streaming multiprocessor: resident CTAs and warps, schedulers, scoreboard, LSU, L1D.
 *
 * A cycle: results come back (ALU, shared memory, one load response), the L1D takes one access of
 * the LSU, each scheduler issues at most one instruction. docs/system.md has the details.
 */
#ifndef MEMTWIN_SM_SM_H
#define MEMTWIN_SM_SM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "check/lanes.h"
#include "gpu/frame.h"
#include "kernel/kernel.h"
#include "l1d/l1d.h"
#include "sm/lsu.h"
#include "stats/stats.h"

#define SM_MAX_WARPS 64
#define SM_MAX_CTAS 32
#define SM_MAX_SCHEDULERS 4
#define SM_NO_WARP UINT32_MAX

struct sm_warp {
    struct reg_set pending; /* registers whose value is on its way */
    uint64_t age;           /* order of dispatch */
    uint32_t left;          /* instructions left of the run in `inst` */
    uint32_t lanes;         /* active lanes of `inst` */
    uint32_t cta;           /* CTA slot */
    struct warp_place place;
    struct warp_inst inst; /* instruction buffer: the next to issue */
};

struct sm_cta {
    uint64_t warps;   /* live warps, bit per warp slot */
    uint64_t arrived; /* of these: waiting at the barrier */
    bool live;
};

/* A result that is ready in a known cycle. */
struct sm_event {
    struct reg_set regs;
    uint32_t warp;
};

/* The results of one cycle: each scheduler issues one instruction a cycle with one of two
 * latencies. */
struct sm_events {
    uint32_t n;
    struct sm_event event[2 * SM_MAX_SCHEDULERS];
};

struct sm_scheduler {
    uint64_t warps;  /* the warp slots that belong to it */
    uint32_t greedy; /* the warp that issued last, or SM_NO_WARP */
};

struct sm {
    struct frame *frame; /* not owned */
    uint32_t id, max_warps, max_ctas, n_schedulers, alu_latency, shared_latency;
    uint64_t shared_limit; /* bytes */
    uint64_t live;         /* warp slots in use */
    uint64_t ready;        /* of these: scoreboard and barrier let the next instruction issue */
    uint64_t is_load, is_store; /* of the live ones: kind of the next instruction */
    uint64_t at_barrier;        /* of the live ones: waiting at the barrier */
    uint64_t ages;              /* warps dispatched so far */
    struct sm_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct sm_warp *warp; /* owned; per slot */
    struct sm_cta cta[SM_MAX_CTAS];
    uint32_t live_ctas;
    struct sm_events *wheel; /* owned; by cycle modulo wheel_size */
    uint32_t wheel_size;     /* power of two above all latencies */
    uint32_t wheel_used;     /* events in it */
    struct lsu lsu;
    struct lanes *lanes; /* owned; account of the coalescer; NULL without a check */
    struct l1d l1d;
    struct stats stats;
    /* The kernel that runs. */
    const struct kernel_launch *launch;     /* not owned */
    uint32_t warps_per_cta, fit_ctas;       /* fit_ctas: resident at once at most */
    uint8_t *warp_state, *cta_state;        /* owned; per slot */
    size_t warp_state_room, cta_state_room; /* bytes allocated */
};

/* Returns 0, or -1 with one line in err. */
int sm_init(struct sm *sm, const struct config *cfg, struct frame *frame, uint32_t id, char *err,
            size_t err_size);
void sm_free(struct sm *sm);

/* Makes ready for a launch; the SM is empty. Returns 0, or -1 if a CTA does not fit or memory is
 * short, one line in err. */
int sm_launch(struct sm *sm, const struct kernel_launch *launch, char *err, size_t err_size);
static inline bool sm_has_room(const struct sm *sm) {
    return sm->live_ctas < sm->fit_ctas;
}
/* Starts the CTA of that linear index; there is room. */
void sm_dispatch(struct sm *sm, uint64_t cta);
/* One SM cycle. */
void sm_tick(struct sm *sm, uint64_t cycle);
/* No warp, no access, no load, no store, no dirty line is left. */
static inline bool sm_empty(const struct sm *sm) {
    return !sm->live && !sm->lsu.count && !lsu_loads_out(&sm->lsu) && !sm->l1d.stores_out &&
           !l1d_dirty(&sm->l1d);
}
/* The kernel is over: its L1D lines become INVALID. */
void sm_end_kernel(struct sm *sm);
/* Why warp slot w does not issue: one word for the dump. */
const char *sm_why(const struct sm *sm, uint32_t w);

#endif
