// SPDX-License-Identifier: Apache-2.0
/* bn (UVMBench): learns the structure of a Bayesian network of N two-state nodes from D samples.
 *
 * Kernel `score` has one thread per set of up to four parents. There are S = 1 + C(N-1, 1) + .. +
 * C(N-1, 4) sets. For each node and each of the 2^p states of the set's p parents, the thread
 * visits the samples. It loads the parents' values until one differs from the state; if all match,
 * it loads the node's value and counts it. Then it adds a sum of four logarithms of factorials,
 * from a table, to the score of the set and the node in memory. Sets are ordered by size, then by
 * their members, whose numbering omits the node.
 *
 * Kernel `best` runs in I steps, each with a random order of the nodes and one launch per node. A
 * thread processes one set of the nodes that precede the launch's node. It reads which nodes these
 * are, computes the number of the set, and loads the set's score (a gather). A CTA finds its best
 * score in shared memory and stores the score and its set.
 *
 * Thread-level accesses, with W the sum of 2^p over all sets, and T threads, B CTAs and V sets in
 * all launches of `best`: scores: N W + V loads, N W stores. LG: 4 N W loads. data: the number of
 * loads in the loops of the reference version. parent: N T loads. best: B stores, sets: 4 B stores.
 *
 * With L = 1 a thread of `score` keeps its set and its two counts in local memory, because it
 * indexes them. It stores its p members once, loads one before each parent's value, and stores,
 * loads and updates the counts there. The original also keeps other variables there.
 *
 * Difference from the original: all samples are random. In the original, three of four are zero
 * because of a bug.
 */
#include "lane.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 256
#define MOST_PARENTS 4
#define MOST_NODES 64
#define SEED 0xba1e

enum { SET, COLUMN, VALUE, COUNTS, SCORE, LOG, PARENT = LOG + 4, BEST }; /* registers */

/* Set of parents in ascending order, either as columns or as numbers that omit the node. */
struct bn_set {
    uint32_t size, member[MOST_PARENTS];
};

struct bn {
    struct lane_workload base;
    uint64_t nodes, samples, steps, local, sets_of_all;
    struct rng order_rng;
    uint32_t order[MOST_NODES]; /* order of the nodes in the current step */
    uint32_t node;              /* node of the current launch of kernel `best` */
    uint64_t before,            /* number of nodes that precede `node` */
        tried;                  /* number of sets of those nodes */
    float *found;               /* best score of each launch of kernel `best` */
    ARRAY(int32_t) data;        /* [samples][nodes] */
    ARRAY(float) scores;        /* [nodes][sets_of_all] */
    ARRAY(float) LG;            /* logarithms of factorials */
    ARRAY(uint8_t) parent;      /* for each node: 1 if it precedes the current node */
    ARRAY(float) best;          /* best score of each CTA */
    ARRAY(int32_t) sets;        /* nodes of each CTA's best set, counted from 1; 0 if none */
};

static uint64_t choose(uint64_t n, uint64_t k) {
    uint64_t c = 1;
    for (uint64_t i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return k > n ? 0 : c;
}

/* Returns the number of sets of up to MOST_PARENTS members out of n. */
static uint64_t number_of_sets(uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k <= MOST_PARENTS; k++)
        sum += choose(n, k);
    return sum;
}

/* Returns the set of members 0..n-1 that has the given number. */
static struct bn_set decode(uint64_t number, uint64_t n) {
    struct bn_set s = {0};
    for (; number >= choose(n, s.size); s.size++)
        number -= choose(n, s.size);
    uint32_t next = 0;
    for (uint32_t i = 0; i < s.size; i++) {
        uint64_t with; /* number of sets with `next` as member i */
        for (; number >= (with = choose(n - 1 - next, s.size - 1 - i)); next++)
            number -= with;
        s.member[i] = next++;
    }
    return s;
}

/* Returns the number of a set of members 0..n-1, the inverse of decode. */
static uint64_t encode(const struct bn_set *s, uint64_t n) {
    uint64_t number = 0;
    for (uint32_t k = 0; k < s->size; k++)
        number += choose(n, k);
    uint32_t next = 0;
    for (uint32_t i = 0; i < s->size; i++) {
        for (; next < s->member[i]; next++)
            number += choose(n - 1 - next, s->size - 1 - i);
        next++;
    }
    return number;
}

/* Return the column of a member, and the member of a column. Members are numbered without the
 * node. */
static uint32_t column_of(uint32_t member, uint32_t node) {
    return member < node ? member : member + 1;
}
static uint32_t member_of(uint32_t column, uint32_t node) {
    return column < node ? column : column - 1;
}

/* ---- Kernel `score` ---- */

struct score_warp {
    struct warp_head head;
    uint32_t live, /* lanes with a set */
        in_state,  /* lanes whose parents have this state */
        matches;   /* lanes whose parents match so far */
    uint32_t node, state, p;
    uint64_t sample;
    struct bn_set set[WARP_LANES];
    int32_t value[WARP_LANES], count[WARP_LANES][2];
    float score[WARP_LANES], log[WARP_LANES][4];
};

/* Returns the contribution of one state of the parents to a score. */
static float gain(const float log[4]) {
    return log[0] + log[1] - log[2] + log[3];
}

#define NUMBER thread_in_grid(place, BLOCK, l)
#define PARENT_AT [w->sample * m->nodes + column_of(w->set[l].member[w->p], w->node)]
/* Byte offsets in local memory. */
#define MEMBER_LOCAL(i) (LOCAL_WORD * (uint64_t)(i))
#define COUNT_LOCAL(value) (LOCAL_WORD * (MOST_PARENTS + (uint64_t)(value)))
#define SCORE_AT [w->node * m->sets_of_all + NUMBER]

static void score_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct bn *m = ctx;
    struct score_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(NUMBER < m->sets_of_all);
    w->live = w->head.on;
    ALU(40, w->set[l] = decode(NUMBER, m->nodes - 1), R(SET), 0);
    for (w->p = 0; m->local && w->p < MOST_PARENTS; w->p++) {
        KEEP_LANES(w->p < w->set[l].size);
        STL(MEMBER_LOCAL(w->p), R(SET));
    }
    w->head.on = w->live;
    for (w->node = 0; w->node < m->nodes; w->node++) {
        ALU_RUN(8, R(COLUMN), R(SET));
        for (w->state = 0; w->state < 1u << MOST_PARENTS; w->state++) {
            KEEP_LANES(w->state < 1u << w->set[l].size);
            w->in_state = w->head.on;
            ALU(2, w->count[l][0] = w->count[l][1] = 0, R(COUNTS), 0);
            if (m->local) {
                STL(COUNT_LOCAL(0), R(COUNTS));
                STL(COUNT_LOCAL(1), R(COUNTS));
            }
            for (w->sample = 0; w->sample < m->samples; w->sample++) {
                w->matches = w->in_state;
                for (w->p = 0; w->p < MOST_PARENTS; w->p++) {
                    w->head.on = w->matches;
                    KEEP_LANES(w->p < w->set[l].size);
                    if (m->local)
                        LDL(MEMBER_LOCAL(w->p), R(COLUMN), R(SET));
                    LD(w->value[l], m->data, PARENT_AT, R(VALUE), R(COLUMN));
                    BRANCH(R(VALUE));
                    KEEP_LANES(w->value[l] != (int32_t)(w->state >> w->p & 1));
                    w->matches &= ~w->head.on;
                }
                w->head.on = w->matches;
                LD(w->value[l], m->data, [w->sample * m->nodes + w->node], R(VALUE), 0);
                if (m->local)
                    LDL(COUNT_LOCAL(w->value[l]), R(COUNTS), R(VALUE));
                ALU(2, w->count[l][w->value[l]]++, R(COUNTS), R(VALUE) | R(COUNTS));
                if (m->local)
                    STL(COUNT_LOCAL(w->value[l]), R(COUNTS) | R(VALUE));
                w->head.on = w->in_state;
            }
            if (m->local) {
                LDL(COUNT_LOCAL(0), R(COUNTS), 0);
                LDL(COUNT_LOCAL(1), R(COUNTS), 0);
            }
            LD(w->log[l][0], m->LG, [w->count[l][0]], R(LOG), R(COUNTS));
            LD(w->log[l][1], m->LG, [w->count[l][1]], R(LOG + 1), R(COUNTS));
            LD(w->log[l][2], m->LG, [w->count[l][0] + w->count[l][1] + 1], R(LOG + 2), R(COUNTS));
            LD(w->log[l][3], m->LG, [1], R(LOG + 3), 0);
            LD(w->score[l], m->scores, SCORE_AT, R(SCORE), 0);
            ALU(3, w->log[l][0] = gain(w->log[l]), R(LOG),
                R(LOG) | R(LOG + 1) | R(LOG + 2) | R(LOG + 3));
            ALU(1, w->score[l] += w->log[l][0], R(SCORE), R(SCORE) | R(LOG));
            ST(w->score[l], m->scores, SCORE_AT, R(SCORE));
        }
        w->head.on = w->live;
    }
    WARP_END();
}

/* ---- Kernel `best` ---- */

/* __shared__ arrays of a CTA. */
struct best_block {
    float score[BLOCK];
    uint32_t thread[BLOCK];
};

struct best_warp {
    struct warp_head head;
    uint32_t j, half;
    uint8_t flag[WARP_LANES];
    float score[WARP_LANES];
    struct bn_set set[WARP_LANES]; /* set of each lane, as columns */
};

/* Returns the set of nodes before m->node that has the given number, as columns. */
static struct bn_set set_before(const struct bn *m, uint64_t number) {
    uint32_t column[MOST_NODES], n = 0;
    for (uint32_t j = 0; j < m->nodes; j++)
        if (m->parent.v[j])
            column[n++] = j;
    struct bn_set s = decode(number, n);
    for (uint32_t i = 0; i < s.size; i++)
        s.member[i] = column[s.member[i]];
    return s;
}

/* Returns the index in `scores` of the current node's score for a set of columns. */
static uint64_t place_of(const struct bn *m, struct bn_set s) {
    for (uint32_t i = 0; i < s.size; i++)
        s.member[i] = member_of(s.member[i], m->node);
    return m->node * m->sets_of_all + encode(&s, m->nodes - 1);
}

static int32_t member_or_none(const struct bn_set *s, uint32_t i) {
    return i < s->size ? (int32_t)s->member[i] + 1 : 0;
}

static void better(struct best_block *s, uint32_t t, uint32_t other) {
    if (s->score[other] > s->score[t] ||
        (s->score[other] == s->score[t] && s->thread[other] < s->thread[t])) {
        s->score[t] = s->score[other];
        s->thread[t] = s->thread[other];
    }
}

static void enter(struct best_block *s, uint32_t t, float score) {
    s->score[t] = score;
    s->thread[t] = t;
}

#define T thread_in_block(place, l)

static void best_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct bn *m = ctx;
    struct best_block *s = cta;
    struct best_warp *w = state;

    WARP_BEGIN();
    for (w->j = 0; w->j < m->nodes; w->j++) {
        LD(w->flag[l], m->parent, [w->j], R(PARENT), 0);
        ALU_RUN(2, R(COLUMN), R(PARENT));
    }
    ALU(1, w->score[l] = -FLT_MAX, R(SCORE), 0);
    ALU_RUN(1, R(SET), 0);
    BRANCH(0);
    KEEP_LANES(NUMBER < m->tried);
    ALU(60, w->set[l] = set_before(m, NUMBER), R(SET), R(COLUMN));
    LD(w->score[l], m->scores, [place_of(m, w->set[l])], R(SCORE), R(SET));
    EVERY_LANE();
    SHARED(2, enter(s, T, w->score[l]), 0, R(SCORE));
    BAR();
    for (w->half = BLOCK / 2; w->half > 0; w->half /= 2) {
        BRANCH(0);
        KEEP_LANES(T < w->half);
        SHARED(3, better(s, T, T + w->half), R(BEST), 0);
        EVERY_LANE();
        BAR();
    }
    KEEP_LANES(T == 0);
    SHARED(1, (void)0, R(BEST), 0);
    ST(s->score[0], m->best, [place->cta[0]], R(BEST));
    EVERY_LANE();
    SHARED(1, (void)0, R(BEST), 0);
    BRANCH(R(BEST));
    KEEP_LANES(T == s->thread[0]);
    for (w->j = 0; w->j < MOST_PARENTS; w->j++)
        ST(member_or_none(&w->set[l], w->j), m->sets, [4 * place->cta[0] + w->j], R(SET));
    WARP_END();
}

/* ---- Launches ---- */

static void shuffle(uint32_t *order, uint64_t n, struct rng *r) {
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint64_t i = n - 1; i > 0; i--) {
        const uint64_t j = rng_below(r, i + 1);
        const uint32_t at_i = order[i];
        order[i] = order[j];
        order[j] = at_i;
    }
}

/* Stores the best score of the last launch of kernel `best` in m->found, on the host. */
static void take_best(struct bn *m) {
    float best = -FLT_MAX;
    for (uint64_t b = 0; b < m->tried / BLOCK + 1; b++)
        best = fmaxf(best, m->best.v[b]);
    if (m->base.launched > 1)
        m->found[m->base.launched - 2] = best;
}

/* Prepares launch k of kernel `best` on the host. */
static void begin_node(struct bn *m, uint64_t k) {
    if (k % m->nodes == 0)
        shuffle(m->order, m->nodes, &m->order_rng);
    m->before = k % m->nodes;
    m->node = m->order[m->before];
    m->tried = number_of_sets(m->before);
    memset(m->parent.v, 0, m->nodes);
    for (uint64_t i = 0; i < m->before; i++)
        m->parent.v[m->order[i]] = 1;
    memset(m->best.v, 0, m->best.dev->bytes);
    memset(m->sets.v, 0, m->sets.dev->bytes);
}

static bool bn_next(struct workload *w, struct kernel_launch *launch) {
    struct bn *m = (struct bn *)w;
    const bool score = m->base.launched == 0;
    if (m->base.launched == m->base.w.launches)
        return false;
    if (!score) {
        take_best(m);
        begin_node(m, m->base.launched - 1);
    }
    m->base.launched++;
    *launch = score ? (struct kernel_launch){.name = "bn score",
                                             .warp_state_size = sizeof(struct score_warp),
                                             .step = score_step}
                    : (struct kernel_launch){.name = "bn best",
                                             .shared_bytes = sizeof(struct best_block),
                                             .warp_state_size = sizeof(struct best_warp),
                                             .cta_state_size = sizeof(struct best_block),
                                             .step = best_step};
    launch_1d(launch, (score ? m->sets_of_all : m->tried) / BLOCK + 1, BLOCK);
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

/* Counts the samples in which the set's columns are in a state, separately for the node's values 0
 * and 1. Returns the number of loads of `data`. */
static uint64_t count_samples(const struct bn *m, const struct bn_set *columns, uint32_t node,
                              uint32_t state, uint32_t count[2]) {
    uint64_t loads = 0;
    count[0] = count[1] = 0;
    for (uint64_t i = 0; i < m->samples; i++) {
        const int32_t *row = &m->data.v[i * m->nodes];
        uint32_t p = 0;
        while (p < columns->size && row[columns->member[p]] == (int32_t)(state >> p & 1))
            p++;
        if (p == columns->size)
            count[row[node]]++;
        loads += p + 1;
    }
    return loads;
}

/* Computes the score of a set with each node, and stores it in want[]. Returns the number of loads
 * of `data`. */
static uint64_t score_set(const struct bn *m, const struct bn_set *set, float *want) {
    uint64_t loads = 0;
    for (uint32_t node = 0; node < m->nodes; node++) {
        struct bn_set columns = *set;
        float score = 0;
        for (uint32_t i = 0; i < set->size; i++)
            columns.member[i] += columns.member[i] >= node;
        for (uint32_t state = 0; state < 1u << set->size; state++) {
            uint32_t count[2];
            loads += count_samples(m, &columns, node, state, count);
            const float *lg = m->LG.v;
            score += gain(
                (const float[4]){lg[count[0]], lg[count[1]], lg[count[0] + count[1] + 1], lg[1]});
        }
        want[node * m->sets_of_all] = score;
    }
    return loads;
}

/* Advances to the next set of members 0..n-1. The set must not be the last one. */
static void next_set(struct bn_set *s, uint32_t n) {
    uint32_t i = s->size;
    while (i > 0 && s->member[i - 1] == n - s->size + i - 1)
        i--;
    if (i > 0) {
        s->member[i - 1]++;
    } else {
        s->size++;
        s->member[0] = 0;
        i = 1;
    }
    for (; i < s->size; i++)
        s->member[i] = s->member[i - 1] + 1;
}

/* Computes all scores. Returns the number of loads of `data`. */
static uint64_t score_all(const struct bn *m, float *want) {
    struct bn_set s = {0};
    uint64_t loads = 0;
    for (uint64_t i = 0; i < m->sets_of_all; i++) {
        loads += score_set(m, &s, &want[i]);
        if (i + 1 < m->sets_of_all)
            next_set(&s, (uint32_t)m->nodes - 1);
    }
    return loads;
}

/* Returns true if all members of a set precede the node in the order. Sets `nodes` to the members,
 * counted from 1. */
static bool comes_before(const struct bn_set *s, const uint32_t *order, uint64_t before,
                         int32_t nodes[MOST_PARENTS]) {
    memset(nodes, 0, MOST_PARENTS * sizeof *nodes);
    for (uint32_t i = 0; i < s->size; i++) {
        const uint32_t column = s->member[i] + (s->member[i] >= order[before]);
        bool found = false;
        for (uint64_t k = 0; k < before; k++)
            found |= order[k] == column;
        if (!found)
            return false;
        nodes[i] = (int32_t)column + 1;
    }
    return true;
}

/* Computes one launch of kernel `best` for the reference version: the best score and set of each
 * CTA. Returns the best score of all. */
static float search(const struct bn *m, const uint32_t *order, uint64_t before, const float *scores,
                    float *best, int32_t *sets) {
    struct bn_set s = {0};
    uint64_t tried = 0;
    float most = -FLT_MAX;
    memset(best, 0, m->best.dev->bytes);
    memset(sets, 0, m->sets.dev->bytes);
    for (uint64_t b = 0; b < number_of_sets(before) / BLOCK + 1; b++)
        best[b] = -FLT_MAX;
    for (uint64_t i = 0; i < m->sets_of_all; i++) {
        int32_t nodes[MOST_PARENTS];
        if (comes_before(&s, order, before, nodes)) {
            const uint64_t block = tried++ / BLOCK;
            const float score = scores[order[before] * m->sets_of_all + i];
            if (score > best[block]) {
                best[block] = score;
                memcpy(&sets[MOST_PARENTS * block], nodes, sizeof nodes);
            }
            most = fmaxf(most, score);
        }
        if (i + 1 < m->sets_of_all)
            next_set(&s, (uint32_t)m->nodes - 1);
    }
    return most;
}

/* Sets the expected access counts from the formulae in the file's header. */
static void bn_expect(struct bn *m, uint64_t loads) {
    const uint64_t n = m->nodes;
    uint64_t states = 0, tried = 0, blocks = 0;
    for (uint64_t k = 0; k <= MOST_PARENTS; k++)
        states += choose(n - 1, k) << k;
    for (uint64_t before = 0; before < n; before++) {
        tried += m->steps * number_of_sets(before);
        blocks += m->steps * (number_of_sets(before) / BLOCK + 1);
    }
    expect_accesses(m->data.dev, loads, 0);
    expect_accesses(m->scores.dev, n * states + tried, n * states);
    expect_accesses(m->LG.dev, 4 * n * states, 0);
    expect_accesses(m->parent.dev, n * blocks * BLOCK, 0);
    expect_accesses(m->best.dev, 0, blocks);
    expect_accesses(m->sets.dev, 0, MOST_PARENTS * blocks);
}

struct bn_plain {
    float *scores, *found, *best;
    int32_t *sets;
};

static int compare(struct bn *m, const struct bn_plain *p, struct error *err) {
    struct rng r = {SEED + 1};
    uint32_t order[MOST_NODES];
    bn_expect(m, score_all(m, p->scores));
    for (uint64_t k = 0; k < m->steps * m->nodes; k++) {
        if (k % m->nodes == 0)
            shuffle(order, m->nodes, &r);
        p->found[k] = search(m, order, k % m->nodes, p->scores, p->best, p->sets);
    }
    take_best(m);
    int rc = verify_floats("scores", m->scores.v, p->scores, m->nodes * m->sets_of_all, err);
    if (rc == 0)
        rc = verify_floats("best", m->best.v, p->best, m->best.dev->bytes / sizeof *p->best, err);
    if (rc == 0)
        rc = verify_ints("sets", m->sets.v, p->sets, m->sets.dev->bytes / sizeof *p->sets, err);
    if (rc == 0)
        rc = verify_floats("best of a launch", m->found, p->found, m->steps * m->nodes, err);
    return rc;
}

static int bn_verify(struct workload *w, struct error *err) {
    struct bn *m = (struct bn *)w;
    struct bn_plain p = {
        .scores = alloc_array(m->scores.dev->bytes, 1),
        .found = alloc_array(m->steps * m->nodes, sizeof *p.found),
        .best = alloc_array(m->best.dev->bytes, 1),
        .sets = alloc_array(m->sets.dev->bytes, 1),
    };
    const int rc = compare(m, &p, err);
    free(p.scores);
    free(p.found);
    free(p.best);
    free(p.sets);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void bn_destroy(struct workload *w) {
    struct bn *m = (struct bn *)w;
    free(m->found);
    workload_free(w);
}

static void bn_inputs(struct bn *m) {
    struct rng r = {SEED};
    double sum = 0;
    for (uint64_t i = 0; i < m->samples * m->nodes; i++)
        m->data.v[i] = (int32_t)rng_below(&r, 2);
    for (uint64_t i = 1; i < m->samples + 2; i++) {
        sum += log((double)i);
        m->LG.v[i] = (float)sum;
    }
    m->order_rng.state = SEED + 1;
}

static bool bn_create(struct workload *w, const uint64_t *v) {
    struct bn *m = (struct bn *)w;
    m->nodes = v[0];
    m->samples = v[1];
    m->steps = v[2];
    m->local = v[3];
    m->sets_of_all = number_of_sets(m->nodes - 1);
    m->base.w.launches = 1 + m->steps * m->nodes;
    m->found = alloc_array(m->steps * m->nodes, sizeof *m->found);
    const uint64_t blocks = m->sets_of_all / BLOCK + 1;
    if (!NEW_ARRAY(m, data, m->samples * m->nodes) ||
        !NEW_ARRAY(m, scores, m->nodes * m->sets_of_all) || !NEW_ARRAY(m, LG, m->samples + 2) ||
        !NEW_ARRAY(m, best, blocks) || !NEW_ARRAY(m, parent, m->nodes) ||
        !NEW_ARRAY(m, sets, MOST_PARENTS * blocks))
        return false;
    bn_inputs(m);
    return true;
}

const struct workload_type workload_bn = {
    .name = "bn",
    .suite = "UVMBench",
    .class = "regular",
    .doc = "structure of a Bayesian network: scans of a small table, coalesced sums, then gathers",
    .size_doc = "N[,D[,I[,L]]]: nodes, samples, random orders to try; L=1: sets and counts "
                "in local memory",
    .default_size = "20,16,4,0",
    .size = {{"N", 1, MOST_NODES}, {"D", 1, 1u << 20}, {"I", 1, 1000}, {"L", 0, 1}},
    .state_size = sizeof(struct bn),
    .next = bn_next,
    .verify = bn_verify,
    .destroy = bn_destroy,
    .create = bn_create,
};
