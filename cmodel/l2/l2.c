// SPDX-License-Identifier: Apache-2.0
/* An L2 bank: making and ending, its ports, the cycle. It calls lookups (access.c), these what is
 * served (serve.c), these the way out to DRAM (evict_buffer.c). */
#include "l2/l2.h"

#include <stdio.h>
#include <string.h>

#include "cache/flits.h"
#include "l2/inside.h"

/* ---- making and ending ---- */

static struct mshr_geometry mshr_of(const struct l2 *l2, const struct config *cfg) {
    return (struct mshr_geometry){
        .keys = MSHR_KEYS_OF(cfg, l2),
        .addr_w = ADDR_LINE_BITS + (l2->sectored ? 2 : 0),
        .off_w = l2->sectored ? SECTOR_BITS : LINE_BITS,
        .id_w = L2_ID_W,
        .data_w = 8 * (int64_t)l2_granule_bytes(l2),
    };
}

/* What one bank can hold. */
static uint64_t bank_requests(const struct config *cfg) {
    const struct mshr_geometry mshr = {.keys = MSHR_KEYS_OF(cfg, l2), .off_w = LINE_BITS};
    const struct mshr_size size = mshr_size_of(&mshr);
    uint64_t slots = mshr_size_requests(&size);
    uint64_t queues = (uint64_t)(cfg->l2_rsp_queue + cfg->l2_miss_queue + cfg->l2_evict_buffer);
    uint64_t n =
        l2_in_requests(cfg) + queues + slots + 1; /* 1: whose sectors are being looked up */
    if (cfg->l2_sectored)
        n += slots; /* a request whose sectors wait, besides its parts in the slots */
    if (cfg->l2_sectored && cfg->l2_bypass)
        n += (uint64_t)cfg->l2_miss_queue; /* and besides those that go past the bank */
    return n;
}

uint64_t l2_requests(const struct config *cfg) {
    uint64_t n = (uint64_t)cfg->l2_subs * bank_requests(cfg);
    return cfg->l2_sectored && cfg->l2_bypass ? n + dram_requests(cfg) : n;
}

uint64_t l2_longest_wait(const struct config *cfg) {
    return (uint64_t)cfg->l2_latency;
}

static int init_mshr(struct l2 *l2, const struct config *cfg, char *err, size_t err_size) {
    const struct mshr_geometry g = mshr_of(l2, cfg);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l2.%u.mshr", (unsigned)l2->bank);
    return mshr_unit_init(&l2->mshr, &l2->context->blocks, &g, name, err, err_size);
}

static int init_queues(struct l2 *l2, const struct config *cfg) {
    const struct mshr_geometry mshr = mshr_of(l2, cfg);
    if (fifo_init(&l2->miss_queue, (uint32_t)cfg->l2_miss_queue) != 0 ||
        fifo_init(&l2->evict_buffer, (uint32_t)cfg->l2_evict_buffer) != 0 ||
        fifo_init(&l2->rsp_queue, (uint32_t)cfg->l2_rsp_queue) != 0 ||
        fifo_init(&l2->filled, mshr_size_of(&mshr).heads) != 0 ||
        granules_init(&l2->inflight, mshr_size_of(&mshr).heads) != 0)
        return -1;
    l2->head = calloc(l2->inflight.heads, sizeof *l2->head);
    if (!l2->head)
        return -1;
    return lines_init(&l2->lines, (uint32_t)cfg->l2_sets, (uint32_t)cfg->l2_ways);
}

int l2_init(struct l2 *l2, const struct config *cfg, struct context *context,
            const struct l2_ports *ports, uint32_t bank, char *err, size_t err_size) {
    static const struct refusal_stats refusal_stats = REFUSAL_STATS_OF(l2);
    memset(l2, 0, sizeof *l2);
    l2->context = context;
    context->pool.note_of_asked = l2_packet_note;
    l2->refusals.ids = &refusal_stats;
    l2->req = ports->req;
    l2->reply = ports->reply;
    l2->dram = ports->dram;
    l2->map = ports->map;
    l2->bank = bank;
    l2->slice = bank % ports->map->subs;
    l2->set_index = (enum set_index)cfg->l2_set_index;
    l2->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l2->header_bytes = (uint32_t)cfg->icnt_header_bytes;
    l2->reply_sectors = cfg->l2_replies == L2_REPLIES_SECTORS;
    l2->write = (int)cfg->l2_write;
    l2->lazy = cfg->l2_write == L2_WBWA && cfg->l2_write_fetch == WRITE_LAZY;
    l2->whole = cfg->l2_partial == PARTIAL_SECTORS;
    l2->beside = cfg->l2_drain == DRAIN_BESIDE;
    l2->sectored = cfg->l2_sectored != 0;
    l2->on_fill = cfg->l2_allocate == ALLOCATE_FILL;
    l2->bypass = cfg->l2_bypass == L2_BYPASS_STALL;
    l2->at.packet = l2->drain_first = REQUEST_NONE;
    l2->drain_way = l2->fill_way = WAY_NONE;
    l2->drain_granule = GRANULE_NONE;
    if (init_queues(l2, cfg) != 0) {
        snprintf(err, err_size, "out of memory for L2 bank %u", (unsigned)bank);
        return -1;
    }
    return l2_in_init(&l2->in, &context->blocks, cfg, bank, err, err_size) ||
                   init_mshr(l2, cfg, err, err_size)
               ? -1
               : 0;
}

void l2_free(struct l2 *l2) {
    l2_in_free(&l2->in);
    fifo_free(&l2->miss_queue);
    fifo_free(&l2->evict_buffer);
    fifo_free(&l2->rsp_queue);
    fifo_free(&l2->filled);
    granules_free(&l2->inflight);
    free(l2->head);
    lines_free(&l2->lines);
    mshr_unit_free(&l2->mshr);
}

void l2_use_context(struct l2 *l2, struct context *context) {
    l2->context = context;
    l2->req->out[l2->bank].context = l2->reply->in[l2->bank].context = context;
}

int l2_carry(struct l2 *l2, bool on) {
    return lines_carry(&l2->lines, on);
}

void l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]) {
    for (uint32_t i = 0; i < l2->evict_buffer.count; i++) {
        uint32_t number = fifo_at(&l2->evict_buffer, i);
        const struct request *p = request_at(&l2->context->pool, number);
        if (p->line == line)
            mask_copy(data, request_data(&l2->context->pool, number), &p->mask);
    }
    uint32_t set = addr_l2_set(l2->map, l2->set_index, line, l2->lines.sets);
    uint32_t way = lines_find(&l2->lines, set, line);
    if (way != WAY_NONE)
        mask_copy(data, lines_data(&l2->lines, way), &l2->lines.valid[way]);
}

bool l2_drop(struct l2 *l2, uint64_t line) {
    struct lines *t = &l2->lines;
    uint32_t set = addr_l2_set(l2->map, l2->set_index, line, t->sets);
    uint32_t way = lines_find(t, set, line);
    if (way == WAY_NONE)
        return false;
    if (t->pending[way] || t->flags[way] & WAY_PINNED)
        context_fail(l2->context, CONTEXT_BROKEN,
                     "L2 bank %u: line 0x%llx of a page that leaves is on its way",
                     (unsigned)l2->bank, (unsigned long long)line * LINE_BYTES);
    lines_drop(t, way);
    return true;
}

/* ---- to the crossbar, to DRAM, from the crossbar ---- */

static void send_reply(struct l2 *l2, uint32_t number) {
    const struct request *p = request_at(&l2->context->pool, number);
    request_times(&l2->context->pool, number)->to_reply = l2->context->time;
    if (l2->reply_sectors)
        xbar_push(l2->reply, l2->bank, number, p->sm,
                  request_piece_flits(p, l2->header_bytes, l2->flit_bytes), mask_sectors(&p->mask));
    else
        xbar_push(l2->reply, l2->bank, number, p->sm,
                  request_flits(p, l2->header_bytes, l2->flit_bytes), 1);
}

static void move_reply(struct l2 *l2) {
    if (l2->rsp_queue.count && xbar_can_push(l2->reply, l2->bank))
        send_reply(l2, l2_reply_leaves(l2));
}

static bool evicting(const struct l2 *l2, uint64_t line) {
    for (uint32_t i = 0; i < l2->evict_buffer.count; i++)
        if (request_at(&l2->context->pool, fifo_at(&l2->evict_buffer, i))->line == line)
            return true;
    return false;
}

/* What an L2 bank can do with what waits for DRAM. */
enum outgoing { OUT_NONE, OUT_HELD, OUT_FETCH, OUT_WRITE };

/* The room is asked for first: that looks at no packet. */
static bool dram_takes(const struct l2 *l2, const struct fifo *from) {
    return from->count && dram_has_room(l2->dram, from == &l2->evict_buffer) &&
           dram_may_push(l2->dram, fifo_peek(from), l2->slice);
}

/* Fetches go first, unless the evict buffer has no place left; the other queue's head if the
 * channel has no room for that. A fetch waits for writes of its own line. */
static enum outgoing find_outgoing(const struct l2 *l2) {
    const struct fifo *fetches = &l2->miss_queue, *writes = &l2->evict_buffer;
    if (!fetches->count && !writes->count)
        return OUT_NONE;
    if (dram_closed(l2->dram))
        return OUT_HELD;
    if (l2_evict_places(l2) == 0 && dram_takes(l2, writes))
        return OUT_WRITE;
    if (dram_takes(l2, fetches) &&
        !evicting(l2, request_at(&l2->context->pool, fifo_peek(fetches))->line))
        return OUT_FETCH;
    return dram_takes(l2, writes) ? OUT_WRITE : OUT_HELD;
}

/* The line of the channel that a packet asks for. */
static uint64_t dram_line(struct l2 *l2, uint32_t number) {
    const uint64_t line = addr_rest(l2->map, request_at(&l2->context->pool, number)->line);
    if (!context_plant_stuck(l2->context, PLANT_WRONG_REST))
        return line;
    l2->context->planted = true;
    return line ^ 1;
}

/* Notes when a read has gone to DRAM, and for which line there. */
static void note_read(struct l2 *l2, uint32_t number, uint64_t line) {
    struct request *p = request_at(&l2->context->pool, number);
    if (l2_packet(p)->past) {
        struct request_times *t = request_times(&l2->context->pool, number);
        t->to_dram = l2->context->time;
        t->dram_line = line;
    } else {
        l2->head[p->id].to_dram = l2->context->time;
        l2->head[p->id].dram_line = line;
    }
}

static void push_dram(struct l2 *l2, struct fifo *from) {
    const uint32_t number = fifo_pop(from);
    const uint64_t line = dram_line(l2, number);
    if (from == &l2->miss_queue)
        note_read(l2, number, line);
    dram_push(l2->dram, number, line, l2->slice);
}

static void move_dram(struct l2 *l2) {
    const enum outgoing out = find_outgoing(l2);
    l2->dram_full = out == OUT_HELD;
    if (out == OUT_HELD) {
        stat_add(&l2->stats, STAT_dram_full_cycles, 1);
        dram_refuse(l2->dram, l2->slice);
    } else if (out != OUT_NONE) {
        push_dram(l2, out == OUT_FETCH ? &l2->miss_queue : &l2->evict_buffer);
    }
}

static void move_in(struct l2 *l2, uint64_t cycle) {
    if (!l2_in_room(&l2->in) || xbar_peek(l2->req, l2->bank) == REQUEST_NONE)
        return;
    uint32_t packet = xbar_pop(l2->req, l2->bank);
    struct request_times *t = request_times(&l2->context->pool, packet);
    *l2_packet(request_at(&l2->context->pool, packet)) = (struct l2_packet){.parent = REQUEST_NONE};
    t->to_l2 = l2->context->time;
    t->to_dram = t->from_dram = 0;
    l2_in_push(&l2->in, packet, cycle);
}

/* ---- the cycle ---- */

/* Returns whether a response has left: something came free. */
static bool step_mshr(struct l2 *l2, uint64_t cycle) {
    struct mshr_unit *u = &l2->mshr;
    u->in.rsp_ready = !l2_replies_full(l2);
    mshr_unit_step(u, cycle);
    if (u->out.err)
        context_fail(l2->context, CONTEXT_BROKEN, "%s: error %u", u->block.inst.name,
                     (unsigned)u->out.err);
    if (!u->out.rsp_valid || !u->in.rsp_ready)
        return false;
    l2_take_response(l2);
    return true;
}

/* Queues as they are at the start of these cycles. */
static void count_queues(struct l2 *l2, uint64_t cycles) {
    l2->cycles += cycles;
    if (l2->miss_queue.count)
        stat_add(&l2->stats, STAT_l2_miss_queue_cycles, l2->miss_queue.count * cycles);
    if (l2->evict_buffer.count)
        stat_add(&l2->stats, STAT_l2_evict_buffer_cycles, l2->evict_buffer.count * cycles);
    if (l2->rsp_places)
        stat_add(&l2->stats, STAT_l2_rsp_queue_cycles, l2->rsp_places * cycles);
}

void l2_tick(struct l2 *l2, uint64_t cycle) {
    count_queues(l2, 1);
    l2_in_count(&l2->in, &l2->stats, 1);
    uint64_t progress = l2->context->progress, refused = l2->refusals.counted;
    move_in(l2, cycle);
    move_reply(l2);
    move_dram(l2);
    l2_in_eval(&l2->in, l2->context, l2->map, cycle);
    if (l2->beside && l2_take_early(l2)) /* what was refused may hit now */
        nonblocking_freed(&l2->in.any);
    uint32_t returned = l2_present_return(l2);
    l2->taken = false;
    struct l2_plan plan = l2_plan_access(l2);
    l2_present_request(l2, &plan);
    bool freed = step_mshr(l2, cycle);
    l2_take_past(l2);
    l2_judge(l2, &plan);
    if (l2->mshr.looks)
        l2_look(l2);
    if (freed) /* what was refused in this cycle too is tried again */
        nonblocking_freed(&l2->in.any);
    if (returned != HEAD_NONE && l2->mshr.out.ret_ready)
        l2_begin_drain(l2, returned);
    l2_in_tick(&l2->in, l2->context, &l2->stats, cycle, l2->taken);
    l2->moved = l2->context->progress != progress;
    refusals_stand(&l2->refusals, refused, l2->moved);
}

bool l2_has_input(const struct l2 *l2, uint64_t instant) {
    if (xbar_waiting_in(l2->req, l2->bank, instant) && l2_in_room(&l2->in))
        return true;
    if (l2->rsp_queue.count && xbar_can_push(l2->reply, l2->bank))
        return true;
    return find_outgoing(l2) > OUT_HELD ||
           dram_peek_in(l2->dram, l2->slice, instant) != REQUEST_NONE;
}

uint64_t l2_next_event(const struct l2 *l2) {
    const struct mshr_unit *u = &l2->mshr;
    if (l2->moved || block_part_next_event(&u->block) == 0)
        return 0;
    bool drains = u->draining ? !l2_replies_full(l2) : l2->filled.count != 0;
    bool again = l2->at.packet != REQUEST_NONE && !l2->refusals.standing;
    return drains || again ? 0 : l2_in_next_event(&l2->in);
}

void l2_advance(struct l2 *l2, uint64_t cycles) {
    count_queues(l2, cycles);
    l2_in_advance(&l2->in, &l2->stats, cycles);
    if (l2->refusals.standing)
        refusals_advance(&l2->refusals, &l2->stats, cycles);
    if (l2->dram_full)
        stat_add(&l2->stats, STAT_dram_full_cycles, cycles);
}

void l2_add_stats(const struct l2 *l2, uint64_t cycle, struct stats *s) {
    const struct level *used = &l2->mshr.used;
    stats_add(s, &l2->stats);
    stat_add(s, STAT_l2_cycles, l2->cycles);
    stat_add(s, STAT_l2_mshr_busy_cycles, level_busy(used, cycle));
    stat_add(s, STAT_l2_mshr_slot_cycles, level_area(used, cycle));
    stat_add(s, STAT_l2_mshr_capacity, level_busy(used, cycle) * l2->mshr.capacity);
}

void l2_gauges(const struct l2 *l2, uint64_t cycle, const struct gauge_reader *to) {
    const uint64_t *v = l2->stats.v;
    gauge_show(to, "L2 MSHR", "requests", l2->mshr.capacity, level_area(&l2->mshr.used, cycle),
               cycle);
    l2_in_gauges(&l2->in, &l2->stats, cycle, to);
    gauge_show(to, "L2 miss queue", "fetches", l2->miss_queue.capacity,
               v[STAT_l2_miss_queue_cycles], cycle);
    gauge_show(to, "L2 evict buffer", "writes", l2->evict_buffer.capacity,
               v[STAT_l2_evict_buffer_cycles], cycle);
    gauge_show(to, "L2 reply queue", "places", l2->rsp_queue.capacity, v[STAT_l2_rsp_queue_cycles],
               cycle);
}
