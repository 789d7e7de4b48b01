// SPDX-License-Identifier: Apache-2.0
/* Lookups of an L2 bank: docs/understand/l2.md has the table of what becomes of which request. */
#include <assert.h>
#include <string.h>

#include "l2/inside.h"
#include "lib/bits.h"

/* ---- the request at the head, part by part ---- */

static struct request *request_of(const struct l2 *l2) {
    return request_at(&l2->context->pool, l2->at.packet);
}

static void begin_part(struct l2 *l2) {
    struct l2_access *a = &l2->at;
    const struct request *p = request_of(l2);
    a->no_place = false;
    if (!l2->sectored) {
        a->granule = p->line;
        a->mask = p->mask;
        return;
    }
    unsigned sector = (unsigned)__builtin_ctz(a->left);
    const struct byte_mask bytes = mask_of_sectors(1u << sector);
    a->granule = p->line * LINE_SECTORS + sector;
    a->mask = mask_both(&p->mask, &bytes);
}

/* Looks up another request than in the last cycle, or the same again. */
static void begin(struct l2 *l2, uint32_t packet) {
    struct l2_access *a = &l2->at;
    if (a->packet == packet)
        return;
    if (a->packet != REQUEST_NONE)
        l2_packet(request_of(l2))->refused = l2->refusals.seen;
    a->packet = packet;
    struct request *p = request_of(l2);
    struct l2_packet *note = l2_packet(p);
    assert(!mask_none(&p->mask));
    l2->refusals.seen = note->refused;
    a->set = addr_l2_set(l2->map, l2->set_index, p->line, l2->lines.sets);
    a->left = l2->sectored ? mask_sector_bits(&p->mask) : 1;
    note->parent = REQUEST_NONE;
    note->parts = (uint8_t)bits_count4(a->left);
    begin_part(l2);
}

/* ---- plans ---- */

static struct l2_plan refuse(enum stat_id reason) {
    return (struct l2_plan){PLAN_REFUSE, (uint16_t)reason, WAY_NONE};
}

static struct l2_plan accept(enum l2_plan_kind kind, uint32_t way) {
    return (struct l2_plan){(uint16_t)kind, 0, way};
}

/* Requests for the part's granule are waiting in the MSHR. */
static bool in_flight(const struct l2 *l2, uint32_t way) {
    if (l2->on_fill)
        return granules_find(&l2->inflight, l2->at.granule) != HEAD_NONE;
    return way != WAY_NONE && (l2->lines.pending[way] & l2_sectors_of(l2, l2->at.granule));
}

/* A write that will go through to DRAM has its place in the evict buffer from the start: neither a
 * hit nor the drain ever waits for one. */
static uint32_t places_of_write(const struct l2 *l2, const struct request *p) {
    return request_writes(p) && l2_through(l2);
}

static struct l2_plan plan_claim(const struct l2 *l2) {
    uint32_t way = lines_victim(&l2->lines, l2->at.set);
    if (way == WAY_NONE)
        return refuse(STAT_l2_rf_line);
    if (lines_dirty(&l2->lines, way) && !l2_evict_places(l2))
        return refuse(STAT_l2_rf_evict_buffer);
    return accept(PLAN_CLAIM, way);
}

/* A miss that claims its way now; `way` holds other bytes of the line, or is WAY_NONE. */
static struct l2_plan plan_primary(const struct l2 *l2, uint32_t way, uint32_t places) {
    if (way == WAY_NONE) {
        way = lines_victim(&l2->lines, l2->at.set);
        if (way == WAY_NONE)
            return refuse(STAT_l2_rf_line);
        places += lines_dirty(&l2->lines, way);
    }
    if (fifo_full(&l2->miss_queue))
        return refuse(STAT_l2_rf_miss_queue);
    if (places > l2_evict_places(l2))
        return refuse(STAT_l2_rf_evict_buffer);
    return accept(PLAN_PRIMARY, way);
}

/* A miss that gets its way when the data come: a place for the victim's dirty bytes is kept for it.
 * Dirty bytes of the granule itself go to DRAM before the fetch. */
static struct l2_plan plan_primary_on_fill(const struct l2 *l2, uint32_t way, uint32_t places) {
    if (fifo_full(&l2->miss_queue))
        return refuse(STAT_l2_rf_miss_queue);
    places += !l2_through(l2);
    bool flush = false;
    if (way != WAY_NONE) {
        const struct byte_mask dirty = l2_dirty_in(l2, way, l2->at.granule);
        flush = !mask_none(&dirty);
    }
    if (places + flush > l2_evict_places(l2))
        return refuse(STAT_l2_rf_evict_buffer);
    return accept(PLAN_PRIMARY, flush ? way : WAY_NONE);
}

static struct l2_plan plan_hit(const struct l2 *l2, const struct request *p, uint32_t way) {
    if (places_of_write(l2, p) > l2_evict_places(l2))
        return refuse(STAT_l2_rf_evict_buffer);
    return accept(PLAN_HIT, way);
}

/* A load that lacks room may be read from DRAM past the bank: nothing newer is here. */
static bool may_go_past(const struct l2 *l2) {
    const struct request *p = request_of(l2);
    if (!l2->bypass || p->kind != REQUEST_LOAD || fifo_full(&l2->miss_queue))
        return false;
    uint32_t way = lines_find(&l2->lines, l2->at.set, p->line);
    const struct byte_mask granule = mask_of_sectors(l2_sectors_of(l2, l2->at.granule));
    return way == WAY_NONE || !mask_meet(&l2->lines.valid[way], &granule);
}

/* A load of the part's bytes that goes past the bank is still in the miss queue: a write could get
 * to DRAM before it. */
static bool read_waits(const struct l2 *l2) {
    for (uint32_t i = 0; l2->bypass && i < l2->miss_queue.count; i++) {
        struct request *p = request_at(&l2->context->pool, fifo_at(&l2->miss_queue, i));
        if (l2_packet(p)->past && p->line == request_of(l2)->line &&
            mask_meet(&p->mask, &l2->at.mask))
            return true;
    }
    return false;
}

/* A store that fetches nothing. */
static struct l2_plan plan_store_miss(const struct l2 *l2, uint32_t way) {
    if (read_waits(l2))
        return refuse(STAT_l2_rf_order);
    if (l2_through(l2))
        return l2_evict_places(l2) ? accept(PLAN_AROUND, WAY_NONE)
                                   : refuse(STAT_l2_rf_evict_buffer);
    return way != WAY_NONE ? accept(PLAN_HIT, way) : plan_claim(l2);
}

static struct l2_plan plan_miss(const struct l2 *l2, const struct request *p, uint32_t way) {
    bool store = request_writes(p) && p->kind != REQUEST_ATOMIC;
    if (store && (l2_through(l2) || l2->lazy))
        return plan_store_miss(l2, way);
    uint32_t places = places_of_write(l2, p);
    const struct l2_plan plan =
        l2->on_fill ? plan_primary_on_fill(l2, way, places) : plan_primary(l2, way, places);
    return plan.kind == PLAN_REFUSE && may_go_past(l2) ? accept(PLAN_PAST, WAY_NONE) : plan;
}

/* The way has what the part reads or writes. */
static bool can_read(const struct l2 *l2, const struct request *p, uint32_t way) {
    if (!l2->whole || (p->kind != REQUEST_LOAD && p->kind != REQUEST_ATOMIC))
        return lines_hold(&l2->lines, way, &l2->at.mask);
    const struct byte_mask sectors = mask_of_sectors(mask_sector_bits(&l2->at.mask));
    return lines_hold(&l2->lines, way, &sectors);
}

/* A load of what has come, while requests that do not write leave or wait to leave. */
static bool reads_beside(const struct l2 *l2, const struct request *p, uint32_t way) {
    if (p->kind != REQUEST_LOAD || way == WAY_NONE)
        return false;
    bool writes = l2->drain_writes;
    if (l2->at.granule != l2->drain_granule) {
        uint32_t id = granules_find(&l2->inflight, l2->at.granule);
        if (id == HEAD_NONE || !l2->head[id].filled)
            return false;
        writes = l2->head[id].writes;
    }
    return !writes && can_read(l2, p, way);
}

static struct l2_plan plan_part(const struct l2 *l2) {
    const struct request *p = request_of(l2);
    const bool drains = l2->at.granule == l2->drain_granule;
    if (drains && !l2->beside)
        return refuse(STAT_l2_rf_order);
    uint32_t way = lines_find(&l2->lines, l2->at.set, p->line);
    if ((drains || l2->filled.count) && l2->beside && reads_beside(l2, p, way))
        return accept(PLAN_HIT, way);
    if (drains)
        return refuse(STAT_l2_rf_order);
    if (in_flight(l2, way)) {
        if (places_of_write(l2, p) > l2_evict_places(l2))
            return refuse(STAT_l2_rf_evict_buffer);
        return accept(PLAN_SECONDARY, way);
    }
    if (way != WAY_NONE && can_read(l2, p, way))
        return plan_hit(l2, p, way);
    return plan_miss(l2, p, way);
}

/* The same, but a part that was refused for want of a place in the miss queue is refused again as
 * long as there is none. Nothing else can change its plan: nobody else fetches its granule, and a
 * way that could be replaced is not pinned, nor claimed, but by a part that is taken. */
static struct l2_plan plan_again(struct l2 *l2) {
    const struct l2_plan same = refuse(STAT_l2_rf_miss_queue);
    if (!l2->at.no_place || !fifo_full(&l2->miss_queue)) {
        const struct l2_plan plan = plan_part(l2);
        l2->at.no_place = plan.kind == PLAN_REFUSE && plan.reason == STAT_l2_rf_miss_queue;
        return plan;
    }
#ifdef MEMTWIN_CHECKED
    const struct l2_plan plan = plan_part(l2);
    if (plan.kind != same.kind || plan.reason != same.reason)
        context_fail(l2->context, CONTEXT_INTERNAL,
                     "L2 bank %u: a refused request has another plan", (unsigned)l2->bank);
#endif
    return same;
}

/* A resource that this plan needs is known to be exhausted, though the plan does not say so. */
static struct l2_plan plan_known(const struct l2 *l2) {
    struct l2_plan plan = plan_part(l2);
    bool served = plan.kind == PLAN_HIT || plan.kind == PLAN_CLAIM || plan.kind == PLAN_AROUND;
    if (plan.kind == PLAN_PRIMARY && l2->in.any.entry_full && !may_go_past(l2))
        return refuse(STAT_l2_rf_entry_full);
    if (served && l2_replies_full(l2))
        return refuse(STAT_l2_rf_rsp_queue);
    return plan;
}

/* Of the non-blocking buffer: the first in turn that will not be refused for what is known; if
 * there is none, the first in turn, refused. */
static struct l2_plan plan_any(struct l2 *l2) {
    struct nonblocking *b = &l2->in.any;
    struct l2_plan refused = accept(PLAN_NONE, WAY_NONE);
    uint32_t at = 0;
    b->tried = false;
    for (uint32_t n = 0; n < b->count; n++) {
        uint32_t i = nonblocking_at(b, n);
        if (!nonblocking_oldest(b, i))
            continue;
        struct l2_plan plan = refuse((enum stat_id)b->entry[i].refused);
        if (!b->entry[i].refused) {
            begin(l2, b->entry[i].packet);
            plan = plan_known(l2);
        }
        if (plan.kind != PLAN_REFUSE) {
            l2->at.any = i;
            return plan;
        }
        if (refused.kind == PLAN_NONE) {
            refused = plan;
            at = i;
        }
    }
    if (refused.kind == PLAN_REFUSE)
        begin(l2, b->entry[at].packet);
    return refused;
}

/* Looks at the request that is offered. Returns false if there is none. */
static bool begin_offer(struct l2 *l2) {
    uint32_t offer = l2_in_offer(&l2->in);
    if (offer == REQUEST_NONE)
        return false;
    if (!request_exists(&l2->context->pool, offer)) {
        context_fail(l2->context, CONTEXT_BROKEN,
                     "L2 bank %u: offered a request that does not exist", (unsigned)l2->bank);
        return false;
    }
    begin(l2, offer);
    return true;
}

struct l2_plan l2_plan_access(struct l2 *l2) {
    if (l2->at.left_in)
        return plan_again(l2);
    if (l2->in.nonblocking)
        return plan_any(l2);
    if (l2->mshr.looks || !begin_offer(l2))
        return accept(PLAN_NONE, WAY_NONE);
    return plan_again(l2);
}

void l2_look(struct l2 *l2) {
    struct l2_access *a = &l2->at;
    if (!a->left_in && begin_offer(l2)) {
        a->left_in = l2->taken = true;
        l2->context->progress++;
    }
    mshr_unit_look(&l2->mshr, a->left_in ? a->granule : MSHR_UNIT_NOTHING);
}

/* ---- the MSHR ---- */

static void present_data(struct l2 *l2, const struct request *p) {
    struct mshr_in *in = &l2->mshr.in;
    const struct l2_access *a = &l2->at;
    unsigned offset = l2_offset_of(l2, a->granule);
    memset(in->req_data, 0, sizeof in->req_data);
    memset(in->req_mask, 0, sizeof in->req_mask);
    if (!request_writes(p))
        return;
    uint8_t data[LINE_BYTES] = {0};
    mask_copy(data, request_data(&l2->context->pool, a->packet), &a->mask);
    memcpy(in->req_data, data + offset, l2_granule_bytes(l2));
    if (!l2->sectored) {
        memcpy(in->req_mask, a->mask.w, sizeof a->mask.w);
        return;
    }
    uint32_t mask = (uint32_t)(a->mask.w[offset / 64] >> offset % 64);
    memcpy(in->req_mask, &mask, sizeof mask);
}

void l2_present_request(struct l2 *l2, const struct l2_plan *plan) {
    if (plan->kind != PLAN_PRIMARY && plan->kind != PLAN_SECONDARY)
        return;
    const struct request *p = request_of(l2);
    struct mshr_in *in = &l2->mshr.in;
    assert(mshr_unit_knows(&l2->mshr, l2->at.granule));
    in->req_valid = 1;
    in->req_addr = l2->at.granule;
    in->req_off = mask_first(&l2->at.mask) - l2_offset_of(l2, l2->at.granule);
    in->req_id = (uint32_t)p->kind << L2_ID_KIND | (uint32_t)p->direct << L2_ID_DIRECT |
                 (uint32_t)p->result << L2_ID_RESULT | (uint32_t)p->sm << L2_ID_SM | p->id;
    in->req_write = request_writes(p);
    if (l2->context->carry)
        present_data(l2, p);
}

/* A packet of its own for this part. */
static uint32_t new_part(struct l2 *l2) {
    struct request_pool *pool = &l2->context->pool;
    uint32_t number = request_take(pool);
    struct request *p = request_at(pool, number);
    *p = *request_of(l2);
    p->next = REQUEST_NONE;
    p->mask = l2->at.mask;
    l2_packet(p)->parent = l2->at.packet;
    return number;
}

/* The packet that the MSHR's list holds for this part: the request itself if no other part of it is
 * left. From now on it waits for the fetch. */
static uint32_t part_packet(struct l2 *l2) {
    struct request *whole = request_of(l2);
    uint32_t number = l2_packet(whole)->parts > 1 ? new_part(l2) : l2->at.packet;
    request_at(&l2->context->pool, number)->next = REQUEST_NONE;
    l2_packet(request_at(&l2->context->pool, number))->joined = l2->context->time;
    return number;
}

static void fetch(struct l2 *l2, uint64_t line, uint32_t head) {
    struct context *c = l2->context;
    uint32_t number = request_take(&c->pool);
    struct request *p = request_at(&c->pool, number);
    p->line = line;
    p->mask = mask_of_sectors(l2_sectors_of(l2, l2->at.granule));
    p->kind = REQUEST_LOAD;
    p->reply = false;
    p->id = (uint16_t)head;
    *l2_packet(p) = (struct l2_packet){.parent = REQUEST_NONE};
    fifo_push(&l2->miss_queue, number);
}

/* The granule's dirty bytes go to DRAM, and out of the way. */
static void flush(struct l2 *l2, uint32_t way, uint64_t granule) {
    const struct byte_mask dirty = l2_dirty_in(l2, way, granule);
    l2_push_write(l2, l2->lines.line[way], &dirty, l2_way_data(l2, way));
    stat_add(&l2->stats, STAT_l2_writebacks, 1);
    l2_forget(l2, way, granule);
}

static void reserve(struct l2 *l2, uint32_t way, uint64_t line) {
    if (l2->lines.line[way] != line) {
        l2_evict(l2, way);
        lines_claim(&l2->lines, way, line);
    } else {
        stat_add(&l2->stats, STAT_l2_sector_misses, l2->sectored);
        lines_touch(&l2->lines, way);
    }
    l2->lines.pending[way] |= (uint8_t)l2_sectors_of(l2, l2->at.granule);
}

static void take_primary(struct l2 *l2, const struct l2_plan *plan, uint32_t id) {
    const struct l2_access *a = &l2->at;
    uint64_t line = request_of(l2)->line;
    struct l2_head head = {.way = WAY_NONE, .set = a->set};
    if (!l2->on_fill) {
        reserve(l2, plan->way, line);
        head.way = plan->way;
    } else {
        if (plan->way != WAY_NONE)
            flush(l2, plan->way, a->granule);
        else if (l2->sectored && lines_find(&l2->lines, a->set, line) != WAY_NONE)
            stat_add(&l2->stats, STAT_l2_sector_misses, 1);
        l2->promised += !l2_through(l2);
    }
    fetch(l2, line, id);
    head.writes = request_writes(request_of(l2));
    head.first = head.last = part_packet(l2);
    granules_add(&l2->inflight, id, a->granule);
    l2->head[id] = head;
}

static bool take_secondary(struct l2 *l2, const struct l2_plan *plan) {
    uint32_t id = granules_find(&l2->inflight, l2->at.granule);
    if (id == HEAD_NONE) {
        context_fail(l2->context, CONTEXT_BROKEN, "%s: line 0x%llx is on its way, but has no head",
                     l2->mshr.block.inst.name,
                     (unsigned long long)request_of(l2)->line * LINE_BYTES);
        return false;
    }
    struct l2_head *h = &l2->head[id];
    h->writes |= request_writes(request_of(l2));
    uint32_t number = part_packet(l2);
    request_at(&l2->context->pool, h->last)->next = number;
    h->last = number;
    if (plan->way != WAY_NONE)
        lines_touch(&l2->lines, plan->way);
    return true;
}

/* ---- taken or refused ---- */

static void count_taken(struct l2 *l2, enum stat_id kind) {
    struct l2_access *a = &l2->at;
    stat_add(&l2->stats, STAT_l2_accesses, 1);
    stat_add(&l2->stats, kind, 1);
    refusals_end(&l2->refusals);
    l2->context->progress++;
    if (!a->left_in && l2->in.nonblocking)
        nonblocking_take(&l2->in.any, a->any);
    l2->taken = !a->left_in;
    l2_in_taken(&l2->in);
    a->left &= a->left - 1;
    a->left_in = a->left != 0;
    if (a->left_in)
        begin_part(l2);
    else
        a->packet = REQUEST_NONE;
}

/* The MSHR has refused an entry of the non-blocking buffer: another one may have its try. */
static void refuse_any(struct l2 *l2) {
    struct nonblocking *b = &l2->in.any;
    uint64_t why = l2->mshr.out.req_refuse;
    if (!l2->in.nonblocking || l2->at.left_in)
        return;
    if (why == MSHR_REFUSE_WALK)
        b->turn = l2->at.any; /* goes on with the same */
    else
        nonblocking_refused(b, l2->at.any, (uint32_t)l2->refusals.reason,
                            why == MSHR_REFUSE_ENTRY_FULL);
}

/* Parts that are answered without the MSHR. */
static void judge_served(struct l2 *l2, const struct l2_plan *plan) {
    if (l2_replies_full(l2)) {
        refusals_count(&l2->refusals, &l2->stats, STAT_l2_rf_rsp_queue);
        return;
    }
    struct context *c = l2->context;
    const struct l2_access a = l2->at;
    count_taken(l2, plan->kind == PLAN_HIT ? STAT_l2_hits : STAT_l2_write_misses);
    if (plan->kind == PLAN_AROUND) {
        l2_serve_around(l2, a.packet, &a.mask);
        return;
    }
    if (plan->kind == PLAN_CLAIM) {
        l2_evict(l2, plan->way);
        lines_claim(&l2->lines, plan->way, request_at(&c->pool, a.packet)->line);
    } else {
        lines_touch(&l2->lines, plan->way);
    }
    l2_serve(l2, a.packet, plan->way, a.granule, c->carry ? request_data(&c->pool, a.packet) : NULL,
             &a.mask);
}

/* The part is read from DRAM as what it asks for: not into data that other parts have brought. */
static void judge_past(struct l2 *l2) {
    uint32_t number =
        mask_within(&request_of(l2)->mask, &l2->at.mask) ? l2->at.packet : new_part(l2);
    l2_packet(request_at(&l2->context->pool, number))->past = true;
    fifo_push(&l2->miss_queue, number);
    count_taken(l2, STAT_l2_bypassed);
}

/* The MSHR has answered the request of a miss. */
static void judge_miss(struct l2 *l2, const struct l2_plan *plan) {
    const struct mshr_out *out = &l2->mshr.out;
    bool absent = plan->kind == PLAN_PRIMARY;
    if (absent && out->req_refuse == MSHR_REFUSE_ENTRY_FULL && may_go_past(l2)) {
        judge_past(l2);
        return;
    }
    if (!refusals_miss_taken(&l2->refusals, &l2->stats, l2->context, &l2->mshr, absent)) {
        refuse_any(l2);
        return;
    }
    uint32_t places = places_of_write(l2, request_of(l2));
    if (absent)
        take_primary(l2, plan, (uint32_t)out->req_head);
    else if (!take_secondary(l2, plan))
        return;
    l2->promised += places;
    count_taken(l2, absent ? STAT_l2_primary : STAT_l2_secondary);
}

void l2_judge(struct l2 *l2, const struct l2_plan *plan) {
    switch (plan->kind) {
    case PLAN_REFUSE:
        refusals_count(&l2->refusals, &l2->stats, plan->reason);
        break;
    case PLAN_HIT:
    case PLAN_CLAIM:
    case PLAN_AROUND:
        judge_served(l2, plan);
        break;
    case PLAN_PAST:
        judge_past(l2);
        break;
    case PLAN_PRIMARY:
    case PLAN_SECONDARY:
        judge_miss(l2, plan);
        break;
    case PLAN_NONE:
        break;
    }
}
