// SPDX-License-Identifier: Apache-2.0
#include "addr_hash/addr_hash_stimulus.h"

#include "lib/random.h"

static uint64_t draw_bits(struct addr_hash_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct addr_hash_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct addr_hash_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Phases ---- */

/* Starts a phase. The possible strides take turns, and need accesses in consecutive cycles. */
static void new_phase(struct addr_hash_stimulus *d) {
    d->lines = (enum addr_hash_lines)draw_below(d, ADDR_HASH_N_LINES);
    d->rate = one_in(d, 2) ? ADDR_HASH_RATE_ALWAYS
                           : (enum addr_hash_rate)draw_below(d, ADDR_HASH_N_RATES);
    d->base = d->line = draw_bits(d);
    if (d->lines == ADDR_HASH_LINES_STRIDE) {
        d->rate = ADDR_HASH_RATE_ALWAYS;
        d->stride = (d->stride + 1) % d->g.addr_w;
    }
    d->phase_end = d->cycle + 8 + draw_below(d, 56);
}

/* ---- Lines ---- */

/* Draws a line at or next to a multiple of the divisor for sets or for partitions. */
static uint64_t near_multiple(struct addr_hash_stimulus *d) {
    const struct addr_hash_geometry *g = &d->g;
    uint64_t lines = UINT64_C(1) << g->interleave;
    uint64_t off = draw_below(d, 3), any = draw_bits(d) & g->line_mask;
    if (g->set_prime && (!g->part_prime || one_in(d, 2)))
        return any / g->set_prime * g->set_prime + off - 1;
    uint64_t m = g->part_prime ? g->part_prime : g->partitions;
    return (any / lines / m * m + off - 1) * lines + any % lines;
}

/* Draws a line in the set of `base`. If there are thousands of sets, the limited number of trials
 * may not find such a line. The function then returns another line. */
static uint64_t same_set(struct addr_hash_stimulus *d) {
    const uint64_t set = addr_hash_place_of(&d->g, d->base & d->g.line_mask).set;
    uint64_t line = draw_bits(d);
    for (unsigned i = 0; i < 64 && addr_hash_place_of(&d->g, line & d->g.line_mask).set != set; i++)
        line = draw_bits(d);
    return line;
}

static uint64_t draw_line(struct addr_hash_stimulus *d) {
    uint64_t bit = UINT64_C(1) << draw_below(d, d->g.addr_w);
    switch (d->lines) {
    case ADDR_HASH_LINES_STRIDE:
        d->line += UINT64_C(1) << d->stride;
        return d->line;
    case ADDR_HASH_LINES_LOW:
        return draw_bits(d) / d->g.sets * d->g.sets + d->base % d->g.sets;
    case ADDR_HASH_LINES_HOT:
        return same_set(d);
    case ADDR_HASH_LINES_SPARSE:
        return draw_bits(d) & draw_bits(d) & (one_in(d, 2) ? draw_bits(d) : UINT64_MAX);
    case ADDR_HASH_LINES_DENSE:
        return draw_bits(d) | draw_bits(d) | (one_in(d, 2) ? draw_bits(d) : 0);
    case ADDR_HASH_LINES_BIT:
        return one_in(d, 2) ? bit : ~bit;
    case ADDR_HASH_LINES_EDGE:
        return (one_in(d, 2) ? 0 : UINT64_MAX) +
               (one_in(d, 2) ? 0 : draw_below(d, 4) - UINT64_C(2));
    case ADDR_HASH_LINES_PRIME:
        return near_multiple(d);
    case ADDR_HASH_LINES_FEW:
        return d->base + draw_below(d, 2);
    default:
        return draw_bits(d);
    }
}

/* ---- Inputs of a cycle ---- */

static bool draw_access(struct addr_hash_stimulus *d) {
    switch (d->rate) {
    case ADDR_HASH_RATE_HALF:
        return one_in(d, 2);
    case ADDR_HASH_RATE_BURSTS:
        if (!d->left) {
            d->on = !d->on;
            d->left = 1 + draw_below(d, 6);
        }
        d->left--;
        return d->on;
    case ADDR_HASH_RATE_TURNS:
        return d->cycle % 2;
    case ADDR_HASH_RATE_RARE:
        return one_in(d, 8);
    default:
        return true;
    }
}

/* True if this is a reset cycle. About one reset in four lasts two cycles. */
static bool draw_reset(struct addr_hash_stimulus *d) {
    bool reset = d->cycle == 0 || d->reset_again || one_in(d, 64);
    d->reset_again = reset && !d->reset_again && one_in(d, 4);
    return reset;
}

void addr_hash_stimulus_drive(struct addr_hash_stimulus *d, struct addr_hash_in *in) {
    *in = (struct addr_hash_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    in->acc_valid = draw_access(d);
    if (in->acc_valid || one_in(d, 2))
        in->acc_line = draw_line(d) & d->g.line_mask;
    in->rst = draw_reset(d);
    d->cycle++;
}

void addr_hash_stimulus_init(struct addr_hash_stimulus *d, const struct addr_hash_geometry *g,
                             uint64_t seed) {
    *d = (struct addr_hash_stimulus){.g = *g, .rng = seed};
}
