// SPDX-License-Identifier: Apache-2.0
#include "incoming/incoming_stimulus.h"

#include "lib/random.h"

enum { POOL = STIMULUS_POOL, MARGIN = 64 };

static uint64_t rnd(struct stimulus *d) {
    return random_next(&d->rng);
}

static unsigned below(struct stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

/* ---- Phases ---- */

static uint64_t random_bit(struct stimulus *d, uint64_t mask) {
    for (unsigned n = mask ? below(d, (unsigned)__builtin_popcountll(mask)) : 0; n; n--)
        mask &= mask - 1;
    return mask & -mask;
}

/* Values of an address field, bits within the mask. Returns how many of them to use. */
static unsigned draw_pool(struct stimulus *d, uint64_t mask, unsigned limit, uint64_t pool[POOL]) {
    unsigned kind = below(d, 3);
    pool[0] = rnd(d) & mask;
    for (unsigned i = 1; i < POOL; i++) {
        if (kind == 0) /* one after another */
            pool[i] = ((pool[i - 1] | ~mask) + 1) & mask;
        else if (kind == 1) /* one bit different */
            pool[i] = pool[0] ^ random_bit(d, mask);
        else
            pool[i] = rnd(d) & mask;
    }
    return one_in(d, 3) ? 1 : 1 + below(d, limit < POOL ? limit : POOL);
}

static unsigned branch_places(const struct geometry *g) {
    return g->queues * g->depth;
}

static void shape_brim(struct stimulus *d) {
    static const enum rate rates[] = {RATE_NEVER, RATE_REFUSED, RATE_RARE};
    d->fill_rate = RATE_ALWAYS;
    d->phase_end += below(d, 4 * branch_places(&d->g));
    d->full_1_in = 1u << below(d, 8);
    d->fresh_1_in = 1u << below(d, 8);
    if (!one_in(d, 4))
        d->drain_rate = rates[below(d, 3)];
    d->lean = one_in(d, 4);
    if (d->lean) {
        d->drain_rate = RATE_NEVER;
        d->phase_end += 2 * branch_places(&d->g);
    }
}

/* Two hot lines: of two banks, two rows, two columns, or the same. */
static void shape_hot(struct stimulus *d) {
    d->fill_rate = RATE_ALWAYS;
    d->when_refused = d->lines == LINES_PAIR ? REFUSED_STAYS : REFUSED_CHANGED;
    if (d->lines == LINES_STARVE || one_in(d, 2))
        d->bank[1] = d->bank[0];
    if (one_in(d, 2))
        d->row[1] = d->row[0];
    if (one_in(d, 3))
        d->col[1] = d->col[0];
    d->lean = one_in(d, 2);
    d->phase_end += d->lines == LINES_STARVE ? 3 * d->g.age_limit : below(d, 8 * d->g.depth);
}

static void new_phase(struct stimulus *d) {
    const struct geometry *g = &d->g;
    d->lines = g->age_limit && one_in(d, 12) ? LINES_STARVE : (enum lines)below(d, LINES_STARVE);
    d->fill_rate = one_in(d, 3) ? RATE_ALWAYS : (enum rate)below(d, RATE_REFUSED);
    d->drain_rate = one_in(d, 3) ? RATE_ALWAYS : (enum rate)below(d, N_RATES);
    d->when_refused = (enum refused)below(d, N_REFUSED);
    d->phase_end = d->cycle + MARGIN + below(d, one_in(d, 4) ? 2 * branch_places(g) : 128);
    d->n_banks = draw_pool(d, g->bank_mask, POOL, d->bank);
    d->n_rows = draw_pool(d, g->row_mask, g->rows + 2, d->row);
    d->n_cols = draw_pool(d, g->col_mask, g->cols + 2, d->col);
    for (unsigned i = 0; i < 4; i++)
        d->stream[i] = rnd(d);
    if (d->lines == LINES_BRIM)
        shape_brim(d);
    if (d->lines == LINES_PAIR || d->lines == LINES_DUO || d->lines == LINES_STARVE)
        shape_hot(d);
    d->reset_at = UINT64_MAX;
    if (one_in(d, d->lines == LINES_STARVE ? 2 : 8)) {
        d->reset_at = d->cycle + below(d, (unsigned)(d->phase_end - d->cycle));
        d->reset_cycles = 1 + one_in(d, 4);
    }
}

/* ---- Lines ---- */

static uint64_t pool_line(struct stimulus *d) {
    return d->bank[below(d, d->n_banks)] | d->row[below(d, d->n_rows)] |
           d->col[below(d, d->n_cols)];
}

static uint64_t stream_line(struct stimulus *d) {
    if (one_in(d, 4))
        d->next_stream = below(d, 4);
    return d->stream[d->next_stream]++ & d->g.addr_mask;
}

static uint64_t follow_line(struct stimulus *d) {
    uint64_t other = rnd(d);
    if (!d->offered || one_in(d, 4))
        return pool_line(d);
    if (one_in(d, 2))
        return d->offer;
    return (d->offer & ~d->g.col_mask) | (other & d->g.col_mask);
}

/* The branch of the phase's first line. */
static struct branch *first_branch(const struct stimulus *d) {
    return score_branch(d->score, d->bank[0]);
}

static uint64_t in_first_bank(const struct stimulus *d, uint64_t line) {
    return d->bank[0] | (line & d->g.addr_mask & ~d->g.bank_mask);
}

/* A line that shares the queue of a run. */
static uint64_t line_of_run(struct stimulus *d, const struct run *r) {
    return d->g.drop_mask ? r->line | (rnd(d) & d->g.drop_mask) : r->line;
}

/* One more queue for a row that has not all of its group, or another row. */
static uint64_t lacking_line(struct stimulus *d, const struct branch *b) {
    uint64_t other = rnd(d) & d->g.col_mask;
    for (const struct run *r = b->runs; r < b->runs + b->n; r++)
        if (score_in_row(b, r->row) < d->g.cols)
            return r->count == d->g.depth ? line_of_run(d, r) : (r->line & ~d->g.col_mask) | other;
    return in_first_bank(d, rnd(d));
}

/* Now and then a line whose queue is full, or one that is not there yet; else one that has room. */
static uint64_t brim_line(struct stimulus *d) {
    const struct branch *b = first_branch(d);
    uint64_t other = in_first_bank(d, rnd(d));
    if (one_in(d, 8))
        return one_in(d, 2) ? pool_line(d) : d->offer;
    if (!b->n || !d->g.tree)
        return other;
    if (d->lean)
        return lacking_line(d, b);
    bool full = one_in(d, d->full_1_in);
    unsigned i = below(d, b->n);
    for (unsigned k = 0; k < b->n && (b->runs[i].count == d->g.depth) != full; k++)
        i = (i + 1) % b->n;
    if (!one_in(d, d->fresh_1_in))
        return line_of_run(d, &b->runs[i]);
    return one_in(d, 2) ? other : (b->runs[i].line & ~d->g.col_mask) | (other & d->g.col_mask);
}

static uint64_t hot_line(const struct stimulus *d, unsigned i) {
    return d->bank[i] | d->row[i] | d->col[i];
}

/* Of a hot line: its oldest queue, or NULL, and its youngest. */
static const struct run *hot_runs(const struct stimulus *d, unsigned i,
                                  const struct run **youngest) {
    const struct branch *b = score_branch(d->score, hot_line(d, i));
    const struct run *oldest = NULL;
    for (const struct run *r = b->runs; r < b->runs + b->n; r++)
        if (r->line == score_line(&d->g, hot_line(d, i))) {
            oldest = oldest ? oldest : r;
            *youngest = r;
        }
    return oldest;
}

static bool hot_full(const struct stimulus *d, unsigned i) {
    const struct run *youngest;
    return hot_runs(d, i, &youngest) && youngest->count == d->g.depth;
}

/* Requests of the first branch that are of a hot line; *others: those that wait. */
static unsigned count_hot(const struct stimulus *d, unsigned *others) {
    const struct branch *b = first_branch(d);
    const uint64_t line[2] = {score_line(&d->g, hot_line(d, 0)), score_line(&d->g, hot_line(d, 1))};
    unsigned hot = 0;
    *others = 0;
    for (const struct run *r = b->runs; r < b->runs + b->n; r++)
        *(r->line == line[0] || r->line == line[1] ? &hot : others) += r->count;
    return hot;
}

static uint64_t starve_line(struct stimulus *d) {
    unsigned others, hot = count_hot(d, &others);
    if (!others && one_in(d, 16))
        return one_in(d, 2) ? in_first_bank(d, rnd(d))
                            : (hot_line(d, 0) & ~d->g.col_mask) | (rnd(d) & d->g.col_mask);
    if (d->lean ? hot > 0 : one_in(d, 8)) /* of the bank beside it */
        return hot_line(d, 0) ^ (d->g.bank_mask & -d->g.bank_mask);
    return hot_line(d, below(d, 2));
}

/* A bit of the mask, often the highest, that a compare may leave out. */
static uint64_t one_bit(struct stimulus *d, uint64_t mask) {
    if (!mask || !one_in(d, 4))
        return random_bit(d, mask);
    return UINT64_C(1) << (63 - __builtin_clzll(mask));
}

/* A branch whose row of last time has left, and that holds others since: their groups may have been
 * that row's. NULL: there is none. */
static const struct branch *left_branch(struct stimulus *d) {
    unsigned start = below(d, d->g.branches);
    for (unsigned k = 0; k < d->g.branches; k++) {
        const struct branch *b = &d->score->branches[(start + k) % d->g.branches];
        if (b->n && b->row_left)
            return b;
    }
    return NULL;
}

/* In one bit another than what it is compared with: a line that is held, or the row that a branch
 * drained last. */
static uint64_t near_line(struct stimulus *d) {
    const struct geometry *g = &d->g;
    uint64_t line = pool_line(d);
    const struct branch *b = score_branch(d->score, line), *left = left_branch(d);
    if (left && one_in(d, 2))
        return (left->runs->line & ~g->row_mask) | (left->last_row ^ one_bit(d, g->row_mask));
    if (b->n)
        return b->runs[below(d, b->n)].line ^ one_bit(d, one_in(d, 2) ? g->col_mask : g->row_mask);
    return line;
}

static uint64_t next_line(struct stimulus *d) {
    if (d->g.tree && d->lines <= LINES_FOLLOW && one_in(d, 8))
        return near_line(d);
    switch (d->lines) {
    case LINES_STREAM:
        return stream_line(d);
    case LINES_FOLLOW:
        return follow_line(d);
    case LINES_BRIM:
        return brim_line(d);
    case LINES_PAIR:
        return hot_line(d, 0);
    case LINES_DUO:
        return hot_line(d, !hot_full(d, 0) ? 0 : !hot_full(d, 1) ? 1 : below(d, 2));
    case LINES_STARVE:
        return starve_line(d);
    case LINES_ANY:
        return rnd(d) & d->g.addr_mask;
    default:
        return pool_line(d);
    }
}

/* ---- A cycle's inputs ---- */

static bool at_rate(struct stimulus *d, enum rate rate, bool *on, unsigned *left) {
    switch (rate) {
    case RATE_ALWAYS:
        return true;
    case RATE_HALF:
        return one_in(d, 2);
    case RATE_TOGGLE:
        return *on = !*on;
    case RATE_RARE:
        return one_in(d, 16);
    case RATE_BURSTS:
        if (!*left) {
            *on = !*on;
            *left = 1 + below(d, 16 + 2 * d->g.depth);
        }
        --*left;
        return *on;
    case RATE_REFUSED:
        return d->refused && one_in(d, 2);
    default:
        return false;
    }
}

/* Every request still leaves if none enters from now on. */
static bool quiescing(const struct stimulus *d) {
    return d->cycle + d->score->held + MARGIN >= d->total;
}

/* The branch is not left to those that wait: a hot line stays in it, or enters it while
 * it is the turn of the other branch. */
static bool starving(const struct stimulus *d) {
    unsigned others, hot = count_hot(d, &others);
    return hot > 1 || (hot && d->score->held > hot + others);
}

/* The youngest queue is full, and there is an older one, or there cannot be. */
static bool pair_drains(const struct stimulus *d) {
    const struct run *youngest, *oldest = hot_runs(d, 0, &youngest);
    return oldest && youngest->count == d->g.depth && (oldest != youngest || d->g.cols == 1);
}

static bool pair_fills(const struct stimulus *d) {
    const struct run *youngest, *oldest = hot_runs(d, 0, &youngest);
    return !pair_drains(d) || oldest->count == 1;
}

static bool fill_now(struct stimulus *d) {
    if (d->lines == LINES_PAIR)
        return pair_fills(d);
    return at_rate(d, d->fill_rate, &d->fill_on, &d->fill_left);
}

static bool drain_now(struct stimulus *d) {
    switch (d->lines) {
    case LINES_PAIR:
        return pair_drains(d);
    case LINES_DUO:
        return hot_full(d, 0) && hot_full(d, 1);
    case LINES_STARVE:
        return starving(d);
    default:
        return at_rate(d, d->drain_rate, &d->drain_on, &d->drain_left);
    }
}

static void drive_fill(struct stimulus *d, struct incoming_in *in) {
    bool again = d->refused && (d->when_refused == REFUSED_STAYS || one_in(d, 2));
    if (again) {
        in->fill_valid = 1;
        in->fill_addr = d->in.fill_addr;
        in->fill_id = d->in.fill_id;
        return;
    }
    if (d->refused ? d->when_refused == REFUSED_WITHDRAWN : !fill_now(d))
        return;
    in->fill_valid = 1;
    in->fill_addr = next_line(d);
    in->fill_id = rnd(d) & d->g.id_mask;
}

void stimulus_drive(struct stimulus *d, struct incoming_in *in) {
    *in = (struct incoming_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    in->rst =
        d->cycle == 0 || (d->cycle >= d->reset_at && d->cycle < d->reset_at + d->reset_cycles);
    if (quiescing(d)) {
        in->drain_ready = 1;
    } else {
        drive_fill(d, in);
        in->drain_ready = drain_now(d);
    }
}

void stimulus_saw(struct stimulus *d, const struct incoming_in *in,
                  const struct incoming_out *out) {
    d->in = *in;
    d->refused = !in->rst && in->fill_valid && !out->fill_ready;
    d->offered = out->drain_valid;
    d->offer = out->drain_addr;
    d->cycle++;
}

void stimulus_init(struct stimulus *d, const struct geometry *g, const struct score *score,
                   uint64_t seed, uint64_t total) {
    *d = (struct stimulus){.g = *g, .score = score, .rng = seed, .total = total};
    d->reset_at = UINT64_MAX;
}
