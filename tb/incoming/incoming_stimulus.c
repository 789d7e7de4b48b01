// SPDX-License-Identifier: Apache-2.0
#include "incoming/incoming_stimulus.h"

#include "lib/random.h"

enum { POOL = STIMULUS_POOL, MARGIN = 64 };

static uint64_t draw_bits(struct incoming_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct incoming_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct incoming_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Phases ---- */

static uint64_t random_bit(struct incoming_stimulus *d, uint64_t mask) {
    for (unsigned n = mask ? draw_below(d, (unsigned)__builtin_popcountll(mask)) : 0; n; n--)
        mask &= mask - 1;
    return mask & -mask;
}

/* Draws values of an address field within the mask. Returns the number of drawn values. */
static unsigned draw_pool(struct incoming_stimulus *d, uint64_t mask, unsigned limit,
                          uint64_t pool[POOL]) {
    unsigned kind = draw_below(d, 3);
    pool[0] = draw_bits(d) & mask;
    for (unsigned i = 1; i < POOL; i++) {
        if (kind == 0) /* consecutive values */
            pool[i] = ((pool[i - 1] | ~mask) + 1) & mask;
        else if (kind == 1) /* values that differ from the first one in one bit */
            pool[i] = pool[0] ^ random_bit(d, mask);
        else
            pool[i] = draw_bits(d) & mask;
    }
    return one_in(d, 3) ? 1 : 1 + draw_below(d, limit < POOL ? limit : POOL);
}

static unsigned branch_places(const struct geometry *g) {
    return g->queues * g->depth;
}

static void shape_brim(struct incoming_stimulus *d) {
    static const enum rate rates[] = {INCOMING_RATE_NEVER, INCOMING_RATE_REFUSED,
                                      INCOMING_RATE_RARE};
    d->fill_rate = INCOMING_RATE_ALWAYS;
    d->phase_end += draw_below(d, 4 * branch_places(&d->g));
    d->full_1_in = 1u << draw_below(d, 8);
    d->fresh_1_in = 1u << draw_below(d, 8);
    if (!one_in(d, 4))
        d->drain_rate = rates[draw_below(d, 3)];
    d->lean = one_in(d, 4);
    if (d->lean) {
        d->drain_rate = INCOMING_RATE_NEVER;
        d->phase_end += 2 * branch_places(&d->g);
    }
}

/* Chooses two hot lines, which may have the same bank, row or column. */
static void shape_hot(struct incoming_stimulus *d) {
    d->fill_rate = INCOMING_RATE_ALWAYS;
    d->when_refused = d->lines == INCOMING_LINES_PAIR ? REFUSED_STAYS : REFUSED_CHANGED;
    if (d->lines == INCOMING_LINES_STARVE || one_in(d, 2))
        d->bank[1] = d->bank[0];
    if (one_in(d, 2))
        d->row[1] = d->row[0];
    if (one_in(d, 3))
        d->col[1] = d->col[0];
    d->lean = one_in(d, 2);
    d->phase_end +=
        d->lines == INCOMING_LINES_STARVE ? 3 * d->g.age_limit : draw_below(d, 8 * d->g.depth);
}

static void new_phase(struct incoming_stimulus *d) {
    const struct geometry *g = &d->g;
    d->lines = g->age_limit && one_in(d, 12)
                   ? INCOMING_LINES_STARVE
                   : (enum incoming_lines)draw_below(d, INCOMING_LINES_STARVE);
    d->fill_rate =
        one_in(d, 3) ? INCOMING_RATE_ALWAYS : (enum rate)draw_below(d, INCOMING_RATE_REFUSED);
    d->drain_rate =
        one_in(d, 3) ? INCOMING_RATE_ALWAYS : (enum rate)draw_below(d, INCOMING_N_RATES);
    d->when_refused = (enum refused)draw_below(d, N_REFUSED);
    d->phase_end = d->cycle + MARGIN + draw_below(d, one_in(d, 4) ? 2 * branch_places(g) : 128);
    d->n_banks = draw_pool(d, g->bank_mask, POOL, d->bank);
    d->n_rows = draw_pool(d, g->row_mask, g->rows + 2, d->row);
    d->n_cols = draw_pool(d, g->col_mask, g->cols + 2, d->col);
    for (unsigned i = 0; i < 4; i++)
        d->stream[i] = draw_bits(d);
    if (d->lines == INCOMING_LINES_BRIM)
        shape_brim(d);
    if (d->lines == INCOMING_LINES_PAIR || d->lines == INCOMING_LINES_DUO ||
        d->lines == INCOMING_LINES_STARVE)
        shape_hot(d);
    d->reset_at = UINT64_MAX;
    if (one_in(d, d->lines == INCOMING_LINES_STARVE ? 2 : 8)) {
        d->reset_at = d->cycle + draw_below(d, (unsigned)(d->phase_end - d->cycle));
        d->reset_cycles = 1 + one_in(d, 4);
    }
}

/* ---- Lines ---- */

static uint64_t pool_line(struct incoming_stimulus *d) {
    return d->bank[draw_below(d, d->n_banks)] | d->row[draw_below(d, d->n_rows)] |
           d->col[draw_below(d, d->n_cols)];
}

static uint64_t stream_line(struct incoming_stimulus *d) {
    if (one_in(d, 4))
        d->next_stream = draw_below(d, 4);
    return d->stream[d->next_stream]++ & d->g.addr_mask;
}

static uint64_t follow_line(struct incoming_stimulus *d) {
    uint64_t other = draw_bits(d);
    if (!d->offered || one_in(d, 4))
        return pool_line(d);
    if (one_in(d, 2))
        return d->offer;
    return (d->offer & ~d->g.col_mask) | (other & d->g.col_mask);
}

/* Returns the branch of the phase's first line. */
static struct incoming_branch *first_branch(const struct incoming_stimulus *d) {
    return score_branch(d->score, d->bank[0]);
}

static uint64_t in_first_bank(const struct incoming_stimulus *d, uint64_t line) {
    return d->bank[0] | (line & d->g.addr_mask & ~d->g.bank_mask);
}

/* Draws a line whose requests share the queue of the run. */
static uint64_t line_of_run(struct incoming_stimulus *d, const struct incoming_run *r) {
    return d->g.drop_mask ? r->line | (draw_bits(d) & d->g.drop_mask) : r->line;
}

/* Draws a line that needs another queue in a row's group, or another row. */
static uint64_t lacking_line(struct incoming_stimulus *d, const struct incoming_branch *b) {
    uint64_t other = draw_bits(d) & d->g.col_mask;
    for (const struct incoming_run *r = b->runs; r < b->runs + b->n; r++)
        if (score_in_row(b, r->row) < d->g.cols)
            return r->count == d->g.depth ? line_of_run(d, r) : (r->line & ~d->g.col_mask) | other;
    return in_first_bank(d, draw_bits(d));
}

/* Draws a line, mostly one whose queue has room, and sometimes one whose queue is full or that has
 * no queue. */
static uint64_t brim_line(struct incoming_stimulus *d) {
    const struct incoming_branch *b = first_branch(d);
    uint64_t other = in_first_bank(d, draw_bits(d));
    if (one_in(d, 8))
        return one_in(d, 2) ? pool_line(d) : d->offer;
    if (!b->n || !d->g.tree)
        return other;
    if (d->lean)
        return lacking_line(d, b);
    bool full = one_in(d, d->full_1_in);
    unsigned i = draw_below(d, b->n);
    for (unsigned k = 0; k < b->n && (b->runs[i].count == d->g.depth) != full; k++)
        i = (i + 1) % b->n;
    if (!one_in(d, d->fresh_1_in))
        return line_of_run(d, &b->runs[i]);
    return one_in(d, 2) ? other : (b->runs[i].line & ~d->g.col_mask) | (other & d->g.col_mask);
}

static uint64_t hot_line(const struct incoming_stimulus *d, unsigned i) {
    return d->bank[i] | d->row[i] | d->col[i];
}

/* Returns the oldest queue of a hot line, or NULL if there is none. Sets *youngest to the line's
 * youngest queue. */
static const struct incoming_run *hot_runs(const struct incoming_stimulus *d, unsigned i,
                                           const struct incoming_run **youngest) {
    const struct incoming_branch *b = score_branch(d->score, hot_line(d, i));
    const struct incoming_run *oldest = NULL;
    for (const struct incoming_run *r = b->runs; r < b->runs + b->n; r++)
        if (r->line == score_line(&d->g, hot_line(d, i))) {
            oldest = oldest ? oldest : r;
            *youngest = r;
        }
    return oldest;
}

static bool hot_full(const struct incoming_stimulus *d, unsigned i) {
    const struct incoming_run *youngest;
    return hot_runs(d, i, &youngest) && youngest->count == d->g.depth;
}

/* Returns the number of the first branch's requests for hot lines. Sets *others to the number of
 * its other requests. */
static unsigned count_hot(const struct incoming_stimulus *d, unsigned *others) {
    const struct incoming_branch *b = first_branch(d);
    const uint64_t line[2] = {score_line(&d->g, hot_line(d, 0)), score_line(&d->g, hot_line(d, 1))};
    unsigned hot = 0;
    *others = 0;
    for (const struct incoming_run *r = b->runs; r < b->runs + b->n; r++)
        *(r->line == line[0] || r->line == line[1] ? &hot : others) += r->count;
    return hot;
}

static uint64_t starve_line(struct incoming_stimulus *d) {
    unsigned others, hot = count_hot(d, &others);
    if (!others && one_in(d, 16))
        return one_in(d, 2) ? in_first_bank(d, draw_bits(d))
                            : (hot_line(d, 0) & ~d->g.col_mask) | (draw_bits(d) & d->g.col_mask);
    if (d->lean ? hot > 0 : one_in(d, 8)) /* draws a line in another bank */
        return hot_line(d, 0) ^ (d->g.bank_mask & -d->g.bank_mask);
    return hot_line(d, draw_below(d, 2));
}

/* Draws a bit of the mask, often the highest one, which a comparator may omit. */
static uint64_t one_bit(struct incoming_stimulus *d, uint64_t mask) {
    if (!mask || !one_in(d, 4))
        return random_bit(d, mask);
    return UINT64_C(1) << (63 - __builtin_clzll(mask));
}

/* Returns a branch that has requests, and whose last drain took the last request of a row. Returns
 * NULL if there is none. */
static const struct incoming_branch *left_branch(struct incoming_stimulus *d) {
    unsigned start = draw_below(d, d->g.branches);
    for (unsigned k = 0; k < d->g.branches; k++) {
        const struct incoming_branch *b = &d->score->branches[(start + k) % d->g.branches];
        if (b->n && b->row_left)
            return b;
    }
    return NULL;
}

/* Draws a line that differs in one bit from a line with which the block compares it: a stored line,
 * or a line in the row that a branch drained last. */
static uint64_t near_line(struct incoming_stimulus *d) {
    const struct geometry *g = &d->g;
    uint64_t line = pool_line(d);
    const struct incoming_branch *b = score_branch(d->score, line), *left = left_branch(d);
    if (left && one_in(d, 2))
        return (left->runs->line & ~g->row_mask) | (left->last_row ^ one_bit(d, g->row_mask));
    if (b->n)
        return b->runs[draw_below(d, b->n)].line ^
               one_bit(d, one_in(d, 2) ? g->col_mask : g->row_mask);
    return line;
}

static uint64_t next_line(struct incoming_stimulus *d) {
    if (d->g.tree && d->lines <= INCOMING_LINES_FOLLOW && one_in(d, 8))
        return near_line(d);
    switch (d->lines) {
    case INCOMING_LINES_STREAM:
        return stream_line(d);
    case INCOMING_LINES_FOLLOW:
        return follow_line(d);
    case INCOMING_LINES_BRIM:
        return brim_line(d);
    case INCOMING_LINES_PAIR:
        return hot_line(d, 0);
    case INCOMING_LINES_DUO:
        return hot_line(d, !hot_full(d, 0) ? 0 : !hot_full(d, 1) ? 1 : draw_below(d, 2));
    case INCOMING_LINES_STARVE:
        return starve_line(d);
    case INCOMING_LINES_ANY:
        return draw_bits(d) & d->g.addr_mask;
    default:
        return pool_line(d);
    }
}

/* ---- Inputs of a cycle ---- */

static bool at_rate(struct incoming_stimulus *d, enum rate rate, bool *on, unsigned *left) {
    switch (rate) {
    case INCOMING_RATE_ALWAYS:
        return true;
    case INCOMING_RATE_HALF:
        return one_in(d, 2);
    case INCOMING_RATE_TOGGLE:
        return *on = !*on;
    case INCOMING_RATE_RARE:
        return one_in(d, 16);
    case INCOMING_RATE_BURSTS:
        if (!*left) {
            *on = !*on;
            *left = 1 + draw_below(d, 16 + 2 * d->g.depth);
        }
        --*left;
        return *on;
    case INCOMING_RATE_REFUSED:
        return d->refused && one_in(d, 2);
    default:
        return false;
    }
}

/* True if no more requests may enter, so that all requests can leave before the end of the run. */
static bool is_quiescing(const struct incoming_stimulus *d) {
    return d->cycle + d->score->held + MARGIN >= d->total;
}

/* True if a drain keeps the branch busy: another hot request is stored, or one can enter during
 * the turn of another branch. */
static bool starving(const struct incoming_stimulus *d) {
    unsigned others, hot = count_hot(d, &others);
    return hot > 1 || (hot && d->score->held > hot + others);
}

/* True if INCOMING_LINES_PAIR may drain: the line's youngest queue is full, and the line has an
 * older queue or cannot have two queues. */
static bool pair_drains(const struct incoming_stimulus *d) {
    const struct incoming_run *youngest, *oldest = hot_runs(d, 0, &youngest);
    return oldest && youngest->count == d->g.depth && (oldest != youngest || d->g.cols == 1);
}

static bool pair_fills(const struct incoming_stimulus *d) {
    const struct incoming_run *youngest, *oldest = hot_runs(d, 0, &youngest);
    return !pair_drains(d) || oldest->count == 1;
}

static bool fill_now(struct incoming_stimulus *d) {
    if (d->lines == INCOMING_LINES_PAIR)
        return pair_fills(d);
    return at_rate(d, d->fill_rate, &d->fill_on, &d->fill_left);
}

static bool drain_now(struct incoming_stimulus *d) {
    switch (d->lines) {
    case INCOMING_LINES_PAIR:
        return pair_drains(d);
    case INCOMING_LINES_DUO:
        return hot_full(d, 0) && hot_full(d, 1);
    case INCOMING_LINES_STARVE:
        return starving(d);
    default:
        return at_rate(d, d->drain_rate, &d->drain_on, &d->drain_left);
    }
}

static void drive_fill(struct incoming_stimulus *d, struct incoming_in *in) {
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
    in->fill_id = draw_bits(d) & d->g.id_mask;
}

void stimulus_drive(struct incoming_stimulus *d, struct incoming_in *in) {
    *in = (struct incoming_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    in->rst =
        d->cycle == 0 || (d->cycle >= d->reset_at && d->cycle < d->reset_at + d->reset_cycles);
    if (is_quiescing(d)) {
        in->drain_ready = 1;
    } else {
        drive_fill(d, in);
        in->drain_ready = drain_now(d);
    }
}

void stimulus_saw(struct incoming_stimulus *d, const struct incoming_in *in,
                  const struct incoming_out *out) {
    d->in = *in;
    d->refused = !in->rst && in->fill_valid && !out->fill_ready;
    d->offered = out->drain_valid;
    d->offer = out->drain_addr;
    d->cycle++;
}

void stimulus_init(struct incoming_stimulus *d, const struct geometry *g, const struct score *score,
                   uint64_t seed, uint64_t total) {
    *d = (struct incoming_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
    d->reset_at = UINT64_MAX;
}
