/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the L1D share: l1d.c has the cycle, access.c requests of the LSU, reply.c
 * replies of the crossbar. */
#ifndef MEMTWIN_L1D_INSIDE_H
#define MEMTWIN_L1D_INSIDE_H

#include <string.h>

#include "l1d/l1d.h"

/* The request enters the pool, accepted in this cycle; its other times are those of its fetch, or
 * none (l1d_clear_times). Returns its number. */
static inline uint32_t l1d_enter(struct l1d *l1, const struct request *r) {
    struct request_pool *pool = &l1->cache.context->pool;
    const uint32_t number = request_take(pool);
    struct request *entered = request_at(pool, number);
    *entered = *r;
    entered->next = REQUEST_NONE;
    request_times(pool, number)->taken = l1->cache.context->time;
    return number;
}

/* The request goes nowhere but to the L1D. */
static inline void l1d_clear_times(struct l1d *l1, uint32_t number) {
    struct request_times *t = request_times(&l1->cache.context->pool, number);
    *t = (struct request_times){.taken = t->taken};
}

/* The request is a response from now on. data: of its line, or NULL while no data are carried. */
static inline void l1d_respond(struct l1d *l1, uint32_t number, const uint8_t *data) {
    struct context *c = l1->cache.context;
    if (data)
        memcpy(request_data(&c->pool, number), data, LINE_BYTES);
    fifo_push(&l1->responses, number);
    c->progress++;
}

/* A store, or an atomic without a result, is finished: the SM takes the request. */
static inline void l1d_finish(struct l1d *l1, uint32_t number) {
    l1->done[l1->n_done++] = number;
}

/* ---- access.c ---- */

/* The way's dirty bytes go to the L2; they stay, clean. */
void l1d_write_back(struct l1d *l1, uint32_t way);
/* The way gets the line for that request. The dirty bytes of the one before leave. */
void l1d_claim(struct l1d *l1, uint32_t way, uint64_t line, const struct request *r);
/* One dirty line a cycle leaves, in the order of the ways, once all else is done. */
void l1d_flush_line(struct l1d *l1);
/* What becomes of the request (NULL: there is none), by lines, misses and queues at the start of
 * the cycle. The plan is zero before. */
enum cache_outcome l1d_plan(const struct l1d *l1, const struct request *r, struct cache_plan *plan);
/* Accepts or refuses it, when the MSHR has answered: a miss may become a bypass. Returns true if it
 * is accepted. */
bool l1d_accept(struct l1d *l1, const struct request *r, struct cache_plan *plan, uint64_t cycle);

/* The store is kept, to be written back. */
static inline bool l1d_keeps(const struct l1d *l1, const struct request *r) {
    return l1->write == L1D_WBWA || (l1->write == L1D_LOCAL_WB && r->local);
}

/* ---- reply.c ---- */

/* Shows the reply at the crossbar (REQUEST_NONE: there is none) to the MSHR, if a miss waits for
 * it. Returns whether it was shown. */
bool l1d_present_reply(struct l1d *l1, uint32_t reply);
/* The reply is taken if it can be. shown: to the MSHR. */
void l1d_take_reply(struct l1d *l1, uint32_t reply, bool shown);

#endif
