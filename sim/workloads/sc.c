// SPDX-License-Identifier: Apache-2.0
/* sc (UVMBench, Rodinia streamcluster): searches locally for cluster centers among N points of D
 * dimensions.
 *
 * Each launch computes the gain of making one candidate point a center. One thread per point finds
 * the point's cost with that center, and writes the saving into the point's row of the work matrix.
 * It writes to the column of the point's present center or, if the point would change to the
 * candidate, to the last column. The host sums up the columns. If the total is a gain, the host
 * opens the center, closes centers if that lowers the cost, and moves points. The work matrix has a
 * row of K + 1 for each point, with K the current number of centers; it is cleared before each
 * launch. The number of launches is L, and the cost of a center is fixed. (In the original, both
 * depend on the data, because it repeats passes and bisects the cost.)
 *
 * Thread-level accesses, after L launches in which S points in total would change: coord: 2 D N L
 * loads. point: 3 N L loads. center_table: N L - S loads. switch_m: S stores. work: N L loads, N L
 * stores. S comes from the reference version.
 */
#include "lane.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 512
#define SEED 0x5c1
#define CANDIDATES 69 /* floor(3 k ln k) with k = 10, the minimum number of centers */
#define PASS 179      /* launches between shuffles: floor(3 k ln k) with k = 20, the maximum */

enum { INDEX, FIRST, SECOND, COST, WEIGHT, OLD_COST, ASSIGN, COLUMN, WORK }; /* registers */

struct sc_point {
    float weight;
    uint64_t coord; /* a pointer in the original */
    int64_t assign; /* index of the point that is this point's center */
    float cost;     /* squared distance from the center, times the weight */
};

/* State that the launches and the host share. */
struct search {
    uint64_t n, dims;
    const float *coord; /* [dims][n] */
    struct sc_point *point;
    int32_t *center_table; /* column of each center */
    uint8_t *switch_m;     /* 1 if the point would change to the candidate */
    float *work;           /* [n][k + 1] */
    bool *is_center;
    uint64_t k;       /* number of centers */
    uint64_t x;       /* candidate */
    float open_cost;  /* cost of a center */
    uint64_t changes; /* S in the formulae in the file's header */
    struct rng rng;   /* generator that chooses candidates */
    uint64_t candidate[CANDIDATES];
};

struct sc {
    struct lane_workload base;
    uint64_t n, dims, k0, n_launches;
    struct search s;         /* search on the device arrays */
    struct search reference; /* search on its own memory */
    bool done;               /* true if the reference version has run */
    ARRAY(float) coord;
    ARRAY(struct sc_point) point;
    ARRAY(int32_t) center_table;
    ARRAY(uint8_t) switch_m;
    ARRAY(float) work;
};

struct sc_warp {
    struct warp_head head;
    uint64_t d;
    uint32_t changes; /* lanes with a point that would change */
    float a[WARP_LANES], b[WARP_LANES], cost[WARP_LANES], weight[WARP_LANES], old[WARP_LANES];
    float work[WARP_LANES];
    int64_t assign[WARP_LANES];
    int32_t column[WARP_LANES];
};

static float squared(float a) {
    return a * a;
}

static void sc_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct sc *m = ctx;
    struct sc_warp *w = state;
    const uint64_t p = thread_in_grid(place, BLOCK, 0); /* index of lane 0's point */
    const uint64_t k = m->s.k, stride = k + 1;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX) | R(COST), 0);
    RETURN_UNLESS(p + l < m->n);
    for (w->d = 0; w->d < m->dims; w->d++) {
        LD(w->a[l], m->coord, [w->d * m->n + m->s.x], R(FIRST), R(INDEX));
        LD(w->b[l], m->coord, [w->d * m->n + p + l], R(SECOND), R(INDEX));
        ALU(3, w->cost[l] += squared(w->b[l] - w->a[l]), R(COST), R(COST) | R(FIRST) | R(SECOND));
    }
    LD(w->weight[l], m->point, [p + l].weight, R(WEIGHT), R(INDEX));
    LD(w->old[l], m->point, [p + l].cost, R(OLD_COST), R(INDEX));
    ALU(1, w->cost[l] *= w->weight[l], R(COST), R(COST) | R(WEIGHT));
    BRANCH(R(COST) | R(OLD_COST));
    FIND_LANES(&w->changes, w->cost[l] < w->old[l]);
    w->head.on &= w->changes;
    ST(1, m->switch_m, [p + l], R(INDEX));
    LD(w->old[l], m->point, [p + l].cost, R(OLD_COST), R(INDEX));
    LD(w->work[l], m->work, [(p + l) * stride + k], R(WORK), R(INDEX));
    ALU(2, w->work[l] += w->cost[l] - w->old[l], R(WORK), R(WORK) | R(COST) | R(OLD_COST));
    ST(w->work[l], m->work, [(p + l) * stride + k], R(WORK) | R(INDEX));
    w->head.on = warp_live_lanes(place) & ~w->changes;
    KEEP_LANES(p + l < m->n);
    LD(w->assign[l], m->point, [p + l].assign, R(ASSIGN), R(INDEX));
    LD(w->column[l], m->center_table, [w->assign[l]], R(COLUMN), R(ASSIGN));
    LD(w->work[l], m->work, [(p + l) * stride + (uint64_t)w->column[l]], R(WORK), R(COLUMN));
    ALU(2, w->work[l] += w->old[l] - w->cost[l], R(WORK), R(WORK) | R(COST) | R(OLD_COST));
    ST(w->work[l], m->work, [(p + l) * stride + (uint64_t)w->column[l]], R(WORK) | R(COLUMN));
    WARP_END();
}

static float weighted_cost(const struct search *s, uint64_t p, uint64_t center) {
    float cost = 0;
    for (uint64_t d = 0; d < s->dims; d++)
        cost += squared(s->coord[d * s->n + p] - s->coord[d * s->n + center]);
    return cost * s->point[p].weight;
}

/* Finds the savings of a launch for the reference version. */
static void find_savings(struct search *s) {
    for (uint64_t p = 0; p < s->n; p++) {
        const float cost = weighted_cost(s, p, s->x), old = s->point[p].cost;
        float *row = &s->work[p * (s->k + 1)];
        if (cost < old) {
            s->switch_m[p] = 1;
            s->changes++;
            row[s->k] += cost - old;
        } else {
            row[s->center_table[s->point[p].assign]] += old - cost;
        }
    }
}

static float column_sum(const struct search *s, uint64_t column) {
    float sum = 0;
    for (uint64_t p = 0; p < s->n; p++)
        sum += s->work[p * (s->k + 1) + column];
    return sum;
}

/* Prepares launch i on the host. Assigns columns to the centers, chooses the candidate, and clears
 * the work matrix. */
static void begin_launch(struct search *s, unsigned i) {
    s->k = 0;
    for (uint64_t p = 0; p < s->n; p++)
        if (s->is_center[p])
            s->center_table[p] = (int32_t)s->k++;
    for (uint64_t c = CANDIDATES - 1; i % PASS == 0 && c > 0; c--) {
        const uint64_t other = rng_below(&s->rng, c + 1), swap = s->candidate[c];
        s->candidate[c] = s->candidate[other];
        s->candidate[other] = swap;
    }
    s->x = s->candidate[i % PASS % CANDIDATES];
    memset(s->switch_m, 0, s->n);
    memset(s->work, 0, s->n * (s->k + 1) * sizeof *s->work);
}

/* Makes the candidate a center. Moves the points that gain, and the points of centers that close,
 * to the candidate. */
static void open_candidate(struct search *s, const bool *closes) {
    for (uint64_t p = 0; p < s->n; p++) {
        struct sc_point *point = &s->point[p];
        if (!s->switch_m[p] && !closes[s->center_table[point->assign]])
            continue;
        point->cost = weighted_cost(s, p, s->x);
        point->assign = (int64_t)s->x;
    }
    for (uint64_t p = 0; p < s->n; p++)
        if (s->is_center[p] && closes[s->center_table[p]])
            s->is_center[p] = false;
    s->is_center[s->x] = true;
}

/* Performs the host's work after a launch. `closes` has one element per center. */
static void end_launch(struct search *s, bool *closes) {
    float change = s->open_cost + column_sum(s, s->k);
    for (uint64_t c = 0; c < s->k; c++) {
        const float saved = s->open_cost + column_sum(s, c);
        closes[c] = saved > 0;
        if (closes[c])
            change -= saved;
    }
    if (change < 0)
        open_candidate(s, closes);
}

/* Makes the first k0 points the centers. With uniform points, opening one more center saves about 1
 * / (8 k0) of the total cost. A center costs that much, so centers open and close. */
static void begin_search(struct search *s, uint64_t k0) {
    float total = 0;
    for (uint64_t p = 0; p < s->n; p++) {
        struct sc_point *point = &s->point[p];
        point->weight = 1;
        s->is_center[p] = p < k0;
        for (uint64_t c = 0; c < k0; c++) {
            const float cost = weighted_cost(s, p, c);
            if (c > 0 && !(cost < point->cost))
                continue;
            point->cost = cost;
            point->assign = (int64_t)c;
        }
        total += point->cost;
    }
    s->open_cost = total / (8 * (float)k0);
    s->rng.state = SEED + 1;
    for (unsigned c = 0; c < CANDIDATES; c++)
        s->candidate[c] = rng_below(&s->rng, s->n);
}

/* Returns the number of elements in the work matrix. Every launch but the last may add a center. */
static uint64_t work_size(const struct sc *m) {
    return m->n * (m->k0 + m->n_launches);
}

static void search_memory(struct sc *m, struct search *s) {
    s->n = m->n;
    s->dims = m->dims;
    s->coord = m->coord.v;
    s->is_center = alloc_zeroed(m->n, sizeof *s->is_center);
    if (s != &m->reference) {
        s->point = m->point.v;
        s->center_table = m->center_table.v;
        s->switch_m = m->switch_m.v;
        s->work = m->work.v;
        return;
    }
    s->point = alloc_zeroed(m->n, sizeof *s->point);
    s->center_table = alloc_zeroed(m->n, sizeof *s->center_table);
    s->switch_m = alloc_zeroed(m->n, sizeof *s->switch_m);
    s->work = alloc_zeroed(work_size(m), sizeof *s->work);
}

static void sc_destroy(struct workload *w) {
    struct sc *m = (struct sc *)w;
    free(m->s.is_center);
    free(m->reference.is_center);
    free(m->reference.point);
    free(m->reference.center_table);
    free(m->reference.switch_m);
    free(m->reference.work);
    workload_free(w);
}

/* Runs the reference version after the last launch, and sets the expected access counts from the
 * formulae in the file's header. */
static void finish(struct sc *m, bool *closes) {
    struct search *s = &m->reference;
    begin_search(s, m->k0);
    for (unsigned i = 0; i < m->n_launches; i++) {
        begin_launch(s, i);
        find_savings(s);
        end_launch(s, closes);
    }
    const uint64_t threads = m->n * m->n_launches;
    expect_accesses(m->coord.dev, 2 * m->dims * threads, 0);
    expect_accesses(m->point.dev, 3 * threads, 0);
    expect_accesses(m->center_table.dev, threads - s->changes, 0);
    expect_accesses(m->switch_m.dev, 0, s->changes);
    expect_accesses(m->work.dev, threads, threads);
    m->done = true;
}

static bool sc_next(struct workload *w, struct kernel_launch *launch) {
    struct sc *m = (struct sc *)w;
    if (m->done)
        return false;
    bool closes[m->k0 + m->n_launches];
    if (m->base.launched > 0)
        end_launch(&m->s, closes);
    if (m->base.launched == m->n_launches) {
        finish(m, closes);
        return false;
    }
    begin_launch(&m->s, m->base.launched++);
    *launch = (struct kernel_launch){
        .name = "sc savings",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct sc_warp),
        .step = sc_step,
        .ctx = m,
    };
    return true;
}

static int sc_verify(struct workload *w, struct error *err) {
    struct sc *m = (struct sc *)w;
    const struct search *want = &m->reference;
    if (!m->done)
        return error_set(err, "sc: not at its end");
    for (uint64_t p = 0; p < m->n; p++) {
        const struct sc_point *a = &m->point.v[p], *b = &want->point[p];
        if (memcmp(a, b, sizeof *a) == 0 && m->switch_m.v[p] == want->switch_m[p])
            continue;
        return error_set(err,
                         "point[%" PRIu64 "] has center %" PRId64 ", cost %.9g, switch_m %u, "
                         "expected %" PRId64 ", %.9g, %u",
                         p, a->assign, (double)a->cost, m->switch_m.v[p], b->assign,
                         (double)b->cost, want->switch_m[p]);
    }
    if (verify_ints("center_table", m->center_table.v, want->center_table, m->n, err) ||
        verify_floats("work", m->work.v, want->work, work_size(m), err))
        return -1;
    return verify_accesses(w, err);
}

static bool sc_arrays(struct sc *m) {
    return NEW_ARRAY(m, coord, m->n * m->dims) && NEW_ARRAY(m, point, m->n) &&
           NEW_ARRAY(m, center_table, m->n) && NEW_ARRAY(m, switch_m, m->n) &&
           NEW_ARRAY(m, work, work_size(m));
}

static bool sc_create(struct workload *w, const uint64_t *v) {
    struct sc *m = (struct sc *)w;
    m->n = v[0];
    m->dims = v[1];
    m->k0 = v[2];
    m->n_launches = v[3];
    m->base.w.launches = m->n_launches;
    if (!workload_at_most(w, "K", v[2], "N", v[0]) || !sc_arrays(m))
        return false;
    search_memory(m, &m->s);
    search_memory(m, &m->reference);
    struct rng r = {SEED};
    rng_fill(&r, m->coord.v, m->n * m->dims, 0, 1);
    begin_search(&m->s, m->k0);
    return true;
}

const struct workload_type workload_sc = {
    .name = "sc",
    .suite = "UVMBench (Rodinia streamcluster)",
    .class = "irregular",
    .doc = "streamcluster: coalesced coordinates, 32-byte points, scattered rows of a work matrix",
    .size_doc = "N[,D[,K[,L]]]: points, dimensions, initial centers (at most N), launches",
    .default_size = "16384,32,20,20",
    .size = {{"N", 1, 1u << 24}, {"D", 1, 4096}, {"K", 1, 1024}, {"L", 1, 4096}},
    .state_size = sizeof(struct sc),
    .next = sc_next,
    .verify = sc_verify,
    .destroy = sc_destroy,
    .create = sc_create,
};
