// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_cover.h"

#include <stdio.h>

#include "expiry/expiry_stimulus.h"
#include "lib/bits.h"

void expiry_cover_init(struct expiry_cover *c, const struct expiry_geometry *g) {
    c->g = *g;
    c->before = N_DONE;
    c->reset = true;
}

static void count_event(struct expiry_cover *c, enum expiry_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Result of an operation ---- */

static void cover_new(struct expiry_cover *c, const struct expiry_score *s,
                      const struct expiry_look *look) {
    bool above = false;
    for (unsigned way = look->way + 1; way < c->g.entries; way++)
        above = above || s->used[way];
    count_event(c, EV_NEW_ONLY, s->n == 0);
    count_event(c, EV_NEW_LAST, s->n + 1 == c->g.entries);
    count_event(c, EV_NEW_HOLE, above);
    count_event(c, EV_NEW_HIGH, look->way + 1 == c->g.entries);
}

static void cover_update(struct expiry_cover *c, const struct expiry_score *s,
                         const struct expiry_look *look) {
    uint32_t mask = s->items[look->place].mask, bit = UINT32_C(1) << s->now.page;
    bool last = look->place + 1 == s->n;
    count_event(c, EV_UPDATE_ONLY, s->n == 1);
    count_event(c, EV_UPDATE_ONLY_HIGH, s->n == 1 && look->way + 1 == c->g.entries);
    count_event(c, EV_UPDATE_OLDEST, s->n > 1 && look->place == 0);
    count_event(c, EV_UPDATE_MIDDLE, look->place > 0 && !last);
    count_event(c, EV_UPDATE_NEWEST, s->n > 1 && last);
    count_event(c, EV_UPDATE_FULL, s->n == c->g.entries);
    count_event(c, EV_UPDATE_AGAIN, mask & bit);
    count_event(c, EV_UPDATE_ALL, (mask | bit) == bits_low(c->g.pages));
    count_event(c, EV_UPDATE_HIGH, look->way + 1 == c->g.entries);
}

static bool is_near(const struct expiry_score *s, uint32_t block) {
    bool near = false;
    for (unsigned i = 0; i < s->n; i++)
        near = near || bits_power_of_two(s->items[i].block ^ block);
    return near;
}

static void cover_recall(struct expiry_cover *c, const struct expiry_score *s,
                         const struct expiry_look *look) {
    bool last = look->place + 1 == s->n;
    count_event(c, EV_RECALL_ONLY, look->use && s->n == 1);
    count_event(c, EV_RECALL_OLDEST, look->use && s->n > 1 && look->place == 0);
    count_event(c, EV_RECALL_MIDDLE, look->use && look->place > 0 && !last);
    count_event(c, EV_RECALL_NEWEST, look->use && s->n > 1 && last);
    count_event(c, EV_RECALL_FULL, look->use && s->n == c->g.entries);
    count_event(c, EV_RECALL_EMPTY, s->n == 0);
    count_event(c, EV_RECALL_MISS, !look->use && s->n);
    count_event(c, EV_RECALL_NEAR, !look->use && is_near(s, s->now.block));
}

static void cover_take(struct expiry_cover *c, const struct expiry_score *s,
                       const struct expiry_look *look) {
    count_event(c, EV_TAKE_EMPTY, !look->use);
    count_event(c, EV_TAKE_ONE, look->use && look->last && !s->outputs);
    count_event(c, EV_TAKE_MOST, look->use && s->outputs + 1 == c->g.take);
    count_event(c, EV_TAKE_ALL, look->use && s->n == 1);
    count_event(c, EV_TAKE_FULL, s->n == c->g.entries);
}

static enum expiry_done done_of(const struct expiry_score *s, const struct expiry_look *look) {
    if (s->now.kind == KIND_EXPIRE)
        return look->made ? DONE_NEW : look->found ? DONE_UPDATE : DONE_REPLACE;
    if (!look->use)
        return DONE_NOTHING;
    return s->now.kind == KIND_RECALL ? DONE_RECALL : DONE_TAKE;
}

/* Covers the result for an entry. A take may have several entries. */
static void cover_done(struct expiry_cover *c, const struct expiry_score *s,
                       const struct expiry_look *look) {
    enum expiry_done done = done_of(s, look);
    uint32_t mask = look->use && !look->made ? s->items[look->place].mask : 0;
    if (done == DONE_NEW)
        cover_new(c, s, look);
    if (done == DONE_UPDATE)
        cover_update(c, s, look);
    count_event(c, EV_REPLACE_HIGH, done == DONE_REPLACE && look->way + 1 == c->g.entries);
    count_event(c, EV_REPLACE_MANY, done == DONE_REPLACE && (mask & (mask - 1)));
    if (s->now.kind == KIND_RECALL)
        cover_recall(c, s, look);
    if (s->now.kind == KIND_TAKE)
        cover_take(c, s, look);
    if (s->now.kind == KIND_EXPIRE)
        c->pages[s->now.page]++;
    if (c->at_once && c->before < N_DONE && !s->outputs) {
        c->pairs[c->before][done]++;
        c->same_way[c->before][done] += look->use && look->way == c->before_way;
    }
    c->before = done;
    c->before_way = look->way;
}

/* ---- A cycle ---- */

static enum expiry_state state_of(const struct expiry_score *s, const struct expiry_in *in,
                                  const struct expiry_look *look) {
    if (!s->now.kind)
        return look->ready ? EXPIRY_STATE_IDLE : EXPIRY_STATE_FOLLOWS;
    if (look->valid)
        return in->out_ready ? EXPIRY_STATE_LEAVES : EXPIRY_STATE_STANDS;
    return s->left == 1 ? EXPIRY_STATE_READ : s->left == 2 ? EXPIRY_STATE_FIND : EXPIRY_STATE_LOOK;
}

static void cover_meets(struct expiry_cover *c, enum expiry_state state,
                        const struct expiry_in *in) {
    enum expiry_meets ports = in->exp_valid && in->rec_valid ? EXPIRY_MEETS_BOTH
                              : in->exp_valid                ? EXPIRY_MEETS_EXP
                              : in->rec_valid                ? EXPIRY_MEETS_REC
                                                             : EXPIRY_MEETS_NOTHING;
    c->meets[state][in->rst ? EXPIRY_MEETS_RESET : ports]++;
    c->meets[state][EXPIRY_MEETS_TAKE] += !in->rst && in->take;
}

static void cover_begin(struct expiry_cover *c, const struct expiry_score *s,
                        const struct expiry_in *in, const struct expiry_look *look) {
    bool both = look->ready && in->exp_valid && in->rec_valid;
    bool same = in->exp_block == in->rec_block;
    count_event(c, EV_SAME_CYCLE, both && s->exp_age == s->rec_age);
    count_event(c, EV_SAME_BLOCK, both && s->exp_age == s->rec_age && same);
    count_event(c, EV_EXP_OLDER, both && s->exp_age > s->rec_age);
    count_event(c, EV_EXP_OLDER_BLOCK, both && s->exp_age > s->rec_age && same);
    count_event(c, EV_REC_OLDER, both && s->exp_age < s->rec_age);
    count_event(c, EV_REC_OLDER_BLOCK, both && s->exp_age < s->rec_age && same);
    count_event(c, EV_PLACE_LOST, both && c->dropped && s->exp_age <= s->rec_age);
    count_event(c, EV_TAKE_WAITS,
                s->take_asked && look->begin.kind && look->begin.kind != KIND_TAKE);
    count_event(c, EV_RESET_BEGIN, c->reset && look->begin.kind);
    c->at_once = !c->idled;
    c->dropped = false;
}

static void cover_reset(struct expiry_cover *c, const struct expiry_score *s) {
    count_event(c, EV_RESET_TAKE, s->take_asked);
    count_event(c, EV_RESET_NEXT, s->next.kind);
    count_event(c, EV_RESET_FULL, s->n == c->g.entries);
    count_event(c, EV_RESET_OLDER, s->exp_age > s->rec_age);
    count_event(c, EV_RESET_TWICE, c->reset);
    c->before = N_DONE;
    c->dropped = false;
    c->stood = 0;
}

void expiry_cover_cycle(struct expiry_cover *c, const struct expiry_score *s,
                        const struct expiry_in *in, const struct expiry_look *look) {
    enum expiry_state state = state_of(s, in, look);
    cover_meets(c, state, in);
    if (in->rst) {
        cover_reset(c, s);
    } else {
        count_event(c, EV_TAKE_MERGED, in->take && s->take_asked);
        count_event(c, EV_TAKE_TWICE, in->take && s->now.kind == KIND_TAKE);
        c->dropped = c->dropped || (s->exp_age && !in->exp_valid);
        if (!s->now.kind)
            cover_begin(c, s, in, look);
        if (state == EXPIRY_STATE_LEAVES || (state == EXPIRY_STATE_READ && !look->outputs))
            cover_done(c, s, look);
        c->stood = state == EXPIRY_STATE_STANDS ? c->stood + 1 : 0;
        if (c->stood == EXPIRY_STANDS_LONG)
            c->stands[look->why]++;
    }
    c->idled = state == EXPIRY_STATE_IDLE && !look->begin.kind;
    c->reset = in->rst;
}

/* ---- Points that are possible at the parameters ---- */

static bool event_possible(const struct expiry_geometry *g, uint64_t cycles, enum expiry_event e) {
    bool fills = expiry_stimulus_fills(g, cycles);
    switch (e) {
    case EV_NEW_LAST:
    case EV_NEW_HIGH:
    case EV_UPDATE_FULL:
    case EV_RECALL_FULL:
    case EV_TAKE_FULL:
        return fills;
    case EV_TAKE_MOST:
        return g->take <= g->entries;
    case EV_UPDATE_HIGH:
    case EV_REPLACE_HIGH:
    case EV_REPLACE_MANY:
        return fills && g->entries <= 64;
    case EV_RESET_FULL:
        return fills && g->entries <= 512;
    case EV_UPDATE_ONLY_HIGH:
        return fills && g->entries <= 5;
    case EV_UPDATE_ALL:
        return g->pages <= 16 && g->entries <= 512;
    case EV_UPDATE_MIDDLE:
    case EV_RECALL_MIDDLE:
        return g->entries > 2;
    default:
        return true;
    }
}

static bool pair_possible(const struct expiry_geometry *g, uint64_t cycles, enum expiry_done one,
                          enum expiry_done other) {
    bool fills = expiry_stimulus_fills(g, cycles), emptied = g->take >= g->entries;
    if (one == DONE_REPLACE || other == DONE_REPLACE) {
        bool full = one <= DONE_REPLACE || one == DONE_NOTHING;
        bool absent = one == DONE_NOTHING || other == DONE_NOTHING;
        if (absent && g->entries > 64 && g->block_mask + UINT64_C(1) < 4 * (uint64_t)g->entries)
            return false; /* too few blocks have no entry */
        return fills && full && !(one == DONE_REPLACE && other == DONE_NEW);
    }
    if (one == DONE_TAKE && emptied)
        return other == DONE_NEW || other == DONE_NOTHING;
    return true;
}

/* True if the result `other` may follow the result `one` in the same way. A freed way can only get
 * a new entry, and a way in use cannot get one. */
static bool same_way_possible(const struct expiry_geometry *g, uint64_t cycles,
                              enum expiry_done one, enum expiry_done other) {
    bool leaves = one == DONE_RECALL || one == DONE_TAKE;
    if (one == DONE_NOTHING || other == DONE_NOTHING || other == DONE_REPLACE)
        return false;
    return pair_possible(g, cycles, one, other) && leaves == (other == DONE_NEW) &&
           !(other == DONE_TAKE && one == DONE_REPLACE);
}

/* ---- The points ---- */

static void add_point(struct expiry_cover *c, size_t *n, const char *name, uint64_t hits,
                      bool possible) {
    c->points[(*n)++] = (struct cover_point){name, hits, possible};
}

static size_t add_events(struct expiry_cover *c, size_t n, uint64_t cycles) {
    static const char *const events[] = {
#define X(id, text) text,
        EXPIRY_EVENTS(X)
#undef X
    };
    for (unsigned e = 0; e < N_EVENTS; e++)
        add_point(c, &n, events[e], c->events[e],
                  event_possible(&c->g, cycles, (enum expiry_event)e));
    return n;
}

#define NAME(...) (snprintf(*name, sizeof *name, __VA_ARGS__), *name++)

typedef char cover_name[80];

static size_t add_states(struct expiry_cover *c, size_t n, cover_name **names) {
    static const char *const states[] = {"idle", "next starts",  "look",        "find",
                                         "read", "output waits", "output taken"};
    static const char *const met[] = {"nothing",           "expire", "recall",
                                      "recall and expire", "take",   "reset"};
    cover_name *name = *names;
    for (unsigned s = 0; s < EXPIRY_N_STATES; s++)
        for (unsigned m = 0; m < EXPIRY_N_MEETS; m++)
            add_point(c, &n, NAME("%s: %s", states[s], met[m]), c->meets[s][m], true);
    *names = name;
    return n;
}

static size_t add_pairs(struct expiry_cover *c, size_t n, cover_name **names, uint64_t cycles) {
    static const char *const done[] = {"new", "update", "replace", "recall", "take", "absent"};
    cover_name *name = *names;
    for (unsigned i = 0; i < N_DONE; i++)
        for (unsigned j = 0; j < N_DONE; j++) {
            enum expiry_done one = (enum expiry_done)i, other = (enum expiry_done)j;
            add_point(c, &n, NAME("%s, at once %s", done[i], done[j]), c->pairs[i][j],
                      pair_possible(&c->g, cycles, one, other));
            add_point(c, &n, NAME("%s, at once %s of the same way", done[i], done[j]),
                      c->same_way[i][j], same_way_possible(&c->g, cycles, one, other));
        }
    *names = name;
    return n;
}

static size_t add_outputs(struct expiry_cover *c, size_t n, cover_name *name, uint64_t cycles) {
    for (unsigned why = 0; why < 4; why++)
        add_point(c, &n, NAME("why %u stands for %u cycles", why, EXPIRY_STANDS_LONG),
                  c->stands[why], why != EXPIRY_FULL || expiry_stimulus_fills(&c->g, cycles));
    for (unsigned i = 0; i < c->g.pages; i++)
        add_point(c, &n, NAME("page %u expires", i), c->pages[i], true);
    return n;
}

size_t expiry_cover_points(struct expiry_cover *c, uint64_t cycles,
                           const struct cover_point **points) {
    cover_name *name = c->names;
    size_t n = add_events(c, 0, cycles);
    n = add_states(c, n, &name);
    n = add_pairs(c, n, &name, cycles);
    n = add_outputs(c, n, name, cycles);
    *points = c->points;
    return n;
}
