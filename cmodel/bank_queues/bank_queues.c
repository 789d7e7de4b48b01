// SPDX-License-Identifier: Apache-2.0
#include "bank_queues/bank_queues.h"

#include <stdlib.h>

#include "incoming/incoming.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/ring.h"

struct bank_queues_slot {
    uint64_t addr;
    uint32_t id;
};

struct queue {
    RING(struct bank_queues_slot);
};

struct bank_queues {
    struct incoming base;
    uint32_t queues;
    bool hold;
    unsigned offer; /* index of the queue whose request is, or was last, offered */
    uint64_t busy;  /* bit q is 1 if queue q is not empty */
    struct incoming_bank bank;
    struct queue queue[64];
};

static const struct param_desc params[BANK_QUEUES_N_PARAMS] = {
    INCOMING_COMMON_PARAMS(16, 1024, "entries per queue"),
    INCOMING_BANK_PARAMS,
    {"QUEUES", 16, 2, 64, "number of queues, a power of two"},
    INCOMING_HOLD_PARAM,
};

static const char *find_illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[BANK_QUEUES_QUEUES]))
        return "QUEUES must be a power of two";
    if (p->v[BANK_QUEUES_QUEUES] > p->v[BANK_QUEUES_BANKS])
        return "QUEUES must not exceed BANKS";
    return incoming_illegal_banks(p, p->v[BANK_QUEUES_BANKS], p->v[BANK_QUEUES_BANK_MASK]);
}

static void reset_bank_queues(struct bank_queues *m) {
    m->base.requests = m->base.queues = 0;
    m->base.valid = false;
    m->offer = m->queues - 1;
    m->busy = 0;
    for (unsigned q = 0; q < m->queues; q++)
        ring_clear(&m->queue[q]);
}

static void *create_bank_queues(const struct block_params *p) {
    struct bank_queues *m = alloc_zeroed(1, sizeof *m);
    m->queues = (uint32_t)p->v[BANK_QUEUES_QUEUES];
    for (unsigned q = 0; q < m->queues; q++)
        ring_init(&m->queue[q], (uint32_t)p->v[INCOMING_DEPTH]);
    m->hold = p->v[BANK_QUEUES_HOLD];
    incoming_bank_init(&m->bank, (uint64_t)p->v[BANK_QUEUES_BANK_MASK]);
    reset_bank_queues(m);
    return m;
}

static void destroy_model(void *model) {
    struct bank_queues *m = model;
    for (unsigned q = 0; q < m->queues; q++)
        ring_free(&m->queue[q]);
    free(m);
}

static unsigned queue_of(const struct bank_queues *m, uint64_t addr) {
    return incoming_bank_of(&m->bank, addr) & (m->queues - 1);
}

static void eval_bank_queues(const void *model, const void *in_, void *out) {
    const struct bank_queues *m = model;
    const struct incoming_in *in = in_;
    bool refused = in->fill_valid && ring_full(&m->queue[queue_of(m, in->fill_addr)]);
    incoming_answer(&m->base, in, refused ? INCOMING_REFUSE_FULL : INCOMING_REFUSE_NONE, out);
}

static void fill_queue(struct bank_queues *m, unsigned q, const struct incoming_in *in) {
    struct queue *queue = &m->queue[q];
    ring_push(queue, ((struct bank_queues_slot){in->fill_addr, (uint32_t)in->fill_id}));
    if (queue->count == 1) {
        m->busy |= UINT64_C(1) << q;
        m->base.queues++;
    }
    m->base.requests++;
}

static void drain_queue(struct bank_queues *m, unsigned q) {
    struct queue *queue = &m->queue[q];
    ring_drop(queue);
    if (!queue->count) {
        m->busy &= ~(UINT64_C(1) << q);
        m->base.queues--;
    }
    m->base.requests--;
}

static void offer_next(struct bank_queues *m) {
    m->base.valid = m->busy;
    if (!m->busy)
        return;
    m->offer = bits_next(m->busy, m->offer);
    const struct bank_queues_slot *r = ring_first(&m->queue[m->offer]);
    m->base.addr = r->addr;
    m->base.id = r->id;
    m->base.why = INCOMING_WHY_NEXT;
}

static void tick_bank_queues(void *model, const void *in_) {
    struct bank_queues *m = model;
    const struct incoming_in *in = in_;
    bool offered = m->base.valid, is_taken = offered && in->drain_ready;
    if (in->rst) {
        reset_bank_queues(m);
        return;
    }
    if (in->fill_valid) {
        unsigned q = queue_of(m, in->fill_addr);
        if (!ring_full(&m->queue[q]))
            fill_queue(m, q, in);
    }
    if (is_taken)
        drain_queue(m, m->offer);
    if (m->hold && offered && !is_taken)
        m->base.why = INCOMING_WHY_HELD;
    else
        offer_next(m);
}

const struct block_type bank_queues_type = {
    .name = "bank_queues",
    .params = params,
    .n_params = BANK_QUEUES_N_PARAMS,
    .illegal = find_illegal,
    .create = create_bank_queues,
    .destroy = destroy_model,
    .eval = eval_bank_queues,
    .tick = tick_bank_queues,
    INCOMING_TYPE,
};
