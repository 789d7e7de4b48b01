// SPDX-License-Identifier: Apache-2.0
/* Looks up requests in an L2 bank. docs/understand/l2.md has a table of the outcomes. */
#include <assert.h>
#include <string.h>

#include "cache/request_tag.h"
#include "l2/inside.h"
#include "lib/bits.h"

/* ---- the request at the head, part by part ---- */

static struct request *looked_up(const struct l2 *l2) {
    return l2_request(l2, l2->lookup.number);
}

static void begin_part(struct l2 *l2) {
    struct l2_lookup *a = &l2->lookup;
    const struct request *r = looked_up(l2);
    a->no_place = false;
    if (!l2->cache.sectored) {
        a->granule = r->line;
        a->mask = r->mask;
        return;
    }
    const unsigned sector = (unsigned)__builtin_ctz(a->left);
    const struct byte_mask bytes = mask_of_sectors(1u << sector);
    a->granule = r->line * LINE_SECTORS + sector;
    a->mask = mask_both(&r->mask, &bytes);
}

/* Starts the lookup of the request, unless it is already being looked up. */
static void begin_lookup(struct l2 *l2, uint32_t number) {
    struct l2_lookup *a = &l2->lookup;
    struct cache *c = &l2->cache;
    if (a->number == number)
        return;
    if (a->number != REQUEST_NONE)
        looked_up(l2)->l2.refused = c->refusals.seen;
    a->number = number;
    struct request *r = looked_up(l2);
    assert(!mask_none(&r->mask));
    c->refusals.seen = r->l2.refused;
    a->set = addr_l2_set(l2->to.map, l2->set_index, r->line, c->lines.sets);
    a->left = c->sectored ? mask_sector_bits(&r->mask) : 1;
    r->l2.parent = REQUEST_NONE;
    r->l2.parts = (uint8_t)bits_count4(a->left);
    begin_part(l2);
}

/* ---- classify ---- */

/* Returns the number of evict buffer entries that the request reserves when it is accepted. A
 * write-through reserves one, so that neither a hit nor the drain ever waits for an entry. */
static uint32_t places_of_write(const struct l2 *l2, const struct request *r) {
    return request_writes(r) && l2_through(l2);
}

/* True for a store, which may complete without the old bytes of its line. */
static bool is_store(const struct request *r) {
    return request_writes(r) && r->kind != REQUEST_ATOMIC;
}

/* True if the request is written to DRAM when it is accepted as a miss. */
static bool stores_to_dram(const struct l2 *l2, const struct request *r) {
    return l2->store_to_dram && is_store(r);
}

/* Like places_of_write(), for a request that misses. */
static uint32_t places_of_miss(const struct l2 *l2, const struct request *r) {
    return places_of_write(l2, r) + stores_to_dram(l2, r);
}

static enum cache_outcome plan_if_places(const struct l2 *l2, struct cache_plan *plan,
                                         enum cache_outcome outcome, uint32_t places) {
    return places > cache_evict_places(&l2->cache) ? cache_refusal(plan, REFUSE_EVICT_BUFFER)
                                                   : outcome;
}

/* Plans a miss that claims its way at the fill. Unless the bank writes through, the miss reserves
 * an evict buffer entry for the victim's dirty bytes. Dirty bytes of the granule itself go to DRAM
 * before the fetch. */
static enum cache_outcome plan_fetch_on_fill(const struct l2 *l2, struct cache_plan *plan,
                                             uint32_t places) {
    const struct cache *c = &l2->cache;
    bool flush = false;
    if (plan->place.way != WAY_NONE) {
        const struct byte_mask bytes = cache_bytes(c, l2->lookup.granule);
        flush = mask_meet(&c->lines.way[plan->place.way].dirty, &bytes);
    }
    const enum refusal why = cache_lacks(c, 1, places + !l2_through(l2) + flush);
    plan->place.way = flush ? plan->place.way : WAY_NONE;
    return why ? cache_refusal(plan, why) : CACHE_PRIMARY;
}

static enum cache_outcome plan_fetch(const struct l2 *l2, const struct request *r,
                                     struct cache_plan *plan) {
    const struct cache *c = &l2->cache;
    const uint32_t places = places_of_miss(l2, r);
    if (c->allocate_on_fill)
        return plan_fetch_on_fill(l2, plan, places);
    if (plan->place.way == WAY_NONE)
        return cache_plan_claim(c, plan, CACHE_PRIMARY, r, 1, places);
    const enum refusal why = cache_lacks(c, 1, places);
    return why ? cache_refusal(plan, why) : CACHE_PRIMARY;
}

/* True if the request is a load that may read DRAM, because the bank has no newer byte of the
 * granule. */
static bool can_bypass(const struct l2 *l2, const struct request *r,
                       const struct cache_plan *plan) {
    const struct byte_mask granule = cache_bytes(&l2->cache, l2->lookup.granule);
    return r->kind == REQUEST_LOAD && cache_can_bypass(&l2->cache, plan, &granule);
}

/* Plans a primary miss for which a resource is missing. The policy may let the request bypass the
 * bank. */
__attribute__((noinline)) static enum cache_outcome plan_detour(const struct l2 *l2,
                                                                const struct request *r,
                                                                struct cache_plan *plan,
                                                                enum refusal why) {
    const struct cache *c = &l2->cache;
    return c->policies.bypass.type && can_bypass(l2, r, plan) && cache_detour(c, why) != CACHE_STAY
               ? CACHE_BYPASS
               : cache_refusal(plan, why);
}

/* True if a read of the part's bytes is still in the miss queue, where a write could overtake it on
 * the way to DRAM: a bypassing load or, if store misses are written to DRAM, a fetch. */
static bool read_waits(const struct l2 *l2) {
    const struct fifo *q = &l2->cache.miss_queue;
    const bool writes = l2->cache.policies.bypass.type || l2->store_to_dram;
    for (uint32_t i = 0; writes && i < q->count; i++) {
        const struct request *r = l2_request(l2, *ring_at(q, i));
        if (r->line == looked_up(l2)->line && mask_meet(&r->mask, &l2->lookup.mask))
            return true;
    }
    return false;
}

/* Plans a store without a fetch. */
static enum cache_outcome plan_store(const struct l2 *l2, const struct request *r,
                                     struct cache_plan *plan) {
    if (read_waits(l2))
        return cache_refusal(plan, REFUSE_ORDER);
    if (l2_through(l2))
        return plan_if_places(l2, plan, CACHE_BYPASS, 1);
    return plan->place.way != WAY_NONE ? CACHE_HIT
                                       : cache_plan_claim(&l2->cache, plan, CACHE_STORE, r, 0, 0);
}

static enum cache_outcome plan_miss(const struct l2 *l2, const struct request *r,
                                    struct cache_plan *plan) {
    if (is_store(r) && (l2_through(l2) || l2->lazy_write_fetch))
        return plan_store(l2, r, plan);
    const enum cache_outcome outcome = plan_fetch(l2, r, plan);
    return outcome == CACHE_REFUSED ? plan_detour(l2, r, plan, plan->why) : outcome;
}

/* True if the way has the bytes that the part reads or writes. If l2.model=gpgpusim, a load or
 * atomic needs all bytes of each sector that it touches. */
static bool can_read(const struct l2 *l2, const struct request *r, uint32_t way) {
    if (!l2->gpgpusim || (r->kind != REQUEST_LOAD && r->kind != REQUEST_ATOMIC))
        return lines_hold(&l2->cache.lines, way, &l2->lookup.mask);
    const struct byte_mask sectors = mask_of_sectors(mask_sector_bits(&l2->lookup.mask));
    return lines_hold(&l2->cache.lines, way, &sectors);
}

/* True if the request is a load that may read the arrived data of a miss before the miss has
 * drained. No request that waits for the miss may write. */
static bool reads_beside(const struct l2 *l2, const struct request *r,
                         const struct cache_place *place) {
    const struct cache *c = &l2->cache;
    const bool drains = l2->lookup.granule == c->bank->drain.granule;
    const struct miss *m = drains                     ? &c->bank->drain
                           : place->miss != MISS_NONE ? &c->misses.miss[place->miss]
                                                      : NULL;
    if (r->kind != REQUEST_LOAD || place->way == WAY_NONE || !m)
        return false;
    return (drains || m->filled) && !m->writes && can_read(l2, r, place->way);
}

/* Returns the outcome that a bypass policy sets before resources are checked, or CACHE_IDLE if
 * it sets none. */
__attribute__((noinline)) static enum cache_outcome
plan_bypass(const struct l2 *l2, const struct request *r, struct cache_plan *plan, bool hit) {
    const struct cache *c = &l2->cache;
    const struct byte_mask granule = cache_bytes(c, l2->lookup.granule);
    if (hit && request_writes(r))
        return read_waits(l2) ? cache_refusal(plan, REFUSE_ORDER) : CACHE_IDLE;
    if (r->kind != REQUEST_LOAD ||
        (c->use != CACHE_BYPASS_ALL && (!c->policies.misses_bypass || hit)) ||
        (plan->place.way != WAY_NONE && mask_meet(&c->lines.way[plan->place.way].dirty, &granule)))
        return CACHE_IDLE;
    return ring_full(&c->miss_queue) ? cache_refusal(plan, REFUSE_MISS_QUEUE) : CACHE_BYPASS;
}

/* Calls the bypass policy. It does not matter here whether the request bypassed the L1D. */
__attribute__((noinline)) static void ask_policy(struct l2 *l2, const struct request *r) {
    l2->cache.use = CACHE_USE;
    cache_ask_policy(&l2->cache, r, l2->cycles - 1);
}

static enum cache_outcome plan_part(struct l2 *l2, struct cache_plan *plan) {
    struct cache *c = &l2->cache;
    const struct request *r = looked_up(l2);
    if (c->policies.asked)
        ask_policy(l2, r);
    const bool drains = l2->lookup.granule == c->bank->drain.granule;
    if (drains && !l2->gpgpusim)
        return cache_refusal(plan, REFUSE_ORDER);
    plan->place = cache_find(c, l2->lookup.set, r->line, l2->lookup.granule);
    plan->claim = false;
    if ((drains || l2->cache.bank->filled.count) && l2->gpgpusim &&
        reads_beside(l2, r, &plan->place))
        return CACHE_HIT;
    if (drains || (stores_to_dram(l2, r) && read_waits(l2)))
        return cache_refusal(plan, REFUSE_ORDER);
    if (plan->place.miss != MISS_NONE)
        return plan_if_places(l2, plan, CACHE_SECONDARY, places_of_miss(l2, r));
    const bool hit = plan->place.way != WAY_NONE && can_read(l2, r, plan->place.way);
    const enum cache_outcome outcome =
        c->policies.bypass.type ? plan_bypass(l2, r, plan, hit) : CACHE_IDLE;
    if (outcome != CACHE_IDLE)
        return outcome;
    return hit ? plan_if_places(l2, plan, CACHE_HIT, places_of_write(l2, r))
               : plan_miss(l2, r, plan);
}

/* Fast path: a part that was refused because the miss queue was full is refused again as long as
 * the queue is full. Nothing else can change its plan: no other request fetches its granule, and
 * only an accepted part pins or claims a way that could be replaced. The exception is a policy that
 * is called in each cycle. */
static enum cache_outcome plan_again(struct l2 *l2, struct cache_plan *plan) {
    const struct cache *c = &l2->cache;
    if (!l2->lookup.no_place || !ring_full(&c->miss_queue) || c->policies.asked) {
        const enum cache_outcome outcome = plan_part(l2, plan);
        l2->lookup.no_place = outcome == CACHE_REFUSED && plan->why == REFUSE_MISS_QUEUE;
        return outcome;
    }
#ifdef MEMTWIN_CHECKED
    if (plan_part(l2, plan) != CACHE_REFUSED || plan->why != REFUSE_MISS_QUEUE)
        context_fail(c->context, CONTEXT_INTERNAL,
                     "L2 bank %u: the outcome of a refused request has changed",
                     (unsigned)l2->bank);
#endif
    return cache_refusal(plan, REFUSE_MISS_QUEUE);
}

/* Plans the part, and also refuses it if a resource that it needs is known to be exhausted. */
static enum cache_outcome plan_known(struct l2 *l2, struct cache_plan *plan) {
    const enum cache_outcome outcome = plan_part(l2, plan);
    const bool serves = outcome == CACHE_HIT || outcome == CACHE_STORE ||
                        (outcome == CACHE_BYPASS && request_writes(looked_up(l2)));
    if (outcome == CACHE_PRIMARY && l2->in.any.entry_full &&
        plan_detour(l2, looked_up(l2), plan, REFUSE_ENTRY_FULL) == CACHE_REFUSED)
        return CACHE_REFUSED;
    return serves && l2_replies_full(l2) ? cache_refusal(plan, REFUSE_RESPONSE_QUEUE) : outcome;
}

/* Tries the requests of the non-blocking buffer in turn and plans the first one that is not
 * refused. If all are refused, refuses the first one. */
static enum cache_outcome plan_any(struct l2 *l2, struct cache_plan *plan) {
    struct nonblocking *b = &l2->in.any;
    enum refusal first = REFUSE_NONE;
    uint32_t first_entry = 0;
    b->tried = false;
    for (uint32_t n = 0; n < b->count; n++) {
        const uint32_t i = nonblocking_at(b, n);
        if (!nonblocking_oldest(b, i))
            continue;
        plan->why = (enum refusal)b->entry[i].refused;
        if (!plan->why) {
            begin_lookup(l2, b->entry[i].request);
            const enum cache_outcome outcome = plan_known(l2, plan);
            if (outcome != CACHE_REFUSED) {
                l2->lookup.any = i;
                return outcome;
            }
        }
        if (!first) {
            first = plan->why;
            first_entry = i;
        }
    }
    if (!first)
        return CACHE_IDLE;
    begin_lookup(l2, b->entry[first_entry].request);
    if (l2->cache.policies.asked)
        ask_policy(l2, looked_up(l2));
    return cache_refusal(plan, first);
}

/* Looks up the offered request. Returns false if no request is offered. */
static bool begin_offer(struct l2 *l2) {
    const uint32_t offer = l2_in_offer(&l2->in);
    if (offer == REQUEST_NONE)
        return false;
    if (offer == l2->lookup.number)
        return true;
    if (!request_exists(&l2->cache.context->pool, offer)) {
        context_fail(l2->cache.context, CONTEXT_BROKEN,
                     "L2 bank %u: offered a request that does not exist", (unsigned)l2->bank);
        return false;
    }
    begin_lookup(l2, offer);
    return true;
}

enum cache_outcome l2_plan(struct l2 *l2, struct cache_plan *plan) {
    if (l2->lookup.left_in)
        return plan_again(l2, plan);
    if (l2->in.nonblocking)
        return plan_any(l2, plan);
    if (l2->cache.bank->mshr.looks || !begin_offer(l2))
        return CACHE_IDLE;
    return plan_again(l2, plan);
}

void l2_look(struct l2 *l2) {
    struct l2_lookup *a = &l2->lookup;
    if (!a->left_in && begin_offer(l2)) {
        a->left_in = l2->offer_taken = true;
        l2->cache.context->progress++;
    }
    cache_look(l2->cache.bank, a->left_in ? a->granule : GRANULE_NONE);
}

/* ---- the MSHR ---- */

static void present_data(struct l2 *l2, const struct request *r) {
    uint32_t *const to = mshr_unit_req_data(&l2->cache.bank->mshr);
    uint32_t *const to_mask = mshr_unit_req_mask(&l2->cache.bank->mshr);
    const size_t bytes = cache_granule_bytes(&l2->cache);
    const struct l2_lookup *a = &l2->lookup;
    const unsigned offset = cache_offset(&l2->cache, a->granule);
    memset(to, 0, bytes);
    memset(to_mask, 0, bytes / 8);
    if (!request_writes(r))
        return;
    uint8_t data[LINE_BYTES] = {0};
    mask_copy(data, cache_data(&l2->cache, a->number), &a->mask);
    memcpy(to, data + offset, bytes);
    if (!l2->cache.sectored) {
        memcpy(to_mask, a->mask.w, sizeof a->mask.w);
        return;
    }
    const uint32_t mask = (uint32_t)(a->mask.w[offset / 64] >> offset % 64);
    memcpy(to_mask, &mask, sizeof mask);
}

void l2_present_request(struct l2 *l2, const struct cache_plan *plan) {
    struct cache *c = &l2->cache;
    const struct l2_lookup *a = &l2->lookup;
    if (!cache_misses(plan))
        return;
    const struct request *r = looked_up(l2);
    assert(mshr_unit_knows(&c->bank->mshr, a->granule));
    cache_ask(c, a->granule, mask_first(&a->mask) - cache_offset(c, a->granule), request_tag(r),
              request_writes(r));
    if (c->context->carry)
        present_data(l2, r);
}

/* Creates a separate request for this part. Returns the new request's index. */
static uint32_t new_part(struct l2 *l2) {
    const uint32_t number = request_take(&l2->cache.context->pool);
    struct request *r = l2_request(l2, number);
    *r = *looked_up(l2);
    r->next = REQUEST_NONE;
    r->mask = l2->lookup.mask;
    r->l2.parent = l2->lookup.number;
    return number;
}

/* Returns the request that waits for the fetch of this part. This is the current request if no
 * other part is left, or else a new request. */
static uint32_t part_request(struct l2 *l2) {
    const uint32_t number = looked_up(l2)->l2.parts > 1 ? new_part(l2) : l2->lookup.number;
    struct context *c = l2->cache.context;
    l2_request(l2, number)->next = REQUEST_NONE;
    request_times(&c->pool, number)->to_dram = c->time;
    return number;
}

/* Writes the dirty bytes of the granule to DRAM and removes them from the way. */
static void flush_line(struct l2 *l2, uint32_t way, uint64_t granule) {
    const struct lines *t = &l2->cache.lines;
    const struct byte_mask bytes = cache_bytes(&l2->cache, granule);
    const struct byte_mask dirty = mask_both(&bytes, &t->way[way].dirty);
    l2_push_write(l2, t->line[way], &dirty, cache_way_data(&l2->cache, way));
    stat_add(&l2->stats, STAT_l2_writebacks, 1);
    l2_drop_granule(l2, way, granule);
}

/* If ways are allocated on a miss, claims the way for the miss's data. Otherwise, writes the
 * granule's dirty bytes, if any, to DRAM. */
static void prepare_way(struct l2 *l2, struct cache_plan *plan) {
    struct cache *c = &l2->cache;
    struct cache_place *place = &plan->place;
    const struct request *r = looked_up(l2);
    if (!c->allocate_on_fill) {
        /* A drain that ended in this cycle may have left the line's way empty. */
        plan->claim = c->lines.line[place->way] != r->line;
        if (plan->claim)
            l2_claim(l2, place->way, r->line, r);
        else
            stat_add(&l2->stats, STAT_l2_sector_misses, c->sectored);
    } else if (place->way != WAY_NONE) {
        flush_line(l2, place->way, l2->lookup.granule);
        place->way = WAY_NONE;
    } else if (c->sectored && lines_find(&c->lines, place->set, r->line) != WAY_NONE) {
        stat_add(&l2->stats, STAT_l2_sector_misses, 1);
    }
}

/* ---- accepted or refused ---- */

static void accept_request(struct l2 *l2, enum stat_id outcome) {
    struct l2_lookup *a = &l2->lookup;
    struct context *c = l2->cache.context;
    request_note(&c->pool, a->number, MARK_ACCEPTED, c->time);
    stat_add(&l2->stats, STAT_l2_accesses, 1);
    stat_add(&l2->stats, outcome, 1);
    if (looked_up(l2)->kind == REQUEST_STORE) {
        stat_add(&l2->stats, STAT_l2_stores, 1);
        stat_add(&l2->stats, STAT_l2_store_hits, outcome == STAT_l2_hits);
    }
    cache_accept(&l2->cache);
    if (!a->left_in && l2->in.nonblocking)
        nonblocking_take(&l2->in.any, a->any);
    l2->offer_taken = !a->left_in;
    l2_in_taken(&l2->in);
    a->left &= a->left - 1;
    a->left_in = a->left != 0;
    if (a->left_in)
        begin_part(l2);
    else
        a->number = REQUEST_NONE;
}

/* Notes that the MSHR refused an entry of the non-blocking buffer, so that another entry is tried.
 */
static void refuse_any(struct l2 *l2, enum refusal why) {
    struct nonblocking *b = &l2->in.any;
    if (!l2->in.nonblocking || l2->lookup.left_in)
        return;
    if (why == REFUSE_WALK)
        b->turn = l2->lookup.any; /* continues with the same entry */
    else
        nonblocking_refused(b, l2->lookup.any, (uint32_t)why, why == REFUSE_ENTRY_FULL);
}

/* Accepts a part that completes without the MSHR. */
static void accept_served(struct l2 *l2, struct cache_plan *plan) {
    struct cache *c = &l2->cache;
    const struct l2_lookup a = l2->lookup;
    const struct request *r = looked_up(l2);
    if (l2_replies_full(l2)) {
        plan->outcome = CACHE_REFUSED;
        cache_refuse(c, r, REFUSE_RESPONSE_QUEUE);
        return;
    }
    accept_request(l2, plan->outcome == CACHE_HIT ? STAT_l2_hits : STAT_l2_write_misses);
    if (plan->outcome == CACHE_BYPASS) {
        l2_serve_around(l2, a.number, &a.mask);
        return;
    }
    if (plan->claim)
        l2_claim(l2, plan->place.way, r->line, r);
    else
        cache_touch(c, plan->place.way);
    l2_serve(l2, a.number, plan->place.way, a.granule, cache_data(&l2->cache, a.number), &a.mask);
}

/* Accepts a load that bypasses the bank. Only its bytes are read from DRAM, so the data of other
 * parts are kept. */
static void accept_bypass(struct l2 *l2) {
    const bool alone = mask_within(&looked_up(l2)->mask, &l2->lookup.mask);
    const uint32_t number = alone ? l2->lookup.number : new_part(l2);
    l2_request(l2, number)->l2.bypass = true;
    ring_push(&l2->cache.miss_queue, number);
    accept_request(l2, STAT_l2_bypasses);
}

/* Refuses a miss that the MSHR refused, or lets it bypass the bank. */
__attribute__((noinline)) static void refuse_miss(struct l2 *l2, struct cache_plan *plan,
                                                  enum refusal why) {
    const struct request *r = looked_up(l2);
    const bool bypasses = plan->outcome == CACHE_PRIMARY && why == REFUSE_ENTRY_FULL &&
                          plan_detour(l2, r, plan, why) == CACHE_BYPASS;
    plan->outcome = bypasses ? CACHE_BYPASS : CACHE_REFUSED;
    if (bypasses) {
        accept_bypass(l2);
        return;
    }
    cache_refuse(&l2->cache, r, why);
    refuse_any(l2, why);
}

/* Accepts or refuses a miss, depending on the MSHR's decision. */
static void accept_miss(struct l2 *l2, struct cache_plan *plan) {
    struct cache *c = &l2->cache;
    const bool primary = plan->outcome == CACHE_PRIMARY;
    const uint32_t places = places_of_write(l2, looked_up(l2));
    const enum refusal why = cache_answer(c->bank);
    if (why) {
        refuse_miss(l2, plan, why);
        return;
    }
    if (!cache_agrees(c, c->bank, plan))
        return;
    if (primary)
        prepare_way(l2, plan);
    if (stores_to_dram(l2, looked_up(l2)))
        l2_write_through(l2, l2->lookup.number, &l2->lookup.mask);
    c->reservations += places + (primary && c->allocate_on_fill && !l2_through(l2));
    cache_track(c, plan, part_request(l2), l2->lookup.granule);
    accept_request(l2, primary ? STAT_l2_primary_misses : STAT_l2_secondary_misses);
}

void l2_accept(struct l2 *l2, struct cache_plan *plan) {
    switch (plan->outcome) {
    case CACHE_REFUSED:
        cache_refuse(&l2->cache, looked_up(l2), plan->why);
        break;
    case CACHE_BYPASS:
        if (!request_writes(looked_up(l2))) {
            accept_bypass(l2);
            break;
        }
        /* fall through */
    case CACHE_HIT:
    case CACHE_STORE:
        accept_served(l2, plan);
        break;
    case CACHE_PRIMARY:
    case CACHE_SECONDARY:
        accept_miss(l2, plan);
        break;
    default:
        break;
    }
}
