// SPDX-License-Identifier: Apache-2.0
/* Which request is offered, and what changes when it leaves. */
#include "cart/inside.h"

/* Of an empty branch: 0, the queue that the next request is going to enter. */
static unsigned queue_of_oldest(const struct cart *m, unsigned b) {
    unsigned best = 0;
    uint64_t first = UINT64_MAX;
    for (uint64_t set = m->branch[b].busy; set; set &= set - 1) {
        unsigned q = bits_lowest(set);
        uint64_t arrival = m->arrival[slot_of(m, (struct place){b, q}, 0)];
        if (arrival < first) {
            first = arrival;
            best = q;
        }
    }
    return best;
}

/* The one that was assigned first. */
static unsigned eldest(const struct leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].assigned < leaf[best].assigned)
            best = bits_lowest(set);
    return best;
}

/* A queue has become empty. The next with its tag, if there is one, may be drained. */
static void give_up(struct cart *m, struct place at, uint64_t tag) {
    struct branch *branch = &m->branch[at.branch];
    const struct leaf *leaf = leaves_of(m, at.branch);
    uint64_t bit = UINT64_C(1) << at.queue;
    branch->busy &= ~bit;
    branch->eligible &= ~bit;
    branch->last = CART_NO_QUEUE;
    uint64_t same = same_tag(leaf, branch->busy & m->group[at.queue], tag);
    if (same)
        branch->eligible |= UINT64_C(1) << eldest(leaf, same);
    if (!branch->busy)
        m->busy &= ~(UINT64_C(1) << at.branch);
    m->base.queues--;
}

/* What has to be known of ages after a request of queue q has left. */
static void age(struct cart *m, unsigned b, unsigned q) {
    struct branch *branch = &m->branch[b];
    if (q == branch->oldest) { /* its head was the oldest */
        branch->oldest = (uint8_t)queue_of_oldest(m, b);
        branch->passed = 0;
    } else if (branch->passed < m->age_limit) {
        branch->passed++;
    }
}

void cart_drain(struct cart *m, struct place at) {
    struct branch *branch = &m->branch[at.branch];
    struct leaf *leaf = leaf_at(m, at);
    branch->last = (int8_t)at.queue;
    branch->row = leaf->tag & m->row_mask;
    branch->has_row = true;
    leaf->first = (uint8_t)wrap(leaf->first + 1u, m->depth);
    m->base.requests--;
    if (!--leaf->count)
        give_up(m, at, leaf->tag);
    if (m->age_limit)
        age(m, at.branch, at.queue);
}

/* ---- Choice ---- */

/* The one with most requests, the lowest of several. */
static unsigned longest(const struct leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].count > leaf[best].count)
            best = bits_lowest(set);
    return best;
}

static enum incoming_why choose_rotating(struct cart *m) {
    unsigned b = bits_next(m->busy, m->at.branch);
    const struct branch *branch = &m->branch[b];
    const struct leaf *leaf = leaves_of(m, b);
    m->at.branch = b;
    if (m->age_limit && branch->passed == m->age_limit) {
        m->at.queue = branch->oldest;
        return INCOMING_WHY_AGED;
    }
    if (branch->last != CART_NO_QUEUE) {
        m->at.queue = (unsigned)branch->last;
        return INCOMING_WHY_QUEUE;
    }
    uint64_t row = branch->has_row ? queues_of_row(m, b, branch->row) : 0;
    m->at.queue = longest(leaf, branch->eligible & (row ? row : branch->busy));
    return row ? INCOMING_WHY_ROW : INCOMING_WHY_LONGEST;
}

static enum incoming_why choose_longest(struct cart *m) {
    unsigned most = 0;
    for (uint64_t set = m->busy; set; set &= set - 1) {
        unsigned b = bits_lowest(set);
        const struct leaf *leaf = leaves_of(m, b);
        unsigned q = longest(leaf, m->branch[b].eligible);
        if (leaf[q].count > most) {
            most = leaf[q].count;
            m->at = (struct place){b, q};
        }
    }
    return INCOMING_WHY_LONGEST;
}

static enum incoming_why choose_round_robin(struct cart *m) {
    uint64_t behind = m->branch[m->at.branch].eligible & ~bits_low(m->at.queue + 1);
    if (!behind) {
        m->at.branch = bits_next(m->busy, m->at.branch);
        behind = m->branch[m->at.branch].eligible;
    }
    m->at.queue = bits_lowest(behind);
    return INCOMING_WHY_NEXT;
}

void cart_offer(struct cart *m) {
    static enum incoming_why (*const choose[])(struct cart *) = {choose_rotating, choose_longest,
                                                                 choose_round_robin};
    m->base.valid = m->busy;
    if (!m->busy)
        return;
    m->base.why = (uint8_t)choose[m->policy](m);
    size_t slot = slot_of(m, m->at, 0);
    m->base.addr = leaf_at(m, m->at)->tag | (m->dropped ? m->dropped[slot] : 0);
    m->base.id = m->id[slot];
}
