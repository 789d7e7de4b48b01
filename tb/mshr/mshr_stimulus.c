// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_stimulus.h"

#include <string.h>

#include "lib/bits.h"
#include "lib/random.h"

static uint64_t draw_bits(struct mshr_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct mshr_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct mshr_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

static unsigned at_most(unsigned n, unsigned bound) {
    return n < bound ? n : bound;
}

/* Draws a number of cycles to wait. `reach` limits the length of long delays. */
static unsigned delay(struct mshr_stimulus *d, enum mshr_delays mix, unsigned reach) {
    switch (mix) {
    case DELAY_SHORT:
        return one_in(d, 8);
    case DELAY_MEDIUM:
        return draw_below(d, 8);
    default:
        return one_in(d, 3) ? draw_below(d, reach) : draw_below(d, 4);
    }
}

/* ---- Phases ---- */

/* Returns the address with one bit inverted. This is often the highest bit, which a comparator may
 * omit. */
static uint64_t draw_neighbor(struct mshr_stimulus *d, uint64_t addr) {
    uint64_t top = d->g.addr_mask ^ d->g.addr_mask >> 1;
    return addr ^ (one_in(d, 4) ? top : UINT64_C(1) << draw_below(d, bits_count(d->g.addr_mask)));
}

/* Draws any address, sometimes one that differs in one bit from that of a tracked block. */
static uint64_t random_address(struct mshr_stimulus *d) {
    uint64_t addr = draw_bits(d) & d->g.addr_mask;
    const struct mshr_entry *e = &d->score->entry[draw_below(d, d->g.sets)];
    return e->matchable && one_in(d, 4) ? draw_neighbor(d, e->addr) : addr;
}

/* Sets *head to a random head that has a partner or, if `partner`, to the partner of *head. The
 * numbers of partners differ in the highest bit. Returns the head's block, or a random address if
 * the head has no block. */
static uint64_t tracked_block(struct mshr_stimulus *d, unsigned *head, bool partner) {
    unsigned heads = mshr_shares_heads(&d->g) ? d->g.sets : d->g.heads_only;
    unsigned top = 1u << (mshr_clog2(heads) - 1);
    *head = partner ? *head ^ top : draw_below(d, heads - top);
    const struct mshr_entry *e = &d->score->entry[*head];
    return e->matchable ? e->addr : random_address(d);
}

/* Starts a phase. A large MSHR is filled on purpose, since random traffic would not fill it in a
 * short run. It is filled first with heads, and then with requests for a few heads. */
static void new_phase(struct mshr_stimulus *d) {
    unsigned slots = d->g.sets * d->g.slots, n = d->phases++;
    bool fills = n < 2 && d->g.sets > MAX_HOT;
    d->mode = fills || one_in(d, 4) ? MODE_FULL : (enum mshr_mode)draw_below(d, MODE_HEADS);
    d->phase_end = d->cycle + 64 + (fills ? 2 * (n ? slots : d->g.sets) : draw_below(d, 2 * slots));
    d->req_mix = (enum mshr_delays)draw_below(d, N_DELAYS);
    d->ret_mix = (enum mshr_delays)draw_below(d, N_DELAYS);
    d->rsp_mix = (enum mshr_delays)draw_below(d, N_DELAYS);
    d->may_withdraw = one_in(d, 4);
    unsigned half = d->g.sets > 1 ? d->g.sets / 2 : 1;
    d->n_hot = d->mode == MODE_MIXED ? MAX_HOT : 1 + draw_below(d, at_most(4, half));
    if (d->mode == MODE_FULL) {
        d->req_mix = DELAY_SHORT;
        d->n_hot = (fills ? n == 0 : one_in(d, 3)) ? 0 : 1 + draw_below(d, at_most(16, half));
    }
    if (d->mode == MODE_PAIRS)
        d->ret_mix = DELAY_SHORT;
    for (unsigned i = 0, head = 0; i < d->n_hot; i++)
        d->hot[i] = fills ? tracked_block(d, &head, i % 2) : random_address(d);
}

/* Plans the next upset. Three kinds take turns: a reset while a drain is past its head, a faulty
 * RET, which must raise an error, and a reset or a faulty RET at any time. */
static void plan_upset(struct mshr_stimulus *d) {
    static const uint8_t states[] = {5, 10, 0, 6, 7, 8, 9};
    unsigned n = d->upsets++;
    d->next_upset = d->cycle + 512 + draw_below(d, 4 * d->g.sets * d->g.slots + 1);
    d->bad_state = states[n / 3 % sizeof states];
    d->bad_wait = 0;
    if (n % 3 == 0)
        d->reset_wait = 256;
    else if (n % 3 == 1 || one_in(d, 2))
        d->bad_ret = true;
    else
        d->reset_in = 1 + draw_below(d, 64);
}

static uint64_t hot_address(struct mshr_stimulus *d) {
    if (!d->n_hot)
        return random_address(d);
    unsigned i = draw_below(d, d->n_hot), j = draw_below(d, d->n_hot);
    return d->hot[i < j ? i : j];
}

static uint64_t choose_address(struct mshr_stimulus *d) {
    switch (d->mode) {
    case MODE_PRIMARY:
        return one_in(d, 16) ? d->req.req_addr : random_address(d);
    case MODE_REFILL:
        if (d->score->draining != MSHR_SCORE_NONE && !one_in(d, 4))
            return d->score->drain.addr;
        return one_in(d, 4) ? random_address(d) : hot_address(d);
    case MODE_PAIRS:
        if (d->pair_left) {
            d->pair_left--;
            return d->req.req_addr;
        }
        d->pair_left = 1 + draw_below(d, 2 * d->g.slots);
        return random_address(d);
    default:
        return hot_address(d);
    }
}

static void fill_payload(struct mshr_stimulus *d) {
    uint32_t *words = d->req.req_payload;
    unsigned n = d->g.payload_words;
    for (unsigned i = 0; i < n; i++)
        words[i] = (uint32_t)(draw_bits(d) >> 16);
    if (n)
        words[n - 1] &= d->g.last_payload_mask;
}

static void new_request(struct mshr_stimulus *d) {
    d->req.req_addr = d->ahead ? d->ahead_addr : choose_address(d);
    d->ahead = false;
    fill_payload(d);
    d->offering = true;
    d->req_wait = d->mode == MODE_PAIRS && d->pair_left ? 0 : delay(d, d->req_mix, 64);
}

static bool is_quiescing(const struct mshr_stimulus *d) {
    return d->cycle >= d->quiet_from;
}

static void drive_request(struct mshr_stimulus *d, struct mshr_in *in) {
    if (d->offering && d->refused_for && d->may_withdraw && one_in(d, 16)) {
        d->offering = false;
        d->withdrawn = true;
    }
    if (!d->offering) {
        d->refused_for = 0;
        if (is_quiescing(d))
            return;
        if (d->req_wait)
            d->req_wait--;
        else
            new_request(d);
    }
    bool known = d->score->looked_up && d->score->looked == d->req.req_addr;
    if (!d->offering || (d->g.looks && !known))
        return;
    in->req_valid = 1;
    in->req_addr = d->req.req_addr;
    memcpy(in->req_payload, d->req.req_payload, sizeof in->req_payload);
}

/* Returns a shared head in flight, which ends MODE_HEADS, or MSHR_SCORE_NONE. */
static int shared_head(struct mshr_stimulus *d) {
    for (unsigned i = d->g.heads_only; i < d->g.sets; i++)
        if (d->score->entry[i].matchable) {
            d->phase_end = d->cycle + 1;
            return (int)i;
        }
    return MSHR_SCORE_NONE;
}

/* Chooses an entry whose fill may arrive in this cycle, preferably the entry of the current
 * request. */
static int choose_return(struct mshr_stimulus *d, const struct mshr_in *in) {
    bool hold = d->mode == MODE_FULL && d->refused_for < 2 && !is_quiescing(d);
    if (hold && !one_in(d, 512))
        return MSHR_SCORE_NONE;
    if (d->mode == MODE_HEADS && !is_quiescing(d))
        return shared_head(d);
    bool asked = in->req_valid || (d->g.looks && d->score->looked_up);
    int match = asked ? mshr_score_find(d->score, mshr_score_asked(d->score, in)) : MSHR_SCORE_NONE;
    if (match != MSHR_SCORE_NONE && d->due[match] <= d->cycle && one_in(d, 4))
        return match;
    unsigned start = draw_below(d, d->g.sets);
    bool brim = one_in(d, 4); /* prefers an entry whose last set has just become full */
    unsigned least = d->g.slots > 1 ? d->g.slots : 2;
    for (unsigned k = 0; k < d->g.sets; k++) {
        unsigned i = (start + k) % d->g.sets;
        const struct mshr_entry *e = &d->score->entry[i];
        if (e->matchable && brim ? e->count >= least && e->count % d->g.slots == 0
                                 : e->matchable && (d->due[i] <= d->cycle || is_quiescing(d)))
            return (int)i;
    }
    return MSHR_SCORE_NONE;
}

/* Returns a set of the draining entry that will be in bad_state when RET is accepted with the last
 * response, or MSHR_SCORE_NONE. */
static int choose_releasing(const struct mshr_stimulus *d) {
    bool one_set = d->score->drain.tail == (unsigned)d->score->draining;
    if (d->bad_state == MSHR_S10)
        return one_set ? MSHR_SCORE_NONE : (int)d->score->drain.tail;
    return one_set || !d->g.early_free ? d->score->draining : MSHR_SCORE_NONE;
}

/* Chooses a set for the planned faulty RET. This is a set in bad_state or, after a long wait, any
 * set. */
static int choose_bad_return(struct mshr_stimulus *d) {
    const struct mshr_score *s = d->score;
    unsigned start = draw_below(d, d->g.sets);
    for (unsigned k = 0; k < d->g.sets; k++) {
        unsigned i = (start + k) % d->g.sets;
        if (s->seen_state && mshr_state_of(&s->before, i) == d->bad_state &&
            mshr_score_bad_return(s, i))
            return (int)i;
    }
    if (++d->bad_wait < (mshr_releasing(d->bad_state) ? 512 : 64))
        return MSHR_SCORE_NONE;
    uint64_t head = draw_bits(d) & bits_low(d->g.set_w);
    return mshr_score_bad_return(s, head) ? (int)head : MSHR_SCORE_NONE;
}

static void drive_return(struct mshr_stimulus *d, struct mshr_in *in) {
    if (d->ret_head == MSHR_SCORE_NONE && d->bad_ret) {
        /* RET is accepted only between drains, so an earlier offer would find another state */
        bool drains = d->score->draining != MSHR_SCORE_NONE;
        if (drains && !mshr_releasing(d->bad_state))
            return;
        d->ret_head = drains ? choose_releasing(d) : choose_bad_return(d);
    }
    if (d->ret_head == MSHR_SCORE_NONE && d->score->live_entries)
        d->ret_head = choose_return(d, in);
    if (d->ret_head == MSHR_SCORE_NONE)
        return;
    in->ret_valid = 1;
    in->ret_head = (uint64_t)d->ret_head;
}

/* With a two-cycle lookup, looks up the block of the pending request or of the next request.
 * Sometimes looks up the same block again, or another block, so that the request needs a second
 * lookup. */
static void choose_look(struct mshr_stimulus *d, struct mshr_in *in) {
    if (in->req_valid && !d->ahead && !one_in(d, 4)) {
        d->ahead_addr = one_in(d, 8) ? draw_neighbor(d, in->req_addr) : choose_address(d);
        d->ahead = true;
    }
    if (in->req_valid ? d->ahead && !one_in(d, 3) : !d->offering && d->ahead) {
        in->look = 1;
        in->look_addr = d->ahead_addr;
    } else if (in->req_valid ? one_in(d, d->score->stale ? 2 : 8) : d->offering && !one_in(d, 16)) {
        in->look = 1;
        in->look_addr = d->req.req_addr;
    } else if (one_in(d, 16)) {
        in->look = 1;
        in->look_addr = hot_address(d);
    }
}

/* Drives the lookup inputs, which are unused and get noise with a one-cycle lookup. */
static void drive_look(struct mshr_stimulus *d, struct mshr_in *in) {
    uint64_t state = d->cycle, noise = random_next(&state);
    in->look_addr = noise & d->g.addr_mask;
    if (!d->g.looks) {
        in->look = noise >> 63;
        return;
    }
    choose_look(d, in);
}

static bool reset_now(struct mshr_stimulus *d) {
    if (d->reset_wait && (mshr_score_past_head(d->score) || --d->reset_wait == 0)) {
        d->reset_wait = 0;
        d->reset_in = 1;
    }
    return d->reset_in == 1;
}

/* Returns the first head that RET may free, in cyclic order from `start`, or `start`. */
static unsigned matchable_head(const struct mshr_stimulus *d, unsigned start) {
    for (unsigned i = 0; i < d->g.sets; i++)
        if (d->score->entry[(start + i) % d->g.sets].matchable)
            return (start + i) % d->g.sets;
    return start;
}

/* Drives inputs during reset, in which they must be ignored. */
static void drive_reset(struct mshr_stimulus *d, struct mshr_in *in) {
    unsigned head = matchable_head(d, draw_below(d, d->g.sets));
    if (one_in(d, 2) && (!d->g.looks || d->score->looked_up)) {
        in->req_valid = 1;
        in->req_addr = random_address(d);
    }
    if (one_in(d, 2) && d->score->entry[head].matchable) {
        in->ret_valid = 1;
        in->ret_head = head;
    }
}

void mshr_stimulus_drive(struct mshr_stimulus *d, struct mshr_in *in) {
    memset(in, 0, sizeof *in);
    d->withdrawn = false;
    if (d->cycle >= d->phase_end)
        new_phase(d);
    if (d->cycle >= d->next_upset)
        plan_upset(d);
    if (is_quiescing(d)) {
        d->bad_ret = false;
        d->rsp_mix = DELAY_SHORT;
    }
    in->rst = d->cycle == 0 || reset_now(d);
    if (d->reset_in)
        d->reset_in--;
    drive_request(d, in);
    drive_look(d, in);
    drive_return(d, in);
    if (d->rsp_wait) {
        d->rsp_wait--;
    } else {
        in->rsp_ready = 1;
        d->rsp_wait = delay(d, d->rsp_mix, 64);
    }
    if (in->rst)
        drive_reset(d, in);
}

/* ---- Responses ---- */

static void clear_state(struct mshr_stimulus *d) {
    d->ret_head = MSHR_SCORE_NONE;
    d->offering = d->bad_ret = d->ahead = false;
    d->req_wait = d->rsp_wait = d->refused_for = d->pair_left = 0;
    d->reset_in = d->reset_wait = 0;
}

/* Restarts the stimulus after a reset. In half of the cases, it begins with MODE_HEADS, which
 * reveals a pool that the reset left incomplete. */
static void begin_again(struct mshr_stimulus *d) {
    clear_state(d);
    if (!mshr_shares_heads(&d->g) || !one_in(d, 2))
        return;
    d->mode = MODE_HEADS;
    d->phase_end = d->cycle + 2 * d->g.heads_only + 64;
    d->req_mix = d->ret_mix = d->rsp_mix = DELAY_SHORT;
    d->n_hot = 0;
    d->may_withdraw = false;
}

static void saw_request(struct mshr_stimulus *d, const struct mshr_out *out) {
    if (!out->req_ready) {
        d->refused_for++;
        return;
    }
    d->refused_for = 0;
    d->offering = false;
    if (out->req_primary)
        d->due[out->req_head] =
            d->cycle + 1 + delay(d, d->ret_mix, 32 + 4 * d->g.sets * d->g.slots);
}

static void saw_return(struct mshr_stimulus *d, bool bad) {
    d->ret_head = MSHR_SCORE_NONE;
    if (!bad)
        return;
    d->bad_ret = false;
    d->reset_in = 2 + draw_below(d, 6);
}

void mshr_stimulus_saw(struct mshr_stimulus *d, const struct mshr_in *in,
                       const struct mshr_out *out, const struct mshr_look *look) {
    if (in->rst)
        begin_again(d);
    else if (!out->err && in->req_valid)
        saw_request(d, out);
    if (look->ret)
        saw_return(d, look->bad);
    d->cycle++;
}

void mshr_stimulus_init(struct mshr_stimulus *d, const struct mshr_shape *g,
                        const struct mshr_score *score, uint64_t seed, uint64_t total) {
    uint64_t drain = 4 * (uint64_t)g->sets * g->slots + 256;
    *d = (struct mshr_stimulus){
        .g = *g, .score = score, .rng = seed, .total = total, .next_upset = 1024};
    d->drains = drain <= total / 4;
    d->quiet_from = total - (d->drains ? drain : total / 4);
    clear_state(d);
}
