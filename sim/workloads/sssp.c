// SPDX-License-Identifier: Apache-2.0
/* sssp (UVMSmart): finds the shortest paths from one source in a random graph, in rounds over all
 * vertices that have come nearer.
 *
 * Each round runs two kernels. In `relax`, each flagged vertex offers its neighbors a path through
 * itself, with an atomic minimum in a second array of distances. In `settle`, vertices with a
 * shorter offer accept it and are flagged. Rounds end when no flag is set. `relax` changes only the
 * second array, where a minimum does not depend on the order, so neither results nor counts depend
 * on the order of the warps. Gathers and divergent branches dominate.
 *
 * Thread-level accesses, with N vertices, R rounds, G the number of times that a vertex came nearer
 * (so G + 1 vertices are relaxed, including the source):
 *   vertices  2 (G+1) loads
 *   edges     2 (G+1) loads (two edges per vertex)
 *   weights   2 (G+1) loads
 *   dist      2 (G+1) + R N loads, G stores
 *   flag      R N loads, (G+1) + G stores
 *   updated   R N loads, R N stores, 2 (G+1) atomics
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 16
#define SEED 0x555b
#define DEGREE 2
#define WEIGHTS 1000     /* weights are 0..WEIGHTS-1, in thousandths */
#define MAX_N (1u << 21) /* with more vertices, a path's length might not fit in an int32_t */
#define FAR INT32_MAX    /* distance of a vertex that is not reached */

enum { FLAG, EDGE, END, TO, DIST, WEIGHT, UPDATED }; /* registers */

struct sssp {
    struct lane_workload base;
    uint64_t n;
    ARRAY(int32_t) vertices; /* index of each vertex's first edge; [N] is the number of edges */
    ARRAY(int32_t) edges;    /* target of each edge */
    ARRAY(int32_t) weights;
    ARRAY(int32_t) dist;
    ARRAY(uint8_t) flag;
    ARRAY(int32_t) updated;
};

struct sssp_warp {
    struct warp_head head;
    uint32_t live; /* lanes with a vertex */
    int32_t edge[WARP_LANES], end[WARP_LANES], to[WARP_LANES];
    int32_t dist[WARP_LANES], weight[WARP_LANES], updated[WARP_LANES];
    uint8_t flag[WARP_LANES];
};

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void relax_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct sssp *m = ctx;
    struct sssp_warp *w = state;
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* index of lane 0's vertex */
    int32_t old;
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(v + l < m->n);
    LD(w->flag[l], m->flag, [v + l], R(FLAG), 0);
    BRANCH(R(FLAG));
    RETURN_UNLESS(w->flag[l]);
    ST(0, m->flag, [v + l], 0);
    LD(w->edge[l], m->vertices, [v + l], R(EDGE), 0);
    LD(w->end[l], m->vertices, [v + l + 1], R(END), 0);
    for (;;) {
        BRANCH(R(EDGE) | R(END));
        KEEP_LANES(w->edge[l] < w->end[l]);
        if (!w->head.on)
            break;
        LD(w->to[l], m->edges, [w->edge[l]], R(TO), R(EDGE));
        LD(w->dist[l], m->dist, [v + l], R(DIST), 0);
        LD(w->weight[l], m->weights, [w->edge[l]], R(WEIGHT), R(EDGE));
        ALU(1, w->dist[l] += w->weight[l], R(DIST), R(DIST) | R(WEIGHT));
        ATOMIC(old, smaller(old, w->dist[l]), m->updated, [w->to[l]], 0, R(TO) | R(DIST));
        ALU(1, w->edge[l]++, R(EDGE), R(EDGE));
    }
    WARP_END();
}

static void settle_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct sssp *m = ctx;
    struct sssp_warp *w = state;
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* index of lane 0's vertex */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(v + l < m->n);
    w->live = w->head.on;
    LD(w->dist[l], m->dist, [v + l], R(DIST), 0);
    LD(w->updated[l], m->updated, [v + l], R(UPDATED), 0);
    BRANCH(R(DIST) | R(UPDATED));
    KEEP_LANES(w->dist[l] > w->updated[l]);
    ST(w->updated[l], m->dist, [v + l], R(UPDATED));
    ST(1, m->flag, [v + l], 0);
    w->head.on = w->live;
    ALU(1, w->dist[l] = smaller(w->dist[l], w->updated[l]), R(DIST), R(DIST) | R(UPDATED));
    ST(w->dist[l], m->updated, [v + l], R(DIST));
    WARP_END();
}

static bool any_flag(const struct sssp *m) {
    return memchr(m->flag.v, 1, m->n) != NULL;
}

static bool sssp_next(struct workload *w, struct kernel_launch *launch) {
    struct sssp *m = (struct sssp *)w;
    const bool relax = m->base.launched % 2 == 0;
    if (relax && !any_flag(m))
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = relax ? "sssp relax" : "sssp settle",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct sssp_warp),
        .step = relax ? relax_step : settle_step,
        .ctx = m,
    };
    return true;
}

/* Computes the distances with the Bellman-Ford algorithm: relaxes every edge until no vertex comes
 * nearer. */
static void shortest(const struct sssp *m, int32_t *dist) {
    for (uint64_t v = 0; v < m->n; v++)
        dist[v] = v == 0 ? 0 : FAR;
    for (bool nearer = true; nearer;) {
        nearer = false;
        for (uint64_t e = 0; e < DEGREE * m->n; e++) {
            const int32_t from = dist[e / DEGREE], to = m->edges.v[e];
            if (from == FAR || dist[to] <= from + m->weights.v[e])
                continue;
            dist[to] = from + m->weights.v[e];
            nearer = true;
        }
    }
}

static int sssp_verify(struct workload *w, struct error *err) {
    struct sssp *m = (struct sssp *)w;
    int32_t *dist = alloc_array(m->n, sizeof *dist);
    shortest(m, dist);
    int rc = verify_ints("dist", m->dist.v, dist, m->n, err);
    if (rc == 0)
        rc = verify_ints("updated", m->updated.v, dist, m->n, err);
    free(dist);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void sssp_start(struct sssp *m) {
    for (uint64_t v = 0; v < m->n; v++) {
        m->dist.v[v] = m->updated.v[v] = v == 0 ? 0 : FAR;
        m->flag.v[v] = v == 0;
    }
}

/* Computes one round on the host. Returns the number of vertices that came nearer. */
static uint64_t make_round(struct sssp *m) {
    int32_t *dist = m->dist.v, *updated = m->updated.v;
    for (uint64_t e = 0; e < DEGREE * m->n; e++) {
        if (!m->flag.v[e / DEGREE])
            continue;
        const int32_t to = m->edges.v[e];
        updated[to] = smaller(updated[to], dist[e / DEGREE] + m->weights.v[e]);
    }
    uint64_t nearer = 0;
    for (uint64_t v = 0; v < m->n; v++) {
        m->flag.v[v] = updated[v] < dist[v];
        nearer += m->flag.v[v];
        dist[v] = updated[v];
    }
    return nearer;
}

/* Counts R and G in the formulae in the file's header. */
static void count_rounds(struct sssp *m, uint64_t *rounds, uint64_t *nearer) {
    *rounds = *nearer = 0;
    sssp_start(m);
    while (any_flag(m)) {
        *nearer += make_round(m);
        ++*rounds;
    }
}

static void sssp_expect(struct sssp *m) {
    uint64_t rounds, nearer;
    count_rounds(m, &rounds, &nearer);
    const uint64_t all = rounds * m->n, relaxed = DEGREE * (nearer + 1);
    expect_accesses(m->vertices.dev, 2 * (nearer + 1), 0);
    expect_accesses(m->edges.dev, relaxed, 0);
    expect_accesses(m->weights.dev, relaxed, 0);
    expect_accesses(m->dist.dev, relaxed + all, nearer);
    expect_accesses(m->flag.dev, all, 2 * nearer + 1);
    expect_accesses(m->updated.dev, all, all);
    expect_atomics(m->updated.dev, relaxed);
}

/* Generates two edges from every vertex to two other vertices. */
static void make_graph(struct sssp *m) {
    struct rng r = {SEED};
    for (uint64_t v = 0; v <= m->n; v++)
        m->vertices.v[v] = (int32_t)(DEGREE * v);
    for (uint64_t e = 0; e < DEGREE * m->n; e++) {
        const uint64_t from = e / DEGREE;
        uint64_t to;
        do
            to = rng_below(&r, m->n);
        while (to == from || (e % DEGREE == 1 && to == (uint64_t)m->edges.v[e - 1]));
        m->edges.v[e] = (int32_t)to;
        m->weights.v[e] = (int32_t)rng_below(&r, WEIGHTS);
    }
}

static bool sssp_arrays(struct sssp *m) {
    const uint64_t n = m->n;
    return NEW_ARRAY(m, vertices, n + 1) && NEW_ARRAY(m, edges, DEGREE * n) &&
           NEW_ARRAY(m, weights, DEGREE * n) && NEW_ARRAY(m, dist, n) && NEW_ARRAY(m, flag, n) &&
           NEW_ARRAY(m, updated, n);
}

static bool sssp_create(struct workload *w, const uint64_t *v) {
    struct sssp *m = (struct sssp *)w;
    m->n = v[0];
    if (!sssp_arrays(m))
        return false;
    make_graph(m);
    sssp_expect(m);
    sssp_start(m);
    return true;
}

const struct workload_type workload_sssp = {
    .name = "sssp",
    .suite = "UVMSmart",
    .doc = "shortest paths in a random graph (CSR): gathers, atomic minima, CTAs of half a warp",
    .size_doc = "N, number of vertices (2 N edges)",
    .default_size = "262144",
    .size = {{"N", DEGREE + 1, MAX_N}},
    .state_size = sizeof(struct sssp),
    .next = sssp_next,
    .verify = sssp_verify,
    .create = sssp_create,
};
