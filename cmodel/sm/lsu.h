/* SPDX-License-Identifier: Apache-2.0 */
/* Load/store unit of an SM: a queue of coalesced memory instructions, and the load table, which
 * also contains atomics with a result. Accesses leave in order, so a refused access blocks all
 * later accesses. If there are operand collectors, lsu_bring() may reorder instructions. */
#ifndef MEMTWIN_SM_LSU_H
#define MEMTWIN_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "context/context.h"
#include "kernel/kernel.h"
#include "lib/request.h"
#include "lib/level.h"
#include "lib/ring.h"
#include "sm/coalesce.h"
#include "stats/stats.h"
#include "config/config.h"

#define LSU_MAX_ACCESSES LOAD_MAX_ACCESSES

/* Memory instruction in the queue. */
struct lsu_inst {
    struct request head; /* next access */
    uint32_t n;          /* number of accesses */
    uint32_t next;       /* index of the first access that has not left */
    uint64_t enters;     /* cycle in which the instruction reaches the LSU (sm.lsu_latency) */
    bool shared;    /* true for a shared-memory access of n passes; the next three are then valid */
    bool atomic;    /* true if its end frees the warp */
    uint64_t until; /* cycle in which it leaves; 0 until it is the first instruction */
    struct reg_set dst; /* registers that it writes */
    struct coalesced access[LSU_MAX_ACCESSES];
};

/* Entry of the load table. */
struct lsu_load {
    struct reg_set dst;
    uint32_t n;         /* number of accesses */
    uint32_t remaining; /* number of accesses without a response; 0 if the entry is free */
    uint64_t issued;    /* cycle in which the instruction issued */
    uint16_t warp;      /* warp slot */
    uint8_t kernel;
    bool atomic;
    uint32_t group; /* group of a copy to shared memory, or 0 */
};

/* Access of a load, or of an atomic with a result, in flight; recorded for the data check and for
 * the watcher of loads. */
struct lsu_line {
    uint64_t line, ticket;
    struct byte_mask mask;
    uint32_t translating, piped; /* as in struct request_sm */
    bool waiting;
};

/* Instruction of a load table entry, recorded for the watcher of loads. */
struct lsu_watched {
    const char *kernel;
    struct warp_place place;
    struct warp_inst_form form;
    uint32_t pc;
    bool has_pc;
};

/* Origin of an instruction. */
struct lsu_from {
    uint32_t warp;  /* warp slot */
    uint32_t queue; /* prioritization queue of its accesses */
    uint32_t cta;   /* CTA slot */
    uint32_t kernel;
    uint32_t group;                 /* group of a copy to shared memory, or 0 */
    const char *name;               /* kernel name for messages; not owned */
    const struct warp_place *place; /* not owned */
};

struct lsu {
    struct context *context; /* not owned */
    struct stats *stats;     /* statistics of the SM; not owned */
    uint32_t sm;
    bool descending;  /* true if accesses of an instruction leave in descending address order */
    uint32_t latency; /* number of cycles from issue to the first access */
    bool collected;   /* true if instructions wait for operand collectors (sm/collectors.h) */
    struct coalescer coalescer;
    struct lsu_inst **queue; /* owned; unordered; an element is allocated at its first use */
    RING(uint32_t) order;    /* indices into `queue`, in instruction order */
    uint32_t *unused;        /* owned; stack of unused indices */
    uint32_t entered; /* number of instructions, from the first on, that have reached the LSU */
    struct lsu_load *load; /* owned; load table; has only the entries used so far */
    uint32_t load_room;    /* number of elements of `load` */
    uint16_t *free_id;     /* owned; stack of the numbers of free load table entries */
    uint32_t n_loads, n_free;
    struct lsu_line *lines; /* owned; LSU_MAX_ACCESSES elements per load table entry; NULL if there
                               is neither a check nor a watcher of loads */
    struct lsu_watched
        *watched;         /* owned; one per load table entry; NULL if loads are not watched */
    struct level waiting; /* number of load accesses that the L1D has accepted and that wait for a
                             response, over SM cycles */
    struct level atomics; /* number of accesses of atomics with a result that wait for a
                             response */
};

void lsu_init(struct lsu *u, const struct config *cfg, struct context *context, struct stats *stats,
              uint32_t sm);
void lsu_free(struct lsu *u);
/* Reports loads to the context's watcher from now on. No load may be in flight. */
void lsu_watch_loads(struct lsu *u);

static inline bool lsu_full(const struct lsu *u) {
    return ring_full(&u->order);
}

static inline bool lsu_can_load(const struct lsu *u) {
    return u->n_free > 0;
}

static inline uint32_t lsu_loads_out(const struct lsu *u) {
    return u->n_loads - u->n_free;
}

/* True if a memory instruction needs an entry of the load table. */
static inline bool lsu_needs_entry(const struct warp_inst *inst) {
    return inst->op == WARP_LOAD || (inst->op == WARP_ATOMIC && !regs_none(&inst->dst));
}

/* Coalesces an instruction and queues it. There must be room, and a free load table entry if the
 * instruction needs one. Returns the number of accesses. On bad input, returns 0 and records in
 * the context a fault that names the kernel, the CTA and the warp. */
uint32_t lsu_push(struct lsu *u, const struct warp_inst *inst, const struct lsu_from *from,
                  uint64_t cycle);

/* Returns the number of copies in flight of warp slot `warp`, of groups before `group`. */
uint32_t lsu_copies(const struct lsu *u, uint32_t warp, uint32_t group);
/* Makes the copies in flight of warp slot `warp` plain loads, because the warp ends. */
void lsu_forget_copies(struct lsu *u, uint32_t warp);

/* Counts a memory instruction in the statistics. */
void lsu_count(struct stats *s, const struct warp_inst *inst);

/* Queues the shared-memory access `inst` of warp slot `warp` (sm.model=gpgpusim). There must be
 * room. `dst` has the registers that the access writes. */
void lsu_push_shared(struct lsu *u, uint32_t warp, const struct warp_inst *inst,
                     const struct reg_set *dst, uint64_t cycle);

/* Returns the instruction at position i of the queue. Position 0 is the front. */
static inline struct lsu_inst *lsu_at(const struct lsu *u, uint32_t i) {
    return u->queue[*ring_at(&u->order, i)];
}

static inline struct lsu_inst *lsu_first(const struct lsu *u) {
    return u->queue[*ring_first(&u->order)];
}

/* Lets the next n instructions reach the LSU, because they have received operand collectors or
 * the cycle of lsu_next_entry() has come. */
static inline void lsu_enter(struct lsu *u, uint32_t n) {
    u->entered += n;
}

/* Returns the cycle in which the next instruction reaches the LSU (sm.lsu_latency), or
 * UINT64_MAX if there is none. */
static inline uint64_t lsu_next_entry(const struct lsu *u) {
    if (u->latency == 1 || u->entered == u->order.count)
        return UINT64_MAX;
    return lsu_at(u, u->entered)->enters;
}

/* Moves the instruction at position n of the queue to the front. It must have reached the LSU. */
void lsu_bring(struct lsu *u, uint32_t n);

/* True if the first instruction is a shared-memory access. */
static inline bool lsu_shared_first(const struct lsu *u) {
    return u->entered && lsu_first(u)->shared;
}

/* Removes and returns the shared-memory access that leaves in this cycle, or returns NULL. The
 * result is valid until the next push. */
const struct lsu_inst *lsu_take_shared(struct lsu *u, uint64_t cycle);

/* Returns the first cycle, from `cycle` on, in which lsu_take_shared() changes state, or
 * UINT64_MAX. */
static inline uint64_t lsu_next_event(const struct lsu *u, uint64_t cycle) {
    if (!lsu_shared_first(u))
        return UINT64_MAX;
    uint64_t until = lsu_first(u)->until;
    return until > cycle ? until : cycle;
}

/* Returns the next access of the first instruction, or NULL. */
static inline const struct request *lsu_offer(const struct lsu *u) {
    return u->entered && !lsu_first(u)->shared ? &lsu_first(u)->head : NULL;
}

/* Predicts the result of lsu_offer() after the offered access has left. Returns false if there
 * is no prediction. If there are operand collectors, the prediction is a guess, because the next
 * instruction is chosen only when the current one has left. */
bool lsu_behind(const struct lsu *u, struct request *behind);

/* Removes the offered access, which goes to the first stage or to the L1D. Returns true if it was
 * the last access of its instruction, which then leaves too. */
bool lsu_leave(struct lsu *u);
/* Records that the L1D accepts an access, before or after it leaves the LSU. */
void lsu_taken(struct lsu *u, const struct request *a, uint64_t cycle);
/* Records the response to an access, which is request `number`. The load, the line and the first
 * byte identify the access. Accesses of an atomic with all three in common are interchangeable.
 * Returns the load if this was its last response, or else NULL. The result is valid until the
 * next push. */
const struct lsu_load *lsu_answer(struct lsu *u, uint32_t number, uint64_t cycle);

#endif
