// SPDX-License-Identifier: Apache-2.0
#include "hir/hir_stimulus.h"

#include "lib/hash.h"
#include "lib/random.h"

static uint64_t draw_bits(struct hir_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct hir_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct hir_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Phases ---- */

bool hir_stimulus_fills(const struct hir_geometry *g, uint64_t cycles) {
    return g->tags >= g->ways && cycles >= 8 * (uint64_t)g->entries + 2000;
}

static uint64_t lose_cycles(const struct hir_geometry *g) {
    return g->lost_max + 4 * g->ways + 64;
}

bool hir_stimulus_loses(const struct hir_geometry *g, uint64_t cycles) {
    return g->tags > g->ways && cycles >= g->lost_max + 8000;
}

static void draw_hits(struct hir_stimulus *d) {
    const unsigned ways = d->g.ways;
    const unsigned spans[] = {1, 2, ways - 1, ways, ways + 1, 2 * ways};
    d->numbers = (enum hir_numbers)draw_below(d, HIR_N_NUMBERS);
    d->pages = (enum hir_pages)draw_below(d, HIR_N_PAGES);
    d->hits = one_in(d, 2) ? HIR_RATE_ALWAYS : (enum hir_rate)draw_below(d, HIR_RATE_NEVER);
    d->base = draw_bits(d);
    d->number = draw_bits(d);
    d->row = draw_below(d, d->g.sets);
    d->other_row = one_in(d, 2) ? d->row + 1 : d->row ^ d->g.sets / 2;
    d->page = draw_below(d, d->g.pages);
    d->span = spans[draw_below(d, sizeof spans / sizeof spans[0])];
    d->span += d->span == 0;
    d->bit = d->g.tag_bits - 1 - (one_in(d, 2) ? 0 : draw_below(d, d->g.tag_bits));
}

static void draw_sending(struct hir_stimulus *d) {
    d->flushes = one_in(d, 2) ? HIR_RATE_RARE : (enum hir_rate)draw_below(d, HIR_N_RATES);
    d->readies = (enum hir_rate)draw_below(d, HIR_RATE_NEVER);
    d->reset_waits = !one_in(d, 3);
    d->reset_in = (enum hir_state)draw_below(d, HIR_N_STATES);
    d->reset_lost = d->reset_in == HIR_STATE_HOLDS && one_in(d, 2);
    if (d->reset_waits && d->reset_lost) {
        d->numbers = HIR_NUMBERS_SET;
        d->span = 2 * d->g.ways;
    }
}

static void draw_script(struct hir_stimulus *d) {
    d->script_hits = draw_below(d, one_in(d, 4) ? 3 * d->g.ways : 4);
    if (one_in(d, 4))
        d->script_hits = (unsigned)d->g.count_max + draw_below(d, 2);
    d->script_rest = draw_below(d, 5);
}

/* Starts a scripted phase. Every second scripted phase touches only one page, to fill the page's
 * counter. */
static void script(struct hir_stimulus *d) {
    d->phase = HIR_PHASE_SCRIPT;
    if (one_in(d, 2)) {
        d->numbers = HIR_NUMBERS_ONE;
        d->pages = HIR_PAGES_ONE;
    }
    draw_script(d);
}

/* Starts a long phase, which drives only hits until it flushes. */
static void only_hits(struct hir_stimulus *d, enum hir_phase phase, uint64_t cycles) {
    d->phase = phase;
    d->hits = HIR_RATE_ALWAYS;
    d->pages = HIR_PAGES_ANY;
    d->flushes = HIR_RATE_NEVER;
    d->readies = one_in(d, 2) ? HIR_RATE_ALWAYS : HIR_RATE_TURNS;
    d->reset_waits = false;
    d->phase_end = d->cycle + cycles;
}

/* Starts a phase. The distance between long phases of the same kind is at least three times their
 * length. */
static void new_phase(struct hir_stimulus *d) {
    const struct hir_geometry *g = &d->g;
    uint64_t fill = 4 * (uint64_t)g->entries + 64, lose = lose_cycles(g);
    draw_hits(d);
    draw_sending(d);
    bool lose_due = d->cycle >= d->next_lose && hir_stimulus_loses(g, d->total);
    d->phase = HIR_PHASE_RANDOM;
    d->phase_end = d->cycle + 16 + draw_below(d, one_in(d, 4) ? 1024 : 256);
    if (d->phases % 3 == 1)
        script(d);
    if (d->phases % 8 == 5 && d->cycle >= d->next_fill && hir_stimulus_fills(g, d->total)) {
        only_hits(d, HIR_PHASE_FILL, fill);
        d->next_fill = d->cycle + 4 * fill;
    } else if (lose_due && (d->phases % 8 == 2 || lose > d->total / 4)) {
        only_hits(d, HIR_PHASE_LOSE, lose);
        d->next_lose = d->cycle + 4 * lose;
    }
    d->phases++;
}

/* True if a long phase has reached its goal and flushes now. The phase then lasts until the
 * entries can be sent. */
static bool ends_long(struct hir_stimulus *d) {
    const struct hir_score *s = d->score;
    bool fills = d->phase == HIR_PHASE_FILL && s->n == d->g.entries;
    bool loses = d->phase == HIR_PHASE_LOSE && s->lost == d->g.lost_max && one_in(d, 4);
    if (!fills && !loses)
        return false;
    d->phase = HIR_PHASE_RANDOM;
    d->phase_end = d->cycle + 2 * s->n + 16;
    return true;
}

/* ---- Hits ---- */

static uint64_t number_in(const struct hir_geometry *g, uint64_t tag, unsigned row) {
    return (tag << g->set_bits | row % g->sets) & g->number_mask;
}

static bool is_held(const struct hir_score *s, uint64_t number) {
    unsigned row = (unsigned)(number % s->g.sets);
    bool held = false;
    for (unsigned way = 0; way < s->in_set[row]; way++)
        held = held || s->items[s->way_item[row][way]].number == number;
    return held;
}

/* Returns the page set of HIR_NUMBERS_STREAM. Continues with the next page set if `wraps`. */
static uint64_t next_number(struct hir_stimulus *d, bool wraps) {
    d->number += wraps || (d->pages > HIR_PAGES_STRIDE && one_in(d, 4));
    return d->number;
}

static uint64_t draw_number(struct hir_stimulus *d, bool wraps) {
    const struct hir_geometry *g = &d->g;
    unsigned i = draw_below(d, d->span);
    uint64_t number = number_in(g, d->base, d->row);
    switch (d->numbers) {
    case HIR_NUMBERS_ONE:
        return number;
    case HIR_NUMBERS_SET:
        return number_in(g, d->base + i, d->row);
    case HIR_NUMBERS_NEAR:
        return i ? number ^ UINT64_C(1) << (g->set_bits + (d->bit + i - 1) % g->tag_bits) : number;
    case HIR_NUMBERS_SETS:
        return number_in(g, d->base + i, one_in(d, 2) ? d->row : d->other_row);
    case HIR_NUMBERS_FEW:
        return (d->base + i) * HASH_FACTOR >> 16;
    case HIR_NUMBERS_STREAM:
        return next_number(d, wraps);
    default:
        return draw_bits(d);
    }
}

/* Draws a page set in the full set that has no entry. There is one, since there are more page sets
 * than ways (hir_stimulus_loses). */
static uint64_t draw_lost(struct hir_stimulus *d) {
    uint64_t number = number_in(&d->g, draw_bits(d), d->row);
    while (is_held(d->score, number))
        number = (number + d->g.sets) & d->g.number_mask;
    return number;
}

static void drive_touch(struct hir_stimulus *d, struct hir_in *in) {
    const struct hir_geometry *g = &d->g;
    unsigned step = d->pages == HIR_PAGES_STREAM ? 1 : d->pages == HIR_PAGES_STRIDE ? 4 : 0;
    bool wraps = step && d->page + step >= g->pages;
    in->hit_page = d->page;
    if (d->pages == HIR_PAGES_EDGE)
        in->hit_page = one_in(d, 2) ? 0 : g->pages - 1;
    else if (d->pages == HIR_PAGES_ANY)
        in->hit_page = draw_below(d, g->pages);
    if (d->phase == HIR_PHASE_FILL)
        in->hit_set = d->number++;
    else if (d->phase == HIR_PHASE_LOSE)
        in->hit_set = draw_lost(d);
    else
        in->hit_set = draw_number(d, wraps);
    in->hit_set &= g->number_mask;
    d->page = (d->page + step) % g->pages;
}

/* ---- Inputs of a cycle ---- */

static bool at_rate(struct hir_stimulus *d, enum hir_rate rate, bool *on, unsigned *left) {
    switch (rate) {
    case HIR_RATE_ALWAYS:
        return true;
    case HIR_RATE_HALF:
        return one_in(d, 2);
    case HIR_RATE_BURSTS:
        if (!*left) {
            *on = !*on;
            *left = 1 + draw_below(d, 12);
        }
        --*left;
        return *on;
    case HIR_RATE_TURNS:
        return d->cycle % 2;
    case HIR_RATE_RARE:
        return one_in(d, 16);
    default:
        return false;
    }
}

/* Drives arbitrary hits and flushes while the block is busy, in which case they must have no
 * effect. */
static void drive_busy(struct hir_stimulus *d, struct hir_in *in) {
    in->hit_valid = at_rate(d, d->hits, &d->hit_on, &d->hit_left);
    in->flush = one_in(d, 4) || d->flushes == HIR_RATE_ALWAYS;
}

static void drive_script(struct hir_stimulus *d, struct hir_in *in) {
    if (d->script_hits) {
        in->hit_valid = 1;
        in->flush = !--d->script_hits && !d->script_rest;
    } else {
        in->flush = !d->script_rest;
        d->script_rest -= d->script_rest > 0;
    }
    if (in->flush)
        draw_script(d);
}

static void drive_flush(struct hir_stimulus *d, struct hir_in *in) {
    bool on = false;
    unsigned left = 0;
    in->flush = ends_long(d);
    if (d->flushes == HIR_RATE_BURSTS)
        in->flush |= one_in(d, 128);
    else if (d->flushes != HIR_RATE_HALF || d->hits != HIR_RATE_ALWAYS)
        in->flush |= at_rate(d, d->flushes, &on, &left);
}

static bool reset_due(struct hir_stimulus *d, bool out_ready) {
    if (!d->reset_waits || hir_score_state(d->score, out_ready) != d->reset_in)
        return false;
    return one_in(d, 2) && !(d->reset_lost && !d->score->lost);
}

/* Drives reset in the state for which the phase waits. Half of the resets last two cycles. */
static void drive_reset(struct hir_stimulus *d, struct hir_in *in) {
    in->rst = d->cycle == 0 || d->reset_again;
    d->reset_again = false;
    if (in->rst || !reset_due(d, in->out_ready))
        return;
    in->rst = 1;
    d->reset_waits = one_in(d, 2);
    d->reset_in = (enum hir_state)draw_below(d, HIR_N_STATES);
    d->reset_lost = false;
    d->reset_again = one_in(d, 2);
}

void hir_stimulus_drive(struct hir_stimulus *d, struct hir_in *in) {
    *in = (struct hir_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    in->out_ready = at_rate(d, d->readies, &d->ready_on, &d->ready_left);
    if (hir_score_busy(d->score)) {
        drive_busy(d, in);
    } else if (d->reset_waits && d->reset_in == HIR_STATE_NONE && !d->score->n &&
               !d->score->was_hit) {
        in->flush = 1;
    } else if (d->phase == HIR_PHASE_SCRIPT) {
        drive_script(d, in);
    } else {
        in->hit_valid = at_rate(d, d->hits, &d->hit_on, &d->hit_left);
        drive_flush(d, in);
    }
    if (in->hit_valid || one_in(d, 2))
        drive_touch(d, in);
    drive_reset(d, in);
    d->cycle++;
}

void hir_stimulus_init(struct hir_stimulus *d, const struct hir_geometry *g,
                       const struct hir_score *score, uint64_t seed, uint64_t total) {
    *d = (struct hir_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
    /* A phase that takes a large part of the run starts late, so that shorter phases find other
     * faults first. */
    const uint64_t late = total / 2 - total / 32, need = lose_cycles(g) + 2000;
    if (g->lost_max > total / 16)
        d->next_lose = late + need <= total ? late : total > need ? total - need : 0;
}
