// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_stimulus.h"

#include "lib/random.h"

/* maximum number of entries that can be recalled one by one within a phase */
#define THIN_ENTRIES 64

static uint64_t draw_bits(struct expiry_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct expiry_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct expiry_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

static bool at_rate(struct expiry_stimulus *d, enum expiry_rate rate) {
    static const unsigned rate_in_64[EXPIRY_N_RATES] = {64, 32, 8, 2, 0};
    return draw_below(d, 64) < rate_in_64[rate];
}

/* ---- Phases ---- */

bool expiry_stimulus_fills(const struct expiry_geometry *g, uint64_t cycles) {
    return cycles >= 24 * (uint64_t)g->entries + 2000;
}

static void draw_blocks(struct expiry_stimulus *d) {
    const unsigned n = d->g.entries;
    const unsigned spans[] = {1, 2, 3, n - 1, n, n + 1, 2 * n};
    d->exp_blocks = (enum expiry_blocks)draw_below(d, EXPIRY_N_BLOCKS);
    d->rec_blocks =
        one_in(d, 2) ? EXPIRY_BLOCKS_HELD : (enum expiry_blocks)draw_below(d, EXPIRY_N_BLOCKS);
    d->base = draw_bits(d);
    d->stream = draw_bits(d);
    d->span = spans[draw_below(d, sizeof spans / sizeof spans[0])];
    d->page = draw_below(d, d->g.pages);
    d->one_page = one_in(d, 4);
    d->in_turn = !d->one_page && one_in(d, 3);
    d->same = one_in(d, 4);
    if (d->in_turn && one_in(d, 4)) { /* all pages of a block */
        d->exp_blocks = EXPIRY_BLOCKS_FEW;
        d->span = 1;
    }
}

/* Replaces entries, and follows a replacement with each kind of operation, mostly of its block. */
static void follow_up(struct expiry_stimulus *d) {
    d->exps = one_in(d, 2) ? EXPIRY_RATE_ALWAYS : EXPIRY_RATE_SOME;
    d->exp_blocks = EXPIRY_BLOCKS_STREAM;
    d->recs = EXPIRY_RATE_RARE;
    d->rec_blocks = one_in(d, 2) ? EXPIRY_BLOCKS_HELD : EXPIRY_BLOCKS_ANY;
    d->takes = one_in(d, 2) ? EXPIRY_RATE_RARE : EXPIRY_RATE_NEVER;
    d->same = !one_in(d, 3);
}

/* Keeps nearly all entries in use over several phases. */
static void stay_full(struct expiry_stimulus *d) {
    d->exps = (enum expiry_rate)draw_below(d, EXPIRY_RATE_RARE);
    bool take = --d->full_left % 4 == 0;
    d->takes = take ? EXPIRY_RATE_RARE : EXPIRY_RATE_NEVER;
    d->recs = take ? EXPIRY_RATE_SOME : one_in(d, 2) ? EXPIRY_RATE_RARE : EXPIRY_RATE_NEVER;
    d->reset_in = RESET_NEVER;
    if (d->full_left % 4 >= 2)
        follow_up(d);
    else if (one_in(d, 2))
        d->exp_blocks = one_in(d, 2) ? EXPIRY_BLOCKS_STREAM : EXPIRY_BLOCKS_HELD;
    if (d->full_left)
        return;
    d->exp_blocks = EXPIRY_BLOCKS_STREAM;
    if (d->fulls % 2) { /* the last phase empties the table with takes, or resets it */
        d->exps = d->recs = EXPIRY_RATE_NEVER;
        d->takes = EXPIRY_RATE_ALWAYS;
    } else {
        d->exps = EXPIRY_RATE_ALWAYS;
        d->recs = d->takes = EXPIRY_RATE_NEVER;
        d->same = false;
        d->reset_in = RESET_FULL;
        d->phase_end += 4 * d->g.entries;
    }
}

/* Removes entries until one is left. Afterwards, pages of that entry expire, and it may be
 * removed, too. */
static void thin_out(struct expiry_stimulus *d) {
    bool several = d->score->n > 1;
    d->exps = several ? EXPIRY_RATE_NEVER : EXPIRY_RATE_HALF;
    d->recs = several ? EXPIRY_RATE_ALWAYS : EXPIRY_RATE_NEVER;
    d->takes = EXPIRY_RATE_SOME;
    d->exp_blocks = d->rec_blocks = EXPIRY_BLOCKS_HELD;
    d->same = false;
}

/* Makes entries for several takes, and then takes them all. Recalls are mixed in after every second
 * time, so that a recall or another take follows a take at once. */
static void empty(struct expiry_stimulus *d) {
    const unsigned several = 2 * d->g.take + 2, n = d->score->n;
    if (d->emptying ? n == 0 : n >= several || n == d->g.entries) {
        d->emptying = !d->emptying;
        d->recalls = d->emptying && one_in(d, 2);
    }
    d->exps = d->emptying ? EXPIRY_RATE_NEVER : EXPIRY_RATE_ALWAYS;
    d->takes = d->emptying ? EXPIRY_RATE_ALWAYS : EXPIRY_RATE_NEVER;
    d->recs = d->recalls ? EXPIRY_RATE_RARE : EXPIRY_RATE_NEVER;
    d->exp_blocks = EXPIRY_BLOCKS_STREAM;
    d->rec_blocks = EXPIRY_BLOCKS_HELD;
    d->readies = EXPIRY_RATE_ALWAYS;
    d->same = false;
}

static void new_phase(struct expiry_stimulus *d) {
    bool due = d->cycle >= d->next_fill && expiry_stimulus_fills(&d->g, d->total);
    draw_blocks(d);
    d->exps = (enum expiry_rate)draw_below(d, EXPIRY_N_RATES);
    d->recs = (enum expiry_rate)draw_below(d, EXPIRY_N_RATES);
    d->takes = (enum expiry_rate)draw_below(d, EXPIRY_N_RATES);
    d->readies = (enum expiry_rate)draw_below(d, EXPIRY_RATE_NEVER);
    d->exp_patient = !one_in(d, 4);
    d->reset_in = one_in(d, 2) ? RESET_NEVER : (enum expiry_reset)draw_below(d, N_RESETS);
    d->phase_end = d->cycle + 32 + draw_below(d, one_in(d, 4) ? 1024 : 256);
    d->fills = due && d->phases % 2 && !d->full_left;
    if (d->fills) {
        uint64_t most = 10 * (uint64_t)d->g.entries + 64;
        d->exps = EXPIRY_RATE_ALWAYS;
        d->exp_blocks = EXPIRY_BLOCKS_STREAM;
        d->recs = d->takes = EXPIRY_RATE_NEVER;
        d->readies = EXPIRY_RATE_HALF;
        d->reset_in = RESET_NEVER;
        d->same = false;
        d->phase_end = d->cycle + most;
        d->next_fill = d->cycle + 2 * most + (d->g.entries <= 2 * THIN_ENTRIES ? 5000 : 10000);
    }
    d->phases++;
    bool full = d->full_left > 0;
    if (full)
        stay_full(d);
    d->thins =
        d->g.entries <= THIN_ENTRIES && !d->fills && !d->full_left && one_in(d, full ? 2 : 4);
    d->empties = !d->fills && !full && !d->thins && one_in(d, 6);
    d->emptying = false;
}

/* Ends a long phase when it has reached its goal. */
static void end_fill(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    if (!d->fills || s->n < d->g.entries)
        return;
    d->fills = false;
    d->fulls++;
    d->full_left = d->g.entries > 256 ? 24 : 12;
    d->phase_end = d->cycle;
}

/* ---- Inputs ---- */

static uint64_t held_block(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    if (!s->n)
        return draw_bits(d);
    if (s->now.kind == KIND_TAKE && one_in(d, 2))
        return s->items[s->n - 1].block; /* the newest item stays longest */
    switch (draw_below(d, 4)) {
    case 0:
        return s->items[0].block;
    case 1:
        return s->items[s->n - 1].block;
    default:
        return s->items[draw_below(d, s->n)].block;
    }
}

/* Returns the block of an entry to remove, which in every second phase is not the one in the
 * highest way unless it is the only one. */
static uint64_t thin_block(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    unsigned i;
    if (!s->n || d->phases % 2)
        return held_block(d) & d->g.block_mask;
    i = draw_below(d, s->n);
    return s->items[s->items[i].way + 1 == d->g.entries ? (i + 1) % s->n : i].block;
}

static uint64_t draw_block(struct expiry_stimulus *d, enum expiry_blocks blocks) {
    switch (blocks) {
    case EXPIRY_BLOCKS_HELD:
        return held_block(d) & d->g.block_mask;
    case EXPIRY_BLOCKS_NEAR:
        return (held_block(d) ^ UINT64_C(1) << draw_below(d, 32)) & d->g.block_mask;
    case EXPIRY_BLOCKS_FEW:
        return (d->base + draw_below(d, d->span)) & d->g.block_mask;
    case EXPIRY_BLOCKS_STREAM:
        return d->stream++ & d->g.block_mask;
    default:
        return draw_bits(d) & d->g.block_mask;
    }
}

/* If the phase has `same` set, chooses the block at the other port, or the block of the current
 * operation. */
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
    d->held.exp_page = d->one_page || d->in_turn ? d->page : draw_below(d, d->g.pages);
    make_same(d, d->rec_held, d->held.rec_block, &d->held.exp_block);
}

static void draw_rec(struct expiry_stimulus *d) {
    if (d->rec_held && (d->exp_patient || !one_in(d, 8)))
        return;
    d->rec_held = at_rate(d, d->recs);
    d->held.rec_block = d->thins ? thin_block(d) : draw_block(d, d->rec_blocks);
    make_same(d, d->exp_held, d->held.exp_block, &d->held.rec_block);
}

static bool reset_due(struct expiry_stimulus *d) {
    const struct expiry_score *s = d->score;
    switch (d->reset_in) {
    case RESET_SOON:
        return one_in(d, 32);
    case RESET_FOLLOWS:
        return !s->now.kind && s->next.kind && one_in(d, 2);
    case RESET_BUSY:
        return s->now.kind && s->left && one_in(d, 4);
    case RESET_FULL:
        return s->n == d->g.entries && one_in(d, 4);
    case RESET_OUTPUT:
        return s->now.kind && !s->left && one_in(d, 4);
    default:
        return false;
    }
}

/* Drives reset. About half of the resets last two cycles. */
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
    if (d->empties)
        empty(d);
    draw_exp(d);
    draw_rec(d);
    *in = d->held;
    in->exp_valid = d->exp_held;
    in->rec_valid = d->rec_held;
    in->take = at_rate(d, d->takes);
    in->out_ready = at_rate(d, d->readies);
    drive_reset(d, in);
    if (!d->score->now.kind && !d->score->next.kind)
        d->exp_held = d->rec_held = false; /* the request was accepted or reset */
    d->cycle++;
}

void expiry_stimulus_init(struct expiry_stimulus *d, const struct expiry_geometry *g,
                          const struct expiry_score *score, uint64_t seed, uint64_t total) {
    *d = (struct expiry_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
}
