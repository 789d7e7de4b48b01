// SPDX-License-Identifier: Apache-2.0
#include "cap/cap_stimulus.h"

#include "lib/random.h"

static uint64_t draw_bits(struct cap_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct cap_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct cap_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Phases ---- */

static void new_phase(struct cap_stimulus *d) {
    const unsigned spans[] = {1, 2, 4, d->g.groups};
    d->numbers = (enum cap_numbers)draw_below(d, CAP_N_NUMBERS);
    d->asks = one_in(d, 2) ? CAP_RATE_ALWAYS : (enum cap_rate)draw_below(d, CAP_N_RATES);
    d->sets = (enum cap_rate)draw_below(d, CAP_N_RATES);
    d->aggs = (enum cap_rate)draw_below(d, CAP_N_RATES);
    d->first = draw_below(d, d->g.groups);
    d->span = spans[draw_below(d, 4)];
    d->full = one_in(d, 2) ? 0 : draw_below(d, 5);
    d->phase_end = d->cycle + 8 + draw_below(d, 120);
}

/* ---- Numbers ---- */

static unsigned draw_group(struct cap_stimulus *d) {
    if (one_in(d, 16))
        return (unsigned)(draw_bits(d) & d->g.group_mask);
    return (d->first + draw_below(d, d->span)) % d->g.groups;
}

/* Draws a number of the phase's kind, up to `most`. */
static uint64_t draw_number(struct cap_stimulus *d, uint64_t most) {
    uint64_t any = draw_bits(d) & most;
    switch (d->numbers) {
    case CAP_NUMBERS_SHORT:
        return any >> draw_below(d, bits_to_hold(most));
    case CAP_NUMBERS_EDGE:
        return (one_in(d, 2) ? draw_below(d, one_in(d, 4) ? 8 : 3) : most - draw_below(d, 3)) &
               most;
    default:
        return any;
    }
}

static unsigned common_divisor(unsigned a, unsigned b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Draws a req, which is a power of two in CAP_NUMBERS_EXACT. draw_agg then draws a multiple of the
 * denominator, so that avail can make both sides equal. */
static uint64_t draw_req(struct cap_stimulus *d) {
    if (d->numbers == CAP_NUMBERS_EXACT)
        return ((d->g.size_max >> 1) + 1) >> draw_below(d, bits_to_hold(d->g.size_max));
    return draw_number(d, d->g.size_max);
}

static uint64_t draw_agg(struct cap_stimulus *d) {
    unsigned den = (unsigned)d->g.den / common_divisor((unsigned)d->g.den, (unsigned)d->g.num);
    if (d->numbers != CAP_NUMBERS_EXACT || den > d->g.size_max)
        return draw_number(d, d->g.size_max);
    const uint64_t any = draw_bits(d), most = one_in(d, 2) ? 3 : d->g.size_max / den;
    return den * (1 + any % most);
}

/* Draws a number of available pages, mostly at or next to one at which the group's answer changes.
 */
static uint64_t draw_avail(struct cap_stimulus *d, uint64_t group) {
    const struct cap_score *s = d->score;
    bool known = group < d->g.groups && s->known[group] && s->req[group] && s->agg_known;
    uint64_t avail;
    if (!known || one_in(d, 4))
        return draw_number(d, d->g.avail_max);
    const unsigned part = draw_below(d, 6);
    avail = cap_least_avail(&d->g, s->req[group], s->agg, part) + draw_below(d, 3) - 1;
    return avail <= d->g.avail_max ? avail : draw_number(d, d->g.avail_max);
}

/* ---- Inputs of a cycle ---- */

static bool at_rate(struct cap_stimulus *d, enum cap_rate rate) {
    switch (rate) {
    case CAP_RATE_HALF:
        return one_in(d, 2);
    case CAP_RATE_BURSTS:
        if (!d->left) {
            d->on = !d->on;
            d->left = 1 + draw_below(d, 10);
        }
        d->left--;
        return d->on;
    case CAP_RATE_TURNS:
        return d->cycle % 2;
    case CAP_RATE_RARE:
        return one_in(d, 8);
    default:
        return true;
    }
}

/* True if this is a reset cycle. About one reset in four lasts two cycles. */
static bool draw_reset(struct cap_stimulus *d) {
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
        .ask_full = draw_below(d, 4) < d->full,
    };
    in->ask_avail = draw_avail(d, in->ask_group);
    in->rst = draw_reset(d);
    d->cycle++;
}

void cap_stimulus_init(struct cap_stimulus *d, const struct cap_geometry *g,
                       const struct cap_score *score, uint64_t seed) {
    *d = (struct cap_stimulus){.g = *g, .score = score, .rng = seed};
}
