// SPDX-License-Identifier: Apache-2.0
/* Creates, ticks and destroys an L1D, drops its lines between launches, and reports its
 * statistics. */
#include "l1d/carveouts.h"
#include "l1d/l1d.h"

#include <assert.h>
#include <stdlib.h>

#include "kernel/kernel.h"
#include "l1d/inside.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "policy/policies.h"

#define L1D_ID_W 8 /* minimum width in bits of a load table index, as in synthesis and proofs */

static const struct refusal_stats refusal_stats = {
    REFUSAL_STATS_OF(l1d, response_queue),
    .reason[REFUSE_WALK] = STAT_l1d_tail_walk_cycles,
    .reason[REFUSE_BYPASS_LIMIT] = STAT_l1d_refusals_bypass_limit,
    .reason[REFUSE_BYPASS_QUEUE] = STAT_l1d_refusals_bypass_queue,
};

uint64_t l1d_longest_wait(const struct config *cfg) {
    return (uint64_t)cfg->l1d_hit_latency;
}

/* ---- creation and destruction ---- */

static struct cache_size size_of(const struct config *cfg) {
    const int64_t id_w = bits_to_hold((uint64_t)cfg->sm_pending_loads - 1);
    struct cache_size size = CACHE_SIZE_OF(cfg, l1d, cfg->sm_coalesce == COALESCE_SECTOR,
                                           id_w > L1D_ID_W ? id_w : L1D_ID_W, 0);
    size.banks = l1d_banks(cfg);
    return size;
}

/* Adds up the capacities of the miss queue, the response queue, the hit pipeline and the fill
 * buffers, the maximum number of requests that a tick completes, and the maximum number of requests
 * that wait for fetches. The number of waiting requests is limited by the MSHRs and by the accesses
 * in flight. With l1d.model=gpgpusim, filled misses wait with their fetches. */
uint64_t l1d_requests(const struct config *cfg) {
    const struct cache_size cache = size_of(cfg);
    const struct mshr_size mshr = mshr_size_of(&cache.mshr);
    const uint64_t tracked = cache.banks * mshr_size_requests(&mshr);
    const uint64_t out = (uint64_t)cfg->sm_pending_loads * LOAD_MAX_ACCESSES;
    const int64_t queues = cfg->l1d_miss_queue + cfg->l1d_response_queue + 2 +
                           cache.banks * (cfg->l1d_hit_latency + 1);
    const uint64_t filled =
        cfg->l1d_model == MODEL_GPGPUSIM ? (uint64_t)cache.banks * mshr.heads : 0;
    return (uint64_t)queues + filled + (tracked < out ? tracked : out);
}

static void set_keys(struct l1d *l1, const struct config *cfg) {
    l1->enabled = cfg->l1d_enabled != 0;
    l1->write = (uint8_t)cfg->l1d_write;
    l1->bypass_full = (uint8_t)cfg->l1d_bypass_full;
    l1->bypass_limit = cfg->l1d_bypass_slots ? (uint32_t)cfg->l1d_bypass_slots : UINT32_MAX;
    /* If l1d.model=gpgpusim, the pipeline in front of the tags accounts for the other latency
     * cycles. */
    l1->hit_latency = cfg->l1d_model == MODEL_GPGPUSIM ? 1 : (uint32_t)cfg->l1d_hit_latency;
    l1->fills_early = cfg->l1d_model == MODEL_GPGPUSIM;
    l1->mshr_shared = cfg->l1d_mshr_shared && cfg->l1d_banks > 1;
    l1->miss_room = (uint32_t)cfg->l1d_miss_room;
    l1->set_index = (enum set_index)cfg->l1d_set_index;
    l1->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l1->port = l1->sm / (uint32_t)cfg->icnt_sms_per_port;
}

static int add_policies(struct l1d *l1, const struct config *cfg, uint32_t kernels,
                        struct error *err) {
    const struct cache_policy_env env = {
        .cfg = cfg, .map = l1->to.map, .sm = l1->sm, .kernels = kernels};
    const struct cache *lead = l1->to.leader ? &l1->to.leader->cache : NULL;
    const struct cache_policy *chosen[CACHE_POLICIES];
    const uint32_t n = l1->enabled ? l1d_policies(cfg, chosen) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (cache_add_policy(&l1->cache, chosen[i], &env, lead, err) != 0)
            return -1;
    return 0;
}

int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context,
             const struct l1d_ports *ports, struct stats *stats, uint32_t sm, struct error *err) {
    const struct cache_size size = size_of(cfg);
    char name[BLOCK_NAME_MAX];
    *l1 = (struct l1d){.to = *ports, .sm = sm};
    set_keys(l1, cfg);
    for (uint32_t i = 0; i < L1D_MAX_BANKS; i++)
        l1->look[i] = GRANULE_NONE;
    snprintf(name, sizeof name, "l1d.%u.mshr", (unsigned)sm);
    cache_init(&l1->cache, &size, context, stats, &refusal_stats);
    l1->cache.lines.written_percent = (uint32_t)cfg->l1d_written_percent;
    l1->version = alloc_zeroed(lines_count(&l1->cache.lines), sizeof *l1->version);
    timed_fifo_init(&l1->hits, l1->hit_latency * size.banks);
    ring_init(&l1->responses, (uint32_t)cfg->l1d_response_queue);
    if (l1->enabled && cache_init_mshr(&l1->cache, &size, name, err) != 0)
        return -1;
    l1->active = l1->enabled ? (uint32_t)bits_low(size.banks) : 0; /* the MSHRs are in reset */
    return add_policies(l1, cfg, 1, err);
}

int l1d_use_kernels(struct l1d *l1, const struct config *cfg, struct stats *const *kernel_stats,
                    uint32_t kernels, struct error *err) {
    l1->cache.kernel_stats = kernel_stats;
    return add_policies(l1, cfg, kernels, err);
}

void l1d_free(struct l1d *l1) {
    ring_free(&l1->hits);
    ring_free(&l1->responses);
    free(l1->version);
    free(l1->tickets.ticket);
    cache_free(&l1->cache);
}

/* ---- a cycle ---- */

/* Moves the oldest hit, or one per bank, from the hit pipeline to the response queue if the queue
 * has room. The drain of the MSHR that has run its cycle has priority. */
static void leave_pipeline(struct l1d *l1, uint64_t cycle) {
    for (uint32_t n = l1->cache.banks; n && l1->hits.ready <= cycle && !ring_full(&l1->responses);
         n--)
        l1d_respond(l1, timed_fifo_pop(&l1->hits), NULL);
}

static uint32_t bank_of(struct l1d *l1, uint32_t number) {
    struct context *c = l1->cache.context;
    const uint32_t bank = addr_bank(l1->to.map, request_at(&c->pool, number)->line);
    const uint32_t banks = l1->to.map->partitions * l1->to.map->banks;
    return banks > 1 && context_plant(c, PLANT_WRONG_BANK) ? (bank + 1) % banks : bank;
}

static void move_miss(struct l1d *l1) {
    struct cache *c = &l1->cache;
    if (!c->miss_queue.count || !xbar_can_push(l1->to.req, l1->port))
        return;
    const uint32_t number = ring_pop(&c->miss_queue);
    const struct request *r = request_at(&c->context->pool, number);
    const uint32_t bank = bank_of(l1, number);
    if (c->policies.listeners)
        cache_tell_send(c, r, bank);
    request_times(&c->context->pool, number)->to_icnt = c->context->time;
    xbar_push(l1->to.req, l1->port, number, bank, request_flits(r, l1->flit_bytes), 1);
}

/* Updates the request from the MSHR's response. The two can differ only if a twin is in drive. */
static void heed_response(struct l1d *l1, const struct cache_bank *b, struct request *r) {
    const unsigned first = cache_offset(&l1->cache, b->drain.granule) + mshr_unit_offset(&b->mshr);
    r->origin.load = (uint16_t)mshr_unit_tag(&b->mshr);
    if (mask_first(&r->mask) != first)
        r->mask = mask_range(first % LINE_BYTES, 1);
}

/* Responds from the fill buffer to a request that waited for a fetch, and copies the fetch's
 * times to the request. */
static void respond_from_fill(struct l1d *l1, struct cache_bank *b, uint32_t number) {
    struct cache *c = &l1->cache;
    struct request_pool *pool = &c->context->pool;
    struct request_times *times = request_times(pool, number);
    const uint64_t l1d_accept = times->l1d_accept;
    if (cache_watched(c))
        heed_response(l1, b, request_at(pool, number));
    *times = *request_times(pool, b->drain.fetch);
    times->l1d_accept = l1d_accept;
    if (__builtin_expect(pool->marks != NULL, 0))
        pool->marks[number] = pool->marks[b->drain.fetch];
    l1d_respond(l1, number, cache_data(c, b->drain.fetch));
    if (!b->mshr.out.rsp_last)
        return;
    cache_end_drain(c, b);
    l1->drain_turn = (l1->draining + 1) & (c->banks - 1);
}

/* True if the request may need the MSHR. */
static bool asks_l2(const struct request *r) {
    return r->kind == REQUEST_LOAD && !r->bypass;
}

/* Lets the MSHR of a granule look it up for the next cycle: that of the request if the MSHR does
 * not know it yet, or else that of the request after it. Both are known early in the cycle. Whether
 * the request is accepted is known only late in the cycle. */
static void look_up(struct l1d *l1, const struct request *r, bool accepted,
                    const struct request *next) {
    const struct cache *c = &l1->cache;
    const bool unknown =
        asks_l2(r) &&
        !mshr_unit_knows(&cache_bank_of(c, cache_granule(c, r))->mshr, cache_granule(c, r));
    const struct request *first = unknown ? r : accepted && next && asks_l2(next) ? next : NULL;
    if (first)
        l1->look[cache_bank_of(c, cache_granule(c, first)) - c->bank] = cache_granule(c, first);
}

/* Predicts the request after the offered one. Returns NULL if there is no prediction. */
static const struct request *next_of(const struct l1d *l1, struct request *next) {
    return l1->to.next && l1->to.next(l1->to.source, next) ? next : NULL;
}

/* Ends the MSHRs' cycle, if a lookup takes two cycles. */
static void look_in_banks(struct l1d *l1) {
    for (uint32_t i = 0; i < l1->cache.banks; i++) {
        cache_look(&l1->cache.bank[i], l1->look[i]);
        l1->look[i] = GRANULE_NONE;
    }
}

static enum cache_effect effect_of(const struct l1d *l1, const struct request *r, bool kept) {
    if (r->kind == REQUEST_LOAD)
        return r->bypass ? CACHE_PASSES : CACHE_READS;
    if (r->kind == REQUEST_ATOMIC)
        return CACHE_EVICTS;
    if (kept)
        return CACHE_WRITES;
    return l1->write == L1D_WEWN || l1->write == L1D_LOCAL_WBWN ? CACHE_EVICTS : CACHE_UPDATES;
}

static void tell_policies(struct l1d *l1, const struct request *r, const struct cache_plan *plan,
                          bool accepted, bool refused) {
    struct cache *c = &l1->cache;
    const struct cache_event e = {
        .accepted = accepted,
        .refused = refused,
        .why = refused ? c->refusals.last : REFUSE_NONE,
        .use = c->use,
        .outcome = plan->outcome,
        .effect = accepted ? effect_of(l1, r, plan->outcome == CACHE_STORE) : CACHE_PASSES,
        .set = plan->place.set,
        .way = plan->place.way,
    };
    cache_tell_policies(c, r, &e);
}

/* Returns the reply that waits for the L1D, or REQUEST_NONE. Replies with kernel code are for
 * the instruction cache (icache/icache.h). */
static uint32_t reply_of(const struct l1d *l1) {
    const uint32_t reply = xbar_peek(l1->to.reply, l1->sm);
    const bool code =
        reply != REQUEST_NONE && line_is_code(request_at(&l1->cache.context->pool, reply)->line);
    return code ? REQUEST_NONE : reply;
}

/* Chooses the bank whose drain may respond in this cycle, from drain_turn on. */
static void choose_drain(struct l1d *l1) {
    const struct cache *c = &l1->cache;
    l1->draining = l1->drain_turn;
    for (uint32_t n = l1->active ? c->banks : 0; n && !c->bank[l1->draining].mshr.draining; n--)
        l1->draining = (l1->draining + 1) & (c->banks - 1);
}

/* Runs the cycle of a bank's MSHR, from which a response may leave. */
static void step_bank(struct l1d *l1, uint32_t i, uint64_t cycle) {
    struct cache_bank *b = &l1->cache.bank[i];
    const bool room = i == l1->draining && !ring_full(&l1->responses);
    const uint32_t leaves = cache_step(&l1->cache, b, cycle, room);
    if (leaves != REQUEST_NONE)
        respond_from_fill(l1, b, leaves);
    l1->stepped |= 1u << i;
    if (cache_bank_idle(b, false))
        l1->active &= ~(1u << i);
    else
        l1->active |= 1u << i;
}

/* Offers the request of a miss to the MSHR of its bank and runs the MSHR's cycle. */
static void ask_mshr(struct l1d *l1, const struct request *r, uint64_t cycle) {
    struct cache *c = &l1->cache;
    const uint64_t granule = cache_granule(c, r);
    cache_ask(c, granule, mask_first(&r->mask) - cache_offset(c, granule), r->origin.load, false);
    step_bank(l1, (uint32_t)(cache_bank_of(c, granule) - c->bank), cycle);
}

#ifdef MEMTWIN_CHECKED
/* Checks that the banks outside `active`, whose cycle is left out, are idle. */
static void check_active(const struct l1d *l1) {
    for (uint32_t i = 0; i < l1->cache.banks && l1->enabled; i++)
        if (!(l1->active >> i & 1) && !cache_bank_idle(&l1->cache.bank[i], false))
            context_fail(l1->cache.context, CONTEXT_INTERNAL,
                         "L1D %u: bank %u has work, but is not among the active banks",
                         (unsigned)l1->sm, (unsigned)i);
}
#else
static inline void check_active(const struct l1d *l1) {
    (void)l1;
}
#endif

/* Runs the cycle of the active banks that no request has asked. */
static void step_banks(struct l1d *l1, uint64_t cycle) {
    check_active(l1);
    for (uint32_t left = l1->active & ~l1->stepped; left; left &= left - 1)
        step_bank(l1, bits_lowest(left), cycle);
}

/* flatten: the called functions are in other files, and too large to be inlined otherwise. */
__attribute__((flatten)) bool l1d_tick(struct l1d *l1, const struct request *r, uint64_t cycle) {
    struct cache *c = &l1->cache;
    l1->progress = c->context->progress;
    l1->refused = c->refusals.counted;
    l1->n_done = l1->stepped = 0;
    if (c->banks > 1)
        choose_drain(l1);
    move_miss(l1);
    l1->reply = reply_of(l1);
    cache_begin_cycle(c, r, cycle);
    struct cache_plan plan = {0};
    plan.outcome = l1d_plan(l1, r, &plan);
    l1->shown = l1->enabled && l1d_present_fills(l1, l1->reply);
    if (cache_misses(&plan))
        ask_mshr(l1, r, cycle);
    if (c->banks == 1)
        step_banks(l1, cycle);
    leave_pipeline(l1, cycle);
    const bool accepted = l1d_accept(l1, r, &plan, cycle);
    if (accepted && plan.turned && plan.outcome != CACHE_BYPASS)
        stat_add(c->stats, STAT_l1d_bypass_fallbacks, 1);
    struct request next;
    if (c->bank->mshr.looks && r)
        look_up(l1, r, accepted, next_of(l1, &next));
    if (c->bank->mshr.looks && c->banks == 1)
        look_in_banks(l1);
    if (c->policies.listeners)
        tell_policies(l1, r, &plan, accepted, c->refusals.counted != l1->refused);
    if (c->banks == 1)
        l1d_tick_end(l1, r, cycle);
    return accepted;
}

/* Accepts a further request of a cycle if nothing stands in its way. */
static bool accept_more(struct l1d *l1, const struct request *r, uint64_t cycle) {
    struct cache *c = &l1->cache;
    struct cache_plan plan = {0};
    cache_begin_cycle(c, r, cycle);
    plan.outcome = l1d_plan(l1, r, &plan);
    if (cache_misses(&plan)) {
        const struct cache_bank *b = cache_bank_of(c, cache_granule(c, r));
        ask_mshr(l1, r, cycle);
        const enum refusal why = cache_answer(b);
        const bool unknown = !mshr_unit_knows(&b->mshr, cache_granule(c, r));
        l1->retries |= why == REFUSE_WALK || unknown;
        if (why || unknown)
            return false;
    }
    if (plan.outcome == CACHE_REFUSED || plan.outcome == CACHE_WRITE_BACK ||
        (plan.outcome == CACHE_HIT && ring_full(&l1->hits)))
        return false;
    return l1d_accept(l1, r, &plan, cycle);
}

bool l1d_tick_more(struct l1d *l1, const struct request *r, const struct request *behind,
                   uint64_t cycle) {
    struct cache *c = &l1->cache;
    const uint8_t seen = c->refusals.seen;
    l1->n_done = 0;
    if (c->policies.listeners || c->policies.asked)
        return false;
    const bool accepted = accept_more(l1, r, cycle);
    c->refusals.seen = seen; /* those of the cycle's first request */
    if (c->bank->mshr.looks)
        look_up(l1, r, accepted, behind);
    return accepted;
}

void l1d_tick_end(struct l1d *l1, const struct request *r, uint64_t cycle) {
    struct cache *c = &l1->cache;
    if (c->banks > 1) {
        l1->n_done = 0;
        step_banks(l1, cycle);
        if (c->bank->mshr.looks)
            look_in_banks(l1);
    }
    l1d_take_reply(l1, l1->reply, l1->shown);
    if (!r)
        l1d_flush_line(l1);
    cache_stand(c, l1->refused, l1->retries || c->context->progress != l1->progress);
    l1->retries = false;
}

void l1d_advance(struct l1d *l1, const struct request *r, uint64_t cycles) {
    if (!r)
        return;
    cache_advance(&l1->cache, r, cycles);
    if (l1->cache.policies.listeners)
        cache_policies_advance(&l1->cache, cycles);
}

/* ---- lines between launches ---- */

void l1d_use_carveout(struct l1d *l1, const struct config *cfg, uint64_t shared_bytes) {
    const uint32_t ways = carveouts_ways(cfg, shared_bytes);
    if (l1->enabled && ways != l1->cache.lines.usable)
        lines_use_ways(&l1->cache.lines, ways);
}

void l1d_carry(struct l1d *l1, bool on) {
    lines_carry(&l1->cache.lines, on);
}

void l1d_invalidate(struct l1d *l1) {
    struct lines *t = &l1->cache.lines;
    if (l1->write == L1D_LOCAL_WBWN)
        l1d_forget_dirty(l1);
    assert(!l1->dirty_ways);
    cache_tell_drop(&l1->cache, 0, LINE_NONE);
    if (!context_plant_stuck(l1->cache.context, PLANT_STALE_LINE)) {
        lines_drop_all(t);
        return;
    }
    for (uint32_t way = 0; way < lines_count(t); way++)
        t->way[way].flags |= WAY_STALE;
}

/* Checks that a line to be dropped is neither dirty nor in flight. */
static void check_clean(struct l1d *l1, uint32_t way, const char *when) {
    const struct lines *t = &l1->cache.lines;
    if (t->way[way].pending || lines_dirty(t, way))
        context_fail(l1->cache.context, CONTEXT_BROKEN, "L1D %u: line 0x%llx %s", (unsigned)l1->sm,
                     (unsigned long long)t->line[way] * LINE_BYTES, when);
}

void l1d_invalidate_range(struct l1d *l1, uint64_t first, uint64_t end) {
    struct lines *t = &l1->cache.lines;
    struct context *c = l1->cache.context;
    const bool stale = context_plant_stuck(c, PLANT_STALE_LINE);
    const bool keep = context_plant_stuck(c, PLANT_KEEP_LINES);
    cache_tell_drop(&l1->cache, first, end);
    for (uint32_t way = 0; way < lines_count(t); way++) {
        if (t->line[way] < first || t->line[way] >= end)
            continue;
        check_clean(l1, way, "is dirty or pending when its kernel ends");
        if (stale)
            t->way[way].flags |= WAY_STALE;
        else if (keep)
            c->plant_made = true;
        else
            lines_drop(t, way);
    }
}

uint64_t l1d_line_held(const struct l1d *l1, uint64_t first, uint64_t end) {
    const struct lines *t = &l1->cache.lines;
    for (uint32_t way = 0; way < lines_count(t); way++)
        if (t->line[way] >= first && t->line[way] < end && !(t->way[way].flags & WAY_STALE))
            return t->line[way];
    return LINE_NONE;
}

uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n) {
    struct lines *t = &l1->cache.lines;
    uint32_t dropped = 0;
    for (uint64_t line = first; l1->enabled && line < first + n; line++) {
        const uint32_t way = lines_find(t, addr_set(l1->set_index, line, t->sets), line);
        if (way == WAY_NONE)
            continue;
        check_clean(l1, way, "of a page that leaves is dirty or pending");
        lines_drop(t, way);
        dropped++;
    }
    return dropped;
}

/* ---- statistics ---- */

void l1d_add_stats(const struct l1d *l1, uint64_t cycle, struct stats *to) {
    static const struct cache_mshr_stats mshr = {STAT_l1d_mshr_busy_cycles,
                                                 STAT_l1d_mshr_slot_cycles, STAT_l1d_mshr_capacity};
    cache_add_mshr_stats(&l1->cache, &mshr, cycle, to);
    stat_add(to, STAT_l1d_bypass_cycles, level_area(&l1->bypassing, cycle));
    stat_add(to, STAT_l1d_bypass_busy_cycles, level_busy(&l1->bypassing, cycle));
}

void l1d_gauges(const struct l1d *l1, uint64_t cycle, const struct gauge_reader *to) {
    const struct cache *c = &l1->cache;
    const uint64_t *v = c->stats->v;
    uint64_t capacity = 0, area = 0;
    for (uint32_t i = 0; i < c->banks; i++) {
        capacity += c->bank[i].mshr.capacity;
        area += level_area(&c->bank[i].mshr.used, cycle);
    }
    if (l1->enabled)
        gauge_show(to, "L1D MSHR", "requests", capacity, area, cycle);
    gauge_show(to, "L1D miss queue", "requests", c->miss_queue.capacity,
               v[STAT_l1d_miss_queue_cycles], cycle);
    gauge_show(to, "L1D response queue", "responses", l1->responses.capacity,
               v[STAT_l1d_response_queue_cycles], cycle);
}
