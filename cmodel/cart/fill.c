// SPDX-License-Identifier: Apache-2.0
/* Which queue a request enters. */
#include "cart/inside.h"

/* The one of a non-empty set that was assigned last. */
static unsigned youngest(const struct leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].assigned > leaf[best].assigned)
            best = bits_lowest(set);
    return best;
}

/* In the group of its row, whose queues in use are `used`. */
static struct decision decide_in_group(const struct cart *m, unsigned b, uint64_t used,
                                       uint64_t line) {
    const struct leaf *leaf = leaves_of(m, b);
    uint64_t same = same_line(leaf, used, line);
    if (same) {
        unsigned q = youngest(leaf, same);
        if (leaf[q].count < m->depth)
            return (struct decision){.to = {b, q}};
    }
    uint64_t empty = m->group[bits_lowest(used)] & ~used;
    if (!empty)
        return (struct decision){.refusal = INCOMING_REFUSE_COLUMN};
    return (struct decision){.to = {b, bits_lowest(empty)}};
}

struct decision cart_decide(const struct cart *m, uint64_t line) {
    unsigned b = incoming_bank_of(&m->bank, line);
    uint64_t used = group_of_row(m, b, line & m->row_mask);
    if (used)
        return decide_in_group(m, b, used, line);
    for (unsigned q = 0; q < m->leaves; q += m->cols)
        if (!(m->branch[b].busy & m->group[q]))
            return (struct decision){.to = {b, q}};
    return (struct decision){.refusal = INCOMING_REFUSE_ROW};
}

static void assign(struct cart *m, struct place to, uint64_t line) {
    struct branch *branch = &m->branch[to.branch];
    uint64_t bit = UINT64_C(1) << to.queue, group = m->group[to.queue];
    if (!same_line(leaves_of(m, to.branch), branch->busy & group, line))
        branch->eligible |= bit;
    branch->busy |= bit;
    m->busy |= UINT64_C(1) << to.branch;
    leaf_at(m, to)->line = line;
    leaf_at(m, to)->assigned = m->fills;
    m->base.queues++;
}

void cart_fill(struct cart *m, struct place to, const struct incoming_in *in) {
    struct leaf *leaf = leaf_at(m, to);
    m->fills++;
    if (!leaf->count)
        assign(m, to, in->fill_addr);
    size_t slot = slot_of(m, to, leaf->count++);
    m->id[slot] = (uint32_t)in->fill_id;
    if (m->arrival)
        m->arrival[slot] = m->fills;
    m->base.requests++;
}
