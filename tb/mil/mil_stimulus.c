// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_stimulus.h"

#include "lib/random.h"

static unsigned below(struct mil_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct mil_stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

static bool in_8(struct mil_stimulus *d, unsigned n) {
    return below(d, 8) < n;
}

/* ---- Phases ---- */

static struct mil_habit draw_habit(struct mil_stimulus *d) {
    static const uint8_t often[] = {0, 1, 4, 8, 8}, sparse[] = {1, 1, 1, 2, 3, 4, 6, 8, 17, 32, 80};
    return (struct mil_habit){
        .want_in_8 = often[below(d, 5)],
        .issue = (enum mil_issue)below(d, N_ISSUES),
        .issue_1_in = sparse[below(d, sizeof sparse)],
        .done_in_8 = often[below(d, 5)],
    };
}

/* Chooses the failures a request of the next interval: q, or up to one more. */
static void begin_interval(struct mil_stimulus *d) {
    unsigned most = (unsigned)(d->g.rf_max >> d->g.interval_w) + 1,
             q = below(d, most < 5 ? most : 5);
    if (most > 5 && one_in(d, 4))
        q = below(d, most < 20 ? most : 20);
    d->fails_left = (q << d->g.interval_w) + below(d, (unsigned)d->g.interval);
}

static void draw_traffic(struct mil_stimulus *d) {
    static const uint8_t accs[] = {1, 4, 8, 8}, fails[] = {0, 0, 1, 4, 8};
    d->accesses = (enum mil_accesses)below(d, ACC_INTERVALS);
    if (!one_in(d, 3))
        d->accesses = ACC_INTERVALS;
    d->focus = below(d, d->g.kernels);
    d->acc_in_8 = accs[below(d, 4)];
    d->fails_in_8 = fails[below(d, 5)];
    d->quiet_for = 0;
    begin_interval(d);
}

static uint64_t all(const struct mil_stimulus *d) {
    return bits_low(d->g.kernels);
}

/* Long enough for some intervals, if the run is. */
static void new_phase(struct mil_stimulus *d) {
    uint64_t longest = d->total / 24 + 64,
             length = 32 + below(d, 6 * (unsigned)d->g.interval + 600);
    for (unsigned k = 0; k < d->g.kernels; k++)
        d->habit[k] = draw_habit(d);
    draw_traffic(d);
    d->live = one_in(d, 4) ? below(d, (unsigned)all(d) + 1) : all(d);
    d->flickers = one_in(d, 8);
    d->stops = one_in(d, 3);
    d->start_1_in = one_in(d, 6) ? 16 << below(d, 8) : 0;
    d->set_1_in = one_in(d, 2) ? 4 << below(d, 6) : 0;
    if (d->fault_1_in || one_in(d, 4)) /* faults: of the phase before */
        d->reset_for = 1 + below(d, 2);
    d->fault_1_in = one_in(d, 3) ? 8 << below(d, 4) : 0;
    if (d->fault_1_in) {
        length = length < 256 ? length : 256;
        d->reset_for = 1; /* little is in flight then */
    }
    d->phase_end = d->cycle + (length < longest ? length : longest);
}

/* ---- Instructions ---- */

static unsigned draw_issue(struct mil_stimulus *d, const struct mil_habit *h, unsigned room) {
    if (!room || !one_in(d, h->issue_1_in))
        return 0;
    return h->issue == ISSUE_ONE ? 1 : h->issue == ISSUE_ALL ? room : 1 + below(d, room);
}

static unsigned draw_done(struct mil_stimulus *d, const struct mil_habit *h, uint64_t inflight) {
    unsigned n = in_8(d, h->done_in_8) ? 1 + below(d, 2) : 0;
    return n < inflight ? n : (unsigned)inflight;
}

/* The interval of k ends with this access. */
static bool ends(const struct mil_stimulus *d, const struct mil_in *in, unsigned k) {
    return in->acc_valid && in->acc_kernel == k && d->score->next[k].req + 1 == d->g.interval;
}

static void drive_kernel(struct mil_stimulus *d, struct mil_in *in, unsigned k) {
    const struct mil_shown *is = &d->score->next[k];
    bool goes = mil_bit(in->want, k) && mil_score_goes(d->score, in->want, k);
    unsigned room = goes ? (unsigned)is->room : 0, iss = draw_issue(d, &d->habit[k], room);
    unsigned done = draw_done(d, &d->habit[k], is->inflight);
    if (ends(d, in, k) && one_in(d, 2)) { /* the greatest number in flight, if it can be */
        iss = room;
        done = 0;
    }
    in->iss |= (uint64_t)iss << k * d->g.room_w;
    in->done |= (uint64_t)done << 2 * k;
}

static void drive_kernels(struct mil_stimulus *d, struct mil_in *in) {
    for (unsigned k = 0; k < d->g.kernels; k++)
        in->want |= (uint64_t)in_8(d, d->habit[k].want_in_8) << k;
    for (unsigned k = 0; k < d->g.kernels; k++)
        drive_kernel(d, in, k);
}

/* ---- Accesses ---- */

static unsigned draw_kernel(struct mil_stimulus *d) {
    switch (d->accesses) {
    case ACC_ONE:
    case ACC_INTERVALS:
        return d->focus;
    case ACC_TURNS:
        return (unsigned)(d->cycle % d->g.kernels);
    default:
        return below(d, d->g.kernels);
    }
}

static void drive_intervals(struct mil_stimulus *d, struct mil_in *in) {
    if (d->score->ended[d->focus] && !d->quiet_for) {
        d->quiet_for = one_in(d, 2) ? 1 : 1 + below(d, 300);
        if (one_in(d, 2))
            d->focus = below(d, d->g.kernels);
        begin_interval(d);
    }
    if (d->fails_left)
        in->fail_valid = in_8(d, 7);
    else
        in->acc_valid = !d->quiet_for;
    if (d->fails_left && in->fail_valid)
        d->fails_left--;
    if (d->quiet_for)
        d->quiet_for--;
}

static void drive_accesses(struct mil_stimulus *d, struct mil_in *in) {
    in->acc_kernel = draw_kernel(d);
    in->fail_kernel = draw_kernel(d);
    if (d->accesses == ACC_INTERVALS) {
        drive_intervals(d, in);
        return;
    }
    in->acc_valid = d->accesses != ACC_NONE && in_8(d, d->acc_in_8);
    in->fail_valid = !in->acc_valid && in_8(d, d->fails_in_8);
}

/* ---- Rare events ---- */

/* A kernel for which something shows in the next cycle, or, of all, shares; or none: KERNELS. */
static unsigned due_next(const struct mil_stimulus *d) {
    for (unsigned k = 0; k < d->g.kernels; k++)
        if (d->score->due[k].limit_in == 1 || d->score->due[k].ratio_in == 1)
            return k;
    return d->score->engine_for == 1 ? 0 : d->g.kernels;
}

static void drive_stops(struct mil_stimulus *d, struct mil_in *in) {
    unsigned due = due_next(d);
    if (d->start_1_in && one_in(d, d->start_1_in))
        in->start =
            one_in(d, 4) ? below(d, (unsigned)all(d) + 1) : UINT64_C(1) << below(d, d->g.kernels);
    if (d->stops && due == d->g.kernels && d->score->engine_for && one_in(d, 64))
        due = 0;
    if (d->stops && due < d->g.kernels && one_in(d, 3)) {
        in->start |= UINT64_C(1) << (one_in(d, 2) ? due : below(d, d->g.kernels));
        if (one_in(d, 8))
            d->reset_for = 1 + below(d, 2);
    }
    in->live = d->flickers && one_in(d, 4) ? below(d, (unsigned)all(d) + 1) : d->live | in->start;
}

static void drive_set(struct mil_stimulus *d, struct mil_in *in) {
    in->set_valid = d->set_1_in && one_in(d, d->set_1_in);
    in->set_kernel = below(d, d->g.kernels);
    if (in->start && one_in(d, 4)) {
        in->set_valid = 1;
        in->set_kernel = bits_lowest(in->start);
    }
    in->set_limit = one_in(d, 4)   ? below(d, (unsigned)d->g.none + 1)
                    : one_in(d, 4) ? d->g.none
                                   : below(d, d->fault_1_in ? 4 : 14);
}

/* The kernel with the fewest in flight. */
static unsigned emptiest(const struct mil_stimulus *d) {
    unsigned least = 0;
    for (unsigned k = 1; k < d->g.kernels; k++)
        if (d->score->next[k].inflight < d->score->next[least].inflight)
            least = k;
    return least;
}

/* A kernel that may issue, but not as much as there are schedulers; or any. */
static unsigned tight(struct mil_stimulus *d, const struct mil_in *in) {
    for (unsigned k = 0; k < d->g.kernels; k++) {
        const unsigned room = (unsigned)d->score->next[k].room;
        if (room && room < d->g.schedulers && mil_score_goes(d->score, in->want, k))
            return k;
    }
    return below(d, d->g.kernels);
}

static void drive_fault(struct mil_stimulus *d, struct mil_in *in) {
    unsigned k = below(d, d->g.kernels), beyond = (unsigned)bits_low(d->g.index_w);
    const unsigned often = below(d, 3);
    switch (one_in(d, 2) ? often : below(d, beyond < d->g.kernels ? 3 : 6)) {
    case 0:
        in->done |= UINT64_C(3) << 2 * emptiest(d);
        break;
    case 1:
        k = tight(d, in);
        in->iss |= bits_low(d->g.room_w) << k * d->g.room_w;
        break;
    case 2:
        in->iss |= UINT64_C(1) << k * d->g.room_w;
        break;
    case 3:
        in->acc_kernel = beyond;
        break;
    case 4:
        in->fail_kernel = beyond;
        in->fail_valid = 1;
        in->acc_valid = 0;
        break;
    default:
        in->set_kernel = beyond;
        in->set_valid = 1;
        break;
    }
}

static bool resets(struct mil_stimulus *d) {
    if (d->cycle && !d->reset_for && one_in(d, 20000))
        d->reset_for = 1;
    if (!d->cycle)
        return true;
    return d->reset_for && d->reset_for--;
}

void mil_stimulus_drive(struct mil_stimulus *d, struct mil_in *in) {
    *in = (struct mil_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    drive_accesses(d, in);
    drive_kernels(d, in);
    drive_stops(d, in);
    drive_set(d, in);
    if (d->fault_1_in && one_in(d, d->fault_1_in))
        drive_fault(d, in);
    in->rst = resets(d);
    d->cycle++;
}

void mil_stimulus_init(struct mil_stimulus *d, const struct mil_geometry *g,
                       const struct mil_score *score, uint64_t seed, uint64_t total) {
    *d = (struct mil_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
}
