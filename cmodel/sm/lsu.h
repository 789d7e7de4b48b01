/* Load/store unit of an SM: a queue of memory instructions, already coalesced to 128 B line
 * accesses, and the table of loads in flight. In order: a refused access holds up all behind it. */
#ifndef MEMTWIN_SM_LSU_H
#define MEMTWIN_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/frame.h"
#include "kernel/kernel.h"
#include "l1d/l1d.h"
#include "lib/level.h"
#include "stats/stats.h"

/* A memory instruction in the queue. */
struct lsu_inst {
    uint8_t kind;  /* enum packet_kind */
    uint32_t id;   /* pending load, if it is a load */
    uint32_t n;    /* line accesses */
    uint32_t next; /* the first that is not yet taken */
    uint64_t line[WARP_LANES];
    struct byte_mask mask[WARP_LANES];
};

/* A load in flight. */
struct lsu_load {
    struct reg_set dst;
    uint32_t remaining; /* line accesses not yet answered; 0: the entry is free */
    uint16_t warp;      /* warp slot */
};

/* A line access of a load in flight, for the data check. */
struct lsu_line {
    uint64_t line, ticket;
    struct byte_mask mask;
    bool waiting;
};

struct lsu {
    struct frame *frame; /* not owned */
    struct stats *stats; /* not owned; the SM's */
    uint32_t sm;
    struct lsu_inst *queue;         /* owned; ring */
    uint32_t head, count, capacity; /* instructions */
    struct lsu_load *load;          /* owned; table of loads in flight */
    uint16_t *free_id;              /* owned; stack of free entries */
    uint32_t n_loads, n_free;
    struct lsu_line *lines; /* owned; WARP_LANES per entry; NULL without a check */
    struct level waiting;   /* line loads taken by the L1D and not answered, over SM cycles */
};

/* Returns 0, or -1 if out of memory. */
int lsu_init(struct lsu *u, const struct config *cfg, struct frame *frame, uint32_t sm);
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

/* Coalesces an instruction and queues it; there is room, and an entry if it is a load. */
void lsu_push(struct lsu *u, const struct warp_inst *inst, uint32_t warp);
/* The access that the L1D is offered in this cycle. Returns false if there is none. */
bool lsu_offer(const struct lsu *u, struct l1d_access *access);
/* The L1D took it. */
void lsu_taken(struct lsu *u, uint64_t cycle);
/* A line access is answered. Returns the load if that was its last, else NULL; valid until the next
 * push. */
const struct lsu_load *lsu_answer(struct lsu *u, const struct l1d_rsp *rsp, uint64_t cycle);

#endif
