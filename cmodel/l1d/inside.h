/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the L1D. The cycle is in l1d.c, requests from the LSU are
 * handled in access.c, and replies from the crossbar are handled in reply.c. */
#ifndef MEMTWIN_L1D_INSIDE_H
#define MEMTWIN_L1D_INSIDE_H

#include <string.h>

#include "l1d/l1d.h"

/* Takes a pool entry for a request accepted in this cycle and returns the entry's index. The
 * request's later times are either copied from its fetch or cleared (l1d_clear_times). */
static inline uint32_t l1d_enter(struct l1d *l1, const struct request *r) {
    struct request_pool *pool = &l1->cache.context->pool;
    const uint32_t number = request_take(pool);
    struct request *entered = request_at(pool, number);
    *entered = *r;
    entered->next = REQUEST_NONE;
    request_times(pool, number)->l1d_accept = l1->cache.context->time;
    return number;
}

/* Clears all times except l1d_accept of a request that the L1D serves itself. */
static inline void l1d_clear_times(struct l1d *l1, uint32_t number) {
    struct request_times *t = request_times(&l1->cache.context->pool, number);
    *t = (struct request_times){.l1d_accept = t->l1d_accept};
}

/* Queues the request as a response. `data` is the line's data to copy, or NULL if no data are
 * copied. */
static inline void l1d_respond(struct l1d *l1, uint32_t number, const uint8_t *data) {
    struct context *c = l1->cache.context;
    if (data)
        memcpy(request_data(&c->pool, number), data, LINE_BYTES);
    request_note(&c->pool, number, MARK_RESPONDED, c->time);
    ring_push(&l1->responses, number);
    c->progress++;
}

/* Completes a store, or an atomic without a result. The SM takes the request from `done`. */
static inline void l1d_finish(struct l1d *l1, uint32_t number) {
    l1->done[l1->n_done++] = number;
}

/* ---- access.c ---- */

/* Claims the way for the request's line. Dirty bytes of the old line are written back. */
void l1d_claim(struct l1d *l1, uint32_t way, uint64_t line, const struct request *r);
/* Writes back at most one dirty line per cycle, in the order of the ways, if the SM has
 * requested a flush. Called last in a cycle without a request. */
void l1d_flush_line(struct l1d *l1);
/* Returns the outcome of the request, based on the lines, misses and queues at the start of the
 * cycle. `r` is NULL if there is no request. The plan must be zeroed. */
enum cache_outcome l1d_plan(const struct l1d *l1, const struct request *r, struct cache_plan *plan);
/* Accepts or refuses the request after the MSHR's decision. A miss may become a bypass. Returns
 * true if the request is accepted. */
bool l1d_accept(struct l1d *l1, const struct request *r, struct cache_plan *plan, uint64_t cycle);

/* True if the store is kept, to be written back later. */
static inline bool l1d_keeps(const struct l1d *l1, const struct request *r) {
    return l1->write == L1D_WBWA || (l1->write == L1D_LOCAL_WB && r->local);
}
/* True if the L1D keeps a store whose granule is valid, although it does not allocate. */
static inline bool l1d_keeps_hits(const struct l1d *l1, const struct request *r) {
    return l1->write == L1D_LOCAL_WBWN && r->local;
}

/* True if a store to the L2 that misses claims a way, in which its bytes are valid. */
static inline bool l1d_allocates(const struct l1d *l1, const struct request *r) {
    return l1->write == L1D_WTWA && r->kind == REQUEST_STORE;
}

/* Drops all dirty bytes at the end of a kernel, whose local memory is dead. */
void l1d_forget_dirty(struct l1d *l1);

/* ---- reply.c ---- */

/* Offers the oldest filled miss of each bank to its MSHR as RET, or else the reply at the crossbar
 * if a miss of the bank waits for it. `reply` may be REQUEST_NONE. Returns true if the reply is one
 * for which a miss waits. */
bool l1d_present_fills(struct l1d *l1, uint32_t reply);
/* Takes the reply if possible. `shown` is the result of l1d_present_fills(). */
void l1d_take_reply(struct l1d *l1, uint32_t reply, bool shown);

#endif
