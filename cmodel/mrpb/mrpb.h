/* SPDX-License-Identifier: Apache-2.0 */
/* Memory request prioritisation of an SM (MRPB): FIFO queues between the LSU and the L1D, so that
 * accesses of one warp or CTA reach the L1D together.
 *
 * One access a cycle enters the queue of its signature, one a cycle is offered to the L1D. Accesses
 * of a queue keep their order. Source, order within a cycle, decisions: docs/understand/mrpb.md.
 */
#ifndef MEMTWIN_MRPB_MRPB_H
#define MEMTWIN_MRPB_MRPB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/request.h"
#include "lib/warp_set.h"
#include "stage/stage.h"
#include "stats/stats.h"

/* l1d.mrpb_signature */
enum { MRPB_WARP, MRPB_CTA };
/* l1d.mrpb_drain */
enum { MRPB_GREEDY, MRPB_LOWEST, MRPB_LONGEST, MRPB_ROUND_ROBIN };

struct mrpb_queue {
    uint32_t head, count; /* ring of `depth` places */
};

struct mrpb {
    struct context *context;  /* not owned */
    struct stats *stats;      /* not owned; the SM's */
    uint32_t queues, depth;   /* no queues: the LSU offers to the L1D itself */
    uint8_t signature, drain; /* MRPB_ */
    uint32_t count;           /* accesses in all queues */
    uint32_t offered;         /* queue that was offered last */
    bool held;                /* and its access has not been taken */
    warp_set filled;          /* queues that hold an access: sets of queues, not of warps */
    struct mrpb_queue *queue; /* owned */
    struct request *access;   /* owned; `depth` per queue */
};

/* Relations between the keys of the prioritisation queues. Returns 0, or -1 with one line in err.
 */
int mrpb_check(const struct config *cfg, char *err, size_t err_size);

void mrpb_init(struct mrpb *m, const struct config *cfg, struct context *context,
               struct stats *stats);
void mrpb_free(struct mrpb *m);

static inline bool mrpb_on(const struct mrpb *m) {
    return m->queues != 0;
}

/* The queues as a stage of the SM; there are some. */
struct stage mrpb_stage(struct mrpb *m);

/* ---- what the stage does in a cycle ---- */

/* The queue of the accesses of that warp slot, whose CTA has that slot. */
uint32_t mrpb_queue_of(const struct mrpb *m, uint32_t warp, uint32_t cta);

static inline bool mrpb_room(const struct mrpb *m, uint32_t queue) {
    return m->queue[queue].count < m->depth;
}

/* The access enters the queue that it names; there is room. */
void mrpb_push(struct mrpb *m, const struct request *a);

/* The access that is offered in this cycle, by the queues as they are now; NULL: none. It stays the
 * same, and where it is, until it is taken. */
const struct request *mrpb_offer(struct mrpb *m);
/* It is taken. It may be read until the next push. */
void mrpb_taken(struct mrpb *m);

/* The i-th oldest access of a queue. */
const struct request *mrpb_at(const struct mrpb *m, uint32_t queue, uint32_t i);
/* What waits in the queues of that SM, a line each. */
void mrpb_dump(const struct mrpb *m, uint32_t sm, FILE *out);

#endif
