// SPDX-License-Identifier: Apache-2.0
#include "l2/l2_in.h"

#include <stdio.h>
#include <string.h>

#include "bank_queues/bank_queues.h"
#include "cart/cart.h"
#include "dram/layout.h"
#include "in_fifo/in_fifo.h"
#include "lib/bits.h"

/* ---- creation and destruction ---- */

/* Arguments for the creation of blocks. */
struct maker {
    struct block_list *blocks;
    const struct config *cfg;
    uint32_t bank;
    struct error *err;
};

static int init_block(struct l2_in_block *b, const struct maker *k, const struct block_type *type,
                      const struct block_params *p, const char *what) {
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l2.%u.%s", (unsigned)k->bank, what);
    return block_part_init(&b->block, k->blocks, type, p, name, k->err);
}

static void common_params(struct block_params *p, const struct block_type *type, int64_t depth) {
    block_params_default(type, p);
    p->v[INCOMING_ADDR_W] = ADDR_LINE_BITS;
    p->v[INCOMING_ID_W] = 32;
    p->v[INCOMING_DEPTH] = depth;
}

static int init_fifo(struct l2_in *in, const struct maker *k) {
    struct block_params p;
    common_params(&p, &in_fifo_type, k->cfg->l2_in_queue);
    return init_block(&in->fifo, k, &in_fifo_type, &p, "in");
}

static int init_bank_queues(struct l2_in *in, const struct maker *k,
                            const struct dram_layout *layout) {
    const struct config *cfg = k->cfg;
    struct block_params p;
    common_params(&p, &bank_queues_type, cfg->l2_bank_queue_depth);
    p.v[BANK_QUEUES_BANKS] = cfg->dram_banks;
    p.v[BANK_QUEUES_BANK_MASK] = (int64_t)(dram_layout_bank_mask(layout) >> LINE_BITS);
    p.v[BANK_QUEUES_QUEUES] = cfg->l2_bank_queues;
    p.v[BANK_QUEUES_HOLD] = cfg->l2_incoming_hold;
    return init_block(&in->reorder, k, &bank_queues_type, &p, bank_queues_type.name);
}

static int init_cart(struct l2_in *in, const struct maker *k, const struct dram_layout *layout) {
    const struct config *cfg = k->cfg;
    struct block_params p;
    common_params(&p, &cart_type, cfg->l2_cart_depth);
    p.v[CART_BANKS] = cfg->dram_banks;
    p.v[CART_BANK_MASK] = (int64_t)(dram_layout_bank_mask(layout) >> LINE_BITS);
    p.v[CART_COL_MASK] = (int64_t)(dram_layout_col_mask(layout) >> LINE_BITS);
    p.v[CART_ROWS] = cfg->l2_cart_rows;
    p.v[CART_COLS] = cfg->l2_cart_cols;
    p.v[CART_POLICY] = cfg->l2_cart_policy;
    p.v[CART_AGE_LIMIT] = cfg->l2_cart_age_limit;
    p.v[CART_FILL] = cfg->l2_cart_fill;
    p.v[CART_COL_DROP] = bits_lowest((uint64_t)cfg->l2_cart_column_lines);
    p.v[CART_HOLD] = cfg->l2_incoming_hold;
    return init_block(&in->reorder, k, &cart_type, &p, cart_type.name);
}

static int init_reorder(struct l2_in *in, const struct maker *k) {
    const struct config *cfg = k->cfg;
    struct dram_layout layout;
    if (cfg->l2_incoming == INCOMING_FIFO)
        return 0;
    if (dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                          (uint32_t)cfg->dram_banks, k->err) != 0)
        return -1;
    return cfg->l2_incoming == INCOMING_CART ? init_cart(in, k, &layout)
                                             : init_bank_queues(in, k, &layout);
}

int l2_in_init(struct l2_in *in, struct block_list *blocks, const struct config *cfg, uint32_t bank,
               struct error *err) {
    const struct maker maker = {blocks, cfg, bank, err};
    in->latency = (uint32_t)cfg->l2_latency;
    in->by_sector = l2_in_by_sector(cfg);
    in->sector_places = in->by_sector ? (uint32_t)cfg->l2_in_queue : UINT32_MAX;
    in->places = (uint32_t)(cfg->l2_latency + cfg->l2_in_queue);
    in->reorder_places = (uint32_t)l2_in_requests(cfg) - in->places;
    in->hold = cfg->l2_incoming_hold || cfg->l2_incoming == INCOMING_FIFO;
    in->nonblocking = cfg->l2_incoming == INCOMING_NONBLOCKING;
    in->reorders = cfg->l2_incoming != INCOMING_FIFO && !in->nonblocking;
    timed_fifo_init(&in->pipe, in->latency);
    if (in->nonblocking) {
        nonblocking_init(&in->any, (uint32_t)cfg->l2_in_queue);
        return 0;
    }
    return init_fifo(in, &maker) || init_reorder(in, &maker) ? -1 : 0;
}

void l2_in_free(struct l2_in *in) {
    ring_free(&in->pipe);
    nonblocking_free(&in->any);
    block_part_free(&in->fifo.block);
    block_part_free(&in->reorder.block);
}

uint64_t l2_in_requests(const struct config *cfg) {
    int64_t n = cfg->l2_latency + cfg->l2_in_queue;
    if (cfg->l2_incoming == INCOMING_BANK_QUEUES)
        n += cfg->l2_bank_queues * cfg->l2_bank_queue_depth;
    else if (cfg->l2_incoming == INCOMING_CART)
        n += cfg->dram_banks * cfg->l2_cart_rows * cfg->l2_cart_cols * cfg->l2_cart_depth;
    return (uint64_t)n;
}

/* ---- a cycle of a block ---- */

static void fill_block(struct l2_in_block *b, uint64_t addr, uint64_t id) {
    b->in.fill_valid = 1;
    b->in.fill_addr = addr;
    b->in.fill_id = id;
}

static void eval_block(struct l2_in_block *b) {
    bool busy = b->held || b->in.fill_valid;
    if (!block_part_eval(&b->block, &b->in, &b->out, busy))
        b->out.drain_valid = b->out.fill_ready = b->out.fill_refuse = 0;
}

static void tick_block(struct l2_in_block *b, bool drained) {
    b->in.drain_ready = drained;
    if (block_part_tick(&b->block, &b->in))
        b->held = incoming_requests(b->block.inst.model);
    b->in.fill_valid = b->in.drain_ready = 0;
}

/* ---- the cycle ---- */

void l2_in_eval(struct l2_in *in, struct context *c, const struct addr_map *map, uint64_t cycle) {
    if (in->nonblocking)
        return;
    bool room = in->sectors < in->sector_places;
    if (timed_fifo_ready(&in->pipe, cycle) && room && !in->fifo.block.reset) {
        uint32_t request = ring_first(&in->pipe)->request;
        fill_block(&in->fifo, addr_rest(map, request_at(&c->pool, request)->line), request);
    }
    eval_block(&in->fifo);
    if (!in->reorders)
        return;
    if (in->fifo.out.drain_valid && !in->reorder.block.reset)
        fill_block(&in->reorder, in->fifo.out.drain_addr, in->fifo.out.drain_id);
    eval_block(&in->reorder);
}

static void count_why(struct stats *s, uint64_t why) {
    static const enum stat_id stat[] = {
        [INCOMING_WHY_AGED] = STAT_reorder_drains_aged,
        [INCOMING_WHY_QUEUE] = STAT_reorder_drains_queue,
        [INCOMING_WHY_ROW] = STAT_reorder_drains_row,
        [INCOMING_WHY_LONGEST] = STAT_reorder_drains_longest,
    };
    if (why >= INCOMING_WHY_AGED && why <= INCOMING_WHY_LONGEST)
        stat_add(s, stat[why], 1);
}

static void count_stalls(const struct l2_in *in, struct stats *s, uint64_t cycles) {
    static const enum stat_id stat[] = {
        [INCOMING_REFUSE_FULL] = STAT_reorder_stalls_full,
        [INCOMING_REFUSE_ROW] = STAT_reorder_stalls_row,
        [INCOMING_REFUSE_COLUMN] = STAT_reorder_stalls_column,
    };
    if (in->waits)
        stat_add(s, STAT_l2_in_full_cycles, cycles);
    if (in->stall == INCOMING_REFUSE_NONE)
        return;
    stat_add(s, STAT_reorder_stalls, cycles);
    stat_add(s, stat[in->stall], cycles);
}

static bool tick_reorder(struct l2_in *in, struct stats *s, bool offer_taken) {
    const struct incoming_out *out = &in->reorder.out;
    bool asked = in->reorder.in.fill_valid, filled = asked && out->fill_ready;
    in->stall = asked && !filled ? (unsigned)out->fill_refuse : INCOMING_REFUSE_NONE;
    stat_add(s, STAT_reorder_fills, filled);
    /* If `hold` is true, an offer is counted when it is first made, because it will be taken. */
    if (out->drain_valid && (offer_taken || in->hold))
        count_why(s, out->drain_why);
    tick_block(&in->reorder, offer_taken);
    return filled;
}

/* Moves the pipeline's head to the buffer if possible. Returns true if it was moved. */
static bool leave_pipe(struct l2_in *in, struct context *c, uint64_t cycle) {
    bool ready = timed_fifo_ready(&in->pipe, cycle);
    bool room = in->nonblocking ? !nonblocking_full(&in->any)
                                : in->fifo.in.fill_valid && in->fifo.out.fill_ready;
    in->waits = ready && !room;
    if (!ready || !room)
        return false;
    uint32_t request = timed_fifo_pop(&in->pipe);
    if (in->pipe.count)
        request_prefetch(&c->pool, ring_first(&in->pipe)->request);
    request_note(&c->pool, request, MARK_BUFFERED, c->time);
    if (in->by_sector)
        in->sectors += mask_sectors(&request_at(&c->pool, request)->mask);
    if (in->nonblocking)
        nonblocking_push(&in->any, request, request_at(&c->pool, request)->line);
    return true;
}

void l2_in_tick(struct l2_in *in, struct context *c, struct stats *s, uint64_t cycle,
                bool offer_taken) {
    bool has_moved = leave_pipe(in, c, cycle);
    if (in->reorders)
        has_moved |= offer_taken = tick_reorder(in, s, offer_taken);
    if (!in->nonblocking)
        tick_block(&in->fifo, offer_taken);
    count_stalls(in, s, 1);
    c->progress += has_moved;
}

/* ---- statistics and skipped cycles ---- */

void l2_in_count(const struct l2_in *in, struct stats *s, uint64_t cycles) {
    uint32_t waiting = in->pipe.count + in->fifo.held + in->any.count;
    stat_add(s, STAT_l2_in_queue_cycles, waiting * cycles);
    if (!in->reorder.held)
        return;
    stat_add(s, STAT_reorder_request_cycles, in->reorder.held * cycles);
    stat_add(s, STAT_reorder_queue_cycles, incoming_queues(in->reorder.block.inst.model) * cycles);
}

void l2_in_gauges(const struct l2_in *in, const struct stats *s, uint64_t cycle,
                  const struct gauge_reader *to) {
    gauge_show(to, "L2 incoming buffer", "requests", in->places, s->v[STAT_l2_in_queue_cycles],
               cycle);
    if (in->reorder_places)
        gauge_show(to, "L2 reordering", "requests", in->reorder_places,
                   s->v[STAT_reorder_request_cycles], cycle);
}

uint64_t l2_in_next_event(const struct l2_in *in) {
    bool other = !in->hold && in->reorder.held; /* a different request is offered in each cycle */
    if (other || in->any.tried || block_part_next_event(&in->fifo.block) == 0 ||
        (in->reorders && block_part_next_event(&in->reorder.block) == 0))
        return 0;
    return in->pipe.count && !in->waits ? in->pipe.ready : UINT64_MAX;
}

void l2_in_advance(const struct l2_in *in, struct stats *s, uint64_t cycles) {
    l2_in_count(in, s, cycles);
    count_stalls(in, s, cycles);
}
