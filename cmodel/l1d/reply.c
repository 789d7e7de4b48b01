// SPDX-License-Identifier: Apache-2.0
/* What comes back from the L2. */
#include <string.h>

#include "check/check.h"
#include "l1d/inside.h"
#include "lib/bits.h"
#include "uvm/uvm.h"

/* ---- the packet ---- */

static void tell_watch(struct l1d *l1, uint32_t number) {
    const struct request_times *t = request_times(&l1->context->pool, number);
    if (t->from_dram)
        addr_watch_reply(&l1->watch, l1->context, l1->stats,
                         request_at(&l1->context->pool, number)->line, t->dram_line);
}

/* The reply leaves the crossbar, and its packet is free. */
static void give_back(struct l1d *l1, uint32_t number) {
    if (l1->has_listeners && addr_watch_on(&l1->watch))
        tell_watch(l1, number);
    xbar_pop(l1->reply, l1->sm);
    request_give(&l1->context->pool, number);
}

/* ---- acknowledgements ---- */

/* The account of an atomic, closed. */
static void check_atomic_reply(struct l1d *l1, uint32_t number) {
    struct context *c = l1->context;
    const struct request *p = request_at(&c->pool, number);
    uint32_t i = 0;
    while (i < l1->n_tickets && l1->ticket[i].version != p->version)
        i++;
    if (i == l1->n_tickets) {
        context_fail(c, CONTEXT_BROKEN, "SM %u: reply of an atomic that nobody made, version %u",
                     (unsigned)l1->sm, (unsigned)p->version);
        return;
    }
    check_atomic_done(c->check, l1->sm, l1->ticket[i].ticket, p->line, &p->mask, p->version,
                      request_data(&c->pool, number));
    l1->ticket[i] = l1->ticket[--l1->n_tickets];
}

static void check_ack(struct l1d *l1, uint32_t number) {
    struct check *check = l1->context->check;
    const struct request *p = request_at(&l1->context->pool, number);
    if (p->kind == REQUEST_STORE)
        check_store_acked(check, l1->sm, p->version);
    else if (p->kind == REQUEST_WRITEBACK)
        check_line_acked(check, l1->sm, p->line, &p->mask, p->version);
    else
        check_atomic_reply(l1, number);
}

/* The reply of what writes. An atomic's old bytes go to the response queue if they are wanted. */
static void take_ack(struct l1d *l1, uint32_t number) {
    struct context *c = l1->context;
    const struct request *p = request_at(&c->pool, number);
    if (p->result) {
        if (l1d_rsp_full(&l1->rsp))
            return;
        l1d_rsp_add(l1, &l1->rsp, p->id, p->line, mask_first(&p->mask),
                    c->carry ? request_data(&c->pool, number) : NULL)
            ->version = p->version;
    }
    if (c->check)
        check_ack(l1, number);
    if (c->uvm && p->kind != REQUEST_WRITEBACK)
        uvm_release(c->uvm, p->line);
    if (p->kind != REQUEST_WRITEBACK && !p->result)
        l1d_done(l1, p->id, p->kind == REQUEST_ATOMIC);
    give_back(l1, number);
    if (l1->stores_out == 0)
        context_fail(c, CONTEXT_BROKEN, "SM %u: acknowledgement of a store that nobody made",
                     (unsigned)l1->sm);
    else
        l1->stores_out--;
}

/* ---- fills ---- */

/* A reply that no request waits for must not reach the MSHR. */
static bool reply_expected(struct l1d *l1, const struct request *p) {
    if (granules_has(&l1->inflight, p->id) && l1->head[p->id].line == p->line)
        return true;
    context_fail(l1->context, CONTEXT_BROKEN,
                 "SM %u: reply for line 0x%llx, MSHR head %u, that nobody waits for",
                 (unsigned)l1->sm, (unsigned long long)p->line * LINE_BYTES, (unsigned)p->id);
    return false;
}

void l1d_present_return(struct l1d *l1, uint32_t reply) {
    if (reply == REQUEST_NONE)
        return;
    const struct request *p = request_at(&l1->context->pool, reply);
    if (request_writes(p) || p->direct || !reply_expected(l1, p))
        return;
    l1->mshr.in.ret_valid = 1;
    l1->mshr.in.ret_head = p->id;
}

/* The way that a fill goes to: the line's own, else (allocation on fill) another line's. None if
 * all wait for fills or are protected, or if a dirty one would have to wait for the miss queue:
 * replies must not wait for requests. */
static uint32_t way_of_fill(struct l1d *l1, const struct l1d_head *h) {
    struct lines *t = &l1->lines;
    uint32_t set = addr_set(l1->set_index, h->line, t->sets);
    uint32_t way = lines_find(t, set, h->line);
    if (way != WAY_NONE || h->poisoned)
        return way;
    way = ucp_on(&l1->ucp) ? ucp_victim(&l1->ucp, t, set, h->kernel)
                           : protect_victim(&l1->protect, t, set);
    if (way == WAY_NONE || (lines_dirty(t, way) && fifo_full(&l1->miss_queue)))
        return WAY_NONE;
    l1d_claim(l1, way, h->line, h->kernel);
    protect_fill(&l1->protect, t, way);
    return way;
}

static void fill_way(struct l1d *l1, uint32_t way, unsigned sectors, bool poisoned,
                     const uint8_t *data) {
    struct lines *t = &l1->lines;
    if (!poisoned || context_plant_stuck(l1->context, PLANT_STALE_LINE)) {
        lines_fill(t, way, sectors, data);
        t->flags[way] |= poisoned ? WAY_STALE : 0;
        return;
    }
    t->pending[way] &= (uint8_t)~sectors;
    l1d_drop_if_empty(t, way);
}

/* The granule is there: it goes to its way and, with the way's dirty bytes, to the fill buffer. */
static void take_fill(struct l1d *l1, uint32_t number) {
    struct context *c = l1->context;
    struct lines *t = &l1->lines;
    const struct request *p = request_at(&c->pool, number);
    const uint8_t *data = c->carry ? request_data(&c->pool, number) : NULL;
    bool poisoned = l1->head[p->id].poisoned;
    unsigned sectors =
        l1->sectored ? 1u << l1->inflight.granule[p->id] % LINE_SECTORS : SECTORS_ALL;
    granules_remove(&l1->inflight, p->id);
    uint32_t way = way_of_fill(l1, &l1->head[p->id]);
    l1->draining_line = p->line;
    l1->draining_first = l1->head[p->id].first;
    l1->draining_times = *request_times(&c->pool, number);
    l1->draining_since = c->time;
    l1->draining_offset = l1->sectored ? SECTOR_BYTES * bits_lowest(sectors) : 0;
    if (c->carry) {
        memcpy(l1->fill, data, LINE_BYTES);
        if (way != WAY_NONE)
            mask_copy(l1->fill, lines_data(t, way), &t->dirty[way]);
    }
    if (way != WAY_NONE)
        fill_way(l1, way, sectors, poisoned, data);
    stat_add(l1->stats, STAT_l1d_fills, 1);
    stat_add(l1->stats, STAT_l1d_fills_unkept, way == WAY_NONE || poisoned);
    give_back(l1, number);
}

/* ---- any reply ---- */

/* The reply of a direct load: straight to the response queue. */
static void take_direct_reply(struct l1d *l1, uint32_t number) {
    struct context *c = l1->context;
    const struct request *p = request_at(&c->pool, number);
    if (l1d_rsp_full(&l1->rsp))
        return;
    const struct request_times *t = request_times(&c->pool, number);
    l1d_rsp_add(l1, &l1->rsp, p->id, p->line, mask_first(&p->mask),
                c->carry ? request_data(&c->pool, number) : NULL)
        ->stay = l1d_stay_of(t, t->taken, c->time);
    stat_add(l1->stats, STAT_l1d_direct_latency, c->time - t->taken);
    give_back(l1, number);
    if (l1->direct.value == 0)
        context_fail(c, CONTEXT_BROKEN, "SM %u: reply of a direct load that nobody waits for",
                     (unsigned)l1->sm);
    else
        level_change(&l1->direct, c->time, -1);
}

void l1d_take_reply(struct l1d *l1, uint32_t reply, bool returned) {
    if (reply == REQUEST_NONE)
        return;
    const struct request *p = request_at(&l1->context->pool, reply);
    if (request_writes(p))
        take_ack(l1, reply);
    else if (p->direct)
        take_direct_reply(l1, reply);
    else if (returned && l1->mshr.out.ret_ready)
        take_fill(l1, reply);
}
