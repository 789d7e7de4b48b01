/* SPDX-License-Identifier: Apache-2.0 */
/* Load/store unit of an SM: a queue of memory instructions, already coalesced, and the table of
 * loads in flight (an atomic with a result is one too). In order, but for operand collectors
 * (lsu_bring): a refused access holds up all behind it. */
#ifndef MEMTWIN_SM_LSU_H
#define MEMTWIN_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "context/context.h"
#include "kernel/kernel.h"
#include "lib/request.h"
#include "lib/level.h"
#include "lib/wrap.h"
#include "sm/coalesce.h"
#include "stats/stats.h"
#include "config/config.h"

#define LSU_MAX_ACCESSES LOAD_MAX_ACCESSES

#define LSU_SCHEDULERS 4

/* A memory instruction in the queue. */
struct lsu_inst {
    struct request head; /* the next access */
    uint32_t n;          /* accesses */
    uint32_t next;       /* the first that has not left */
    uint64_t enters;     /* cycle in which it reaches the LSU (sm.lsu_latency) */
    bool shared;         /* a shared-memory access of n passes, with these two: */
    uint64_t until;      /* cycle in which it leaves; 0: it is not the first yet */
    struct reg_set dst;  /* registers that it writes */
    struct coalesced access[LSU_MAX_ACCESSES];
};

/* A load in flight. */
struct lsu_load {
    struct reg_set dst;
    uint32_t n;         /* accesses */
    uint32_t remaining; /* accesses without a reply; 0: the entry is free */
    uint64_t issued;    /* cycle in which the instruction entered */
    uint16_t warp;      /* warp slot */
    uint8_t kernel;
    bool atomic;
};

/* An access of a load in flight, for the data check. */
struct lsu_line {
    uint64_t line, ticket;
    struct byte_mask mask;
    bool waiting;
};

/* Where an instruction comes from. */
struct lsu_from {
    uint32_t warp;  /* warp slot */
    uint32_t queue; /* prioritisation queue of its accesses */
    uint32_t cta;   /* CTA slot */
    uint32_t kernel;
    const char *name;               /* of the kernel; not owned; for messages, as the place */
    const struct warp_place *place; /* not owned */
};

struct lsu {
    struct context *context; /* not owned */
    struct stats *stats;     /* not owned; the SM's */
    uint32_t sm;
    uint32_t pass_cycles; /* cycles of a pass of a shared-memory access */
    bool descending;      /* accesses of an instruction leave from the highest address down */
    uint32_t latency;     /* cycles from issue to the first access */
    bool collected;       /* instructions wait for operand collectors (sm/collectors.h) */
    struct coalescer coalescer;
    struct lsu_inst *queue;         /* owned; in any order */
    uint32_t *order;                /* owned; ring: where in `queue` they are, in their order */
    uint32_t head, count, capacity; /* instructions */
    uint32_t entered;               /* instructions, from the head on, that reached the LSU */
    struct lsu_load *load;          /* owned; table of loads in flight */
    uint16_t *free_id;              /* owned; stack of free entries */
    uint32_t n_loads, n_free;
    struct lsu_line *lines; /* owned; LSU_MAX_ACCESSES per entry; NULL without a check */
    struct level waiting;   /* accesses of loads taken by the L1D and not answered, SM cycles */
    struct level atomics;   /* the same of atomics with a result */
};

void lsu_init(struct lsu *u, const struct config *cfg, struct context *context, struct stats *stats,
              uint32_t sm);
void lsu_free(struct lsu *u);

static inline bool lsu_full(const struct lsu *u) {
    return u->count == u->capacity;
}

static inline bool lsu_can_load(const struct lsu *u) {
    return u->n_free > 0;
}

static inline uint32_t lsu_loads_out(const struct lsu *u) {
    return u->n_loads - u->n_free;
}

/* Whether a memory instruction needs an entry of the table of loads in flight. */
static inline bool lsu_needs_entry(const struct warp_inst *inst) {
    return inst->op == WARP_LOAD || (inst->op == WARP_ATOMIC && !regs_none(&inst->dst));
}

/* Coalesces an instruction and queues it; there is room, and an entry if it needs one. Returns its
 * accesses, or 0 if it is bad input: the context then has a fault that names the kernel, the CTA
 * and the warp. */
uint32_t lsu_push(struct lsu *u, const struct warp_inst *inst, const struct lsu_from *from,
                  uint64_t cycle);

/* Counts a memory instruction. */
void lsu_count(struct stats *s, const struct warp_inst *inst);

/* Queues a shared-memory access of that warp slot (sm.shared_path=lsu); there is room.
 * passes: 1..32; dst: registers that it writes. */
void lsu_push_shared(struct lsu *u, uint32_t warp, uint32_t passes, const struct reg_set *dst,
                     uint64_t cycle);

/* An instruction in the queue; i: how many are before it. */
static inline struct lsu_inst *lsu_at(const struct lsu *u, uint32_t i) {
    return &u->queue[u->order[wrap(u->head + i, u->capacity)]];
}

static inline struct lsu_inst *lsu_first(const struct lsu *u) {
    return &u->queue[u->order[u->head]];
}

/* The next n instructions reach the LSU: they have got their operand collectors, or the cycle of
 * lsu_next_entry has come. */
static inline void lsu_enter(struct lsu *u, uint32_t n) {
    u->entered += n;
}

/* The cycle in which the next instruction reaches the LSU (sm.lsu_latency), or UINT64_MAX. */
static inline uint64_t lsu_next_entry(const struct lsu *u) {
    if (u->latency == 1 || u->entered == u->count)
        return UINT64_MAX;
    return lsu_at(u, u->entered)->enters;
}

/* Of the instructions that have reached the LSU, the one with n others before it becomes the first.
 * n: below `entered`. */
void lsu_bring(struct lsu *u, uint32_t n);

/* The first instruction is a shared-memory access. */
static inline bool lsu_shared_first(const struct lsu *u) {
    return u->entered && lsu_first(u)->shared;
}

/* The shared-memory access that leaves in this cycle, or NULL; valid until the next push. */
const struct lsu_inst *lsu_take_shared(struct lsu *u, uint64_t cycle);

/* The first cycle, from `cycle` on, in which lsu_take_shared does anything. */
static inline uint64_t lsu_next_event(const struct lsu *u, uint64_t cycle) {
    if (!lsu_shared_first(u))
        return UINT64_MAX;
    uint64_t until = lsu_first(u)->until;
    return until > cycle ? until : cycle;
}

/* The next access of the first instruction, or NULL. */
static inline const struct request *lsu_offer(const struct lsu *u) {
    return u->entered && !lsu_first(u)->shared ? &lsu_first(u)->head : NULL;
}

/* What lsu_offer will return once that access has left; false: nothing is queued behind it. With
 * operand collectors a guess: which instruction goes first is chosen when that one has left. */
bool lsu_behind(const struct lsu *u, struct request *behind);

/* It leaves, to the first stage or to the L1D. Returns whether it was the last of its instruction,
 * which has left with it. */
bool lsu_leave(struct lsu *u);
/* The L1D took an access, which leaves or has left. */
void lsu_taken(struct lsu *u, const struct request *a, uint64_t cycle);
/* An access is answered: the request of that number, whose load, line and first byte tell which (of
 * the accesses of an atomic that have these three in common, any). Returns the load if that was its
 * last, else NULL; valid until the next push. */
const struct lsu_load *lsu_answer(struct lsu *u, uint32_t number, uint64_t cycle);

#endif
