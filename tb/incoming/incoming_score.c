// SPDX-License-Identifier: Apache-2.0
#include "incoming/incoming_score.h"

#include <stdlib.h>
#include <string.h>

#include "bank_queues/bank_queues.h"
#include "in_fifo/in_fifo.h"
#include "lib/alloc.h"

enum { INCOMING_NONE = -1 };

/* ---- Create and reset ---- */

static uint64_t low_bits(int64_t n) {
    return ((uint64_t)1 << n) - 1;
}

/* Returns the n lowest set bits of the mask. */
static uint64_t lowest_of(uint64_t mask, int64_t n) {
    uint64_t lowest = 0;
    for (; n; n--, mask &= mask - 1)
        lowest |= mask & -mask;
    return lowest;
}

void geometry_init(struct geometry *g, const struct block_type *type,
                   const struct block_params *p) {
    *g = (struct geometry){.branches = 1, .queues = 1, .rows = 1, .cols = 1};
    g->depth = (unsigned)p->v[INCOMING_DEPTH];
    g->addr_mask = low_bits(p->v[INCOMING_ADDR_W]);
    g->id_mask = low_bits(p->v[INCOMING_ID_W]);
    if (type == &bank_queues_type) {
        g->branches = (unsigned)p->v[BANK_QUEUES_QUEUES];
        g->bank_mask = (uint64_t)p->v[BANK_QUEUES_BANK_MASK];
        g->hold = p->v[BANK_QUEUES_HOLD];
    } else if (type == &cart_type) {
        g->tree = true;
        g->branches = (unsigned)p->v[CART_BANKS];
        g->bank_mask = (uint64_t)p->v[CART_BANK_MASK];
        g->col_mask = (uint64_t)p->v[CART_COL_MASK];
        g->rows = (unsigned)p->v[CART_ROWS];
        g->cols = (unsigned)p->v[CART_COLS];
        g->policy = (unsigned)p->v[CART_POLICY];
        g->age_limit = (unsigned)p->v[CART_AGE_LIMIT];
        g->hold = p->v[CART_HOLD];
        g->pool = p->v[CART_FILL] == CART_FILL_BRANCH;
        g->drop_mask = lowest_of(g->col_mask, p->v[CART_COL_DROP]);
    }
    g->group_rows = g->rows;
    g->group_cols = g->cols;
    g->queues = g->rows * g->cols;
    if (g->pool)
        g->rows = g->cols = g->queues;
    g->row_mask = g->addr_mask & ~(g->bank_mask | g->col_mask);
}

static unsigned count_places(const struct geometry *g) {
    return g->branches * g->queues * g->depth;
}

/* Sets the state after reset. */
static void score_forget(struct score *s) {
    unsigned n = count_places(&s->g);
    for (unsigned i = 0; i < n; i++)
        s->requests[i].next = i + 1 < n ? (int)i + 1 : INCOMING_NONE;
    for (unsigned i = 0; i < s->g.branches; i++)
        s->branches[i] = (struct incoming_branch){.runs = s->runs + i * s->g.queues};
    s->free_request = 0;
    s->next_serial = 1;
    s->held = s->queues = 0;
    s->turn = s->g.branches - 1;
    s->waiting = false;
}

void score_init(struct score *s, const struct geometry *g) {
    *s = (struct score){.g = *g};
    s->branches = alloc_zeroed(g->branches, sizeof *s->branches);
    s->runs = alloc_zeroed((size_t)g->branches * g->queues, sizeof *s->runs);
    s->requests = alloc_zeroed(count_places(g), sizeof *s->requests);
    score_forget(s);
}

void score_free(struct score *s) {
    free(s->branches);
    free(s->runs);
    free(s->requests);
}

/* ---- Looking ---- */

struct incoming_branch *score_branch(const struct score *s, uint64_t addr) {
    unsigned bank = 0, bit = 0;
    for (uint64_t m = s->g.bank_mask; m; m &= m - 1, bit++)
        bank |= (unsigned)(addr >> __builtin_ctzll(m) & 1) << bit;
    return &s->branches[bank & (s->g.branches - 1)];
}

uint64_t score_line(const struct geometry *g, uint64_t addr) {
    return g->tree ? addr & ~g->drop_mask : 0;
}

static uint64_t row_of(const struct geometry *g, uint64_t addr) {
    return g->tree ? addr & g->row_mask : 0;
}

static struct incoming_run *oldest_of(struct incoming_branch *b, uint64_t line) {
    for (unsigned i = 0; i < b->n; i++)
        if (b->runs[i].line == line)
            return &b->runs[i];
    return NULL;
}

static struct incoming_run *youngest_of(struct incoming_branch *b, uint64_t line) {
    for (unsigned i = b->n; i-- > 0;)
        if (b->runs[i].line == line)
            return &b->runs[i];
    return NULL;
}

/* True if no earlier run for the same line is stored. */
static bool score_eligible(const struct incoming_branch *b, const struct incoming_run *run) {
    for (const struct incoming_run *r = b->runs; r < run; r++)
        if (r->line == run->line)
            return false;
    return true;
}

unsigned score_longer(const struct incoming_branch *b, unsigned count, const uint64_t *row) {
    unsigned n = 0;
    for (const struct incoming_run *r = b->runs; r < b->runs + b->n; r++)
        n += r->count >= count && (!row || r->row == *row) && score_eligible(b, r);
    return n;
}

unsigned score_in_row(const struct incoming_branch *b, uint64_t row) {
    unsigned n = 0;
    for (unsigned i = 0; i < b->n; i++)
        n += b->runs[i].row == row;
    return n;
}

static uint64_t oldest_serial(const struct score *s, const struct incoming_branch *b) {
    uint64_t serial = UINT64_MAX;
    for (unsigned i = 0; i < b->n; i++) {
        const struct held_request *r = &s->requests[b->runs[i].first];
        if (r->serial < serial)
            serial = r->serial;
    }
    return serial;
}

/* ---- Fill ---- */

static enum fill_rule fill_rule(const struct geometry *g, const struct incoming_branch *b,
                                uint64_t row, const struct incoming_run *youngest) {
    if (youngest && youngest->count < g->depth)
        return FILL_JOIN;
    unsigned in_row = score_in_row(b, row);
    bool full = b->n == g->queues;
    if (!in_row)
        return full || b->rows_held == g->rows ? FILL_NO_ROW : FILL_GROUP;
    if (full || in_row == g->cols)
        return FILL_NO_ROOM;
    return youngest ? FILL_SECOND : FILL_QUEUE;
}

static const char *check_fill(struct score *s, const struct incoming_in *in,
                              const struct incoming_out *out, struct look *look) {
    const struct geometry *g = &s->g;
    unsigned refuse = INCOMING_REFUSE_NONE;
    look->fill = true;
    look->to = score_branch(s, in->fill_addr);
    look->youngest = youngest_of(look->to, score_line(g, in->fill_addr));
    look->rule = fill_rule(g, look->to, row_of(g, in->fill_addr), look->youngest);
    if (look->rule == FILL_NO_ROW)
        refuse = INCOMING_REFUSE_ROW;
    if (look->rule == FILL_NO_ROOM)
        refuse = g->tree ? INCOMING_REFUSE_COLUMN : INCOMING_REFUSE_FULL;
    if (out->fill_ready != (refuse == INCOMING_REFUSE_NONE))
        return out->fill_ready ? "a fill was accepted without a free entry"
                               : "a fill was refused despite a free entry";
    return out->fill_refuse == refuse ? NULL : "fill_refuse is wrong";
}

/* ---- Offer ---- */

static const char *check_longest(const struct incoming_branch *b, const struct incoming_run *run,
                                 const uint64_t *row) {
    return score_longer(b, run->count + 1, row) ? "a longer queue was not chosen" : NULL;
}

/* Checks the choice within a branch: the last drained queue, its row, or the longest queue. */
static const char *check_branch(const struct score *s, const struct incoming_branch *b,
                                const struct incoming_run *run, unsigned why) {
    uint64_t last = b->last_row;
    if (s->g.age_limit && b->passed == s->g.age_limit) {
        if (why != INCOMING_WHY_AGED)
            return "the oldest request of a branch has waited beyond AGE_LIMIT";
        return s->requests[run->first].serial == oldest_serial(s, b)
                   ? NULL
                   : "an aged request is not the oldest of its branch";
    }
    if (b->last_run) {
        if (why != INCOMING_WHY_QUEUE)
            return "drain_why is not 3, although the last drained queue has requests";
        return run->serial == b->last_run
                   ? NULL
                   : "drain_why is 3, but the output is not from the last drained queue";
    }
    if (b->drained && score_in_row(b, last)) {
        if (why != INCOMING_WHY_ROW)
            return "drain_why is not 4, although the last drained row has requests";
        return run->row == last ? check_longest(b, run, &last)
                                : "drain_why is 4, but the output is not of the last drained row";
    }
    return why == INCOMING_WHY_LONGEST ? check_longest(b, run, NULL) : "drain_why is not 5";
}

static const char *check_turn(const struct score *s, const struct incoming_branch *from) {
    unsigned i = s->turn;
    do
        i = (i + 1) % s->g.branches;
    while (!s->branches[i].n);
    return from == &s->branches[i] ? NULL : "it was another branch's turn";
}

static const char *check_policy(const struct score *s, const struct incoming_branch *from,
                                const struct incoming_run *run, unsigned why) {
    const char *broken;
    if (!s->g.tree || s->g.policy == CART_ROUND_ROBIN) {
        if (why != INCOMING_WHY_NEXT)
            return "drain_why is not 0";
        return s->g.tree ? NULL : check_turn(s, from);
    }
    if (s->g.policy == CART_ROTATING) {
        broken = check_turn(s, from);
        return broken ? broken : check_branch(s, from, run, why);
    }
    broken = why == INCOMING_WHY_LONGEST ? NULL : "drain_why is not 5";
    for (unsigned i = 0; !broken && i < s->g.branches; i++)
        broken = check_longest(&s->branches[i], run, NULL);
    return broken;
}

static const char *check_offer(struct score *s, const struct incoming_out *out, struct look *look) {
    look->from = score_branch(s, out->drain_addr);
    look->run = oldest_of(look->from, score_line(&s->g, out->drain_addr));
    if (!look->run)
        return "an output that is not stored";
    const struct held_request *r = &s->requests[look->run->first];
    if (r->addr != out->drain_addr || r->id != out->drain_id)
        return "an output is not the oldest request of its line";
    if (!s->g.hold || !s->waiting)
        return check_policy(s, look->from, look->run, (unsigned)out->drain_why);
    if (out->drain_why != INCOMING_WHY_HELD)
        return "a waiting output is not marked held";
    return out->drain_addr == s->last.drain_addr && out->drain_id == s->last.drain_id
               ? NULL
               : "an output changed while it waited";
}

const char *score_check(struct score *s, const struct incoming_in *in,
                        const struct incoming_out *out, struct look *look) {
    const char *broken = NULL;
    *look = (struct look){.offer = out->drain_valid,
                          .offer_taken = out->drain_valid && in->drain_ready};
    if (out->drain_valid != (s->held > 0))
        return s->held ? "drain_valid is 0, although requests are stored"
                       : "drain_valid is 1 in an empty block";
    if (out->st_requests != s->held)
        return "st_requests is wrong";
    if (out->st_queues != s->queues)
        return "st_queues is wrong";
    if (look->offer)
        broken = check_offer(s, out, look);
    return !broken && in->fill_valid ? check_fill(s, in, out, look) : broken;
}

/* ---- The clock edge ---- */

static void fill_queue(struct score *s, const struct incoming_in *in, const struct look *look) {
    struct incoming_branch *b = look->to;
    struct incoming_run *run = look->youngest;
    int r = s->free_request;
    s->free_request = s->requests[r].next;
    s->requests[r] = (struct held_request){.addr = in->fill_addr,
                                           .id = in->fill_id,
                                           .serial = s->next_serial++,
                                           .next = INCOMING_NONE};
    s->held++;
    if (look->rule == FILL_JOIN) {
        s->requests[run->last].next = r;
        run->last = r;
        run->count++;
        return;
    }
    b->rows_held += look->rule == FILL_GROUP;
    s->queues++;
    b->runs[b->n++] = (struct incoming_run){.line = score_line(&s->g, in->fill_addr),
                                            .row = row_of(&s->g, in->fill_addr),
                                            .serial = s->requests[r].serial,
                                            .count = 1,
                                            .first = r,
                                            .last = r};
}

static void drain_request(struct score *s, const struct look *look) {
    struct incoming_branch *b = look->from;
    struct incoming_run *run = look->run;
    int r = run->first;
    if (s->requests[r].serial == oldest_serial(s, b))
        b->passed = 0;
    else if (b->passed < s->g.age_limit)
        b->passed++;
    b->last_row = run->row;
    b->last_run = run->serial;
    b->drained = true;
    b->row_left = false;
    run->first = s->requests[r].next;
    s->requests[r].next = s->free_request;
    s->free_request = r;
    s->held--;
    if (--run->count)
        return;
    unsigned i = (unsigned)(run - b->runs);
    memmove(run, run + 1, (--b->n - i) * sizeof *run);
    s->queues--;
    b->last_run = 0;
    b->row_left = score_in_row(b, b->last_row) == 0;
    b->rows_held -= b->row_left;
}

void score_tick(struct score *s, const struct incoming_in *in, const struct incoming_out *out,
                const struct look *look) {
    if (in->rst) {
        score_forget(s);
        return;
    }
    if (look->offer)
        s->turn = (unsigned)(look->from - s->branches);
    if (look->fill && look->rule != FILL_NO_ROW && look->rule != FILL_NO_ROOM)
        fill_queue(s, in, look);
    if (look->offer_taken)
        drain_request(s, look);
    s->waiting = look->offer && !look->offer_taken;
    s->last = *out;
}
