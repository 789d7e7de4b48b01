/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the L2 bank. The cycle is in l2.c, lookups are in
 * access.c, the drain and the effects of requests on lines are in serve.c, and writes to DRAM
 * are in evict_buffer.c. */
#ifndef MEMTWIN_L2_INSIDE_H
#define MEMTWIN_L2_INSIDE_H

#include "l2/l2.h"

static inline struct request *l2_request(const struct l2 *l2, uint32_t number) {
    return cache_request(&l2->cache, number);
}

/* True if writes go to DRAM immediately, so that no line is ever dirty. */
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

/* Pushes a reply. At least one entry must be free. One is enough even if the reply takes an entry
 * for each sector. */
static inline void l2_push_reply(struct l2 *l2, uint32_t number) {
    l2->reply_places += l2_reply_places(l2, number);
    ring_push(&l2->reply_queue, number);
}

static inline uint32_t l2_pop_reply(struct l2 *l2) {
    const uint32_t number = ring_pop(&l2->reply_queue);
    l2->reply_places -= l2_reply_places(l2, number);
    return number;
}

/* ---- evict_buffer.c: dirty bytes and writes on their way to DRAM ---- */

/* Pushes a write to the evict buffer, which must have a free entry. `from` points to a line's data,
 * or is NULL if no data are carried. */
void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask, const uint8_t *from);
/* Claims the way for the request's line. If the old line has dirty bytes, they go to the evict
 * buffer, which must have a free entry. */
void l2_claim(struct l2 *l2, uint32_t way, uint64_t line, const struct request *r);
/* Invalidates the granule's bytes in the way, and frees the way if it has no bytes left and no
 * pending sectors. */
void l2_drop_granule(struct l2 *l2, uint32_t way, uint64_t granule);

/* ---- access.c: lookups ---- */

/* Returns the outcome of the current part, based on the lines and queues at the start of the
 * cycle. */
enum cache_outcome l2_plan(struct l2 *l2, struct cache_plan *plan);
/* Called at the end of a cycle if the MSHR's lookup takes two cycles. If there is no current
 * request, takes one from the incoming buffer. Looks up the current part's granule for the next
 * cycle. */
void l2_look(struct l2 *l2);
/* Offers the part to the MSHR if it is a miss. */
void l2_present_request(struct l2 *l2, const struct cache_plan *plan);
/* Accepts or refuses the part after the MSHR's tick. A miss may become a bypass. */
void l2_accept(struct l2 *l2, struct cache_plan *plan);

/* ---- serve.c: effects of requests on lines, fills and the drain ---- */

/* Executes a part of a request in the way, which holds the request's line. `number` is the request
 * itself or a part of it. For a write, `data` is a line with the bytes to write, or NULL if no data
 * are carried. */
void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask);
/* Sends the bytes of a store to the evict buffer, which must have a free entry. */
void l2_write_through(struct l2 *l2, uint32_t number, const struct byte_mask *mask);
/* Completes a store that missed by a write to DRAM. The evict buffer must have a free entry. */
void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask);
/* Moves a fill that waits at DRAM into its way. Called only if l2.model=gpgpusim. Returns true if
 * there was a fill. */
bool l2_take_early(struct l2 *l2);
/* Offers to the MSHR, as RET, the miss that drains next. Returns the miss's entry, or MISS_NONE. */
uint32_t l2_present_return(struct l2 *l2);
/* Replies to a load that bypassed the bank and waits at DRAM, if the reply queue has room. */
void l2_take_bypass(struct l2 *l2);
/* Begins the drain of the miss in `entry` after the MSHR has accepted its RET. */
void l2_begin_drain(struct l2 *l2, uint32_t entry);
/* Completes the request of an MSHR response. */
void l2_take_response(struct l2 *l2, uint32_t number);

#endif
