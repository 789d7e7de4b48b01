// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_stimulus.h"

#include "lib/bits.h"
#include "lib/random.h"

#define ONE (1u << (BPG_CUBE_W - 1)) /* 1.0 in the table */

static uint64_t draw_bits(struct bpg_stimulus *d) {
    return random_next(&d->rng);
}

static unsigned draw_below(struct bpg_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct bpg_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Phases ---- */

/* True if the table is to make calculator k the best one, or to make it tie with the best one,
 * which then has a higher number. */
static bool steered(struct bpg_stimulus *d, unsigned k) {
    unsigned best = d->turn >= N_TURNS ? 1 + (d->turn - N_TURNS) % d->g.calculators : 0;
    return k == best || (k < best && one_in(d, 4));
}

static void draw_table(struct bpg_stimulus *d) {
    unsigned kind = draw_below(d, 3), n = 1 + draw_below(d, 2 * d->g.calculators);
    for (unsigned i = 0; i < d->g.calculators; i++) {
        if (d->phase == BPG_PHASE_STEER)
            d->table[i] = steered(d, i + 1) ? 0 : ONE;
        else if (kind == 0)
            d->table[i] = bpg_cube(i + 1, n);
        else
            d->table[i] = kind == 1 ? draw_below(d, ONE + 1) : ONE >> draw_below(d, BPG_CUBE_W);
    }
    d->written = 0;
}

static void draw_accesses(struct bpg_stimulus *d) {
    const struct bpg_geometry *g = &d->g;
    const unsigned spans[] = {1, 2, g->ways - 1, g->ways, g->ways + 1, 2 * g->ways};
    d->lines = (enum bpg_lines)draw_below(d, BPG_N_LINES);
    if (d->lines == BPG_LINES_UNSAMPLED && g->stride == 1)
        d->lines = BPG_LINES_SET;
    d->tag = draw_bits(d);
    d->line = draw_bits(d);
    d->row = draw_below(d, g->sampled);
    d->span = spans[draw_below(d, sizeof spans / sizeof spans[0])];
    d->span += d->span == 0;
    d->one_bit = !one_in(d, 3);
    d->bit = d->g.tag_bits - 1 - (one_in(d, 4) ? draw_below(d, d->g.tag_bits) : 0);
    d->own = one_in(d, 4);
    d->users = (enum bpg_users)draw_below(d, N_USERS);
    d->user = draw_below(d, g->calculators);
    d->ops = (enum bpg_ops)draw_below(d, N_OPS);
    d->op = draw_below(d, 8);
    d->acc_rate = one_in(d, 2) ? BPG_RATE_ALWAYS : (enum bpg_rate)draw_below(d, BPG_RATE_NEVER);
    d->fail_rate = (enum bpg_rate)draw_below(d, BPG_N_RATES);
    d->cube_1_in = one_in(d, 8) ? 0 : 1u << draw_below(d, 8);
}

static enum bpg_stop draw_how(struct bpg_stimulus *d) {
    return one_in(d, 8) ? STOP_BOTH : one_in(d, 3) ? STOP_RESET : STOP_LAUNCH;
}

/* True if a launch or a reset is still scheduled. */
static bool stop_ahead(const struct bpg_stimulus *d) {
    return d->stop_at >= d->cycle && d->stop_at != UINT64_MAX;
}

/* Schedules a launch or a reset at a random time in the phase, unless one is already scheduled. */
static void draw_stop(struct bpg_stimulus *d) {
    if (stop_ahead(d))
        return;
    d->stop_at = d->cycle + draw_below(d, (unsigned)(d->phase_end - d->cycle));
    d->stop_cycles = 1 + one_in(d, 2);
    d->stop_how = draw_how(d);
}

unsigned bpg_stimulus_turns(const struct bpg_stimulus *d) {
    return N_TURNS + (d->g.calculators > 6 ? d->g.calculators : 6);
}

static void steer(struct bpg_stimulus *d) {
    d->phase = BPG_PHASE_STEER;
    d->turn = (d->turn + 1) % bpg_stimulus_turns(d);
    d->ops = d->turn == TURN_EQUAL ? OPS_ONE : OPS_NO_HIT;
    d->op = BPG_PASS;
    if (d->turn == TURN_SIGNS) {
        d->lines = BPG_LINES_SET;
        d->span = 1;
        d->users = USERS_ONE;
        d->user = d->g.calculators - 1;
        if (d->user > d->g.id_max)
            d->user = (unsigned)d->g.id_max;
        d->ops = OPS_LOAD;
    }
    d->acc_rate = d->fail_rate = BPG_RATE_ALWAYS;
    d->cube_1_in = d->turn < TURN_SIGNS ? 4 : 0;
    d->stop_at = d->cycle;
    d->stop_cycles = 1;
    d->stop_how = d->turn == TURN_EQUAL ? STOP_BOTH : draw_how(d);
    d->phase_end = d->cycle + d->g.interval + 2 * (d->g.calculators + 8);
}

static void fill_hits(struct bpg_stimulus *d) {
    d->phase = BPG_PHASE_HITS;
    d->lines = BPG_LINES_SET;
    d->span = 1;
    d->own = false;
    d->users = USERS_ONE;
    d->user = one_in(d, 2) ? 0 : d->user;
    d->ops = OPS_LOAD;
    d->acc_rate = BPG_RATE_ALWAYS;
    d->phase_end = d->cycle + 3 * (uint64_t)d->g.interval;
}

static void fill_fails(struct bpg_stimulus *d) {
    d->phase = BPG_PHASE_FAILS;
    d->acc_rate = BPG_RATE_ALWAYS;
    d->fail_rate = ++d->fills % 4 == 0 ? BPG_RATE_NEVER : BPG_RATE_ALWAYS;
    d->cube_1_in = 0;
    d->quiet_end = d->cycle + d->g.fail_max + 64;
    d->phase_end = d->quiet_end + d->g.interval + 2;
    d->next_fails = d->phase_end + 3 * (d->phase_end - d->cycle);
}

static void fill_ways(struct bpg_stimulus *d) {
    d->phase = BPG_PHASE_WAYS;
    d->lines = BPG_LINES_SET;
    d->span = d->g.ways + 1;
    d->one_bit = d->own = false;
    d->users = USERS_COUNTED;
    d->ops = one_in(d, 2) ? OPS_LOAD : OPS_STORES;
    d->acc_rate = BPG_RATE_ALWAYS;
    d->phase_end = d->cycle + 64 + 8 * d->g.ways;
}

/* Starts a phase. The sequence of phases repeats every nine phases. The phase after a steered
 * decision keeps the lmax that the decision chose. Only the phase after that may have a launch or a
 * reset at a random time. */
static void new_phase(struct bpg_stimulus *d) {
    uint64_t longest = d->total / 32 + 64, length = 16 + draw_below(d, 112);
    if (!one_in(d, 4))
        length = 64 + draw_below(d, 2 * d->g.interval + 512);
    bool room = d->g.interval < d->total / 16;
    draw_accesses(d);
    d->phase = BPG_PHASE_RANDOM;
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
    if (d->phase == BPG_PHASE_STEER || one_in(d, 2))
        draw_table(d);
}

/* ---- Lines ---- */

/* Returns the line in this set that has `tag` above the set bits. Each low bit of the line changes
 * its own bit of the set number, and perhaps lower bits. */
static uint64_t line_in(const struct bpg_geometry *g, uint64_t tag, unsigned set) {
    uint64_t line = tag << g->set_bits & g->addr_mask;
    for (unsigned bit = g->set_bits; bit-- > 0;)
        line ^= (uint64_t)((bpg_set_of(g, line) ^ set) >> bit & 1) << bit;
    return line;
}

static uint64_t draw_tag(struct bpg_stimulus *d, unsigned user) {
    unsigned i = draw_below(d, d->span) + (d->own ? user * d->span : 0);
    if (!d->one_bit)
        return d->tag + i;
    return i ? d->tag ^ (uint64_t)1 << (d->bit + i - 1) % d->g.tag_bits : d->tag;
}

static uint64_t draw_line(struct bpg_stimulus *d, unsigned user) {
    const struct bpg_geometry *g = &d->g;
    uint64_t tag = draw_tag(d, user);
    unsigned set = d->row * g->stride;
    switch (d->lines) {
    case BPG_LINES_STREAM:
        return d->line++ & g->addr_mask;
    case BPG_LINES_ANY:
        return draw_bits(d) & g->addr_mask;
    case BPG_LINES_SAMPLED:
        set = draw_below(d, g->sampled) * g->stride;
        break;
    case BPG_LINES_UNSAMPLED:
        set = draw_below(d, g->sampled) * g->stride + 1 + draw_below(d, g->stride - 1);
        break;
    case BPG_LINES_ALIAS:
        tag = (tag & g->tag_mask) | (draw_bits(d) & ~g->tag_mask);
        break;
    default:
        break;
    }
    return line_in(g, tag, set);
}

/* ---- Inputs of a cycle ---- */

static unsigned draw_user(struct bpg_stimulus *d) {
    const uint64_t k = d->g.calculators;
    const uint64_t edge[] = {0, k - 1, k, k + 1, d->g.id_max};
    switch (d->users) {
    case USERS_ONE:
        return d->user;
    case USERS_FEW:
        return draw_below(d, 2);
    case USERS_COUNTED:
        return draw_below(d, d->g.calculators);
    case USERS_EDGE:
        return (unsigned)edge[draw_below(d, 5)];
    default:
        return draw_below(d, (unsigned)d->g.id_max + 1);
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
        return one_in(d, 2) ? BPG_LOAD : BPG_UPDATE + draw_below(d, 3);
    case OPS_NO_HIT:
        other = draw_below(d, 7);
        return other == BPG_LOAD ? 7 : other;
    default:
        return draw_below(d, 8);
    }
}

static bool at_rate(struct bpg_stimulus *d, enum bpg_rate rate, bool *on, unsigned *left) {
    switch (rate) {
    case BPG_RATE_ALWAYS:
        return true;
    case BPG_RATE_HALF:
        return one_in(d, 2);
    case BPG_RATE_BURSTS:
        if (!*left) {
            *on = !*on;
            *left = 1 + draw_below(d, 24);
        }
        --*left;
        return *on;
    case BPG_RATE_RARE:
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

/* Returns a value for a table entry at which the failures (of the decision in progress, else of the
 * current interval) cost a whole number of hits, or slightly more or less. This exercises the low
 * bits of the arithmetic and of the value. */
static unsigned whole_cost(struct bpg_stimulus *d) {
    const struct bpg_score *s = d->score;
    unsigned fails = (unsigned)(s->decision.age ? s->decision.fails : s->fails);
    if (fails < 2)
        return ONE >> draw_below(d, 2);
    /* cost = failures * entry / 2, which is at most failures / 2 because entry <= 1.0 */
    unsigned cost = 1 + draw_below(d, fails / 2);
    unsigned entry = (unsigned)(((uint64_t)cost * 2 * ONE + fails - 1) / fails);
    unsigned hair = one_in(d, 3) ? 0 : 1 + draw_below(d, 1u << draw_below(d, 8));
    if (one_in(d, 2))
        return entry + hair < ONE ? entry + hair : ONE;
    return entry > hair ? entry - hair : 0;
}

/* Writes the whole table after power-up and after draw_table. Later, writes single entries, mostly
 * those that the current decision is about to read. */
static void drive_table(struct bpg_stimulus *d, struct bpg_in *in) {
    const struct bpg_score *s = d->score;
    bool busy = s->decision.age || bpg_score_ends(s) || in->launch || in->rst;
    if (d->written < d->g.calculators) {
        in->cube_valid = 1;
        in->cube_index = d->written;
        in->cube_value = d->table[d->written++];
    } else if (d->cube_1_in && (one_in(d, d->cube_1_in) || (busy && one_in(d, 2)))) {
        in->cube_valid = 1;
        in->cube_index = draw_below(d, d->g.index_max + 1);
        if (busy && !one_in(d, 4))
            in->cube_index = (s->decision.age + draw_below(d, 3) - 2) & d->g.index_max;
        in->cube_value = one_in(d, 4) ? (one_in(d, 2) ? ONE : 0) : draw_below(d, ONE + 1);
        if (one_in(d, 2))
            in->cube_value = whole_cost(d);
    }
}

/* Returns the number of cycles from the end of the interval to the launch or reset of this turn of
 * BPG_PHASE_STEER, or -1 if the turn has none. For every fourth k, the launch or reset comes after
 * k has become lmax. */
static int steered_stop(struct bpg_stimulus *d) {
    unsigned k = d->g.calculators, n = d->turn - N_TURNS;
    const unsigned stages[] = {
        [TURN_END] = 0,
        [TURN_FIRST] = 1,
        [TURN_SECOND] = 2,
        [TURN_JUDGED] = k > 1 ? 3 + draw_below(d, k - 1) : 3,
        [TURN_LAST] = k + 2,
        [TURN_UPDATE] = k + 3,
        [TURN_RESET] = 1 + draw_below(d, k + 3),
    };
    if (d->turn <= TURN_RESET) {
        d->stop_how = d->turn == TURN_RESET ? STOP_RESET : STOP_LAUNCH;
        return (int)stages[d->turn];
    }
    d->stop_how = n / 4 % 2 ? STOP_LAUNCH : STOP_RESET;
    return d->turn >= N_TURNS && n % 4 == 0 ? (int)k + 5 : -1;
}

/* Handles the end of an interval. May schedule a launch or a reset at a stage of the decision, and
 * may withhold accesses until the decision has been made. */
static void stop_decision(struct bpg_stimulus *d) {
    unsigned k = d->g.calculators;
    int stage = -1;
    if (one_in(d, 4))
        d->idle_end = d->cycle + k + 8;
    if (stop_ahead(d))
        return;
    if (d->phase == BPG_PHASE_STEER) {
        stage = steered_stop(d);
    } else if (d->stop_decisions) {
        stage = (int)draw_below(d, k + 4);
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
    const uint64_t ask[] = {lmax - 1, lmax,        lmax + 1,     k - 1,
                            k,        d->g.id_max, draw_bits(d), draw_bits(d)};
    return ask[draw_below(d, 8)] & d->g.id_max;
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
    d->turn = bpg_stimulus_turns(d) - 1; /* the next turn is 0 */
    d->next_fails = g->fail_max;
    draw_table(d);
}
