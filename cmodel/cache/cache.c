// SPDX-License-Identifier: Apache-2.0
#include "cache/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation and destruction ---- */

void cache_init(struct cache *c, const struct cache_size *size, struct context *context,
                struct stats *stats, const struct refusal_stats *refusals) {
    *c = (struct cache){
        .context = context,
        .stats = stats,
        .sectored = size->sectored,
        .allocate_on_fill = size->allocate_on_fill,
        .refusals.ids = refusals,
        .evicts = &c->miss_queue,
        .bank = alloc_zeroed(size->banks, sizeof *c->bank),
        .banks = size->banks,
        .bank_entries = mshr_size_of(&size->mshr).heads,
    };
    for (uint32_t i = 0; i < c->banks; i++) {
        ring_init(&c->bank[i].filled, c->bank_entries);
        c->bank[i].drain =
            (struct miss){.granule = GRANULE_NONE, .first = REQUEST_NONE, .way = WAY_NONE};
    }
    ring_init(&c->miss_queue, size->miss_queue);
    misses_init(&c->misses, c->banks * c->bank_entries);
    lines_init(&c->lines, size->sets, size->ways);
}

int cache_init_mshr(struct cache *c, const struct cache_size *size, const char *name,
                    struct error *err) {
    char bank[BLOCK_NAME_MAX];
    for (uint32_t i = 0; i < c->banks; i++) {
        snprintf(bank, sizeof bank, c->banks == 1 ? "%s" : "%s.%u", name, (unsigned)i);
        if (mshr_unit_init(&c->bank[i].mshr, &c->context->blocks, &size->mshr, bank, err) != 0)
            return -1;
    }
    return 0;
}

void cache_free(struct cache *c) {
    for (uint32_t i = 0; i < c->policies.n_all; i++)
        if (c->policies.all[i].type->destroy)
            c->policies.all[i].type->destroy(c->policies.all[i].state);
    ring_free(&c->miss_queue);
    misses_free(&c->misses);
    lines_free(&c->lines);
    for (uint32_t i = 0; i < c->banks; i++) {
        mshr_unit_free(&c->bank[i].mshr);
        ring_free(&c->bank[i].filled);
    }
    free(c->bank);
}

/* ---- the MSHR ---- */

void cache_ask(struct cache *c, uint64_t granule, unsigned offset, uint32_t tag, bool write) {
    struct mshr_unit *u = &cache_bank_of(c, granule)->mshr;
    if (mshr_unit_knows(u, granule))
        mshr_unit_ask(u, granule, offset, tag, write);
}

/* Removes and returns the next request of the draining miss. If there is none, records a fault of
 * the run and returns REQUEST_NONE. */
static uint32_t leave_drain(struct cache *c, struct cache_bank *b) {
    const uint32_t number = b->drain.first;
    if (number == REQUEST_NONE)
        context_fail(c->context, CONTEXT_BROKEN, "%s: a response without a request",
                     b->mshr.block.inst.name);
    else
        b->drain.first = request_at(&c->context->pool, number)->next;
    return number;
}

uint32_t cache_step(struct cache *c, struct cache_bank *b, uint64_t cycle, bool room) {
    struct mshr_unit *u = &b->mshr;
    u->in.rsp_ready = room;
    mshr_unit_step(u, cycle);
    if (u->out.err)
        context_fail(c->context, CONTEXT_BROKEN, "%s: error %u", u->block.inst.name,
                     (unsigned)u->out.err);
    return u->out.rsp_valid && room ? leave_drain(c, b) : REQUEST_NONE;
}

void cache_end_drain(struct cache *c, struct cache_bank *b) {
    if (b->drain.first != REQUEST_NONE)
        context_fail(c->context, CONTEXT_BROKEN, "%s: the last response while requests still wait",
                     b->mshr.block.inst.name);
    request_give(&c->context->pool, b->drain.fetch);
    b->drain.first = REQUEST_NONE;
    b->drain.granule = GRANULE_NONE;
}

bool cache_agrees(struct cache *c, const struct cache_bank *b, const struct cache_plan *plan) {
    const struct mshr_unit *u = &b->mshr;
    const uint32_t entry = cache_miss_in(c, b, (uint32_t)u->out.req_head);
    const bool primary = u->out.req_primary != 0;
    if (u->capacity && mshr_unit_used(u) > u->capacity)
        context_fail(c->context, CONTEXT_BROKEN, "%s: holds more than %u requests",
                     u->block.inst.name, (unsigned)u->capacity);
    else if (primary && (u->out.req_head >= c->bank_entries || misses_has(&c->misses, entry)))
        context_fail(c->context, CONTEXT_BROKEN, "%s: allocates entry %u, which is not free",
                     u->block.inst.name, (unsigned)u->out.req_head);
    else if (primary == (plan->outcome == CACHE_PRIMARY))
        return true;
    else
        context_fail(c->context, CONTEXT_BROKEN,
                     "%s: reports a %s miss on a line that is %s in the tags", u->block.inst.name,
                     primary ? "primary" : "secondary", primary ? "pending" : "absent");
    return false;
}

/* ---- data ---- */

void cache_read_queue(const struct cache *c, const struct fifo *queue, uint64_t line,
                      uint8_t data[LINE_BYTES]) {
    for (uint32_t i = 0; i < queue->count; i++) {
        const uint32_t number = *ring_at(queue, i);
        const struct request *r = cache_request(c, number);
        if (r->line == line && request_writes(r))
            mask_copy(data, cache_data(c, number), &r->mask);
    }
}

/* ---- accept ---- */

uint32_t cache_send(struct cache *c, struct fifo *queue, enum request_kind kind, uint64_t line,
                    const struct byte_mask *mask) {
    struct request_pool *pool = &c->context->pool;
    const uint32_t number = request_take(pool);
    struct request *r = request_at(pool, number);
    r->line = line;
    r->mask = *mask;
    r->origin = (struct request_origin){0};
    r->version = 0;
    r->kind = (uint8_t)kind;
    r->reply = r->local = r->bypass = r->result = false;
    r->l2 = (struct request_l2){.parent = REQUEST_NONE};
    ring_push(queue, number);
    return number;
}

/* noinline: otherwise the L1D's function for a cycle would save registers for this call. */
__attribute__((noinline)) uint32_t cache_write_back(struct cache *c, uint64_t line,
                                                    const struct byte_mask *mask,
                                                    const uint8_t *from) {
    const uint32_t number = cache_send(c, c->evicts, REQUEST_WRITEBACK, line, mask);
    if (from)
        memcpy(cache_data(c, number), from, LINE_BYTES);
    return number;
}

static void begin_miss(struct cache *c, uint32_t number, uint64_t granule,
                       const struct cache_place *place) {
    struct request_pool *pool = &c->context->pool;
    const struct cache_bank *b = cache_bank_of(c, granule);
    const uint32_t entry = cache_miss_in(c, b, (uint32_t)b->mshr.out.req_head);
    const struct request *r = request_at(pool, number);
    const struct byte_mask bytes = cache_bytes(c, granule);
    struct miss *m = misses_add(&c->misses, entry, granule);
    m->first = m->last = number;
    m->way = place->way;
    m->set = place->set;
    m->writes = request_writes(r);
    m->fetch = cache_send(c, &c->miss_queue, REQUEST_LOAD, cache_line_of(c, granule), &bytes);
    request_at(pool, m->fetch)->origin = r->origin;
    request_at(pool, m->fetch)->entry = (uint16_t)b->mshr.out.req_head;
    if (place->way != WAY_NONE)
        c->lines.way[place->way].pending |= (uint8_t)cache_sectors(c, granule);
}

static void join_miss(struct cache *c, uint32_t number, uint32_t entry) {
    struct request_pool *pool = &c->context->pool;
    struct miss *m = &c->misses.miss[entry];
    request_at(pool, m->last)->next = number;
    m->last = number;
    m->writes |= request_writes(request_at(pool, number));
}

void cache_track(struct cache *c, const struct cache_plan *plan, uint32_t number,
                 uint64_t granule) {
    if (plan->outcome == CACHE_PRIMARY)
        begin_miss(c, number, granule, &plan->place);
    else
        join_miss(c, number, plan->place.miss);
    if (plan->place.way != WAY_NONE && !plan->claim)
        cache_touch(c, plan->place.way);
}

/* ---- fill ---- */

bool cache_expects(struct cache *c, const struct request *reply) {
    const uint32_t miss = cache_miss_of(c, reply);
    if (reply->entry < c->bank_entries && misses_has(&c->misses, miss) &&
        cache_line_of(c, c->misses.miss[miss].granule) == reply->line)
        return true;
    context_fail(c->context, CONTEXT_BROKEN,
                 "%s: a reply for line 0x%llx, entry %u, for which no request waits",
                 c->bank->mshr.block.inst.name, (unsigned long long)reply->line * LINE_BYTES,
                 (unsigned)reply->entry);
    return false;
}

/* ---- counting ---- */

/* noinline: otherwise cache_refuse would save registers for this call. */
__attribute__((noinline)) static void count_in_kernel(struct cache *c, const struct request *r,
                                                      enum refusal why, unsigned seen) {
    refusals_count(c->refusals.ids, c->kernel_stats[r->origin.kernel], why, seen);
}

bool cache_refuse(struct cache *c, const struct request *r, enum refusal why) {
    struct refusals *f = &c->refusals;
    const uint8_t seen = f->seen;
    if (why == REFUSE_WALK) {
        cache_count(c, r, f->ids->reason[REFUSE_WALK]);
        return false;
    }
    refusals_count(f->ids, c->stats, why, seen);
    if (c->kernel_stats)
        count_in_kernel(c, r, why, seen);
    f->seen = (uint8_t)(seen | refusal_class(why));
    f->last = why;
    f->counted++;
    return false;
}

void cache_advance(struct cache *c, const struct request *r, uint64_t cycles) {
    refusals_advance(&c->refusals, c->stats, cycles);
    if (c->kernel_stats)
        refusals_advance(&c->refusals, c->kernel_stats[r->origin.kernel], cycles);
}

void cache_add_mshr_stats(const struct cache *c, const struct cache_mshr_stats *ids, uint64_t cycle,
                          struct stats *to) {
    for (uint32_t i = 0; i < c->banks; i++) {
        const struct mshr_unit *u = &c->bank[i].mshr;
        stat_add(to, ids->busy, level_busy(&u->used, cycle));
        stat_add(to, ids->slots, level_area(&u->used, cycle));
        stat_add(to, ids->capacity, level_busy(&u->used, cycle) * u->capacity);
    }
}
