// SPDX-License-Identifier: Apache-2.0
#include "incoming/incoming_cover.h"

#include <stdio.h>

enum { LONG_WAIT = 32 };

void cover_init(struct cover *c, const struct geometry *g) {
    *c = (struct cover){.g = *g};
}

static void count_event(struct cover *c, enum cover_event e, bool condition) {
    c->events[e] += condition;
}

static bool is_refused(const struct look *look) {
    return look->fill && (look->rule == FILL_NO_ROW || look->rule == FILL_NO_ROOM);
}

/* ---- Fill ---- */

static uint64_t row_of_fill(const struct cover *c, const struct incoming_in *in) {
    return c->g.tree ? in->fill_addr & c->g.row_mask : 0;
}

static unsigned queues_of(const struct incoming_branch *b, uint64_t line) {
    unsigned n = 0;
    for (unsigned i = 0; i < b->n; i++)
        n += b->runs[i].line == line;
    return n;
}

/* Covers cases that are possible only with certain values of FILL and COL_DROP. */
static void cover_options(struct cover *c, const struct score *s, const struct incoming_in *in,
                          const struct look *look) {
    const struct incoming_branch *to = look->to;
    bool more = look->rule == FILL_SECOND || look->rule == FILL_QUEUE;
    count_event(c, EV_JOIN_OTHER,
                look->rule == FILL_JOIN && c->g.tree &&
                    s->requests[look->youngest->last].addr != in->fill_addr);
    count_event(c, EV_WIDE_ROW,
                more && c->g.pool && score_in_row(to, row_of_fill(c, in)) >= c->g.group_cols);
    count_event(c, EV_MANY_ROWS,
                look->rule == FILL_GROUP && c->g.pool && to->rows_held >= c->g.group_rows);
}

static void cover_fill(struct cover *c, const struct incoming_in *in, const struct look *look) {
    const struct incoming_branch *to = look->to;
    uint64_t row = row_of_fill(c, in);
    count_event(c, (enum cover_event)(EV_JOIN + look->rule), true);
    count_event(c, EV_THIRD, look->rule == FILL_SECOND && queues_of(to, look->youngest->line) == 2);
    count_event(c, EV_ACCEPTED_LATER,
                c->refused && !is_refused(look) && in->fill_addr == c->refused_addr &&
                    in->fill_id == c->refused_id);
    count_event(c, EV_BRANCH_TAKEN, to->n == c->g.queues);
    if (look->rule == FILL_GROUP && to->row_left) {
        uint64_t differs = row ^ to->last_row;
        bool one = differs && !(differs & (differs - 1));
        count_event(c, EV_ROW_NEAR, one);
        count_event(c, EV_ROW_NEAR_TOP, one && differs > (c->g.row_mask ^ differs));
    }
    if (c->left == to && c->left_full && look->rule == FILL_GROUP) {
        count_event(c, EV_GROUP_OTHER, row != to->last_row);
        count_event(c, EV_GROUP_SAME, row == to->last_row);
    }
}

/* Covers combinations of a fill and a drain in the same cycle. */
static void cross_events(struct cover *c, const struct incoming_in *in, const struct look *look) {
    const struct incoming_run *run = look->run, *youngest = look->youngest;
    enum drain_place place = INCOMING_OTHER_BRANCH;
    if (look->to == look->from) {
        place = run->row == row_of_fill(c, in) ? INCOMING_OTHER_LINE : INCOMING_OTHER_ROW;
        if (!c->g.tree || score_line(&c->g, in->fill_addr) == run->line)
            place = INCOMING_SAME_LINE;
    }
    c->crosses[look->rule][place]++;
    count_event(c, EV_JOIN_LAST, run == youngest && look->rule == FILL_JOIN && run->count == 1);
    count_event(c, EV_FULL_DRAINS, run == youngest && look->rule != FILL_JOIN);
    if (run->count > 1 || look->to != look->from)
        return;
    count_event(c, EV_ROOM_FREED, look->rule == FILL_NO_ROOM && place >= INCOMING_OTHER_LINE);
    count_event(c, EV_ROW_FREED,
                look->rule == FILL_NO_ROW && score_in_row(look->from, run->row) == 1);
    count_event(c, EV_OLDER_EMPTIES_FILL, look->rule == FILL_SECOND && place == INCOMING_SAME_LINE);
}

/* ---- Drain ---- */

static bool last_run_longer_than(const struct incoming_branch *b, const struct incoming_run *run) {
    return score_longer(b, run->count + 1, NULL) > 0;
}

static void cover_choice(struct cover *c, const struct look *look, unsigned why) {
    const struct incoming_branch *b = look->from;
    const struct incoming_run *run = look->run;
    bool row = b->drained && score_in_row(b, b->last_row) > 0;
    switch (why) {
    case INCOMING_WHY_AGED:
        count_event(c, EV_AGED_BEFORE_QUEUE, b->last_run && run->serial != b->last_run);
        count_event(c, EV_AGED_BEFORE_ROW, !b->last_run && row && run->row != b->last_row);
        break;
    case INCOMING_WHY_QUEUE:
        count_event(c, EV_QUEUE_BEFORE_LONGER, last_run_longer_than(b, run));
        break;
    case INCOMING_WHY_ROW:
        count_event(c, EV_ROW_BEFORE_LONGER, last_run_longer_than(b, run));
        count_event(c, EV_ROW_AGAIN, b->row_left);
        count_event(c, EV_ROW_TIE, score_longer(b, run->count, &b->last_row) > 1);
        break;
    case INCOMING_WHY_LONGEST:
        count_event(c, EV_TIE, score_longer(b, run->count, NULL) > 1);
        break;
    default:
        break;
    }
}

static void cover_pair(struct cover *c, const struct look *look) {
    const struct incoming_run *run = look->run, *r = run + 1;
    const struct incoming_run *end = look->from->runs + look->from->n;
    while (r < end && r->line != run->line)
        r++;
    if (r == end)
        return;
    count_event(c, EV_OLDER_SHORTER, r->count > run->count);
    count_event(c, EV_OLDER, look->offer_taken);
    count_event(c, EV_OLDER_EMPTIES, look->offer_taken && run->count == 1);
}

static void cover_turn(struct cover *c, const struct score *s, const struct look *look) {
    unsigned turn = (unsigned)(look->from - s->branches);
    count_event(c, EV_WRAP, turn < s->turn);
    count_event(c, EV_SKIP, turn != (s->turn + 1) % c->g.branches);
}

static void cover_wait(struct cover *c, const struct score *s, const struct incoming_out *out,
                       const struct look *look) {
    bool same = out->drain_addr == s->last.drain_addr && out->drain_id == s->last.drain_id;
    if (s->waiting && !c->g.hold) {
        bool branch = look->from == &s->branches[s->turn];
        count_event(c, EV_MOVES_ON, !branch);
        count_event(c, EV_MOVES_WITHIN, branch && out->drain_addr != s->last.drain_addr);
        count_event(c, EV_OFFER_STAYS, same);
    }
    c->waited = s->waiting && same ? c->waited + 1 : 0;
    count_event(c, EV_HELD_LONG, c->waited == LONG_WAIT);
    if (out->drain_why != INCOMING_WHY_HELD || !look->fill || is_refused(look))
        return;
    count_event(c, EV_HELD_FILL, true);
    count_event(c, EV_HELD_JOIN, look->rule == FILL_JOIN && look->youngest == look->run);
    count_event(c, EV_HELD_NEW_BRANCH, look->to->n == 0);
}

/* ---- A cycle ---- */

static void cover_reset(struct cover *c, const struct score *s, const struct look *look) {
    count_event(c, EV_RESET, s->held > 0);
    count_event(c, EV_RESET_FILL_DRAIN, look->fill && !is_refused(look) && look->offer_taken);
    c->refused = false;
    c->left = NULL;
    c->waited = 0;
}

void cover_cycle(struct cover *c, const struct score *s, const struct incoming_in *in,
                 const struct incoming_out *out, const struct look *look) {
    if (in->rst) {
        cover_reset(c, s, look);
        return;
    }
    if (look->fill) {
        cover_fill(c, in, look);
        cover_options(c, s, in, look);
    }
    if (look->fill && look->offer_taken)
        cross_events(c, in, look);
    count_event(c, EV_WITHDRAWN, c->refused && !look->fill);
    count_event(c, EV_CHANGED, c->refused && look->fill && in->fill_addr != c->refused_addr);
    count_event(c, EV_FILL_EMPTY, look->fill && !s->held);
    if (look->offer) {
        cover_choice(c, look, (unsigned)out->drain_why);
        cover_pair(c, look);
        cover_turn(c, s, look);
        cover_wait(c, s, out, look);
    }
    c->left = NULL;
    if (look->offer_taken) {
        const struct incoming_branch *b = look->from;
        bool leaves = look->run->count == 1 && score_in_row(b, look->run->row) == 1;
        bool entered = look->fill && !is_refused(look);
        count_event(c, (enum cover_event)(EV_NEXT + out->drain_why), true);
        count_event(c, EV_EMPTIED, s->held == 1 && !entered);
        count_event(c, EV_EMPTIED_FILL, s->held == 1 && entered);
        if (leaves && !(entered && look->to == b)) {
            c->left = look->from;
            c->left_full = c->g.pool ? b->n == c->g.queues : b->rows_held == c->g.rows;
        }
    }
    c->refused = is_refused(look);
    c->refused_addr = in->fill_addr;
    c->refused_id = in->fill_id;
}

/* ---- Points that are possible at the parameters ---- */

static uint64_t rows_of(const struct geometry *g) {
    return (uint64_t)1 << __builtin_popcountll(g->row_mask);
}

static bool rule_possible(const struct geometry *g, enum fill_rule rule) {
    switch (rule) {
    case FILL_JOIN:
        return g->depth > 1;
    case FILL_SECOND:
    case FILL_QUEUE:
        return g->cols > 1;
    case FILL_NO_ROW:
        return g->tree && (g->pool || rows_of(g) > g->rows);
    default:
        return true;
    }
}

static bool cross_possible(const struct geometry *g, enum fill_rule rule, enum drain_place place) {
    if (!rule_possible(g, rule) || (place == INCOMING_OTHER_BRANCH && g->branches == 1))
        return false;
    bool other_rows =
        g->rows > 1; /* other rows can be stored together with a row that has requests */
    switch (place) {
    case INCOMING_OTHER_BRANCH:
        return true;
    case INCOMING_OTHER_ROW:
        if (g->pool && (rule == FILL_SECOND || rule == FILL_QUEUE))
            return g->queues > 2;
        return g->tree && (other_rows || rule == FILL_NO_ROW);
    case INCOMING_OTHER_LINE:
        if (rule == FILL_GROUP || rule == FILL_NO_ROW)
            return false;
        return g->tree && (rule == FILL_NO_ROOM || g->cols > (rule == FILL_SECOND ? 2u : 1u));
    default: /* the line is stored, so the fill joins, uses one more queue, or is refused */
        return rule == FILL_JOIN || rule == FILL_SECOND || rule == FILL_NO_ROOM;
    }
}

static bool can_age(const struct geometry *g) {
    return g->policy == CART_ROTATING && g->age_limit && g->queues > 1;
}

static bool event_possible(const struct geometry *g, enum cover_event e) {
    bool rotating = g->tree && g->policy == CART_ROTATING;
    bool many = g->queues > 1, deep = g->depth > 1;
    switch (e) {
    case EV_JOIN:
    case EV_SECOND:
    case EV_QUEUE:
    case EV_GROUP:
    case EV_NO_ROW:
    case EV_NO_ROOM:
        return rule_possible(g, (enum fill_rule)(e - EV_JOIN));
    case EV_THIRD:
        return g->cols > 2;
    case EV_JOIN_OTHER:
        return g->drop_mask && deep;
    case EV_WIDE_ROW:
        return g->pool && g->group_rows > 1;
    case EV_MANY_ROWS:
        return g->pool && g->group_cols > 1 && rows_of(g) > g->group_rows;
    case EV_JOIN_LAST:
        return deep;
    case EV_ROOM_FREED:
        return g->tree || !deep;
    case EV_ROW_FREED:
    case EV_GROUP_OTHER:
        return rule_possible(g, FILL_NO_ROW);
    case EV_GROUP_SAME:
    case EV_BRANCH_TAKEN:
        return !g->tree || g->pool || rows_of(g) >= g->rows;
    case EV_EMPTIED_FILL:
    case EV_RESET_FILL_DRAIN:
        return g->branches > 1 || deep;
    case EV_NEXT:
        return !g->tree || g->policy == CART_ROUND_ROBIN;
    case EV_HELD:
    case EV_HELD_FILL:
    case EV_HELD_NEW_BRANCH:
        return g->hold;
    case EV_HELD_JOIN:
        return g->hold && deep;
    case EV_AGED:
        return can_age(g);
    case EV_AGED_BEFORE_QUEUE:
        return can_age(g) && deep;
    case EV_AGED_BEFORE_ROW:
        return can_age(g) && g->rows > 1;
    case EV_LAST_QUEUE:
        return rotating && deep;
    case EV_ROW_NEAR:
    case EV_ROW_NEAR_TOP:
    case EV_LAST_ROW:
    case EV_ROW_AGAIN:
        return rotating;
    case EV_LONGEST:
        return g->tree && g->policy != CART_ROUND_ROBIN;
    case EV_QUEUE_BEFORE_LONGER:
        return rotating && deep && many;
    case EV_ROW_BEFORE_LONGER:
        return rotating && deep && g->rows > 1;
    case EV_ROW_TIE:
        return rotating && g->cols > 1;
    case EV_TIE:
        return g->tree && g->policy != CART_ROUND_ROBIN && many;
    case EV_OLDER:
    case EV_OLDER_EMPTIES:
        return g->cols > 1;
    case EV_OLDER_SHORTER:
        return g->cols > 1 && deep;
    case EV_OLDER_EMPTIES_FILL:
        return g->cols > 2 || (g->cols > 1 && !deep);
    case EV_WRAP:
    case EV_SKIP:
        return g->branches > 1;
    case EV_MOVES_ON:
        return !g->hold && g->branches > 1;
    case EV_MOVES_WITHIN:
        return !g->hold && g->tree && many;
    case EV_OFFER_STAYS:
        return !g->hold;
    default:
        return true;
    }
}

size_t cover_points(struct cover *c, uint64_t floor, const struct cover_point **points) {
    static const char *const event_names[] = {
#define X(id, text) text,
        EVENTS(X)
#undef X
    };
    static const char *const rules[] = {"join",        "second queue", "first queue",
                                        "empty group", "no row",       "no room"};
    static const char *const drains[] = {"another branch", "another row of the branch",
                                         "another line of the row", "the same line"};
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        c->points[n++] = (struct cover_point){
            event_names[e], c->events[e], event_possible(&c->g, (enum cover_event)e) ? floor : 0};
    for (unsigned r = 0; r < N_FILL_RULES; r++)
        for (unsigned p = 0; p < INCOMING_N_PLACES; p++) {
            if (!cross_possible(&c->g, (enum fill_rule)r, (enum drain_place)p))
                continue;
            char *name = c->names[n - N_EVENTS];
            snprintf(name, sizeof c->names[0], "%s + drain of %s", rules[r], drains[p]);
            c->points[n++] = (struct cover_point){name, c->crosses[r][p], floor};
        }
    *points = c->points;
    return n;
}
