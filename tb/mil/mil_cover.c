// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_cover.h"

#include <stdio.h>

#include "mil/mil_stimulus.h"

static void count_event(struct mil_cover *c, enum mil_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Issue ---- */

static void cover_room(struct mil_cover *c, const struct mil_shown *now, uint64_t iss,
                       uint64_t done, bool wants) {
    bool limited = now->limit < c->g.none;
    count_event(c, EV_ROOM_NONE, wants && !now->room);
    count_event(c, EV_ROOM_SOME, now->room && now->room < c->g.schedulers);
    count_event(c, EV_ROOM_ALL, now->room == c->g.schedulers);
    count_event(c, EV_ROOM_FELL, now->inflight > now->limit);
    count_event(c, EV_FULL, now->inflight == c->g.none);
    count_event(c, EV_ISSUED_ALL, iss == c->g.schedulers);
    count_event(c, EV_ISSUED_ROOM, limited && iss && iss == now->limit - now->inflight);
    count_event(c, EV_BOTH, iss && done);
    count_event(c, EV_DRAINED, !iss && done && done == now->inflight);
}

static void cover_order(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                        unsigned k) {
    for (unsigned j = 0; s->g.order != ORDER_NONE && j < s->g.kernels; j++) {
        const struct mil_shown *first = &s->now[k], *other = &s->now[j];
        if (j == k || !first->go || !other->room || !mil_bit(in->want, j))
            continue;
        count_event(c, EV_MASKED, true);
        count_event(c, EV_GREATER, k > j);
        count_event(c, EV_LOWER, k < j);
        count_event(c, EV_EQUAL, first->quota == other->quota);
    }
}

static void cover_turns(struct mil_cover *c, const struct mil_score *s, unsigned k) {
    count_event(c, EV_TURN_SAME, s->last == k);
    count_event(c, EV_TURN_WRAPS, s->last == s->g.kernels - 1 && k == 0);
}

static void cover_issue(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in) {
    unsigned kernels = 0;
    for (unsigned k = 0; k < s->g.kernels; k++) {
        uint64_t iss = mil_field(in->iss, k, s->g.room_w);
        cover_room(c, &s->now[k], iss, mil_field(in->done, k, 2), mil_bit(in->want, k));
        cover_order(c, s, in, k);
        c->goes[k] += s->now[k].go;
        kernels += iss > 0;
        if (iss && s->now[k].go)
            cover_turns(c, s, k);
    }
    count_event(c, EV_TWO_ISSUE, kernels > 1 && s->g.order == ORDER_NONE);
}

/* ---- Settings, due events and resets ---- */

static void cover_set(struct mil_cover *c, const struct mil_in *in) {
    count_event(c, EV_SET, in->set_valid);
    count_event(c, EV_SET_0, in->set_valid && !in->set_limit);
    count_event(c, EV_SET_NONE, in->set_valid && in->set_limit == c->g.none);
    count_event(c, EV_SET_START, in->set_valid && mil_bit(in->start, (unsigned)in->set_kernel));
}

static void cover_limit(struct mil_cover *c, const struct mil_score *s, unsigned k) {
    const struct mil_due *due = &s->due[k];
    if (due->limit_in != 1)
        return;
    count_event(c, EV_Q_0, !due->q);
    count_event(c, EV_Q_0_LIMITED, !due->q && s->now[k].limit < s->g.none);
    count_event(c, EV_Q_1, due->q == 1);
    count_event(c, EV_Q_MORE, due->q > 1 && due->q <= due->max);
    count_event(c, EV_Q_BEYOND, due->q > due->max);
}

static void cover_start(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                        unsigned k) {
    const uint64_t iss = mil_field(in->iss, k, s->g.room_w);
    const bool acc = in->acc_valid && in->acc_kernel == k;
    count_event(c, EV_START, true);
    count_event(c, EV_START_ENDS, acc && iss && s->now[k].req + 1 == s->g.interval);
    count_event(c, EV_START_LIMIT, s->due[k].limit_in == 1);
    count_event(c, EV_START_RATIO, s->due[k].ratio_in == 1);
    count_event(c, EV_START_FLIES, s->now[k].inflight);
    count_event(c, EV_START_COUNTS, iss || acc || (in->fail_valid && in->fail_kernel == k));
    for (unsigned j = 0; j < s->g.kernels; j++)
        count_event(c, EV_START_OTHER, j != k && s->due[j].ratio_in == 1);
}

static void cover_starts(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in) {
    for (unsigned k = 0; k < s->g.kernels; k++)
        if (mil_bit(in->start, k))
            cover_start(c, s, in, k);
    count_event(c, EV_START_ALL, in->start == bits_low(s->g.kernels));
    count_event(c, EV_START_SHARES, in->start && s->engine_for > 1);
    count_event(c, EV_START_SHOW, in->start && s->engine_for == 1);
}

static void cover_reset(struct mil_cover *c, const struct mil_score *s) {
    bool busy = s->engine_for > 0, limited = false;
    for (unsigned k = 0; k < s->g.kernels; k++) {
        busy = busy || s->due[k].limit_in || s->due[k].ratio_in;
        limited = limited || s->now[k].limit < s->g.none;
    }
    count_event(c, EV_RESET_BUSY, busy);
    count_event(c, EV_RESET_LIMITED, limited);
}

void mil_cover_before(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in) {
    if (in->rst) {
        cover_reset(c, s);
        return;
    }
    cover_issue(c, s, in);
    cover_set(c, in);
    cover_starts(c, s, in);
    for (unsigned k = 0; k < s->g.kernels; k++)
        if (!mil_bit(in->start, k))
            cover_limit(c, s, k);
}

/* ---- Results ---- */

static void cover_kernel(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                         unsigned k) {
    const struct mil_shown *was = &s->now[k], *is = &s->next[k];
    uint64_t iss = mil_field(in->iss, k, s->g.room_w);
    bool fails = in->fail_valid && in->fail_kernel == k, live = mil_bit(in->live, k);
    count_event(c, EV_ENDS, s->ended[k]);
    count_event(c, EV_ENDS_MAX, s->ended[k] && s->due[k].max > was->max);
    count_event(c, EV_RF_FULL, fails && was->rf == s->g.rf_max);
    count_event(c, EV_MINST_FULL, iss && was->minst == s->g.minst_max);
    count_event(c, EV_LIMIT_FALLS, is->update && is->limit < was->limit);
    count_event(c, EV_LIMIT_RISES, is->update && is->limit > was->limit);
    count_event(c, EV_LIMIT_SAME, is->update && is->limit == was->limit);
    count_event(c, EV_QUOTA_BELOW, iss > was->quota);
    count_event(c, EV_QUOTA_0, !live && !is->quota);
    if (!s->refilled)
        return;
    count_event(c, EV_REFILL_REST, live && was->quota > iss);
    count_event(c, EV_REFILL_DEAD, !live);
    count_event(c, EV_REFILL_FULL, live && is->quota == s->g.quota_max);
}

/* Covers a new ratio in the cycle before it is output. */
static void cover_ratio(struct mil_cover *c, const struct mil_score *s) {
    for (unsigned k = 0; k < s->g.kernels; k++) {
        const struct mil_due *due = &s->due[k];
        uint64_t r = s->next[k].ratio;
        if (due->ratio_in != 1)
            continue;
        count_event(c, EV_RATIO_IDLE, !due->minst && r > 1);
        if (!due->minst)
            continue;
        count_event(c, EV_RATIO_1, due->minst * 3 > s->g.interval * 2);
        count_event(c, EV_RATIO_MAX, due->minst * s->g.ratio_max <= s->g.interval);
        count_event(c, EV_RATIO_SOME,
                    due->minst < s->g.interval / 2 &&
                        due->minst * s->g.ratio_max > 2 * s->g.interval);
    }
}

static void cover_shares(struct mil_cover *c, const struct mil_score *s) {
    bool differ = false;
    for (unsigned k = 1; k < s->g.kernels; k++)
        differ = differ || s->next[k].ratio != s->next[0].ratio;
    count_event(c, EV_SHARES, s->engine_for == 1);
    count_event(c, EV_SHARES_DIFFER, s->engine_for == 1 && differ);
    count_event(c, EV_SHARES_AGAIN, s->restarted);
    count_event(c, EV_REFILL, s->refilled);
}

void mil_cover_after(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                     unsigned err_before) {
    if (in->rst)
        return;
    for (unsigned k = 0; k < s->g.kernels; k++)
        cover_kernel(c, s, in, k);
    cover_ratio(c, s);
    cover_shares(c, s);
    count_event(c, EV_ERR_DONE, !err_before && s->err == MIL_ERR_DONE);
    count_event(c, EV_ERR_KERNEL, !err_before && s->err == MIL_ERR_KERNEL);
    count_event(c, EV_ERR_ISSUED, !err_before && s->err == MIL_ERR_ISSUED);
    for (unsigned k = 0; err_before && k < s->g.kernels; k++)
        count_event(c, EV_ERR_SECOND,
                    mil_field(in->iss, k, s->g.room_w) > s->now[k].room ||
                        mil_field(in->done, k, 2) > s->now[k].inflight);
}

/* ---- Points that are possible at the parameters ---- */

static bool needs_limit(const struct mil_cover *c, enum mil_event e) {
    const struct mil_geometry *g = &c->g;
    unsigned q_w = g->rf_w - g->interval_w;
    bool dynamic = g->limit == LIMIT_DYNAMIC;
    switch (e) {
    case EV_ROOM_FELL:
    case EV_ISSUED_ROOM:
    case EV_RESET_LIMITED:
    case EV_LIMIT_FALLS:
    case EV_LIMIT_RISES:
        return g->limit == LIMIT_STATIC || (dynamic && q_w);
    case EV_SET_START:
        return g->limit == LIMIT_STATIC;
    case EV_LIMIT_SAME:
        return g->limit != LIMIT_NONE;
    case EV_ENDS_MAX:
    case EV_Q_0:
    case EV_START_LIMIT:
        return dynamic;
    case EV_Q_0_LIMITED:
    case EV_Q_1:
        return dynamic && q_w;
    case EV_Q_MORE:
    case EV_Q_BEYOND:
        return dynamic && q_w > 1;
    case EV_RF_FULL:
        return dynamic && q_w <= 2;
    case EV_RESET_BUSY:
        return dynamic || g->order == ORDER_QUOTAS;
    default:
        return true;
    }
}

static bool needs_quota(const struct mil_cover *c, enum mil_event e) {
    const struct mil_geometry *g = &c->g;
    switch (e) {
    case EV_REFILL_FULL:
        return mil_stimulus_fill(g) && c->cycles >= 4 * mil_stimulus_fill(g);
    case EV_RATIO_MAX:
        return g->ratio_max <= g->interval;
    case EV_RATIO_SOME:
        return g->ratio_max > 8 && g->interval >= 64;
    case EV_SHARES_DIFFER:
    case EV_SHARES_AGAIN:
    case EV_REFILL_REST:
    case EV_REFILL_DEAD:
    case EV_START_OTHER:
        return g->kernels > 1;
    default:
        return true;
    }
}

/* True if the event needs only a few ended intervals. Other events need many intervals or none. */
static bool needs_few_intervals(enum mil_event e) {
    return e == EV_ENDS || e == EV_Q_0 || e == EV_RATIO_SOME || e == EV_SHARES ||
           e == EV_START_ENDS || e == EV_START_OTHER || e == EV_REFILL_FULL;
}

static bool needs_intervals(const struct mil_cover *c, enum mil_event e) {
    bool limits = e == EV_ROOM_FELL || e == EV_ISSUED_ROOM || e == EV_RESET_LIMITED ||
                  (e >= EV_LIMIT_FALLS && e <= EV_LIMIT_SAME);
    return (limits && c->g.limit == LIMIT_DYNAMIC) || (e >= EV_ENDS && e <= EV_REFILL_FULL) ||
           (e >= EV_START_ENDS && e <= EV_START_SHOW) || e == EV_RESET_BUSY;
}

/* True if phases under pressure make the event occur, and the run has at least twelve of them. */
static bool is_pressed(const struct mil_cover *c, enum mil_event e) {
    const uint64_t length = mil_stimulus_press(&c->g, c->cycles);
    return length && c->cycles >= 12 * length &&
           (e == EV_ROOM_FELL || e == EV_ISSUED_ROOM || e == EV_RF_FULL ||
            (e >= EV_Q_MORE && e <= EV_LIMIT_FALLS));
}

static bool intervals_end(const struct mil_cover *c, enum mil_event e) {
    bool kept = c->g.limit == LIMIT_DYNAMIC || c->g.order == ORDER_QUOTAS;
    return !needs_intervals(c, e) || is_pressed(c, e) ||
           (kept && c->cycles >= c->g.interval * (needs_few_intervals(e) ? 128 : 2000));
}

static bool needs_order(const struct mil_cover *c, enum mil_event e) {
    bool several = c->g.kernels > 1;
    if (e == EV_EQUAL)
        return several && c->g.order == ORDER_QUOTAS;
    if (e == EV_TWO_ISSUE)
        return several && c->g.order == ORDER_NONE;
    return several && c->g.order != ORDER_NONE;
}

static bool is_possible(const struct mil_cover *c, enum mil_event e) {
    bool quotas = (e >= EV_RATIO_1 && e <= EV_QUOTA_0) || e == EV_MINST_FULL ||
                  (e >= EV_START_RATIO && e <= EV_START_SHOW);
    if (!intervals_end(c, e))
        return false;
    if (e >= EV_TWO_ISSUE && e <= EV_EQUAL && e != EV_DRAINED)
        return needs_order(c, e);
    if (e == EV_ROOM_SOME)
        return c->g.schedulers > 1;
    if (e == EV_ERR_KERNEL)
        return !bits_power_of_two(c->g.kernels) || c->g.kernels == 1;
    return quotas ? c->g.order == ORDER_QUOTAS && needs_quota(c, e) : needs_limit(c, e);
}

void mil_cover_init(struct mil_cover *c, const struct mil_geometry *g, uint64_t cycles) {
    c->g = *g;
    c->cycles = cycles;
}

size_t mil_cover_points(struct mil_cover *c, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        MIL_EVENTS(X)
#undef X
    };
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        c->points[n++] =
            (struct cover_point){events[e], c->events[e], is_possible(c, (enum mil_event)e)};
    for (unsigned k = 0; k < c->g.kernels; k++) {
        snprintf(c->names[k], sizeof c->names[k], "kernel %u goes", k);
        c->points[n++] = (struct cover_point){c->names[k], c->goes[k], 1};
    }
    *points = c->points;
    return n;
}
