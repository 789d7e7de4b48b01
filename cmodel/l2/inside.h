/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the L2 bank share: granules, the evict buffer, serving. */
#ifndef MEMTWIN_L2_INSIDE_H
#define MEMTWIN_L2_INSIDE_H

#include "l2/l2.h"
#include "l2/l2_packet.h"

/* ---- dump.c ---- */

/* What a dump says of the bank's notes about a packet. */
const char *l2_packet_note(const struct request *p);

/* ---- granules ---- */

static inline uint64_t l2_line_of(const struct l2 *l2, uint64_t granule) {
    return l2->sectored ? granule / LINE_SECTORS : granule;
}

/* The sectors of a granule, one bit each. */
static inline unsigned l2_sectors_of(const struct l2 *l2, uint64_t granule) {
    return l2->sectored ? 1u << granule % LINE_SECTORS : SECTORS_ALL;
}

/* Byte offset of a granule in its line, and its bytes. */
static inline unsigned l2_offset_of(const struct l2 *l2, uint64_t granule) {
    return l2->sectored ? SECTOR_BYTES * (unsigned)(granule % LINE_SECTORS) : 0;
}

static inline unsigned l2_granule_bytes(const struct l2 *l2) {
    return l2->sectored ? SECTOR_BYTES : LINE_BYTES;
}

/* Dirty bytes of the way in the granule. */
static inline struct byte_mask l2_dirty_in(const struct l2 *l2, uint32_t way, uint64_t granule) {
    struct byte_mask m = mask_of_sectors(l2_sectors_of(l2, granule));
    return mask_both(&m, &l2->lines.dirty[way]);
}

/* Writes go to DRAM at once; no line is ever dirty. */
static inline bool l2_through(const struct l2 *l2) {
    return l2->write != L2_WBWA;
}

/* ---- the reply queue ---- */

static inline uint32_t l2_reply_places(const struct l2 *l2, uint32_t number) {
    return l2->in.by_sector ? mask_sectors(&request_at(&l2->context->pool, number)->mask) : 1;
}

static inline bool l2_replies_full(const struct l2 *l2) {
    return l2->rsp_places >= l2->rsp_queue.capacity;
}

/* There is a place: with l2.places=sectors, for one sector at least. */
static inline void l2_reply_enters(struct l2 *l2, uint32_t number) {
    l2->rsp_places += l2_reply_places(l2, number);
    fifo_push(&l2->rsp_queue, number);
}

static inline uint32_t l2_reply_leaves(struct l2 *l2) {
    const uint32_t number = fifo_pop(&l2->rsp_queue);
    l2->rsp_places -= l2_reply_places(l2, number);
    return number;
}

/* ---- evict buffer: dirty bytes and writes on their way to DRAM ---- */

/* Places that nobody holds or was promised. */
static inline uint32_t l2_evict_places(const struct l2 *l2) {
    return l2->evict_buffer.capacity - l2->evict_buffer.count - l2->promised;
}

/* `from`: a line's data, or NULL while no data are carried. There is a place. */
void l2_push_write(struct l2 *l2, uint64_t line, const struct byte_mask *mask, const uint8_t *from);
/* The way is replaced: what is newer than DRAM's goes to the evict buffer. There is a place. */
void l2_evict(struct l2 *l2, uint32_t way);
/* The way loses the granule's bytes, and is free if nothing is left in it or to come. */
void l2_forget(struct l2 *l2, uint32_t way, uint64_t granule);
/* Way data, or NULL while no data are carried. */
static inline const uint8_t *l2_way_data(const struct l2 *l2, uint32_t way) {
    return l2->context->carry ? lines_data(&l2->lines, way) : NULL;
}

/* ---- serving ---- */

/* A part of a request is done from the way, which holds the line; `number` is its packet: the
 * request itself or a child. data: a line's, of a write, or NULL while no data are carried. */
void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask);
/* A store that found no line goes to the evict buffer, which has a place. */
void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask);

/* ---- lookups ---- */

enum l2_plan_kind {
    PLAN_NONE,
    PLAN_REFUSE,
    PLAN_HIT,
    PLAN_CLAIM,    /* a store claims a way without a fetch */
    PLAN_AROUND,   /* a store goes past the bank */
    PLAN_PAST,     /* a load goes past the bank */
    PLAN_PRIMARY,  /* fetches the granule */
    PLAN_SECONDARY /* joins the requests that wait for it */
};

/* What becomes of a part, by the lines and queues at the start of the cycle. */
struct l2_plan {
    uint16_t kind;   /* enum l2_plan_kind */
    uint16_t reason; /* of PLAN_REFUSE: enum stat_id */
    uint32_t way;    /* that serves, is to be claimed or waits for the data, or WAY_NONE */
};

struct l2_plan l2_plan_access(struct l2 *l2);
/* The end of a cycle, for an MSHR that looks: a request is taken from what comes before the bank if
 * there is none, and what the next cycle asks for is looked up. */
void l2_look(struct l2 *l2);
/* Shows a miss to the MSHR. */
void l2_present_request(struct l2 *l2, const struct l2_plan *plan);
/* After the MSHR's step: the part is taken or refused. */
void l2_judge(struct l2 *l2, const struct l2_plan *plan);

/* ---- returns and drain ---- */

/* With l2.drain=beside: data that wait at DRAM get into their way. Returns whether any did. */
bool l2_take_early(struct l2 *l2);
/* Shows the fetch that drains next as RET. Returns its head, or HEAD_NONE. */
uint32_t l2_present_return(struct l2 *l2);
/* A load that went past the bank and waits at DRAM is answered, if the reply queue has a place. */
void l2_take_past(struct l2 *l2);
/* RET of that head was accepted. */
void l2_begin_drain(struct l2 *l2, uint32_t head);
/* A response of the MSHR was taken. */
void l2_take_response(struct l2 *l2);

/* What an MSHR request is known by: {kind 2, direct 1, result 1, SM 9, id 16}. */
#define L2_ID_W 29
#define L2_ID_SM 16
#define L2_ID_RESULT 25
#define L2_ID_DIRECT 26
#define L2_ID_KIND 27

#endif
