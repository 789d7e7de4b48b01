// SPDX-License-Identifier: Apache-2.0
/* A cycle of the L1D, and the first one in which it has something to do. */
#include "cache/flits.h"
#include "cache/request_bank.h"
#include "kernel/kernel.h"
#include "l1d/inside.h"

/* The oldest hit leaves its pipeline if the response queue has room; a drain goes first. */
static void leave_pipeline(struct l1d *l1, uint64_t cycle) {
    struct l1d_rsp_queue *q = &l1->hits;
    if (!q->count || q->slot[q->head].ready > cycle || l1d_rsp_full(&l1->rsp))
        return;
    const struct l1d_rsp *r = &q->slot[q->head];
    l1d_rsp_add(l1, &l1->rsp, r->id, r->line, r->offset, r->data)->stay = r->stay;
    l1d_rsp_drop(q);
}

static uint32_t bank_of(struct l1d *l1, uint32_t packet) {
    const uint32_t bank = request_bank(l1->context, l1->map, packet);
    const uint32_t banks = l1->map->partitions * l1->map->subs;
    return banks > 1 && context_plant(l1->context, PLANT_WRONG_BANK) ? (bank + 1) % banks : bank;
}

static void move_miss(struct l1d *l1) {
    if (!l1->miss_queue.count || !xbar_can_push(l1->req, l1->sm))
        return;
    uint32_t number = fifo_pop(&l1->miss_queue);
    const struct request *p = request_at(&l1->context->pool, number);
    uint32_t bank = bank_of(l1, number);
    if (l1->has_listeners && addr_watch_on(&l1->watch))
        addr_watch_packet(&l1->watch, l1->context, l1->stats, p->line, bank);
    request_times(&l1->context->pool, number)->to_icnt = l1->context->time;
    xbar_push(l1->req, l1->sm, number, bank, request_flits(p, l1->header_bytes, l1->flit_bytes), 1);
}

/* Where the next load that drains has been. */
static struct l1d_stay drain_waiter(struct l1d *l1) {
    struct l1d_waiters *w = &l1->waiters;
    uint32_t i = l1->draining_first;
    if (i == WAITER_NONE) /* a twin that drives has answered once too often */
        return (struct l1d_stay){.taken = l1->context->time};
    l1->draining_first = w->waiter[i].next;
    w->waiter[i].next = w->free;
    w->free = i;
    return l1d_stay_of(&l1->draining_times, w->waiter[i].taken, l1->draining_since);
}

static void step_mshr(struct l1d *l1, uint64_t cycle) {
    struct mshr_unit *u = &l1->mshr;
    u->in.rsp_ready = !l1d_rsp_full(&l1->rsp);
    mshr_unit_step(u, cycle);
    if (u->out.err)
        context_fail(l1->context, CONTEXT_BROKEN, "%s: error %u", u->block.inst.name,
                     (unsigned)u->out.err);
    if (u->out.rsp_valid && u->in.rsp_ready)
        l1d_rsp_add(l1, &l1->rsp, (uint32_t)u->out.rsp_id, l1->draining_line,
                    l1->draining_offset + (unsigned)u->out.rsp_off, l1->fill)
            ->stay = drain_waiter(l1);
}

void l1d_expect(struct l1d *l1, const struct l1d_access *next) {
    l1->expected = next && plan_asks(next) ? plan_granule(l1, next) : GRANULE_NONE;
}

/* What is looked up for the next cycle. Which of the two addresses it may be is known early in the
 * cycle; whether the access is taken, late. */
static uint64_t look_for(const struct l1d *l1, const struct l1d_access *a, bool taken) {
    if (!a)
        return MSHR_UNIT_NOTHING;
    uint64_t granule = plan_granule(l1, a);
    if (plan_asks(a) && !mshr_unit_knows(&l1->mshr, granule))
        return granule;
    return taken && l1->expected != GRANULE_NONE ? l1->expected : MSHR_UNIT_NOTHING;
}

/* ---- model-driven bypassing ---- */

/* What the access does to the lines, for model-driven bypassing and the monitors of ucp. */
static enum bpg_op op_of(const struct l1d *l1, const struct l1d_access *a) {
    if (a->kind == REQUEST_LOAD)
        return a->skip ? BPG_PASS : BPG_LOAD;
    if (a->kind == REQUEST_ATOMIC)
        return BPG_EVICT;
    return plan_keeps(l1, a) ? BPG_WRITE : l1->write == L1D_WEWN ? BPG_EVICT : BPG_UPDATE;
}

bool l1d_failed(const struct l1d *l1, const struct l1d_access *a) {
    switch (l1->refusals.reason) {
    case STAT_l1d_rf_line:
    case STAT_l1d_rf_miss_queue:
    case STAT_l1d_rf_entry_full:
    case STAT_l1d_rf_merge_full:
        return !plan_past(l1, a);
    default:
        return false;
    }
}

/* What became of the access (NULL: there was none). */
static void tell_mdb(struct l1d *l1, const struct l1d_access *a, bool taken, bool refused) {
    if (taken)
        mdb_taken(&l1->mdb, l1->stats, op_of(l1, a), a->line);
    else if (refused && l1d_failed(l1, a))
        mdb_refused(&l1->mdb, l1->stats);
    mdb_tick(&l1->mdb);
}

/* ---- the watch over addresses ---- */

/* What was taken (NULL: nothing), and the set in which it was looked for. */
static void tell_watch(struct l1d *l1, const struct l1d_access *a, uint32_t set) {
    struct addr_watch_access access;
    if (a)
        access = (struct addr_watch_access){.valid = true, .line = a->line, .set = set};
    addr_watch_tick(&l1->watch, l1->context, l1->stats, a ? &access : NULL);
}

/* ---- monitors ---- */

/* What was taken, and its set. */
static void tell_ucp(struct l1d *l1, const struct l1d_access *a, uint32_t set) {
    switch (op_of(l1, a)) {
    case BPG_LOAD:
    case BPG_WRITE:
        ucp_use(&l1->ucp, set, a->kernel, a->line);
        break;
    case BPG_EVICT:
        ucp_evict(&l1->ucp, set, a->kernel, a->line);
        break;
    default:
        break;
    }
}

static void tell(struct l1d *l1, const struct l1d_access *a, const struct plan *plan, bool taken,
                 bool refused) {
    if (mdb_on(&l1->mdb))
        tell_mdb(l1, a, taken, refused);
    if (addr_watch_on(&l1->watch))
        tell_watch(l1, taken ? a : NULL, plan->set);
    if (ucp_on(&l1->ucp) && taken)
        tell_ucp(l1, a, plan->set);
}

/* ---- time ---- */

/* The reply that waits for the L1D. A line of code is not for it (icache/icache.h). */
static uint32_t reply_of(const struct l1d *l1) {
    uint32_t reply = xbar_peek(l1->reply, l1->sm);
    bool code = reply != REQUEST_NONE && line_is_code(request_at(&l1->context->pool, reply)->line);
    return code ? REQUEST_NONE : reply;
}

/* Flattened: what it calls stands in other files, and is too large to be inlined by itself. */
__attribute__((flatten)) bool l1d_tick(struct l1d *l1, const struct l1d_access *access,
                                       uint64_t cycle) {
    uint64_t progress = l1->context->progress, refused = l1->refusals.counted;
    l1->n_done = 0;
    move_miss(l1);
    uint32_t reply = reply_of(l1);
    if (mdb_on(&l1->mdb))
        mdb_ask(&l1->mdb, l1->stats, access, access ? access->user : 0, cycle);
    const struct plan plan = plan_access(l1, access);
    bool returned = false;
    if (l1->enabled) {
        l1d_present_request(l1, access, &plan);
        l1d_present_return(l1, reply);
        returned = l1->mshr.in.ret_valid;
        step_mshr(l1, cycle);
    }
    leave_pipeline(l1, cycle);
    bool taken = l1d_judge(l1, access, &plan, cycle);
    if (taken && plan.turned)
        stat_add(l1->stats, STAT_l1d_bypass_turned, 1);
    if (l1->mshr.looks)
        mshr_unit_look(&l1->mshr, look_for(l1, access, taken));
    if (l1->has_listeners)
        tell(l1, access, &plan, taken, l1->refusals.counted != refused);
    if (taken && l1->protect.distance)
        protect_count(&l1->protect, plan.set);
    l1d_take_reply(l1, reply, returned);
    if (!access)
        l1d_flush_line(l1);
    refusals_stand(&l1->refusals, refused, l1->context->progress != progress);
    return taken;
}

void l1d_advance(struct l1d *l1, const struct l1d_access *access, uint64_t cycles) {
    if (!access)
        return;
    refusals_advance(&l1->refusals, l1->stats, cycles);
    if (l1->mdb.refused)
        mdb_advance(&l1->mdb, l1->stats, cycles);
}
