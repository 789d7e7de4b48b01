// SPDX-License-Identifier: Apache-2.0
/* What an L2 bank does to its lines: reads, writes and atomics; data from DRAM; the drain. */
#include <string.h>

#include "l2/inside.h"

/* ---- replies ---- */

static void push_reply(struct l2 *l2, uint32_t number) {
    struct request *p = request_at(&l2->context->pool, number);
    p->reply = true;
    l2_reply_enters(l2, number);
    l2->context->progress++;
}

static void plant_second_reply(struct l2 *l2, uint32_t number) {
    struct context *c = l2->context;
    if (l2_replies_full(l2) || !context_plant(c, PLANT_DOUBLE_REPLY))
        return;
    uint32_t twin = request_take(&c->pool);
    *request_at(&c->pool, twin) = *request_at(&c->pool, number);
    *request_times(&c->pool, twin) = *request_times(&c->pool, number);
    if (c->carry)
        memcpy(request_data(&c->pool, twin), request_data(&c->pool, number), LINE_BYTES);
    push_reply(l2, twin);
}

/* The request that a packet is, or is a part of. */
static uint32_t whole_of(const struct l2 *l2, uint32_t number) {
    uint32_t parent = l2_packet(request_at(&l2->context->pool, number))->parent;
    return parent == REQUEST_NONE ? number : parent;
}

/* Whether one part of the request is left. A request has the times of its last part. */
static bool is_last(const struct l2 *l2, uint32_t whole) {
    return l2_packet(request_at(&l2->context->pool, whole))->parts == 1;
}

/* A part is served: the reply goes with the last one. There is a place in the reply queue. */
static void finish(struct l2 *l2, uint32_t number) {
    struct request_pool *pool = &l2->context->pool;
    uint32_t whole = whole_of(l2, number);
    struct request *p = request_at(pool, whole);
    bool last = --l2_packet(p)->parts == 0;
    if (whole != number)
        request_give(pool, number);
    if (!last)
        return;
    bool load = p->kind == REQUEST_LOAD;
    if (load && context_plant(l2->context, PLANT_LOSE_REPLY)) {
        request_give(pool, whole);
        return;
    }
    push_reply(l2, whole);
    if (load)
        plant_second_reply(l2, whole);
}

/* ---- reads, writes, atomics ---- */

/* Planted fault: from the first opportunity on, one line takes no store any more. */
static bool store_lost(struct l2 *l2, uint64_t line) {
    if (!l2->context->carry)
        return false;
    if (context_plant(l2->context, PLANT_LOSE_STORE))
        l2->context->plant_line = line;
    return l2->context->plant_line == line;
}

/* The bytes get into the way, and on to DRAM if the bank writes through. */
static void apply(struct l2 *l2, uint32_t way, uint64_t granule, const struct byte_mask *mask,
                  const uint8_t *data) {
    lines_store(&l2->lines, way, mask, data, !l2_through(l2));
    if (!l2_through(l2))
        return;
    l2_push_write(l2, l2->lines.line[way], mask, l2_way_data(l2, way));
    stat_add(&l2->stats, STAT_l2_write_throughs, 1);
    if (l2->write != L2_WEWN)
        return;
    if (granule == l2->drain_granule)
        l2->drain_wrote = true; /* requests behind it still need the line */
    else
        l2_forget(l2, way, granule);
}

/* The reply gets the granule's bytes of this moment. */
static void give_data(struct l2 *l2, uint32_t number, uint64_t granule, const uint8_t *from) {
    const struct byte_mask bytes = mask_of_sectors(l2_sectors_of(l2, granule));
    if (l2->context->carry)
        mask_copy(request_data(&l2->context->pool, whole_of(l2, number)), from, &bytes);
}

static void serve_atomic(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule,
                         const uint8_t *data, const struct byte_mask *mask) {
    uint8_t old[LINE_BYTES];
    bool lost = false;
    if (l2->context->carry) {
        memcpy(old, lines_data(&l2->lines, way), LINE_BYTES);
        lost = context_plant(l2->context, PLANT_LOST_UPDATE);
    }
    stat_add(&l2->stats, STAT_l2_atomics, 1);
    apply(l2, way, granule, mask, lost ? NULL : data);
    give_data(l2, number, granule, old);
}

void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask) {
    const struct request *p = request_at(&l2->context->pool, number);
    if (p->kind == REQUEST_ATOMIC)
        serve_atomic(l2, number, way, granule, data, mask);
    else if (request_writes(p))
        apply(l2, way, granule, mask, store_lost(l2, p->line) ? NULL : data);
    else
        give_data(l2, number, granule, l2_way_data(l2, way));
    finish(l2, number);
}

void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask) {
    struct context *c = l2->context;
    uint64_t line = request_at(&c->pool, number)->line;
    if (!store_lost(l2, line)) {
        l2_push_write(l2, line, mask, c->carry ? request_data(&c->pool, number) : NULL);
        stat_add(&l2->stats, STAT_l2_write_throughs, 1);
    }
    finish(l2, number);
}

/* ---- data from DRAM ---- */

/* A return that no head waits for must not reach the MSHR. */
static bool expected(struct l2 *l2, const struct request *p) {
    if (granules_has(&l2->inflight, p->id) &&
        l2_line_of(l2, l2->inflight.granule[p->id]) == p->line)
        return true;
    context_fail(l2->context, CONTEXT_BROKEN,
                 "L2 bank %u: line 0x%llx from DRAM that nobody waits for", (unsigned)l2->bank,
                 (unsigned long long)p->line * LINE_BYTES);
    return false;
}

/* On a fill: the way that has other sectors of the line, else the one to replace. An access may use
 * that way in the same cycle, even claim it: what it leaves dirty has the place that was promised.
 */
static uint32_t way_for_fill(const struct l2 *l2, const struct request *p) {
    uint32_t set = l2->head[p->id].set;
    uint32_t way = lines_find(&l2->lines, set, p->line);
    return way != WAY_NONE ? way : lines_victim(&l2->lines, set);
}

/* The packet of a fetch that waits at DRAM, or REQUEST_NONE. */
static uint32_t come(struct l2 *l2) {
    uint32_t number = dram_peek(l2->dram, l2->slice);
    if (number == REQUEST_NONE)
        return REQUEST_NONE;
    struct request *p = request_at(&l2->context->pool, number);
    return !l2_packet(p)->past && expected(l2, p) ? number : REQUEST_NONE;
}

static uint32_t head_of(const struct l2 *l2, uint32_t number) {
    return request_at(&l2->context->pool, number)->id;
}

uint32_t l2_present_return(struct l2 *l2) {
    l2->fill_way = WAY_NONE;
    uint32_t head;
    if (l2->beside) {
        if (!l2->filled.count)
            return HEAD_NONE;
        head = fifo_peek(&l2->filled);
    } else {
        uint32_t number = come(l2);
        if (number == REQUEST_NONE)
            return HEAD_NONE;
        head = head_of(l2, number);
        if (l2->on_fill) {
            l2->fill_way = way_for_fill(l2, request_at(&l2->context->pool, number));
            if (l2->fill_way == WAY_NONE)
                return HEAD_NONE;
        }
    }
    l2->mshr.in.ret_valid = 1;
    l2->mshr.in.ret_head = head;
    return head;
}

void l2_take_past(struct l2 *l2) {
    struct request_pool *pool = &l2->context->pool;
    uint32_t number = l2->bypass ? dram_peek(l2->dram, l2->slice) : REQUEST_NONE;
    if (number == REQUEST_NONE || l2_replies_full(l2))
        return;
    struct request *p = request_at(pool, number);
    if (!l2_packet(p)->past)
        return;
    uint32_t whole = whole_of(l2, number);
    l2_packet(p)->past = false;
    if (is_last(l2, whole)) {
        const struct request_times *part = request_times(pool, number); /* or of the whole itself */
        struct request_times *t = request_times(pool, whole);
        t->to_dram = part->to_dram;
        t->from_dram = l2->context->time;
        t->dram_line = part->dram_line;
    }
    dram_pop(l2->dram, l2->slice);
    if (whole != number && l2->context->carry) {
        const struct byte_mask bytes = mask_of_sectors(mask_sector_bits(&p->mask));
        mask_copy(request_data(pool, whole), request_data(pool, number), &bytes);
    }
    finish(l2, number);
}

/* The fetch gets its way; other sectors of the line may be there already. */
static void claim_on_fill(struct l2 *l2, struct l2_head *h, uint64_t line) {
    l2->promised -= !l2_through(l2);
    h->way = l2->fill_way;
    if (l2->lines.line[h->way] == line)
        return;
    l2_evict(l2, h->way);
    lines_claim(&l2->lines, h->way, line);
}

/* The data get into their way. */
static void fill(struct l2 *l2, uint32_t number) {
    struct context *c = l2->context;
    const struct request *p = request_at(&c->pool, number);
    struct l2_head *h = &l2->head[p->id];
    if (l2->on_fill)
        claim_on_fill(l2, h, p->line);
    lines_fill(&l2->lines, h->way, l2_sectors_of(l2, l2->inflight.granule[p->id]),
               c->carry ? request_data(&c->pool, number) : NULL);
    h->from_dram = c->time;
    dram_pop(l2->dram, l2->slice);
    request_give(&c->pool, number);
    stat_add(&l2->stats, STAT_l2_fills, 1);
}

bool l2_take_early(struct l2 *l2) {
    uint32_t number = come(l2);
    if (number == REQUEST_NONE)
        return false;
    uint32_t head = head_of(l2, number);
    struct l2_head *h = &l2->head[head];
    fill(l2, number);
    l2->lines.pending[h->way] |= (uint8_t)l2_sectors_of(l2, l2->inflight.granule[head]);
    h->filled = true;
    fifo_push(&l2->filled, head);
    request_expect(&l2->context->pool, h->first);
    l2->context->progress++;
    return true;
}

void l2_begin_drain(struct l2 *l2, uint32_t head) {
    const struct l2_head *h = &l2->head[head];
    uint64_t granule = l2->inflight.granule[head];
    if (l2->beside) {
        fifo_pop(&l2->filled);
        l2->lines.pending[h->way] &= (uint8_t)~l2_sectors_of(l2, granule);
    } else {
        fill(l2, dram_peek(l2->dram, l2->slice));
    }
    l2->lines.flags[h->way] |= WAY_PINNED;
    l2->drain_first = h->first;
    l2->drain_way = h->way;
    l2->drain_granule = granule;
    l2->drain_writes = h->writes;
    l2->drain_wrote = false;
    l2->drain_to_dram = h->to_dram;
    l2->drain_from_dram = h->from_dram;
    l2->drain_dram_line = h->dram_line;
    granules_remove(&l2->inflight, head);
}

/* ---- the drain ---- */

static void end_drain(struct l2 *l2) {
    if (l2->drain_first != REQUEST_NONE)
        context_fail(l2->context, CONTEXT_BROKEN, "%s: the last response, but requests are left",
                     l2->mshr.block.inst.name);
    l2->lines.flags[l2->drain_way] &= (uint8_t)~WAY_PINNED;
    if (l2->drain_wrote && l2->write == L2_WEWN)
        l2_forget(l2, l2->drain_way, l2->drain_granule);
    l2->drain_first = REQUEST_NONE;
    l2->drain_granule = GRANULE_NONE;
}

/* Makes the packet what the MSHR says that it is; it is only the carrier. */
static void restore(struct request *p, const struct mshr_out *out) {
    uint32_t id = (uint32_t)out->rsp_id;
    p->kind = (uint8_t)(id >> L2_ID_KIND & 3);
    if (request_writes(p) != out->rsp_write)
        p->kind = out->rsp_write ? REQUEST_STORE : REQUEST_LOAD;
    p->direct = id >> L2_ID_DIRECT & 1;
    p->result = id >> L2_ID_RESULT & 1;
    p->sm = id >> L2_ID_SM & ((1u << (L2_ID_RESULT - L2_ID_SM)) - 1);
    p->id = (uint16_t)id;
}

/* The bytes that a response writes, and its data as those of a line. */
static struct byte_mask response_mask(const struct l2 *l2) {
    const struct mshr_out *out = &l2->mshr.out;
    struct byte_mask mask = {{0, 0}};
    if (!l2->sectored) {
        memcpy(mask.w, out->rsp_mask, sizeof mask.w);
        return mask;
    }
    uint32_t sector;
    unsigned offset = l2_offset_of(l2, l2->drain_granule);
    memcpy(&sector, out->rsp_mask, sizeof sector);
    mask.w[offset / 64] = (uint64_t)sector << offset % 64;
    return mask;
}

static void serve_response(struct l2 *l2, uint32_t number) {
    const struct request *p = request_at(&l2->context->pool, number);
    uint64_t granule = l2->drain_granule;
    if (!request_writes(p) || !l2->context->carry) {
        const struct byte_mask bytes = mask_of_sectors(l2_sectors_of(l2, granule));
        const struct byte_mask mask = mask_both(&p->mask, &bytes);
        l2_serve(l2, number, l2->drain_way, granule, NULL, &mask);
        return;
    }
    uint8_t data[LINE_BYTES];
    const struct byte_mask mask = response_mask(l2);
    memcpy(data + l2_offset_of(l2, granule), l2->mshr.out.rsp_data, l2_granule_bytes(l2));
    l2_serve(l2, number, l2->drain_way, granule, data, &mask);
}

/* The request has waited for the fetch since it joined it, but no longer than there was one. */
static void note_fetch(const struct l2 *l2, uint64_t joined, struct request_times *t) {
    t->to_dram = joined < l2->drain_to_dram ? l2->drain_to_dram : joined;
    t->from_dram = l2->drain_from_dram;
    t->dram_line = l2->drain_dram_line;
}

void l2_take_response(struct l2 *l2) {
    struct request_pool *pool = &l2->context->pool;
    const struct mshr_out *out = &l2->mshr.out;
    uint32_t number = l2->drain_first;
    if (number == REQUEST_NONE) {
        context_fail(l2->context, CONTEXT_BROKEN, "%s: a response that no request is left for",
                     l2->mshr.block.inst.name);
        return;
    }
    struct request *p = request_at(pool, number);
    l2->drain_first = p->next;
    l2->context->progress++; /* a part of a request may be all that leaves */
    restore(p, out);
    uint32_t whole = whole_of(l2, number);
    if (is_last(l2, whole))
        note_fetch(l2, l2_packet(p)->joined, request_times(pool, whole));
    if (whole != number)
        restore(request_at(pool, whole), out);
    if (request_writes(p) && l2_through(l2)) {
        if (!l2->promised) {
            context_fail(l2->context, CONTEXT_BROKEN,
                         "%s: a response writes that no request has asked to",
                         l2->mshr.block.inst.name);
            return;
        }
        l2->promised--;
    }
    serve_response(l2, number);
    if (out->rsp_last)
        end_drain(l2);
}
