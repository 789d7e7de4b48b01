// SPDX-License-Identifier: Apache-2.0
/* Executes reads, writes and atomics on the lines of an L2 bank, receives data from DRAM, and
 * drains misses. */
#include <string.h>

#include "cache/request_tag.h"
#include "l2/inside.h"

/* ---- replies ---- */

static void push_reply(struct l2 *l2, uint32_t number) {
    struct request *p = l2_request(l2, number);
    p->reply = true;
    request_note(&l2->cache.context->pool, number, MARK_REPLIED, l2->cache.context->time);
    l2_push_reply(l2, number);
    l2->cache.context->progress++;
}

static void plant_second_reply(struct l2 *l2, uint32_t number) {
    struct context *c = l2->cache.context;
    if (l2_replies_full(l2) || !context_plant(c, PLANT_DOUBLE_REPLY))
        return;
    uint32_t twin = request_take(&c->pool);
    *request_at(&c->pool, twin) = *request_at(&c->pool, number);
    *request_times(&c->pool, twin) = *request_times(&c->pool, number);
    if (c->carry)
        memcpy(request_data(&c->pool, twin), request_data(&c->pool, number), LINE_BYTES);
    push_reply(l2, twin);
}

/* Returns the request itself, or the request that it is a part of. */
static uint32_t parent_of(const struct l2 *l2, uint32_t number) {
    uint32_t parent = l2_request(l2, number)->l2.parent;
    return parent == REQUEST_NONE ? number : parent;
}

/* True if only one part of the request is left. A request gets the times of its last part. */
static bool is_last(const struct l2 *l2, uint32_t parent) {
    return l2_request(l2, parent)->l2.parts == 1;
}

/* Completes a part. The reply is sent when the last part completes. The reply queue must have
 * room. */
static void finish_request(struct l2 *l2, uint32_t number) {
    struct request_pool *pool = &l2->cache.context->pool;
    uint32_t parent = parent_of(l2, number);
    struct request *p = request_at(pool, parent);
    bool last = --p->l2.parts == 0;
    if (parent != number)
        request_give(pool, number);
    if (!last)
        return;
    bool load = p->kind == REQUEST_LOAD;
    if (load && context_plant(l2->cache.context, PLANT_LOSE_REPLY)) {
        request_give(pool, parent);
        return;
    }
    push_reply(l2, parent);
    if (load)
        plant_second_reply(l2, parent);
}

/* ---- reads, writes, atomics ---- */

/* True if the planted fault loses a store to this line. From the first opportunity on, all
 * stores to one line are lost. */
static bool store_lost(struct l2 *l2, uint64_t line) {
    if (!l2->cache.context->carry)
        return false;
    if (context_plant(l2->cache.context, PLANT_LOSE_STORE))
        l2->cache.context->plant_line = line;
    return l2->cache.context->plant_line == line;
}

/* True if the bytes of a store are in DRAM: the bank writes through, or they were written when the
 * store missed. No store to a draining granule hits. */
static bool is_written(const struct l2 *l2, uint64_t granule) {
    return l2_through(l2) || (l2->store_to_dram && granule == l2->cache.bank->drain.granule);
}

/* Writes the bytes to the way, and to DRAM if the bank writes through. */
static void apply(struct l2 *l2, uint32_t way, uint64_t granule, const struct byte_mask *mask,
                  const uint8_t *data, bool dirty) {
    lines_store(&l2->cache.lines, way, mask, data, dirty);
    if (!l2_through(l2))
        return;
    l2_push_write(l2, l2->cache.lines.line[way], mask, cache_way_data(&l2->cache, way));
    stat_add(&l2->stats, STAT_l2_write_throughs, 1);
    if (l2->write != L2_WEWN)
        return;
    if (granule == l2->cache.bank->drain.granule)
        l2->drain_wrote = true; /* later requests still need the line */
    else
        l2_drop_granule(l2, way, granule);
}

/* Copies the granule's bytes from `from` to the reply. */
static void give_data(struct l2 *l2, uint32_t number, uint64_t granule, const uint8_t *from) {
    const struct byte_mask bytes = cache_bytes(&l2->cache, granule);
    if (l2->cache.context->carry)
        mask_copy(request_data(&l2->cache.context->pool, parent_of(l2, number)), from, &bytes);
}

static void serve_atomic(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule,
                         const uint8_t *data, const struct byte_mask *mask) {
    uint8_t old[LINE_BYTES];
    bool lost = false;
    if (l2->cache.context->carry) {
        memcpy(old, lines_data(&l2->cache.lines, way), LINE_BYTES);
        lost = context_plant(l2->cache.context, PLANT_LOST_UPDATE);
    }
    stat_add(&l2->stats, STAT_l2_atomics, 1);
    apply(l2, way, granule, mask, lost ? NULL : data, !l2_through(l2));
    give_data(l2, number, granule, old);
}

void l2_serve(struct l2 *l2, uint32_t number, uint32_t way, uint64_t granule, const uint8_t *data,
              const struct byte_mask *mask) {
    const struct request *p = l2_request(l2, number);
    if (p->kind == REQUEST_ATOMIC)
        serve_atomic(l2, number, way, granule, data, mask);
    else if (request_writes(p))
        apply(l2, way, granule, mask, store_lost(l2, p->line) ? NULL : data,
              !is_written(l2, granule));
    else
        give_data(l2, number, granule, cache_way_data(&l2->cache, way));
    finish_request(l2, number);
}

void l2_write_through(struct l2 *l2, uint32_t number, const struct byte_mask *mask) {
    l2_push_write(l2, l2_request(l2, number)->line, mask, cache_data(&l2->cache, number));
    stat_add(&l2->stats, STAT_l2_write_throughs, 1);
}

void l2_serve_around(struct l2 *l2, uint32_t number, const struct byte_mask *mask) {
    if (!store_lost(l2, l2_request(l2, number)->line))
        l2_write_through(l2, number, mask);
    finish_request(l2, number);
}

/* ---- data from DRAM ---- */

/* Returns the way for a fill if ways are allocated on a fill: the way with other sectors of the
 * line, or else the victim. In the same cycle, an access may use or even claim that way, so an
 * evict buffer entry is reserved for the way's dirty bytes. */
static uint32_t way_for_fill(const struct l2 *l2, const struct request *r) {
    const struct cache *c = &l2->cache;
    const struct miss *m = &c->misses.miss[r->entry];
    const uint32_t way = lines_find(&c->lines, m->set, r->line);
    return way != WAY_NONE ? way : cache_victim(c, m->set, l2_request(l2, m->first));
}

/* Returns the fetch whose data wait at DRAM, or REQUEST_NONE. */
static inline uint32_t find_arrived(struct l2 *l2) {
    const uint32_t number = dram_peek(l2->to.dram, l2->local_bank);
    if (number == REQUEST_NONE)
        return REQUEST_NONE;
    const struct request *r = l2_request(l2, number);
    return !r->l2.bypass && cache_expects(&l2->cache, r) ? number : REQUEST_NONE;
}

uint32_t l2_present_return(struct l2 *l2) {
    l2->fill_way = WAY_NONE;
    uint32_t entry;
    if (l2->gpgpusim) {
        if (!l2->cache.bank->filled.count)
            return MISS_NONE;
        entry = *ring_first(&l2->cache.bank->filled);
    } else {
        const uint32_t number = find_arrived(l2);
        if (number == REQUEST_NONE)
            return MISS_NONE;
        entry = l2_request(l2, number)->entry;
        if (l2->cache.allocate_on_fill) {
            l2->fill_way = way_for_fill(l2, l2_request(l2, number));
            if (l2->fill_way == WAY_NONE)
                return MISS_NONE;
        }
    }
    cache_return(&l2->cache, entry);
    return entry;
}

__attribute__((cold, noinline)) static void copy_dram_marks(struct request_marks *to,
                                                            const struct request_marks *fetch) {
    to->at[MARK_DRAM_BEGIN] = fetch->at[MARK_DRAM_BEGIN];
    to->at[MARK_DRAM_READ] = fetch->at[MARK_DRAM_READ];
    to->dram_row = fetch->dram_row;
    to->dram_bank = fetch->dram_bank;
    to->opened = fetch->opened;
}

/* Sets the times of a request from its fetch, request `number`. The request's wait for DRAM begins
 * when the request joins the fetch (`since`) or when the fetch is sent, whichever is later. */
static void note_fetch(const struct l2 *l2, uint32_t parent, uint64_t since, uint32_t number) {
    struct request_pool *pool = &l2->cache.context->pool;
    struct request_times *t = request_times(pool, parent);
    const struct request_times *fetch = request_times(pool, number);
    t->to_dram = since < fetch->to_dram ? fetch->to_dram : since;
    t->from_dram = fetch->from_dram;
    t->dram_line = fetch->dram_line;
    if (__builtin_expect(pool->marks != NULL, 0))
        copy_dram_marks(&pool->marks[parent], &pool->marks[number]);
}

void l2_take_bypass(struct l2 *l2) {
    struct context *c = l2->cache.context;
    const uint32_t number = dram_peek(l2->to.dram, l2->local_bank);
    if (number == REQUEST_NONE || l2_replies_full(l2) || !l2_request(l2, number)->l2.bypass)
        return;
    struct request *r = l2_request(l2, number);
    struct request_times *t = request_times(&c->pool, number);
    const uint32_t parent = parent_of(l2, number);
    r->l2.bypass = false;
    t->from_dram = c->time;
    if (is_last(l2, parent))
        note_fetch(l2, parent, t->to_dram, number);
    dram_pop(l2->to.dram, l2->local_bank);
    if (parent != number && c->carry) {
        const struct byte_mask bytes = mask_of_sectors(mask_sector_bits(&r->mask));
        mask_copy(cache_data(&l2->cache, parent), cache_data(&l2->cache, number), &bytes);
    }
    finish_request(l2, number);
}

/* Claims the way for a fetch, unless the way already holds other sectors of the line. */
static void claim_on_fill(struct l2 *l2, struct miss *m, uint64_t line) {
    l2->cache.reservations -= !l2_through(l2);
    m->way = l2->fill_way;
    if (l2->cache.lines.line[m->way] == line)
        return;
    l2_claim(l2, m->way, line, l2_request(l2, m->first));
    cache_note_fill(&l2->cache, m->way);
}

/* Fills the way with the data of a fetch. */
static void fill_line(struct l2 *l2, uint32_t number) {
    struct cache *c = &l2->cache;
    const struct request *r = l2_request(l2, number);
    struct miss *m = &c->misses.miss[r->entry];
    if (c->allocate_on_fill)
        claim_on_fill(l2, m, r->line);
    lines_fill(&c->lines, m->way, cache_sectors(c, m->granule), cache_data(&l2->cache, number));
    request_times(&c->context->pool, number)->from_dram = c->context->time;
    dram_pop(l2->to.dram, l2->local_bank);
    stat_add(&l2->stats, STAT_l2_fills, 1);
}

bool l2_take_early(struct l2 *l2) {
    struct cache *c = &l2->cache;
    const uint32_t number = find_arrived(l2);
    if (number == REQUEST_NONE)
        return false;
    const uint32_t entry = l2_request(l2, number)->entry;
    struct miss *m = &c->misses.miss[entry];
    fill_line(l2, number);
    c->lines.way[m->way].pending |= (uint8_t)cache_sectors(c, m->granule);
    m->filled = true;
    ring_push(&l2->cache.bank->filled, entry);
    request_prefetch(&c->context->pool, m->first);
    c->context->progress++;
    return true;
}

void l2_begin_drain(struct l2 *l2, uint32_t entry) {
    struct cache *c = &l2->cache;
    if (l2->gpgpusim) {
        const struct miss *m = &c->misses.miss[ring_pop(&l2->cache.bank->filled)];
        c->lines.way[m->way].pending &= (uint8_t)~cache_sectors(c, m->granule);
    } else {
        fill_line(l2, dram_peek(l2->to.dram, l2->local_bank));
    }
    cache_begin_drain(c, entry);
    c->lines.way[c->bank->drain.way].flags |= WAY_PINNED;
    l2->drain_wrote = false;
}

/* ---- the drain ---- */

static void end_drain(struct l2 *l2) {
    struct cache *c = &l2->cache;
    c->lines.way[c->bank->drain.way].flags &= (uint8_t)~WAY_PINNED;
    if (l2->drain_wrote && l2->write == L2_WEWN)
        l2_drop_granule(l2, c->bank->drain.way, c->bank->drain.granule);
    cache_end_drain(c, c->bank);
}

/* Updates the request from the MSHR's response. The two can differ only if a twin is in drive. */
static void heed_response(struct request *r, const struct mshr_unit *u) {
    if (mshr_unit_tag(u) != request_tag(r))
        request_set_tag(r, mshr_unit_tag(u));
    if (request_writes(r) != mshr_unit_writes(u))
        r->kind = mshr_unit_writes(u) ? REQUEST_STORE : REQUEST_LOAD;
}

/* Returns the bytes that a response writes, as a mask over the whole line. */
static struct byte_mask response_mask(const struct l2 *l2) {
    const uint32_t *from = mshr_unit_mask(&l2->cache.bank->mshr);
    struct byte_mask mask = {{0, 0}};
    if (!l2->cache.sectored) {
        memcpy(mask.w, from, sizeof mask.w);
        return mask;
    }
    uint32_t sector;
    const unsigned offset = cache_offset(&l2->cache, l2->cache.bank->drain.granule);
    memcpy(&sector, from, sizeof sector);
    mask.w[offset / 64] = (uint64_t)sector << offset % 64;
    return mask;
}

static void serve_response(struct l2 *l2, uint32_t number) {
    const struct cache *c = &l2->cache;
    const struct request *r = l2_request(l2, number);
    const uint64_t granule = c->bank->drain.granule;
    if (!request_writes(r) || !c->context->carry) {
        const struct byte_mask bytes = cache_bytes(c, granule);
        const struct byte_mask mask = mask_both(&r->mask, &bytes);
        l2_serve(l2, number, c->bank->drain.way, granule, NULL, &mask);
        return;
    }
    uint8_t data[LINE_BYTES];
    const struct byte_mask mask = response_mask(l2);
    memcpy(data + cache_offset(c, granule), mshr_unit_data(&c->bank->mshr), cache_granule_bytes(c));
    l2_serve(l2, number, c->bank->drain.way, granule, data, &mask);
}

/* Uses a reserved evict buffer entry for a write-through to DRAM. If there is no reservation,
 * records a fault and returns false. */
static bool redeem_place(struct l2 *l2) {
    if (l2->cache.reservations) {
        l2->cache.reservations--;
        return true;
    }
    context_fail(l2->cache.context, CONTEXT_BROKEN,
                 "%s: a response writes to DRAM without a reservation",
                 l2->cache.bank->mshr.block.inst.name);
    return false;
}

void l2_take_response(struct l2 *l2, uint32_t number) {
    struct request_pool *pool = &l2->cache.context->pool;
    const struct mshr_unit *u = &l2->cache.bank->mshr;
    struct request *r = l2_request(l2, number);
    const uint32_t parent = parent_of(l2, number);
    l2->cache.context->progress++; /* even if only a part of a request leaves */
    const bool heed = cache_watched(&l2->cache);
    if (heed)
        heed_response(r, u);
    if (is_last(l2, parent))
        note_fetch(l2, parent, request_times(pool, number)->to_dram, l2->cache.bank->drain.fetch);
    if (heed && parent != number)
        heed_response(l2_request(l2, parent), u);
    if (request_writes(r) && l2_through(l2) && !redeem_place(l2))
        return;
    serve_response(l2, number);
    if (u->out.rsp_last)
        end_drain(l2);
}
