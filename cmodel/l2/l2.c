#include "l2/l2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/flits.h"

#define L2_OFF_W 7       /* offset in a line */
#define L2_ID_W 16       /* SM, then what the SM's request is known by */
#define L2_ID_SM_SHIFT 8 /* the low bits are the L1D's MSHR head, or the pending load */
#define L2_DATA_W (8 * LINE_BYTES)

static const struct refusal_stats refusal_stats = REFUSAL_STATS_OF(l2);

/* What becomes of an access, by the tags and queues at the start of the cycle. */
enum plan_kind { PLAN_NONE, PLAN_REFUSE, PLAN_HIT, PLAN_PRIMARY, PLAN_SECONDARY };

struct plan {
    enum plan_kind kind;
    enum stat_id reason; /* of PLAN_REFUSE */
    uint32_t way;        /* that holds the line, or is to hold it */
    uint32_t packet;
};

/* ---- making and ending ---- */

static int init_mshr(struct l2 *l2, const struct config *cfg, char *err, size_t err_size) {
    const struct mshr_geometry g = MSHR_GEOMETRY_OF(cfg, l2, L2_OFF_W, L2_ID_W, L2_DATA_W);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l2.%u.mshr", (unsigned)l2->bank);
    return mshr_unit_init(&l2->mshr, &g, name, err, err_size);
}

static int init_queues(struct l2 *l2, const struct config *cfg) {
    if (timed_fifo_init(&l2->in, (uint32_t)(cfg->l2_latency + cfg->l2_in_queue)) != 0 ||
        fifo_init(&l2->miss_queue, (uint32_t)cfg->l2_miss_queue) != 0 ||
        fifo_init(&l2->evict_buffer, (uint32_t)cfg->l2_evict_buffer) != 0 ||
        fifo_init(&l2->rsp_queue, (uint32_t)cfg->l2_rsp_queue) != 0 ||
        tags_init(&l2->tags, (uint32_t)cfg->l2_sets, (uint32_t)cfg->l2_ways) != 0)
        return -1;
    l2->way_head = calloc((size_t)l2->tags.sets * l2->tags.ways, sizeof *l2->way_head);
    return l2->way_head ? 0 : -1;
}

int l2_init(struct l2 *l2, const struct config *cfg, struct frame *frame, uint32_t bank, char *err,
            size_t err_size) {
    memset(l2, 0, sizeof *l2);
    l2->frame = frame;
    l2->refusals.ids = &refusal_stats;
    l2->bank = bank;
    l2->latency = (uint32_t)cfg->l2_latency;
    l2->set_index = (enum set_index)cfg->l2_set_index;
    l2->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l2->header_bytes = (uint32_t)cfg->icnt_header_bytes;
    l2->drain_first = PACKET_NONE;
    l2->drain_way = WAY_NONE;
    for (unsigned h = 0; h < L2_MAX_HEADS; h++)
        l2->head[h] = (struct l2_head){PACKET_NONE, PACKET_NONE, WAY_NONE};
    if (init_queues(l2, cfg) != 0) {
        snprintf(err, err_size, "out of memory for L2 bank %u", (unsigned)bank);
        return -1;
    }
    return init_mshr(l2, cfg, err, err_size);
}

void l2_free(struct l2 *l2) {
    timed_fifo_free(&l2->in);
    fifo_free(&l2->miss_queue);
    fifo_free(&l2->evict_buffer);
    fifo_free(&l2->rsp_queue);
    free(l2->data);
    free(l2->way_head);
    tags_free(&l2->tags);
    mshr_unit_free(&l2->mshr);
}

int l2_carry(struct l2 *l2, bool on) {
    free(l2->data);
    l2->data = on ? calloc((size_t)l2->tags.sets * l2->tags.ways, LINE_BYTES) : NULL;
    return on && !l2->data ? -1 : 0;
}

static uint8_t *way_data(const struct l2 *l2, uint32_t way) {
    return l2->data + (size_t)way * LINE_BYTES;
}

static uint32_t set_of(const struct l2 *l2, uint64_t line) {
    return addr_set(l2->set_index, addr_local(l2->map, line), l2->tags.sets);
}

bool l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]) {
    uint32_t way = tags_find(&l2->tags, set_of(l2, line), line);
    if (way != WAY_NONE && l2->tags.state[way] == LINE_VALID) {
        memcpy(data, way_data(l2, way), LINE_BYTES);
        return true;
    }
    for (uint32_t i = l2->evict_buffer.count; i-- > 0;) {
        uint32_t number = fifo_at(&l2->evict_buffer, i);
        if (packet_at(&l2->frame->pool, number)->line != line)
            continue;
        memcpy(data, packet_data(&l2->frame->pool, number), LINE_BYTES);
        return true;
    }
    return false;
}

/* ---- to the crossbar and to DRAM ---- */

static void move_reply(struct l2 *l2) {
    if (l2->rsp_queue.count && xbar_can_push(l2->reply, l2->bank))
        xbar_push(l2->reply, l2->bank, fifo_pop(&l2->rsp_queue));
}

static bool evicting(const struct l2 *l2, uint64_t line) {
    for (uint32_t i = 0; i < l2->evict_buffer.count; i++)
        if (packet_at(&l2->frame->pool, fifo_at(&l2->evict_buffer, i))->line == line)
            return true;
    return false;
}

/* Fetches go first, unless the evict buffer is full or holds the very line that is to be fetched.
 */
static struct fifo *dram_source(struct l2 *l2) {
    if (!l2->miss_queue.count)
        return l2->evict_buffer.count ? &l2->evict_buffer : NULL;
    if (!l2->evict_buffer.count)
        return &l2->miss_queue;
    uint64_t line = packet_at(&l2->frame->pool, fifo_peek(&l2->miss_queue))->line;
    if (fifo_full(&l2->evict_buffer) || evicting(l2, line))
        return &l2->evict_buffer;
    return &l2->miss_queue;
}

static void push_dram(struct l2 *l2, uint32_t number) {
    struct packet *p = packet_at(&l2->frame->pool, number);
    p->slice = (uint8_t)l2->slice;
    dram_push(l2->dram, number, addr_rest(l2->map, p->line));
}

static void move_dram(struct l2 *l2) {
    struct fifo *from = dram_source(l2);
    if (!from)
        return;
    if (dram_can_push(l2->dram))
        push_dram(l2, fifo_pop(from));
    else
        stat_add(&l2->stats, STAT_dram_full_cycles, 1);
}

static void move_in(struct l2 *l2) {
    if (timed_fifo_full(&l2->in) || xbar_peek(l2->req, l2->bank) == PACKET_NONE)
        return;
    timed_fifo_push(&l2->in, xbar_pop(l2->req, l2->bank), l2->cycle + l2->latency);
}

/* ---- replies ---- */

static void push_reply(struct l2 *l2, uint32_t number) {
    struct packet *p = packet_at(&l2->frame->pool, number);
    p->reply = true;
    p->dest = p->sm;
    p->flits = packet_flits(p, l2->header_bytes, l2->flit_bytes);
    fifo_push(&l2->rsp_queue, number);
    l2->frame->progress++;
}

static void plant_second_reply(struct l2 *l2, uint32_t number) {
    struct frame *f = l2->frame;
    if (fifo_full(&l2->rsp_queue) || !frame_plant(f, PLANT_DOUBLE_REPLY))
        return;
    uint32_t twin = packet_take(&f->pool);
    struct packet *p = packet_at(&f->pool, twin);
    *p = *packet_at(&f->pool, number);
    if (f->carry)
        memcpy(packet_data(&f->pool, twin), packet_data(&f->pool, number), LINE_BYTES);
    push_reply(l2, twin);
}

/* Planted fault: from the first opportunity on, one line takes no store any more. */
static bool store_lost(struct l2 *l2, uint64_t line) {
    if (frame_plant(l2->frame, PLANT_LOSE_STORE))
        l2->frame->plant_line = line;
    return l2->frame->plant_line == line;
}

/* The request is served from the way: a write is applied, a read gets the bytes of this moment. */
static void serve(struct l2 *l2, uint32_t number, uint32_t way, const uint8_t *wdata,
                  const struct byte_mask *mask) {
    struct frame *f = l2->frame;
    struct packet *p = packet_at(&f->pool, number);
    if (packet_writes(p)) {
        if (f->carry && !store_lost(l2, l2->tags.line[way]))
            mask_copy(way_data(l2, way), wdata, mask);
        l2->tags.flags[way] |= LINE_DIRTY;
        push_reply(l2, number);
        return;
    }
    if (frame_plant(f, PLANT_LOSE_REPLY)) {
        packet_give(&f->pool, number);
        return;
    }
    if (f->carry)
        memcpy(packet_data(&f->pool, number), way_data(l2, way), LINE_BYTES);
    push_reply(l2, number);
    plant_second_reply(l2, number);
}

/* ---- an access ---- */

static struct plan refuse(enum stat_id reason, uint32_t number) {
    return (struct plan){PLAN_REFUSE, reason, WAY_NONE, number};
}

static struct plan plan_miss(const struct l2 *l2, uint32_t set, uint32_t number) {
    uint32_t way = tags_victim(&l2->tags, set);
    if (way == WAY_NONE)
        return refuse(STAT_l2_rf_line, number);
    if (fifo_full(&l2->miss_queue))
        return refuse(STAT_l2_rf_miss_queue, number);
    if ((l2->tags.flags[way] & LINE_DIRTY) && fifo_full(&l2->evict_buffer))
        return refuse(STAT_l2_rf_evict_buffer, number);
    return (struct plan){PLAN_PRIMARY, 0, way, number};
}

static struct plan plan_access(const struct l2 *l2) {
    if (!timed_fifo_ready(&l2->in, l2->cycle))
        return (struct plan){PLAN_NONE, 0, WAY_NONE, PACKET_NONE};
    uint32_t number = timed_fifo_peek(&l2->in);
    uint64_t line = packet_at(&l2->frame->pool, number)->line;
    uint32_t set = set_of(l2, line);
    uint32_t way = tags_find(&l2->tags, set, line);
    if (way == WAY_NONE)
        return plan_miss(l2, set, number);
    if (l2->tags.state[way] == LINE_RESERVED)
        return (struct plan){PLAN_SECONDARY, 0, way, number};
    if (l2->tags.flags[way] & LINE_PINNED)
        return refuse(STAT_l2_rf_order, number);
    return (struct plan){PLAN_HIT, 0, way, number};
}

static void present_request(struct l2 *l2, const struct plan *plan) {
    if (plan->kind != PLAN_PRIMARY && plan->kind != PLAN_SECONDARY)
        return;
    struct frame *f = l2->frame;
    const struct packet *p = packet_at(&f->pool, plan->packet);
    struct mshr_in *in = &l2->mshr.in;
    in->req_valid = 1;
    in->req_addr = p->line;
    in->req_off = mask_first(&p->mask);
    in->req_id = (uint64_t)p->sm << L2_ID_SM_SHIFT | p->id;
    in->req_write = packet_writes(p);
    if (!f->carry)
        return;
    memset(in->req_data, 0, sizeof in->req_data);
    memset(in->req_mask, 0, sizeof in->req_mask);
    if (!packet_writes(p))
        return;
    memcpy(in->req_mask, p->mask.w, sizeof p->mask.w);
    mask_copy((uint8_t *)in->req_data, packet_data(&f->pool, plan->packet), &p->mask);
}

static bool count_refusal(struct l2 *l2, enum stat_id reason) {
    return refusals_count(&l2->refusals, &l2->stats, reason);
}

static void count_taken(struct l2 *l2, enum stat_id kind) {
    stat_add(&l2->stats, STAT_l2_accesses, 1);
    stat_add(&l2->stats, kind, 1);
    timed_fifo_pop(&l2->in);
    refusals_end(&l2->refusals);
    l2->frame->progress++;
}

static void judge_hit(struct l2 *l2, const struct plan *plan) {
    struct frame *f = l2->frame;
    if (fifo_full(&l2->rsp_queue)) {
        count_refusal(l2, STAT_l2_rf_rsp_queue);
        return;
    }
    const struct byte_mask mask = packet_at(&f->pool, plan->packet)->mask;
    count_taken(l2, STAT_l2_hits);
    tags_touch(&l2->tags, plan->way);
    serve(l2, plan->packet, plan->way, f->carry ? packet_data(&f->pool, plan->packet) : NULL,
          &mask);
}

/* The victim's data go to the evict buffer if they are newer than DRAM's. */
static void evict(struct l2 *l2, uint32_t way) {
    struct frame *f = l2->frame;
    if (l2->tags.state[way] != LINE_VALID)
        return;
    stat_add(&l2->stats, STAT_l2_evictions, 1);
    if (!(l2->tags.flags[way] & LINE_DIRTY))
        return;
    uint32_t number = packet_take(&f->pool);
    struct packet *p = packet_at(&f->pool, number);
    p->line = l2->tags.line[way];
    p->kind = PACKET_WRITEBACK;
    p->reply = false;
    if (f->carry)
        memcpy(packet_data(&f->pool, number), way_data(l2, way), LINE_BYTES);
    fifo_push(&l2->evict_buffer, number);
    stat_add(&l2->stats, STAT_l2_writebacks, 1);
}

static void fetch(struct l2 *l2, uint64_t line, uint32_t head) {
    struct frame *f = l2->frame;
    uint32_t number = packet_take(&f->pool);
    struct packet *p = packet_at(&f->pool, number);
    p->line = line;
    p->kind = PACKET_LOAD;
    p->reply = false;
    p->id = (uint16_t)head;
    fifo_push(&l2->miss_queue, number);
}

static void take_primary(struct l2 *l2, const struct plan *plan, uint32_t head) {
    uint64_t line = packet_at(&l2->frame->pool, plan->packet)->line;
    evict(l2, plan->way);
    fetch(l2, line, head);
    tags_reserve(&l2->tags, plan->way, line);
    l2->way_head[plan->way] = head;
    l2->head[head] = (struct l2_head){plan->packet, plan->packet, plan->way};
}

static void take_secondary(struct l2 *l2, const struct plan *plan) {
    struct l2_head *h = &l2->head[l2->way_head[plan->way]];
    packet_at(&l2->frame->pool, h->last)->next = plan->packet;
    h->last = plan->packet;
    tags_touch(&l2->tags, plan->way);
}

/* The MSHR has answered the request of a miss. */
static void judge_miss(struct l2 *l2, const struct plan *plan) {
    bool absent = plan->kind == PLAN_PRIMARY;
    if (!refusals_miss_taken(&l2->refusals, &l2->stats, l2->frame, &l2->mshr, absent))
        return;
    if (absent)
        take_primary(l2, plan, (uint32_t)l2->mshr.out.req_head);
    else
        take_secondary(l2, plan);
    count_taken(l2, absent ? STAT_l2_primary : STAT_l2_secondary);
}

static void judge(struct l2 *l2, const struct plan *plan) {
    switch (plan->kind) {
    case PLAN_REFUSE:
        count_refusal(l2, plan->reason);
        break;
    case PLAN_HIT:
        judge_hit(l2, plan);
        break;
    case PLAN_PRIMARY:
    case PLAN_SECONDARY:
        judge_miss(l2, plan);
        break;
    case PLAN_NONE:
        break;
    }
}

/* ---- lines from DRAM, and the drain ---- */

static uint32_t present_return(struct l2 *l2) {
    uint32_t number = dram_peek(l2->dram, l2->slice);
    if (number == PACKET_NONE)
        return number;
    const struct packet *p = packet_at(&l2->frame->pool, number);
    l2->mshr.in.ret_valid = 1;
    l2->mshr.in.ret_head = p->id;
    return number;
}

static void take_fill(struct l2 *l2, uint32_t number) {
    struct frame *f = l2->frame;
    const struct packet *p = packet_at(&f->pool, number);
    struct l2_head *h = &l2->head[p->id];
    if (h->way == WAY_NONE || l2->tags.line[h->way] != p->line) {
        frame_fail(f, FRAME_BROKEN, "L2 bank %u: line 0x%llx from DRAM that nobody waits for",
                   (unsigned)l2->bank, (unsigned long long)p->line * LINE_BYTES);
        return;
    }
    if (f->carry)
        memcpy(way_data(l2, h->way), packet_data(&f->pool, number), LINE_BYTES);
    l2->tags.state[h->way] = LINE_VALID;
    l2->tags.flags[h->way] = LINE_PINNED;
    l2->drain_first = h->first; /* the head may be free, and taken again, before its drain ends */
    l2->drain_way = h->way;
    *h = (struct l2_head){PACKET_NONE, PACKET_NONE, WAY_NONE};
    dram_pop(l2->dram, l2->slice);
    packet_give(&f->pool, number);
    stat_add(&l2->stats, STAT_l2_fills, 1);
}

/* One tracked request leaves. What it is comes from the MSHR; the packet is only its carrier. */
static void take_response(struct l2 *l2) {
    struct frame *f = l2->frame;
    const struct mshr_out *out = &l2->mshr.out;
    if (l2->drain_first == PACKET_NONE) {
        frame_fail(f, FRAME_BROKEN, "%s: a response that no request is left for",
                   l2->mshr.inst.name);
        return;
    }
    uint32_t number = l2->drain_first;
    struct packet *p = packet_at(&f->pool, number);
    l2->drain_first = p->next;
    p->sm = (uint16_t)(out->rsp_id >> L2_ID_SM_SHIFT);
    p->id = (uint16_t)(out->rsp_id & ((1u << L2_ID_SM_SHIFT) - 1));
    if (packet_writes(p) != (out->rsp_write != 0)) /* only a wrong MSHR says so */
        p->kind = out->rsp_write ? PACKET_STORE : PACKET_LOAD;
    struct byte_mask mask;
    memcpy(mask.w, out->rsp_mask, sizeof mask.w);
    serve(l2, number, l2->drain_way, (const uint8_t *)out->rsp_data, &mask);
    if (!out->rsp_last)
        return;
    if (l2->drain_first != PACKET_NONE)
        frame_fail(f, FRAME_BROKEN, "%s: the last response, but requests are left",
                   l2->mshr.inst.name);
    l2->drain_first = PACKET_NONE;
    l2->tags.flags[l2->drain_way] &= (uint8_t)~LINE_PINNED;
}

static void step_mshr(struct l2 *l2) {
    struct mshr_unit *u = &l2->mshr;
    u->in.rsp_ready = !fifo_full(&l2->rsp_queue);
    mshr_unit_step(u, l2->cycle);
    if (u->out.err)
        frame_fail(l2->frame, FRAME_BROKEN, "%s: error %u", u->inst.name, (unsigned)u->out.err);
    if (u->out.rsp_valid && u->in.rsp_ready)
        take_response(l2);
}

void l2_tick(struct l2 *l2) {
    move_reply(l2);
    move_dram(l2);
    struct plan plan = plan_access(l2);
    present_request(l2, &plan);
    uint32_t line = present_return(l2);
    step_mshr(l2);
    judge(l2, &plan);
    if (line != PACKET_NONE && l2->mshr.out.ret_ready)
        take_fill(l2, line);
    move_in(l2);
    l2->cycle++;
}
