// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_cover.h"

#include <stdio.h>

static void hit(struct mil_cover *c, enum mil_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Who issues ---- */

static void cover_room(struct mil_cover *c, const struct mil_shown *now, uint64_t iss,
                       uint64_t done, bool wants) {
    bool limited = now->limit < c->g.none;
    hit(c, EV_ROOM_NONE, wants && !now->room);
    hit(c, EV_ROOM_SOME, now->room && now->room < c->g.schedulers);
    hit(c, EV_ROOM_ALL, now->room == c->g.schedulers);
    hit(c, EV_ROOM_FELL, now->inflight > now->limit);
    hit(c, EV_FULL, now->inflight == c->g.none);
    hit(c, EV_ISSUED_ALL, iss == c->g.schedulers);
    hit(c, EV_ISSUED_ROOM, limited && iss && iss == now->limit - now->inflight);
    hit(c, EV_BOTH, iss && done);
    hit(c, EV_DRAINED, !iss && done && done == now->inflight);
}

static void cover_order(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                        unsigned k) {
    for (unsigned j = 0; s->g.order != ORDER_NONE && j < s->g.kernels; j++) {
        const struct mil_shown *first = &s->now[k], *other = &s->now[j];
        if (j == k || !first->go || !other->room || !mil_bit(in->want, j))
            continue;
        hit(c, EV_MASKED, true);
        hit(c, EV_GREATER, k > j);
        hit(c, EV_LOWER, k < j);
        hit(c, EV_EQUAL, first->quota == other->quota);
    }
}

static void cover_turns(struct mil_cover *c, const struct mil_score *s, unsigned k) {
    hit(c, EV_TURN_SAME, s->last == k);
    hit(c, EV_TURN_WRAPS, s->last == s->g.kernels - 1 && k == 0);
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
    hit(c, EV_TWO_ISSUE, kernels > 1 && s->g.order == ORDER_NONE);
}

/* ---- What is set, due or stopped ---- */

static void cover_set(struct mil_cover *c, const struct mil_in *in) {
    hit(c, EV_SET, in->set_valid);
    hit(c, EV_SET_0, in->set_valid && !in->set_limit);
    hit(c, EV_SET_NONE, in->set_valid && in->set_limit == c->g.none);
    hit(c, EV_SET_START, in->set_valid && mil_bit(in->start, (unsigned)in->set_kernel));
}

static void cover_limit(struct mil_cover *c, const struct mil_score *s, unsigned k) {
    const struct mil_due *due = &s->due[k];
    if (due->limit_in != 1)
        return;
    hit(c, EV_Q_0, !due->q);
    hit(c, EV_Q_0_LIMITED, !due->q && s->now[k].limit < s->g.none);
    hit(c, EV_Q_1, due->q == 1);
    hit(c, EV_Q_MORE, due->q > 1 && due->q <= due->max);
    hit(c, EV_Q_BEYOND, due->q > due->max);
}

static void cover_start(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                        unsigned k) {
    hit(c, EV_START, true);
    hit(c, EV_START_LIMIT, s->due[k].limit_in == 1);
    hit(c, EV_START_RATIO, s->due[k].ratio_in == 1);
    hit(c, EV_START_FLIES, s->now[k].inflight);
    hit(c, EV_START_COUNTS,
        mil_field(in->iss, k, s->g.room_w) || (in->acc_valid && in->acc_kernel == k) ||
            (in->fail_valid && in->fail_kernel == k));
    for (unsigned j = 0; j < s->g.kernels; j++)
        hit(c, EV_START_OTHER, j != k && s->due[j].ratio_in == 1);
}

static void cover_starts(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in) {
    for (unsigned k = 0; k < s->g.kernels; k++)
        if (mil_bit(in->start, k))
            cover_start(c, s, in, k);
    hit(c, EV_START_ALL, in->start == bits_low(s->g.kernels));
    hit(c, EV_START_SHARES, in->start && s->engine_for > 1);
    hit(c, EV_START_SHOW, in->start && s->engine_for == 1);
}

static void cover_reset(struct mil_cover *c, const struct mil_score *s) {
    bool busy = s->engine_for > 0, limited = false;
    for (unsigned k = 0; k < s->g.kernels; k++) {
        busy = busy || s->due[k].limit_in || s->due[k].ratio_in;
        limited = limited || s->now[k].limit < s->g.none;
    }
    hit(c, EV_RESET_BUSY, busy);
    hit(c, EV_RESET_LIMITED, limited);
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

/* ---- What has become of it ---- */

static void cover_kernel(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                         unsigned k) {
    const struct mil_shown *was = &s->now[k], *is = &s->next[k];
    uint64_t iss = mil_field(in->iss, k, s->g.room_w);
    bool fails = in->fail_valid && in->fail_kernel == k, live = mil_bit(in->live, k);
    hit(c, EV_ENDS, s->ended[k]);
    hit(c, EV_ENDS_MAX, s->ended[k] && s->due[k].max > was->max);
    hit(c, EV_RF_FULL, fails && was->rf == s->g.rf_max);
    hit(c, EV_MINST_FULL, iss && was->minst == s->g.minst_max);
    hit(c, EV_LIMIT_FALLS, is->update && is->limit < was->limit);
    hit(c, EV_LIMIT_RISES, is->update && is->limit > was->limit);
    hit(c, EV_LIMIT_SAME, is->update && is->limit == was->limit);
    hit(c, EV_QUOTA_BELOW, iss > was->quota);
    hit(c, EV_QUOTA_0, !live && !is->quota);
    if (!s->refilled)
        return;
    hit(c, EV_REFILL_REST, live && was->quota > iss);
    hit(c, EV_REFILL_DEAD, !live);
    hit(c, EV_REFILL_FULL, live && is->quota == s->g.quota_max);
}

/* In the cycle before it shows. */
static void cover_ratio(struct mil_cover *c, const struct mil_score *s) {
    for (unsigned k = 0; k < s->g.kernels; k++) {
        const struct mil_due *due = &s->due[k];
        uint64_t r = s->next[k].ratio;
        if (due->ratio_in != 1)
            continue;
        hit(c, EV_RATIO_IDLE, !due->minst && r > 1);
        if (!due->minst)
            continue;
        hit(c, EV_RATIO_1, due->minst * 3 > s->g.interval * 2);
        hit(c, EV_RATIO_MAX, due->minst * s->g.ratio_max <= s->g.interval);
        hit(c, EV_RATIO_SOME,
            due->minst < s->g.interval / 2 && due->minst * s->g.ratio_max > 2 * s->g.interval);
    }
}

static void cover_shares(struct mil_cover *c, const struct mil_score *s) {
    bool differ = false;
    for (unsigned k = 1; k < s->g.kernels; k++)
        differ = differ || s->next[k].ratio != s->next[0].ratio;
    hit(c, EV_SHARES, s->engine_for == 1);
    hit(c, EV_SHARES_DIFFER, s->engine_for == 1 && differ);
    hit(c, EV_SHARES_AGAIN, s->restarted);
    hit(c, EV_REFILL, s->refilled);
}

void mil_cover_after(struct mil_cover *c, const struct mil_score *s, const struct mil_in *in,
                     unsigned err_before) {
    if (in->rst)
        return;
    for (unsigned k = 0; k < s->g.kernels; k++)
        cover_kernel(c, s, in, k);
    cover_ratio(c, s);
    cover_shares(c, s);
    hit(c, EV_ERR_DONE, !err_before && s->err == MIL_ERR_DONE);
    hit(c, EV_ERR_KERNEL, !err_before && s->err == MIL_ERR_KERNEL);
    hit(c, EV_ERR_ISSUED, !err_before && s->err == MIL_ERR_ISSUED);
    for (unsigned k = 0; err_before && k < s->g.kernels; k++)
        hit(c, EV_ERR_SECOND,
            mil_field(in->iss, k, s->g.room_w) > s->now[k].room ||
                mil_field(in->done, k, 2) > s->now[k].inflight);
}

/* ---- What the parameters allow ---- */

static bool of_limits(const struct mil_cover *c, enum mil_event e) {
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

static bool of_quotas(const struct mil_cover *c, enum mil_event e) {
    const struct mil_geometry *g = &c->g;
    switch (e) {
    case EV_REFILL_FULL:
        return g->kernels > 1 && g->quota_w <= 8;
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

/* These need intervals that end: a few, or many. */
static bool of_few_intervals(enum mil_event e) {
    return e == EV_ENDS || e == EV_Q_0 || e == EV_RATIO_SOME || e == EV_SHARES;
}

static bool of_intervals(const struct mil_cover *c, enum mil_event e) {
    bool limits = e == EV_ROOM_FELL || e == EV_ISSUED_ROOM || e == EV_RESET_LIMITED ||
                  (e >= EV_LIMIT_FALLS && e <= EV_LIMIT_SAME);
    return (limits && c->g.limit == LIMIT_DYNAMIC) || (e >= EV_ENDS && e <= EV_REFILL_FULL) ||
           (e >= EV_START_LIMIT && e <= EV_START_SHOW) || e == EV_RESET_BUSY;
}

static bool intervals_end(const struct mil_cover *c, enum mil_event e) {
    bool kept = c->g.limit == LIMIT_DYNAMIC || c->g.order == ORDER_QUOTAS;
    return !of_intervals(c, e) ||
           (kept && c->cycles >= c->g.interval * (of_few_intervals(e) ? 128 : 2000));
}

static bool of_order(const struct mil_cover *c, enum mil_event e) {
    bool several = c->g.kernels > 1;
    if (e == EV_EQUAL)
        return several && c->g.order == ORDER_QUOTAS;
    if (e == EV_TWO_ISSUE)
        return several && c->g.order == ORDER_NONE;
    return several && c->g.order != ORDER_NONE;
}

static bool possible(const struct mil_cover *c, enum mil_event e) {
    bool quotas = (e >= EV_RATIO_1 && e <= EV_QUOTA_0) || e == EV_MINST_FULL ||
                  (e >= EV_START_RATIO && e <= EV_START_SHOW);
    if (!intervals_end(c, e))
        return false;
    if (e >= EV_TWO_ISSUE && e <= EV_EQUAL && e != EV_DRAINED)
        return of_order(c, e);
    if (e == EV_ROOM_SOME)
        return c->g.schedulers > 1;
    if (e == EV_ERR_KERNEL)
        return !bits_power_of_two(c->g.kernels) || c->g.kernels == 1;
    return quotas ? c->g.order == ORDER_QUOTAS && of_quotas(c, e) : of_limits(c, e);
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
            (struct cover_point){events[e], c->events[e], possible(c, (enum mil_event)e)};
    for (unsigned k = 0; k < c->g.kernels; k++) {
        snprintf(c->names[k], sizeof c->names[k], "kernel %u goes", k);
        c->points[n++] = (struct cover_point){c->names[k], c->goes[k], 1};
    }
    *points = c->points;
    return n;
}
