// SPDX-License-Identifier: Apache-2.0
/* kmeans (Rodinia): clusters N points of F features around K centers.
 *
 * `invert` transposes the features from point-major to feature-major. Then each iteration is one
 * launch of `assign` (nearest center of each point; coalesced loads), after which the host moves
 * the centers. The iterations end when no point has changed its cluster, or after I iterations.
 * `assign` reads the features with global loads (textures in the original); centers are in constant
 * memory and cause no accesses.
 *
 * Thread-level accesses, after T iterations: points: N F loads. features: N F stores, T K N F
 * loads. member: T N stores.
 */
#include "lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 256
#define SEED 0x4ea5

enum { FEATURE, DISTANCE, BEST }; /* registers */

struct kmeans {
    struct lane_workload base;
    uint64_t n, n_features, k, max_iterations;
    uint32_t side;       /* number of CTAs along each edge of the grid of `assign` */
    uint64_t iterations; /* number of launches of `assign` so far */
    bool done;
    float *centers;     /* [k][n_features]; owned, as are `previous` and `reference` */
    int32_t *previous;  /* cluster of each point before the last iteration */
    int32_t *reference; /* reference version's cluster of each point, known after the last launch */
    ARRAY(float) points;   /* [n][n_features] */
    ARRAY(float) features; /* [n_features][n] */
    ARRAY(int32_t) member;
};

static float *center(const struct kmeans *m, uint64_t c, uint64_t f) {
    return &m->centers[c * m->n_features + f];
}

struct invert_warp {
    struct warp_head head;
    uint64_t f;
    float value[WARP_LANES];
};

static void invert_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct kmeans *m = ctx;
    struct invert_warp *w = state;
    const uint64_t p = thread_in_grid(place, BLOCK, 0); /* index of lane 0's point */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(p + l < m->n);
    for (w->f = 0; w->f < m->n_features; w->f++) {
        LD(w->value[l], m->points, [(p + l) * m->n_features + w->f], R(FEATURE), 0);
        ST(w->value[l], m->features, [p + l + m->n * w->f], R(FEATURE));
    }
    WARP_END();
}

struct assign_warp {
    struct warp_head head;
    uint64_t c, f;
    float feature[WARP_LANES], distance[WARP_LANES], best[WARP_LANES];
    int32_t nearest[WARP_LANES];
};

static void add_square(float *sum, float difference) {
    *sum += difference * difference;
}

static void keep_nearest(struct assign_warp *w, uint32_t l) {
    if (w->c == 0 || w->distance[l] < w->best[l]) {
        w->best[l] = w->distance[l];
        w->nearest[l] = (int32_t)w->c;
    }
}

/* Returns the edge of the square grid, in CTAs. CTAs beyond the last point are idle. */
static uint32_t grid_side(uint64_t n) {
    const uint64_t blocks = ceil_div(n, BLOCK);
    uint32_t side = 1;
    while ((uint64_t)side * side < blocks)
        side++;
    return side;
}

static void assign_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct kmeans *m = ctx;
    struct assign_warp *w = state;
    const uint64_t block = (uint64_t)place->cta[1] * m->side + place->cta[0];
    const uint64_t p = block * BLOCK + thread_in_block(place, 0); /* index of lane 0's point */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(p + l < m->n);
    for (w->c = 0; w->c < m->k; w->c++) {
        memset(w->distance, 0, sizeof w->distance);
        for (w->f = 0; w->f < m->n_features; w->f++) {
            LD(w->feature[l], m->features, [p + l + m->n * w->f], R(FEATURE), 0);
            ALU(3, add_square(&w->distance[l], w->feature[l] - *center(m, w->c, w->f)), R(DISTANCE),
                w->f == 0 ? R(FEATURE) : R(FEATURE) | R(DISTANCE));
        }
        ALU(2, keep_nearest(w, l), R(BEST), w->c == 0 ? R(DISTANCE) : R(DISTANCE) | R(BEST));
    }
    ST(w->nearest[l], m->member, [p + l], R(BEST));
    WARP_END();
}

/* Sets the first centers to the first k points, on the host. */
static void first_centers(const struct kmeans *m) {
    memcpy(m->centers, m->points.v, m->k * m->n_features * sizeof *m->centers);
}

/* Moves each center to the mean of its members, if it has any, on the host. */
static void move_centers(const struct kmeans *m, const int32_t *member) {
    for (uint64_t c = 0; c < m->k; c++) {
        uint64_t members = 0;
        for (uint64_t p = 0; p < m->n; p++)
            members += member[p] == (int32_t)c;
        if (members == 0)
            continue;
        for (uint64_t f = 0; f < m->n_features; f++) {
            float sum = 0;
            for (uint64_t p = 0; p < m->n; p++)
                if (member[p] == (int32_t)c)
                    sum += m->points.v[p * m->n_features + f];
            *center(m, c, f) = sum / (float)members;
        }
    }
}

/* Returns the nearest center of one point, for the reference version of `assign`. */
static int32_t nearest_center(const struct kmeans *m, uint64_t p) {
    float best = 0;
    int32_t nearest = 0;
    for (uint64_t c = 0; c < m->k; c++) {
        float distance = 0;
        for (uint64_t f = 0; f < m->n_features; f++)
            add_square(&distance, m->points.v[p * m->n_features + f] - *center(m, c, f));
        if (c > 0 && !(distance < best))
            continue;
        best = distance;
        nearest = (int32_t)c;
    }
    return nearest;
}

/* Performs the whole clustering for the reference version. Sets m->reference. Returns the number of
 * iterations. */
static uint64_t cluster(struct kmeans *m) {
    first_centers(m);
    for (uint64_t p = 0; p < m->n; p++)
        m->reference[p] = -1;
    for (uint64_t t = 1;; t++) {
        bool changed = false;
        for (uint64_t p = 0; p < m->n; p++) {
            const int32_t nearest = nearest_center(m, p);
            changed |= nearest != m->reference[p];
            m->reference[p] = nearest;
        }
        if (!changed || t == m->max_iterations)
            return t;
        move_centers(m, m->reference);
    }
}

/* Sets the expected access counts after the last launch, from the formulae in the file's header. */
static void finish(struct kmeans *m) {
    const uint64_t values = m->n * m->n_features;
    const uint64_t t = cluster(m);
    expect_accesses(m->points.dev, values, 0);
    expect_accesses(m->features.dev, t * m->k * values, values);
    expect_accesses(m->member.dev, 0, t * m->n);
    m->done = true;
}

/* Performs the host's work after `assign`. Returns true if another iteration follows. */
static bool iterate(struct kmeans *m) {
    if (m->iterations == 0)
        return true;
    const size_t bytes = m->n * sizeof *m->previous;
    const bool changed = memcmp(m->previous, m->member.v, bytes) != 0;
    if (!changed || m->iterations == m->max_iterations)
        return false;
    memcpy(m->previous, m->member.v, bytes);
    move_centers(m, m->member.v);
    return true;
}

static bool kmeans_next(struct workload *w, struct kernel_launch *launch) {
    struct kmeans *m = (struct kmeans *)w;
    const bool invert = m->base.launched == 0;
    if (m->done)
        return false;
    if (!invert && !iterate(m)) {
        finish(m);
        return false;
    }
    m->iterations += !invert;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = invert ? "kmeans invert" : "kmeans assign",
        .grid = {invert ? (uint32_t)ceil_div(m->n, BLOCK) : m->side, invert ? 1 : m->side, 1},
        .block = {BLOCK, 1, 1},
        .paper_regs = 12, /* Dai 2017, Table 6 */
        .warp_state_size = invert ? sizeof(struct invert_warp) : sizeof(struct assign_warp),
        .step = invert ? invert_step : assign_step,
        .ctx = m,
    };
    return true;
}

static int kmeans_verify(struct workload *w, struct error *err) {
    struct kmeans *m = (struct kmeans *)w;
    if (!m->done)
        return error_set(err, "kmeans: not at its end");
    if (verify_ints("member", m->member.v, m->reference, m->n, err) != 0)
        return -1;
    return verify_accesses(w, err);
}

static void kmeans_destroy(struct workload *w) {
    struct kmeans *m = (struct kmeans *)w;
    free(m->centers);
    free(m->previous);
    free(m->reference);
    workload_free(w);
}

static void kmeans_host_memory(struct kmeans *m) {
    m->centers = alloc_array(m->k * m->n_features, sizeof *m->centers);
    m->previous = alloc_array(m->n, sizeof *m->previous);
    m->reference = alloc_array(m->n, sizeof *m->reference);
}

static bool kmeans_create(struct workload *w, const uint64_t *v) {
    struct kmeans *m = (struct kmeans *)w;
    m->n = v[0];
    m->n_features = v[1];
    m->k = v[2];
    m->max_iterations = v[3];
    m->side = grid_side(m->n);
    const uint64_t values = m->n * m->n_features;
    if (!workload_at_most(w, "K", v[2], "N", v[0]) || !NEW_ARRAY(m, points, values) ||
        !NEW_ARRAY(m, features, values) || !NEW_ARRAY(m, member, m->n))
        return false;
    kmeans_host_memory(m);
    struct rng r = {SEED};
    rng_fill(&r, m->points.v, values, 0, 1);
    first_centers(m);
    for (uint64_t p = 0; p < m->n; p++)
        m->previous[p] = m->member.v[p] = -1;
    return true;
}

const struct workload_type workload_kmeans = {
    .name = "kmeans",
    .suite = "Rodinia",
    .doc = "k-means: a strided transposition, then coalesced reads of all features, K times",
    .size_doc =
        "N[,F[,K[,I]]]: points, features per point, clusters (at most N), maximum iterations",
    .default_size = "16384,34,5,5",
    .repeatable = true,
    .size = {{"N", 1, 1u << 28}, {"F", 1, 4096}, {"K", 1, 4096}, {"I", 1, 500}},
    .state_size = sizeof(struct kmeans),
    .next = kmeans_next,
    .verify = kmeans_verify,
    .destroy = kmeans_destroy,
    .create = kmeans_create,
};
