/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the L2 bank share: l2.c has the cycle, access.c lookups, serve.c what requests
 * do to lines and the drain, evict_buffer.c writes to DRAM. */
#ifndef MEMTWIN_L2_INSIDE_H
#define MEMTWIN_L2_INSIDE_H

#include "l2/l2.h"

static inline struct request *l2_request(const struct l2 *l2, uint32_t number) {
    return request_at(&l2->cache.context->pool, number);
}

/* The data of a request, or NULL while no data are carried. */
static inline uint8_t *l2_data(const struct l2 *l2, uint32_t number) {
    struct context *c = l2->cache.context;
    return c->carry ? request_data(&c->pool, number) : NULL;
}

/* The data of a way, or NULL while no data are carried. */
static inline const uint8_t *l2_way_data(const struct l2 *l2, uint32_t way) {
    return l2->cache.context->carry ? lines_data(&l2->cache.lines, way) : NULL;
}

/* Writes go to DRAM at once; no line is ever dirty. */
static inline bool l2_through(const struct l2 *l2) {
    return l2->write != L2_WBWA;
}

/* ---- the reply queue ---- */

static inline uint32_t l2_reply_places(const struct l2 *l2, uint32_t number) {
    return l2->in.by_sector ? mask_sectors(&l2_request(l2, number)->mask) : 1;
}

static inline bool l2_replies_full(const struct l2 *l2) {
    return l2->reply_places >= l2->reply_queue.capacity;
}

/* There is a place: with l2.places=sectors, for one sector at least. */
static inline void l2_push_reply(struct l2 *l2, uint32_t number) {
    l2->reply_places += l2_reply_places(l2, number);
    fifo_push(&l2->reply_queue, number);
}

static inline uint32_t l2_pop_reply(struct l2 *l2) {
    const uint32_t number = fifo_pop(&l2->reply_queue);
    l2->reply_places -= l2_reply_places(l2, number);
    return number;
}

/* ---- evict_buffer.c: dirty bytes and writes on their way to DRAM ---- */

/* `from`: data of a line, or NULL while no data are carried. There is a place. */
void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask, const uint8_t *from);
/* The way gets the line for that request: what the line before has newer than DRAM goes to the
 * evict buffer, which has a place. */
void l2_claim(struct l2 *l2, uint32_t way, uint64_t line, const struct request *r);
/* The way loses the bytes of the granule, and is free if nothing is left in it or in flight. */
void l2_drop_granule(struct l2 *l2, uint32_t way, uint64_t granule);

/* ---- access.c: lookups ---- */

/* What becomes of a part, by the lines and queues at the start of the cycle. */
enum cache_outcome l2_plan(struct l2 *l2, struct cache_plan *plan);
/* The end of a cycle, for an MSHR with a lookup of two cycles: a request leaves the incoming buffer
 * if there is none, and its granule is looked up for the next cycle. */
void l2_look(struct l2 *l2);
/* Shows a miss to the MSHR. */
void l2_present_request(struct l2 *l2, const struct cache_plan *plan);
/* After the MSHR's step: the part is accepted or refused, as the outcome then says. A miss may
 * become a bypass. */
void l2_accept(struct l2 *l2, struct cache_plan *plan);

/* ---- serve.c: what requests do to lines, returns and the drain ---- */

/* A part of a request is done from the way, which holds the line; `number`: the request itself or a
 * part of it. data: of a line, of a write, or NULL while no data are carried. */
void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask);
/* A store that found no line goes to the evict buffer, which has a place. */
void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask);
/* With l2.drain=beside: data that wait at DRAM enter their way. Returns whether any did. */
bool l2_take_early(struct l2 *l2);
/* Shows RET of the miss that drains next. Returns its entry, or MISS_NONE. */
uint32_t l2_present_return(struct l2 *l2);
/* A load that bypassed the bank and waits at DRAM is answered, if the reply queue has a place. */
void l2_take_bypass(struct l2 *l2);
/* RET of that miss was accepted. */
void l2_begin_drain(struct l2 *l2, uint32_t entry);
/* A response of the MSHR leaves, for that request. */
void l2_take_response(struct l2 *l2, uint32_t number);

#endif
