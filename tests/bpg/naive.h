/* SPDX-License-Identifier: Apache-2.0 */
/* Reference model of bpg, written from docs/understand/bpg.md with ways, loops, divisions and
 * cycle numbers. It is slow and independent of the C model. */
#ifndef MEMTWIN_TESTS_BPG_NAIVE_H
#define MEMTWIN_TESTS_BPG_NAIVE_H

#include <stdlib.h>
#include <string.h>

#include "bpg/bpg_ports.h"

struct naive_way {
    bool valid;
    uint64_t tag, used; /* `used` is the cycle of the last use */
};

struct bpg_naive {
    struct block_params p;
    uint64_t now;      /* number of the current cycle */
    struct bpg_in was; /* inputs of the previous cycle; acc_valid and fail are 0 if not accepted */
    uint64_t lmax, count, fails, hits[16], cube[16];
    bool update, deciding;
    uint64_t ended; /* p, the cycle in which the interval's last access was looked up */
    uint64_t copied_fails, copied_hits[16];
    int64_t adjusted[16];
    struct naive_way *way; /* indexed by [k - 1][row][way] */
};

static size_t naive_ways(const struct bpg_naive *n) {
    return (size_t)(n->p.v[BPG_CALCULATORS] * n->p.v[BPG_SAMPLED] * n->p.v[BPG_WAYS]);
}

static void naive_restart(struct bpg_naive *n) {
    struct bpg_naive fresh = {.p = n->p, .now = n->now, .way = n->way};
    memcpy(fresh.cube, n->cube, sizeof fresh.cube);
    fresh.lmax = (uint64_t)n->p.v[BPG_CALCULATORS];
    memset(n->way, 0, naive_ways(n) * sizeof *n->way);
    *n = fresh;
}

static void naive_init(struct bpg_naive *n, const struct block_params *p) {
    memset(n, 0, sizeof *n);
    n->p = *p;
    n->way = calloc(naive_ways(n), sizeof *n->way);
    naive_restart(n);
}

static void naive_free(struct bpg_naive *n) {
    free(n->way);
}

/* ---- Lookup ---- */

/* Returns the remainder of a line's division by the polynomial that ipoly uses for `sets` sets. */
static uint64_t naive_remainder(uint64_t line, uint64_t sets) {
    static const uint64_t by[] = {11, 19, 37, 67, 131, 283, 529, 1033, 2053, 4179};
    unsigned i = 0;
    while (UINT64_C(8) << i < sets)
        i++;
    for (int bit = 47; bit >= 0; bit--)
        if (line >> bit >= sets)
            line ^= by[i] << bit;
    return line;
}

static uint64_t naive_set(const struct bpg_naive *n, uint64_t line) {
    static const int fermi[] = {6, 7, 8, 10, 12};
    const uint64_t sets = (uint64_t)n->p.v[BPG_SETS];
    uint64_t set = line % sets;
    if (n->p.v[BPG_INDEX] == 6)
        return (line / sets * 11 + set) % sets;
    if (n->p.v[BPG_INDEX] == 7)
        return naive_remainder(line, sets);
    if (n->p.v[BPG_INDEX] == 3)
        return set ^ line / sets % sets;
    for (int bit = 0; 1 << bit < n->p.v[BPG_SETS]; bit++) {
        if (n->p.v[BPG_INDEX] == 1)
            set ^= (line >> (bit + 7) & 1) << bit;
        if (n->p.v[BPG_INDEX] == 2 && bit < 5)
            set ^= (line >> fermi[bit] & 1) << bit;
    }
    return set;
}

static uint64_t naive_tag(const struct bpg_naive *n, uint64_t line) {
    return line / (uint64_t)n->p.v[BPG_SETS] % (UINT64_C(1) << n->p.v[BPG_TAG_W]);
}

/* Returns the distance between two adjacent sampled sets, as a number of sets. */
static uint64_t naive_step(const struct bpg_naive *n) {
    return (uint64_t)(n->p.v[BPG_SETS] / n->p.v[BPG_SAMPLED]);
}

static bool naive_sampled(const struct bpg_naive *n, uint64_t line) {
    return naive_set(n, line) % naive_step(n) == 0;
}

/* Returns the ways of the line's set in calculator k's array. */
static struct naive_way *naive_row(const struct bpg_naive *n, int64_t k, uint64_t line) {
    int64_t row = (int64_t)(naive_set(n, line) / naive_step(n));
    return &n->way[((k - 1) * n->p.v[BPG_SAMPLED] + row) * n->p.v[BPG_WAYS]];
}

static struct naive_way *naive_find(const struct bpg_naive *n, int64_t k, uint64_t line) {
    struct naive_way *w = naive_row(n, k, line);
    for (int64_t i = 0; i < n->p.v[BPG_WAYS]; i++)
        if (w[i].valid && w[i].tag == naive_tag(n, line))
            return &w[i];
    return NULL;
}

static struct naive_way *naive_victim(const struct bpg_naive *n, int64_t k, uint64_t line) {
    struct naive_way *w = naive_row(n, k, line), *oldest = w;
    for (int64_t i = 0; i < n->p.v[BPG_WAYS]; i++)
        if (!w[i].valid)
            return &w[i];
    for (int64_t i = 0; i < n->p.v[BPG_WAYS]; i++)
        if (w[i].used < oldest->used)
            oldest = &w[i];
    return oldest;
}

static void naive_calculator(struct bpg_naive *n, int64_t k) {
    uint64_t line = n->was.acc_addr;
    struct naive_way *w = naive_find(n, k, line);
    switch (n->was.acc_op) {
    case BPG_LOAD:
        if (w && n->hits[k - 1] + 1 < UINT64_C(1) << n->p.v[BPG_HIT_W])
            n->hits[k - 1]++; /* fall through */
    case BPG_WRITE:
        if (!w)
            w = naive_victim(n, k, line); /* fall through */
    case BPG_UPDATE:
        if (w)
            *w = (struct naive_way){true, naive_tag(n, line), n->now};
        break;
    case BPG_EVICT:
        if (w)
            w->valid = false;
    }
}

/* ---- A cycle ---- */

static uint64_t naive_past(const struct bpg_naive *n, uint64_t id) {
    return n->lmax != (uint64_t)n->p.v[BPG_CALCULATORS] && id >= n->lmax;
}

static int64_t naive_adjusted_bits(const struct bpg_naive *n) {
    int64_t hit_bits = n->p.v[BPG_HIT_W] + n->p.v[BPG_HIT_SCALE],
            fail_bits = n->p.v[BPG_FAIL_W] - 1;
    return hit_bits > fail_bits ? hit_bits + 1 : fail_bits + 1;
}

/* Computes all outputs; invalid outputs are 0. */
static void naive_eval(const struct bpg_naive *n, const struct bpg_in *in, struct bpg_out *out) {
    int64_t calculators = n->p.v[BPG_CALCULATORS], width = n->p.v[BPG_HIT_W];
    memset(out, 0, sizeof *out);
    out->ask_past = naive_past(n, in->ask_id);
    out->lmax = n->lmax;
    out->update = n->update;
    if (n->was.acc_valid) {
        uint64_t line = n->was.acc_addr;
        out->st_look = 1;
        out->st_set = naive_set(n, line);
        out->st_sampled = naive_sampled(n, line);
        for (int64_t k = 1; k <= calculators; k++)
            if (out->st_sampled && naive_find(n, k, line))
                out->st_found |= UINT64_C(1) << (k - 1);
    }
    out->st_count = n->count;
    out->st_fails = n->fails;
    for (int64_t bit = 0; bit < calculators * width; bit++)
        out->st_hits[bit / 32] |= (uint32_t)(n->hits[bit / width] >> bit % width & 1) << bit % 32;
    if (n->deciding && n->now >= n->ended + 3) {
        out->st_judged = 1;
        out->st_judged_k = n->now - n->ended - 2;
        out->st_adjusted =
            (uint64_t)n->adjusted[out->st_judged_k - 1] % (UINT64_C(1) << naive_adjusted_bits(n));
    }
}

static void naive_copy(struct bpg_naive *n) {
    n->deciding = true;
    n->ended = n->now;
    n->copied_fails = n->fails;
    memcpy(n->copied_hits, n->hits, sizeof n->hits);
    n->fails /= 2;
    for (int k = 0; k < 16; k++)
        n->hits[k] /= 2;
    n->count = 0;
}

static void naive_count(struct bpg_naive *n) {
    if (n->was.fail && n->fails + 1 < UINT64_C(1) << n->p.v[BPG_FAIL_W])
        n->fails++;
    if (!n->was.acc_valid)
        return;
    for (int64_t k = 1; k <= n->p.v[BPG_CALCULATORS]; k++)
        if ((uint64_t)k > n->was.acc_id && naive_sampled(n, n->was.acc_addr))
            naive_calculator(n, k);
    if (++n->count == (uint64_t)n->p.v[BPG_INTERVAL])
        naive_copy(n);
}

static void naive_decide(struct bpg_naive *n) {
    int64_t calculators = n->p.v[BPG_CALCULATORS], best = calculators;
    uint64_t since = n->now - n->ended, k = since;
    if (since <= (uint64_t)calculators)
        n->adjusted[k - 1] = (int64_t)(n->copied_hits[k - 1] << n->p.v[BPG_HIT_SCALE]) -
                             (int64_t)(n->copied_fails * n->cube[k - 1] / 131072);
    if (since != (uint64_t)calculators + 2)
        return;
    for (int64_t i = calculators; i > 0; i--)
        if (n->adjusted[i - 1] > n->adjusted[best - 1])
            best = i;
    n->lmax = (uint64_t)best;
    n->update = true;
    n->deciding = false;
}

static void naive_tick(struct bpg_naive *n, const struct bpg_in *in) {
    n->update = false;
    if (n->deciding)
        naive_decide(n);
    naive_count(n);
    n->was = *in;
    if (in->rst || in->launch)
        naive_restart(n);
    if (in->cube_valid && in->cube_index < (uint64_t)n->p.v[BPG_CALCULATORS])
        n->cube[in->cube_index] = in->cube_value;
    n->now++;
}

#endif
