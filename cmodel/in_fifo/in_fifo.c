// SPDX-License-Identifier: Apache-2.0
#include "in_fifo/in_fifo.h"

#include <stdlib.h>

#include "incoming/incoming.h"
#include "lib/alloc.h"
#include "lib/wrap.h"

struct in_fifo_slot {
    uint64_t addr;
    uint32_t id;
};

struct in_fifo {
    struct incoming base;
    uint32_t depth, first;
    struct in_fifo_slot request[]; /* a ring of `depth` */
};

static const struct param_desc params[INCOMING_N_COMMON] = {
    INCOMING_COMMON_PARAMS(8, 16384, "places"),
};

static void *create(const struct block_params *p) {
    uint32_t depth = (uint32_t)p->v[INCOMING_DEPTH];
    struct in_fifo *m = alloc_zeroed(1, sizeof *m + depth * sizeof *m->request);
    m->depth = depth;
    return m;
}

static bool full(const struct in_fifo *m) {
    return m->base.requests == m->depth;
}

static void eval(const void *model, const void *in, void *out) {
    const struct in_fifo *m = model;
    incoming_answer(&m->base, in, full(m) ? INCOMING_REFUSE_FULL : INCOMING_REFUSE_NONE, out);
}

static void offer(struct in_fifo *m) {
    m->base.valid = m->base.requests > 0;
    m->base.queues = m->base.valid;
    m->base.addr = m->request[m->first].addr;
    m->base.id = m->request[m->first].id;
}

static void reset(struct in_fifo *m) {
    m->base.requests = 0;
    offer(m);
}

static void tick(void *model, const void *in_) {
    struct in_fifo *m = model;
    const struct incoming_in *in = in_;
    if (in->rst) {
        reset(m);
        return;
    }
    bool drain = m->base.valid && in->drain_ready, fill = in->fill_valid && !full(m);
    if (fill) {
        m->request[wrap(m->first + m->base.requests++, m->depth)] =
            (struct in_fifo_slot){in->fill_addr, (uint32_t)in->fill_id};
    }
    if (drain) {
        m->first = wrap(m->first + 1, m->depth);
        m->base.requests--;
    }
    if (fill || drain)
        offer(m);
}

const struct block_type in_fifo_type = {
    .name = "in_fifo",
    .params = params,
    .n_params = INCOMING_N_COMMON,
    .create = create,
    .destroy = free,
    .eval = eval,
    .tick = tick,
    INCOMING_TYPE,
};
