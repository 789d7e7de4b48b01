// SPDX-License-Identifier: Apache-2.0
#include "in_fifo/in_fifo.h"

#include <stdlib.h>

#include "incoming/incoming.h"
#include "lib/alloc.h"
#include "lib/ring.h"

struct in_fifo_slot {
    uint64_t addr;
    uint32_t id;
};

struct in_fifo {
    struct incoming base; /* `requests` equals the ring's count */
    RING(struct in_fifo_slot);
};

static const struct param_desc params[INCOMING_N_COMMON] = {
    INCOMING_COMMON_PARAMS(8, 16384, "number of entries"),
};

static void *create_in_fifo(const struct block_params *p) {
    struct in_fifo *m = alloc_zeroed(1, sizeof *m);
    ring_init(m, (uint32_t)p->v[INCOMING_DEPTH]);
    return m;
}

static void destroy_fifo(void *model) {
    struct in_fifo *m = model;
    ring_free(m);
    free(m);
}

static void eval_in_fifo(const void *model, const void *in, void *out) {
    const struct in_fifo *m = model;
    incoming_answer(&m->base, in, ring_full(m) ? INCOMING_REFUSE_FULL : INCOMING_REFUSE_NONE, out);
}

static void offer_head(struct in_fifo *m) {
    m->base.requests = m->count;
    m->base.queues = m->base.valid = m->count > 0;
    if (!m->count)
        return;
    m->base.addr = ring_first(m)->addr;
    m->base.id = ring_first(m)->id;
}

static void reset_in_fifo(struct in_fifo *m) {
    ring_clear(m);
    offer_head(m);
}

static void tick_in_fifo(void *model, const void *in_) {
    struct in_fifo *m = model;
    const struct incoming_in *in = in_;
    if (in->rst) {
        reset_in_fifo(m);
        return;
    }
    bool drain = m->base.valid && in->drain_ready, fill = in->fill_valid && !ring_full(m);
    if (fill)
        ring_push(m, ((struct in_fifo_slot){in->fill_addr, (uint32_t)in->fill_id}));
    if (drain)
        ring_drop(m);
    if (fill || drain)
        offer_head(m);
}

const struct block_type in_fifo_type = {
    .name = "in_fifo",
    .params = params,
    .n_params = INCOMING_N_COMMON,
    .create = create_in_fifo,
    .destroy = destroy_fifo,
    .eval = eval_in_fifo,
    .tick = tick_in_fifo,
    INCOMING_TYPE,
};
