// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_stimulus.h"

#include "lib/random.h"

static unsigned draw_below(struct mil_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct mil_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

static bool in_8(struct mil_stimulus *d, unsigned n) {
    return draw_below(d, 8) < n;
}

/* ---- Phases ---- */

static struct mil_habit draw_habit(struct mil_stimulus *d) {
    static const uint8_t often[] = {0, 1, 4, 8, 8}, sparse[] = {1, 1, 1, 2, 3, 4, 6, 8, 17, 32, 80};
    return (struct mil_habit){
        .want_in_8 = often[draw_below(d, 5)],
        .issue = (enum mil_issue)draw_below(d, N_ISSUES),
        .issue_1_in = sparse[draw_below(d, sizeof sparse)],
        .done_in_8 = often[draw_below(d, 5)],
    };
}

/* True if an interval is long for the run, so that few of them end. */
static bool is_long(const struct mil_stimulus *d) {
    return d->g.interval > d->total / 256;
}

/* Draws the number of failures in the next interval, mostly between q and q + 1 per request. */
static void begin_interval(struct mil_stimulus *d) {
    unsigned most = (unsigned)(d->g.rf_max >> d->g.interval_w) + 1,
             q = draw_below(d, most < 5 ? most : 5);
    if (most > 5 && one_in(d, 4))
        q = draw_below(d, most < 20 ? most : 20);
    d->fails_left = (q << d->g.interval_w) + draw_below(d, (unsigned)d->g.interval);
    if (is_long(d) && one_in(d, 2)) /* soon ends, with a limit of ZERO */
        d->fails_left = draw_below(d, 8);
}

static void draw_traffic(struct mil_stimulus *d) {
    static const uint8_t accs[] = {1, 4, 8, 8}, fails[] = {0, 0, 1, 4, 8};
    d->accesses = (enum mil_accesses)draw_below(d, ACC_INTERVALS);
    if (!one_in(d, 3))
        d->accesses = ACC_INTERVALS;
    d->focus = draw_below(d, d->g.kernels);
    d->acc_in_8 = accs[draw_below(d, 4)];
    d->fails_in_8 = fails[draw_below(d, 5)];
    d->quiet_for = 0;
    begin_interval(d);
}

static uint64_t all_kernels(const struct mil_stimulus *d) {
    return bits_low(d->g.kernels);
}

/* Starts a phase, which lasts several intervals if the run is long enough. */
static void new_phase(struct mil_stimulus *d) {
    const uint64_t few = d->total >= 16 * d->g.interval ? 4 * d->g.interval : 0;
    uint64_t longest = d->total / 24 + 64 > few ? d->total / 24 + 64 : few,
             length = 32 + draw_below(d, 6 * (unsigned)d->g.interval + 600);
    for (unsigned k = 0; k < d->g.kernels; k++)
        d->habit[k] = draw_habit(d);
    draw_traffic(d);
    d->mostly_live = one_in(d, 4) ? draw_below(d, (unsigned)all_kernels(d) + 1) : all_kernels(d);
    d->flickers = one_in(d, 8);
    d->stops = one_in(d, 3);
    d->start_1_in = one_in(d, 4) ? 16 << draw_below(d, 8) : 0;
    d->set_1_in = one_in(d, 2) ? 4 << draw_below(d, 6) : 0;
    if (d->fault_1_in || one_in(d, 4)) /* always resets after a phase with faults */
        d->reset_for = 1 + draw_below(d, 2);
    d->fault_1_in = one_in(d, d->fault_1_in || is_long(d) ? 2 : 3) ? 8 << draw_below(d, 4) : 0;
    if (d->fault_1_in) {
        length = length < 256 ? length : 256;
        d->faulty++;
        d->reset_for = 1; /* leaves few instructions in flight */
        for (unsigned k = 0; k < d->g.kernels; k++)
            if (one_in(d, 2))
                d->habit[k].done_in_8 = 8;
    }
    d->phase_end = d->cycle + (length < longest ? length : longest);
}

/* ---- Full quotas ---- */

uint64_t mil_stimulus_fill(const struct mil_geometry *g) {
    if (g->order != ORDER_QUOTAS || g->kernels < 2 || g->ratio_max > g->interval)
        return 0;
    return g->quota_max / g->ratio_max + 2 * g->interval + 1000;
}

/* Starts the phase: all kernels start, so that all ratios are 1, and `focus` gets an interval with
 * one instruction, so that its ratio is RATIO_MAX, and the share of the others, too. */
static void begin_fill(struct mil_stimulus *d) {
    const uint64_t length = mil_stimulus_fill(&d->g);
    if (!length || d->total < 2 * length || d->cycle < d->fill.next)
        return;
    d->fill.on = true;
    d->fill.begun = d->cycle;
    d->fill.next = d->cycle + 6 * length;
    d->focus = draw_below(d, d->g.kernels);
    d->fault_1_in = d->reset_for = 0;
    d->phase_end = d->cycle + length;
}

/* Ends the phase soon after all other quotas have become full. */
static void end_fill(struct mil_stimulus *d) {
    bool full = true;
    for (unsigned k = 0; k < d->g.kernels; k++)
        full = full && (k == d->focus || d->score->next[k].quota == d->g.quota_max);
    if (full && one_in(d, 8))
        d->phase_end = d->cycle;
}

static void drive_fill(struct mil_stimulus *d, struct mil_in *in) {
    const struct mil_shown *is = &d->score->next[d->focus];
    const uint64_t at = d->cycle - d->fill.begun;
    const bool counts = at > 0 && at <= d->g.interval;
    in->live = all_kernels(d);
    in->start = at == 0 ? in->live : 0;
    in->acc_valid = counts;
    in->acc_kernel = d->focus;
    in->want = UINT64_C(1) << d->focus;
    if (mil_score_goes(d->score, in->want, d->focus) && is->room && (at == 1 || !counts) && at)
        in->iss = UINT64_C(1) << d->focus * d->g.room_w;
    for (unsigned k = 0; k < d->g.kernels; k++) {
        const uint64_t flying = d->score->next[k].inflight;
        in->done |= (flying > 2 ? 2 : flying) << 2 * k;
    }
}

/* ---- Limits under pressure ---- */

/* Returns the number of failures that fill their counter, at most four per request. */
static uint64_t press_failures(const struct mil_geometry *g) {
    const uint64_t full = g->rf_max + 8, most = 4 * g->interval + 8;
    return full < most ? full : most;
}

uint64_t mil_stimulus_press(const struct mil_geometry *g, uint64_t total) {
    if (g->limit != LIMIT_DYNAMIC || g->interval < 256 || g->interval <= total / 2000)
        return 0;
    return (g->none + press_failures(g)) * 5 / 4 + (g->kernels + 1) * g->interval + 500;
}

/* True if intervals are so long that few of them end in a run of the default length. */
static bool is_rare(const struct mil_stimulus *d) {
    return mil_stimulus_press(&d->g, d->total) > 0;
}

/* Sets the habits under pressure. The other kernels leave their turns to `focus`. */
static void press_kernels(struct mil_stimulus *d) {
    for (unsigned k = 0; k < d->g.kernels; k++)
        d->habit[k].want_in_8 = 0;
    d->habit[d->focus] = d->press.light ? (struct mil_habit){1, ISSUE_ONE, 32, 8}
                                        : (struct mil_habit){8, ISSUE_ALL, 1, 0};
}

/* Starts the phase. Every other one fills the counter of failures with as many instructions in
 * flight as possible. Between them one fills it with few in flight, or has a failure per request.
 */
static void begin_press(struct mil_stimulus *d) {
    const uint64_t length = mil_stimulus_press(&d->g, d->total);
    if (!length || d->total < 2 * length || d->cycle < d->press.next)
        return;
    const unsigned n = d->press.n++;
    const uint64_t least = length * 3 / 2, usual = d->total / 8;
    d->press.on = d->press.starts = true;
    d->press.light = n % 4 == 1;
    d->press.next = d->cycle + (usual > least ? usual : least);
    d->accesses = ACC_INTERVALS;
    d->focus = draw_below(d, d->g.kernels);
    d->fails_left = (unsigned)(n % 4 == 3 ? d->g.interval + 8 : press_failures(&d->g));
    if (d->press.light) /* those before the start do not count */
        d->fails_left += (unsigned)d->g.none;
    press_kernels(d);
    d->mostly_live = all_kernels(d);
    d->flickers = d->stops = false;
    d->quiet_for = d->start_1_in = d->fault_1_in = d->reset_for = 0;
    d->phase_end = d->cycle + length;
}

/* Ends the pressure with the interval of the failures. After a light phase, the kernel is idle. */
static void relieve(struct mil_stimulus *d) {
    if (!d->press.on || !d->score->ended[d->focus])
        return;
    d->press.on = false;
    d->accesses = ACC_TURNS;
    d->acc_in_8 = 8;
    for (unsigned k = 0; k < d->g.kernels; k++)
        d->habit[k] = draw_habit(d);
    d->habit[d->focus] = (struct mil_habit){d->press.light ? 0 : 8, ISSUE_ALL, 1, 8};
    d->stops = d->press.n % 2 == 0;
    d->press.shown = d->cycle + d->g.inflight_w + 4;
    d->phase_end = d->cycle + d->g.kernels * d->g.interval + 500;
}

/* Returns all kernels once in the phase: a light one drains `focus` first. */
static uint64_t press_start(struct mil_stimulus *d) {
    if (!d->press.starts || (d->press.light && d->score->next[d->focus].inflight > 1))
        return 0;
    d->press.starts = false;
    return all_kernels(d);
}

/* ---- Instructions ---- */

static unsigned draw_issue(struct mil_stimulus *d, const struct mil_habit *h, unsigned room) {
    if (!room || !one_in(d, h->issue_1_in))
        return 0;
    return h->issue == ISSUE_ONE ? 1 : h->issue == ISSUE_ALL ? room : 1 + draw_below(d, room);
}

static unsigned draw_done(struct mil_stimulus *d, const struct mil_habit *h, uint64_t inflight) {
    unsigned n = in_8(d, h->done_in_8) ? 1 + draw_below(d, 2) : 0;
    return n < inflight ? n : (unsigned)inflight;
}

/* True if this cycle's access ends the interval of kernel k. */
static bool ends(const struct mil_stimulus *d, const struct mil_in *in, unsigned k) {
    return in->acc_valid && in->acc_kernel == k && d->score->next[k].req + 1 == d->g.interval;
}

static void drive_kernel(struct mil_stimulus *d, struct mil_in *in, unsigned k) {
    const struct mil_shown *is = &d->score->next[k];
    bool goes = mil_bit(in->want, k) && mil_score_goes(d->score, in->want, k);
    unsigned room = goes ? (unsigned)is->room : 0, iss = draw_issue(d, &d->habit[k], room);
    unsigned done = draw_done(d, &d->habit[k], is->inflight);
    /* issues the maximum, if possible */
    if (ends(d, in, k) && (mil_bit(in->start, k) || one_in(d, 2))) {
        iss = room;
        done = 0;
    }
    in->iss |= (uint64_t)iss << k * d->g.room_w;
    in->done |= (uint64_t)done << 2 * k;
}

/* Starts the kernel whose interval would end in this cycle, and gives it the turn to issue. */
static void start_end(struct mil_stimulus *d, struct mil_in *in) {
    if (d->press.on || !ends(d, in, (unsigned)in->acc_kernel) || !one_in(d, 4))
        return;
    in->start = in->want = UINT64_C(1) << in->acc_kernel;
}

static void drive_kernels(struct mil_stimulus *d, struct mil_in *in) {
    for (unsigned k = 0; k < d->g.kernels; k++)
        in->want |= (uint64_t)in_8(d, d->habit[k].want_in_8) << k;
    start_end(d, in);
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
        return draw_below(d, d->g.kernels);
    }
}

static void drive_intervals(struct mil_stimulus *d, struct mil_in *in) {
    if (d->score->ended[d->focus] && !d->quiet_for) {
        d->quiet_for = one_in(d, 2) ? 1 : 1 + draw_below(d, 300);
        if (one_in(d, 2))
            d->focus = draw_below(d, d->g.kernels);
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
    relieve(d);
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

#define N_FAULTS 6

/* Returns a kernel with an output that is due in the next cycle. Returns 0 if the shares are due,
 * or KERNELS if nothing is. */
static unsigned due_next(const struct mil_stimulus *d) {
    for (unsigned k = 0; k < d->g.kernels; k++)
        if (d->score->due[k].limit_in == 1 || d->score->due[k].ratio_in == 1)
            return k;
    return d->score->engine_for == 1 ? 0 : d->g.kernels;
}

static uint64_t draw_start(struct mil_stimulus *d) {
    switch (draw_below(d, 8)) {
    case 0:
        return all_kernels(d);
    case 1:
        return draw_below(d, (unsigned)all_kernels(d) + 1);
    default:
        return UINT64_C(1) << draw_below(d, d->g.kernels);
    }
}

static void drive_stops(struct mil_stimulus *d, struct mil_in *in) {
    unsigned due = due_next(d);
    if (d->start_1_in && one_in(d, d->start_1_in))
        in->start |= draw_start(d);
    in->start |= press_start(d);
    if (d->g.kernels > 1 && due < d->g.kernels && d->score->due[due].ratio_in == 1 &&
        one_in(d, is_long(d) ? 3 : 6))
        in->start |= UINT64_C(1) << (due + 1 + draw_below(d, d->g.kernels - 1)) % d->g.kernels;
    if (d->score->engine_for == 1 && one_in(d, is_rare(d) ? 3 : 8))
        in->start |= UINT64_C(1) << draw_below(d, d->g.kernels);
    if (d->stops && due == d->g.kernels && d->score->engine_for && one_in(d, 64))
        due = 0;
    if (d->stops && due < d->g.kernels && d->cycle >= d->press.shown &&
        one_in(d, is_rare(d) ? 2 : 3)) {
        in->start |= UINT64_C(1) << (one_in(d, 2) ? due : draw_below(d, d->g.kernels));
        if (one_in(d, 8))
            d->reset_for = 1 + draw_below(d, 2);
    }
    in->live = d->flickers && one_in(d, 4) ? draw_below(d, (unsigned)all_kernels(d) + 1)
                                           : d->mostly_live | in->start;
}

static void drive_set(struct mil_stimulus *d, struct mil_in *in) {
    in->set_valid = d->set_1_in && one_in(d, d->set_1_in);
    in->set_kernel = draw_below(d, d->g.kernels);
    if (in->start && one_in(d, 4)) {
        in->set_valid = 1;
        in->set_kernel = bits_lowest(in->start);
    }
    in->set_limit = one_in(d, 4)   ? draw_below(d, (unsigned)d->g.none + 1)
                    : one_in(d, 4) ? d->g.none
                                   : draw_below(d, d->fault_1_in ? 4 : 14);
}

/* Returns the kernel with the fewest instructions in flight. */
static unsigned emptiest(const struct mil_stimulus *d) {
    unsigned least = 0;
    for (unsigned k = 1; k < d->g.kernels; k++)
        if (d->score->next[k].inflight < d->score->next[least].inflight)
            least = k;
    return least;
}

/* Returns a kernel that may issue, but fewer instructions than there are schedulers. Returns any
 * kernel if there is none. */
static unsigned tight(struct mil_stimulus *d, const struct mil_in *in) {
    for (unsigned k = 0; k < d->g.kernels; k++) {
        const unsigned room = (unsigned)d->score->next[k].room;
        if (room && room < d->g.schedulers && mil_score_goes(d->score, in->want, k))
            return k;
    }
    return draw_below(d, d->g.kernels);
}

/* Returns the kind of the next fault. Phases take turns with the kind of their first fault, which
 * is the one that `err` keeps. Returns N_FAULTS if that kind is impossible in this cycle. */
static unsigned draw_fault(struct mil_stimulus *d) {
    const bool beyond = bits_low(d->g.index_w) >= d->g.kernels;
    if (d->score->err)
        return draw_below(d, beyond ? N_FAULTS : 3);
    switch (d->faulty % (beyond ? 3 : 2)) {
    case 0:
        return d->score->next[emptiest(d)].inflight < 3 ? 0 : N_FAULTS;
    case 1:
        return 1 + draw_below(d, 2);
    default:
        return 3 + draw_below(d, 3);
    }
}

static void drive_fault(struct mil_stimulus *d, struct mil_in *in) {
    unsigned k = draw_below(d, d->g.kernels), beyond = (unsigned)bits_low(d->g.index_w);
    switch (draw_fault(d)) {
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
    case 5:
        in->set_kernel = beyond;
        in->set_valid = 1;
        break;
    default:
        break;
    }
}

static bool draw_reset(struct mil_stimulus *d) {
    if (d->cycle && !d->reset_for && !d->fill.on && !d->press.on && one_in(d, 20000))
        d->reset_for = 1;
    if (!d->cycle)
        return true;
    return d->reset_for && d->reset_for--;
}

void mil_stimulus_drive(struct mil_stimulus *d, struct mil_in *in) {
    *in = (struct mil_in){0};
    if (d->cycle >= d->phase_end) {
        d->fill.on = d->press.on = d->press.starts = false;
        new_phase(d);
        begin_fill(d);
        if (!d->fill.on)
            begin_press(d);
    }
    if (d->fill.on) {
        drive_fill(d, in);
        end_fill(d);
        d->cycle++;
        return;
    }
    drive_accesses(d, in);
    drive_kernels(d, in);
    drive_stops(d, in);
    drive_set(d, in);
    if (d->fault_1_in && one_in(d, d->fault_1_in))
        drive_fault(d, in);
    in->rst = draw_reset(d);
    d->cycle++;
}

void mil_stimulus_init(struct mil_stimulus *d, const struct mil_geometry *g,
                       const struct mil_score *score, uint64_t seed, uint64_t total) {
    *d = (struct mil_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
    d->fill.next = total / 4;
    d->press.n = seed % 2 ? 0 : 2;
}
