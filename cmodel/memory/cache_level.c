// SPDX-License-Identifier: Apache-2.0
#include "memory/memory.h"

#include <string.h>

#include "lib/alloc.h"
#include "lib/request_dump.h"

#define ENTRY_W 16 /* bits of the L2's MSHR entry, by which its fetches are told apart */

/* ---- making and ending ---- */

static struct cache_size size_of(const struct cache_level_keys *k) {
    return (struct cache_size){
        .sets = (uint32_t)k->sets,
        .ways = (uint32_t)k->ways,
        .miss_queue = (uint32_t)k->queue,
        .sectored = k->sectored,
        .mshr = {.keys = k->mshr,
                 .addr_w = ADDR_LINE_BITS + (k->sectored ? 2 : 0),
                 .off_w = k->sectored ? SECTOR_BITS : LINE_BITS,
                 .id_w = ENTRY_W},
    };
}

/* Its queues and its hit pipeline, the requests that wait for fetches, and the fetches: each stays
 * until its requests have drained. */
uint64_t cache_level_requests(const struct cache_level_keys *k) {
    const struct cache_size size = size_of(k);
    const struct mshr_size mshr = mshr_size_of(&size.mshr);
    return (uint64_t)(3 * k->queue + k->latency) + mshr_size_requests(&mshr) + mshr.heads + 1;
}

struct cache_level *cache_level_create(const struct cache_level_keys *k,
                                       const struct cache_level_stats *ids, struct context *context,
                                       const struct addr_map *map, const struct memory *below,
                                       uint32_t channel, char *err, size_t err_size) {
    const struct cache_size size = size_of(k);
    char name[BLOCK_NAME_MAX];
    struct cache_level *l = alloc_zeroed(1, sizeof *l);
    l->below = *below;
    l->map = map;
    l->latency = (uint32_t)k->latency;
    l->channel = channel;
    l->name = k->name;
    l->ids = ids;
    snprintf(name, sizeof name, "%s.%u.mshr", k->name, (unsigned)channel);
    fifo_init(&l->in, (uint32_t)k->queue);
    fifo_init(&l->replies, (uint32_t)k->queue);
    timed_fifo_init(&l->hits, l->latency);
    cache_init(&l->cache, &size, context, &l->stats, &ids->refusals);
    if (cache_init_mshr(&l->cache, &size, name, err, err_size) == 0)
        return l;
    l->below.level = NULL; /* the caller's, as before */
    cache_level_destroy(l);
    return NULL;
}

void cache_level_destroy(struct cache_level *l) {
    memory_free(&l->below);
    cache_free(&l->cache);
    fifo_free(&l->in);
    fifo_free(&l->replies);
    timed_fifo_free(&l->hits);
    free(l);
}

/* ---- the port ---- */

static struct request *request_of(const struct cache_level *l, uint32_t number) {
    return request_at(&l->cache.context->pool, number);
}

/* The data of a request, or NULL while no data are carried. */
static uint8_t *data_of(const struct cache_level *l, uint32_t number) {
    struct context *c = l->cache.context;
    return c->carry ? request_data(&c->pool, number) : NULL;
}

void cache_level_push(struct cache_level *l, uint32_t number, uint32_t bank) {
    struct request *r = request_of(l, number);
    r->next = REQUEST_NONE;
    r->dram.bank = (uint16_t)bank;
    fifo_push(&l->in, number);
    l->cache.context->progress++;
}

uint32_t cache_level_pop(struct cache_level *l) {
    l->cache.context->progress++;
    return fifo_pop(&l->replies);
}

static void reply(struct cache_level *l, uint32_t number) {
    request_of(l, number)->reply = true;
    fifo_push(&l->replies, number);
    l->cache.context->progress++;
}

/* ---- classify ---- */

static uint32_t set_of(const struct cache_level *l, uint64_t line) {
    return (uint32_t)(addr_rest(l->map, line) % l->cache.lines.sets);
}

static enum cache_outcome plan_load(const struct cache_level *l, const struct request *r,
                                    struct cache_plan *plan) {
    const struct cache *c = &l->cache;
    const struct cache_place at = plan->at;
    if (at.way != WAY_NONE && lines_hold(&c->lines, at.way, &r->mask))
        return timed_fifo_full(&l->hits) ? cache_refusal(plan, REFUSE_RESPONSE_QUEUE) : CACHE_HIT;
    if (at.miss != MISS_NONE)
        return CACHE_SECONDARY;
    if (at.way == WAY_NONE)
        return cache_plan_claim(c, plan, CACHE_PRIMARY, r, 1, 0);
    return fifo_full(&c->miss_queue) ? cache_refusal(plan, REFUSE_MISS_QUEUE) : CACHE_PRIMARY;
}

/* Loads that wait for the line are older than the write. */
static enum cache_outcome plan_write(const struct cache_level *l, const struct request *r,
                                     struct cache_plan *plan) {
    const struct cache *c = &l->cache;
    const uint32_t way = plan->at.way;
    if (way == WAY_NONE)
        return cache_plan_claim(c, plan, CACHE_STORE, r, 0, 0);
    const bool drains =
        c->drain.granule != GRANULE_NONE && cache_line_of(c, c->drain.granule) == r->line;
    return drains || c->lines.pending[way] & mask_sector_bits(&r->mask)
               ? cache_refusal(plan, REFUSE_ORDER)
               : CACHE_STORE;
}

static enum cache_outcome plan_of(const struct cache_level *l, const struct request *r,
                                  struct cache_plan *plan) {
    const uint64_t granule = cache_granule(&l->cache, r);
    plan->at = cache_find(&l->cache, set_of(l, r->line), r->line, granule);
    return request_writes(r) ? plan_write(l, r, plan) : plan_load(l, r, plan);
}

/* ---- accept ---- */

/* The way gets the line; dirty bytes of the one before go to the next level. */
static void claim(struct cache_level *l, uint32_t way, const struct request *r) {
    struct cache *c = &l->cache;
    const struct lines *t = &c->lines;
    if (lines_dirty(t, way)) {
        const uint32_t number =
            cache_send(c, &c->miss_queue, REQUEST_WRITEBACK, t->line[way], &t->dirty[way]);
        if (c->context->carry)
            memcpy(data_of(l, number), lines_data(t, way), LINE_BYTES);
        stat_add(&l->stats, l->ids->writebacks, 1);
    }
    cache_claim(c, way, r->line, r);
}

static void accept_hit(struct cache_level *l, uint32_t number, uint32_t way, uint64_t cycle) {
    if (l->cache.context->carry)
        memcpy(data_of(l, number), lines_data(&l->cache.lines, way), LINE_BYTES);
    cache_touch(&l->cache, way);
    timed_fifo_push(&l->hits, number, cycle + l->latency);
    stat_add(&l->stats, l->ids->hits, 1);
}

static void accept_write(struct cache_level *l, uint32_t number, const struct cache_plan *plan) {
    struct cache *c = &l->cache;
    if (!plan->claim)
        cache_touch(c, plan->at.way);
    lines_store(&c->lines, plan->at.way, &request_of(l, number)->mask, data_of(l, number), true);
    request_give(&c->context->pool, number);
    stat_add(&l->stats, l->ids->stores, 1);
}

static void accept_miss(struct cache_level *l, uint32_t number, const struct cache_plan *plan) {
    cache_track(&l->cache, plan, number, cache_granule(&l->cache, request_of(l, number)));
    stat_add(&l->stats, plan->outcome == CACHE_PRIMARY ? l->ids->primary : l->ids->secondary, 1);
}

/* The head of the queue is accepted or refused. */
static void accept(struct cache_level *l, const struct cache_plan *plan, uint64_t cycle) {
    struct cache *c = &l->cache;
    const uint32_t number = fifo_peek(&l->in);
    const struct request *r = request_of(l, number);
    const enum refusal why = plan->outcome == CACHE_REFUSED ? plan->why
                             : cache_misses(plan)           ? cache_answer(c)
                                                            : REFUSE_NONE;
    if (why) {
        cache_refuse(c, r, why);
        return;
    }
    if (cache_misses(plan) && !cache_agrees(c, plan))
        return;
    if (plan->claim)
        claim(l, plan->at.way, r);
    fifo_pop(&l->in);
    stat_add(&l->stats, l->ids->accesses, 1);
    cache_accept(c);
    if (plan->outcome == CACHE_HIT)
        accept_hit(l, number, plan->at.way, cycle);
    else if (plan->outcome == CACHE_STORE)
        accept_write(l, number, plan);
    else
        accept_miss(l, number, plan);
}

/* ---- fill and drain ---- */

/* Shows the MSHR the reply that waits below. Returns its fetch, or REQUEST_NONE. */
static uint32_t present_return(struct cache_level *l) {
    const uint32_t number = memory_peek(&l->below, 0);
    if (number == REQUEST_NONE || !cache_expects(&l->cache, request_of(l, number)))
        return REQUEST_NONE;
    cache_return(&l->cache, request_of(l, number)->entry);
    return number;
}

static void begin_drain(struct cache_level *l, uint32_t fetch) {
    struct cache *c = &l->cache;
    memory_pop(&l->below, 0);
    cache_begin_drain(c, request_of(l, fetch)->entry);
    lines_fill(&c->lines, c->drain.way, cache_sectors(c, c->drain.granule), data_of(l, fetch));
    c->lines.flags[c->drain.way] |= WAY_PINNED;
    stat_add(&l->stats, l->ids->fills, 1);
}

/* A request that waited is answered. What the MSHR says of it counts: only a twin that drives says
 * anything else. */
static void respond(struct cache_level *l, uint32_t number) {
    struct cache *c = &l->cache;
    if (cache_watched(c))
        request_of(l, number)->entry = (uint16_t)c->mshr.out.rsp_id;
    if (c->context->carry)
        memcpy(data_of(l, number), lines_data(&c->lines, c->drain.way), LINE_BYTES);
    reply(l, number);
    if (!c->mshr.out.rsp_last)
        return;
    c->lines.flags[c->drain.way] &= (uint8_t)~WAY_PINNED;
    request_give(&c->context->pool, c->drain.fetch);
    cache_end_drain(c);
}

/* ---- the cycle ---- */

static void move_down(struct cache_level *l) {
    struct fifo *q = &l->cache.miss_queue;
    if (!q->count || memory_closed(&l->below))
        return;
    const uint32_t number = fifo_peek(q);
    if (memory_has_room(&l->below, request_writes(request_of(l, number))) &&
        memory_may_push(&l->below, number, 0))
        memory_push(&l->below, fifo_pop(q), addr_rest(l->map, request_of(l, number)->line), 0);
}

void cache_level_tick(struct cache_level *l, uint64_t cycle) {
    struct cache *c = &l->cache;
    struct cache_plan plan = {.outcome = CACHE_IDLE};
    if (l->hits.ready <= cycle && !fifo_full(&l->replies))
        reply(l, timed_fifo_pop(&l->hits));
    move_down(l);
    const uint32_t fetch = present_return(l);
    if (l->in.count) {
        const struct request *r = request_of(l, fifo_peek(&l->in));
        plan.outcome = plan_of(l, r, &plan);
        if (cache_misses(&plan))
            cache_ask(c, cache_granule(c, r), mask_first(&r->mask) % cache_granule_bytes(c),
                      r->entry);
    }
    const uint32_t leaves = cache_step(c, cycle, !fifo_full(&l->replies));
    if (leaves != REQUEST_NONE)
        respond(l, leaves);
    if (plan.outcome != CACHE_IDLE)
        accept(l, &plan, cycle);
    if (fetch != REQUEST_NONE && c->mshr.out.ret_ready)
        begin_drain(l, fetch);
}

uint64_t cache_level_next_event(const struct cache_level *l, uint64_t cycle, uint64_t instant) {
    const struct cache *c = &l->cache;
    if (l->in.count || c->miss_queue.count || mshr_unit_next_event(&c->mshr, false) == 0 ||
        memory_peek_in(&l->below, 0, instant) != REQUEST_NONE)
        return cycle;
    return l->hits.ready > cycle ? l->hits.ready : cycle;
}

/* ---- what the outside asks ---- */

void cache_level_carry(struct cache_level *l, bool on) {
    lines_carry(&l->cache.lines, on);
}

/* The bytes of the line that writes in the queue bring, in their order. */
static void read_writes(const struct cache_level *l, const struct fifo *q, uint64_t line,
                        uint8_t data[LINE_BYTES]) {
    for (uint32_t i = 0; i < q->count; i++) {
        const struct request *r = request_of(l, fifo_at(q, i));
        if (r->line == line && request_writes(r))
            mask_copy(data, data_of(l, fifo_at(q, i)), &r->mask);
    }
}

/* From old to new: what leaves, the line, what comes. */
void cache_level_read_line(const struct cache_level *l, uint64_t line, uint8_t data[LINE_BYTES]) {
    const struct lines *t = &l->cache.lines;
    const uint32_t way = lines_find(t, set_of(l, line), line);
    read_writes(l, &l->cache.miss_queue, line, data);
    if (way != WAY_NONE)
        mask_copy(data, lines_data(t, way), &t->valid[way]);
    read_writes(l, &l->in, line, data);
}

void cache_level_add_stats(const struct cache_level *l, uint64_t cycle, struct stats *to) {
    stats_add(to, &l->stats);
    stat_add(to, l->ids->cycles, cycle);
    cache_add_mshr_stats(&l->cache, &l->ids->mshr, cycle, to);
}

void cache_level_gauges(const struct cache_level *l, uint64_t cycle,
                        const struct gauge_reader *to) {
    const struct level *used = &l->cache.mshr.used;
    gauge_show(to, l->name, "requests in its MSHR", l->cache.mshr.capacity, level_area(used, cycle),
               cycle);
}

void cache_level_dump(const struct cache_level *l, FILE *out) {
    const struct request_pool *pool = &l->cache.context->pool;
    request_dump_fifo(pool, &l->in, l->name, l->channel, "request queue", out);
    request_dump_timed(pool, &l->hits, l->name, l->channel, "hit pipeline", out);
    request_dump_fifo(pool, &l->cache.miss_queue, l->name, l->channel, "miss queue", out);
    request_dump_fifo(pool, &l->replies, l->name, l->channel, "reply queue", out);
    mshr_unit_dump(&l->cache.mshr, out);
}
