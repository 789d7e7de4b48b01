// SPDX-License-Identifier: Apache-2.0
#include "mrpb/mrpb.h"

#include <inttypes.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/request_dump.h"
#include "lib/wrap.h"

/* A queue that no signature chooses would stay empty. */
int mrpb_check(const struct config *cfg, char *err, size_t err_size) {
    bool by_warp = cfg->l1d_mrpb_signature == MRPB_WARP;
    int64_t signatures = by_warp ? cfg->sm_warps : cfg->sm_ctas;
    if (cfg->l1d_mrpb_queues && !cfg->l1d_enabled)
        return config_refuse(err, err_size,
                             "l1d.mrpb_queues=%" PRId64 " needs l1d.enabled=1, not 0",
                             cfg->l1d_mrpb_queues);
    if (cfg->l1d_mrpb_queues > signatures)
        return config_refuse(err, err_size,
                             "l1d.mrpb_queues=%" PRId64 " is above %s=%" PRId64
                             ", and l1d.mrpb_signature=%s",
                             cfg->l1d_mrpb_queues, by_warp ? "sm.warps" : "sm.ctas", signatures,
                             by_warp ? "warp" : "cta");
    return 0;
}

void mrpb_init(struct mrpb *m, const struct config *cfg, struct context *context,
               struct stats *stats) {
    *m = (struct mrpb){
        .context = context,
        .stats = stats,
        .queues = (uint32_t)cfg->l1d_mrpb_queues,
        .depth = (uint32_t)cfg->l1d_mrpb_depth,
        .signature = (uint8_t)cfg->l1d_mrpb_signature,
        .drain = (uint8_t)cfg->l1d_mrpb_drain,
    };
    if (!m->queues)
        return;
    m->offered = m->queues - 1; /* queue 0 is the next one */
    m->queue = alloc_zeroed(m->queues, sizeof *m->queue);
    m->access = alloc_zeroed((size_t)m->queues * m->depth, sizeof *m->access);
}

void mrpb_free(struct mrpb *m) {
    free(m->queue);
    free(m->access);
    memset(m, 0, sizeof *m);
}

uint32_t mrpb_queue_of(const struct mrpb *m, uint32_t warp, uint32_t cta) {
    return (m->signature == MRPB_WARP ? warp : cta) % m->queues;
}

static uint32_t place(const struct mrpb *m, uint32_t queue, uint32_t i) {
    return queue * m->depth + wrap(m->queue[queue].head + i, m->depth);
}

const struct request *mrpb_at(const struct mrpb *m, uint32_t queue, uint32_t i) {
    return &m->access[place(m, queue, i)];
}

void mrpb_push(struct mrpb *m, const struct request *a) {
    struct mrpb_queue *q = &m->queue[a->sm.queue];
    assert(q->count < m->depth);
    m->access[place(m, a->sm.queue, q->count++)] = *a;
    m->filled |= warp_bit(a->sm.queue);
    m->count++;
}

/* ---- drain policies; at least one queue holds an access ---- */

/* The first one behind the queue that was offered last, cyclically. */
static uint32_t next_in_turn(const struct mrpb *m) {
    warp_set behind = m->filled & ~warp_below(m->offered + 1);
    return warp_first(behind ? behind : m->filled);
}

/* Ties: the lowest. */
static uint32_t longest(const struct mrpb *m) {
    uint32_t best = warp_first(m->filled);
    for (warp_set left = m->filled; left; left &= left - 1)
        if (m->queue[warp_first(left)].count > m->queue[best].count)
            best = warp_first(left);
    return best;
}

static uint32_t choose(const struct mrpb *m) {
    switch (m->drain) {
    case MRPB_LOWEST:
        return warp_first(m->filled);
    case MRPB_LONGEST:
        return longest(m);
    case MRPB_ROUND_ROBIN:
        return next_in_turn(m);
    default:
        return m->filled & warp_bit(m->offered) ? m->offered : next_in_turn(m);
    }
}

const struct request *mrpb_offer(struct mrpb *m) {
    if (!m->count)
        return NULL;
    if (!m->held)
        m->offered = choose(m);
    m->held = true;
    return mrpb_at(m, m->offered, 0);
}

void mrpb_taken(struct mrpb *m) {
    struct mrpb_queue *q = &m->queue[m->offered];
    assert(m->held);
    m->held = false;
    if (++q->head == m->depth)
        q->head = 0;
    if (--q->count == 0)
        m->filled &= ~warp_bit(m->offered);
    m->count--;
}

/* ---- the stage ---- */

/* The access enters its queue. Returns false if that is full. */
static bool enter(struct mrpb *m, const struct request *from) {
    if (!mrpb_room(m, from->sm.queue)) {
        stat_add(m->stats, STAT_mrpb_refused, 1);
        return false;
    }
    mrpb_push(m, from);
    stat_add(m->stats, STAT_mrpb_accesses, 1);
    m->context->progress++;
    return true;
}

/* What is offered is chosen, and the room in the queues seen, as they are before the cycle. */
static const struct request *offer(void *stage, const struct request *from, uint64_t cycle,
                                   bool *took) {
    struct mrpb *m = stage;
    (void)cycle;
    stat_add(m->stats, STAT_mrpb_access_cycles, m->count);
    const struct request *offer = mrpb_offer(m);
    *took = from && enter(m, from);
    return offer;
}

static bool taken(void *stage) {
    mrpb_taken(stage);
    return false;
}

/* The request after the offered one: the next of its queue, or the first of the next queue. There
 * is no prediction without an offer: a later stage may offer a parked request while all queues are
 * empty. */
static const struct request *peek(const void *stage, uint32_t n,
                                  const struct request *const before[2]) {
    const struct mrpb *m = stage;
    uint32_t q = m->offered;
    (void)before;
    if (!m->held)
        return NULL;
    if (n == 0)
        return mrpb_at(m, q, 0);
    if (m->drain == MRPB_ROUND_ROBIN || m->queue[q].count == 1)
        q = next_in_turn(m);
    const uint32_t i = q == m->offered;
    return i < m->queue[q].count ? mrpb_at(m, q, i) : NULL;
}

static uint64_t next_event(const void *stage, const struct request *from, uint64_t cycle) {
    const struct mrpb *m = stage;
    bool chooses = m->count && !m->held;
    return chooses || (from && mrpb_room(m, from->sm.queue)) ? cycle : UINT64_MAX;
}

static void advance(void *stage, const struct request *from, uint64_t cycles) {
    struct mrpb *m = stage;
    stat_add(m->stats, STAT_mrpb_access_cycles, m->count * cycles);
    if (from)
        stat_add(m->stats, STAT_mrpb_refused, cycles);
}

static bool empty(const void *stage) {
    return !((const struct mrpb *)stage)->count;
}

static uint32_t queue_of(const void *stage, uint32_t warp, uint32_t cta) {
    return mrpb_queue_of(stage, warp, cta);
}

static const struct stage_type mrpb_type = {
    .offer = offer,
    .taken = taken,
    .peek = peek,
    .next_event = next_event,
    .advance = advance,
    .empty = empty,
    .queue_of = queue_of,
};

/* One queue keeps the order of all accesses. What more than one lose, by the signature:
 * docs/understand/mrpb.md. */
struct stage mrpb_stage(struct mrpb *m) {
    return (struct stage){
        .type = &mrpb_type,
        .state = m,
        .fences = m->queues > 1,
        .fence = m->signature == MRPB_WARP ? WARP_BARRIER : WARP_EXIT,
    };
}

/* ---- dump ---- */

static void dump_queue(const struct mrpb *m, uint32_t sm, uint32_t q, FILE *out) {
    fprintf(out, "sm.%u prioritisation queue %u %u/%u%s:", (unsigned)sm, (unsigned)q,
            (unsigned)m->queue[q].count, (unsigned)m->depth,
            m->held && m->offered == q ? " (offered)" : "");
    for (uint32_t i = 0; i < m->queue[q].count; i++) {
        const struct request *a = mrpb_at(m, q, i);
        fprintf(out, " [%s 0x%" PRIx64 " warp %u]", request_kind_name[a->kind],
                a->line * LINE_BYTES, (unsigned)a->origin.warp);
    }
    fputc('\n', out);
}

void mrpb_dump(const struct mrpb *m, uint32_t sm, FILE *out) {
    for (uint32_t q = 0; q < m->queues; q++)
        if (m->queue[q].count)
            dump_queue(m, sm, q, out);
}
