// SPDX-License-Identifier: Apache-2.0
#include "mrpb/mrpb.h"

#include <inttypes.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/request_dump.h"

/* Checks the keys. There must not be more queues than warp slots, because the excess queues
 * would stay empty. */
int mrpb_check(const struct config *cfg, struct error *err) {
    if (cfg->l1d_mrpb_queues && !cfg->l1d_enabled)
        return error_set(err, "l1d.mrpb_queues=%" PRId64 " needs l1d.enabled=yes, not no",
                         cfg->l1d_mrpb_queues);
    if (cfg->l1d_mrpb_queues > cfg->sm_warps)
        return error_set(err, "l1d.mrpb_queues=%" PRId64 " is above sm.warps=%" PRId64,
                         cfg->l1d_mrpb_queues, cfg->sm_warps);
    return 0;
}

void mrpb_init(struct mrpb *m, const struct config *cfg, struct context *context,
               struct stats *stats) {
    *m = (struct mrpb){
        .context = context,
        .stats = stats,
        .queues = (uint32_t)cfg->l1d_mrpb_queues,
        .drain = (uint8_t)cfg->l1d_mrpb_drain,
    };
    if (!m->queues)
        return;
    m->offered = m->queues - 1; /* so that queue 0 is next */
    m->queue = alloc_zeroed(m->queues, sizeof *m->queue);
    for (uint32_t q = 0; q < m->queues; q++)
        ring_init(&m->queue[q], MRPB_DEPTH);
}

void mrpb_free(struct mrpb *m) {
    for (uint32_t q = 0; q < m->queues; q++)
        ring_free(&m->queue[q]);
    free(m->queue);
    memset(m, 0, sizeof *m);
}

uint32_t mrpb_queue_of(const struct mrpb *m, uint32_t warp) {
    return warp % m->queues;
}

const struct request *mrpb_at(const struct mrpb *m, uint32_t queue, uint32_t i) {
    return ring_at(&m->queue[queue], i);
}

void mrpb_push(struct mrpb *m, const struct request *a) {
    ring_push(&m->queue[a->sm.queue], *a);
    m->filled |= warp_bit(a->sm.queue);
    m->count++;
}

/* ---- drain policies; at least one queue holds an access ---- */

/* Returns the first non-empty queue after the last offered one, cyclically. */
static uint32_t next_in_turn(const struct mrpb *m) {
    warp_set behind = m->filled & ~warp_below(m->offered + 1);
    return warp_first(behind ? behind : m->filled);
}

/* Returns the longest queue, or the lowest-numbered of several longest queues. */
static uint32_t find_longest(const struct mrpb *m) {
    uint32_t best = warp_first(m->filled);
    for (warp_set left = m->filled; left; left &= left - 1)
        if (m->queue[warp_first(left)].count > m->queue[best].count)
            best = warp_first(left);
    return best;
}

static uint32_t choose_queue(const struct mrpb *m) {
    switch (m->drain) {
    case MRPB_LOWEST:
        return warp_first(m->filled);
    case MRPB_LONGEST:
        return find_longest(m);
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
        m->offered = choose_queue(m);
    m->held = true;
    return mrpb_at(m, m->offered, 0);
}

void mrpb_taken(struct mrpb *m) {
    struct mrpb_queue *q = &m->queue[m->offered];
    assert(m->held);
    m->held = false;
    ring_drop(q);
    if (!q->count)
        m->filled &= ~warp_bit(m->offered);
    m->count--;
}

/* ---- the stage ---- */

/* Adds the access to its queue. Returns false if the queue is full. */
static bool enter_queue(struct mrpb *m, const struct request *from) {
    if (!mrpb_room(m, from->sm.queue)) {
        stat_add(m->stats, STAT_mrpb_refusals, 1);
        return false;
    }
    mrpb_push(m, from);
    stat_add(m->stats, STAT_mrpb_accesses, 1);
    m->context->progress++;
    return true;
}

/* Processes a cycle. The offer and the room in the queues depend on the state before the cycle. */
static const struct request *offer_access(void *stage, const struct request *from, uint64_t cycle,
                                          bool *took) {
    struct mrpb *m = stage;
    (void)cycle;
    stat_add(m->stats, STAT_mrpb_access_cycles, m->count);
    const struct request *offer = mrpb_offer(m);
    *took = from && enter_queue(m, from);
    return offer;
}

static bool take_offer(void *stage) {
    mrpb_taken(stage);
    return false;
}

/* If n is 0, returns the offered request. Otherwise, predicts the request after it, which is the
 * next request in the same queue or the first request in the next queue. There is no prediction
 * if nothing is offered, because a later stage may offer a parked request while all queues are
 * empty. */
static const struct request *peek_access(const void *stage, uint32_t n,
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

static void advance_stage(void *stage, const struct request *from, uint64_t cycles) {
    struct mrpb *m = stage;
    stat_add(m->stats, STAT_mrpb_access_cycles, m->count * cycles);
    if (from)
        stat_add(m->stats, STAT_mrpb_refusals, cycles);
}

static bool is_empty(const void *stage) {
    return !((const struct mrpb *)stage)->count;
}

static uint32_t queue_of(const void *stage, uint32_t warp) {
    return mrpb_queue_of(stage, warp);
}

static const struct stage_type mrpb_type = {
    .offer = offer_access,
    .take = take_offer,
    .peek = peek_access,
    .next_event = next_event,
    .advance = advance_stage,
    .empty = is_empty,
    .queue_of = queue_of,
};

/* Returns the queues as a stage. A single queue keeps the order of all accesses.
 * docs/understand/mrpb.md lists, for each signature, the orders that several queues do not keep. */
struct stage mrpb_stage(struct mrpb *m) {
    return (struct stage){
        .type = &mrpb_type,
        .state = m,
        .fences = m->queues > 1,
        .fence = WARP_BARRIER,
    };
}

/* ---- dump ---- */

static void dump_queue(const struct mrpb *m, uint32_t sm, uint32_t q, FILE *out) {
    fprintf(out, "sm.%u prioritization queue %u %u/%u%s:", (unsigned)sm, (unsigned)q,
            (unsigned)m->queue[q].count, (unsigned)MRPB_DEPTH,
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
