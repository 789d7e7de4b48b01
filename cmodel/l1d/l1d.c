#include "l1d/l1d.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/flits.h"

#define L1D_OFF_W 7 /* offset in a line */
#define L1D_ID_W 8  /* pending load */

static const struct refusal_stats refusal_stats = REFUSAL_STATS_OF(l1d);

/* What becomes of an access, by the tags and queues at the start of the cycle. */
enum plan_kind {
    PLAN_NONE,
    PLAN_REFUSE,
    PLAN_HIT,
    PLAN_STORE,
    PLAN_LOAD_OUT,
    PLAN_PRIMARY,
    PLAN_SECONDARY
};

struct plan {
    enum plan_kind kind;
    enum stat_id reason; /* of PLAN_REFUSE */
    uint32_t way;        /* that holds the line, or is to hold it */
};

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

static void rsp_push(struct l1d *l1, struct l1d_rsp_queue *q, uint32_t id, uint64_t line,
                     unsigned offset, uint64_t ready, const uint8_t *data) {
    uint32_t at = q->head + q->count++;
    struct l1d_rsp *r = &q->slot[at >= q->capacity ? at - q->capacity : at];
    r->id = id;
    r->line = line;
    r->offset = (uint16_t)offset;
    r->ready = ready;
    if (l1->frame->carry)
        memcpy(r->data, data, LINE_BYTES);
    l1->frame->progress++;
}

/* ---- making and ending ---- */

static int init_mshr(struct l1d *l1, const struct config *cfg, char *err, size_t err_size) {
    const struct mshr_geometry g = MSHR_GEOMETRY_OF(cfg, l1d, L1D_OFF_W, L1D_ID_W, 0);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l1d.%u.mshr", (unsigned)l1->sm);
    return mshr_unit_init(&l1->mshr, &g, name, err, err_size);
}

int l1d_init(struct l1d *l1, const struct config *cfg, struct frame *frame, uint32_t sm, char *err,
             size_t err_size) {
    memset(l1, 0, sizeof *l1);
    l1->frame = frame;
    l1->refusals.ids = &refusal_stats;
    l1->sm = sm;
    l1->enabled = cfg->l1d_enabled != 0;
    l1->hit_latency = (uint32_t)cfg->l1d_hit_latency;
    l1->set_index = (enum set_index)cfg->l1d_set_index;
    l1->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l1->header_bytes = (uint32_t)cfg->icnt_header_bytes;
    for (unsigned h = 0; h < L1D_MAX_HEADS; h++)
        l1->head_way[h] = WAY_NONE;
    if (fifo_init(&l1->miss_queue, (uint32_t)cfg->l1d_miss_queue) != 0 ||
        rsp_init(&l1->hits, l1->hit_latency) != 0 ||
        rsp_init(&l1->rsp, (uint32_t)cfg->l1d_rsp_queue) != 0 ||
        tags_init(&l1->tags, (uint32_t)cfg->l1d_sets, (uint32_t)cfg->l1d_ways) != 0) {
        snprintf(err, err_size, "out of memory for the L1D of SM %u", (unsigned)sm);
        return -1;
    }
    return l1->enabled ? init_mshr(l1, cfg, err, err_size) : 0;
}

void l1d_free(struct l1d *l1) {
    fifo_free(&l1->miss_queue);
    free(l1->hits.slot);
    free(l1->rsp.slot);
    free(l1->data);
    tags_free(&l1->tags);
    mshr_unit_free(&l1->mshr);
}

int l1d_carry(struct l1d *l1, bool on) {
    free(l1->data);
    l1->data = on ? calloc((size_t)l1->tags.sets * l1->tags.ways, LINE_BYTES) : NULL;
    return on && !l1->data ? -1 : 0;
}

void l1d_invalidate(struct l1d *l1) {
    if (frame_plant_stuck(l1->frame, PLANT_STALE_LINE))
        tags_mark_stale(&l1->tags);
    else
        tags_invalidate_all(&l1->tags);
}

static uint8_t *way_data(struct l1d *l1, uint32_t way) {
    return l1->data + (size_t)way * LINE_BYTES;
}

/* ---- an access ---- */

static struct plan refuse(enum stat_id reason) {
    return (struct plan){PLAN_REFUSE, reason, WAY_NONE};
}

static struct plan plan_miss(const struct l1d *l1, uint32_t set) {
    uint32_t way = tags_victim(&l1->tags, set);
    if (way == WAY_NONE)
        return refuse(STAT_l1d_rf_line);
    if (fifo_full(&l1->miss_queue))
        return refuse(STAT_l1d_rf_miss_queue);
    return (struct plan){PLAN_PRIMARY, 0, way};
}

static struct plan plan_load(const struct l1d *l1, const struct l1d_access *a) {
    uint32_t set = addr_set(l1->set_index, a->line, l1->tags.sets);
    uint32_t way = tags_find(&l1->tags, set, a->line);
    if (way == WAY_NONE)
        return plan_miss(l1, set);
    if (l1->tags.state[way] == LINE_VALID)
        return (struct plan){PLAN_HIT, 0, way};
    if (l1->tags.flags[way] & LINE_POISONED)
        return refuse(STAT_l1d_rf_order);
    return (struct plan){PLAN_SECONDARY, 0, way};
}

static struct plan plan_access(const struct l1d *l1, const struct l1d_access *a) {
    if (!a)
        return (struct plan){PLAN_NONE, 0, WAY_NONE};
    if (l1->enabled && a->kind == PACKET_LOAD)
        return plan_load(l1, a);
    if (fifo_full(&l1->miss_queue))
        return refuse(STAT_l1d_rf_miss_queue);
    if (!l1->enabled)
        return (struct plan){a->kind != PACKET_LOAD ? PLAN_STORE : PLAN_LOAD_OUT, 0, WAY_NONE};
    return (struct plan){
        PLAN_STORE, 0,
        tags_find(&l1->tags, addr_set(l1->set_index, a->line, l1->tags.sets), a->line)};
}

static void present_request(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    if (plan->kind != PLAN_PRIMARY && plan->kind != PLAN_SECONDARY)
        return;
    struct mshr_in *in = &l1->mshr.in;
    in->req_valid = 1;
    in->req_addr = a->line;
    in->req_off = mask_first(&a->mask);
    in->req_id = a->id;
}

static struct packet *send(struct l1d *l1, const struct l1d_access *a, uint32_t id,
                           uint32_t *number) {
    struct frame *f = l1->frame;
    uint32_t i = *number = packet_take(&f->pool);
    struct packet *p = packet_at(&f->pool, i);
    p->line = a->line;
    p->mask = a->mask;
    p->sm = (uint16_t)l1->sm;
    p->id = (uint16_t)id;
    p->dest = (uint16_t)addr_partition(l1->map, a->line);
    p->kind = a->kind == PACKET_LOAD ? PACKET_LOAD : PACKET_STORE;
    p->reply = p->direct = p->result = false;
    if (p->kind == PACKET_LOAD && l1->enabled)
        p->mask = mask_of_sectors(SECTORS_ALL);
    p->version = 0;
    p->flits = packet_flits(p, l1->header_bytes, l1->flit_bytes);
    fifo_push(&l1->miss_queue, i);
    return p;
}

static void take_store(struct l1d *l1, const struct l1d_access *a, uint32_t way) {
    struct frame *f = l1->frame;
    uint32_t number;
    struct packet *p = send(l1, a, 0, &number);
    p->version = ++f->version;
    l1->stores_out++;
    if (f->check)
        check_store(f->check, l1->sm, a->line, &a->mask, p->version);
    if (f->carry)
        check_stamp_line(packet_data(&f->pool, number), a->line, &a->mask, p->version);
    if (way == WAY_NONE)
        return;
    if (l1->tags.state[way] == LINE_RESERVED) {
        l1->tags.flags[way] |= LINE_POISONED;
        return;
    }
    tags_touch(&l1->tags, way);
    if (f->carry)
        mask_copy(way_data(l1, way), packet_data(&f->pool, number), &a->mask);
}

static void take_primary(struct l1d *l1, const struct l1d_access *a, uint32_t way, uint32_t head) {
    uint32_t number;
    send(l1, a, head, &number);
    l1->head_way[head] = way;
    tags_reserve(&l1->tags, way, a->line);
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
    l1->frame->progress++;
    return true;
}

static bool judge_hit(struct l1d *l1, const struct l1d_access *a, uint32_t way, uint64_t cycle) {
    if (rsp_full(&l1->hits))
        return count_refusal(l1, STAT_l1d_rf_rsp_queue);
    rsp_push(l1, &l1->hits, a->id, a->line, mask_first(&a->mask), cycle + l1->hit_latency,
             l1->data ? way_data(l1, way) : NULL);
    tags_touch(&l1->tags, way);
    if (l1->tags.flags[way] & LINE_STALE)
        l1->frame->planted = true;
    return count_taken(l1, STAT_l1d_hits);
}

/* The MSHR has answered the request of a miss. */
static bool judge_miss(struct l1d *l1, const struct l1d_access *a, const struct plan *plan) {
    bool absent = plan->kind == PLAN_PRIMARY;
    if (!refusals_miss_taken(&l1->refusals, l1->stats, l1->frame, &l1->mshr, absent))
        return false;
    if (absent)
        take_primary(l1, a, plan->way, (uint32_t)l1->mshr.out.req_head);
    else
        tags_touch(&l1->tags, plan->way);
    return count_taken(l1, absent ? STAT_l1d_primary : STAT_l1d_secondary);
}

static bool judge(struct l1d *l1, const struct l1d_access *a, const struct plan *plan,
                  uint64_t cycle) {
    uint32_t number;
    switch (plan->kind) {
    case PLAN_REFUSE:
        return count_refusal(l1, plan->reason);
    case PLAN_HIT:
        return judge_hit(l1, a, plan->way, cycle);
    case PLAN_STORE:
        take_store(l1, a, plan->way);
        return count_taken(l1, STAT_l1d_stores);
    case PLAN_LOAD_OUT:
        send(l1, a, a->id, &number);
        return count_taken(l1, STAT_l1d_primary);
    case PLAN_PRIMARY:
    case PLAN_SECONDARY:
        return judge_miss(l1, a, plan);
    case PLAN_NONE:
        break;
    }
    return false;
}

/* ---- replies and responses ---- */

static void take_ack(struct l1d *l1, uint32_t number) {
    struct frame *f = l1->frame;
    uint32_t version = packet_at(&f->pool, number)->version;
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
    if (f->check)
        check_store_acked(f->check, l1->sm, version);
    if (l1->stores_out == 0)
        frame_fail(f, FRAME_BROKEN, "SM %u: acknowledgement of a store that nobody made",
                   (unsigned)l1->sm);
    else
        l1->stores_out--;
}

/* A reply that no request waits for must not reach the MSHR. */
static bool reply_expected(struct l1d *l1, const struct packet *p) {
    uint32_t way = p->id < L1D_MAX_HEADS ? l1->head_way[p->id] : WAY_NONE;
    if (way != WAY_NONE && l1->tags.line[way] == p->line)
        return true;
    frame_fail(l1->frame, FRAME_BROKEN,
               "SM %u: reply for line 0x%llx, MSHR head %u, that nobody waits for",
               (unsigned)l1->sm, (unsigned long long)p->line * LINE_BYTES, (unsigned)p->id);
    return false;
}

static void present_return(struct l1d *l1, uint32_t reply) {
    if (reply == PACKET_NONE)
        return;
    const struct packet *p = packet_at(&l1->frame->pool, reply);
    if (packet_writes(p) || !reply_expected(l1, p))
        return;
    l1->mshr.in.ret_valid = 1;
    l1->mshr.in.ret_head = p->id;
}

/* The line is there: it goes to its way and to the fill buffer. */
static void take_fill(struct l1d *l1, uint32_t number) {
    struct frame *f = l1->frame;
    const struct packet *p = packet_at(&f->pool, number);
    uint32_t way = l1->head_way[p->id];
    l1->head_way[p->id] = WAY_NONE;
    l1->draining_line = p->line;
    if (f->carry) {
        memcpy(l1->fill, packet_data(&f->pool, number), LINE_BYTES);
        memcpy(way_data(l1, way), l1->fill, LINE_BYTES);
    }
    bool poisoned = l1->tags.flags[way] & LINE_POISONED;
    if (poisoned && !frame_plant_stuck(f, PLANT_STALE_LINE)) {
        tags_invalidate(&l1->tags, way);
    } else {
        l1->tags.state[way] = LINE_VALID;
        l1->tags.flags[way] = poisoned ? LINE_STALE : 0;
    }
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
    stat_add(l1->stats, STAT_l1d_fills, 1);
}

/* The reply at the crossbar, when there is no L1D: straight to the response queue. */
static void take_direct(struct l1d *l1, uint32_t number) {
    struct frame *f = l1->frame;
    const struct packet *p = packet_at(&f->pool, number);
    if (rsp_full(&l1->rsp))
        return;
    rsp_push(l1, &l1->rsp, p->id, p->line, mask_first(&p->mask), 0,
             f->carry ? packet_data(&f->pool, number) : NULL);
    xbar_pop(l1->reply, l1->sm);
    packet_give(&f->pool, number);
}

static void take_reply(struct l1d *l1, uint32_t reply, bool returned) {
    if (reply == PACKET_NONE)
        return;
    if (packet_writes(packet_at(&l1->frame->pool, reply)))
        take_ack(l1, reply);
    else if (!l1->enabled)
        take_direct(l1, reply);
    else if (returned && l1->mshr.out.ret_ready)
        take_fill(l1, reply);
}

/* The oldest hit leaves its pipeline if the response queue has room; a drain goes first. */
static void leave_pipeline(struct l1d *l1, uint64_t cycle) {
    struct l1d_rsp_queue *q = &l1->hits;
    if (!q->count || q->slot[q->head].ready > cycle || rsp_full(&l1->rsp))
        return;
    const struct l1d_rsp *r = &q->slot[q->head];
    rsp_push(l1, &l1->rsp, r->id, r->line, r->offset, 0, r->data);
    if (++q->head == q->capacity)
        q->head = 0;
    q->count--;
}

static void move_miss(struct l1d *l1) {
    if (l1->miss_queue.count && xbar_can_push(l1->req, l1->sm))
        xbar_push(l1->req, l1->sm, fifo_pop(&l1->miss_queue));
}

static void step_mshr(struct l1d *l1, uint64_t cycle) {
    struct mshr_unit *u = &l1->mshr;
    u->in.rsp_ready = !rsp_full(&l1->rsp);
    mshr_unit_step(u, cycle);
    if (u->out.err)
        frame_fail(l1->frame, FRAME_BROKEN, "%s: error %u", u->inst.name, (unsigned)u->out.err);
    if (u->out.rsp_valid && u->in.rsp_ready)
        rsp_push(l1, &l1->rsp, (uint32_t)u->out.rsp_id, l1->draining_line, (unsigned)u->out.rsp_off,
                 0, l1->fill);
}

bool l1d_tick(struct l1d *l1, const struct l1d_access *access, uint64_t cycle) {
    move_miss(l1);
    uint32_t reply = xbar_peek(l1->reply, l1->sm);
    struct plan plan = plan_access(l1, access);
    bool returned = false;
    if (l1->enabled) {
        present_request(l1, access, &plan);
        present_return(l1, reply);
        returned = l1->mshr.in.ret_valid;
        step_mshr(l1, cycle);
    }
    leave_pipeline(l1, cycle);
    bool taken = judge(l1, access, &plan, cycle);
    take_reply(l1, reply, returned);
    return taken;
}
