// SPDX-License-Identifier: Apache-2.0
/* Determines the outcomes of requests from the LSU, and applies the effects of accepted requests
 * to lines and queues. docs/understand/l1d.md has a table of the outcomes. */
#include <assert.h>

#include "check/check.h"
#include "l1d/inside.h"
#include "lib/alloc.h"

/* ---- requests to the L2 ---- */

/* Sends the request on to the L2. Returns the index of the sent request. */
static uint32_t send_on(struct l1d *l1, const struct request *r) {
    struct cache *c = &l1->cache;
    const uint32_t number =
        cache_send(c, &c->miss_queue, (enum request_kind)r->kind, r->line, &r->mask);
    struct request *sent = cache_request(c, number);
    l1->stores_out += r->kind != REQUEST_LOAD;
    sent->origin = r->origin;
    sent->result = r->result;
    return number;
}

/* Writes the way's dirty bytes back to the L2. The bytes stay in the way and become clean. */
static void l1d_write_back(struct l1d *l1, uint32_t way) {
    struct lines *t = &l1->cache.lines;
    struct context *c = l1->cache.context;
    const uint32_t number = cache_write_back(&l1->cache, t->line[way], &t->way[way].dirty,
                                             cache_way_data(&l1->cache, way));
    request_at(&c->pool, number)->origin.sm = (uint16_t)l1->sm;
    request_at(&c->pool, number)->version = l1->version[way];
    l1->stores_out++;
    t->way[way].dirty = (struct byte_mask){{0, 0}};
    l1->dirty_ways--;
    stat_add(l1->cache.stats, STAT_l1d_writebacks, 1);
    c->progress++;
}

void l1d_claim(struct l1d *l1, uint32_t way, uint64_t line, const struct request *r) {
    if (lines_dirty(&l1->cache.lines, way))
        l1d_write_back(l1, way);
    cache_claim(&l1->cache, way, line, r);
}

void l1d_flush_line(struct l1d *l1) {
    const struct lines *t = &l1->cache.lines;
    if (!l1->flush || !l1d_dirty(l1) || ring_full(&l1->cache.miss_queue))
        return;
    for (uint32_t n = lines_count(t); n > 0; n--) {
        const uint32_t way = l1->flush_at;
        l1->flush_at = way + 1 == lines_count(t) ? 0 : way + 1;
        if (!lines_dirty(t, way) || t->way[way].pending)
            continue;
        l1d_write_back(l1, way);
        return;
    }
}

void l1d_forget_dirty(struct l1d *l1) {
    struct lines *t = &l1->cache.lines;
    struct check *check = l1->cache.context->check;
    for (uint32_t way = 0; l1->dirty_ways; way++) {
        if (!lines_dirty(t, way))
            continue;
        if (check)
            check_line_forgotten(check, l1->sm, t->line[way], &t->way[way].dirty);
        t->way[way].dirty = (struct byte_mask){{0, 0}};
        l1->dirty_ways--;
        stat_add(l1->cache.stats, STAT_l1d_forgotten, 1);
    }
}

/* ---- classify ---- */

static enum refusal queue_refusal(const struct cache *c) {
    return c->use == CACHE_BYPASS_ALL ? REFUSE_BYPASS_QUEUE : REFUSE_MISS_QUEUE;
}

/* Plans a write-back, because the line's dirty bytes must leave the L1D before the request.
 * Refuses the request while a fetch of the line is in flight, because the fetch left before the
 * dirty bytes and would return old ones. `full` is the refusal if the miss queue is full. */
static enum cache_outcome plan_write_back(const struct l1d *l1, struct cache_plan *plan,
                                          enum refusal full) {
    if (l1->cache.lines.way[plan->place.way].pending)
        return cache_refusal(plan, REFUSE_ORDER);
    return ring_full(&l1->cache.miss_queue) ? cache_refusal(plan, full) : CACHE_WRITE_BACK;
}

/* Plans a load that bypasses the L1D. Dirty bytes in the L1D are newer than the bytes in the L2. */
static enum cache_outcome plan_bypass(const struct l1d *l1, const struct request *r,
                                      struct cache_plan *plan) {
    const struct lines *t = &l1->cache.lines;
    const uint32_t way = plan->place.way;
    if (way != WAY_NONE && mask_meet(&t->way[way].dirty, &r->mask)) {
        if (mask_within(&r->mask, &t->way[way].dirty))
            return CACHE_HIT;
        return plan_write_back(l1, plan, REFUSE_BYPASS_QUEUE);
    }
    if (l1->bypassing.value >= l1->bypass_limit)
        return cache_refusal(plan, REFUSE_BYPASS_LIMIT);
    return ring_full(&l1->cache.miss_queue) ? cache_refusal(plan, REFUSE_BYPASS_QUEUE)
                                            : CACHE_BYPASS;
}

/* Plans a load for which a resource is missing. The policy may let the load bypass the L1D. */
static enum cache_outcome plan_detour(const struct l1d *l1, const struct request *r,
                                      struct cache_plan *plan, enum refusal why) {
    const enum cache_detour detour = cache_detour(&l1->cache, why);
    if (detour == CACHE_DETOUR_WAIT)
        return plan_bypass(l1, r, plan);
    if (detour == CACHE_DETOUR_NOW && l1->bypassing.value < l1->bypass_limit &&
        cache_can_bypass(&l1->cache, plan, &r->mask))
        return CACHE_BYPASS;
    return cache_refusal(plan, why);
}

static enum cache_outcome plan_fetch(const struct l1d *l1, const struct request *r,
                                     struct cache_plan *plan) {
    const struct cache *c = &l1->cache;
    if (plan->place.way == WAY_NONE && !c->allocate_on_fill)
        return cache_plan_claim(c, plan, CACHE_PRIMARY, r, 1, 0);
    return ring_full(&c->miss_queue) ? cache_refusal(plan, REFUSE_MISS_QUEUE) : CACHE_PRIMARY;
}

/* True if a load that should bypass the L1D must use it instead, because the bypass limit is
 * reached. False if the load's instruction must bypass the L1D. */
static bool turns_back(const struct l1d *l1, const struct request *r) {
    return l1->bypassing.value >= l1->bypass_limit && l1->bypass_full == L1D_BYPASS_FULL_L1D &&
           !r->bypass;
}

/* True if the banks share MSHR entries, all of which are in use. */
static bool entries_used(const struct l1d *l1) {
    const struct cache *c = &l1->cache;
    uint32_t used = c->misses.index.used;
    for (uint32_t i = 0; l1->mshr_shared && i < c->banks; i++)
        used += c->bank[i].drain.granule != GRANULE_NONE;
    return l1->mshr_shared && used >= c->bank_entries;
}

static enum cache_outcome plan_miss(const struct l1d *l1, const struct request *r,
                                    struct cache_plan *plan) {
    const struct fifo *queue = &l1->cache.miss_queue;
    const bool known = plan->place.miss != MISS_NONE;
    const enum cache_outcome outcome = known && l1->cache.misses.miss[plan->place.miss].poisoned
                                           ? cache_refusal(plan, REFUSE_ORDER)
                                       : queue->count + l1->miss_room > queue->capacity
                                           ? cache_refusal(plan, REFUSE_MISS_QUEUE)
                                       : known            ? CACHE_SECONDARY
                                       : entries_used(l1) ? cache_refusal(plan, REFUSE_ENTRY_FULL)
                                                          : plan_fetch(l1, r, plan);
    return outcome == CACHE_REFUSED ? plan_detour(l1, r, plan, plan->why) : outcome;
}

static enum cache_outcome plan_load(const struct l1d *l1, const struct request *r,
                                    struct cache_plan *plan) {
    const struct cache *c = &l1->cache;
    const struct cache_place place = plan->place;
    const bool all = c->use == CACHE_BYPASS_ALL, back = turns_back(l1, r);
    if (place.way != WAY_NONE && (!all || back) && lines_hold(&c->lines, place.way, &r->mask)) {
        plan->turned = all;
        return CACHE_HIT;
    }
    const bool in_flight = place.miss != MISS_NONE && !c->misses.miss[place.miss].poisoned;
    const bool bypass = all || (c->policies.misses_bypass && !r->local && !in_flight);
    if (bypass && !back)
        return plan_bypass(l1, r, plan);
    const enum cache_outcome outcome = plan_miss(l1, r, plan);
    plan->turned = bypass && outcome != CACHE_BYPASS;
    return outcome;
}

/* True if loads of the store's bytes wait for the fetch. These loads are older than the store
 * and must not see its data. */
static bool is_wanted(const struct l1d *l1, const struct request *r, uint32_t entry) {
    struct request_pool *pool = &l1->cache.context->pool;
    uint32_t number = l1->cache.misses.miss[entry].first;
    for (; number != REQUEST_NONE; number = request_at(pool, number)->next)
        if (mask_meet(&request_at(pool, number)->mask, &r->mask))
            return true;
    return false;
}

static enum cache_outcome plan_keep(const struct l1d *l1, const struct request *r,
                                    struct cache_plan *plan) {
    if (plan->place.miss != MISS_NONE && is_wanted(l1, r, plan->place.miss))
        return cache_refusal(plan, REFUSE_ORDER);
    return plan->place.way == WAY_NONE ? cache_plan_claim(&l1->cache, plan, CACHE_STORE, r, 0, 0)
                                       : CACHE_STORE;
}

/* True if all bytes of the request's granule are valid in the way, which may be WAY_NONE. */
static bool granule_valid(const struct cache *c, const struct request *r, uint32_t way) {
    const struct byte_mask all = cache_bytes(c, cache_granule(c, r));
    return way != WAY_NONE && lines_hold(&c->lines, way, &all);
}

/* Plans a write-through store, or an atomic. If only hits are kept, a store that misses meets no
 * dirty byte of its granule. */
static enum cache_outcome plan_through(const struct l1d *l1, const struct request *r,
                                       struct cache_plan *plan, enum cache_outcome outcome) {
    const struct cache *c = &l1->cache;
    if (plan->place.way != WAY_NONE && lines_dirty(&c->lines, plan->place.way) &&
        !l1d_keeps_hits(l1, r))
        return plan_write_back(l1, plan, queue_refusal(c));
    if (l1d_allocates(l1, r) && plan->place.way == WAY_NONE && plan->place.miss == MISS_NONE)
        return cache_plan_claim(c, plan, outcome, r, 1, 0);
    return ring_full(&c->miss_queue) ? cache_refusal(plan, queue_refusal(c)) : outcome;
}

static enum cache_outcome plan_without(const struct l1d *l1, const struct request *r,
                                       struct cache_plan *plan) {
    plan->place = (struct cache_place){0, WAY_NONE, MISS_NONE};
    if (ring_full(&l1->cache.miss_queue))
        return cache_refusal(plan, REFUSE_MISS_QUEUE);
    return r->kind == REQUEST_LOAD     ? CACHE_BYPASS
           : r->kind == REQUEST_ATOMIC ? CACHE_ATOMIC
                                       : CACHE_THROUGH;
}

/* Returns the set of a line, or the adjacent set if the planted fault is active. */
static uint32_t set_of(const struct l1d *l1, uint64_t line) {
    const uint32_t sets = l1->cache.lines.sets, set = addr_set(l1->set_index, line, sets);
    if (!context_plant_stuck(l1->cache.context, PLANT_WRONG_SET) || sets == 1)
        return set;
    l1->cache.context->plant_made = true;
    return set ? set - 1 : 1;
}

enum cache_outcome l1d_plan(const struct l1d *l1, const struct request *r,
                            struct cache_plan *plan) {
    const struct cache *c = &l1->cache;
    if (!r)
        return CACHE_IDLE;
    if (!l1->enabled)
        return plan_without(l1, r, plan);
    assert(!c->sectored || mask_sectors(&r->mask) == 1);
    plan->place = cache_find(c, set_of(l1, r->line), r->line, cache_granule(c, r));
    if (r->kind == REQUEST_LOAD)
        return plan_load(l1, r, plan);
    if (r->kind == REQUEST_ATOMIC)
        return plan_through(l1, r, plan, CACHE_ATOMIC);
    if (l1d_keeps_hits(l1, r) && granule_valid(c, r, plan->place.way))
        return CACHE_STORE;
    return l1d_keeps(l1, r) ? plan_keep(l1, r, plan) : plan_through(l1, r, plan, CACHE_THROUGH);
}

/* ---- accept ---- */

static bool accept_access(struct l1d *l1, const struct request *r, enum stat_id outcome) {
    if (l1->enabled) {
        cache_count(&l1->cache, r, STAT_l1d_accesses);
        cache_count(&l1->cache, r, outcome);
    }
    return cache_accept(&l1->cache);
}

static bool accept_hit(struct l1d *l1, const struct request *r, uint32_t way, uint64_t cycle) {
    struct cache *c = &l1->cache;
    if (ring_full(&l1->hits))
        return cache_refuse(c, r, REFUSE_RESPONSE_QUEUE);
    const uint32_t number = l1d_enter(l1, r);
    cache_read(c, number, way);
    l1d_clear_times(l1, number);
    timed_fifo_push(&l1->hits, number, cycle + l1->hit_latency);
    c->context->progress++;
    cache_touch(c, way);
    if (c->lines.way[way].flags & WAY_STALE)
        c->context->plant_made = true;
    return accept_access(l1, r, STAT_l1d_hits);
}

static bool accept_bypass(struct l1d *l1, const struct request *r) {
    struct context *c = l1->cache.context;
    const uint32_t number = send_on(l1, r);
    request_at(&c->pool, number)->bypass = true;
    request_times(&c->pool, number)->l1d_accept = c->time;
    level_change(&l1->bypassing, c->time, 1);
    stat_add(l1->cache.stats, STAT_l1d_bypass_depth_sum, l1->bypassing.value);
    hist_add(l1->cache.stats, HIST_l1d_bypass_depth_hist, l1->bypassing.value);
    return accept_access(l1, r, STAT_l1d_bypasses);
}

/* Invalidates the granule's bytes, which must be clean. Returns true if any of them were valid. */
static bool drop_granule(struct l1d *l1, const struct request *r, uint32_t way) {
    struct cache *c = &l1->cache;
    const struct byte_mask all = cache_bytes(c, cache_granule(c, r));
    struct byte_mask *valid = &c->lines.way[way].valid, before = *valid;
    mask_remove(valid, &all);
    const bool any = before.w[0] != valid->w[0] || before.w[1] != valid->w[1];
    cache_free_if_empty(c, way);
    return any;
}

/* Updates the line's valid bytes for a write-through store; with allocation, all bytes of the store
 * become valid, unless a fetch of them is in flight. With write-evict, drops the line's granule. */
static void update_line(struct l1d *l1, const struct request *r, const struct cache_plan *plan,
                        const uint8_t *data) {
    struct cache *c = &l1->cache;
    const uint32_t way = plan->place.way;
    if (l1->write == L1D_WEWN || l1->write == L1D_LOCAL_WBWN) {
        if (drop_granule(l1, r, way))
            stat_add(c->stats, STAT_l1d_write_evicts, 1);
        return;
    }
    const bool all = l1d_allocates(l1, r) && plan->place.miss == MISS_NONE;
    const struct byte_mask here = all ? r->mask : mask_both(&r->mask, &c->lines.way[way].valid);
    if (mask_none(&here))
        return;
    cache_touch(c, way);
    lines_store(&c->lines, way, &here, data, false);
}

/* Poisons the miss in flight, if any, that a store or atomic overtakes. */
static void poison(struct l1d *l1, const struct cache_plan *plan) {
    if (plan->place.miss != MISS_NONE)
        l1->cache.misses.miss[plan->place.miss].poisoned = true;
}

/* Gives a store or an atomic its version and sends it to the L2. Returns the index of the sent
 * request. */
static uint32_t send_write(struct l1d *l1, const struct request *r) {
    struct context *c = l1->cache.context;
    const uint32_t number = send_on(l1, r);
    request_at(&c->pool, number)->version = ++c->version;
    if (c->carry)
        check_stamp_line(request_data(&c->pool, number), r->line, &r->mask, c->version);
    return number;
}

static bool accept_through(struct l1d *l1, const struct request *r, const struct cache_plan *plan) {
    struct context *c = l1->cache.context;
    const uint32_t number = send_write(l1, r);
    if (c->check)
        check_store(c->check, l1->sm, r->line, &r->mask, c->version);
    poison(l1, plan);
    if (plan->claim)
        l1d_claim(l1, plan->place.way, r->line, r);
    if (plan->place.way != WAY_NONE)
        update_line(l1, r, plan, cache_data(&l1->cache, number));
    return accept_access(l1, r, STAT_l1d_stores);
}

/* Keeps a store without a fetch. The store's bytes become valid and dirty. */
static bool accept_keep(struct l1d *l1, const struct request *r, const struct cache_plan *plan) {
    struct context *c = l1->cache.context;
    struct lines *t = &l1->cache.lines;
    const uint32_t way = plan->place.way, version = ++c->version;
    uint8_t data[LINE_BYTES];
    if (c->check)
        check_store(c->check, l1->sm, r->line, &r->mask, version);
    if (c->carry)
        check_stamp_line(data, r->line, &r->mask, version);
    if (plan->claim)
        l1d_claim(l1, way, r->line, r);
    else
        cache_touch(&l1->cache, way);
    if (plan->place.miss != MISS_NONE) /* the way must stay until the fill */
        t->way[way].pending |= (uint8_t)cache_sectors(&l1->cache, cache_granule(&l1->cache, r));
    l1->dirty_ways += !lines_dirty(t, way);
    l1->version[way] = version;
    lines_store(t, way, &r->mask, c->carry ? data : NULL, true);
    stat_add(l1->cache.stats, STAT_l1d_stores_kept, 1);
    l1d_finish(l1, l1d_enter(l1, r));
    return accept_access(l1, r, STAT_l1d_stores);
}

static void keep_ticket(struct l1d *l1, uint64_t ticket, uint32_t version) {
    struct l1d_tickets *t = &l1->tickets;
    t->ticket = alloc_grown(t->ticket, t->n, &t->room, sizeof *t->ticket);
    t->ticket[t->n++] = (struct l1d_ticket){ticket, version};
}

/* Sends an atomic to the L2, which executes it. Drops the granule in the L1D, because its bytes
 * become old. */
static bool accept_atomic(struct l1d *l1, const struct request *r, const struct cache_plan *plan) {
    struct context *c = l1->cache.context;
    send_write(l1, r);
    if (c->check)
        keep_ticket(l1, check_atomic(c->check, l1->sm, r->line, &r->mask, c->version), c->version);
    poison(l1, plan);
    if (plan->place.way != WAY_NONE)
        drop_granule(l1, r, plan->place.way);
    return accept_access(l1, r, STAT_l1d_atomics);
}

/* Accepts or refuses a miss, depending on the MSHR's decision. */
static bool accept_miss(struct l1d *l1, const struct request *r, struct cache_plan *plan) {
    struct cache *c = &l1->cache;
    const uint64_t granule = cache_granule(c, r);
    const struct cache_bank *b = cache_bank_of(c, granule);
    if (!mshr_unit_knows(&b->mshr, granule)) {
        stat_add(c->stats, STAT_l1d_lookahead_cycles, 1);
        return false;
    }
    const enum refusal why = cache_answer(b);
    if (why) {
        plan->place.way = plan->claim ? WAY_NONE : plan->place.way;
        if (why == REFUSE_WALK || plan_detour(l1, r, plan, why) != CACHE_BYPASS)
            return cache_refuse(c, r, why);
        plan->outcome = CACHE_BYPASS;
        return accept_bypass(l1, r);
    }
    if (!cache_agrees(c, b, plan))
        return false;
    if (plan->claim)
        l1d_claim(l1, plan->place.way, r->line, r);
    cache_track(c, plan, l1d_enter(l1, r), granule);
    return accept_access(l1, r,
                         plan->outcome == CACHE_PRIMARY ? STAT_l1d_primary_misses
                                                        : STAT_l1d_secondary_misses);
}

bool l1d_accept(struct l1d *l1, const struct request *r, struct cache_plan *plan, uint64_t cycle) {
    switch (plan->outcome) {
    case CACHE_REFUSED:
        return cache_refuse(&l1->cache, r, plan->why);
    case CACHE_WRITE_BACK:
        l1d_write_back(l1, plan->place.way);
        return cache_refuse(&l1->cache, r, REFUSE_ORDER);
    case CACHE_HIT:
        return accept_hit(l1, r, plan->place.way, cycle);
    case CACHE_PRIMARY:
    case CACHE_SECONDARY:
        return accept_miss(l1, r, plan);
    case CACHE_BYPASS:
        return accept_bypass(l1, r);
    case CACHE_THROUGH:
        return accept_through(l1, r, plan);
    case CACHE_STORE:
        return accept_keep(l1, r, plan);
    case CACHE_ATOMIC:
        return accept_atomic(l1, r, plan);
    case CACHE_IDLE:
        break;
    }
    return false;
}
