/* SPDX-License-Identifier: Apache-2.0 */
/* Memory request prioritization of an SM (MRPB). FIFO queues between the LSU and the L1D let
 * accesses of one warp or CTA reach the L1D together.
 *
 * In each cycle, one access enters the queue of its signature, and one access is offered to the
 * L1D. Accesses in the same queue stay in order. The source, the order within a cycle and the
 * decisions are in docs/understand/mrpb.md. */
#ifndef MEMTWIN_MRPB_MRPB_H
#define MEMTWIN_MRPB_MRPB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/request.h"
#include "lib/ring.h"
#include "lib/warp_set.h"
#include "stage/stage.h"
#include "stats/stats.h"

#define MRPB_DEPTH 8 /* capacity of a queue in accesses */

/* Values of l1d.mrpb_drain. */
enum { L1D_MRPB_DRAIN_VALUES(VALUE_ENUMERATOR) };

struct mrpb_queue {
    RING(struct request);
};

struct mrpb {
    struct context *context; /* not owned */
    struct stats *stats;     /* statistics of the SM; not owned */
    uint32_t queues;  /* number of queues; 0 if the LSU offers accesses directly to the L1D */
    uint8_t drain;    /* drain policy, MRPB_.. */
    uint32_t count;   /* number of accesses in all queues */
    uint32_t offered; /* queue of the last offer */
    bool held;        /* true if the offered access has not been taken */
    warp_set filled;  /* set of queues (not of warps) that hold an access */
    struct mrpb_queue *queue; /* owned */
};

/* Checks relations between the keys of the prioritization queues. Returns 0, or -1 with one line
 * in err. */
int mrpb_check(const struct config *cfg, struct error *err);

void mrpb_init(struct mrpb *m, const struct config *cfg, struct context *context,
               struct stats *stats);
void mrpb_free(struct mrpb *m);

static inline bool mrpb_on(const struct mrpb *m) {
    return m->queues != 0;
}

/* Returns the queues as a stage of the SM. There must be at least one queue. */
struct stage mrpb_stage(struct mrpb *m);

/* ---- steps of a cycle ---- */

/* Returns the queue for the accesses of warp slot `warp`. */
uint32_t mrpb_queue_of(const struct mrpb *m, uint32_t warp);

static inline bool mrpb_room(const struct mrpb *m, uint32_t queue) {
    return !ring_full(&m->queue[queue]);
}

/* Adds the access to its queue, which must have room. */
void mrpb_push(struct mrpb *m, const struct request *a);

/* Returns the access that the queues offer in this cycle, or NULL. The offer and its address stay
 * the same until the offer is taken. */
const struct request *mrpb_offer(struct mrpb *m);
/* Takes the offer, which may still be read until the next push. */
void mrpb_taken(struct mrpb *m);

/* Returns the i-th oldest access of a queue, counted from 0. */
const struct request *mrpb_at(const struct mrpb *m, uint32_t queue, uint32_t i);
/* Prints one line for each non-empty queue of SM number `sm`. */
void mrpb_dump(const struct mrpb *m, uint32_t sm, FILE *out);

#endif
