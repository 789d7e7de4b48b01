#include "l1d/l1d.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/flits.h"
#include "lib/bits.h"
#include "l1d/plan.h"
#include "uvm/uvm.h"
#include "check/check.h"

#define L1D_LINE_OFF_W 7   /* bits of an offset in a line */
#define L1D_SECTOR_OFF_W 5 /* in a sector */
#define L1D_ID_W 8         /* pending load */

static const struct refusal_stats refusal_stats = REFUSAL_STATS_OF(l1d);

/* ---- queues of responses ---- */

static int rsp_init(struct l1d_rsp_queue *q, uint32_t capacity) {
    q->slot = calloc(capacity, sizeof *q->slot);
    q->head = q->count = 0;
    q->capacity = capacity;
    return q->slot ? 0 : -1;
}

static bool rsp_full(const struct l1d_rsp_queue *q) {
    return q->count == q->capacity;
}

static struct l1d_rsp *rsp_push(struct l1d *l1, struct l1d_rsp_queue *q, uint32_t id, uint64_t line,
                                unsigned offset, const uint8_t *data) {
    uint32_t at = q->head + q->count++;
    struct l1d_rsp *r = &q->slot[at >= q->capacity ? at - q->capacity : at];
    r->id = id;
    r->line = line;
    r->offset = (uint16_t)offset;
    r->version = 0;
    if (l1->context->carry)
        memcpy(r->data, data, LINE_BYTES);
    l1->context->progress++;
    return r;
}

static void rsp_drop(struct l1d_rsp_queue *q) {
    if (++q->head == q->capacity)
        q->head = 0;
    q->count--;
}

/* ---- making and ending ---- */

static struct mshr_geometry mshr_of(const struct config *cfg) {
    return (struct mshr_geometry){
        .keys = MSHR_KEYS_OF(cfg, l1d),
        .addr_w = cfg->l1d_sectored ? ADDR_LINE_BITS + 2 : ADDR_LINE_BITS,
        .off_w = cfg->l1d_sectored ? L1D_SECTOR_OFF_W : L1D_LINE_OFF_W,
        .id_w = L1D_ID_W,
    };
}

static int init_mshr(struct l1d *l1, const struct config *cfg, char *err, size_t err_size) {
    const struct mshr_geometry g = mshr_of(cfg);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l1d.%u.mshr", (unsigned)l1->sm);
    return mshr_unit_init(&l1->mshr, &l1->context->blocks, &g, name, err, err_size);
}

static void set_policies(struct l1d *l1, const struct config *cfg) {
    l1->enabled = cfg->l1d_enabled != 0;
    l1->sectored = cfg->l1d_sectored != 0;
    l1->allocate_on_fill = cfg->l1d_allocate == ALLOCATE_FILL;
    l1->write = (uint8_t)cfg->l1d_write;
    l1->bypass = (uint8_t)cfg->l1d_bypass;
    l1->bypass_slots = cfg->l1d_bypass_slots ? (uint32_t)cfg->l1d_bypass_slots : UINT32_MAX;
    l1->hit_latency = (uint32_t)cfg->l1d_hit_latency;
    l1->set_index = (enum set_index)cfg->l1d_set_index;
    l1->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l1->header_bytes = (uint32_t)cfg->icnt_header_bytes;
}

static int init_parts(struct l1d *l1, const struct config *cfg) {
    const struct mshr_geometry mshr = mshr_of(cfg);
    if (fifo_init(&l1->miss_queue, (uint32_t)cfg->l1d_miss_queue) != 0 ||
        rsp_init(&l1->hits, l1->hit_latency) != 0 ||
        rsp_init(&l1->rsp, (uint32_t)cfg->l1d_rsp_queue) != 0 ||
        granules_init(&l1->inflight, mshr_size_of(&mshr).heads) != 0 ||
        lines_init(&l1->lines, (uint32_t)cfg->l1d_sets, (uint32_t)cfg->l1d_ways) != 0 ||
        protect_init(&l1->protect, &l1->lines,
                     l1->bypass == BYPASS_PDP ? (uint32_t)cfg->l1d_protect_distance : 0) != 0)
        return -1;
    l1->version = calloc(lines_count(&l1->lines), sizeof *l1->version);
    l1->head = calloc(l1->inflight.heads, sizeof *l1->head);
    return l1->version && l1->head ? 0 : -1;
}

int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context, uint32_t sm,
             char *err, size_t err_size) {
    memset(l1, 0, sizeof *l1);
    l1->context = context;
    l1->refusals.ids = &refusal_stats;
    l1->sm = sm;
    set_policies(l1, cfg);
    if (init_parts(l1, cfg) != 0) {
        snprintf(err, err_size, "out of memory for the L1D of SM %u", (unsigned)sm);
        return -1;
    }
    if (!l1->enabled)
        return 0;
    return init_mshr(l1, cfg, err, err_size) ||
                   mdb_init(&l1->mdb, &context->blocks, cfg, sm, err, err_size)
               ? -1
               : 0;
}

void l1d_free(struct l1d *l1) {
    fifo_free(&l1->miss_queue);
    free(l1->hits.slot);
    free(l1->rsp.slot);
    free(l1->version);
    free(l1->ticket);
    granules_free(&l1->inflight);
    free(l1->head);
    protect_free(&l1->protect);
    lines_free(&l1->lines);
    mshr_unit_free(&l1->mshr);
    mdb_free(&l1->mdb);
}

int l1d_carry(struct l1d *l1, bool on) {
    return lines_carry(&l1->lines, on);
}

void l1d_invalidate(struct l1d *l1) {
    assert(!l1->dirty_ways);
    if (!context_plant_stuck(l1->context, PLANT_STALE_LINE)) {
        lines_drop_all(&l1->lines);
        return;
    }
    for (uint32_t way = 0; way < lines_count(&l1->lines); way++)
        l1->lines.flags[way] |= WAY_STALE;
}

uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n) {
    struct lines *t = &l1->lines;
    uint32_t dropped = 0;
    for (uint64_t line = first; l1->enabled && line < first + n; line++) {
        uint32_t way = lines_find(t, addr_set(l1->set_index, line, t->sets), line);
        if (way == WAY_NONE)
            continue;
        if (t->pending[way] || lines_dirty(t, way))
            context_fail(l1->context, CONTEXT_BROKEN,
                         "L1D %u: line 0x%llx of a page that leaves is dirty or on its way",
                         (unsigned)l1->sm, (unsigned long long)line * LINE_BYTES);
        lines_drop(t, way);
        dropped++;
    }
    return dropped;
}

/* ---- packets to the L2 ---- */

static uint32_t send(struct l1d *l1, enum packet_kind kind, uint64_t line,
                     const struct byte_mask *mask, uint32_t version) {
    struct context *f = l1->context;
    uint32_t number = packet_take(&f->pool);
    struct packet *p = packet_at(&f->pool, number);
    p->line = line;
    p->mask = *mask;
    p->sm = (uint16_t)l1->sm;
    p->id = 0;
    p->kind = (uint8_t)kind;
    p->reply = p->direct = p->result = false;
    p->version = version;
    fifo_push(&l1->miss_queue, number);
    if (kind != PACKET_LOAD)
        l1->stores_out++;
    return number;
}

/* The way's dirty bytes go to the L2; they stay, clean. */
static void write_back(struct l1d *l1, uint32_t way) {
    struct lines *t = &l1->lines;
    struct context *f = l1->context;
    uint32_t number = send(l1, PACKET_WRITEBACK, t->line[way], &t->dirty[way], l1->version[way]);
    if (f->carry)
        memcpy(packet_data(&f->pool, number), lines_data(t, way), LINE_BYTES);
    t->dirty[way] = (struct byte_mask){{0, 0}};
    l1->dirty_ways--;
    stat_add(l1->stats, STAT_l1d_writebacks, 1);
    f->progress++;
}

/* Nothing is left to run: one dirty line in a cycle, in the order of the ways. */
static void flush_line(struct l1d *l1) {
    if (!l1->flush || !l1->dirty_ways || fifo_full(&l1->miss_queue))
        return;
    for (uint32_t n = lines_count(&l1->lines); n > 0; n--) {
        uint32_t way = l1->flush_at;
        l1->flush_at = way + 1 == lines_count(&l1->lines) ? 0 : way + 1;
        if (!lines_dirty(&l1->lines, way) || l1->lines.pending[way])
            continue;
        write_back(l1, way);
        return;
    }
}

/* ---- an access ---- */

static void present_request(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    if (plan->kind != PLAN_PRIMARY && plan->kind != PLAN_SECONDARY)
        return;
    struct mshr_in *in = &l1->mshr.in;
    in->req_valid = 1;
    in->req_addr = plan_granule(l1, a);
    in->req_off = mask_first(&a->mask) % (l1->sectored ? 32 : LINE_BYTES);
    in->req_id = a->id;
}

static void claim(struct l1d *l1, uint32_t way, uint64_t line) {
    if (lines_dirty(&l1->lines, way))
        write_back(l1, way);
    lines_claim(&l1->lines, way, line);
}

/* The access uses the line. */
static void use(struct l1d *l1, uint32_t way) {
    lines_touch(&l1->lines, way);
    protect_use(&l1->protect, &l1->lines, way);
}

/* A way without any byte, and with nothing on its way, is free. */
static void drop_if_empty(struct lines *t, uint32_t way) {
    if (mask_none(&t->valid[way]) && !t->pending[way])
        lines_drop(t, way);
}

/* The clean bytes of the granule become invalid. Returns whether there were any. */
static bool drop_granule(struct l1d *l1, const struct l1d_access *a, uint32_t way) {
    const struct byte_mask all = mask_of_sectors(plan_sectors(l1, a));
    struct lines *t = &l1->lines;
    struct byte_mask before = t->valid[way];
    mask_remove(&t->valid[way], &all);
    bool any = before.w[0] != t->valid[way].w[0] || before.w[1] != t->valid[way].w[1];
    drop_if_empty(t, way);
    return any;
}

/* What a store that is written through does to the line. */
static void update_line(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                        const uint8_t *data) {
    struct lines *t = &l1->lines;
    if (plan->head != HEAD_NONE)
        l1->head[plan->head].poisoned = true;
    if (plan->way == WAY_NONE)
        return;
    if (l1->write == L1D_WEWN) {
        if (drop_granule(l1, a, plan->way))
            stat_add(l1->stats, STAT_l1d_write_evicts, 1);
        return;
    }
    const struct byte_mask *valid = &t->valid[plan->way];
    const struct byte_mask here = {{a->mask.w[0] & valid->w[0], a->mask.w[1] & valid->w[1]}};
    if (mask_none(&here))
        return;
    use(l1, plan->way);
    lines_store(t, plan->way, &here, data, false);
}

static void take_store(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *f = l1->context;
    uint32_t version = ++f->version;
    uint32_t number = send(l1, PACKET_STORE, a->line, &a->mask, version);
    uint8_t *data = f->carry ? packet_data(&f->pool, number) : NULL;
    if (f->check)
        check_store(f->check, l1->sm, a->line, &a->mask, version);
    if (f->carry)
        check_stamp_line(data, a->line, &a->mask, version);
    if (l1->enabled)
        update_line(l1, a, plan, data);
}

/* Stored without a fetch: the bytes are valid and dirty. */
static void take_store_here(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *f = l1->context;
    struct lines *t = &l1->lines;
    uint32_t way = plan->way, version = ++f->version;
    uint8_t data[LINE_BYTES];
    if (f->check)
        check_store(f->check, l1->sm, a->line, &a->mask, version);
    if (f->carry)
        check_stamp_line(data, a->line, &a->mask, version);
    if (plan->claim)
        claim(l1, way, a->line);
    if (plan->head != HEAD_NONE)
        t->pending[way] |= (uint8_t)plan_sectors(l1, a); /* it stays until the fill has come */
    l1->dirty_ways += !lines_dirty(t, way);
    l1->version[way] = version;
    use(l1, way);
    lines_store(t, way, &a->mask, f->carry ? data : NULL, true);
    stat_add(l1->stats, STAT_l1d_stores_kept, 1);
}

static void keep_ticket(struct l1d *l1, uint64_t ticket, uint32_t version) {
    if (l1->n_tickets == l1->tickets_room) {
        uint32_t room = l1->tickets_room ? 2 * l1->tickets_room : 64;
        struct l1d_ticket *more = realloc(l1->ticket, room * sizeof *more);
        if (!more) {
            context_fail(l1->context, CONTEXT_INTERNAL, "out of memory for the check of atomics");
            return;
        }
        l1->ticket = more;
        l1->tickets_room = room;
    }
    l1->ticket[l1->n_tickets++] = (struct l1d_ticket){ticket, version};
}

/* The L2 does it; what is here of its bytes becomes old. */
static void take_atomic(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    struct context *f = l1->context;
    uint32_t version = ++f->version;
    uint32_t number = send(l1, PACKET_ATOMIC, a->line, &a->mask, version);
    struct packet *p = packet_at(&f->pool, number);
    p->id = (uint16_t)a->id;
    p->result = a->result;
    if (f->check)
        keep_ticket(l1, check_atomic(f->check, l1->sm, a->line, &a->mask, version), version);
    if (f->carry)
        check_stamp_line(packet_data(&f->pool, number), a->line, &a->mask, version);
    if (plan->head != HEAD_NONE)
        l1->head[plan->head].poisoned = true;
    if (plan->way != WAY_NONE)
        drop_granule(l1, a, plan->way);
}

static void take_direct(struct l1d *l1, const struct l1d_access *a) {
    struct packet *p = packet_at(&l1->context->pool, send(l1, PACKET_LOAD, a->line, &a->mask, 0));
    p->id = (uint16_t)a->id;
    p->direct = true;
    l1->direct_out++;
}

static void take_primary(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                         uint32_t head) {
    unsigned sectors = plan_sectors(l1, a);
    const struct byte_mask all = mask_of_sectors(sectors);
    if (plan->claim)
        claim(l1, plan->way, a->line);
    uint32_t number = send(l1, PACKET_LOAD, a->line, &all, 0);
    packet_at(&l1->context->pool, number)->id = (uint16_t)head;
    granules_add(&l1->inflight, head, plan_granule(l1, a));
    l1->head[head] = (struct l1d_head){a->line, a->mask, false};
    if (plan->way == WAY_NONE)
        return;
    l1->lines.pending[plan->way] |= (uint8_t)sectors;
    use(l1, plan->way);
}

static bool count_refusal(struct l1d *l1, enum stat_id reason) {
    return refusals_count(&l1->refusals, l1->stats, reason);
}

static bool count_taken(struct l1d *l1, enum stat_id kind) {
    if (l1->enabled) {
        stat_add(l1->stats, STAT_l1d_accesses, 1);
        stat_add(l1->stats, kind, 1);
    }
    refusals_end(&l1->refusals);
    l1->context->progress++;
    return true;
}

static bool judge_hit(struct l1d *l1, const struct l1d_access *a, uint32_t way, uint64_t cycle) {
    if (rsp_full(&l1->hits))
        return count_refusal(l1, STAT_l1d_rf_rsp_queue);
    rsp_push(l1, &l1->hits, a->id, a->line, mask_first(&a->mask),
             l1->lines.data ? lines_data(&l1->lines, way) : NULL)
        ->ready = cycle + l1->hit_latency;
    use(l1, way);
    if (l1->lines.flags[way] & WAY_STALE)
        l1->context->planted = true;
    return count_taken(l1, STAT_l1d_hits);
}

static bool judge_direct(struct l1d *l1, const struct l1d_access *a) {
    take_direct(l1, a);
    return count_taken(l1, STAT_l1d_bypassed);
}

/* The MSHR has answered the request of a miss. */
static bool judge_miss(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    const struct mshr_out *out = &l1->mshr.out;
    bool absent = plan->kind == PLAN_PRIMARY;
    if (!out->req_ready && out->req_refuse != MSHR_REFUSE_WALK &&
        plan_passes_stall(l1, a, plan->claim ? WAY_NONE : plan->way,
                          refusals_of_mshr(&l1->refusals, &l1->mshr)))
        return judge_direct(l1, a);
    if (!refusals_miss_taken(&l1->refusals, l1->stats, l1->context, &l1->mshr, absent))
        return false;
    if (absent) {
        take_primary(l1, a, plan, (uint32_t)out->req_head);
        return count_taken(l1, STAT_l1d_primary);
    }
    mask_add(&l1->head[plan->head].wanted, &a->mask);
    if (plan->way != WAY_NONE)
        use(l1, plan->way);
    return count_taken(l1, STAT_l1d_secondary);
}

static bool judge(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                  uint64_t cycle) {
    switch (plan->kind) {
    case PLAN_REFUSE:
        return count_refusal(l1, plan->reason);
    case PLAN_WRITE_BACK:
        write_back(l1, plan->way);
        return count_refusal(l1, STAT_l1d_rf_order);
    case PLAN_HIT:
        return judge_hit(l1, a, plan->way, cycle);
    case PLAN_PRIMARY:
    case PLAN_SECONDARY:
        return judge_miss(l1, a, plan);
    case PLAN_DIRECT:
        return judge_direct(l1, a);
    case PLAN_STORE:
        take_store(l1, a, plan);
        return count_taken(l1, STAT_l1d_stores);
    case PLAN_STORE_HERE:
        take_store_here(l1, a, plan);
        return count_taken(l1, STAT_l1d_stores);
    case PLAN_ATOMIC:
        take_atomic(l1, a, plan);
        return count_taken(l1, STAT_l1d_atomics);
    case PLAN_NONE:
        break;
    }
    return false;
}

/* ---- replies and responses ---- */

/* The account of an atomic, closed. */
static void check_atomic_reply(struct l1d *l1, uint32_t number) {
    struct context *f = l1->context;
    const struct packet *p = packet_at(&f->pool, number);
    uint32_t i = 0;
    while (i < l1->n_tickets && l1->ticket[i].version != p->version)
        i++;
    if (i == l1->n_tickets) {
        context_fail(f, CONTEXT_BROKEN, "SM %u: reply of an atomic that nobody made, version %u",
                     (unsigned)l1->sm, (unsigned)p->version);
        return;
    }
    check_atomic_done(f->check, l1->sm, l1->ticket[i].ticket, p->line, &p->mask, p->version,
                      packet_data(&f->pool, number));
    l1->ticket[i] = l1->ticket[--l1->n_tickets];
}

static void check_ack(struct l1d *l1, uint32_t number) {
    struct check *check = l1->context->check;
    const struct packet *p = packet_at(&l1->context->pool, number);
    if (p->kind == PACKET_STORE)
        check_store_acked(check, l1->sm, p->version);
    else if (p->kind == PACKET_WRITEBACK)
        check_line_acked(check, l1->sm, p->line, &p->mask, p->version);
    else
        check_atomic_reply(l1, number);
}

/* The reply of what writes. An atomic's old bytes go to the response queue if they are wanted. */
static void take_ack(struct l1d *l1, uint32_t number) {
    struct context *f = l1->context;
    const struct packet *p = packet_at(&f->pool, number);
    if (p->result) {
        if (rsp_full(&l1->rsp))
            return;
        rsp_push(l1, &l1->rsp, p->id, p->line, mask_first(&p->mask),
                 f->carry ? packet_data(&f->pool, number) : NULL)
            ->version = p->version;
    }
    if (f->check)
        check_ack(l1, number);
    if (f->uvm && p->kind != PACKET_WRITEBACK)
        uvm_release(f->uvm, p->line);
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
    if (l1->stores_out == 0)
        context_fail(f, CONTEXT_BROKEN, "SM %u: acknowledgement of a store that nobody made",
                     (unsigned)l1->sm);
    else
        l1->stores_out--;
}

/* A reply that no request waits for must not reach the MSHR. */
static bool reply_expected(struct l1d *l1, const struct packet *p) {
    if (granules_has(&l1->inflight, p->id) && l1->head[p->id].line == p->line)
        return true;
    context_fail(l1->context, CONTEXT_BROKEN,
                 "SM %u: reply for line 0x%llx, MSHR head %u, that nobody waits for",
                 (unsigned)l1->sm, (unsigned long long)p->line * LINE_BYTES, (unsigned)p->id);
    return false;
}

static void present_return(struct l1d *l1, uint32_t reply) {
    if (reply == PACKET_NONE)
        return;
    const struct packet *p = packet_at(&l1->context->pool, reply);
    if (packet_writes(p) || p->direct || !reply_expected(l1, p))
        return;
    l1->mshr.in.ret_valid = 1;
    l1->mshr.in.ret_head = p->id;
}

/* The way that a fill goes to: the line's own, else (allocation on fill) another line's. None if
 * all wait for fills or are protected, or if a dirty one would have to wait for the miss queue:
 * replies must not wait for requests. */
static uint32_t way_of_fill(struct l1d *l1, uint64_t line, bool poisoned) {
    struct lines *t = &l1->lines;
    uint32_t set = addr_set(l1->set_index, line, t->sets);
    uint32_t way = lines_find(t, set, line);
    if (way != WAY_NONE || poisoned)
        return way;
    way = protect_victim(&l1->protect, t, set);
    if (way == WAY_NONE || (lines_dirty(t, way) && fifo_full(&l1->miss_queue)))
        return WAY_NONE;
    claim(l1, way, line);
    protect_fill(&l1->protect, t, way);
    return way;
}

static void fill_way(struct l1d *l1, uint32_t way, unsigned sectors, bool poisoned,
                     const uint8_t *data) {
    struct lines *t = &l1->lines;
    if (!poisoned || context_plant_stuck(l1->context, PLANT_STALE_LINE)) {
        lines_fill(t, way, sectors, data);
        t->flags[way] |= poisoned ? WAY_STALE : 0;
        return;
    }
    t->pending[way] &= (uint8_t)~sectors;
    drop_if_empty(t, way);
}

/* The granule is there: it goes to its way and, with the way's dirty bytes, to the fill buffer. */
static void take_fill(struct l1d *l1, uint32_t number) {
    struct context *f = l1->context;
    struct lines *t = &l1->lines;
    const struct packet *p = packet_at(&f->pool, number);
    const uint8_t *data = f->carry ? packet_data(&f->pool, number) : NULL;
    bool poisoned = l1->head[p->id].poisoned;
    unsigned sectors =
        l1->sectored ? 1u << l1->inflight.granule[p->id] % LINE_SECTORS : SECTORS_ALL;
    granules_remove(&l1->inflight, p->id);
    uint32_t way = way_of_fill(l1, p->line, poisoned);
    l1->draining_line = p->line;
    l1->draining_offset = l1->sectored ? 32 * bits_lowest(sectors) : 0;
    if (f->carry) {
        memcpy(l1->fill, data, LINE_BYTES);
        if (way != WAY_NONE)
            mask_copy(l1->fill, lines_data(t, way), &t->dirty[way]);
    }
    if (way != WAY_NONE)
        fill_way(l1, way, sectors, poisoned, data);
    stat_add(l1->stats, STAT_l1d_fills, 1);
    stat_add(l1->stats, STAT_l1d_fills_unkept, way == WAY_NONE || poisoned);
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
}

/* The reply of a direct load: straight to the response queue. */
static void take_direct_reply(struct l1d *l1, uint32_t number) {
    struct context *f = l1->context;
    const struct packet *p = packet_at(&f->pool, number);
    if (rsp_full(&l1->rsp))
        return;
    rsp_push(l1, &l1->rsp, p->id, p->line, mask_first(&p->mask),
             f->carry ? packet_data(&f->pool, number) : NULL);
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
    if (l1->direct_out == 0)
        context_fail(f, CONTEXT_BROKEN, "SM %u: reply of a direct load that nobody waits for",
                     (unsigned)l1->sm);
    else
        l1->direct_out--;
}

static void take_reply(struct l1d *l1, uint32_t reply, bool returned) {
    if (reply == PACKET_NONE)
        return;
    const struct packet *p = packet_at(&l1->context->pool, reply);
    if (packet_writes(p))
        take_ack(l1, reply);
    else if (p->direct)
        take_direct_reply(l1, reply);
    else if (returned && l1->mshr.out.ret_ready)
        take_fill(l1, reply);
}

/* The oldest hit leaves its pipeline if the response queue has room; a drain goes first. */
static void leave_pipeline(struct l1d *l1, uint64_t cycle) {
    struct l1d_rsp_queue *q = &l1->hits;
    if (!q->count || q->slot[q->head].ready > cycle || rsp_full(&l1->rsp))
        return;
    const struct l1d_rsp *r = &q->slot[q->head];
    rsp_push(l1, &l1->rsp, r->id, r->line, r->offset, r->data);
    rsp_drop(q);
}

static void move_miss(struct l1d *l1) {
    if (!l1->miss_queue.count || !xbar_can_push(l1->req, l1->sm))
        return;
    uint32_t number = fifo_pop(&l1->miss_queue);
    const struct packet *p = packet_at(&l1->context->pool, number);
    xbar_push(l1->req, l1->sm, number, addr_bank(l1->map, p->line),
              packet_flits(p, l1->header_bytes, l1->flit_bytes));
}

static void step_mshr(struct l1d *l1, uint64_t cycle) {
    struct mshr_unit *u = &l1->mshr;
    u->in.rsp_ready = !rsp_full(&l1->rsp);
    mshr_unit_step(u, cycle);
    if (u->out.err)
        context_fail(l1->context, CONTEXT_BROKEN, "%s: error %u", u->block.inst.name,
                     (unsigned)u->out.err);
    if (u->out.rsp_valid && u->in.rsp_ready)
        rsp_push(l1, &l1->rsp, (uint32_t)u->out.rsp_id, l1->draining_line,
                 l1->draining_offset + (unsigned)u->out.rsp_off, l1->fill);
}

/* What the access does to the lines, for model-driven bypassing. */
static enum bpg_op op_of(const struct l1d *l1, const struct l1d_access *a) {
    if (a->kind == PACKET_LOAD)
        return a->skip ? BPG_PASS : BPG_LOAD;
    if (a->kind == PACKET_ATOMIC)
        return BPG_EVICT;
    return plan_keeps(l1, a) ? BPG_WRITE : l1->write == L1D_WEWN ? BPG_EVICT : BPG_UPDATE;
}

/* An access that uses the L1D was refused for want of what a miss needs. */
static bool failed(const struct l1d *l1, const struct l1d_access *a) {
    switch (l1->refusals.reason) {
    case STAT_l1d_rf_line:
    case STAT_l1d_rf_miss_queue:
    case STAT_l1d_rf_entry_full:
    case STAT_l1d_rf_merge_full:
        return !plan_past(l1, a);
    default:
        return false;
    }
}

/* What became of the access (NULL: there was none). */
static void tell_mdb(struct l1d *l1, const struct l1d_access *a, bool taken, bool refused) {
    if (taken)
        mdb_taken(&l1->mdb, l1->stats, op_of(l1, a), a->line);
    else if (refused && failed(l1, a))
        mdb_refused(&l1->mdb, l1->stats);
    mdb_tick(&l1->mdb);
}

bool l1d_tick(struct l1d *l1, const struct l1d_access *access, uint64_t cycle) {
    uint64_t progress = l1->context->progress, refused = l1->refusals.counted;
    move_miss(l1);
    uint32_t reply = xbar_peek(l1->reply, l1->sm);
    if (mdb_on(&l1->mdb))
        mdb_ask(&l1->mdb, l1->stats, access, access ? access->user : 0, cycle);
    const struct plan plan = plan_access(l1, access);
    bool returned = false;
    if (l1->enabled) {
        present_request(l1, access, &plan);
        present_return(l1, reply);
        returned = l1->mshr.in.ret_valid;
        step_mshr(l1, cycle);
    }
    leave_pipeline(l1, cycle);
    bool taken = judge(l1, access, &plan, cycle);
    if (mdb_on(&l1->mdb))
        tell_mdb(l1, access, taken, l1->refusals.counted != refused);
    if (taken && l1->protect.distance)
        protect_count(&l1->protect, addr_set(l1->set_index, access->line, l1->lines.sets));
    take_reply(l1, reply, returned);
    if (!access)
        flush_line(l1);
    refusals_stand(&l1->refusals, refused, l1->context->progress == progress);
    return taken;
}

uint64_t l1d_next_event(const struct l1d *l1, uint64_t cycle) {
    if (l1->rsp.count || mshr_unit_next_event(&l1->mshr, l1->refusals.standing) == 0 ||
        mdb_next_event(&l1->mdb) == 0 || (l1->flush && l1->dirty_ways) || l1d_has_input(l1))
        return cycle;
    if (!l1->hits.count)
        return UINT64_MAX;
    uint64_t ready = l1->hits.slot[l1->hits.head].ready;
    return ready > cycle ? ready : cycle;
}
