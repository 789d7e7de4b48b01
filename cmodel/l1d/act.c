// SPDX-License-Identifier: Apache-2.0
/* What an access does to lines and queues. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "l1d/inside.h"

/* ---- packets to the L2 ---- */

static uint32_t send(struct l1d *l1, enum request_kind kind, uint64_t line,
                     const struct byte_mask *mask, uint32_t version) {
    struct context *c = l1->context;
    uint32_t number = request_take(&c->pool);
    struct request *p = request_at(&c->pool, number);
    p->line = line;
    p->mask = *mask;
    p->sm = (uint16_t)l1->sm;
    p->id = 0;
    p->kind = (uint8_t)kind;
    p->reply = p->direct = p->result = false;
    p->version = version;
    fifo_push(&l1->miss_queue, number);
    if (kind != REQUEST_LOAD)
        l1->stores_out++;
    return number;
}

/* The way's dirty bytes go to the L2; they stay, clean. */
static void write_back(struct l1d *l1, uint32_t way) {
    struct lines *t = &l1->lines;
    struct context *c = l1->context;
    uint32_t number = send(l1, REQUEST_WRITEBACK, t->line[way], &t->dirty[way], l1->version[way]);
    if (c->carry)
        memcpy(request_data(&c->pool, number), lines_data(t, way), LINE_BYTES);
    t->dirty[way] = (struct byte_mask){{0, 0}};
    l1->dirty_ways--;
    stat_add(l1->stats, STAT_l1d_writebacks, 1);
    c->progress++;
}

void l1d_flush_line(struct l1d *l1) {
    if (!l1->flush || !l1->dirty_ways || fifo_full(&l1->miss_queue))
        return;
    for (uint32_t n = lines_count(&l1->lines); n > 0; n--) {
        uint32_t way = l1->flush_at;
        l1->flush_at = way + 1 == lines_count(&l1->lines) ? 0 : way + 1;
        if (!lines_dirty(&l1->lines, way) || l1->lines.pending[way])
            continue;
        write_back(l1, way);
        return;
    }
}

/* ---- an access is taken ---- */

/* The way is of that kernel from now on. */
static void own(struct l1d *l1, uint32_t way, uint32_t kernel) {
    if (l1->lines.line[way] != LINE_NONE && l1->ucp.owner[way] != kernel)
        stat_add(l1->stats, STAT_l1d_ucp_taken, 1);
    ucp_own(&l1->ucp, way, kernel);
}

void l1d_claim(struct l1d *l1, uint32_t way, uint64_t line, uint32_t kernel) {
    if (lines_dirty(&l1->lines, way))
        write_back(l1, way);
    if (ucp_on(&l1->ucp))
        own(l1, way, kernel);
    lines_claim(&l1->lines, way, line);
}

/* The access uses the line. */
static void use(struct l1d *l1, uint32_t way) {
    lines_touch(&l1->lines, way);
    protect_use(&l1->protect, &l1->lines, way);
}

/* The clean bytes of the granule become invalid. Returns whether there were any. */
static bool drop_granule(struct l1d *l1, const struct l1d_access *a, uint32_t way) {
    const struct byte_mask all = mask_of_sectors(plan_sectors(l1, a));
    struct lines *t = &l1->lines;
    struct byte_mask before = t->valid[way];
    mask_remove(&t->valid[way], &all);
    bool any = before.w[0] != t->valid[way].w[0] || before.w[1] != t->valid[way].w[1];
    l1d_drop_if_empty(t, way);
    return any;
}

/* What a store that is written through does to the line. */
static void update_line(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                        const uint8_t *data) {
    struct lines *t = &l1->lines;
    if (plan->head != HEAD_NONE)
        l1->head[plan->head].poisoned = true;
    if (plan->way == WAY_NONE)
        return;
    if (l1->write == L1D_WEWN) {
        if (drop_granule(l1, a, plan->way))
            stat_add(l1->stats, STAT_l1d_write_evicts, 1);
        return;
    }
    const struct byte_mask *valid = &t->valid[plan->way];
    const struct byte_mask here = {{a->mask.w[0] & valid->w[0], a->mask.w[1] & valid->w[1]}};
    if (mask_none(&here))
        return;
    use(l1, plan->way);
    lines_store(t, plan->way, &here, data, false);
}

static void take_store(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *c = l1->context;
    uint32_t version = ++c->version;
    uint32_t number = send(l1, REQUEST_STORE, a->line, &a->mask, version);
    request_at(&c->pool, number)->id = l1d_whose(a);
    uint8_t *data = c->carry ? request_data(&c->pool, number) : NULL;
    if (c->check)
        check_store(c->check, l1->sm, a->line, &a->mask, version);
    if (c->carry)
        check_stamp_line(data, a->line, &a->mask, version);
    if (l1->enabled)
        update_line(l1, a, plan, data);
}

/* Stored without a fetch: the bytes are valid and dirty. */
static void take_store_here(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *c = l1->context;
    struct lines *t = &l1->lines;
    uint32_t way = plan->way, version = ++c->version;
    uint8_t data[LINE_BYTES];
    if (c->check)
        check_store(c->check, l1->sm, a->line, &a->mask, version);
    if (c->carry)
        check_stamp_line(data, a->line, &a->mask, version);
    if (plan->claim)
        l1d_claim(l1, way, a->line, a->kernel);
    if (plan->head != HEAD_NONE)
        t->pending[way] |= (uint8_t)plan_sectors(l1, a); /* it stays until the fill has come */
    l1->dirty_ways += !lines_dirty(t, way);
    l1->version[way] = version;
    use(l1, way);
    lines_store(t, way, &a->mask, c->carry ? data : NULL, true);
    stat_add(l1->stats, STAT_l1d_stores_kept, 1);
    l1d_done(l1, l1d_whose(a), false);
}

static void keep_ticket(struct l1d *l1, uint64_t ticket, uint32_t version) {
    if (l1->n_tickets == l1->tickets_room) {
        uint32_t room = l1->tickets_room ? 2 * l1->tickets_room : 64;
        struct l1d_ticket *more = realloc(l1->ticket, room * sizeof *more);
        if (!more) {
            context_fail(l1->context, CONTEXT_INTERNAL, "out of memory for the check of atomics");
            return;
        }
        l1->ticket = more;
        l1->tickets_room = room;
    }
    l1->ticket[l1->n_tickets++] = (struct l1d_ticket){ticket, version};
}

/* The L2 does it; what is here of its bytes becomes old. */
static void take_atomic(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *c = l1->context;
    uint32_t version = ++c->version;
    uint32_t number = send(l1, REQUEST_ATOMIC, a->line, &a->mask, version);
    struct request *p = request_at(&c->pool, number);
    p->id = a->result ? (uint16_t)a->id : l1d_whose(a);
    p->result = a->result;
    if (c->check)
        keep_ticket(l1, check_atomic(c->check, l1->sm, a->line, &a->mask, version), version);
    if (c->carry)
        check_stamp_line(request_data(&c->pool, number), a->line, &a->mask, version);
    if (plan->head != HEAD_NONE)
        l1->head[plan->head].poisoned = true;
    if (plan->way != WAY_NONE)
        drop_granule(l1, a, plan->way);
}

static void take_direct(struct l1d *l1, const struct l1d_access *a) {
    struct request_pool *pool = &l1->context->pool;
    uint32_t number = send(l1, REQUEST_LOAD, a->line, &a->mask, 0);
    request_at(pool, number)->id = (uint16_t)a->id;
    request_at(pool, number)->direct = true;
    request_times(pool, number)->taken = l1->context->time;
    level_change(&l1->direct, l1->context->time, 1);
    stat_add(l1->stats, STAT_l1d_direct_sum, l1->direct.value);
    hist_add(l1->stats, HIST_l1d_direct_hist, l1->direct.value);
}

static void take_primary(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                         uint32_t head) {
    unsigned sectors = plan_sectors(l1, a);
    const struct byte_mask all = mask_of_sectors(sectors);
    if (plan->claim)
        l1d_claim(l1, plan->way, a->line, a->kernel);
    uint32_t number = send(l1, REQUEST_LOAD, a->line, &all, 0);
    request_at(&l1->context->pool, number)->id = (uint16_t)head;
    granules_add(&l1->inflight, head, plan_granule(l1, a));
    uint32_t waiter = l1d_waiter_add(l1, l1->context->time);
    l1->head[head] = (struct l1d_head){a->line, a->mask, waiter, waiter, false, a->kernel};
    if (plan->way == WAY_NONE)
        return;
    l1->lines.pending[plan->way] |= (uint8_t)sectors;
    use(l1, plan->way);
}

/* It waits for a fetch that is on its way. */
static void join(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct l1d_head *h = &l1->head[plan->head];
    uint32_t waiter = l1d_waiter_add(l1, l1->context->time);
    mask_add(&h->wanted, &a->mask);
    l1->waiters.waiter[h->last].next = waiter;
    h->last = waiter;
    if (plan->way != WAY_NONE)
        use(l1, plan->way);
}

/* ---- whether it is ---- */

void l1d_present_request(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    if (plan->kind != PLAN_PRIMARY && plan->kind != PLAN_SECONDARY)
        return;
    if (!mshr_unit_knows(&l1->mshr, plan_granule(l1, a)))
        return;
    struct mshr_in *in = &l1->mshr.in;
    in->req_valid = 1;
    in->req_addr = plan_granule(l1, a);
    in->req_off = mask_first(&a->mask) % (l1->sectored ? SECTOR_BYTES : LINE_BYTES);
    in->req_id = a->id;
}

static bool count_refusal(struct l1d *l1, enum stat_id reason) {
    return refusals_count(&l1->refusals, l1->stats, reason);
}

static bool count_taken(struct l1d *l1, enum stat_id kind) {
    if (l1->enabled) {
        stat_add(l1->stats, STAT_l1d_accesses, 1);
        stat_add(l1->stats, kind, 1);
    }
    refusals_end(&l1->refusals);
    l1->context->progress++;
    return true;
}

static bool judge_hit(struct l1d *l1, const struct l1d_access *a, uint32_t way, uint64_t cycle) {
    if (l1d_rsp_full(&l1->hits))
        return count_refusal(l1, STAT_l1d_rf_rsp_queue);
    struct l1d_rsp *r = l1d_rsp_add(l1, &l1->hits, a->id, a->line, mask_first(&a->mask),
                                    l1->lines.data ? lines_data(&l1->lines, way) : NULL);
    r->ready = cycle + l1->hit_latency;
    r->stay = (struct l1d_stay){.taken = l1->context->time};
    use(l1, way);
    if (l1->lines.flags[way] & WAY_STALE)
        l1->context->planted = true;
    return count_taken(l1, STAT_l1d_hits);
}

static bool judge_direct(struct l1d *l1, const struct l1d_access *a) {
    take_direct(l1, a);
    return count_taken(l1, STAT_l1d_bypassed);
}

/* The MSHR has answered the request of a miss. */
static bool judge_miss(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    const struct mshr_out *out = &l1->mshr.out;
    bool absent = plan->kind == PLAN_PRIMARY;
    if (!mshr_unit_knows(&l1->mshr, plan_granule(l1, a))) {
        stat_add(l1->stats, STAT_l1d_look_cycles, 1);
        return false;
    }
    if (!out->req_ready && out->req_refuse != MSHR_REFUSE_WALK &&
        plan_passes_stall(l1, a, plan->claim ? WAY_NONE : plan->way,
                          refusals_of_mshr(&l1->refusals, &l1->mshr)))
        return judge_direct(l1, a);
    if (!refusals_miss_taken(&l1->refusals, l1->stats, l1->context, &l1->mshr, absent))
        return false;
    if (absent) {
        take_primary(l1, a, plan, (uint32_t)out->req_head);
        return count_taken(l1, STAT_l1d_primary);
    }
    join(l1, a, plan);
    return count_taken(l1, STAT_l1d_secondary);
}

bool l1d_judge(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
               uint64_t cycle) {
    switch (plan->kind) {
    case PLAN_REFUSE:
        return count_refusal(l1, plan->reason);
    case PLAN_WRITE_BACK:
        write_back(l1, plan->way);
        return count_refusal(l1, STAT_l1d_rf_order);
    case PLAN_HIT:
        return judge_hit(l1, a, plan->way, cycle);
    case PLAN_PRIMARY:
    case PLAN_SECONDARY:
        return judge_miss(l1, a, plan);
    case PLAN_DIRECT:
        return judge_direct(l1, a);
    case PLAN_STORE:
        take_store(l1, a, plan);
        return count_taken(l1, STAT_l1d_stores);
    case PLAN_STORE_HERE:
        take_store_here(l1, a, plan);
        return count_taken(l1, STAT_l1d_stores);
    case PLAN_ATOMIC:
        take_atomic(l1, a, plan);
        return count_taken(l1, STAT_l1d_atomics);
    case PLAN_NONE:
        break;
    }
    return false;
}
