// SPDX-License-Identifier: Apache-2.0
#include "sm/lsu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "uvm/uvm.h"
#include "check/check.h"
#include "lib/alloc.h"
#include "sm/model.h"

static void add_lines(struct lsu *u) {
    u->lines = alloc_zeroed((size_t)u->n_loads * LSU_MAX_ACCESSES, sizeof *u->lines);
}

void lsu_init(struct lsu *u, const struct config *cfg, struct context *context, struct stats *stats,
              uint32_t sm) {
    memset(u, 0, sizeof *u);
    u->context = context;
    u->stats = stats;
    u->sm = sm;
    const struct sm_model model = sm_model_of(cfg);
    u->descending = model.gpgpusim;
    u->latency = model.lsu_latency;
    u->collected = model.collectors != 0;
    coalescer_init(&u->coalescer, cfg, sm);
    u->n_loads = u->n_free = (uint32_t)cfg->sm_pending_loads;
    ring_init(&u->order, (uint32_t)cfg->sm_lsu_queue);
    u->queue = alloc_zeroed(u->order.capacity, sizeof *u->queue);
    u->unused = alloc_zeroed(u->order.capacity, sizeof *u->unused);
    u->free_id = alloc_zeroed(u->n_loads, sizeof *u->free_id);
    for (uint32_t i = 0; i < u->order.capacity; i++)
        u->unused[i] = u->order.capacity - 1 - i;
    for (uint32_t i = 0; i < u->n_loads; i++)
        u->free_id[i] = (uint16_t)(u->n_loads - 1 - i);
    if (context->check)
        add_lines(u);
}

void lsu_watch_loads(struct lsu *u) {
    if (u->watched)
        return;
    if (!u->lines)
        add_lines(u);
    u->watched = alloc_zeroed(u->n_loads, sizeof *u->watched);
}

void lsu_free(struct lsu *u) {
    for (uint32_t i = 0; i < u->order.capacity; i++)
        free(u->queue[i]);
    free(u->queue);
    ring_free(&u->order);
    free(u->unused);
    free(u->load);
    free(u->free_id);
    free(u->lines);
    free(u->watched);
    memset(u, 0, sizeof *u);
}

/* ---- entry of an instruction ---- */

static unsigned bytes_of(const struct lsu_inst *q) {
    unsigned n = 0;
    for (uint32_t i = 0; i < q->n; i++)
        n += bits_count(q->access[i].mask.w[0]) + bits_count(q->access[i].mask.w[1]);
    return n;
}

/* Implements the planted fault lose_lane: removes the last lane if the accesses then have fewer
 * bytes. */
static void lose_lane(struct lsu *u, struct lsu_inst *q, const struct warp_inst *inst,
                      uint32_t slot) {
    unsigned before = bytes_of(q);
    struct warp_inst full = *inst;
    warp_inst_expand(&full);
    struct warp_inst less = full;
    less.mask &= ~(UINT32_C(1) << (31 - __builtin_clz(inst->mask)));
    if (!less.mask)
        return;
    q->n = coalesce(&u->coalescer, &less, slot, q->access);
    if (bytes_of(q) == before || !context_plant(u->context, PLANT_LOSE_LANE))
        q->n = coalesce(&u->coalescer, &full, slot, q->access);
}

void lsu_count(struct stats *s, const struct warp_inst *inst) {
    stat_add(s,
             inst->op == WARP_LOAD    ? STAT_load_insts
             : inst->op == WARP_STORE ? STAT_store_insts
                                      : STAT_atomic_insts,
             1);
    if (inst->space == SPACE_LOCAL)
        stat_add(s, STAT_local_insts, 1);
}

/* Sets *to to access i of the instruction, in the order in which its accesses leave. */
static void show_access(const struct lsu *u, const struct lsu_inst *q, uint32_t i,
                        struct request *to) {
    to->sm.last = i + 1 == q->n;
    i = u->descending ? q->n - 1 - i : i;
    to->line = coalesced_line(&q->access[i]);
    to->mask = q->access[i].mask;
}

bool lsu_behind(const struct lsu *u, struct request *behind) {
    const struct lsu_inst *q = lsu_first(u);
    if (lsu_shared_first(u))
        return false;
    if (u->order.count && q->next + 1 < q->n) {
        *behind = q->head;
        show_access(u, q, q->next + 1, behind);
        return true;
    }
    if (u->order.count < 2)
        return false;
    const struct lsu_inst *next = lsu_at(u, 1);
    *behind = next->head;
    return u->entered > 1 && !next->shared;
}

static bool is_legal(struct lsu *u, const struct warp_inst *inst, const struct lsu_from *from) {
    const struct warp_place *place = from->place;
    struct error why;
    if (coalesce_legal(inst, &why))
        return true;
    context_fail(u->context, CONTEXT_BAD_INPUT, "kernel %.40s, CTA (%u,%u,%u), warp %u: %s",
                 from->name, (unsigned)place->cta[0], (unsigned)place->cta[1],
                 (unsigned)place->cta[2], (unsigned)place->warp, why.text);
    return false;
}

/* Returns the top of the stack of unused places. This is the place freed last, which is probably
 * in the host's cache. */
static uint32_t *top(const struct lsu *u) {
    return &u->unused[u->order.capacity - u->order.count - 1];
}

/* Returns the instruction at the top of the stack. */
static struct lsu_inst *take_place(struct lsu *u) {
    struct lsu_inst **place = &u->queue[*top(u)];
    if (!*place)
        *place = alloc_bytes(sizeof **place);
    return *place;
}

static void add_access(struct lsu *u, struct lsu_inst *q, bool shared) {
    q->shared = shared;
    ring_push(&u->order, *top(u));
    u->entered += !u->collected && u->latency == 1;
}

void lsu_push_shared(struct lsu *u, uint32_t warp, const struct warp_inst *inst,
                     const struct reg_set *dst, uint64_t cycle) {
    struct lsu_inst *q = take_place(u);
    q->enters = cycle + u->latency;
    q->head.origin.warp = (uint8_t)warp;
    q->n = inst->passes;
    q->atomic = inst->atomic;
    q->until = 0;
    q->dst = *dst;
    add_access(u, q, true);
}

static uint32_t slot_of(const struct lsu *u, const struct lsu_from *from) {
    return coalescer_slot(&u->coalescer, from->warp, from->cta, from->place->warp);
}

/* Coalesces an instruction that is not on the fast path. Returns the number of accesses, or 0 for
 * bad input. */
__attribute__((noinline)) static uint32_t coalesce_lanes(struct lsu *u,
                                                         const struct warp_inst *inst,
                                                         const struct lsu_from *from,
                                                         struct coalesced *to) {
    struct warp_inst full;
    if (inst->even) {
        full = *inst;
        warp_inst_expand(&full);
        inst = &full;
    }
    return is_legal(u, inst, from) ? coalesce(&u->coalescer, inst, slot_of(u, from), to) : 0;
}

/* Records the instruction of a load table entry for the watcher. */
__attribute__((noinline)) static void
note_inst(struct lsu *u, uint32_t id, const struct warp_inst *inst, const struct lsu_from *from) {
    u->watched[id] = (struct lsu_watched){.kernel = from->name,
                                          .place = *from->place,
                                          .form = warp_inst_form(inst),
                                          .pc = inst->pc,
                                          .has_pc = inst->has_pc};
}

uint32_t lsu_push(struct lsu *u, const struct warp_inst *inst, const struct lsu_from *from,
                  uint64_t cycle) {
    struct lsu_inst *q = take_place(u);
    q->n = coalesce_even(&u->coalescer, inst, q->access);
    if (!q->n)
        q->n = coalesce_lanes(u, inst, from, q->access);
    if (!q->n)
        return 0;
    q->next = 0;
    if (u->context->plant == PLANT_LOSE_LANE)
        lose_lane(u, q, inst, slot_of(u, from));
    q->head = (struct request){
        .kind = inst->op == WARP_LOAD    ? REQUEST_LOAD
                : inst->op == WARP_STORE ? REQUEST_STORE
                                         : REQUEST_ATOMIC,
        .local = inst->space == SPACE_LOCAL,
        .bypass = inst->op == WARP_LOAD && inst->skip_l1,
        .result = inst->op == WARP_ATOMIC && lsu_needs_entry(inst),
        .origin = {.sm = (uint16_t)u->sm,
                   .kernel = (uint8_t)from->kernel,
                   .cta = (uint8_t)from->cta,
                   .warp = (uint8_t)from->warp,
                   .cta_warp = (uint8_t)from->place->warp},
        .sm = {.queue = (uint8_t)from->queue},
    };
    show_access(u, q, 0, &q->head);
    add_access(u, q, false);
    q->enters = cycle + u->latency;
    lsu_count(u->stats, inst);
    if (!lsu_needs_entry(inst))
        return q->n;
    const uint16_t id = q->head.origin.load = u->free_id[--u->n_free];
    u->load = alloc_covering(u->load, &u->load_room, id, sizeof *u->load);
    u->load[id] = (struct lsu_load){
        .dst = inst->dst,
        .n = q->n,
        .remaining = q->n,
        .issued = cycle,
        .warp = (uint16_t)from->warp,
        .kernel = (uint8_t)from->kernel,
        .atomic = inst->op == WARP_ATOMIC,
        .group = from->group,
    };
    if (u->watched)
        note_inst(u, id, inst, from);
    return q->n;
}

/* ---- copies to shared memory ---- */

/* True if the entry is a copy in flight of warp slot `warp`. */
static bool is_copy(const struct lsu_load *l, uint32_t warp) {
    return l->remaining && l->group && l->warp == warp;
}

uint32_t lsu_copies(const struct lsu *u, uint32_t warp, uint32_t group) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < u->load_room; i++)
        n += is_copy(&u->load[i], warp) && u->load[i].group < group;
    return n;
}

void lsu_forget_copies(struct lsu *u, uint32_t warp) {
    for (uint32_t i = 0; i < u->load_room; i++)
        if (is_copy(&u->load[i], warp))
            u->load[i].group = 0;
}

/* ---- accesses ---- */

/* Records an access in a free place of its load table entry, which has one place per access. */
static void note_line(struct lsu *u, const struct request *a) {
    struct lsu_line *l = &u->lines[a->origin.load * LSU_MAX_ACCESSES];
    while (l->waiting)
        l++;
    l->line = a->line;
    l->mask = a->mask;
    l->ticket =
        a->kind == REQUEST_LOAD && u->context->check ? check_load(u->context->check, u->sm) : 0;
    l->translating = a->sm.translating;
    l->piped = a->sm.piped;
    l->waiting = true;
}

/* Counts the cycles of a load access from issue until the L1D accepts it. */
static void count_before(struct lsu *u, const struct request *a, uint64_t cycle) {
    uint64_t before = cycle - u->load[a->origin.load].issued;
    assert(a->sm.translating + a->sm.piped <= before);
    stat_add(u->stats, STAT_load_life, before);
    stat_add(u->stats, STAT_load_in_lsu, before - a->sm.translating - a->sm.piped);
    stat_add(u->stats, STAT_load_in_l1d, a->sm.piped);
    stat_add(u->stats, STAT_load_latency, a->sm.piped); /* the rest is in u->waiting */
    stat_add(u->stats, STAT_load_in_tlb, a->sm.translating);
}

/* Returns the number of SM cycles between `from` and `to`, excluding those before `since`, the
 * cycle in which the L1D accepted the load. */
static uint64_t overlap(uint64_t from, uint64_t to, uint64_t since) {
    from = from > since ? from : since;
    return to > from ? to - from : 0;
}

/* Counts a load's time in each part since the L1D accepted it. For a secondary miss, the fetch's
 * time before the load was accepted does not count. */
static void count_stay(struct lsu *u, const struct request_times *t, uint64_t cycle) {
    const uint64_t since = t->l1d_accept, all = cycle - since;
    const uint64_t icnt =
        overlap(t->to_icnt, t->to_l2, since) + overlap(t->to_reply, t->back, since);
    const uint64_t dram = overlap(t->to_dram, t->from_dram, since);
    const uint64_t l2 = overlap(t->to_l2, t->to_reply, since);
    assert(dram <= l2 && icnt + l2 <= all);
    stat_add(u->stats, STAT_load_life, all);
    stat_add(u->stats, STAT_load_in_l1d, all - icnt - l2);
    stat_add(u->stats, STAT_load_in_icnt, icnt);
    stat_add(u->stats, STAT_load_in_l2, l2 - dram);
    stat_add(u->stats, STAT_load_in_dram, dram);
}

void lsu_taken(struct lsu *u, const struct request *a, uint64_t cycle) {
    bool load = a->kind == REQUEST_LOAD;
    stat_add(u->stats,
             load                       ? STAT_load_lines
             : a->kind == REQUEST_STORE ? STAT_store_lines
                                        : STAT_atomic_lines,
             1);
    if (!request_answered(a))
        return;
    level_change(load ? &u->waiting : &u->atomics, cycle, 1);
    if (load)
        count_before(u, a, cycle);
    if (u->lines)
        note_line(u, a);
}

void lsu_bring(struct lsu *u, uint32_t n) {
    assert(n < u->order.count);
    const uint32_t place = *ring_at(&u->order, n);
    for (; n; n--)
        *ring_at(&u->order, n) = *ring_at(&u->order, n - 1);
    *ring_first(&u->order) = place;
}

static void remove_first(struct lsu *u) {
    const uint32_t place = ring_pop(&u->order);
    *top(u) = place;
    u->entered--;
}

bool lsu_leave(struct lsu *u) {
    struct lsu_inst *q = lsu_first(u);
    if (++q->next < q->n) {
        show_access(u, q, q->next, &q->head);
        return false;
    }
    remove_first(u);
    return true;
}

const struct lsu_inst *lsu_take_shared(struct lsu *u, uint64_t cycle) {
    if (!lsu_shared_first(u))
        return NULL;
    struct lsu_inst *q = lsu_first(u);
    if (!q->until)
        q->until = cycle + q->n;
    if (cycle < q->until)
        return NULL;
    remove_first(u);
    return q;
}

/* Reports a load's access to the watcher. */
static void tell_watcher(const struct lsu *u, uint32_t number, const struct lsu_line *l,
                         uint64_t cycle) {
    struct request_pool *pool = &u->context->pool;
    const uint32_t id = request_at(pool, number)->origin.load;
    const struct lsu_load *load = &u->load[id];
    const struct lsu_watched *w = &u->watched[id];
    const struct watched_load done = {.kernel = w->kernel,
                                      .place = w->place,
                                      .form = w->form,
                                      .has_pc = w->has_pc,
                                      .pc = w->pc,
                                      .sm = u->sm,
                                      .warp = load->warp,
                                      .index = (uint32_t)(l - u->lines) % LSU_MAX_ACCESSES,
                                      .n = load->n,
                                      .line = l->line,
                                      .mask = l->mask,
                                      .issued = load->issued,
                                      .done = cycle,
                                      .translating = l->translating,
                                      .piped = l->piped,
                                      .times = *request_times(pool, number),
                                      .marks = pool->marks[number]};
    u->context->loads->done(u->context->loads->ctx, &done);
}

/* Removes the access that request `number` answers from the accesses in flight, checks its data and
 * reports it to the watcher. Returns false if there is no such access. */
static bool end_line(struct lsu *u, const struct lsu_load *load, uint32_t number, uint64_t cycle) {
    struct request_pool *pool = &u->context->pool;
    const struct request *r = request_at(pool, number);
    struct lsu_line *l = &u->lines[r->origin.load * LSU_MAX_ACCESSES];
    for (uint32_t i = 0; i < load->n; i++, l++) {
        if (!l->waiting || l->line != r->line || mask_first(&l->mask) != mask_first(&r->mask))
            continue;
        l->waiting = false;
        if (u->watched && !load->atomic)
            tell_watcher(u, number, l, cycle);
        if (!load->atomic && u->context->check)
            check_load_done(u->context->check, u->sm, l->ticket, l->line, &l->mask,
                            request_data(pool, number));
        return true;
    }
    return false;
}

const struct lsu_load *lsu_answer(struct lsu *u, uint32_t number, uint64_t cycle) {
    struct request_pool *pool = &u->context->pool;
    const struct request *r = request_at(pool, number);
    const uint32_t id = r->origin.load;
    struct lsu_load *load = id < u->load_room ? &u->load[id] : NULL;
    struct level *waiting = load && load->atomic ? &u->atomics : &u->waiting;
    if (!load || load->remaining == 0 || waiting->value == 0 ||
        (u->lines && !end_line(u, load, number, cycle))) {
        context_fail(u->context, CONTEXT_BROKEN,
                     "SM %u: unexpected data for load %u, line 0x%llx, offset %u", (unsigned)u->sm,
                     (unsigned)id, (unsigned long long)r->line * LINE_BYTES, mask_first(&r->mask));
        return NULL;
    }
    level_change(waiting, cycle, -1);
    if (!load->atomic)
        count_stay(u, request_times(pool, number), cycle);
    if (u->context->uvm && !load->atomic)
        uvm_release(u->context->uvm, r->line);
    if (--load->remaining)
        return NULL;
    u->free_id[u->n_free++] = (uint16_t)id;
    hist_add(u->stats, HIST_load_latency_hist, cycle - load->issued);
    return load;
}
