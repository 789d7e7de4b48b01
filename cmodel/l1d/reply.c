// SPDX-License-Identifier: Apache-2.0
/* Processes replies from the L2: acknowledgements, fills, and loads that bypassed the L1D. */
#include "check/check.h"
#include "l1d/inside.h"
#include "lib/bits.h"
#include "uvm/uvm.h"

/* Takes the reply from the crossbar. */
static void leave_crossbar(struct l1d *l1, uint32_t number) {
    struct cache *c = &l1->cache;
    if (c->policies.listeners)
        cache_tell_reply(c, cache_request(&l1->cache, number),
                         request_times(&c->context->pool, number));
    xbar_pop(l1->to.reply, l1->sm);
}

/* ---- acknowledgements ---- */

/* Closes the ticket of an atomic. */
static void check_atomic_reply(struct l1d *l1, const struct request *r, const uint8_t *data) {
    struct l1d_tickets *t = &l1->tickets;
    uint32_t i = 0;
    while (i < t->n && t->ticket[i].version != r->version)
        i++;
    if (i == t->n) {
        context_fail(l1->cache.context, CONTEXT_BROKEN,
                     "SM %u: reply to an atomic that was not sent, version %u", (unsigned)l1->sm,
                     (unsigned)r->version);
        return;
    }
    check_atomic_done(l1->cache.context->check, l1->sm, t->ticket[i].ticket, r->line, &r->mask,
                      r->version, data);
    t->ticket[i] = t->ticket[--t->n];
}

static void check_ack(struct l1d *l1, uint32_t number) {
    struct check *check = l1->cache.context->check;
    const struct request *r = cache_request(&l1->cache, number);
    if (r->kind == REQUEST_STORE)
        check_store_acked(check, l1->sm, r->version);
    else if (r->kind == REQUEST_WRITEBACK)
        check_line_acked(check, l1->sm, r->line, &r->mask, r->version);
    else
        check_atomic_reply(l1, r, cache_data(&l1->cache, number));
}

static void count_ack(struct l1d *l1) {
    if (l1->stores_out == 0)
        context_fail(l1->cache.context, CONTEXT_BROKEN,
                     "SM %u: acknowledgement of a store that was not sent", (unsigned)l1->sm);
    else
        l1->stores_out--;
}

/* Takes the reply to a write. If the request is an atomic with a result, sends the old bytes to the
 * registers. Such a reply waits while the response queue is full. */
static void take_ack(struct l1d *l1, uint32_t number) {
    struct context *c = l1->cache.context;
    const struct request *r = cache_request(&l1->cache, number);
    if (r->result && ring_full(&l1->responses))
        return;
    if (c->check)
        check_ack(l1, number);
    if (c->uvm && r->kind != REQUEST_WRITEBACK)
        uvm_release(c->uvm, r->line);
    leave_crossbar(l1, number);
    count_ack(l1);
    if (r->result)
        l1d_respond(l1, number, NULL);
    else if (r->kind == REQUEST_WRITEBACK)
        request_give(&c->pool, number);
    else
        l1d_finish(l1, number);
}

/* ---- fills ---- */

bool l1d_present_reply(struct l1d *l1, uint32_t reply) {
    if (reply == REQUEST_NONE)
        return false;
    const struct request *r = cache_request(&l1->cache, reply);
    if (request_writes(r) || r->bypass || !cache_expects(&l1->cache, r))
        return false;
    cache_return(&l1->cache, r->entry);
    return true;
}

/* Returns the way for a fill. This is the way that waits for the fill or, if ways are allocated
 * on a fill, the line's own way or else a victim. Returns WAY_NONE if a policy forbids all ways,
 * if all ways wait for fills, or if a dirty victim would have to wait for the miss queue,
 * because replies must not wait for requests. */
static uint32_t way_of_fill(struct l1d *l1, uint64_t line) {
    struct cache *c = &l1->cache;
    const struct request *first = cache_request(&l1->cache, c->drain.first);
    uint32_t way = c->allocate_on_fill ? lines_find(&c->lines, c->drain.set, line) : c->drain.way;
    if (way != WAY_NONE || c->drain.poisoned)
        return way;
    way = cache_victim(c, c->drain.set, first);
    if (way == WAY_NONE || (lines_dirty(&c->lines, way) && ring_full(&c->miss_queue)))
        return WAY_NONE;
    l1d_claim(l1, way, line, first);
    cache_note_fill(c, way);
    return way;
}

static void fill_way(struct l1d *l1, uint32_t way, unsigned sectors, const uint8_t *data) {
    struct cache *c = &l1->cache;
    struct lines *t = &c->lines;
    if (!c->drain.poisoned || context_plant_stuck(c->context, PLANT_STALE_LINE)) {
        lines_fill(t, way, sectors, data);
        t->flags[way] |= c->drain.poisoned ? WAY_STALE : 0;
        return;
    }
    t->pending[way] &= (uint8_t)~sectors;
    cache_free_if_empty(c, way);
}

/* Fills the way with the data of a fetch. The fetch, updated with the way's dirty bytes, serves as
 * the fill buffer until all waiting requests have left. */
static void take_fill(struct l1d *l1, uint32_t number) {
    struct cache *c = &l1->cache;
    uint8_t *data = cache_data(&l1->cache, number);
    cache_begin_drain(c, cache_request(&l1->cache, number)->entry);
    c->drain.fetch = number;
    request_times(&c->context->pool, number)->back = c->context->time;
    const uint32_t way = way_of_fill(l1, cache_request(&l1->cache, number)->line);
    if (way != WAY_NONE) {
        struct byte_mask dirty = c->lines.dirty[way];
        fill_way(l1, way, cache_sectors(c, c->drain.granule), data);
        if (data)
            mask_copy(data, lines_data(&c->lines, way), &dirty);
    }
    stat_add(c->stats, STAT_l1d_fills, 1);
    stat_add(c->stats, STAT_l1d_fills_discarded, way == WAY_NONE || c->drain.poisoned);
    leave_crossbar(l1, number);
}

/* ---- loads that bypassed the L1D ---- */

static void take_bypass(struct l1d *l1, uint32_t number) {
    struct context *c = l1->cache.context;
    struct request_times *t = request_times(&c->pool, number);
    if (ring_full(&l1->responses))
        return;
    t->back = c->time;
    stat_add(l1->cache.stats, STAT_l1d_bypass_latency, c->time - t->l1d_accept);
    leave_crossbar(l1, number);
    l1d_respond(l1, number, NULL);
    if (l1->bypassing.value == 0)
        context_fail(c, CONTEXT_BROKEN, "SM %u: reply to a bypassing load that was not sent",
                     (unsigned)l1->sm);
    else
        level_change(&l1->bypassing, c->time, -1);
}

void l1d_take_reply(struct l1d *l1, uint32_t reply, bool shown) {
    if (reply == REQUEST_NONE)
        return;
    const struct request *r = cache_request(&l1->cache, reply);
    if (request_writes(r))
        take_ack(l1, reply);
    else if (r->bypass)
        take_bypass(l1, reply);
    else if (shown && l1->cache.mshr.out.ret_ready)
        take_fill(l1, reply);
}
