// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_stimulus.h"

#include "lib/random.h"

#define THIN_ENTRIES 64 /* more take longer than a phase to be recalled one by one */

static uint64_t rnd(struct expiry_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned below(struct expiry_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct expiry_stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

static bool at_rate(struct expiry_stimulus *d, enum expiry_rate rate) {
    static const unsigned of_64[N_RATES] = {64, 32, 8, 2, 0};
    return below(d, 64) < of_64[rate];
}

/* ---- Phases ---- */

bool expiry_stimulus_fills(const struct expiry_geometry *g, uint64_t cycles) {
    return cycles >= 24 * (uint64_t)g->entries + 2000;
}

static void draw_blocks(struct expiry_stimulus *d) {
    const unsigned n = d->g.entries;
    const unsigned spans[] = {1, 2, 3, n - 1, n, n + 1, 2 * n};
    d->exp_blocks = (enum expiry_blocks)below(d, N_BLOCKS);
    d->rec_blocks = one_in(d, 2) ? BLOCKS_HELD : (enum expiry_blocks)below(d, N_BLOCKS);
    d->base = rnd(d);
    d->stream = rnd(d);
    d->span = spans[below(d, sizeof spans / sizeof spans[0])];
    d->page = below(d, d->g.pages);
    d->one_page = one_in(d, 4);
    d->in_turn = !d->one_page && one_in(d, 3);
    d->same = one_in(d, 4);
}

/* Phases that keep entries in use until the last one of them. */
static void stay_full(struct expiry_stimulus *d) {
    d->exps = (enum expiry_rate)below(d, RATE_RARE);
    bool take = --d->full_left % 4 == 0;
    d->takes = take ? RATE_RARE : RATE_NEVER;
    d->recs = take ? RATE_SOME : one_in(d, 2) ? RATE_RARE : RATE_NEVER;
    d->reset_in = d->full_left ? RESET_NEVER : (enum expiry_reset)below(d, N_RESETS);
    if (one_in(d, 2))
        d->exp_blocks = one_in(d, 2) ? BLOCKS_STREAM : BLOCKS_HELD;
}

/* Entries go until one is left; then its pages expire, and it may go. */
static void thin_out(struct expiry_stimulus *d) {
    bool several = d->score->n > 1;
    d->exps = several ? RATE_NEVER : RATE_HALF;
    d->recs = several ? RATE_ALWAYS : RATE_NEVER;
    d->takes = RATE_SOME;
    d->exp_blocks = d->rec_blocks = BLOCKS_HELD;
    d->same = false;
}

static void new_phase(struct expiry_stimulus *d) {
    bool due = d->cycle >= d->next_fill && expiry_stimulus_fills(&d->g, d->total);
    draw_blocks(d);
    d->exps = (enum expiry_rate)below(d, N_RATES);
    d->recs = (enum expiry_rate)below(d, N_RATES);
    d->takes = (enum expiry_rate)below(d, N_RATES);
    d->readies = (enum expiry_rate)below(d, RATE_NEVER);
    d->exp_patient = !one_in(d, 4);
    d->reset_in = one_in(d, 2) ? RESET_NEVER : (enum expiry_reset)below(d, N_RESETS);
    d->phase_end = d->cycle + 32 + below(d, one_in(d, 4) ? 1024 : 256);
    d->fills = due && d->phases % 2 && !d->full_left;
    if (d->fills) {
        uint64_t most = 10 * (uint64_t)d->g.entries + 64;
        d->exps = RATE_ALWAYS;
        d->exp_blocks = BLOCKS_STREAM;
        d->recs = d->takes = RATE_NEVER;
        d->readies = RATE_HALF;
        d->reset_in = RESET_NEVER;
        d->same = false;
        d->phase_end = d->cycle + most;
        d->next_fill = d->cycle + 2 * most + (d->g.entries <= THIN_ENTRIES ? 5000 : 10000);
    }
    d->phases++;
    bool full = d->full_left > 0;
    if (full)
        stay_full(d);
    d->thins =
        d->g.entries <= THIN_ENTRIES && !d->fills && !d->full_left && one_in(d, full ? 2 : 5);
}

/* A long phase is over when it has got where it was to get. */
static void end_fill(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    if (!d->fills || s->n < d->g.entries)
        return;
    d->fills = false;
    d->full_left = d->g.entries > 256 ? 24 : 12;
    d->phase_end = d->cycle;
}

/* ---- What comes ---- */

static uint64_t held_block(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    if (!s->n)
        return rnd(d);
    if (s->now.kind == KIND_TAKE && one_in(d, 2))
        return s->items[s->n - 1].block; /* stays longest */
    switch (below(d, 4)) {
    case 0:
        return s->items[0].block;
    case 1:
        return s->items[s->n - 1].block;
    default:
        return s->items[below(d, s->n)].block;
    }
}

static uint64_t draw_block(struct expiry_stimulus *d, enum expiry_blocks blocks) {
    switch (blocks) {
    case BLOCKS_HELD:
        return held_block(d) & d->g.block_mask;
    case BLOCKS_NEAR:
        return (held_block(d) ^ UINT64_C(1) << below(d, 32)) & d->g.block_mask;
    case BLOCKS_FEW:
        return (d->base + below(d, d->span)) & d->g.block_mask;
    case BLOCKS_STREAM:
        return d->stream++ & d->g.block_mask;
    default:
        return rnd(d) & d->g.block_mask;
    }
}

/* Of a block at the other port, or of the operation under way, if the phase wants it. */
static void make_same(struct expiry_stimulus *d, bool other, uint64_t other_block,
                      uint64_t *block) {
    if (d->same && other)
        *block = other_block;
    else if (d->same && d->score->now.kind && one_in(d, 2))
        *block = d->score->now.block;
}

static void draw_exp(struct expiry_stimulus *d) {
    if (d->exp_held && (d->exp_patient || !one_in(d, 8)))
        return;
    d->exp_held = at_rate(d, d->exps);
    d->held.exp_block = draw_block(d, d->exp_blocks);
    d->page = (d->page + d->in_turn) % d->g.pages;
    d->held.exp_page = d->one_page || d->in_turn ? d->page : below(d, d->g.pages);
    make_same(d, d->rec_held, d->held.rec_block, &d->held.exp_block);
}

static void draw_rec(struct expiry_stimulus *d) {
    if (d->rec_held && (d->exp_patient || !one_in(d, 8)))
        return;
    d->rec_held = at_rate(d, d->recs);
    d->held.rec_block = draw_block(d, d->rec_blocks);
    make_same(d, d->exp_held, d->held.exp_block, &d->held.rec_block);
}

static bool reset_due(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    switch (d->reset_in) {
    case RESET_SOON:
        return one_in(d, 32);
    case RESET_FOLLOWS:
        return !s->now.kind && s->next.kind && one_in(d, 2);
    case RESET_OUTPUT:
        return s->now.kind && !s->left && one_in(d, 4);
    default:
        return false;
    }
}

/* Every second one for two cycles. */
static void drive_reset(struct expiry_stimulus *d, struct expiry_in *in) {
    in->rst = d->cycle == 0 || d->reset_again;
    d->reset_again = false;
    if (in->rst || !reset_due(d))
        return;
    in->rst = 1;
    d->reset_in = RESET_NEVER;
    d->reset_again = one_in(d, 2);
}

void expiry_stimulus_drive(struct expiry_stimulus *d, struct expiry_in *in) {
    end_fill(d);
    if (d->cycle >= d->phase_end)
        new_phase(d);
    if (d->thins)
        thin_out(d);
    draw_exp(d);
    draw_rec(d);
    *in = d->held;
    in->exp_valid = d->exp_held;
    in->rec_valid = d->rec_held;
    in->take = at_rate(d, d->takes);
    in->out_ready = at_rate(d, d->readies);
    drive_reset(d, in);
    if (!d->score->now.kind && !d->score->next.kind)
        d->exp_held = d->rec_held = false; /* taken, or reset */
    d->cycle++;
}

void expiry_stimulus_init(struct expiry_stimulus *d, const struct expiry_geometry *g,
                          const struct expiry_score *score, uint64_t seed, uint64_t total) {
    *d = (struct expiry_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
}
