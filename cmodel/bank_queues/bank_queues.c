// SPDX-License-Identifier: Apache-2.0
#include "bank_queues/bank_queues.h"

#include <stdlib.h>

#include "incoming/incoming.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/wrap.h"

struct bank_queues_slot {
    uint64_t addr;
    uint32_t id;
};

struct queue {
    uint32_t first, count;
};

struct bank_queues {
    struct incoming base;
    uint32_t queues, depth;
    bool hold;
    unsigned at;   /* queue that is offered, or was offered last */
    uint64_t busy; /* bit q: queue q is not empty */
    struct incoming_bank bank;
    struct queue queue[64];
    struct bank_queues_slot request[]; /* a ring of `depth` for each queue */
};

static const struct param_desc params[BANK_QUEUES_N_PARAMS] = {
    INCOMING_COMMON_PARAMS(16, 1024, "places of a queue"),
    INCOMING_BANK_PARAMS,
    {"QUEUES", 16, 2, 64, "queues, a power of two"},
    INCOMING_HOLD_PARAM,
};

static const char *illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[BANK_QUEUES_QUEUES]))
        return "QUEUES must be a power of two";
    if (p->v[BANK_QUEUES_QUEUES] > p->v[BANK_QUEUES_BANKS])
        return "QUEUES must not exceed BANKS";
    return incoming_illegal_banks(p, p->v[BANK_QUEUES_BANKS], p->v[BANK_QUEUES_BANK_MASK]);
}

static void reset(struct bank_queues *m) {
    m->base.requests = m->base.queues = 0;
    m->base.valid = false;
    m->at = m->queues - 1;
    m->busy = 0;
    for (unsigned q = 0; q < m->queues; q++)
        m->queue[q].count = 0;
}

static void *create(const struct block_params *p) {
    uint32_t queues = (uint32_t)p->v[BANK_QUEUES_QUEUES], depth = (uint32_t)p->v[INCOMING_DEPTH];
    struct bank_queues *m = alloc_zeroed(1, sizeof *m + queues * depth * sizeof *m->request);
    m->queues = queues;
    m->depth = depth;
    m->hold = p->v[BANK_QUEUES_HOLD];
    incoming_bank_init(&m->bank, (uint64_t)p->v[BANK_QUEUES_BANK_MASK]);
    reset(m);
    return m;
}

static unsigned queue_of(const struct bank_queues *m, uint64_t addr) {
    return incoming_bank_of(&m->bank, addr) & (m->queues - 1);
}

static bool full(const struct bank_queues *m, unsigned q) {
    return m->queue[q].count == m->depth;
}

static void eval(const void *model, const void *in_, void *out) {
    const struct bank_queues *m = model;
    const struct incoming_in *in = in_;
    bool refused = in->fill_valid && full(m, queue_of(m, in->fill_addr));
    incoming_answer(&m->base, in, refused ? INCOMING_REFUSE_FULL : INCOMING_REFUSE_NONE, out);
}

static void fill(struct bank_queues *m, unsigned q, const struct incoming_in *in) {
    struct queue *queue = &m->queue[q];
    m->request[q * m->depth + wrap(queue->first + queue->count, m->depth)] =
        (struct bank_queues_slot){in->fill_addr, (uint32_t)in->fill_id};
    if (!queue->count++) {
        m->busy |= UINT64_C(1) << q;
        m->base.queues++;
    }
    m->base.requests++;
}

static void drain(struct bank_queues *m, unsigned q) {
    struct queue *queue = &m->queue[q];
    queue->first = wrap(queue->first + 1, m->depth);
    if (!--queue->count) {
        m->busy &= ~(UINT64_C(1) << q);
        m->base.queues--;
    }
    m->base.requests--;
}

static void offer_next(struct bank_queues *m) {
    m->base.valid = m->busy;
    if (!m->busy)
        return;
    m->at = bits_next(m->busy, m->at);
    const struct bank_queues_slot *r = &m->request[m->at * m->depth + m->queue[m->at].first];
    m->base.addr = r->addr;
    m->base.id = r->id;
    m->base.why = INCOMING_WHY_NEXT;
}

static void tick(void *model, const void *in_) {
    struct bank_queues *m = model;
    const struct incoming_in *in = in_;
    bool offered = m->base.valid, taken = offered && in->drain_ready;
    if (in->rst) {
        reset(m);
        return;
    }
    if (in->fill_valid) {
        unsigned q = queue_of(m, in->fill_addr);
        if (!full(m, q))
            fill(m, q, in);
    }
    if (taken)
        drain(m, m->at);
    if (m->hold && offered && !taken)
        m->base.why = INCOMING_WHY_HELD;
    else
        offer_next(m);
}

const struct block_type bank_queues_type = {
    .name = "bank_queues",
    .params = params,
    .n_params = BANK_QUEUES_N_PARAMS,
    .illegal = illegal,
    .create = create,
    .destroy = free,
    .eval = eval,
    .tick = tick,
    INCOMING_TYPE,
};
