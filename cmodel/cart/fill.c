// SPDX-License-Identifier: Apache-2.0
/* Chooses the queue for a request. */
#include "cart/inside.h"

/* Returns the queue that was assigned last among the queues in `set`, which is not empty. */
static unsigned youngest(const struct cart_leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].assigned > leaf[best].assigned)
            best = bits_lowest(set);
    return best;
}

/* Returns the empty queues that may be assigned to a request. `in_row` contains the queues that
 * hold the request's row. */
static uint64_t empty_queues(const struct cart *m, unsigned b, uint64_t in_row) {
    uint64_t busy = m->branch[b].busy;
    if (m->scope == CART_FILL_BRANCH)
        return bits_low(m->leaves) & ~busy;
    if (in_row)
        return m->group[bits_lowest(in_row)] & ~busy;
    for (unsigned q = 0; q < m->leaves; q += m->cols)
        if (!(busy & m->group[q]))
            return m->group[q];
    return 0;
}

struct cart_decision cart_decide(const struct cart *m, uint64_t line) {
    unsigned b = incoming_bank_of(&m->bank, line);
    const struct cart_leaf *leaf = leaves_of(m, b);
    uint64_t in_row = queues_of_row(m, b, line & m->row_mask);
    uint64_t same = same_tag(leaf, in_row, line & ~m->drop_mask);
    if (same) {
        unsigned q = youngest(leaf, same);
        if (!ring_full(&leaf[q]))
            return (struct cart_decision){.to = {b, q}};
    }
    uint64_t empty = empty_queues(m, b, in_row);
    if (!empty)
        return (struct cart_decision){.refusal =
                                          in_row ? INCOMING_REFUSE_COLUMN : INCOMING_REFUSE_ROW};
    return (struct cart_decision){.to = {b, bits_lowest(empty)}};
}

static void assign_queue(struct cart *m, struct cart_place to, uint64_t tag) {
    struct cart_branch *branch = &m->branch[to.branch];
    uint64_t bit = UINT64_C(1) << to.queue, group = m->group[to.queue];
    if (!same_tag(leaves_of(m, to.branch), branch->busy & group, tag))
        branch->eligible |= bit;
    branch->busy |= bit;
    m->busy |= UINT64_C(1) << to.branch;
    leaf_at(m, to)->tag = tag;
    leaf_at(m, to)->assigned = m->fills;
    m->base.queues++;
}

void cart_fill(struct cart *m, struct cart_place to, const struct incoming_in *in) {
    struct cart_leaf *leaf = leaf_at(m, to);
    m->fills++;
    if (!leaf->count)
        assign_queue(m, to, in->fill_addr & ~m->drop_mask);
    ring_push(leaf, ((struct cart_request){m->fills, (uint32_t)in->fill_id,
                                           (uint32_t)(in->fill_addr & m->drop_mask)}));
    m->base.requests++;
}
