/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before the tags of an L2 bank (docs/understand/incoming.md): the pipeline of
 * l2.latency cycles, the incoming buffer behind it, and behind that what reorders, if anything
 * does.
 *
 *     crossbar -> pipeline -> in_fifo [-> what reorders] -> bank
 *     crossbar -> pipeline -> nonblocking buffer -> bank
 *
 * In a cycle the bank first lets it settle (l2_in_eval), looks at what is offered, and then says
 * what it took (l2_in_tick).
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

/* l2.incoming */
enum { INCOMING_FIFO, INCOMING_NONBLOCKING, INCOMING_BANK_QUEUES, INCOMING_CART };
/* l2.places */
enum { L2_PLACES_REQUESTS, L2_PLACES_SECTORS };
/* l2.cart_policy */
enum { CART_POLICY_ROTATING, CART_POLICY_LONGEST, CART_POLICY_ROUND_ROBIN };
/* l2.cart_fill: enum cart_fill_scope */

/* An incoming block with its ports; not stepped while it is empty and nothing comes. */
struct l2_in_block {
    uint32_t held; /* requests, after the last tick */
    struct incoming_in in;
    struct incoming_out out;
    struct block_part block;
};

/* First what each cycle looks at, then the rest. */
struct l2_in {
    struct timed_fifo pipe;
    bool nonblocking;        /* the buffer is `any`, else `fifo` */
    bool reorders;           /* `reorder` is there */
    bool hold;               /* what was offered and not taken is offered again */
    uint32_t latency;        /* cycles from the crossbar to the first lookup */
    uint32_t places;         /* for requests, in the pipeline and the incoming buffer */
    uint32_t reorder_places; /* .. and in `reorder` */
    bool by_sector;          /* places, of the reply queue too, hold sectors (l2.places): */
    uint32_t sector_places;  /* of the incoming buffer; else UINT32_MAX */
    uint32_t sectors;        /* in it that the bank has not taken; else 0 */
    /* in the last cycle: */
    bool waits;     /* the pipeline's head found the buffer full */
    unsigned stall; /* INCOMING_REFUSE_: the buffer's head found no place in `reorder` */
    struct nonblocking any;
    struct l2_in_block fifo, reorder;
};

/* Returns 0, or -1 with one line in err. */
int l2_in_init(struct l2_in *in, struct block_list *blocks, const struct config *cfg, uint32_t bank,
               char *err, size_t err_size);
void l2_in_free(struct l2_in *in);
/* Packets that it may hold at a time. */
uint64_t l2_in_requests(const struct config *cfg);

static inline bool l2_in_room(const struct l2_in *in) {
    return !timed_fifo_full(&in->pipe) && in->sectors + LINE_SECTORS <= in->sector_places;
}

/* The bank has taken a sector of a request. */
static inline void l2_in_taken(struct l2_in *in) {
    in->sectors -= in->by_sector;
}

/* Before l2_in_eval of that cycle; there is room. At most one a cycle. */
static inline void l2_in_push(struct l2_in *in, uint32_t packet, uint64_t cycle) {
    timed_fifo_push(&in->pipe, packet, cycle + in->latency - 1);
}

/* What is offered by the state, for this cycle's lookup. map: not owned. */
void l2_in_eval(struct l2_in *in, struct context *c, const struct addr_map *map, uint64_t cycle);
/* The packet that is offered, or REQUEST_NONE. Not for the non-blocking buffer. */
static inline uint32_t l2_in_offer(const struct l2_in *in) {
    const struct l2_in_block *last = in->reorders ? &in->reorder : &in->fifo;
    return last->out.drain_valid ? (uint32_t)last->out.drain_id : REQUEST_NONE;
}
/* The end of the cycle; taken: the offer leaves. (From the non-blocking buffer it has left.) */
void l2_in_tick(struct l2_in *in, struct context *c, struct stats *s, uint64_t cycle, bool taken);

/* Counts the lengths of the queues, as they are now, for `cycles` cycles. */
void l2_in_count(const struct l2_in *in, struct stats *s, uint64_t cycles);
/* Gauges of the queues at that cycle. */
void l2_in_gauges(const struct l2_in *in, const struct stats *s, uint64_t cycle,
                  const struct gauge_reader *to);
/* After a cycle in which nothing moved: 0 if it has to be ticked in the next one (a block is
 * watched or in reset, or another request is offered in each cycle); else the first in which
 * something moves by itself; UINT64_MAX: never, if the bank takes nothing. */
uint64_t l2_in_next_event(const struct l2_in *in);
/* Accounts for skipped cycles in which nothing moves. */
void l2_in_advance(const struct l2_in *in, struct stats *s, uint64_t cycles);

#endif
