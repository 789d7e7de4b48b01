// SPDX-License-Identifier: Apache-2.0
#include "cart/inside.h"

#include <stdlib.h>

#include "lib/alloc.h"

static const struct param_desc params[CART_N_PARAMS] = {
    INCOMING_COMMON_PARAMS(2, 32, "entries per leaf queue"),
    INCOMING_BANK_PARAMS,
    {"COL_MASK", 0x3D, 1, INT32_MAX, "mask of the line number bits that are the column"},
    {"ROWS", 4, 1, 8, "row groups per branch"},
    {"COLS", 2, 1, 8, "leaf queues per row group"},
    {"POLICY", CART_ROTATING, CART_ROTATING, CART_ROUND_ROBIN,
     "drain policy: 0 rotating banks, same row or longest queue; 1 longest queue first; 2 round "
     "robin"},
    {"AGE_LIMIT", 0, 0, 65535, "drains of a branch that may pass its oldest request; 0: no limit"},
    {"FILL", CART_FILL_GROUP, CART_FILL_GROUP, CART_FILL_BRANCH,
     "where a new queue is allocated: 0 in the row's group, 1 anywhere in the branch"},
    {"COL_DROP", 0, 0, 29, "low column bits that may differ between lines in one queue"},
    INCOMING_HOLD_PARAM,
};

static const char *find_illegal(const struct block_params *p) {
    uint64_t bank = (uint64_t)p->v[CART_BANK_MASK], column = (uint64_t)p->v[CART_COL_MASK];
    const char *why = incoming_illegal_banks(p, p->v[CART_BANKS], p->v[CART_BANK_MASK]);
    if (why)
        return why;
    if (column & bank)
        return "COL_MASK and BANK_MASK must have no bit in common";
    if (column >> p->v[INCOMING_ADDR_W])
        return "COL_MASK must lie within ADDR_W bits";
    if ((bank | column) == bits_low((unsigned)p->v[INCOMING_ADDR_W]))
        return "BANK_MASK and COL_MASK must leave a bit for the row";
    if (p->v[CART_BANKS] * p->v[CART_ROWS] * p->v[CART_COLS] * p->v[INCOMING_DEPTH] > 8192)
        return "BANKS x ROWS x COLS x DEPTH must be at most 8192";
    if (p->v[CART_COL_DROP] >= bits_count(column))
        return "COL_DROP must be less than the number of bits in COL_MASK";
    if (p->v[CART_AGE_LIMIT] && p->v[CART_POLICY] != CART_ROTATING)
        return "AGE_LIMIT needs POLICY=0";
    return NULL;
}

static void reset_cart(struct cart *m) {
    m->base.requests = m->base.queues = 0;
    m->base.valid = false;
    m->busy = 0;
    m->offer = (struct cart_place){m->branches - 1, m->leaves - 1};
    for (unsigned b = 0; b < m->branches; b++)
        m->branch[b] = (struct cart_branch){.last = CART_NO_QUEUE};
    for (unsigned i = 0; i < m->branches * m->leaves; i++)
        ring_clear(&m->leaf[i]);
}

static void destroy_cart(void *model) {
    struct cart *m = model;
    if (!m)
        return;
    for (unsigned i = 0; i < m->branches * m->leaves; i++)
        ring_free(&m->leaf[i]);
    free(m->leaf);
    free(m);
}

/* Returns the lowest n set bits of a mask. */
static uint64_t lowest_of(uint64_t mask, unsigned n) {
    uint64_t rest = mask;
    for (; n; n--)
        rest &= rest - 1;
    return mask & ~rest;
}

static void *create_cart(const struct block_params *p) {
    struct cart *m = alloc_zeroed(1, sizeof *m);
    m->branches = (unsigned)p->v[CART_BANKS];
    m->cols = (unsigned)p->v[CART_COLS];
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
    m->leaf = alloc_zeroed((size_t)m->branches * m->leaves, sizeof *m->leaf);
    for (unsigned i = 0; i < m->branches * m->leaves; i++)
        ring_init(&m->leaf[i], (uint32_t)p->v[INCOMING_DEPTH]);
    reset_cart(m);
    return m;
}

static void eval_cart(const void *model, const void *in_, void *out) {
    const struct cart *m = model;
    const struct incoming_in *in = in_;
    enum incoming_refusal refusal = INCOMING_REFUSE_NONE;
    if (in->fill_valid)
        refusal = cart_decide(m, in->fill_addr).refusal;
    incoming_answer(&m->base, in, refusal, out);
}

/* Executes the fill before the drain. Therefore, the drain does not empty a queue that the filled
 * request joins. If the drain empties the queue that was assigned the same tag before the fill's
 * queue, the fill's queue becomes eligible. */
static void tick_cart(void *model, const void *in_) {
    struct cart *m = model;
    const struct incoming_in *in = in_;
    bool offered = m->base.valid, is_taken = offered && in->drain_ready;
    if (in->rst) {
        reset_cart(m);
        return;
    }
    if (in->fill_valid) {
        struct cart_decision d = cart_decide(m, in->fill_addr);
        if (!d.refusal)
            cart_fill(m, d.to, in);
    }
    if (is_taken)
        cart_drain(m, m->offer);
    if (m->hold && offered && !is_taken)
        m->base.why = INCOMING_WHY_HELD;
    else
        cart_offer(m);
}

const struct block_type cart_type = {
    .name = "cart",
    .params = params,
    .n_params = CART_N_PARAMS,
    .illegal = find_illegal,
    .create = create_cart,
    .destroy = destroy_cart,
    .eval = eval_cart,
    .tick = tick_cart,
    INCOMING_TYPE,
};
