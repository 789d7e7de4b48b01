// SPDX-License-Identifier: Apache-2.0
#include "cart/inside.h"

#include <stdlib.h>

#include "lib/alloc.h"

static const struct param_desc params[CART_N_PARAMS] = {
    INCOMING_COMMON_PARAMS(2, 32, "places of a leaf queue"),
    INCOMING_BANK_PARAMS,
    {"COL_MASK", 0x3D, 1, INT32_MAX, "bits of the line number that are the column"},
    {"ROWS", 4, 1, 8, "row groups of a branch"},
    {"COLS", 2, 1, 8, "leaf queues of a row group"},
    {"POLICY", CART_ROTATING, CART_ROTATING, CART_ROUND_ROBIN,
     "0 rotating banks and same-or-longest row, 1 longest first, 2 round robin"},
    {"AGE_LIMIT", 0, 0, 65535, "drains of a branch that may pass its oldest request; 0: any"},
    {"FILL", CART_FILL_GROUP, CART_FILL_GROUP, CART_FILL_BRANCH,
     "empty queues: 0 of the row's group, 1 of the whole branch"},
    {"COL_DROP", 0, 0, 29, "lowest bits of the column that lines of a queue may differ in"},
    INCOMING_HOLD_PARAM,
};

static const char *illegal(const struct block_params *p) {
    uint64_t bank = (uint64_t)p->v[CART_BANK_MASK], column = (uint64_t)p->v[CART_COL_MASK];
    const char *why = incoming_illegal_banks(p, p->v[CART_BANKS], p->v[CART_BANK_MASK]);
    if (why)
        return why;
    if (column & bank)
        return "COL_MASK must have no bit of BANK_MASK";
    if (column >> p->v[INCOMING_ADDR_W])
        return "COL_MASK must lie within ADDR_W bits";
    if ((bank | column) == bits_low((unsigned)p->v[INCOMING_ADDR_W]))
        return "BANK_MASK and COL_MASK must leave a bit for the row";
    if (p->v[CART_BANKS] * p->v[CART_ROWS] * p->v[CART_COLS] * p->v[INCOMING_DEPTH] > 8192)
        return "BANKS x ROWS x COLS x DEPTH must be at most 8192";
    if (p->v[CART_COL_DROP] >= bits_count(column))
        return "COL_DROP must leave a bit of COL_MASK";
    if (p->v[CART_AGE_LIMIT] && p->v[CART_POLICY] != CART_ROTATING)
        return "AGE_LIMIT needs POLICY=0";
    return NULL;
}

static void reset(struct cart *m) {
    m->base.requests = m->base.queues = 0;
    m->base.valid = false;
    m->busy = 0;
    m->at = (struct place){m->branches - 1, m->leaves - 1};
    for (unsigned b = 0; b < m->branches; b++)
        m->branch[b] = (struct branch){.last = CART_NO_QUEUE};
    for (unsigned i = 0; i < m->branches * m->leaves; i++)
        m->leaf[i].count = 0;
}

static void destroy(void *model) {
    struct cart *m = model;
    if (!m)
        return;
    free(m->leaf);
    free(m->id);
    free(m->dropped);
    free(m->arrival);
    free(m);
}

/* The lowest n bits of a mask that are set. */
static uint64_t lowest_of(uint64_t mask, unsigned n) {
    uint64_t rest = mask;
    for (; n; n--)
        rest &= rest - 1;
    return mask & ~rest;
}

static void *create(const struct block_params *p) {
    struct cart *m = alloc_zeroed(1, sizeof *m);
    m->branches = (unsigned)p->v[CART_BANKS];
    m->cols = (unsigned)p->v[CART_COLS];
    m->depth = (unsigned)p->v[INCOMING_DEPTH];
    m->leaves = (unsigned)p->v[CART_ROWS] * m->cols;
    m->policy = (enum cart_policy)p->v[CART_POLICY];
    m->hold = p->v[CART_HOLD];
    m->age_limit = (uint32_t)p->v[CART_AGE_LIMIT];
    m->row_mask = ~(uint64_t)(p->v[CART_BANK_MASK] | p->v[CART_COL_MASK]);
    m->drop_mask = lowest_of((uint64_t)p->v[CART_COL_MASK], (unsigned)p->v[CART_COL_DROP]);
    m->scope = (enum cart_fill_scope)p->v[CART_FILL];
    for (unsigned q = 0; q < m->leaves; q++)
        m->group[q] = m->scope == CART_FILL_BRANCH ? bits_low(m->leaves)
                                                   : bits_low(m->cols) << q / m->cols * m->cols;
    incoming_bank_init(&m->bank, (uint64_t)p->v[CART_BANK_MASK]);
    size_t leaves = (size_t)m->branches * m->leaves, places = leaves * m->depth;
    m->leaf = alloc_zeroed(leaves, sizeof *m->leaf);
    m->id = alloc_zeroed(places, sizeof *m->id);
    m->arrival = m->age_limit ? alloc_zeroed(places, sizeof *m->arrival) : NULL;
    m->dropped = m->drop_mask ? alloc_zeroed(places, sizeof *m->dropped) : NULL;
    reset(m);
    return m;
}

static void eval(const void *model, const void *in_, void *out) {
    const struct cart *m = model;
    const struct incoming_in *in = in_;
    enum incoming_refusal refusal = INCOMING_REFUSE_NONE;
    if (in->fill_valid)
        refusal = cart_decide(m, in->fill_addr).refusal;
    incoming_answer(&m->base, in, refusal, out);
}

/* The fill comes first: a queue that it joins does not become empty, and one that is assigned
 * behind the queue that is drained of its last request becomes eligible as that is given up. */
static void tick(void *model, const void *in_) {
    struct cart *m = model;
    const struct incoming_in *in = in_;
    bool offered = m->base.valid, taken = offered && in->drain_ready;
    if (in->rst) {
        reset(m);
        return;
    }
    if (in->fill_valid) {
        struct decision d = cart_decide(m, in->fill_addr);
        if (!d.refusal)
            cart_fill(m, d.to, in);
    }
    if (taken)
        cart_drain(m, m->at);
    if (m->hold && offered && !taken)
        m->base.why = INCOMING_WHY_HELD;
    else
        cart_offer(m);
}

const struct block_type cart_type = {
    .name = "cart",
    .params = params,
    .n_params = CART_N_PARAMS,
    .illegal = illegal,
    .create = create,
    .destroy = destroy,
    .eval = eval,
    .tick = tick,
    INCOMING_TYPE,
};
