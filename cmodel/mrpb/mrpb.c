#include "mrpb/mrpb.h"

#include <inttypes.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

int mrpb_init(struct mrpb *m, const struct config *cfg) {
    memset(m, 0, sizeof *m);
    m->queues = (uint32_t)cfg->l1d_mrpb_queues;
    m->depth = (uint32_t)cfg->l1d_mrpb_depth;
    m->signature = (uint8_t)cfg->l1d_mrpb_signature;
    m->drain = (uint8_t)cfg->l1d_mrpb_drain;
    if (!m->queues)
        return 0;
    m->offered = m->queues - 1; /* queue 0 is the next one */
    m->queue = calloc(m->queues, sizeof *m->queue);
    m->access = calloc((size_t)m->queues * m->depth, sizeof *m->access);
    return m->queue && m->access ? 0 : -1;
}

void mrpb_free(struct mrpb *m) {
    free(m->queue);
    free(m->access);
    memset(m, 0, sizeof *m);
}

uint32_t mrpb_queue_of(const struct mrpb *m, uint32_t warp, uint32_t cta) {
    if (!m->queues)
        return 0;
    return (m->signature == MRPB_WARP ? warp : cta) % m->queues;
}

static uint32_t place(const struct mrpb *m, uint32_t queue, uint32_t i) {
    uint32_t at = m->queue[queue].head + i;
    return queue * m->depth + (at >= m->depth ? at - m->depth : at);
}

const struct l1d_access *mrpb_at(const struct mrpb *m, uint32_t queue, uint32_t i) {
    return &m->access[place(m, queue, i)];
}

void mrpb_push(struct mrpb *m, const struct l1d_access *a) {
    struct mrpb_queue *q = &m->queue[a->queue];
    assert(q->count < m->depth);
    m->access[place(m, a->queue, q->count++)] = *a;
    m->filled |= warp_bit(a->queue);
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

const struct l1d_access *mrpb_offer(struct mrpb *m) {
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
