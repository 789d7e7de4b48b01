/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the internals of cart that its files share.
 *
 * Each assignment of a queue has a number, which replaces the contract's "after" bits. Among the
 * queues with the same tag, the one with the highest number is the youngest, and the one with the
 * lowest number is eligible. A queue's tag is its requests' line number without the dropped column
 * bits. Each request keeps its own dropped bits. */
#ifndef MEMTWIN_CART_INSIDE_H
#define MEMTWIN_CART_INSIDE_H

#include "cart/cart.h"
#include "incoming/incoming.h"
#include "lib/bits.h"
#include "lib/ring.h"

enum { CART_NO_QUEUE = -1, CART_MAX_BRANCHES = 64, CART_MAX_LEAVES = 64 };

struct cart_request {
    uint64_t arrival;     /* value of m->fills on entry */
    uint32_t id, dropped; /* dropped: line-number bits in drop_mask, not shifted */
};

struct cart_leaf {
    uint64_t tag;
    uint64_t assigned; /* value of m->fills on assignment */
    RING(struct cart_request);
};

struct cart_branch {
    uint64_t busy, /* set of queues that are not empty, one bit per queue */
        eligible;  /* set of queues that may be drained, one bit per queue */
    uint64_t row;  /* row of the last request drained, as a masked tag; valid if has_row */
    bool has_row;
    int8_t last;     /* queue drained last, or CART_NO_QUEUE if it has been empty since */
    uint8_t oldest;  /* queue of the oldest request; only used if AGE_LIMIT > 0 */
    uint32_t passed; /* number of requests that overtook the oldest one, at most AGE_LIMIT */
};

struct cart_place {
    unsigned branch, queue;
};

struct cart {
    struct incoming base;
    unsigned branches, cols, leaves; /* leaves: number of leaf queues per branch */
    enum cart_policy policy;
    enum cart_fill_scope scope;
    bool hold;
    uint32_t age_limit;
    uint64_t row_mask, drop_mask;
    struct incoming_bank bank;

    uint64_t busy;           /* bit b is 1 if branch b is not empty */
    struct cart_place offer; /* queue whose request is, or was last, offered */
    uint64_t fills;          /* number of requests that have entered */

    struct cart_leaf *leaf;          /* owned; branches * leaves */
    uint64_t group[CART_MAX_LEAVES]; /* queues that may share a queue's tag: those of its group, or
                                        all queues */
    struct cart_branch branch[CART_MAX_BRANCHES];
};

/* Decision on a request, given the state at the start of the cycle: a refusal, or the queue to
 * which the request goes. */
struct cart_decision {
    enum incoming_refusal refusal;
    struct cart_place to;
};

static inline struct cart_leaf *leaves_of(const struct cart *m, unsigned branch) {
    return &m->leaf[branch * m->leaves];
}

static inline struct cart_leaf *leaf_at(const struct cart *m, struct cart_place p) {
    return &m->leaf[p.branch * m->leaves + p.queue];
}

/* Returns the queues in `set` that have this tag. */
static inline uint64_t same_tag(const struct cart_leaf *leaf, uint64_t set, uint64_t tag) {
    uint64_t same = 0;
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].tag == tag)
            same |= set & -set;
    return same;
}

/* Returns the queues that hold requests of a row. If FILL=0, all of them belong to one group. */
static inline uint64_t queues_of_row(const struct cart *m, unsigned branch, uint64_t row) {
    const struct cart_leaf *leaf = leaves_of(m, branch);
    uint64_t rest = m->branch[branch].busy, same = 0;
    while (rest) { /* one group or one queue per iteration */
        unsigned q = bits_lowest(rest);
        uint64_t one_row = m->scope == CART_FILL_BRANCH ? rest & -rest : rest & m->group[q];
        rest &= ~one_row;
        if ((leaf[q].tag & m->row_mask) != row)
            continue;
        same |= one_row;
        if (m->scope == CART_FILL_GROUP)
            break;
    }
    return same;
}

/* Returns the decision on a request for `line` (fill.c). */
struct cart_decision cart_decide(const struct cart *m, uint64_t line);
/* Adds the request in *in to queue `to` (fill.c). */
void cart_fill(struct cart *m, struct cart_place to, const struct incoming_in *in);

/* Removes the head of the queue at `place` (drain.c). */
void cart_drain(struct cart *m, struct cart_place place);
/* Chooses the request that is offered in the next cycle (drain.c). */
void cart_offer(struct cart *m);

#endif
