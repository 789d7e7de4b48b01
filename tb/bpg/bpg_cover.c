// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_cover.h"

#include <stdio.h>
#include <string.h>

void bpg_cover_init(struct bpg_cover *c, const struct bpg_geometry *g) {
    *c = (struct bpg_cover){.g = *g};
}

static void count_event(struct bpg_cover *c, enum bpg_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- Accesses ---- */

static void cover_finds(struct bpg_cover *c, const struct bpg_score *s,
                        const struct bpg_look *look) {
    unsigned op = s->last_access.op < BPG_OPS ? s->last_access.op : BPG_OPS - 1;
    uint64_t *finds = c->finds[op];
    finds[FINDS_UNSAMPLED] += !look->sampled;
    if (!look->sampled)
        return;
    finds[FINDS_LINE] += (look->counts & look->found) != 0;
    finds[FINDS_NONE] += (look->counts & ~look->found) != 0;
    finds[FINDS_OTHERS] += (look->found & ~look->counts) != 0;
    finds[FINDS_UNCOUNTED] += !look->counts;
    count_event(c, EV_DIFFER, (look->counts & look->found) && (look->counts & ~look->found));
    count_event(c, EV_ALIAS, look->again && look->found && s->last_access.addr != s->recent.addr);
}

static void cover_ways(struct bpg_cover *c, const struct bpg_score *s,
                       const struct bpg_look *look) {
    bool allocates = s->last_access.op == BPG_LOAD || s->last_access.op == BPG_WRITE;
    for (unsigned i = 0; look->counts && i < c->g.calculators; i++) {
        bool *hole = &c->hole[i][look->row], found = look->found >> i & 1;
        unsigned valid = s->valid[i][look->row];
        if (!(look->counts >> i & 1))
            continue;
        if (allocates && !found) {
            count_event(c, EV_ALLOC_EMPTY, valid == 0);
            count_event(c, EV_ALLOC_LAST, valid + 1 == c->g.ways);
            count_event(c, EV_ALLOC_HOLE, *hole);
            count_event(c, EV_ALLOC_LRU, valid == c->g.ways);
            *hole = *hole && valid + 1 < c->g.ways;
        }
        if (s->last_access.op == BPG_EVICT && found)
            *hole = true;
    }
}

static void cover_counters(struct bpg_cover *c, const struct bpg_score *s,
                           const struct bpg_look *look) {
    bool any = false;
    for (unsigned i = 0; i < c->g.calculators; i++) {
        bool hits = s->last_access.op == BPG_LOAD && look->counts & look->found & 1u << i;
        bool full = s->hits[i] == c->g.hit_max;
        any = any || hits;
        count_event(c, EV_HIT_FULL, hits && full);
        count_event(c, EV_HITS_HALVED, look->ends && full);
    }
    count_event(c, EV_FAIL_FULL, s->last_access.fail && s->fails == c->g.fail_max);
    count_event(c, EV_FAILS_HALVED, look->ends && s->fails == c->g.fail_max);
    count_event(c, EV_FAIL_ALONE, s->last_access.fail && !s->last_access.valid);
    count_event(c, EV_END_HIT, look->ends && any);
    count_event(c, EV_END_FAIL, look->ends && s->last_access.fail);
    count_event(c, EV_END_NOTHING, look->ends && (!look->counts || s->last_access.op == BPG_PASS));
}

static void cover_look(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in,
                       const struct bpg_look *look) {
    if (s->last_access.valid) {
        cover_finds(c, s, look);
        cover_ways(c, s, look);
        count_event(c, EV_AGAIN,
                    look->sampled && c->looked == c->cycle && c->line == s->last_access.addr);
        c->line = s->last_access.addr;
        c->looked = c->cycle + 1;
    }
    cover_counters(c, s, look);
    if (look->ends) {
        count_event(c, EV_END_BEHIND, in->acc_valid);
        count_event(c, EV_END_SHORT, c->undisturbed && c->cycle - c->ended == c->g.interval);
        c->ended = c->cycle;
        c->undisturbed = true;
        c->idle = true;
    }
    c->idle = c->idle && !in->acc_valid;
}

/* ---- Decisions ---- */

static void cover_judged(struct bpg_cover *c, const struct bpg_score *s, unsigned k) {
    const struct bpg_decision *d = &s->decision;
    int64_t adjusted = d->adjusted[k - 1];
    if (k == 1)
        c->negative = c->positive = false;
    c->negative = c->negative || adjusted < 0;
    c->positive = c->positive || adjusted > 0;
    count_event(c, EV_JUDGED_NEGATIVE, adjusted < 0);
    if (k > 1) {
        count_event(c, EV_JUDGED_LESS, adjusted < d->best);
        count_event(c, EV_JUDGED_TIE, adjusted == d->best);
        count_event(c, EV_JUDGED_MORE, adjusted > d->best);
    }
    if (k < c->g.calculators)
        return;
    bool last = adjusted >= d->best;
    unsigned best = k == 1 || last ? k : d->best_k;
    c->decided[best - 1]++;
    count_event(c, EV_JUDGED_SIGNS, c->negative && c->positive);
    count_event(c, EV_BEST_NEGATIVE, d->adjusted[best - 1] < 0);
    count_event(c, EV_UPDATE_SAME, best == s->lmax);
    count_event(c, EV_UPDATE_DOWN, best < s->lmax);
    count_event(c, EV_UPDATE_UP, best > s->lmax);
    count_event(c, EV_END_ALONE, c->idle);
}

static void cover_ask(struct bpg_cover *c, const struct bpg_score *s, uint64_t id) {
    unsigned k = c->g.calculators;
    count_event(c, EV_ASK_BELOW, id < s->lmax);
    count_event(c, EV_ASK_AT, s->lmax < k && id == s->lmax);
    count_event(c, EV_ASK_PAST, id > s->lmax && id < k);
    count_event(c, EV_ASK_PAST_K, s->lmax < k && id >= k);
    count_event(c, EV_ASK_K, s->lmax == k && id >= k);
}

static void cover_table(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in) {
    unsigned age = s->decision.age, k = c->g.calculators;
    bool reads = age >= 1 && age <= k;
    unsigned write = in->cube_valid ? (unsigned)in->cube_index + 1 : 0;
    count_event(c, EV_WRITE_BEFORE, reads && c->wrote == age);
    count_event(c, EV_WRITE_READ, reads && write == age);
    count_event(c, EV_WRITE_AFTER, write && age == write + 1);
    count_event(c, EV_WRITE_NONE, write > k);
    count_event(c, EV_WRITE_LAUNCH, write && in->launch);
    count_event(c, EV_WRITE_RESET, write && in->rst);
    c->wrote = write;
}

/* ---- Launch, reset ---- */

static void cover_launch(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in,
                         const struct bpg_look *look) {
    unsigned age = s->decision.age, k = c->g.calculators;
    count_event(c, EV_LAUNCH_END, look->ends);
    count_event(c, EV_LAUNCH_FIRST, age == 1);
    count_event(c, EV_LAUNCH_SECOND, age == 2);
    count_event(c, EV_LAUNCH_JUDGED, look->judged && look->judged < k);
    count_event(c, EV_LAUNCH_LAST, look->judged == k);
    count_event(c, EV_LAUNCH_UPDATE, age == BPG_DECIDES(k));
    count_event(c, EV_LAUNCH_TAKES, in->acc_valid && in->fail);
    count_event(c, EV_LAUNCH_AGAIN, c->launched);
    count_event(c, EV_LAUNCH_PAST, s->lmax < k);
}

static void clear_state(struct bpg_cover *c) {
    c->undisturbed = c->idle = false;
    c->looked = 0;
    memset(c->hole, 0, sizeof c->hole);
}

void bpg_cover_cycle(struct bpg_cover *c, const struct bpg_score *s, const struct bpg_in *in,
                     const struct bpg_look *look) {
    bool stop = in->launch || in->rst;
    cover_table(c, s, in);
    cover_ask(c, s, in->ask_id);
    if (!stop) {
        cover_look(c, s, in, look);
        if (look->judged)
            cover_judged(c, s, look->judged);
    }
    if (in->rst) {
        count_event(c, EV_RESET_DECISION, s->decision.age);
        count_event(c, EV_RESET_PAST, s->lmax < c->g.calculators);
        count_event(c, EV_RESET_LAUNCH, in->launch);
    } else if (in->launch) {
        cover_launch(c, s, in, look);
    }
    if (stop)
        clear_state(c);
    c->launched = in->launch;
    c->cycle++;
}

/* ---- Points that are possible at the parameters ---- */

static bool event_possible(const struct bpg_geometry *g, enum bpg_event e) {
    uint64_t lines = g->tag_mask + 1, k = g->calculators;
    /* In steady state, a counter reaches the number of hits in nearly two intervals before it is
     * halved. */
    bool hits_full = UINT64_C(7) * g->interval > 4 * g->hit_max;
    switch (e) {
    case EV_ALLOC_LAST:
        return lines >= g->ways;
    case EV_ALLOC_LRU:
        return lines > g->ways;
    case EV_ALIAS:
        return g->addr_mask >> g->set_bits > g->tag_mask;
    case EV_HIT_FULL:
    case EV_HITS_HALVED:
        return hits_full;
    case EV_DIFFER:
    case EV_JUDGED_LESS:
    case EV_JUDGED_TIE:
    case EV_JUDGED_MORE:
    case EV_JUDGED_SIGNS:
    case EV_UPDATE_DOWN:
    case EV_UPDATE_UP:
    case EV_LAUNCH_JUDGED:
    case EV_LAUNCH_PAST:
    case EV_RESET_PAST:
    case EV_ASK_AT:
        return k > 1;
    case EV_ASK_PAST:
        return k > 2 && g->id_max > 1;
    case EV_ASK_PAST_K:
        return k > 1 && g->id_max >= k;
    case EV_ASK_K:
        return g->id_max >= k;
    case EV_WRITE_NONE:
        return g->index_max >= k;
    default:
        return true;
    }
}

static bool finds_possible(const struct bpg_geometry *g, enum bpg_finds f) {
    return f == FINDS_UNCOUNTED   ? g->id_max >= g->calculators
           : f == FINDS_UNSAMPLED ? g->stride > 1
                                  : true;
}

size_t bpg_cover_points(struct bpg_cover *c, uint64_t floor, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        BPG_EVENTS(X)
#undef X
    };
    static const char *const ops[] = {"PASS", "LOAD", "UPDATE", "EVICT", "WRITE", "5 to 7"};
    static const char *const finds[] = {"found", "not found",
                                        "found in another calculator's array only",
                                        "user without a calculator", "not sampled"};
    size_t n = 0;
    char(*name)[sizeof c->names[0]] = c->names;
    for (unsigned e = 0; e < N_EVENTS; e++)
        c->points[n++] = (struct cover_point){events[e], c->events[e],
                                              event_possible(&c->g, (enum bpg_event)e) ? floor : 0};
    for (unsigned op = 0; op < BPG_OPS; op++)
        for (unsigned f = 0; f < N_FINDS; f++) {
            snprintf(*name, sizeof *name, "%s: %s", ops[op], finds[f]);
            c->points[n++] = (struct cover_point){
                *name++, c->finds[op][f], finds_possible(&c->g, (enum bpg_finds)f) ? floor : 0};
        }
    for (unsigned k = 1; k <= c->g.calculators; k++) {
        snprintf(*name, sizeof *name, "decided: lmax %u", k);
        c->points[n++] = (struct cover_point){*name++, c->decided[k - 1], floor};
    }
    *points = c->points;
    return n;
}
