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

/* Returns the way for a fill. This is the way that waits for the fill or, if ways are allocated
 * on a fill, the line's own way or else a victim. Returns WAY_NONE if a policy forbids all ways,
 * if all ways wait for fills, or if a dirty victim would have to wait for the miss queue,
 * because replies must not wait for requests. */
static uint32_t way_of_fill(struct l1d *l1, const struct miss *drain, uint64_t line) {
    struct cache *c = &l1->cache;
    const struct request *first = cache_request(&l1->cache, drain->first);
    uint32_t way = c->allocate_on_fill ? lines_find(&c->lines, drain->set, line) : drain->way;
    if (way != WAY_NONE || drain->poisoned)
        return way;
    way = cache_victim(c, drain->set, first);
    if (way == WAY_NONE || (lines_dirty(&c->lines, way) && ring_full(&c->miss_queue)))
        return WAY_NONE;
    l1d_claim(l1, way, line, first);
    cache_note_fill(c, way);
    return way;
}

static void fill_way(struct l1d *l1, uint32_t way, unsigned sectors, bool poisoned,
                     const uint8_t *data) {
    struct cache *c = &l1->cache;
    struct lines *t = &c->lines;
    if (!poisoned || context_plant_stuck(c->context, PLANT_STALE_LINE)) {
        lines_fill(t, way, sectors, data);
        t->way[way].flags |= poisoned ? WAY_STALE : 0;
        return;
    }
    t->way[way].pending &= (uint8_t)~sectors;
    cache_free_if_empty(c, way);
}

/* Fills the way with the data of a fetch. The fetch, updated with the way's dirty bytes, serves as
 * the fill buffer until all waiting requests have left. */
static void fill_miss(struct l1d *l1, struct miss *m, uint32_t number) {
    struct cache *c = &l1->cache;
    uint8_t *data = cache_data(c, number);
    m->fetch = number;
    request_times(&c->context->pool, number)->back = c->context->time;
    m->way = way_of_fill(l1, m, cache_request(c, number)->line);
    if (m->way != WAY_NONE) {
        struct byte_mask dirty = c->lines.way[m->way].dirty;
        fill_way(l1, m->way, cache_sectors(c, m->granule), m->poisoned, data);
        if (data)
            mask_copy(data, lines_data(&c->lines, m->way), &dirty);
    }
    stat_add(c->stats, STAT_l1d_fills, 1);
    stat_add(c->stats, STAT_l1d_fills_discarded, m->way == WAY_NONE || m->poisoned);
    leave_crossbar(l1, number);
}

/* Takes a fetch while its MSHR drains another miss (l1d.model=gpgpusim). The way stays pending, so
 * that it keeps the line. No store may have overtaken the fetch, as its way would lose the line. */
static void take_early(struct l1d *l1, uint32_t number, uint32_t entry) {
    struct cache *c = &l1->cache;
    struct miss *m = &c->misses.miss[entry];
    fill_miss(l1, m, number);
    m->filled = true;
    if (!c->allocate_on_fill && m->way != WAY_NONE)
        c->lines.way[m->way].pending |= (uint8_t)cache_sectors(c, m->granule);
    ring_push(&c->bank[cache_bank_of_miss(c, entry)].filled, entry);
    l1->active |= 1u << cache_bank_of_miss(c, entry);
}

/* Begins the drain of the miss whose RET the MSHR has accepted. */
static void begin_drain(struct l1d *l1, uint32_t entry) {
    struct cache *c = &l1->cache;
    const struct miss *m = &c->misses.miss[entry];
    if (m->filled && !c->allocate_on_fill && m->way != WAY_NONE) {
        c->lines.way[m->way].pending &= (uint8_t)~cache_sectors(c, m->granule);
        cache_free_if_empty(c, m->way);
    }
    cache_begin_drain(c, entry);
}

bool l1d_present_fills(struct l1d *l1, uint32_t reply) {
    struct cache *c = &l1->cache;
    for (uint32_t left = l1->active; left; left &= left - 1) {
        const struct fifo *filled = &c->bank[bits_lowest(left)].filled;
        if (filled->count)
            cache_return(c, *ring_first(filled));
    }
    if (reply == REQUEST_NONE)
        return false;
    const struct request *r = cache_request(c, reply);
    if (request_writes(r) || r->bypass || !cache_expects(c, r))
        return false;
    const uint32_t miss = cache_miss_of(c, r);
    if (!c->bank[cache_bank_of_miss(c, miss)].filled.count)
        cache_return(c, miss);
    l1->active |= 1u << cache_bank_of_miss(c, miss);
    return true;
}

/* Begins the drains of filled misses whose RET was accepted. */
static void drain_filled(struct l1d *l1) {
    struct cache *c = &l1->cache;
    for (uint32_t left = l1->active; left; left &= left - 1) {
        struct cache_bank *b = &c->bank[bits_lowest(left)];
        if (b->filled.count && b->mshr.out.ret_ready)
            begin_drain(l1, ring_pop(&b->filled));
    }
}

/* Takes the data of a fetch if its MSHR accepted the RET, or if fills do not wait for drains. */
static void take_fill(struct l1d *l1, uint32_t number) {
    struct cache *c = &l1->cache;
    const uint32_t entry = cache_miss_of(c, cache_request(c, number));
    const struct cache_bank *b = &c->bank[cache_bank_of_miss(c, entry)];
    if (b->filled.count || !b->mshr.out.ret_ready) {
        if (l1->fills_early && !c->misses.miss[entry].poisoned)
            take_early(l1, number, entry);
        return;
    }
    fill_miss(l1, &c->misses.miss[entry], number);
    begin_drain(l1, entry);
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
    const struct request *r = reply == REQUEST_NONE ? NULL : cache_request(&l1->cache, reply);
    if (r && request_writes(r))
        take_ack(l1, reply);
    else if (r && r->bypass)
        take_bypass(l1, reply);
    else if (r && shown)
        take_fill(l1, reply);
    drain_filled(l1);
}
