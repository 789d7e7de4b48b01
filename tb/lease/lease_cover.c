// SPDX-License-Identifier: Apache-2.0
#include "lease/lease_cover.h"

#include <stdio.h>
#include <string.h>

#include "lease/lease_stimulus.h"

static void count_event(struct lease_cover *c, enum lease_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Reset, and cycles outside a window ---- */

void lease_cover_before(struct lease_cover *c, const struct lease_score *s,
                        const struct lease_in *in) {
    const struct lease_step *step = lease_score_step(s);
    count_event(c, EV_OUTSIDE, !in->rst && in->acc_valid && s->cycle >= s->g.duty);
    if (!in->rst)
        return;
    count_event(c, EV_RESET_SAMPLE,
                !step && s->window[0].entry[0].count > s->window[SHOWS_COUNT - 1].entry[0].count);
    count_event(c, EV_RESET_ENTRIES, step && step->phase == LEASE_PHASE_ENTRIES);
    count_event(c, EV_RESET_GROUP, step && step->phase == LEASE_PHASE_GROUP);
    count_event(c, EV_RESET_SHOWN, step && step->update && step->cycle == s->cycle);
    count_event(c, EV_RESET_IDLE, step && step->phase == LEASE_PHASE_IDLE);
}

/* ---- Accesses ---- */

static void cover_hit(struct lease_cover *c, const struct lease_window *was, unsigned e,
                      const struct lease_access *a, uint32_t lanes) {
    c->entry_hits[e]++;
    count_event(c, EV_HIT_1, c->age[e] == 1);
    count_event(c, EV_HIT_2, c->age[e] == 2);
    count_event(c, EV_HIT_OLD, c->age[e] > 2);
    count_event(c, EV_HIT_TWO, lanes > 1);
    count_event(c, EV_HIT_GROUP, was->entry[e].group != a->group);
    count_event(c, EV_FULL_COUNT, was->entry[e].count == c->g.count_max);
    count_event(c, EV_FULL_OVER,
                was->entry[e].count < c->g.count_max &&
                    was->entry[e].count + lanes > c->g.count_max);
}

static void cover_no_room(struct lease_cover *c, const struct lease_score *was,
                          const struct lease_access *a) {
    const struct lease_group *g = &was->group[a->group];
    unsigned age = a->group < c->g.groups ? c->group_age[a->group] : 0;
    count_event(c, EV_BEYOND, a->group >= c->g.groups);
    if (a->group >= c->g.groups || g->entries < g->quota)
        return;
    count_event(c, EV_QUOTA_NONE, !g->quota && !g->entries);
    count_event(c, EV_QUOTA_LESS, g->entries > g->quota);
    if (!g->quota || g->entries != g->quota)
        return;
    count_event(c, EV_QUOTA_1, age == 1);
    count_event(c, EV_LAST_QUOTA, age == 1 && was->cycle == c->g.duty - 1);
    count_event(c, EV_QUOTA_ROW, age == 1 && c->group_row[a->group] > 1);
    count_event(c, EV_QUOTA_2, age == 2);
    count_event(c, EV_QUOTA_OLD, age > 2);
}

static void cover_chosen(struct lease_cover *c, const struct lease_score *was,
                         const struct lease_score *s) {
    const struct lease_access *first = &s->access[s->chosen];
    const struct lease_group *g = &s->group[first->group];
    unsigned used = was->window[0].used;
    count_event(c, EV_CHOSEN, true);
    count_event(c, EV_CHOSEN_IN_ROW, used && c->age[used - 1] == 1);
    count_event(c, EV_QUOTA_LAST, g->entries == g->quota && g->quota > 1);
    count_event(c, EV_LAST_CHOSEN, was->cycle == c->g.duty - 1);
    for (unsigned l = 0; l < c->g.lanes; l++) {
        const struct lease_access *a = &s->access[l];
        if (!a->valid || l == (unsigned)s->chosen)
            continue;
        count_event(c, EV_CHOSEN_HIGHER, l < (unsigned)s->chosen);
        count_event(c, EV_CHOSEN_JOINED, a->block == first->block);
        count_event(c, EV_CHOSEN_OTHER, a->block == first->block && !(s->able >> l & 1));
        count_event(c, EV_PASSED_LANE, a->block != first->block && (s->able >> l & 1));
    }
}

static void cover_missed(struct lease_cover *c, const struct lease_score *was,
                         const struct lease_score *s) {
    bool full = was->window[0].used == c->g.entries;
    count_event(c, EV_MISSED, full && s->able);
    count_event(c, EV_MISSED_1, full && s->able && c->age[c->g.entries - 1] == 1);
    count_event(c, EV_MISSED_MANY, full && bits_count(s->able) > 1);
}

static void cover_lane(struct lease_cover *c, const struct lease_score *was,
                       const struct lease_score *s, unsigned l) {
    const struct lease_access *a = &s->access[l];
    int e = lease_score_find(&was->window[0], a->block);
    uint32_t lanes = 0;
    if (!a->valid)
        return;
    count_event(c, EV_FIRST, was->cycle == 0);
    count_event(c, EV_LAST, was->cycle == c->g.duty - 1);
    for (unsigned i = 0; i < c->g.lanes; i++) {
        lanes += s->in_entry[i] == s->in_entry[l];
        count_event(c, EV_HIT_APART, s->in_entry[l] >= 0 && s->in_entry[i] > s->in_entry[l]);
    }
    if (e >= 0)
        cover_hit(c, &was->window[0], (unsigned)e, a, lanes);
    else
        cover_no_room(c, was, a);
}

static void cover_quota(struct lease_cover *c, const struct lease_score *s,
                        const struct lease_in *in) {
    if (!in->quota_valid)
        return;
    count_event(c, EV_SET_BEYOND, in->quota_group >= c->g.groups);
    if (in->quota_group >= c->g.groups)
        return;
    count_event(c, EV_SET_0, !in->quota && s->group[in->quota_group].entries);
    for (unsigned l = 0; l < c->g.lanes; l++)
        count_event(c, EV_SET, s->access[l].valid && s->access[l].group == in->quota_group);
}

static void grow_older(struct lease_cover *c, const struct lease_score *s) {
    for (unsigned e = 0; e < c->g.entries; e++)
        c->age[e]++;
    for (unsigned g = 0; g < c->g.groups; g++)
        c->group_age[g]++;
    if (s->chosen < 0)
        return;
    c->age[s->window[0].used - 1] = 1;
    const unsigned group = s->access[s->chosen].group;
    c->group_row[group] = c->group_age[group] == 2 ? c->group_row[group] + 1 : 1;
    c->group_age[group] = 1;
}

/* ---- Leases ---- */

static void cover_lease(struct lease_cover *c, const struct lease_group *was,
                        const struct lease_group *is, uint32_t mean) {
    int sample = (int)((mean + 8) >> 4), far = sample - (int)was->lease;
    count_event(c, EV_ROUND_DOWN, mean % 16 && mean % 16 < 8);
    count_event(c, EV_ROUND_UP, mean % 16 >= 8);
    count_event(c, EV_UPD_FIRST, !was->leased);
    count_event(c, EV_UPD_MOST, is->lease == c->g.lease_max && sample > (int)c->g.lease_max);
    count_event(c, EV_UPD_LEAST, is->lease == 1 && sample < 1);
    if (!was->leased)
        return;
    count_event(c, EV_UPD_UP, is->lease > was->lease);
    count_event(c, EV_UPD_DOWN, is->lease < was->lease);
    count_event(c, EV_UPD_SAME, is->lease == was->lease);
    count_event(c, EV_UPD_ODD, far < 0 && (-far & (int)bits_low(c->g.weight)));
}

static void cover_group(struct lease_cover *c, const struct lease_score *was,
                        const struct lease_score *s, unsigned g) {
    const struct lease_window *w = &s->window[0];
    uint32_t sum = 0, n = s->group[g].entries;
    for (unsigned e = 0; e < w->used; e++) {
        if (w->entry[e].group != g)
            continue;
        sum += lease_score_f(&w->entry[e]);
        count_event(c, EV_REST, 16 * w->entry[e].count % bits_count(w->entry[e].pages));
        count_event(c, EV_FULL_PAGES, w->entry[e].pages == bits_low(c->g.pages));
    }
    count_event(c, EV_MEAN_REST, sum % n);
    count_event(c, EV_GROUP_LAST, g == c->g.groups - 1);
    cover_lease(c, &was->group[g], &s->group[g], sum / n);
}

static void cover_window(struct lease_cover *c, const struct lease_score *was,
                         const struct lease_score *s) {
    unsigned groups = 0;
    for (unsigned g = 0; g < c->g.groups; g++) {
        if (!s->group[g].entries)
            continue;
        groups++;
        cover_group(c, was, s, g);
    }
    count_event(c, EV_EMPTY, !groups);
    count_event(c, EV_GROUPS_2, groups > 1);
    count_event(c, EV_ALL_USED, s->window[0].used == c->g.entries);
}

void lease_cover_after(struct lease_cover *c, const struct lease_score *was,
                       const struct lease_score *s, const struct lease_in *in) {
    if (in->rst)
        return;
    if (was->cycle < c->g.duty) {
        for (unsigned l = 0; l < c->g.lanes; l++)
            cover_lane(c, was, s, l);
        if (s->chosen >= 0)
            cover_chosen(c, was, s);
        cover_missed(c, was, s);
        cover_quota(c, was, in);
        grow_older(c, s);
    }
    if (s->cycle == c->g.duty)
        cover_window(c, was, s);
}

/* ---- Points that are possible at the parameters ---- */

static bool needs_lanes(const struct lease_cover *c, enum lease_event e) {
    const struct lease_geometry *g = &c->g;
    switch (e) {
    case EV_CHOSEN_OTHER:
    case EV_HIT_APART:
        return e == EV_HIT_APART ? g->entries > 1 : g->groups > 1;
    case EV_FULL_OVER:
        return g->duty * g->lanes > 4 * g->count_max;
    case EV_MISSED_MANY:
        return g->groups > 1;
    default:
        return true;
    }
}

static bool needs_size(const struct lease_cover *c, enum lease_event e) {
    const struct lease_geometry *g = &c->g;
    switch (e) {
    case EV_CHOSEN_IN_ROW:
    case EV_QUOTA_LAST:
        return g->entries > 1 && g->duty > 1;
    case EV_QUOTA_ROW:
        return lease_stimulus_bursts(g);
    case EV_MEAN_REST: /* with two pages, each quotient is a multiple of 8 */
        return g->entries > (g->pages > 2 ? 1u : 2u) && g->duty > 1;
    case EV_HIT_1:
    case EV_HIT_2:
    case EV_HIT_OLD:
    case EV_QUOTA_1:
    case EV_QUOTA_2:
    case EV_QUOTA_OLD:
    case EV_QUOTA_LESS:
    case EV_LAST_QUOTA:
    case EV_SET_0:
    case EV_ROUND_UP:
    case EV_UPD_DOWN:
        return g->duty > 3;
    case EV_HIT_GROUP:
        return g->groups > 1 && g->duty > 1;
    case EV_GROUPS_2:
        return g->groups > 1 && g->entries > 1 && g->duty > 1;
    case EV_BEYOND:
    case EV_SET_BEYOND:
        return g->groups == 1 || !bits_power_of_two(g->groups);
    case EV_MISSED:
    case EV_MISSED_1:
        return g->duty > g->entries && (g->groups > 1);
    case EV_ALL_USED:
        return g->duty >= g->entries;
    case EV_FULL_COUNT:
        return g->duty * g->lanes > 4 * g->count_max;
    case EV_FULL_PAGES:
        return g->duty * g->lanes > 4 * g->pages;
    case EV_REST:
        return g->pages > 2;
    case EV_ROUND_DOWN:
        return g->pages > 2;
    case EV_UPD_UP:
        return g->count_max > 4u << g->weight;
    case EV_UPD_MOST:
        return lease_stimulus_saturates(g);
    case EV_UPD_LEAST:
        return 2 * g->count_max < g->pages;
    case EV_UPD_ODD:
        return g->weight > 0;
    default:
        return true;
    }
}

/* Returns the minimum number of windows that a point needs. Some points occur in most windows that
 * are long and have many groups. */
static unsigned windows(const struct lease_cover *c, enum lease_event e) {
    switch (e) {
    case EV_CHOSEN_IN_ROW:
    case EV_CHOSEN_JOINED:
    case EV_HIT_1:
    case EV_HIT_2:
    case EV_HIT_TWO:
    case EV_QUOTA_NONE:
    case EV_QUOTA_OLD:
    case EV_QUOTA_LESS:
    case EV_QUOTA_LAST:
    case EV_QUOTA_ROW:
    case EV_MISSED:
    case EV_MISSED_MANY:
    case EV_SET:
    case EV_SET_0:
    case EV_FIRST:
    case EV_LAST:
    case EV_LAST_QUOTA:
    case EV_GROUPS_2:
        return c->g.duty < 1000 || c->g.groups < 32 ? 300 : 24;
    case EV_CHOSEN:
    case EV_HIT_OLD:
    case EV_OUTSIDE:
    case EV_UPD_FIRST:
        return 12;
    case EV_UPD_MOST:
        return 24;
    case EV_LAST_CHOSEN:
        return c->g.entries > 3 && c->g.duty > 3 ? 24 : 2000;
    case EV_FULL_COUNT:
    case EV_FULL_OVER:
    case EV_FULL_PAGES:
        return 2000;
    default:
        return e >= EV_RESET_SAMPLE ? 2000 : 300;
    }
}

static bool is_possible(const struct lease_cover *c, enum lease_event e) {
    bool lanes = (e >= EV_CHOSEN_JOINED && e <= EV_PASSED_LANE) || e == EV_HIT_TWO ||
                 e == EV_HIT_APART || e == EV_MISSED_MANY || e == EV_FULL_OVER;
    if (c->cycles < windows(c, e) * (uint64_t)c->g.period)
        return false;
    return lanes ? c->g.lanes > 1 && needs_lanes(c, e) : needs_size(c, e);
}

void lease_cover_init(struct lease_cover *c, const struct lease_geometry *g, uint64_t cycles) {
    c->g = *g;
    c->cycles = cycles;
}

size_t lease_cover_points(struct lease_cover *c, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        LEASE_EVENTS(X)
#undef X
    };
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        c->points[n++] =
            (struct cover_point){events[e], c->events[e], is_possible(c, (enum lease_event)e)};
    for (unsigned e = 0; e < c->g.entries; e++) {
        snprintf(c->names[e], sizeof c->names[e], "entry %u counts", e);
        c->points[n++] = (struct cover_point){
            c->names[e], c->entry_hits[e], is_possible(c, EV_ALL_USED) && c->g.duty > c->g.entries};
    }
    *points = c->points;
    return n;
}
