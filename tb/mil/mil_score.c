// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_score.h"

#include <string.h>

void mil_geometry_init(struct mil_geometry *g, const struct block_params *p) {
    *g = (struct mil_geometry){
        .kernels = (unsigned)p->v[MIL_KERNELS],
        .schedulers = (unsigned)p->v[MIL_SCHEDULERS],
        .interval_w = (unsigned)p->v[MIL_INTERVAL_W],
        .rf_w = (unsigned)p->v[MIL_RF_W],
        .inflight_w = (unsigned)p->v[MIL_INFLIGHT_W],
        .minst_w = (unsigned)p->v[MIL_MINST_W],
        .ratio_max = (unsigned)p->v[MIL_RATIO_MAX],
        .quota_w = (unsigned)p->v[MIL_QUOTA_W],
        .limit = (unsigned)p->v[MIL_LIMIT],
        .order = (unsigned)p->v[MIL_ORDER],
        .zero = (unsigned)p->v[MIL_ZERO],
        .index_w = mil_index_bits(p),
        .room_w = mil_room_bits(p),
        .ratio_w = mil_ratio_bits(p),
    };
    g->interval = UINT64_C(1) << g->interval_w;
    g->none = bits_low(g->inflight_w);
    g->rf_max = bits_low(g->rf_w);
    g->minst_max = bits_low(g->minst_w);
    g->quota_max = bits_low(g->quota_w);
}

void mil_score_init(struct mil_score *s, const struct mil_geometry *g) {
    *s = (struct mil_score){.g = *g};
}

/* ---- Expected outputs ---- */

static uint64_t field_of(const uint32_t *vector, unsigned k, unsigned width) {
    uint64_t value = 0;
    for (unsigned bit = width; bit-- > 0;)
        value = value << 1 | (vector[(k * width + bit) / 32] >> (k * width + bit) % 32 & 1);
    return value;
}

static void read_kernel(const struct mil_geometry *g, const struct mil_out *out, unsigned k,
                        struct mil_shown *to) {
    *to = (struct mil_shown){
        .room = mil_field(out->room, k, g->room_w),
        .inflight = mil_field(out->st_inflight, k, g->inflight_w),
        .limit = mil_field(out->limit, k, g->inflight_w),
        .max = mil_field(out->st_max, k, g->inflight_w),
        .rf = field_of(out->st_rf, k, g->rf_w),
        .req = mil_field(out->st_req, k, g->interval_w),
        .minst = mil_field(out->st_minst, k, g->minst_w),
        .ratio = mil_field(out->st_ratio, k, g->ratio_w),
        .quota = field_of(out->st_quota, k, g->quota_w),
        .share = field_of(out->st_share, k, g->quota_w),
        .go = mil_bit(out->go, k),
        .update = mil_bit(out->update, k),
    };
}

/* True if kernel k has priority over kernel j when both may issue. */
static bool goes_before(const struct mil_score *s, unsigned k, unsigned j) {
    unsigned n = s->g.kernels;
    if (s->g.order == ORDER_TURNS)
        return (k + n - s->last - 1) % n < (j + n - s->last - 1) % n;
    uint64_t mine = s->next[k].quota, other = s->next[j].quota;
    return mine > other || (mine == other && k < j);
}

bool mil_score_goes(const struct mil_score *s, uint64_t want, unsigned k) {
    if (!s->next[k].room || s->g.order == ORDER_NONE)
        return s->next[k].room > 0;
    for (unsigned j = 0; j < s->g.kernels; j++)
        if (j != k && mil_bit(want, j) && s->next[j].room && goes_before(s, j, k))
            return false;
    return mil_bit(want, k);
}

static const char *check_kernel(const struct mil_score *s, const struct mil_in *in, unsigned k) {
    const struct mil_shown *now = &s->now[k], *want = &s->next[k];
    if (now->limit < 1)
        return "a limit is 0";
    if (now->room != want->room)
        return "room is not limit minus in flight, at most SCHEDULERS";
    if (now->go != mil_score_goes(s, in->want, k))
        return "go violates ORDER";
    if (now->inflight != want->inflight)
        return "the number in flight is not the old number plus issued minus done";
    if (now->max != want->max)
        return "st_max is not the most in flight";
    if (now->rf != want->rf || now->req != want->req || now->minst != want->minst)
        return "a counter of the interval is wrong";
    if (now->limit != want->limit || now->update != want->update)
        return "limit or update is wrong";
    if (now->ratio != want->ratio)
        return "st_ratio is not requests per instruction";
    if (now->quota != want->quota)
        return "a quota is wrong";
    return now->share != want->share ? "a share is not multiple / ratio" : NULL;
}

const char *mil_score_check(struct mil_score *s, const struct mil_in *in,
                            const struct mil_out *out) {
    const char *broken = NULL;
    for (unsigned k = 0; k < s->g.kernels; k++)
        read_kernel(&s->g, out, k, &s->now[k]);
    for (unsigned k = 0; k < s->g.kernels && !broken; k++)
        broken = check_kernel(s, in, k);
    if (!broken && out->err != s->err)
        broken = "err is not the first fault";
    if (!broken && out->st_busy != s->busy)
        broken = "st_busy does not match the computation of shares";
    return broken;
}

/* ---- The clock edge: a kernel ---- */

static uint64_t min_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t new_limit(const struct mil_score *s, unsigned k) {
    const struct mil_due *due = &s->due[k];
    uint64_t limit = s->now[k].limit, times = 0;
    if (due->q) { /* the limit is the integer quotient max / q, at least 1 */
        while ((times + 1) * due->q <= due->max)
            times++;
        return times ? times : 1;
    }
    if (s->g.zero == ZERO_OPEN)
        return s->g.none;
    return s->g.zero == ZERO_STEP && limit < s->g.none ? limit + 1 : limit;
}

/* Returns the r for which r * instructions is nearest to the number of requests. If there are two
 * such r, returns the greater one. */
static uint64_t new_ratio(const struct mil_score *s, unsigned k) {
    uint64_t n = s->due[k].minst, r = 1;
    if (!n)
        return s->now[k].ratio;
    while (r < s->g.ratio_max && (2 * r + 1) * n <= 2 * s->g.interval)
        r++;
    return r;
}

static void clear_kernel(struct mil_score *s, unsigned k) {
    struct mil_shown *next = &s->next[k];
    next->max = next->rf = next->req = next->minst = next->quota = 0;
    next->ratio = s->g.order == ORDER_QUOTAS;
    s->due[k] = (struct mil_due){0};
    if (s->g.limit == LIMIT_DYNAMIC)
        next->limit = s->g.none;
}

static void show_due(struct mil_score *s, unsigned k) {
    struct mil_due *due = &s->due[k];
    if (due->limit_in && --due->limit_in == 0) {
        s->next[k].limit = new_limit(s, k);
        s->next[k].update = true;
    }
    if (due->ratio_in && --due->ratio_in == 0) {
        s->next[k].ratio = new_ratio(s, k);
        s->ratio_new = true;
    }
}

static void end_interval(struct mil_score *s, unsigned k) {
    struct mil_shown *next = &s->next[k];
    s->due[k] = (struct mil_due){
        .limit_in = s->g.limit == LIMIT_DYNAMIC ? s->g.inflight_w : 0,
        .ratio_in = s->g.order == ORDER_QUOTAS ? s->g.interval_w + 2 : 0,
        .q = next->rf / s->g.interval,
        .max = next->max,
        .minst = next->minst,
    };
    next->rf = next->req = next->minst = 0;
    next->max = s->g.limit == LIMIT_DYNAMIC ? next->inflight : 0;
}

static void count_events(struct mil_score *s, const struct mil_in *in, unsigned k) {
    const struct mil_geometry *g = &s->g;
    struct mil_shown *next = &s->next[k];
    uint64_t iss = mil_field(in->iss, k, g->room_w), done = mil_field(in->done, k, 2);
    uint64_t flown = next->inflight + iss;
    bool dynamic = g->limit == LIMIT_DYNAMIC, quotas = g->order == ORDER_QUOTAS;
    next->inflight = done > flown ? 0 : min_of(flown - done, g->none);
    if (dynamic && next->inflight > next->max)
        next->max = next->inflight;
    if (quotas)
        next->minst = min_of(next->minst + iss, g->minst_max);
    if (dynamic && in->fail_valid && in->fail_kernel == k)
        next->rf = min_of(next->rf + 1, g->rf_max);
    s->ended[k] = false;
    if ((dynamic || quotas) && in->acc_valid && in->acc_kernel == k) {
        s->ended[k] = ++next->req == g->interval;
        if (s->ended[k])
            end_interval(s, k);
    }
}

static void tick_kernel(struct mil_score *s, const struct mil_in *in, unsigned k) {
    struct mil_shown *next = &s->next[k];
    *next = s->now[k];
    next->update = false;
    if (mil_bit(in->start, k))
        clear_kernel(s, k);
    show_due(s, k);
    if (s->g.limit == LIMIT_STATIC && in->set_valid && in->set_kernel == k) {
        next->limit = in->set_limit ? in->set_limit : 1;
        next->update = true;
    }
    count_events(s, in, k);
}

/* ---- The clock edge: all kernels ---- */

static void tick_quotas(struct mil_score *s, const struct mil_in *in) {
    s->refilled = false;
    for (unsigned k = 0; k < s->g.kernels; k++) {
        uint64_t *quota = &s->next[k].quota, iss = mil_field(in->iss, k, s->g.room_w);
        *quota = *quota > iss ? *quota - iss : 0;
        if (mil_bit(in->live, k) && !*quota)
            s->refilled = true;
        if (in->start)
            s->next[k].share = 1;
    }
    for (unsigned k = 0; s->refilled && k < s->g.kernels; k++)
        if (mil_bit(in->live, k))
            s->next[k].quota = min_of(s->next[k].quota + s->next[k].share, s->g.quota_max);
}

static uint64_t common_multiple(const struct mil_shown *of, unsigned kernels) {
    uint64_t multiple = of[0].ratio;
    for (unsigned k = 1; k < kernels; k++) {
        uint64_t step = multiple;
        while (multiple % of[k].ratio)
            multiple += step;
    }
    return multiple;
}

/* Returns the number of subtractions in Euclid's algorithm until the numbers are equal or one of
 * them is 0. */
static unsigned subtractions(uint64_t a, uint64_t b) {
    if (!a || !b || a == b)
        return 0;
    return 1 + (a > b ? subtractions(a - b, b) : subtractions(a, b - a));
}

static unsigned engine_cycles(const struct mil_score *s) {
    unsigned n = s->g.kernels, cycles = 2 + n * (s->g.quota_w + 1);
    for (unsigned k = 1; k < n; k++)
        cycles += 2 * s->g.quota_w + s->g.ratio_w + 5 +
                  subtractions(s->next[k].ratio, common_multiple(s->next, k) % s->next[k].ratio);
    return cycles;
}

static void tick_engine(struct mil_score *s, const struct mil_in *in) {
    s->restarted = false;
    if (in->start)
        s->engine_for = 0;
    if (s->engine_for && --s->engine_for == 0)
        for (unsigned k = 0; k < s->g.kernels; k++)
            s->next[k].share = common_multiple(s->now, s->g.kernels) / s->now[k].ratio;
    if (s->ratio_new && !in->start) {
        s->restarted = s->engine_for > 0;
        s->engine_for = engine_cycles(s);
    }
    s->busy = s->engine_for > 0;
}

static unsigned find_fault(const struct mil_score *s, const struct mil_in *in) {
    const unsigned n = s->g.kernels;
    unsigned issued = 0;
    for (unsigned k = 0; k < n; k++) {
        const struct mil_shown *now = &s->now[k];
        uint64_t iss = mil_field(in->iss, k, s->g.room_w);
        if (now->inflight + iss < mil_field(in->done, k, 2))
            return MIL_ERR_DONE;
        if (iss > now->room || (iss && !now->go))
            issued = MIL_ERR_ISSUED;
    }
    if ((in->set_valid && in->set_kernel >= n) || (in->acc_valid && in->acc_kernel >= n) ||
        (in->fail_valid && in->fail_kernel >= n))
        return MIL_ERR_KERNEL;
    return issued;
}

static void find_room(struct mil_score *s) {
    for (unsigned k = 0; k < s->g.kernels; k++) {
        struct mil_shown *next = &s->next[k];
        uint64_t left = next->limit > next->inflight ? next->limit - next->inflight : 0;
        next->room = min_of(left, s->g.schedulers);
    }
}

static void after_reset(struct mil_score *s) {
    for (unsigned k = 0; k < s->g.kernels; k++) {
        memset(&s->next[k], 0, sizeof s->next[k]);
        s->ended[k] = false;
        clear_kernel(s, k);
        s->next[k].limit = s->g.none;
        s->next[k].share = s->g.order == ORDER_QUOTAS;
    }
    s->last = s->g.kernels - 1;
    s->engine_for = 0;
    s->busy = s->refilled = s->ratio_new = s->restarted = false;
    s->err = MIL_OK;
}

static void advance_state(struct mil_score *s, const struct mil_in *in) {
    if (!s->err)
        s->err = find_fault(s, in);
    s->ratio_new = false;
    for (unsigned k = 0; k < s->g.kernels; k++)
        tick_kernel(s, in, k);
    if (s->g.order == ORDER_QUOTAS) {
        tick_quotas(s, in);
        tick_engine(s, in);
    }
    for (unsigned k = s->g.kernels; k-- > 0;)
        if (mil_field(in->iss, k, s->g.room_w))
            s->last = k;
}

void mil_score_tick(struct mil_score *s, const struct mil_in *in) {
    if (in->rst)
        after_reset(s);
    else
        advance_state(s, in);
    find_room(s);
}
