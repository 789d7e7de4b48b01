// SPDX-License-Identifier: Apache-2.0
#include "cap/cap_stimulus.h"

#include "lib/random.h"

static uint64_t rnd(struct cap_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned below(struct cap_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct cap_stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

/* ---- Phases ---- */

static void new_phase(struct cap_stimulus *d) {
    const unsigned spans[] = {1, 2, 4, d->g.groups};
    d->numbers = (enum cap_numbers)below(d, N_NUMBERS);
    d->asks = one_in(d, 2) ? RATE_ALWAYS : (enum cap_rate)below(d, N_RATES);
    d->sets = (enum cap_rate)below(d, N_RATES);
    d->aggs = (enum cap_rate)below(d, N_RATES);
    d->first = below(d, d->g.groups);
    d->span = spans[below(d, 4)];
    d->full = one_in(d, 2) ? 0 : below(d, 5);
    d->phase_end = d->cycle + 8 + below(d, 120);
}

/* ---- Numbers ---- */

static unsigned draw_group(struct cap_stimulus *d) {
    if (one_in(d, 16))
        return (unsigned)(rnd(d) & d->g.group_mask);
    return (d->first + below(d, d->span)) % d->g.groups;
}

/* One up to most: by the phase. */
static uint64_t draw_number(struct cap_stimulus *d, uint64_t most) {
    uint64_t any = rnd(d) & most;
    switch (d->numbers) {
    case NUMBERS_SHORT:
        return any >> below(d, bits_to_hold(most));
    case NUMBERS_EDGE:
        return (one_in(d, 2) ? below(d, 3) : most - below(d, 3)) & most;
    default:
        return any;
    }
}

static unsigned common_divisor(unsigned a, unsigned b) {
    return b ? common_divisor(b, a % b) : a;
}

/* A power of two, and a few of the denominator: avail can make them equal. */
static uint64_t draw_req(struct cap_stimulus *d) {
    if (d->numbers == NUMBERS_EXACT)
        return ((d->g.size_max >> 1) + 1) >> below(d, bits_to_hold(d->g.size_max));
    return draw_number(d, d->g.size_max);
}

static uint64_t draw_agg(struct cap_stimulus *d) {
    unsigned den = (unsigned)d->g.den / common_divisor((unsigned)d->g.den, (unsigned)d->g.num);
    if (d->numbers == NUMBERS_EXACT && den <= d->g.size_max)
        return den * (1 + rnd(d) % (one_in(d, 2) ? 3 : d->g.size_max / den));
    return draw_number(d, d->g.size_max);
}

/* Mostly where the answer of the group changes, or beside that. */
static uint64_t draw_avail(struct cap_stimulus *d, uint64_t group) {
    const struct cap_score *s = d->score;
    bool known = group < d->g.groups && s->known[group] && s->req[group] && s->agg_known;
    uint64_t at;
    if (!known || one_in(d, 4))
        return draw_number(d, d->g.avail_max);
    at = cap_least_avail(&d->g, s->req[group], s->agg, below(d, 6)) + below(d, 3) - 1;
    return at <= d->g.avail_max ? at : draw_number(d, d->g.avail_max);
}

/* ---- A cycle's inputs ---- */

static bool at_rate(struct cap_stimulus *d, enum cap_rate rate) {
    switch (rate) {
    case RATE_HALF:
        return one_in(d, 2);
    case RATE_BURSTS:
        if (!d->left) {
            d->on = !d->on;
            d->left = 1 + below(d, 10);
        }
        d->left--;
        return d->on;
    case RATE_TURNS:
        return d->cycle % 2;
    case RATE_RARE:
        return one_in(d, 8);
    default:
        return true;
    }
}

/* Every fourth one for two cycles. */
static bool resets(struct cap_stimulus *d) {
    bool reset = d->cycle == 0 || d->reset_again || one_in(d, 200);
    d->reset_again = reset && !d->reset_again && one_in(d, 4);
    return reset;
}

void cap_stimulus_drive(struct cap_stimulus *d, struct cap_in *in) {
    if (d->cycle >= d->phase_end)
        new_phase(d);
    *in = (struct cap_in){
        .set_valid = at_rate(d, d->sets),
        .set_group = draw_group(d),
        .set_req = draw_req(d),
        .agg_valid = at_rate(d, d->aggs),
        .agg = draw_agg(d),
        .ask_valid = at_rate(d, d->asks),
        .ask_group = draw_group(d),
        .ask_full = below(d, 4) < d->full,
    };
    in->ask_avail = draw_avail(d, in->ask_group);
    in->rst = resets(d);
    d->cycle++;
}

void cap_stimulus_init(struct cap_stimulus *d, const struct cap_geometry *g,
                       const struct cap_score *score, uint64_t seed) {
    *d = (struct cap_stimulus){.g = *g, .score = score, .rng = seed};
}
