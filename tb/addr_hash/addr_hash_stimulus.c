// SPDX-License-Identifier: Apache-2.0
#include "addr_hash/addr_hash_stimulus.h"

#include "lib/random.h"

static uint64_t rnd(struct addr_hash_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned below(struct addr_hash_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct addr_hash_stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

/* ---- Phases ---- */

/* Strides take turns, and need accesses in consecutive cycles. */
static void new_phase(struct addr_hash_stimulus *d) {
    d->lines = (enum addr_hash_lines)below(d, N_LINES);
    d->rate = one_in(d, 2) ? RATE_ALWAYS : (enum addr_hash_rate)below(d, N_RATES);
    d->base = d->line = rnd(d);
    if (d->lines == LINES_STRIDE) {
        d->rate = RATE_ALWAYS;
        d->stride = (d->stride + 1) % d->g.addr_w;
    }
    d->phase_end = d->cycle + 8 + below(d, 56);
}

/* ---- Lines ---- */

/* One beside a multiple of the divisor of the sets or of the partitions, or at it. */
static uint64_t near_multiple(struct addr_hash_stimulus *d) {
    const struct addr_hash_geometry *g = &d->g;
    uint64_t lines = UINT64_C(1) << g->interleave;
    uint64_t off = below(d, 3), any = rnd(d) & g->line_mask;
    if (g->set_prime && (!g->part_prime || one_in(d, 2)))
        return any / g->set_prime * g->set_prime + off - 1;
    uint64_t m = g->part_prime ? g->part_prime : g->partitions;
    return (any / lines / m * m + off - 1) * lines + any % lines;
}

/* One of the set that `base` has, if that is found soon: a few thousand sets are too many. */
static uint64_t same_set(struct addr_hash_stimulus *d) {
    const uint64_t set = addr_hash_place_of(&d->g, d->base & d->g.line_mask).set;
    uint64_t line = rnd(d);
    for (unsigned i = 0; i < 64 && addr_hash_place_of(&d->g, line & d->g.line_mask).set != set; i++)
        line = rnd(d);
    return line;
}

static uint64_t draw_line(struct addr_hash_stimulus *d) {
    uint64_t bit = UINT64_C(1) << below(d, d->g.addr_w);
    switch (d->lines) {
    case LINES_STRIDE:
        d->line += UINT64_C(1) << d->stride;
        return d->line;
    case LINES_LOW:
        return rnd(d) / d->g.sets * d->g.sets + d->base % d->g.sets;
    case LINES_HOT:
        return same_set(d);
    case LINES_SPARSE:
        return rnd(d) & rnd(d) & (one_in(d, 2) ? rnd(d) : UINT64_MAX);
    case LINES_DENSE:
        return rnd(d) | rnd(d) | (one_in(d, 2) ? rnd(d) : 0);
    case LINES_BIT:
        return one_in(d, 2) ? bit : ~bit;
    case LINES_EDGE:
        return (one_in(d, 2) ? 0 : UINT64_MAX) + (one_in(d, 2) ? 0 : below(d, 4) - UINT64_C(2));
    case LINES_PRIME:
        return near_multiple(d);
    case LINES_FEW:
        return d->base + below(d, 2);
    default:
        return rnd(d);
    }
}

/* ---- A cycle's inputs ---- */

static bool accesses(struct addr_hash_stimulus *d) {
    switch (d->rate) {
    case RATE_HALF:
        return one_in(d, 2);
    case RATE_BURSTS:
        if (!d->left) {
            d->on = !d->on;
            d->left = 1 + below(d, 6);
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
static bool resets(struct addr_hash_stimulus *d) {
    bool reset = d->cycle == 0 || d->reset_again || one_in(d, 64);
    d->reset_again = reset && !d->reset_again && one_in(d, 4);
    return reset;
}

void addr_hash_stimulus_drive(struct addr_hash_stimulus *d, struct addr_hash_in *in) {
    *in = (struct addr_hash_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    in->acc_valid = accesses(d);
    if (in->acc_valid || one_in(d, 2))
        in->acc_line = draw_line(d) & d->g.line_mask;
    in->rst = resets(d);
    d->cycle++;
}

void addr_hash_stimulus_init(struct addr_hash_stimulus *d, const struct addr_hash_geometry *g,
                             uint64_t seed) {
    *d = (struct addr_hash_stimulus){.g = *g, .rng = seed};
}
