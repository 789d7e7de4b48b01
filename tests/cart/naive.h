/* SPDX-License-Identifier: Apache-2.0 */
/* Reference model of cart, written from docs/understand/cart.md with lists, tags, "after" bits and
 * loops over all queues. It is slow and independent of the C model. */
#ifndef MEMTWIN_TESTS_CART_NAIVE_H
#define MEMTWIN_TESTS_CART_NAIVE_H

#include <stdlib.h>
#include <string.h>

#include "cart/cart.h"

struct naive_request {
    uint64_t id, arrival;
    uint64_t offset; /* the address's dropped column bits, which are not in the tag */
};

struct naive_queue {
    uint64_t row, column;
    bool after[64]; /* after[k] is true if queue k is older and has the same tag; k is an index
                       within the group, or within the branch if FILL=1 */
    int n;
    struct naive_request request[32];
};

struct naive_branch {
    bool has_row,  /* true if `row` is the last drained row */
        has_queue; /* true if `queue` is the last drained queue */
    uint64_t row;
    int queue;
    uint64_t oldest; /* arrival number of the oldest request */
    int64_t passed;
};

struct cart_naive {
    struct block_params p;
    int queues; /* number of queues per branch */
    int peers;  /* number of queues in a branch that may have the same tag */
    bool held;
    int held_at;
    int last; /* queue of the last output, counted over all branches */
    uint64_t arrivals;
    struct naive_branch branch[64];
    struct naive_queue *queue; /* queues of all branches */
};

static void naive_reset(struct cart_naive *n) {
    int all = (int)n->p.v[CART_BANKS] * n->queues;
    memset(n->branch, 0, sizeof n->branch);
    memset(n->queue, 0, (size_t)all * sizeof *n->queue);
    n->held = false;
    n->last = all - 1;
}

static void naive_init(struct cart_naive *n, const struct block_params *p) {
    memset(n, 0, sizeof *n);
    n->p = *p;
    n->queues = (int)(p->v[CART_ROWS] * p->v[CART_COLS]);
    n->peers = p->v[CART_FILL] ? n->queues : (int)p->v[CART_COLS];
    n->queue = calloc((size_t)(p->v[CART_BANKS] * n->queues), sizeof *n->queue);
    naive_reset(n);
}

static void naive_free(struct cart_naive *n) {
    free(n->queue);
}

/* Packs the address bits that a mask selects into a number; naive_scatter does the inverse. */
static uint64_t naive_gather(uint64_t addr, uint64_t mask) {
    uint64_t number = 0;
    for (int i = 47; i >= 0; i--)
        if (mask >> i & 1)
            number = number << 1 | (addr >> i & 1);
    return number;
}

static uint64_t naive_scatter(uint64_t number, uint64_t mask) {
    uint64_t addr = 0;
    for (int i = 0; i < 48; i++)
        if (mask >> i & 1) {
            addr |= (number & 1) << i;
            number >>= 1;
        }
    return addr;
}

static uint64_t naive_row_mask(const struct cart_naive *n) {
    uint64_t others = (uint64_t)(n->p.v[CART_BANK_MASK] | n->p.v[CART_COL_MASK]);
    return ~others & ((UINT64_C(1) << n->p.v[INCOMING_ADDR_W]) - 1);
}

/* Returns the part of an address's column that is in the tag; naive_offset returns the rest. */
static uint64_t naive_column(const struct cart_naive *n, uint64_t addr) {
    return naive_gather(addr, (uint64_t)n->p.v[CART_COL_MASK]) >> n->p.v[CART_COL_DROP];
}

static uint64_t naive_offset(const struct cart_naive *n, uint64_t addr) {
    uint64_t all = naive_gather(addr, (uint64_t)n->p.v[CART_COL_MASK]);
    return all - (naive_column(n, addr) << n->p.v[CART_COL_DROP]);
}

/* ---- Fill ---- */

struct naive_fill {
    int at; /* queue, counted over all branches, or -1 if refused */
    enum incoming_refusal why;
    uint64_t row, column, offset;
};

static bool naive_tagged(const struct naive_queue *q, uint64_t row, uint64_t column) {
    return q->n > 0 && q->row == row && q->column == column;
}

/* True if no other queue with the same tag is after queue g + c. `g` is the first of its peers. */
static bool naive_youngest(const struct cart_naive *n, int g, int c) {
    const struct naive_queue *q = &n->queue[g];
    for (int k = 0; k < n->peers; k++)
        if (naive_tagged(&q[k], q[c].row, q[c].column) && q[k].after[c])
            return false;
    return true;
}

static struct naive_fill naive_decide(const struct cart_naive *n, uint64_t addr) {
    int first = (int)naive_gather(addr, (uint64_t)n->p.v[CART_BANK_MASK]) * n->queues;
    struct naive_fill f = {.at = -1,
                           .row = naive_gather(addr, naive_row_mask(n)),
                           .column = naive_column(n, addr),
                           .offset = naive_offset(n, addr)};
    int holds = -1, empty = -1;
    for (int g = first; g < first + n->queues; g += n->peers) {
        bool used = false;
        for (int c = 0; c < n->peers; c++) {
            const struct naive_queue *q = &n->queue[g + c];
            used = used || q->n;
            if (q->n && q->row == f.row)
                holds = g;
            if (naive_tagged(q, f.row, f.column) && naive_youngest(n, g, c) &&
                q->n < n->p.v[INCOMING_DEPTH])
                f.at = g + c;
        }
        if (!used && empty < 0)
            empty = g;
    }
    if (f.at >= 0)
        return f;
    int from = n->p.v[CART_FILL] ? first : holds;
    for (int c = n->peers - 1; from >= 0 && c >= 0; c--)
        if (!n->queue[from + c].n)
            f.at = from + c;
    if (from < 0)
        f.at = empty;
    if (f.at < 0)
        f.why = holds < 0 ? INCOMING_REFUSE_ROW : INCOMING_REFUSE_COLUMN;
    return f;
}

/* ---- Drain ---- */

static bool naive_eligible(const struct cart_naive *n, int at) {
    for (int c = 0; c < n->peers; c++)
        if (n->queue[at].after[c])
            return false;
    return n->queue[at].n > 0;
}

/* Returns the longest of the `count` queues from `from` on that may drain, or -1 if there is none.
 * If `row` is not NULL, only queues of row *row are considered. */
static int naive_longest(const struct cart_naive *n, int from, int count, const uint64_t *row) {
    int best = -1;
    for (int q = from; q < from + count; q++)
        if (naive_eligible(n, q) && (!row || n->queue[q].row == *row) &&
            (best < 0 || n->queue[q].n > n->queue[best].n))
            best = q;
    return best;
}

/* Returns the arrival number of a branch's oldest request, or UINT64_MAX if it has none. Sets *at
 * to the request's queue. */
static uint64_t naive_oldest(const struct cart_naive *n, int branch, int *at) {
    uint64_t oldest = UINT64_MAX;
    for (int q = branch * n->queues; q < (branch + 1) * n->queues; q++)
        for (int i = 0; i < n->queue[q].n; i++)
            if (n->queue[q].request[i].arrival < oldest) {
                oldest = n->queue[q].request[i].arrival;
                *at = q;
            }
    return oldest;
}

static int naive_rotating(const struct cart_naive *n, uint64_t *why) {
    int banks = (int)n->p.v[CART_BANKS], b = n->last / n->queues, at = -1;
    do
        b = (b + 1) % banks;
    while (naive_oldest(n, b, &at) == UINT64_MAX);
    const struct naive_branch *branch = &n->branch[b];
    *why = INCOMING_WHY_AGED;
    if (n->p.v[CART_AGE_LIMIT] && branch->passed >= n->p.v[CART_AGE_LIMIT])
        return at;
    *why = INCOMING_WHY_QUEUE;
    if (branch->has_queue)
        return branch->queue;
    *why = INCOMING_WHY_ROW;
    at = branch->has_row ? naive_longest(n, b * n->queues, n->queues, &branch->row) : -1;
    if (at >= 0)
        return at;
    *why = INCOMING_WHY_LONGEST;
    return naive_longest(n, b * n->queues, n->queues, NULL);
}

/* Returns the output queue, or -1 if there is none. */
static int naive_choose(const struct cart_naive *n, uint64_t *why) {
    int all = (int)n->p.v[CART_BANKS] * n->queues, any = naive_longest(n, 0, all, NULL);
    *why = INCOMING_WHY_HELD;
    if (any < 0 || n->held)
        return any < 0 ? -1 : n->held_at;
    if (n->p.v[CART_POLICY] == CART_ROTATING)
        return naive_rotating(n, why);
    *why = INCOMING_WHY_LONGEST;
    if (n->p.v[CART_POLICY] == CART_LONGEST_FIRST)
        return any;
    *why = INCOMING_WHY_NEXT;
    int q = n->last;
    do
        q = (q + 1) % all;
    while (!naive_eligible(n, q));
    return q;
}

/* ---- A cycle ---- */

static uint64_t naive_address(const struct cart_naive *n, int at) {
    uint64_t column =
        (n->queue[at].column << n->p.v[CART_COL_DROP]) + n->queue[at].request[0].offset;
    return naive_scatter((uint64_t)(at / n->queues), (uint64_t)n->p.v[CART_BANK_MASK]) |
           naive_scatter(column, (uint64_t)n->p.v[CART_COL_MASK]) |
           naive_scatter(n->queue[at].row, naive_row_mask(n));
}

/* Computes all outputs; invalid outputs are 0. */
static void naive_eval(const struct cart_naive *n, const struct incoming_in *in,
                       struct incoming_out *out) {
    memset(out, 0, sizeof *out);
    if (in->fill_valid) {
        struct naive_fill f = naive_decide(n, in->fill_addr);
        out->fill_ready = f.at >= 0;
        out->fill_refuse = f.why;
    }
    uint64_t why;
    int at = naive_choose(n, &why);
    if (at >= 0) {
        out->drain_valid = 1;
        out->drain_addr = naive_address(n, at);
        out->drain_id = n->queue[at].request[0].id;
        out->drain_why = why;
    }
    for (int q = 0; q < n->p.v[CART_BANKS] * n->queues; q++) {
        out->st_requests += (uint64_t)n->queue[q].n;
        out->st_queues += n->queue[q].n > 0;
    }
}

static void naive_enter(struct cart_naive *n, const struct naive_fill *f, uint64_t id,
                        int emptied) {
    int g = f->at - f->at % n->queues % n->peers;
    struct naive_queue *q = &n->queue[f->at];
    if (!q->n) {
        for (int c = 0; c < n->peers; c++)
            q->after[c] = g + c != emptied && naive_tagged(&n->queue[g + c], f->row, f->column);
        q->row = f->row;
        q->column = f->column;
    }
    q->request[q->n++] = (struct naive_request){id, ++n->arrivals, f->offset};
}

static void naive_leave(struct cart_naive *n, int at) {
    struct naive_branch *branch = &n->branch[at / n->queues];
    struct naive_queue *q = &n->queue[at];
    int c = at % n->queues % n->peers;
    memmove(q->request, q->request + 1, sizeof q->request - sizeof *q->request);
    q->n--;
    branch->has_row = true;
    branch->row = q->row;
    branch->has_queue = q->n > 0;
    branch->queue = at;
    branch->passed++;
    for (int k = 0; !q->n && k < n->peers; k++)
        n->queue[at - c + k].after[c] = false;
}

static void naive_tick(struct cart_naive *n, const struct incoming_in *in) {
    uint64_t why;
    int at = naive_choose(n, &why), unused;
    bool taken = at >= 0 && in->drain_ready;
    struct naive_fill f = naive_decide(n, in->fill_addr);
    bool entered = in->fill_valid && f.at >= 0;
    if (in->rst) {
        naive_reset(n);
        return;
    }
    int emptied = taken && n->queue[at].n == 1 && !(entered && f.at == at) ? at : -1;
    if (entered)
        naive_enter(n, &f, in->fill_id, emptied);
    if (taken)
        naive_leave(n, at);
    for (int b = 0; b < n->p.v[CART_BANKS]; b++) {
        uint64_t oldest = naive_oldest(n, b, &unused);
        if (oldest != n->branch[b].oldest)
            n->branch[b].passed = 0;
        n->branch[b].oldest = oldest;
    }
    n->held = n->p.v[CART_HOLD] && at >= 0 && !taken;
    n->held_at = at;
    if (at >= 0)
        n->last = at;
}

#endif
