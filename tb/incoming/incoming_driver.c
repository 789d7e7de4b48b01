/* Stimulus in phases. Each phase draws, apart from one another, where its lines come from, how the
 * block is filled, how it is drained, and what becomes of a fill that is refused. */

#include "harness/cosim.h"

#include <stdlib.h>

#include "bank_queues/bank_queues.h"
#include "in_fifo/in_fifo.h"
#include "incoming/incoming_cover.h"

enum { POOL = 16, MARGIN = 64 };

enum lines {
    LINES_POOL,   /* of a few banks, rows and columns, from one line to many */
    LINES_STREAM, /* one after another, from several places */
    LINES_FOLLOW, /* most often the line that is offered, or another of its row */
    LINES_BRIM,   /* of one branch most, and many of them lines whose queue is full */
    LINES_PAIR,   /* one line, whose queues fill up before the oldest of them empties */
    LINES_ANY,
    LINES_STARVE, /* one line or two keep a branch busy, others in it wait; with AGE_LIMIT alone */
};

enum rate {
    RATE_ALWAYS,
    RATE_HALF,
    RATE_TOGGLE,
    RATE_RARE,
    RATE_BURSTS, /* on and off, for up to two queues' lengths each */
    RATE_NEVER,
    RATE_REFUSED, /* of a drain: when a fill was refused in the cycle before */
    N_RATES
};

enum refused { REFUSED_STAYS, REFUSED_WITHDRAWN, REFUSED_CHANGED, N_REFUSED };

struct driver {
    struct geometry g;
    struct score score;
    struct cover cover;
    const struct block_type *type;
    void *model; /* a second one, which sees every drain_ready inverted */
    uint64_t rng, cycle, total;

    /* phase */
    enum lines lines;
    enum rate fill_rate, drain_rate;
    enum refused when_refused;
    uint64_t phase_end, reset_at;
    unsigned reset_cycles, fill_left, drain_left; /* left: of a burst, on or off */
    bool fill_on, drain_on, lean;
    unsigned n_banks, n_rows, n_cols, next_stream, full_1_in, fresh_1_in;
    uint64_t bank[POOL], row[POOL], col[POOL], stream[4];

    struct incoming_in in; /* of the cycle before */
    bool refused, offered; /* in it */
    uint64_t offer;        /* what was offered then */
};

static uint64_t rnd(struct driver *d) {
    uint64_t z = d->rng += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static unsigned below(struct driver *d, unsigned n) {
    return (unsigned)(((rnd(d) >> 32) * n) >> 32);
}

static bool one_in(struct driver *d, unsigned n) {
    return below(d, n) == 0;
}

/* ---- Phases ---- */

static uint64_t random_bit(struct driver *d, uint64_t mask) {
    for (unsigned n = mask ? below(d, (unsigned)__builtin_popcountll(mask)) : 0; n; n--)
        mask &= mask - 1;
    return mask & -mask;
}

/* Values of an address field, bits within the mask. Returns how many of them to use. */
static unsigned draw_pool(struct driver *d, uint64_t mask, unsigned limit, uint64_t pool[POOL]) {
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
    return g->rows * g->cols * g->depth;
}

static void shape_phase(struct driver *d) {
    static const enum rate brim_rates[] = {RATE_NEVER, RATE_REFUSED, RATE_RARE};
    if (d->lines == LINES_BRIM) {
        d->fill_rate = RATE_ALWAYS;
        d->phase_end += below(d, 4 * branch_places(&d->g));
        d->full_1_in = 1u << below(d, 8);
        d->fresh_1_in = 1u << below(d, 8);
        if (!one_in(d, 4))
            d->drain_rate = brim_rates[below(d, 3)];
    } else if (d->lines == LINES_PAIR) {
        d->when_refused = REFUSED_STAYS;
    } else if (d->lines == LINES_STARVE) {
        d->fill_rate = RATE_ALWAYS;
        d->when_refused = REFUSED_CHANGED;
        d->phase_end += 3 * d->g.age_limit;
        d->lean = one_in(d, 2);
        if (one_in(d, 3))
            d->col[1] = d->col[0];
        if (one_in(d, 2))
            d->row[1] = d->row[0];
    }
}

static void new_phase(struct driver *d) {
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
    shape_phase(d);
    d->reset_at = UINT64_MAX;
    if (one_in(d, 8)) {
        d->reset_at = d->cycle + below(d, (unsigned)(d->phase_end - d->cycle));
        d->reset_cycles = 1 + one_in(d, 4);
    }
}

/* ---- Lines ---- */

static uint64_t pool_line(struct driver *d) {
    return d->bank[below(d, d->n_banks)] | d->row[below(d, d->n_rows)] |
           d->col[below(d, d->n_cols)];
}

static uint64_t stream_line(struct driver *d) {
    if (one_in(d, 4))
        d->next_stream = below(d, 4);
    return d->stream[d->next_stream]++ & d->g.addr_mask;
}

static uint64_t follow_line(struct driver *d) {
    uint64_t other = rnd(d);
    if (!d->offered || one_in(d, 4))
        return pool_line(d);
    if (one_in(d, 2))
        return d->offer;
    return (d->offer & ~d->g.col_mask) | (other & d->g.col_mask);
}

/* The branch of the phase's first line. */
static struct branch *first_branch(const struct driver *d) {
    return score_branch(&d->score, d->bank[0]);
}

static uint64_t in_first_bank(const struct driver *d, uint64_t line) {
    return d->bank[0] | (line & d->g.addr_mask & ~d->g.bank_mask);
}

/* Now and then a line whose queue is full, or one that is not there yet; else one that has room. */
static uint64_t brim_line(struct driver *d) {
    const struct branch *b = first_branch(d);
    uint64_t other = in_first_bank(d, rnd(d));
    if (one_in(d, 8))
        return one_in(d, 2) ? pool_line(d) : d->offer;
    if (!b->n || !d->g.tree)
        return other;
    bool full = one_in(d, d->full_1_in);
    unsigned i = below(d, b->n);
    for (unsigned k = 0; k < b->n && (b->runs[i].count == d->g.depth) != full; k++)
        i = (i + 1) % b->n;
    if (!one_in(d, d->fresh_1_in))
        return b->runs[i].line;
    return one_in(d, 2) ? other : (b->runs[i].line & ~d->g.col_mask) | (other & d->g.col_mask);
}

static uint64_t hot_line(const struct driver *d, unsigned i) {
    return d->bank[0] | d->row[i] | d->col[i];
}

/* Requests of the first branch that are of a hot line; *others: those that wait. */
static unsigned count_hot(const struct driver *d, unsigned *others) {
    const struct branch *b = first_branch(d);
    unsigned hot = 0;
    *others = 0;
    for (const struct run *r = b->runs; r < b->runs + b->n; r++)
        *(r->line == hot_line(d, 0) || r->line == hot_line(d, 1) ? &hot : others) += r->count;
    return hot;
}

static uint64_t starve_line(struct driver *d) {
    unsigned others;
    count_hot(d, &others);
    if (!others && one_in(d, 16))
        return one_in(d, 2) ? in_first_bank(d, rnd(d))
                            : (hot_line(d, 0) & ~d->g.col_mask) | (rnd(d) & d->g.col_mask);
    if (one_in(d, 8)) /* of the bank beside it */
        return hot_line(d, 0) ^ (d->g.bank_mask & -d->g.bank_mask);
    return hot_line(d, below(d, 2));
}

static uint64_t next_line(struct driver *d) {
    switch (d->lines) {
    case LINES_STREAM:
        return stream_line(d);
    case LINES_FOLLOW:
        return follow_line(d);
    case LINES_BRIM:
        return brim_line(d);
    case LINES_PAIR:
        return d->bank[0] | d->row[0] | d->col[0];
    case LINES_STARVE:
        return starve_line(d);
    case LINES_ANY:
        return rnd(d) & d->g.addr_mask;
    default:
        return pool_line(d);
    }
}

/* ---- A cycle's inputs ---- */

static bool at_rate(struct driver *d, enum rate rate, bool *on, unsigned *left) {
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
static bool quiescing(const struct driver *d) {
    return d->cycle + d->score.held + MARGIN >= d->total;
}

/* The branch is not left to those that wait: a hot line stays in it, or enters it while
 * it is the turn of the other branch. */
static bool starving(const struct driver *d) {
    unsigned others, hot = count_hot(d, &others);
    return hot > 1 || (hot && d->score.held > hot + others);
}

/* What the line's queues have come to: fill the youngest, then drain the oldest, then both. */
static void pair(const struct driver *d, bool *fill, bool *drain) {
    const struct branch *b = first_branch(d);
    uint64_t line = d->g.tree ? d->bank[0] | d->row[0] | d->col[0] : 0;
    const struct run *oldest = NULL, *youngest = NULL;
    for (const struct run *r = b->runs; r < b->runs + b->n; r++)
        if (r->line == line) {
            oldest = oldest ? oldest : r;
            youngest = r;
        }
    *drain = oldest && youngest->count == d->g.depth && (oldest != youngest || d->g.cols == 1);
    *fill = !*drain || oldest->count == 1;
}

static bool fill_now(struct driver *d) {
    bool fill, drain;
    unsigned others;
    if (d->lines == LINES_STARVE && d->lean && count_hot(d, &others) > 1)
        return one_in(d, 8);
    if (d->lines != LINES_PAIR)
        return at_rate(d, d->fill_rate, &d->fill_on, &d->fill_left);
    pair(d, &fill, &drain);
    return fill;
}

static bool drain_now(struct driver *d) {
    bool fill, drain;
    if (d->lines == LINES_STARVE)
        return starving(d);
    if (d->lines != LINES_PAIR)
        return at_rate(d, d->drain_rate, &d->drain_on, &d->drain_left);
    pair(d, &fill, &drain);
    return drain;
}

static void drive_fill(struct driver *d, struct incoming_in *in) {
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

static void drive(void *driver, void *in_) {
    struct driver *d = driver;
    struct incoming_in *in = in_;
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

/* ---- After the cycle ---- */

/* A model with the same state must offer and answer the same whatever drain_ready is. */
static const char *check_late(struct driver *d, const struct incoming_in *in,
                              const struct incoming_out *out) {
    struct incoming_in other = *in;
    struct incoming_out got;
    other.drain_ready = !in->drain_ready;
    d->type->eval(d->model, &other, &got);
    d->type->tick(d->model, in);
    return got.fill_ready == out->fill_ready && got.fill_refuse == out->fill_refuse &&
                   got.drain_valid == out->drain_valid && got.drain_addr == out->drain_addr &&
                   got.drain_id == out->drain_id && got.drain_why == out->drain_why
               ? NULL
               : "an output depends on drain_ready";
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in_, const void *out_) {
    struct driver *d = driver;
    const struct incoming_in *in = in_;
    const struct incoming_out *out = out_;
    struct look look = {0};
    const char *broken = check_late(d, in, out);
    if (!broken && d->cycle)
        broken = score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    if (d->cycle)
        cover_cycle(&d->cover, &d->score, in, out, &look);
    score_tick(&d->score, in, out, &look);
    d->in = *in;
    d->refused = !in->rst && in->fill_valid && !out->fill_ready;
    d->offered = out->drain_valid;
    d->offer = out->drain_addr;
    d->cycle++;
    return d->cycle == d->total && d->score.held ? "requests are left at the end" : NULL;
}

/* Hits that each point needs that can occur: one, in runs that are long enough for it. A branch has
 * to fill many times for the rarest, and requests to age. */
static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    uint64_t reach = 120000 + 400 * ((uint64_t)branch_places(&d->g) + d->g.age_limit);
    return cover_points(&d->cover, d->total >= reach, points);
}

/* ---- Life ---- */

static void destroy(void *driver) {
    struct driver *d = driver;
    if (d->model)
        d->type->destroy(d->model);
    score_free(&d->score);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    geometry_init(&d->g, type, p);
    cover_init(&d->cover, &d->g);
    d->type = type;
    d->model = type->create(p);
    d->rng = seed;
    d->total = cycles;
    d->reset_at = UINT64_MAX;
    if (!d->model || score_init(&d->score, &d->g)) {
        destroy(d);
        return NULL;
    }
    return d;
}

#define CALLS                                                                                      \
    { .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage }

const struct cosim_driver in_fifo_driver = CALLS;
const struct cosim_driver bank_queues_driver = CALLS;
const struct cosim_driver cart_driver = CALLS;
