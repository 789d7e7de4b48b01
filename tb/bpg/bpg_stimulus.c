// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_stimulus.h"

#include "lib/bits.h"
#include "lib/random.h"

#define ONE (1u << (BPG_CUBE_W - 1)) /* 1.0 in the table */

static uint64_t rnd(struct bpg_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned below(struct bpg_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct bpg_stimulus *d, unsigned n) {
    return below(d, n) == 0;
}

/* ---- Phases ---- */

/* Calculator k is to be the best, or as good with a smaller k. */
static bool steered(struct bpg_stimulus *d, unsigned k) {
    unsigned best = d->turn >= N_TURNS ? 1 + (d->turn - N_TURNS) % d->g.calculators : 0;
    return k == best || (k < best && one_in(d, 4));
}

static void draw_table(struct bpg_stimulus *d) {
    unsigned kind = below(d, 3), n = 1 + below(d, 2 * d->g.calculators);
    for (unsigned i = 0; i < d->g.calculators; i++) {
        if (d->phase == PHASE_STEER)
            d->table[i] = steered(d, i + 1) ? 0 : ONE;
        else if (kind == 0)
            d->table[i] = bpg_cube(i + 1, n);
        else
            d->table[i] = kind == 1 ? below(d, ONE + 1) : ONE >> below(d, BPG_CUBE_W);
    }
    d->written = 0;
}

static void draw_accesses(struct bpg_stimulus *d) {
    const struct bpg_geometry *g = &d->g;
    const unsigned spans[] = {1, 2, g->ways - 1, g->ways, g->ways + 1, 2 * g->ways};
    d->lines = (enum bpg_lines)below(d, N_LINES);
    if (d->lines == LINES_UNSAMPLED && g->stride == 1)
        d->lines = LINES_SET;
    d->tag = rnd(d);
    d->line = rnd(d);
    d->row = below(d, g->sampled);
    d->span = spans[below(d, sizeof spans / sizeof spans[0])];
    d->span += d->span == 0;
    d->one_bit = !one_in(d, 3);
    d->bit = d->g.tag_bits - 1 - (one_in(d, 4) ? below(d, d->g.tag_bits) : 0);
    d->own = one_in(d, 4);
    d->users = (enum bpg_users)below(d, N_USERS);
    d->user = below(d, g->calculators);
    d->ops = (enum bpg_ops)below(d, N_OPS);
    d->op = below(d, 8);
    d->acc_rate = one_in(d, 2) ? RATE_ALWAYS : (enum bpg_rate)below(d, RATE_NEVER);
    d->fail_rate = (enum bpg_rate)below(d, N_RATES);
    d->cube_1_in = one_in(d, 8) ? 0 : 1u << below(d, 8);
}

static enum bpg_stop draw_how(struct bpg_stimulus *d) {
    return one_in(d, 8) ? STOP_BOTH : one_in(d, 3) ? STOP_RESET : STOP_LAUNCH;
}

/* A launch or a reset is still to come. */
static bool stop_ahead(const struct bpg_stimulus *d) {
    return d->stop_at >= d->cycle && d->stop_at != UINT64_MAX;
}

/* A launch or a reset in the middle of the phase. */
static void draw_stop(struct bpg_stimulus *d) {
    if (stop_ahead(d))
        return;
    d->stop_at = d->cycle + below(d, (unsigned)(d->phase_end - d->cycle));
    d->stop_cycles = 1 + one_in(d, 2);
    d->stop_how = draw_how(d);
}

unsigned bpg_stimulus_turns(const struct bpg_stimulus *d) {
    return N_TURNS + (d->g.calculators > 6 ? d->g.calculators : 6);
}

static void steer(struct bpg_stimulus *d) {
    d->phase = PHASE_STEER;
    d->turn = (d->turn + 1) % bpg_stimulus_turns(d);
    d->ops = d->turn == TURN_EQUAL ? OPS_ONE : OPS_NO_HIT;
    d->op = BPG_PASS;
    if (d->turn == TURN_SIGNS) {
        d->lines = LINES_SET;
        d->span = 1;
        d->users = USERS_ONE;
        d->user = d->g.calculators - 1;
        if (d->user > d->g.id_max)
            d->user = (unsigned)d->g.id_max;
        d->ops = OPS_LOAD;
    }
    d->acc_rate = d->fail_rate = RATE_ALWAYS;
    d->cube_1_in = d->turn < TURN_SIGNS ? 4 : 0;
    d->stop_at = d->cycle;
    d->stop_cycles = 1;
    d->stop_how = d->turn == TURN_EQUAL ? STOP_BOTH : draw_how(d);
    d->phase_end = d->cycle + d->g.interval + 2 * (d->g.calculators + 8);
}

static void fill_hits(struct bpg_stimulus *d) {
    d->phase = PHASE_HITS;
    d->lines = LINES_SET;
    d->span = 1;
    d->own = false;
    d->users = USERS_ONE;
    d->user = one_in(d, 2) ? 0 : d->user;
    d->ops = OPS_LOAD;
    d->acc_rate = RATE_ALWAYS;
    d->phase_end = d->cycle + 3 * (uint64_t)d->g.interval;
}

static void fill_fails(struct bpg_stimulus *d) {
    d->phase = PHASE_FAILS;
    d->acc_rate = RATE_ALWAYS;
    d->fail_rate = ++d->fills % 4 == 0 ? RATE_NEVER : RATE_ALWAYS;
    d->cube_1_in = 0;
    d->quiet_end = d->cycle + d->g.fail_max + 64;
    d->phase_end = d->quiet_end + d->g.interval + 2;
    d->next_fails = d->phase_end + 3 * (d->phase_end - d->cycle);
}

static void fill_ways(struct bpg_stimulus *d) {
    d->phase = PHASE_WAYS;
    d->lines = LINES_SET;
    d->span = d->g.ways + 1;
    d->one_bit = d->own = false;
    d->users = USERS_COUNTED;
    d->ops = one_in(d, 2) ? OPS_LOAD : OPS_STORES;
    d->acc_rate = RATE_ALWAYS;
    d->phase_end = d->cycle + 64 + 8 * d->g.ways;
}

/* The order of phases repeats after nine. After a steered decision its lmax is kept for a phase;
 * only the next one launches or resets at any time. */
static void new_phase(struct bpg_stimulus *d) {
    uint64_t longest = d->total / 32 + 64, length = 16 + below(d, 112);
    if (!one_in(d, 4))
        length = 64 + below(d, 2 * d->g.interval + 512);
    bool room = d->g.interval < d->total / 16;
    draw_accesses(d);
    d->phase = PHASE_RANDOM;
    d->phase_end = d->cycle + (length < longest ? length : longest);
    d->stop_decisions = false;
    if (d->cycle >= d->next_fails) {
        fill_fails(d);
        return;
    }
    d->phases++;
    if (room && d->phases % 3 == 0) {
        steer(d);
    } else if (room && d->phases % 9 == 4) {
        fill_hits(d);
    } else if (d->phases % 9 == 7) {
        fill_ways(d);
    } else if (d->phases % 3 == 2) {
        d->stop_decisions = one_in(d, 2);
        if (one_in(d, 3))
            draw_stop(d);
    }
    if (d->phase == PHASE_STEER || one_in(d, 2))
        draw_table(d);
}

/* ---- Lines ---- */

/* The line with these bits above the set's that falls into this set. A low bit moves its own bit
 * of the set and perhaps a lower one. */
static uint64_t line_in(const struct bpg_geometry *g, uint64_t tag, unsigned set) {
    uint64_t line = tag << g->set_bits & g->addr_mask;
    for (unsigned bit = g->set_bits; bit-- > 0;)
        line ^= (uint64_t)((bpg_set_of(g, line) ^ set) >> bit & 1) << bit;
    return line;
}

static uint64_t draw_tag(struct bpg_stimulus *d, unsigned user) {
    unsigned i = below(d, d->span) + (d->own ? user * d->span : 0);
    if (!d->one_bit)
        return d->tag + i;
    return i ? d->tag ^ (uint64_t)1 << (d->bit + i - 1) % d->g.tag_bits : d->tag;
}

static uint64_t draw_line(struct bpg_stimulus *d, unsigned user) {
    const struct bpg_geometry *g = &d->g;
    uint64_t tag = draw_tag(d, user);
    unsigned set = d->row * g->stride;
    switch (d->lines) {
    case LINES_STREAM:
        return d->line++ & g->addr_mask;
    case LINES_ANY:
        return rnd(d) & g->addr_mask;
    case LINES_SAMPLED:
        set = below(d, g->sampled) * g->stride;
        break;
    case LINES_UNSAMPLED:
        set = below(d, g->sampled) * g->stride + 1 + below(d, g->stride - 1);
        break;
    case LINES_ALIAS:
        tag = (tag & g->tag_mask) | (rnd(d) & ~g->tag_mask);
        break;
    default:
        break;
    }
    return line_in(g, tag, set);
}

/* ---- A cycle's inputs ---- */

static unsigned draw_user(struct bpg_stimulus *d) {
    const uint64_t k = d->g.calculators;
    const uint64_t edge[] = {0, k - 1, k, k + 1, d->g.id_max};
    switch (d->users) {
    case USERS_ONE:
        return d->user;
    case USERS_FEW:
        return below(d, 2);
    case USERS_COUNTED:
        return below(d, d->g.calculators);
    case USERS_EDGE:
        return (unsigned)edge[below(d, 5)];
    default:
        return below(d, (unsigned)d->g.id_max + 1);
    }
}

static unsigned draw_op(struct bpg_stimulus *d) {
    unsigned other;
    switch (d->ops) {
    case OPS_LOAD:
        return BPG_LOAD;
    case OPS_ONE:
        return d->op;
    case OPS_STORES:
        return one_in(d, 2) ? BPG_LOAD : BPG_UPDATE + below(d, 3);
    case OPS_NO_HIT:
        other = below(d, 7);
        return other == BPG_LOAD ? 7 : other;
    default:
        return below(d, 8);
    }
}

static bool at_rate(struct bpg_stimulus *d, enum bpg_rate rate, bool *on, unsigned *left) {
    switch (rate) {
    case RATE_ALWAYS:
        return true;
    case RATE_HALF:
        return one_in(d, 2);
    case RATE_BURSTS:
        if (!*left) {
            *on = !*on;
            *left = 1 + below(d, 24);
        }
        --*left;
        return *on;
    case RATE_RARE:
        return one_in(d, 16);
    default:
        return false;
    }
}

static void drive_access(struct bpg_stimulus *d, struct bpg_in *in) {
    in->fail = at_rate(d, d->fail_rate, &d->fail_on, &d->fail_left);
    if (d->cycle < d->quiet_end)
        return;
    in->acc_valid = d->cycle >= d->idle_end && at_rate(d, d->acc_rate, &d->acc_on, &d->acc_left);
    unsigned user = draw_user(d);
    in->acc_id = user & d->g.id_max;
    in->acc_op = draw_op(d);
    in->acc_addr = draw_line(d, user);
}

/* An entry with which the failures of the decision, or of the interval, cost a whole number of
 * hits, or a hair less or more: what the low bits of the arithmetic, and of the entry, are for. */
static unsigned whole_cost(struct bpg_stimulus *d) {
    const struct bpg_score *s = d->score;
    unsigned fails = (unsigned)(s->decision.age ? s->decision.fails : s->fails);
    if (fails < 2)
        return ONE >> below(d, 2);
    unsigned cost = 1 + below(d, fails / 2); /* half of failures * entry, entry up to 1.0 */
    unsigned entry = (unsigned)(((uint64_t)cost * 2 * ONE + fails - 1) / fails);
    unsigned hair = one_in(d, 3) ? 0 : 1 + below(d, 1u << below(d, 8));
    if (one_in(d, 2))
        return entry + hair < ONE ? entry + hair : ONE;
    return entry > hair ? entry - hair : 0;
}

/* The whole table after power-up and after draw_table; now and then an entry, most often one that
 * is about to be read, if a decision is being made. */
static void drive_table(struct bpg_stimulus *d, struct bpg_in *in) {
    const struct bpg_score *s = d->score;
    bool busy = s->decision.age || bpg_score_ends(s) || in->launch || in->rst;
    if (d->written < d->g.calculators) {
        in->cube_valid = 1;
        in->cube_index = d->written;
        in->cube_value = d->table[d->written++];
    } else if (d->cube_1_in && (one_in(d, d->cube_1_in) || (busy && one_in(d, 2)))) {
        in->cube_valid = 1;
        in->cube_index = below(d, d->g.index_max + 1);
        if (busy && !one_in(d, 4))
            in->cube_index = (s->decision.age + below(d, 3) - 2) & d->g.index_max;
        in->cube_value = one_in(d, 4) ? (one_in(d, 2) ? ONE : 0) : below(d, ONE + 1);
        if (one_in(d, 2))
            in->cube_value = whole_cost(d);
    }
}

/* Cycles from the end of the interval of PHASE_STEER to a launch or a reset; -1: none.
 * For every fourth k too, when it is in lmax. */
static int steered_stop(struct bpg_stimulus *d) {
    unsigned k = d->g.calculators, n = d->turn - N_TURNS;
    const unsigned stages[] = {
        [TURN_END] = 0,
        [TURN_FIRST] = 1,
        [TURN_SECOND] = 2,
        [TURN_JUDGED] = k > 1 ? 3 + below(d, k - 1) : 3,
        [TURN_LAST] = k + 2,
        [TURN_UPDATE] = k + 3,
        [TURN_RESET] = 1 + below(d, k + 3),
    };
    if (d->turn <= TURN_RESET) {
        d->stop_how = d->turn == TURN_RESET ? STOP_RESET : STOP_LAUNCH;
        return (int)stages[d->turn];
    }
    d->stop_how = n / 4 % 2 ? STOP_LAUNCH : STOP_RESET;
    return d->turn >= N_TURNS && n % 4 == 0 ? (int)k + 5 : -1;
}

/* The interval ends: a launch or a reset at some stage of the decision, or no access until it is
 * made. */
static void stop_decision(struct bpg_stimulus *d) {
    unsigned k = d->g.calculators;
    int stage = -1;
    if (one_in(d, 4))
        d->idle_end = d->cycle + k + 8;
    if (stop_ahead(d))
        return;
    if (d->phase == PHASE_STEER) {
        stage = steered_stop(d);
    } else if (d->stop_decisions) {
        stage = (int)below(d, k + 4);
        d->stop_how = draw_how(d);
    }
    if (stage < 0)
        return;
    d->stop_at = d->cycle + (unsigned)stage;
    d->stop_cycles = 1 + one_in(d, 2);
}

static void drive_stop(struct bpg_stimulus *d, struct bpg_in *in) {
    if (bpg_score_ends(d->score))
        stop_decision(d);
    if (d->cycle >= d->stop_at && d->cycle < d->stop_at + d->stop_cycles) {
        in->rst = d->stop_how != STOP_LAUNCH;
        in->launch = d->stop_how != STOP_RESET;
    }
    if (d->cycle == 0)
        in->rst = 1;
}

static uint64_t draw_ask(struct bpg_stimulus *d) {
    const uint64_t lmax = d->score->lmax, k = d->g.calculators;
    const uint64_t ask[] = {lmax - 1, lmax, lmax + 1, k - 1, k, d->g.id_max, rnd(d), rnd(d)};
    return ask[below(d, 8)] & d->g.id_max;
}

void bpg_stimulus_drive(struct bpg_stimulus *d, struct bpg_in *in) {
    *in = (struct bpg_in){0};
    if (d->cycle >= d->phase_end)
        new_phase(d);
    drive_stop(d, in);
    drive_access(d, in);
    drive_table(d, in);
    in->ask_id = d->cycle < d->quiet_end ? 0 : draw_ask(d);
    d->cycle++;
}

void bpg_stimulus_init(struct bpg_stimulus *d, const struct bpg_geometry *g,
                       const struct bpg_score *score, uint64_t seed, uint64_t total) {
    *d = (struct bpg_stimulus){.g = *g, .score = score, .rng = seed, .total = total};
    d->stop_at = UINT64_MAX;
    d->turn = bpg_stimulus_turns(d) - 1; /* the next is 0 */
    d->next_fails = g->fail_max;
    draw_table(d);
}
