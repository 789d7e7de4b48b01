// SPDX-License-Identifier: Apache-2.0
/* Creates, ticks and destroys an L2 bank, and moves requests at its ports. l2.c calls access.c
 * (lookups), which calls serve.c (service of requests), which calls evict_buffer.c (path to
 * DRAM). */
#include "l2/l2.h"

#include <stdio.h>
#include <string.h>

#include "cache/request_tag.h"
#include "l2/inside.h"
#include "policy/policies.h"

/* ---- creation and destruction ---- */

static struct cache_size size_of(const struct config *cfg) {
    return (struct cache_size)CACHE_SIZE_OF(cfg, l2, cfg->l2_sectored != 0, REQUEST_TAG_W, 8);
}

/* Returns the maximum number of requests in one bank. */
static uint64_t bank_requests(const struct config *cfg) {
    const struct cache_size cache = size_of(cfg);
    const struct mshr_size mshr = mshr_size_of(&cache.mshr);
    const uint64_t slots = mshr_size_requests(&mshr);
    uint64_t queues = (uint64_t)(cfg->l2_reply_queue + cfg->l2_miss_queue + cfg->l2_evict_buffer);
    /* A fetch stays until its requests have drained. The last fetch stays even after its MSHR
     * entry is free again. One more request is being looked up. */
    uint64_t n = l2_in_requests(cfg) + queues + slots + mshr.heads + 2;
    if (cfg->l2_sectored)
        n += slots; /* requests with waiting sectors, in addition to their parts in the slots */
    if (cfg->l2_sectored && cfg->l2_bypass)
        n += (uint64_t)cfg->l2_miss_queue; /* requests with sectors that bypass the bank */
    return n;
}

uint64_t l2_requests(const struct config *cfg) {
    uint64_t n = (uint64_t)cfg->l2_banks * bank_requests(cfg);
    return cfg->l2_sectored && cfg->l2_bypass ? n + dram_requests(cfg) : n;
}

uint64_t l2_longest_wait(const struct config *cfg) {
    return (uint64_t)cfg->l2_latency;
}

static const struct refusal_stats refusal_stats = {
    REFUSAL_STATS_OF(l2, reply_queue),
    .reason[REFUSE_WALK] = STAT_l2_tail_walk_cycles,
    .reason[REFUSE_EVICT_BUFFER] = STAT_l2_refusals_evict_buffer,
};

static void set_keys(struct l2 *l2, const struct config *cfg) {
    l2->set_index = (enum set_index)cfg->l2_set_index;
    l2->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l2->write = (int)cfg->l2_write;
    l2->lazy_write_fetch = cfg->l2_write == L2_WBWA && cfg->l2_write_fetch == WRITE_LAZY;
    l2->store_to_dram = cfg->l2_write == L2_WBWA && cfg->l2_write_fetch == WRITE_BOTH;
    l2->gpgpusim = cfg->l2_model == MODEL_GPGPUSIM;
}

/* Attaches the policies. Returns 0, or -1 with one line in err. A policy that needs an SM or
 * launches is an error. */
static int add_policies(struct l2 *l2, const struct config *cfg, struct error *err) {
    const struct cache_policy_env env = {
        .cfg = cfg, .map = l2->to.map, .bank = l2->bank, .kernels = 1};
    const struct cache_policy *chosen[CACHE_POLICIES];
    const uint32_t n = l2_policies(cfg, chosen);
    for (uint32_t i = 0; i < n; i++) {
        const struct cache_policy *p = chosen[i];
        if (p->leads || p->launch || p->active || p->users || p->send || p->reply)
            return error_set(err, "policy %s is only for L1Ds", p->name);
        if (cache_add_policy(&l2->cache, p, &env, NULL, err) != 0)
            return -1;
    }
    return 0;
}

int l2_init(struct l2 *l2, const struct config *cfg, struct context *context,
            const struct l2_ports *ports, uint32_t bank, struct error *err) {
    const struct cache_size size = size_of(cfg);
    char name[BLOCK_NAME_MAX];
    *l2 = (struct l2){
        .to = *ports,
        .bank = bank,
        .local_bank = bank % ports->map->banks,
        .lookup.number = REQUEST_NONE,
        .fill_way = WAY_NONE,
    };
    set_keys(l2, cfg);
    snprintf(name, sizeof name, "l2.%u.mshr", (unsigned)bank);
    cache_init(&l2->cache, &size, context, &l2->stats, &refusal_stats);
    ring_init(&l2->evict_buffer, (uint32_t)cfg->l2_evict_buffer);
    ring_init(&l2->reply_queue, (uint32_t)cfg->l2_reply_queue);
    l2->cache.evicts = &l2->evict_buffer;
    return l2_in_init(&l2->in, &context->blocks, cfg, bank, err) ||
                   cache_init_mshr(&l2->cache, &size, name, err) || add_policies(l2, cfg, err)
               ? -1
               : 0;
}

void l2_free(struct l2 *l2) {
    l2_in_free(&l2->in);
    ring_free(&l2->evict_buffer);
    ring_free(&l2->reply_queue);
    cache_free(&l2->cache);
}

void l2_carry(struct l2 *l2, bool on) {
    lines_carry(&l2->cache.lines, on);
}

/* Returns the way that holds the line, or WAY_NONE. */
static uint32_t way_of(const struct l2 *l2, uint64_t line) {
    const struct lines *t = &l2->cache.lines;
    return lines_find(t, addr_l2_set(l2->to.map, l2->set_index, line, t->sets), line);
}

void l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]) {
    const struct lines *t = &l2->cache.lines;
    cache_read_queue(&l2->cache, &l2->evict_buffer, line, data);
    const uint32_t way = way_of(l2, line);
    if (way != WAY_NONE)
        mask_copy(data, lines_data(t, way), &t->way[way].valid);
}

bool l2_drop(struct l2 *l2, uint64_t line) {
    struct lines *t = &l2->cache.lines;
    const uint32_t way = way_of(l2, line);
    if (way == WAY_NONE)
        return false;
    if (lines_busy(t, way))
        context_fail(l2->cache.context, CONTEXT_BROKEN,
                     "L2 bank %u: line 0x%llx of a page that leaves is pending", (unsigned)l2->bank,
                     (unsigned long long)line * LINE_BYTES);
    cache_tell_drop(&l2->cache, line, line + 1);
    lines_drop(t, way);
    return true;
}

/* Writes the dirty bytes of a way to memory without a request. */
static void write_to_memory(struct l2 *l2, uint32_t way) {
    const struct lines *t = &l2->cache.lines;
    if (t->data && lines_dirty(t, way))
        backing_write(l2->to.dram->backing, t->line[way], lines_data(t, way), &t->way[way].dirty);
}

/* Returns a way for a line that is not in the bank, which has lost its own line, or WAY_NONE. */
static uint32_t way_for_copy(struct l2 *l2, uint64_t line) {
    struct cache *c = &l2->cache;
    struct lines *t = &c->lines;
    const uint32_t way = lines_victim(t, addr_l2_set(l2->to.map, l2->set_index, line, t->sets));
    if (way == WAY_NONE)
        return way;
    write_to_memory(l2, way);
    if (t->line[way] != LINE_NONE)
        cache_tell_drop(c, t->line[way], t->line[way] + 1);
    lines_claim(t, way, line);
    return way;
}

void l2_copy_line(struct l2 *l2, uint64_t line, unsigned sectors, const uint8_t *data) {
    uint32_t way = way_of(l2, line);
    if (way == WAY_NONE)
        way = way_for_copy(l2, line);
    if (way == WAY_NONE)
        return;
    lines_touch(&l2->cache.lines, way);
    lines_fill(&l2->cache.lines, way, l2->cache.sectored ? sectors : SECTORS_ALL, data);
    stat_add(&l2->stats, STAT_l2_copy_fills, 1);
}

void l2_flush(struct l2 *l2) {
    struct lines *t = &l2->cache.lines;
    for (uint32_t way = 0; way < lines_count(t); way++)
        write_to_memory(l2, way);
    cache_tell_drop(&l2->cache, 0, LINE_NONE);
    lines_drop_all(t);
}

/* ---- to the crossbar, to DRAM, from the crossbar ---- */

static void send_reply(struct l2 *l2, uint32_t number) {
    struct context *c = l2->cache.context;
    const struct request *p = l2_request(l2, number);
    request_times(&c->pool, number)->to_reply = c->time;
    request_note(&c->pool, number, MARK_L2_TO, l2->cycles - 1);
    if (l2->gpgpusim)
        xbar_push(l2->to.reply, l2->bank, number, p->origin.sm,
                  request_piece_flits(p, l2->flit_bytes), mask_sectors(&p->mask));
    else
        xbar_push(l2->to.reply, l2->bank, number, p->origin.sm, request_flits(p, l2->flit_bytes),
                  1);
}

static void move_reply(struct l2 *l2) {
    if (l2->reply_queue.count && xbar_can_push(l2->to.reply, l2->bank))
        send_reply(l2, l2_pop_reply(l2));
}

static bool evicting(const struct l2 *l2, uint64_t line) {
    for (uint32_t i = 0; i < l2->evict_buffer.count; i++)
        if (l2_request(l2, *ring_at(&l2->evict_buffer, i))->line == line)
            return true;
    return false;
}

/* Request that an L2 bank sends to DRAM next. OUT_HELD means that DRAM accepts no waiting
 * request. */
enum outgoing { OUT_NONE, OUT_HELD, OUT_FETCH, OUT_WRITE };

/* True if DRAM accepts the head of the queue. Checks for room first, because the check for room
 * reads no request. */
static bool dram_takes(const struct l2 *l2, const struct fifo *from) {
    return from->count && dram_has_room(l2->to.dram, from == &l2->evict_buffer) &&
           dram_may_push(l2->to.dram, *ring_first(from), l2->local_bank);
}

/* Chooses the next request for DRAM. Fetches have priority, unless the evict buffer is full. If the
 * channel has no room for that kind of request, the head of the other queue is next. A fetch waits
 * for writes to its own line. */
static enum outgoing find_outgoing(const struct l2 *l2) {
    const struct fifo *fetches = &l2->cache.miss_queue, *writes = &l2->evict_buffer;
    if (!fetches->count && !writes->count)
        return OUT_NONE;
    if (dram_closed(l2->to.dram))
        return OUT_HELD;
    if (cache_evict_places(&l2->cache) == 0 && dram_takes(l2, writes))
        return OUT_WRITE;
    if (dram_takes(l2, fetches) && !evicting(l2, l2_request(l2, *ring_first(fetches))->line))
        return OUT_FETCH;
    return dram_takes(l2, writes) ? OUT_WRITE : OUT_HELD;
}

/* Returns the request's line number within its channel. */
static uint64_t dram_line(struct l2 *l2, uint32_t number) {
    const uint64_t line = addr_rest(l2->to.map, l2_request(l2, number)->line);
    if (!context_plant_stuck(l2->cache.context, PLANT_WRONG_REST))
        return line;
    l2->cache.context->plant_made = true;
    return line ^ 1;
}

static void push_dram(struct l2 *l2, struct fifo *from) {
    struct context *c = l2->cache.context;
    const uint32_t number = ring_pop(from);
    const uint64_t line = dram_line(l2, number);
    if (from == &l2->cache.miss_queue) {
        struct request_times *t = request_times(&c->pool, number);
        t->to_dram = c->time;
        t->dram_line = line;
    }
    dram_push(l2->to.dram, number, line, l2->local_bank);
}

static void move_dram(struct l2 *l2) {
    const enum outgoing out = find_outgoing(l2);
    l2->dram_full = out == OUT_HELD;
    if (out == OUT_HELD) {
        stat_add(&l2->stats, STAT_dram_full_cycles, 1);
        dram_refuse(l2->to.dram, l2->local_bank);
    } else if (out != OUT_NONE) {
        push_dram(l2, out == OUT_FETCH ? &l2->cache.miss_queue : &l2->evict_buffer);
    }
}

static void move_in(struct l2 *l2, uint64_t cycle) {
    struct context *c = l2->cache.context;
    if (!l2_in_room(&l2->in) || xbar_peek(l2->to.req, l2->bank) == REQUEST_NONE)
        return;
    const uint32_t number = xbar_pop(l2->to.req, l2->bank);
    struct request_times *t = request_times(&c->pool, number);
    l2_request(l2, number)->l2 = (struct request_l2){.parent = REQUEST_NONE};
    t->to_l2 = c->time;
    t->to_dram = t->from_dram = 0;
    request_note(&c->pool, number, MARK_L2_FROM, cycle);
    l2_in_push(&l2->in, number, cycle);
}

/* ---- the cycle ---- */

/* Counts `cycles` cycles, and adds the current queue lengths, multiplied by `cycles`, to the
 * statistics. */
static void count_queues(struct l2 *l2, uint64_t cycles) {
    l2->cycles += cycles;
    if (l2->cache.miss_queue.count)
        stat_add(&l2->stats, STAT_l2_miss_queue_cycles, l2->cache.miss_queue.count * cycles);
    if (l2->evict_buffer.count)
        stat_add(&l2->stats, STAT_l2_evict_buffer_cycles, l2->evict_buffer.count * cycles);
    if (l2->reply_places)
        stat_add(&l2->stats, STAT_l2_reply_queue_cycles, l2->reply_places * cycles);
}

static enum cache_effect effect_of(const struct l2 *l2, const struct request *r) {
    if (!request_writes(r))
        return CACHE_READS;
    return r->kind == REQUEST_ATOMIC || !l2_through(l2) ? CACHE_WRITES
           : l2->write == L2_WEWN                       ? CACHE_EVICTS
                                                        : CACHE_UPDATES;
}

/* Notifies the policies. `number` is the index of the request that was looked up, or
 * REQUEST_NONE. */
__attribute__((noinline)) static void tell_policies(struct l2 *l2, uint32_t number,
                                                    const struct cache_plan *plan, bool refused) {
    struct cache *c = &l2->cache;
    const struct request *r = number == REQUEST_NONE ? NULL : l2_request(l2, number);
    const bool accepted = plan->outcome != CACHE_IDLE && plan->outcome != CACHE_REFUSED;
    const struct cache_event e = {
        .accepted = accepted,
        .refused = refused,
        .why = refused ? c->refusals.last : REFUSE_NONE,
        .use = c->use,
        .outcome = plan->outcome,
        .effect = accepted ? effect_of(l2, r) : CACHE_PASSES,
        .set = l2->lookup.set,
        .way = accepted ? plan->place.way : WAY_NONE,
    };
    cache_tell_policies(c, r, &e);
}

/* flatten: calls to the functions that the cache levels share would cost 2 % of a run's
 * instructions. */
__attribute__((flatten)) void l2_tick(struct l2 *l2, uint64_t cycle) {
    struct cache *c = &l2->cache;
    count_queues(l2, 1);
    l2_in_count(&l2->in, &l2->stats, 1);
    const uint64_t progress = c->context->progress, refused = c->refusals.counted;
    move_in(l2, cycle);
    move_reply(l2);
    move_dram(l2);
    l2_in_eval(&l2->in, c->context, l2->to.map, cycle);
    if (l2->gpgpusim && l2_take_early(l2)) /* a request that was refused may hit after the fill */
        nonblocking_freed(&l2->in.any);
    const uint32_t returned = l2_present_return(l2);
    l2->offer_taken = false;
    struct cache_plan plan;
    if (c->policies.asked)
        cache_begin_policies(c, cycle);
    plan.outcome = l2_plan(l2, &plan);
    l2_present_request(l2, &plan);
    const uint32_t leaves = cache_step(c, c->bank, cycle, !l2_replies_full(l2));
    if (leaves != REQUEST_NONE)
        l2_take_response(l2, leaves);
    if (c->policies.bypass.type)
        l2_take_bypass(l2);
    const uint32_t number = l2->lookup.number;
    l2_accept(l2, &plan);
    if (c->policies.listeners)
        tell_policies(l2, number, &plan, c->refusals.counted != refused);
    if (c->bank->mshr.looks)
        l2_look(l2);
    if (leaves != REQUEST_NONE) /* a request refused in this cycle is tried again too */
        nonblocking_freed(&l2->in.any);
    if (returned != MISS_NONE && c->bank->mshr.out.ret_ready)
        l2_begin_drain(l2, returned);
    l2_in_tick(&l2->in, c->context, &l2->stats, cycle, l2->offer_taken);
    l2->has_moved = c->context->progress != progress;
    cache_stand(c, refused, l2->has_moved);
}

bool l2_has_input(const struct l2 *l2, uint64_t instant) {
    if (xbar_waiting_in(l2->to.req, l2->bank, instant) && l2_in_room(&l2->in))
        return true;
    if (l2->reply_queue.count && xbar_can_push(l2->to.reply, l2->bank))
        return true;
    return find_outgoing(l2) > OUT_HELD ||
           dram_peek_in(l2->to.dram, l2->local_bank, instant) != REQUEST_NONE;
}

uint64_t l2_next_event(const struct l2 *l2) {
    const struct mshr_unit *u = &l2->cache.bank->mshr;
    if (l2->has_moved || block_part_next_event(&u->block) == 0)
        return 0;
    const bool drains = u->draining ? !l2_replies_full(l2) : l2->cache.bank->filled.count != 0;
    const bool again = l2->lookup.number != REQUEST_NONE && !l2->cache.refusals.standing;
    const uint64_t in = drains || again ? 0 : l2_in_next_event(&l2->in);
    const uint64_t policies =
        l2->cache.policies.listeners ? cache_policies_next_event(&l2->cache, l2->cycles) : in;
    return policies < in ? policies : in;
}

void l2_advance(struct l2 *l2, uint64_t cycles) {
    count_queues(l2, cycles);
    l2_in_advance(&l2->in, &l2->stats, cycles);
    if (l2->dram_full)
        stat_add(&l2->stats, STAT_dram_full_cycles, cycles);
    if (!l2->cache.refusals.standing)
        return;
    refusals_advance(&l2->cache.refusals, &l2->stats, cycles);
    if (l2->cache.policies.listeners)
        cache_policies_advance(&l2->cache, cycles);
}

void l2_add_stats(const struct l2 *l2, uint64_t cycle, struct stats *s) {
    static const struct cache_mshr_stats mshr = {STAT_l2_mshr_busy_cycles, STAT_l2_mshr_slot_cycles,
                                                 STAT_l2_mshr_capacity};
    stats_add(s, &l2->stats);
    stat_add(s, STAT_l2_cycles, l2->cycles);
    cache_add_mshr_stats(&l2->cache, &mshr, cycle, s);
}

void l2_gauges(const struct l2 *l2, uint64_t cycle, const struct gauge_reader *to) {
    const uint64_t *v = l2->stats.v;
    gauge_show(to, "L2 MSHR", "requests", l2->cache.bank->mshr.capacity,
               level_area(&l2->cache.bank->mshr.used, cycle), cycle);
    l2_in_gauges(&l2->in, &l2->stats, cycle, to);
    gauge_show(to, "L2 miss queue", "fetches", l2->cache.miss_queue.capacity,
               v[STAT_l2_miss_queue_cycles], cycle);
    gauge_show(to, "L2 evict buffer", "writes", l2->evict_buffer.capacity,
               v[STAT_l2_evict_buffer_cycles], cycle);
    gauge_show(to, "L2 reply queue", "entries", l2->reply_queue.capacity,
               v[STAT_l2_reply_queue_cycles], cycle);
}
