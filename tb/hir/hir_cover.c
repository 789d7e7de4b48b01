// SPDX-License-Identifier: Apache-2.0
#include "hir/hir_cover.h"

#include <stdio.h>

#include "hir/hir_stimulus.h"
#include "lib/bits.h"

void hir_cover_init(struct hir_cover *c, const struct hir_geometry *g) {
    c->g = *g;
    c->reset = true;
}

static void count_event(struct hir_cover *c, enum hir_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Recording ---- */

static void cover_new(struct hir_cover *c, const struct hir_score *s, const struct hir_look *look) {
    uint64_t *was = &c->was[look->row][look->way];
    bool stale = *was == s->number + 1;
    count_event(c, EV_NEW_FIRST, look->way == 0);
    count_event(c, EV_NEW_LAST, look->way + 1 == c->g.ways);
    count_event(c, EV_NEW_ALL, s->n + 1 == c->g.entries);
    count_event(c, EV_STALE_SENT, stale && !c->by_reset);
    count_event(c, EV_STALE_RESET, stale && c->by_reset);
    *was = s->number + 1;
    c->made[look->way]++;
}

static void cover_found(struct hir_cover *c, const struct hir_score *s,
                        const struct hir_look *look) {
    const unsigned *touches = s->items[look->item].touches;
    unsigned n = touches[s->page];
    bool full = n == c->g.count_max;
    count_event(c, EV_COUNT_FIRST, n == 0);
    count_event(c, EV_COUNT_FILLS, n + 1 == c->g.count_max);
    count_event(c, EV_COUNT_FULL, full);
    count_event(c, EV_COUNT_FULL_BESIDE,
                full && s->page + 1 < c->g.pages && touches[s->page + 1] < c->g.count_max);
    count_event(c, EV_FOUND_FULL, s->in_set[look->row] == c->g.ways);
    c->found[look->way]++;
}

/* Returns the kind of pair that two touches in a set form, or N_PAIRS. */
static enum hir_pair pair_of(const struct hir_touch *one, const struct hir_touch *other) {
    bool new_one = !one->look.found && !one->look.loses, same_page = one->page == other->page;
    if (other->look.loses)
        return one->look.loses ? PAIR_LOSES_LOSES : new_one ? PAIR_NEW_LOSES : N_PAIRS;
    if (one->look.loses)
        return PAIR_LOSES_FOUND;
    if (!other->look.found)
        return new_one ? PAIR_NEW_NEW : N_PAIRS;
    if (one->look.way != other->look.way)
        return new_one ? N_PAIRS : PAIR_ENTRY_ENTRY;
    if (new_one)
        return same_page ? PAIR_NEW_SAME : PAIR_NEW_OTHER;
    return same_page ? PAIR_FOUND_SAME : PAIR_FOUND_OTHER;
}

static void cover_pairs(struct hir_cover *c, const struct hir_touch *now) {
    for (unsigned d = 0; now->look.any && d < HIR_DISTANCES; d++) {
        const struct hir_touch *before = &c->touches[d];
        if (!before->look.any || before->look.row != now->look.row)
            continue;
        enum hir_pair pair = pair_of(before, now);
        if (pair < N_PAIRS)
            c->pairs[pair][d]++;
    }
    for (unsigned d = HIR_DISTANCES - 1; d > 0; d--)
        c->touches[d] = c->touches[d - 1];
    c->touches[0] = *now;
}

static void cover_look(struct hir_cover *c, const struct hir_score *s,
                       const struct hir_look *look) {
    cover_pairs(c, &(struct hir_touch){.look = *look, .page = s->page});
    if (!look->any)
        return;
    count_event(c, EV_LOSE_FIRST, look->loses && s->lost == 0);
    count_event(c, EV_LOSE_FULL, look->loses && s->lost == c->g.lost_max);
    c->pages[s->page]++;
    if (look->found)
        cover_found(c, s, look);
    else if (!look->loses)
        cover_new(c, s, look);
}

/* ---- Sending ---- */

static void cover_begin(struct hir_cover *c, const struct hir_score *s,
                        const struct hir_look *look) {
    bool makes = look->any && !look->found && !look->loses;
    bool only = look->found && s->n == 1;
    count_event(c, EV_BEGIN_NEW, makes);
    count_event(c, EV_BEGIN_ONLY, makes && s->n == 0);
    count_event(c, EV_BEGIN_FOUND, look->found);
    count_event(c, EV_BEGIN_FILLS, only && s->items[0].touches[s->page] + 1 == c->g.count_max);
    count_event(c, EV_BEGIN_LOSES, look->loses);
}

static void cover_flush(struct hir_cover *c, const struct hir_in *in) {
    if (in->flush && !in->hit_valid && c->since_hit >= 1 && c->since_hit <= 4)
        c->events[EV_FLUSH_1 + c->since_hit - 1]++;
    count_event(c, EV_END_HIT, in->hit_valid && c->before == HIR_STATE_LAST_LEAVES);
    count_event(c, EV_END_FLUSH, in->flush && c->before == HIR_STATE_LAST_LEAVES);
    count_event(c, EV_NONE_HIT, in->hit_valid && c->before == HIR_STATE_NONE);
    count_event(c, EV_NONE_FLUSH, in->flush && c->before == HIR_STATE_NONE);
    count_event(c, EV_RESET_FLUSH, in->flush && c->reset);
}

static void cover_item(struct hir_cover *c, const struct hir_item *item) {
    bool all = true, again = false;
    for (unsigned i = 0; i < c->g.pages; i++) {
        all = all && item->touches[i];
        again = again || item->touches[i] > 1;
    }
    count_event(c, EV_LEAVES_AGAIN, again);
    count_event(c, EV_LEAVES_TOUCHED, all);
}

static void cover_last(struct hir_cover *c, const struct hir_score *s) {
    count_event(c, EV_SENT_1, s->n == 1);
    count_event(c, EV_SENT_2, s->n == 2);
    count_event(c, EV_SENT_3, s->n == 3);
    count_event(c, EV_SENT_MANY, s->n > 3);
    count_event(c, EV_SENT_ALL, s->n == c->g.entries);
    count_event(c, EV_SENT_LOST, s->lost);
}

static void cover_shown(struct hir_cover *c, const struct hir_score *s,
                        const struct hir_look *look) {
    bool leaves = look->state == HIR_STATE_LEAVES || look->state == HIR_STATE_LAST_LEAVES;
    if (look->state < HIR_STATE_STANDS) {
        c->shown = c->stands = 0;
        return;
    }
    c->pattern = (c->pattern << 1 | leaves) % HIR_READY_PATTERNS;
    if (++c->shown >= HIR_READY_CYCLES)
        c->ready[c->pattern]++;
    c->stands = leaves ? 0 : c->stands + 1;
    count_event(c, EV_STANDS_LONG, c->stands == 8);
    if (leaves)
        cover_item(c, &s->items[s->sent]);
    if (look->state == HIR_STATE_LAST_LEAVES)
        cover_last(c, s);
}

/* ---- A cycle ---- */

static enum hir_meets meets(const struct hir_in *in) {
    if (in->rst)
        return HIR_MEETS_RESET;
    if (in->hit_valid)
        return in->flush ? HIR_MEETS_BOTH : HIR_MEETS_HIT;
    return in->flush ? HIR_MEETS_FLUSH : HIR_MEETS_NOTHING;
}

static void cover_reset(struct hir_cover *c, const struct hir_score *s,
                        const struct hir_look *look) {
    count_event(c, EV_RESET_LOOK, look->any);
    count_event(c, EV_RESET_LOST, s->lost);
    count_event(c, EV_RESET_TWICE, c->reset);
    for (unsigned d = 0; d < HIR_DISTANCES; d++)
        c->touches[d].look.any = false;
    c->since_hit = c->shown = c->stands = 0;
    c->before = HIR_STATE_EMPTY;
    c->by_reset = true;
}

void hir_cover_cycle(struct hir_cover *c, const struct hir_score *s, const struct hir_in *in,
                     const struct hir_look *look) {
    c->meets[look->state][meets(in)]++;
    if (in->rst) {
        cover_reset(c, s, look);
    } else {
        cover_look(c, s, look);
        if (look->state == HIR_STATE_BEGIN)
            cover_begin(c, s, look);
        if (!hir_score_busy(s))
            cover_flush(c, in);
        cover_shown(c, s, look);
        c->by_reset = c->by_reset && look->state != HIR_STATE_LAST_LEAVES;
        c->since_hit = !hir_score_busy(s) && in->hit_valid ? 1 : c->since_hit + (c->since_hit > 0);
        c->before = look->state;
    }
    c->reset = in->rst;
}

/* ---- Points that are possible at the parameters ---- */

/* Returns the number of ways in a set that page sets can fill. */
static unsigned fillable(const struct hir_geometry *g) {
    return g->tags < g->ways ? (unsigned)g->tags : g->ways;
}

static bool event_possible(const struct hir_geometry *g, uint64_t cycles, enum hir_event e) {
    unsigned most = g->sets * fillable(g);
    switch (e) {
    case EV_NEW_LAST:
    case EV_FOUND_FULL:
        return fillable(g) == g->ways;
    case EV_NEW_ALL:
    case EV_SENT_ALL:
        return hir_stimulus_fills(g, cycles / 2);
    case EV_LEAVES_AGAIN:
        return g->count_max > 1;
    case EV_LOSE_FIRST:
    case EV_BEGIN_LOSES:
    case EV_SENT_LOST:
        return g->tags > g->ways;
    case EV_RESET_LOST: /* not while a large table is filled */
        return g->tags > g->ways && cycles >= 16 * (uint64_t)g->entries;
    case EV_LOSE_FULL:
        return hir_stimulus_loses(g, cycles / 2);
    case EV_SENT_2:
        return most >= 2;
    case EV_SENT_3:
        return most >= 3;
    case EV_SENT_MANY:
        return most > 3;
    default:
        return true;
    }
}

static bool state_possible(const struct hir_geometry *g, enum hir_state state) {
    return (state != HIR_STATE_STANDS && state != HIR_STATE_LEAVES) || g->sets * fillable(g) > 1;
}

static bool pair_possible(const struct hir_geometry *g, enum hir_pair pair) {
    switch (pair) {
    case PAIR_NEW_NEW:
    case PAIR_ENTRY_ENTRY:
        return fillable(g) > 1;
    case PAIR_NEW_LOSES:
    case PAIR_LOSES_LOSES:
    case PAIR_LOSES_FOUND:
        return g->tags > g->ways;
    default:
        return true;
    }
}

/* ---- The points ---- */

static void add_point(struct hir_cover *c, size_t *n, const char *name, uint64_t hits,
                      bool possible) {
    c->points[(*n)++] = (struct cover_point){name, hits, possible};
}

static size_t add_events(struct hir_cover *c, size_t n, uint64_t cycles) {
    static const char *const events[] = {
#define X(id, text) text,
        HIR_EVENTS(X)
#undef X
    };
    for (unsigned e = 0; e < N_EVENTS; e++)
        add_point(c, &n, events[e], c->events[e], event_possible(&c->g, cycles, (enum hir_event)e));
    return n;
}

#define NAME(...) (snprintf(*name, sizeof *name, __VA_ARGS__), *name++)

typedef char cover_name[80];

static size_t add_states(struct hir_cover *c, size_t n, cover_name **names) {
    static const char *const states[] = {
        "empty",           "holds entries", "starts",      "has no entry", "reads the order",
        "reads the entry", "entry waits",   "entry taken", "last waits",   "last taken"};
    static const char *const met[] = {"no input", "hit", "flush", "hit and flush", "reset"};
    cover_name *name = *names;
    for (unsigned s = 0; s < HIR_N_STATES; s++)
        for (unsigned m = 0; m < HIR_N_MEETS; m++)
            add_point(c, &n, NAME("%s: %s", states[s], met[m]), c->meets[s][m],
                      state_possible(&c->g, (enum hir_state)s));
    *names = name;
    return n;
}

static size_t add_pairs(struct hir_cover *c, size_t n, cover_name **names) {
    static const char *const pairs[] = {
#define X(id, text) text,
        HIR_PAIRS(X)
#undef X
    };
    cover_name *name = *names;
    for (unsigned p = 0; p < N_PAIRS; p++)
        for (unsigned d = 0; d < HIR_DISTANCES; d++)
            add_point(c, &n, NAME("%s: %u cycles apart", pairs[p], d + 1), c->pairs[p][d],
                      pair_possible(&c->g, (enum hir_pair)p));
    *names = name;
    return n;
}

static size_t add_places(struct hir_cover *c, size_t n, cover_name *name) {
    for (unsigned i = 0; i < HIR_READY_PATTERNS; i++)
        add_point(
            c, &n,
            NAME("out_ready in four cycles: %u%u%u%u", i >> 3 & 1, i >> 2 & 1, i >> 1 & 1, i & 1),
            c->ready[i], bits_count(i) + !(i & 1) <= c->g.sets * fillable(&c->g));
    for (unsigned w = 0; w < c->g.ways; w++) {
        add_point(c, &n, NAME("new in way %u", w), c->made[w], w < fillable(&c->g));
        add_point(c, &n, NAME("found in way %u", w), c->found[w], w < fillable(&c->g));
    }
    for (unsigned i = 0; i < c->g.pages; i++)
        add_point(c, &n, NAME("touch of page %u", i), c->pages[i], true);
    return n;
}

size_t hir_cover_points(struct hir_cover *c, uint64_t cycles, const struct cover_point **points) {
    cover_name *name = c->names;
    size_t n = add_events(c, 0, cycles);
    n = add_states(c, n, &name);
    n = add_pairs(c, n, &name);
    n = add_places(c, n, name);
    *points = c->points;
    return n;
}
