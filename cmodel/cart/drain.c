// SPDX-License-Identifier: Apache-2.0
/* Chooses the request to offer, and updates the state when a request leaves. */
#include "cart/inside.h"

/* Returns the queue of the branch's oldest request. Returns 0 if the branch is empty, because the
 * next request enters queue 0. */
static unsigned queue_of_oldest(const struct cart *m, unsigned b) {
    unsigned best = 0;
    uint64_t first = UINT64_MAX;
    for (uint64_t set = m->branch[b].busy; set; set &= set - 1) {
        unsigned q = bits_lowest(set);
        uint64_t arrival = ring_first(&leaves_of(m, b)[q])->arrival;
        if (arrival < first) {
            first = arrival;
            best = q;
        }
    }
    return best;
}

/* Returns the queue that was assigned first among the queues in `set`, which is not empty. */
static unsigned eldest(const struct cart_leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].assigned < leaf[best].assigned)
            best = bits_lowest(set);
    return best;
}

/* Releases a queue that has become empty. If other queues have its tag, the one that was assigned
 * first becomes eligible. */
static void give_up(struct cart *m, struct cart_place place, uint64_t tag) {
    struct cart_branch *branch = &m->branch[place.branch];
    const struct cart_leaf *leaf = leaves_of(m, place.branch);
    uint64_t bit = UINT64_C(1) << place.queue;
    branch->busy &= ~bit;
    branch->eligible &= ~bit;
    branch->last = CART_NO_QUEUE;
    uint64_t same = same_tag(leaf, branch->busy & m->group[place.queue], tag);
    if (same)
        branch->eligible |= UINT64_C(1) << eldest(leaf, same);
    if (!branch->busy)
        m->busy &= ~(UINT64_C(1) << place.branch);
    m->base.queues--;
}

/* Updates the branch's oldest request and its age after a request of queue q has left. */
static void age_queue(struct cart *m, unsigned b, unsigned q) {
    struct cart_branch *branch = &m->branch[b];
    if (q == branch->oldest) { /* the head of queue q was the oldest request */
        branch->oldest = (uint8_t)queue_of_oldest(m, b);
        branch->passed = 0;
    } else if (branch->passed < m->age_limit) {
        branch->passed++;
    }
}

void cart_drain(struct cart *m, struct cart_place place) {
    struct cart_branch *branch = &m->branch[place.branch];
    struct cart_leaf *leaf = leaf_at(m, place);
    branch->last = (int8_t)place.queue;
    branch->row = leaf->tag & m->row_mask;
    branch->has_row = true;
    ring_drop(leaf);
    m->base.requests--;
    if (!leaf->count)
        give_up(m, place, leaf->tag);
    if (m->age_limit)
        age_queue(m, place.branch, place.queue);
}

/* ---- Choice ---- */

/* Returns the queue with the most requests among the queues in `set`, which is not empty. In a tie,
 * returns the lowest-numbered queue. */
static unsigned find_longest(const struct cart_leaf *leaf, uint64_t set) {
    unsigned best = bits_lowest(set);
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].count > leaf[best].count)
            best = bits_lowest(set);
    return best;
}

static enum incoming_why choose_rotating(struct cart *m) {
    unsigned b = bits_next(m->busy, m->offer.branch);
    const struct cart_branch *branch = &m->branch[b];
    const struct cart_leaf *leaf = leaves_of(m, b);
    m->offer.branch = b;
    if (m->age_limit && branch->passed == m->age_limit) {
        m->offer.queue = branch->oldest;
        return INCOMING_WHY_AGED;
    }
    if (branch->last != CART_NO_QUEUE) {
        m->offer.queue = (unsigned)branch->last;
        return INCOMING_WHY_QUEUE;
    }
    uint64_t row = branch->has_row ? queues_of_row(m, b, branch->row) : 0;
    m->offer.queue = find_longest(leaf, branch->eligible & (row ? row : branch->busy));
    return row ? INCOMING_WHY_ROW : INCOMING_WHY_LONGEST;
}

static enum incoming_why choose_longest(struct cart *m) {
    unsigned most = 0;
    for (uint64_t set = m->busy; set; set &= set - 1) {
        unsigned b = bits_lowest(set);
        const struct cart_leaf *leaf = leaves_of(m, b);
        unsigned q = find_longest(leaf, m->branch[b].eligible);
        if (leaf[q].count > most) {
            most = leaf[q].count;
            m->offer = (struct cart_place){b, q};
        }
    }
    return INCOMING_WHY_LONGEST;
}

static enum incoming_why choose_round_robin(struct cart *m) {
    uint64_t behind = m->branch[m->offer.branch].eligible & ~bits_low(m->offer.queue + 1);
    if (!behind) {
        m->offer.branch = bits_next(m->busy, m->offer.branch);
        behind = m->branch[m->offer.branch].eligible;
    }
    m->offer.queue = bits_lowest(behind);
    return INCOMING_WHY_NEXT;
}

void cart_offer(struct cart *m) {
    static enum incoming_why (*const choose[])(struct cart *) = {choose_rotating, choose_longest,
                                                                 choose_round_robin};
    m->base.valid = m->busy;
    if (!m->busy)
        return;
    m->base.why = (uint8_t)choose[m->policy](m);
    const struct cart_leaf *leaf = leaf_at(m, m->offer);
    m->base.addr = leaf->tag | ring_first(leaf)->dropped;
    m->base.id = ring_first(leaf)->id;
}
