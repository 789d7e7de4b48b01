// SPDX-License-Identifier: Apache-2.0
#include "cap/cap_cover.h"

#include <stdio.h>

static void count_event(struct cap_cover *c, enum cap_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Cycles ---- */

static bool equal(const struct cap_geometry *g, const struct cap_question *q, unsigned k) {
    return g->den * q->avail * q->req == g->num * q->agg << (k + 4);
}

static void cover_numbers(struct cap_cover *c, const struct cap_question *q) {
    const struct cap_geometry *g = &c->g;
    bool all = q->avail == g->avail_max && q->req == g->size_max && q->agg == g->size_max;
    count_event(c, EV_EQUAL, q->fit && q->agg && equal(g, q, q->fit));
    count_event(c, EV_AVAIL_0, q->avail == 0);
    count_event(c, EV_AVAIL_MAX, q->avail == g->avail_max);
    count_event(c, EV_REQ_0, q->req == 0);
    count_event(c, EV_REQ_MAX, q->req == g->size_max);
    count_event(c, EV_AGG_0, q->agg == 0);
    count_event(c, EV_AGG_MAX, q->agg == g->size_max);
    count_event(c, EV_ALL_MAX, all);
}

/* Covers the page counts at which one page more or less changes the answer. */
static void cover_edges(struct cap_cover *c, const struct cap_question *q) {
    for (unsigned k = 1; q->req && k <= q->limit; k++) {
        uint64_t least = cap_least_avail(&c->g, q->req, q->agg, k);
        c->least[k] += q->fit == k && q->avail == least;
        c->most[k - 1] += q->fit == k - 1 && q->avail + 1 == least;
    }
}

static void cover_full(struct cap_cover *c, const struct cap_question *q) {
    const unsigned over = c->g.over;
    count_event(c, EV_FULL_LIMIT, q->limit < over);
    count_event(c, EV_FULL_OVER, over < q->fit && over < q->limit);
    count_event(c, EV_FULL_MORE, over > q->fit && q->limit > q->fit);
}

static void cover_known(struct cap_cover *c, const struct cap_question *q) {
    c->groups[q->group]++;
    cover_numbers(c, q);
    if (q->full) {
        cover_full(c, q);
        return;
    }
    c->sizes[q->limit][q->fit]++;
    cover_edges(c, q);
}

static void cover_unknown(struct cap_cover *c, const struct cap_score *s,
                          const struct cap_question *q) {
    if (q->group >= c->g.groups) {
        count_event(c, EV_BEYOND, true);
        return;
    }
    count_event(c, EV_UNSET, s->agg_known);
    count_event(c, EV_UNSET_AGG, s->known[q->group]);
    count_event(c, EV_FULL_UNSET, q->full && s->agg_known);
    count_event(c, EV_FORGOTTEN, s->agg_known && c->was_set[q->group]);
}

static void cover_question(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in,
                           const struct cap_question *q) {
    const struct cap_in *last = &c->before;
    const struct cap_question *other = &s->way[0];
    count_event(c, EV_SET_NOW, in->set_valid && in->set_group == q->group);
    count_event(c, EV_SET_BEFORE, last->set_valid && last->set_group == q->group && !last->rst);
    count_event(c, EV_AGG_NOW, in->agg_valid);
    count_event(c, EV_AGG_BEFORE, last->agg_valid && !last->rst);
    count_event(c, EV_GAP, !other->valid && s->way[1].valid);
    count_event(c, EV_LONG_BURST, c->running == 7);
    count_event(c, EV_OTHER_SIZE, other->valid && other->size != q->size);
    count_event(c, EV_AFTER_RESET, last->rst);
    if (q->known)
        cover_known(c, q);
    else
        cover_unknown(c, s, q);
    c->running++;
}

static void cover_set(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in) {
    const struct cap_question *other = &s->way[0];
    count_event(c, EV_AGG_AFTER, other->valid && in->agg_valid);
    if (!in->set_valid)
        return;
    count_event(c, EV_SET_BEYOND, in->set_group >= c->g.groups);
    count_event(c, EV_SET_AFTER, other->valid && other->group == in->set_group);
    if (in->set_group < c->g.groups)
        c->was_set[in->set_group] = true;
}

static void cover_reset(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in) {
    count_event(c, EV_RESET_FULL, s->way[0].valid && s->way[1].valid);
    count_event(c, EV_RESET_ASK, in->ask_valid);
    count_event(c, EV_RESET_SET, in->set_valid && in->agg_valid);
    count_event(c, EV_RESET_TWICE, c->before.rst);
}

void cap_cover_cycle(struct cap_cover *c, const struct cap_score *s, const struct cap_in *in) {
    const struct cap_question q = cap_score_question(s, in);
    count_event(c, EV_ALONE, s->way[0].valid && !s->way[1].valid && !q.valid);
    if (in->rst)
        cover_reset(c, s, in);
    else
        cover_set(c, s, in);
    if (q.valid)
        cover_question(c, s, in, &q);
    else
        c->running = 0;
    c->before = *in;
}

/* ---- Points that are possible at the parameters ---- */

/* True if a group with this limit can have this fit. The fewest pages are needed if agg is 1. */
static bool size_possible(const struct cap_geometry *g, unsigned limit, unsigned fit) {
    uint64_t req = limit < 4 ? bits_low(limit + 1) : g->size_max;
    return !fit || cap_least_avail(g, req, 1, fit) <= g->avail_max;
}

/* True if both sides of a comparison can be equal. Tries each power of two as req, with the least
 * agg that allows it. */
static bool equal_possible(const struct cap_geometry *g) {
    for (uint64_t agg = 1; agg <= g->size_max; agg++)
        for (uint64_t req = 1; req <= g->size_max; req *= 2) {
            uint64_t avail = cap_least_avail(g, req, agg, 1);
            if (g->den * avail * req == g->num * agg << 5)
                return avail <= g->avail_max;
        }
    return false;
}

static bool is_possible(const struct cap_cover *c, enum cap_event e) {
    const struct cap_geometry *g = &c->g;
    switch (e) {
    case EV_EQUAL:
        return equal_possible(g);
    case EV_BEYOND:
    case EV_SET_BEYOND:
        return g->groups <= g->group_mask;
    case EV_FULL_LIMIT:
    case EV_FULL_MORE:
        return g->over > 0;
    case EV_FULL_OVER:
        return g->over < 4 && size_possible(g, 4, g->over + 1);
    default:
        return true;
    }
}

void cap_cover_init(struct cap_cover *c, const struct cap_geometry *g) {
    c->g = *g;
}

/* ---- The points ---- */

static void add_point(struct cap_cover *c, size_t *n, const char *name, uint64_t hits,
                      bool possible) {
    c->points[(*n)++] = (struct cover_point){name, hits, possible};
}

#define NAME(to, ...) (snprintf((to), sizeof(to), __VA_ARGS__), (to))

static void add_sizes(struct cap_cover *c, size_t *n) {
    for (unsigned limit = 0; limit < CAP_SIZES; limit++)
        for (unsigned fit = 0; fit < CAP_SIZES; fit++)
            add_point(c, n, NAME(c->names.sizes[limit][fit], "limit %u, fit %u", limit, fit),
                      c->sizes[limit][fit], size_possible(&c->g, limit, fit));
}

static void add_edges(struct cap_cover *c, size_t *n) {
    for (unsigned k = 0; k < CAP_SIZES; k++) {
        add_point(c, n, NAME(c->names.edges[0][k], "least pages for fit %u", k), c->least[k],
                  k > 0 && size_possible(&c->g, 4, k));
        add_point(c, n, NAME(c->names.edges[1][k], "most pages for fit %u", k), c->most[k],
                  k < 4 && size_possible(&c->g, 4, k + 1));
    }
}

size_t cap_cover_points(struct cap_cover *c, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        CAP_EVENTS(X)
#undef X
    };
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        add_point(c, &n, events[e], c->events[e], is_possible(c, (enum cap_event)e));
    add_sizes(c, &n);
    add_edges(c, &n);
    for (unsigned i = 0; i < c->g.groups; i++)
        add_point(c, &n, NAME(c->names.groups[i], "group %u", i), c->groups[i], true);
    *points = c->points;
    return n;
}
