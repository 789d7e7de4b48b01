/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the files of the L2 bank share. l2.c has the cycle, access.c the lookups, serve.c
 * the effects of requests on lines and the drain, evict_buffer.c writes to DRAM. */
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

/* Whether there is a free place; with l2.places=sectors, for at least one sector. */
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

/* Pushes a write to the evict buffer, which must have a free place. `from`: data of a line, or NULL
 * while no data are carried. */
void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask, const uint8_t *from);
/* Claims the way for the request's line. Dirty bytes of the old line go to the evict buffer, which
 * must have a free place. */
void l2_claim(struct l2 *l2, uint32_t way, uint64_t line, const struct request *r);
/* Invalidates the granule's bytes in the way, and frees the way if it has no bytes left and no
 * fetch in flight. */
void l2_drop_granule(struct l2 *l2, uint32_t way, uint64_t granule);

/* ---- access.c: lookups ---- */

/* The outcome of a part, by the lines and queues at the start of the cycle. */
enum cache_outcome l2_plan(struct l2 *l2, struct cache_plan *plan);
/* Ends a cycle with an MSHR lookup of two cycles: takes a request from the incoming buffer if there
 * is no current one, and looks up its granule for the next cycle. */
void l2_look(struct l2 *l2);
/* Offers a miss to the MSHR. */
void l2_present_request(struct l2 *l2, const struct cache_plan *plan);
/* Accepts or refuses the part after the MSHR's tick. A miss may become a bypass. */
void l2_accept(struct l2 *l2, struct cache_plan *plan);

/* ---- serve.c: what requests do to lines, returns and the drain ---- */

/* Executes a part of a request in the way, which holds its line. `number`: the request itself or a
 * part of it. data: of a line, of a write, or NULL while no data are carried. */
void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask);
/* Sends a store that missed to the evict buffer, which must have a free place. */
void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask);
/* With l2.drain=beside: fills waiting at DRAM enter their ways. Returns whether any did. */
bool l2_take_early(struct l2 *l2);
/* Offers RET of the miss that drains next to the MSHR. Returns its entry, or MISS_NONE. */
uint32_t l2_present_return(struct l2 *l2);
/* Replies to a load that bypassed the bank and waits at DRAM, if the reply queue has a place. */
void l2_take_bypass(struct l2 *l2);
/* The MSHR accepted RET of that miss. */
void l2_begin_drain(struct l2 *l2, uint32_t entry);
/* Completes the request of a response of the MSHR. */
void l2_take_response(struct l2 *l2, uint32_t number);

#endif
