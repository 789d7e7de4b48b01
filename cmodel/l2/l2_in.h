/* SPDX-License-Identifier: Apache-2.0 */
/* Path to the tags of an L2 bank (docs/understand/incoming.md): the pipeline of l2.latency cycles,
 * the incoming buffer, and an optional reordering block.
 *
 *     crossbar -> pipeline -> in_fifo [-> reordering block] -> bank
 *     crossbar -> pipeline -> nonblocking buffer -> bank
 *
 * In each cycle, the bank evaluates the path (l2_in_eval), looks at the offer, and then reports
 * whether it took the offer (l2_in_tick).
 */
#ifndef MEMTWIN_L2_L2_IN_H
#define MEMTWIN_L2_L2_IN_H

#include "block/block_part.h"
#include "cache/addr_map.h"
#include "config/config.h"
#include "context/context.h"
#include "incoming/incoming.h"
#include "lib/timed_fifo.h"
#include "nonblocking/nonblocking.h"
#include "stats/gauge.h"
#include "stats/stats.h"

/* Values of l2.incoming. */
enum { L2_INCOMING_VALUES(VALUE_ENUMERATOR) };

/* Incoming block with its ports. It is not ticked while it is empty and has no input. */
struct l2_in_block {
    uint32_t held; /* number of requests after the last tick */
    struct incoming_in in;
    struct incoming_out out;
    struct block_part block;
};

/* The fields used in each cycle come first. */
struct l2_in {
    struct timed_fifo pipe;
    bool nonblocking;        /* true if the buffer is `any`, false if it is `fifo` */
    bool reorders;           /* true if `reorder` is present */
    bool hold;               /* true if an offer stays until it is taken */
    uint32_t latency;        /* number of L2 cycles from the crossbar to the first lookup */
    uint32_t places;         /* capacity of the pipeline and the incoming buffer, in requests */
    uint32_t reorder_places; /* capacity of `reorder`, in requests */
    bool by_sector; /* true if entries of the buffer and of the reply queue hold sectors; see
                       l2_in_by_sector() */
    uint32_t sector_places; /* capacity of the incoming buffer in sectors if by_sector, else
                               UINT32_MAX */
    uint32_t sectors;       /* number of sectors in the buffer not yet taken if by_sector, else 0 */
    /* Results of the last cycle: */
    bool waits;     /* true if the pipeline's head waited because the buffer was full */
    unsigned stall; /* reason why `reorder` refused the buffer's head (INCOMING_REFUSE_..) */
    struct nonblocking any;
    struct l2_in_block fifo, reorder;
};

/* True if entries of the incoming buffer and of the reply queue hold sectors instead of whole
 * requests. */
static inline bool l2_in_by_sector(const struct config *cfg) {
    return cfg->l2_model == MODEL_GPGPUSIM && cfg->l2_sectored && cfg->l2_incoming == INCOMING_FIFO;
}
/* Creates the path. Returns 0, or -1 with one line in err. */
int l2_in_init(struct l2_in *in, struct block_list *blocks, const struct config *cfg, uint32_t bank,
               struct error *err);
void l2_in_free(struct l2_in *in);
/* Returns the maximum number of requests in the path. */
uint64_t l2_in_requests(const struct config *cfg);

static inline bool l2_in_room(const struct l2_in *in) {
    return !ring_full(&in->pipe) && in->sectors + LINE_SECTORS <= in->sector_places;
}

/* Records that the L2 bank has taken a sector of a request. */
static inline void l2_in_taken(struct l2_in *in) {
    in->sectors -= in->by_sector;
}

/* Pushes a request. Call it at most once per cycle, before l2_in_eval(), and only if there is
 * room. */
static inline void l2_in_push(struct l2_in *in, uint32_t request, uint64_t cycle) {
    timed_fifo_push(&in->pipe, request, cycle + in->latency - 1);
}

/* Computes this cycle's offer from the state. `map` is not owned. */
void l2_in_eval(struct l2_in *in, struct context *c, const struct addr_map *map, uint64_t cycle);
/* Returns the offered request, or REQUEST_NONE. Do not call it for the non-blocking buffer. */
static inline uint32_t l2_in_offer(const struct l2_in *in) {
    const struct l2_in_block *last = in->reorders ? &in->reorder : &in->fifo;
    return last->out.drain_valid ? (uint32_t)last->out.drain_id : REQUEST_NONE;
}
/* Ends the cycle. If offer_taken is true, removes the offered request. If the buffer is the
 * non-blocking one, the bank has already removed the request. */
void l2_in_tick(struct l2_in *in, struct context *c, struct stats *s, uint64_t cycle,
                bool offer_taken);

/* Adds the current queue lengths, multiplied by `cycles`, to the statistics. */
void l2_in_count(const struct l2_in *in, struct stats *s, uint64_t cycles);
/* Passes the gauges of the queues to `to`, with `cycle` as the number of cycles so far. */
void l2_in_gauges(const struct l2_in *in, const struct stats *s, uint64_t cycle,
                  const struct gauge_reader *to);
/* Call it after a cycle in which nothing moved. Returns 0 if the next cycle must be ticked, because
 * a block has a probe or is in reset, or because each cycle offers a different request. Otherwise
 * returns the first cycle in which something moves by itself, or UINT64_MAX if nothing moves until
 * the bank takes a request. */
uint64_t l2_in_next_event(const struct l2_in *in);
/* Accounts for skipped cycles in which nothing moves. */
void l2_in_advance(const struct l2_in *in, struct stats *s, uint64_t cycles);

#endif
