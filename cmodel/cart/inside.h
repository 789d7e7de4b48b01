/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of cart, for its own files.
 *
 * Where the contract has "after" bits, this has a number for each assignment: of the queues with a
 * tag the one with the highest number is the youngest, and the one with the lowest is eligible.
 * A queue's tag is the line number of its requests without the dropped bits of the column, which
 * are kept with each request. */
#ifndef MEMTWIN_CART_INSIDE_H
#define MEMTWIN_CART_INSIDE_H

#include "cart/cart.h"
#include "incoming/incoming.h"
#include "lib/bits.h"
#include "lib/wrap.h"

enum { CART_NO_QUEUE = -1, CART_MAX_BRANCHES = 64, CART_MAX_LEAVES = 64 };

struct leaf {
    uint64_t tag;
    uint64_t assigned; /* m->fills when it was */
    uint8_t first, count;
};

struct branch {
    uint64_t busy, eligible; /* bit q: queue q is not empty; may be drained */
    uint64_t row;            /* of the last request drained (masked tag), if has_row */
    bool has_row;
    int8_t last;     /* queue drained last, or CART_NO_QUEUE if it has been empty since */
    uint8_t oldest;  /* with AGE_LIMIT: queue of the oldest request */
    uint32_t passed; /* requests drained past that, at most AGE_LIMIT */
};

struct place {
    unsigned branch, queue;
};

struct cart {
    struct incoming base;
    unsigned branches, cols, depth, leaves; /* leaves: of a branch */
    enum cart_policy policy;
    enum cart_fill_scope scope;
    bool hold;
    uint32_t age_limit;
    uint64_t row_mask, drop_mask;
    struct incoming_bank bank;

    uint64_t busy;   /* bit b: branch b is not empty */
    struct place at; /* queue that is offered, or was offered last */
    uint64_t fills;  /* requests that have entered */

    struct leaf *leaf; /* branches * leaves */
    uint32_t *id;      /* a ring of `depth` for each leaf */
    uint64_t *arrival; /* likewise m->fills at each request's arrival; NULL without AGE_LIMIT */
    uint32_t *dropped; /* likewise its dropped bits, in place; NULL without COL_DROP */
    uint64_t group[CART_MAX_LEAVES]; /* queues that may share a queue's tag: its group, or all */
    struct branch branch[CART_MAX_BRANCHES];
};

/* Where a request goes, by the state at the start of the cycle. */
struct decision {
    enum incoming_refusal refusal;
    struct place to;
};

static inline struct leaf *leaves_of(const struct cart *m, unsigned branch) {
    return &m->leaf[branch * m->leaves];
}

static inline struct leaf *leaf_at(const struct cart *m, struct place p) {
    return &m->leaf[p.branch * m->leaves + p.queue];
}

/* Index of the i-th request from the head, in id and arrival. */
static inline size_t slot_of(const struct cart *m, struct place p, unsigned i) {
    unsigned leaf = p.branch * m->leaves + p.queue;
    return leaf * m->depth + wrap(m->leaf[leaf].first + i, m->depth);
}

/* Those of `set` with this tag. */
static inline uint64_t same_tag(const struct leaf *leaf, uint64_t set, uint64_t tag) {
    uint64_t same = 0;
    for (; set; set &= set - 1)
        if (leaf[bits_lowest(set)].tag == tag)
            same |= set & -set;
    return same;
}

/* Bits of the queues in use that hold a row; with FILL=0 they are those of one group. */
static inline uint64_t queues_of_row(const struct cart *m, unsigned branch, uint64_t row) {
    const struct leaf *leaf = leaves_of(m, branch);
    uint64_t rest = m->branch[branch].busy, same = 0;
    while (rest) { /* a group in each round, or a queue */
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

/* fill.c. cart_decide: the place for a request with this line. cart_fill: puts a request there. */
struct decision cart_decide(const struct cart *m, uint64_t line);
void cart_fill(struct cart *m, struct place to, const struct incoming_in *in);

/* drain.c. cart_drain: removes the head of a queue. cart_offer: chooses the next cycle's offer. */
void cart_drain(struct cart *m, struct place at);
void cart_offer(struct cart *m);

#endif
