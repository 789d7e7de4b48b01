// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_score.h"

#include "cache/addr_map.h"
#include "lib/bits.h"

/* ---- Create and reset ---- */

static uint64_t low_bits(int64_t n) {
    return bits_low((unsigned)n);
}

void bpg_geometry_init(struct bpg_geometry *g, const struct block_params *p) {
    *g = (struct bpg_geometry){
        .set_bits = bits_lowest((uint64_t)p->v[BPG_SETS]),
        .tag_bits = (unsigned)p->v[BPG_TAG_W],
        .stride = (unsigned)(p->v[BPG_SETS] / p->v[BPG_SAMPLED]),
        .index = (unsigned)p->v[BPG_INDEX],
        .sets = (unsigned)p->v[BPG_SETS],
        .ways = (unsigned)p->v[BPG_WAYS],
        .sampled = (unsigned)p->v[BPG_SAMPLED],
        .calculators = (unsigned)p->v[BPG_CALCULATORS],
        .interval = (unsigned)p->v[BPG_INTERVAL],
        .scale = (unsigned)p->v[BPG_HIT_SCALE],
        .index_max = (unsigned)low_bits(bpg_index_bits(p)),
        .adjusted_bits = bpg_adjusted_bits(p),
        .addr_mask = low_bits(p->v[BPG_ADDR_W]),
        .tag_mask = low_bits(p->v[BPG_TAG_W]),
        .id_max = low_bits(p->v[BPG_ID_W]),
        .hit_max = low_bits(p->v[BPG_HIT_W]),
        .fail_max = low_bits(p->v[BPG_FAIL_W]),
    };
}

unsigned bpg_set_of(const struct bpg_geometry *g, uint64_t line) {
    return addr_set((enum set_index)g->index, line, g->sets);
}

/* Sets the state that follows a launch or a reset. */
static void clear_state(struct bpg_score *s) {
    struct bpg_score fresh = {.g = s->g, .lmax = s->g.calculators};
    for (unsigned i = 0; i < BPG_MAX_CALCULATORS; i++)
        fresh.table[i] = s->table[i];
    *s = fresh;
}

void bpg_score_init(struct bpg_score *s, const struct bpg_geometry *g) {
    *s = (struct bpg_score){.g = *g};
    clear_state(s);
}

/* ---- Checking ---- */

static const char *check_lmax(const struct bpg_score *s, const struct bpg_in *in,
                              const struct bpg_out *out) {
    if (out->lmax < 1 || out->lmax > s->g.calculators)
        return "lmax is not the number of a calculator";
    if (out->update != (s->decision.age == BPG_DECIDES(s->g.calculators)))
        return "update in a cycle in which no decision is due";
    if (out->lmax != s->lmax)
        return out->update ? "lmax is not the greatest k with the best Adjusted Hits"
                           : "lmax changes without update, launch or reset";
    if (out->ask_past != (out->lmax < s->g.calculators && in->ask_id >= out->lmax))
        return "ask_past does not match lmax";
    return NULL;
}

/* Checks that st_found is plausible. Returns the broken rule, or NULL. */
static const char *check_found(const struct bpg_score *s, const struct bpg_look *look) {
    for (unsigned i = 0; i < s->g.calculators; i++)
        if (look->found >> i & 1 && !s->valid[i][look->row])
            return "a line is found in a set without lines";
    if (look->again && look->found != s->recent.held)
        return "the arrays that hold the line of the last access have changed since";
    return NULL;
}

static const char *check_look(const struct bpg_score *s, const struct bpg_out *out,
                              struct bpg_look *look) {
    const struct bpg_geometry *g = &s->g;
    if (out->st_look != s->last_access.valid)
        return "an access is not looked up in the cycle after it";
    look->ends = bpg_score_ends(s);
    if (!s->last_access.valid)
        return NULL;
    unsigned set = bpg_set_of(g, s->last_access.addr);
    if (out->st_set != set)
        return "st_set is not the set of the line";
    look->sampled = set % g->stride == 0;
    if (out->st_sampled != look->sampled)
        return "st_sampled is wrong";
    if (!look->sampled)
        return NULL;
    look->row = set / g->stride;
    look->tag = s->last_access.addr >> g->set_bits & g->tag_mask;
    look->again = s->recent.any && look->row == s->recent.row && look->tag == s->recent.tag;
    look->found = (uint32_t)out->st_found;
    if (s->last_access.id < g->calculators)
        look->counts =
            (uint32_t)(bits_low(g->calculators) & ~bits_low((unsigned)s->last_access.id));
    return check_found(s, look);
}

static const char *check_counters(const struct bpg_score *s, const struct bpg_out *out) {
    unsigned width = bits_count(s->g.hit_max);
    if (out->st_count != s->count)
        return "the access count is wrong";
    if (out->st_fails != s->fails)
        return "the failure counter is wrong";
    for (unsigned k = 0; k < s->g.calculators; k++) {
        unsigned bit = k * width;
        uint64_t words = out->st_hits[bit / 32];
        if ((bit + width - 1) / 32 != bit / 32)
            words |= (uint64_t)out->st_hits[bit / 32 + 1] << 32;
        if ((words >> bit % 32 & s->g.hit_max) != s->hits[k])
            return "a hit counter is wrong";
    }
    return NULL;
}

static const char *check_judged(const struct bpg_score *s, const struct bpg_out *out,
                                struct bpg_look *look) {
    unsigned age = s->decision.age, spare = 64 - s->g.adjusted_bits;
    if (age > 2 && age <= s->g.calculators + 2)
        look->judged = age - 2;
    if (out->st_judged != (look->judged > 0))
        return "Adjusted Hits are compared too early, too late, or not at all";
    if (!look->judged)
        return NULL;
    if (out->st_judged_k != look->judged)
        return "the calculators are not compared in order";
    if ((int64_t)(out->st_adjusted << spare) >> spare != s->decision.adjusted[look->judged - 1])
        return "Adjusted Hits do not follow from counters and table";
    return NULL;
}

const char *bpg_score_check(const struct bpg_score *s, const struct bpg_in *in,
                            const struct bpg_out *out, struct bpg_look *look) {
    *look = (struct bpg_look){0};
    const char *broken = check_lmax(s, in, out);
    if (!broken)
        broken = check_look(s, out, look);
    if (!broken)
        broken = check_counters(s, out);
    return broken ? broken : check_judged(s, out, look);
}

/* ---- The clock edge ---- */

static void add_event(uint64_t *counter, bool event, uint64_t max) {
    *counter += event && *counter < max;
}

static void note_line(struct bpg_score *s, const struct bpg_look *look) {
    unsigned op = s->last_access.op;
    uint32_t enters = op == BPG_LOAD || op == BPG_WRITE ? look->counts & ~look->found : 0;
    uint32_t leaves = op == BPG_EVICT ? look->counts & look->found : 0;
    for (unsigned i = 0; i < s->g.calculators; i++) {
        unsigned *valid = &s->valid[i][look->row];
        *valid -= leaves >> i & 1;
        *valid += enters >> i & 1 && *valid < s->g.ways;
    }
    s->recent = (struct bpg_recent){.any = true,
                                    .row = look->row,
                                    .tag = look->tag,
                                    .addr = s->last_access.addr,
                                    .held = (look->found | enters) & ~leaves};
}

static void count_access(struct bpg_score *s, const struct bpg_look *look) {
    add_event(&s->fails, s->last_access.fail, s->g.fail_max);
    if (look->sampled)
        note_line(s, look);
    if (s->last_access.op == BPG_LOAD)
        for (unsigned i = 0; i < s->g.calculators; i++)
            add_event(&s->hits[i], look->found & look->counts & 1u << i, s->g.hit_max);
    s->count += s->last_access.valid;
}

static void make_decision(struct bpg_score *s, const struct bpg_look *look) {
    struct bpg_decision *d = &s->decision;
    unsigned n = s->g.calculators;
    if (d->age >= 1 && d->age <= n) {
        unsigned i = d->age - 1;
        d->adjusted[i] =
            (int64_t)(d->hits[i] << s->g.scale) - (int64_t)(d->fails * s->table[i] >> BPG_CUBE_W);
    }
    if (look->judged && (!d->best_k || d->adjusted[look->judged - 1] >= d->best)) {
        d->best_k = look->judged;
        d->best = d->adjusted[look->judged - 1];
    }
    if (d->age == n + 2)
        s->lmax = d->best_k;
    if (d->age)
        d->age = d->age == BPG_DECIDES(n) ? 0 : d->age + 1;
}

static void end_interval(struct bpg_score *s) {
    s->decision = (struct bpg_decision){.age = 1, .fails = s->fails};
    for (unsigned i = 0; i < s->g.calculators; i++) {
        s->decision.hits[i] = s->hits[i];
        s->hits[i] /= 2;
    }
    s->fails /= 2;
    s->count = 0;
}

void bpg_score_tick(struct bpg_score *s, const struct bpg_in *in, const struct bpg_look *look) {
    make_decision(s, look);
    count_access(s, look);
    if (look->ends)
        end_interval(s);
    s->last_access = (struct bpg_taken){.valid = in->acc_valid,
                                        .fail = in->fail,
                                        .op = (unsigned)in->acc_op,
                                        .addr = in->acc_addr,
                                        .id = in->acc_id};
    if (in->rst || in->launch)
        clear_state(s);
    if (in->cube_valid && in->cube_index < s->g.calculators)
        s->table[in->cube_index] = (uint32_t)in->cube_value;
}
