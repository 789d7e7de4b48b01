// SPDX-License-Identifier: Apache-2.0
/* kmeans2 (UVMBench; kmeans is Rodinia's): clusters N points in a plane into K clusters by k-means,
 * in I iterations.
 *
 * There are five kernels per iteration. `distances` has one CTA of K threads per point; `regroup`
 * has one CTA of one thread per point, which finds the nearest center; `clear`, `sum` and `centers`
 * have one CTA of K threads, one per cluster. `sum` visits all points in order, in one chain of
 * loads and stores. Warps therefore have K active lanes (32 at most) or one.
 *
 * Thread-level accesses of an iteration, with M the number of times that a later center was nearer
 * than all earlier ones: x, y: K N + N loads each. mu_x, mu_y: K N loads, K stores each. dst: K N
 * loads, 2 K N stores. group: K N loads, N + M stores. sum_x, sum_y, nx, ny: N + K loads, N + K
 * stores each.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define MOST_CLUSTERS 1024 /* maximum number of threads per CTA */
#define SEED 0x4eb5

enum { X, CENTER, DISTANCE, BEST, GROUP, SUM }; /* registers */

enum { DISTANCES, REGROUP, CLEAR, ADD, CENTERS, KERNELS };

struct kmeans2 {
    struct lane_workload base;
    uint64_t n, k, iterations;
    ARRAY(int32_t) group; /* cluster of each point, counted from 1 */
    ARRAY(int32_t) nx;    /* number of points in each cluster, stored twice as in the original */
    ARRAY(int32_t) ny;
    ARRAY(float) x;
    ARRAY(float) y;
    ARRAY(float) mu_x; /* centers */
    ARRAY(float) mu_y;
    ARRAY(float) sum_x;
    ARRAY(float) sum_y;
    ARRAY(float) dst; /* [n][k] */
};

struct kmeans2_warp {
    struct warp_head head;
    uint64_t i;
    float x[WARP_LANES], center[WARP_LANES], distance[WARP_LANES], best[WARP_LANES];
    float sum[WARP_LANES];
    int32_t count[WARP_LANES], group[WARP_LANES];
};

#define J thread_in_block(place, l)

static void distances_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct kmeans2 *m = ctx;
    struct kmeans2_warp *w = state;
    const uint64_t i = place->cta[0];
    (void)cta;

    WARP_BEGIN();
    LD(w->x[l], m->x, [i], R(X), 0);
    LD(w->center[l], m->mu_x, [J], R(CENTER), 0);
    ALU(4, w->distance[l] = square(w->x[l] - w->center[l]), R(DISTANCE), R(X) | R(CENTER));
    ST(w->distance[l], m->dst, [i * m->k + J], R(DISTANCE));
    LD(w->x[l], m->y, [i], R(X), 0);
    LD(w->center[l], m->mu_y, [J], R(CENTER), 0);
    ALU(2, w->distance[l] += square(w->x[l] - w->center[l]), R(DISTANCE),
        R(DISTANCE) | R(X) | R(CENTER));
    ST(w->distance[l], m->dst, [i * m->k + J], R(DISTANCE));
    WARP_END();
}

static void regroup_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct kmeans2 *m = ctx;
    struct kmeans2_warp *w = state;
    const uint64_t point = place->cta[0];
    (void)cta;

    WARP_BEGIN();
    LD(w->best[l], m->dst, [point * m->k], R(BEST), 0);
    ST(1, m->group, [point], 0);
    for (w->i = 1; w->i < m->k; w->i++) {
        LD(w->distance[l], m->dst, [point * m->k + w->i], R(DISTANCE), 0);
        BRANCH(R(DISTANCE) | R(BEST));
        KEEP_LANES(w->distance[l] < w->best[l]);
        ALU(1, w->best[l] = w->distance[l], R(BEST), R(DISTANCE));
        ST((int32_t)w->i + 1, m->group, [point], 0);
        EVERY_LANE();
    }
    WARP_END();
}

static void clear_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct kmeans2 *m = ctx;
    struct kmeans2_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ST(0, m->sum_x, [J], 0);
    ST(0, m->sum_y, [J], 0);
    ST(0, m->nx, [J], 0);
    ST(0, m->ny, [J], 0);
    WARP_END();
}

static void add_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct kmeans2 *m = ctx;
    struct kmeans2_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    for (w->i = 0; w->i < m->n; w->i++) {
        LD(w->group[l], m->group, [w->i], R(GROUP), 0);
        BRANCH(R(GROUP));
        KEEP_LANES(w->group[l] == (int32_t)J + 1);
        LD(w->x[l], m->x, [w->i], R(X), 0);
        LD(w->sum[l], m->sum_x, [J], R(SUM), 0);
        ALU(1, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
        ST(w->sum[l], m->sum_x, [J], R(SUM));
        LD(w->x[l], m->y, [w->i], R(X), 0);
        LD(w->sum[l], m->sum_y, [J], R(SUM), 0);
        ALU(1, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
        ST(w->sum[l], m->sum_y, [J], R(SUM));
        LD(w->count[l], m->nx, [J], R(SUM), 0);
        ALU(1, w->count[l]++, R(SUM), R(SUM));
        ST(w->count[l], m->nx, [J], R(SUM));
        LD(w->count[l], m->ny, [J], R(SUM), 0);
        ALU(1, w->count[l]++, R(SUM), R(SUM));
        ST(w->count[l], m->ny, [J], R(SUM));
        EVERY_LANE();
    }
    WARP_END();
}

static void centers_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct kmeans2 *m = ctx;
    struct kmeans2_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    LD(w->sum[l], m->sum_x, [J], R(SUM), 0);
    LD(w->count[l], m->nx, [J], R(X), 0);
    SFU(2, w->sum[l] /= (float)w->count[l], R(CENTER), R(SUM) | R(X));
    ST(w->sum[l], m->mu_x, [J], R(CENTER));
    LD(w->sum[l], m->sum_y, [J], R(SUM), 0);
    LD(w->count[l], m->ny, [J], R(X), 0);
    SFU(2, w->sum[l] /= (float)w->count[l], R(CENTER), R(SUM) | R(X));
    ST(w->sum[l], m->mu_y, [J], R(CENTER));
    WARP_END();
}

static bool kmeans2_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[KERNELS] = {
        [DISTANCES] = {.name = "kmeans2 distances", .step = distances_step},
        [REGROUP] = {.name = "kmeans2 regroup", .step = regroup_step},
        [CLEAR] = {.name = "kmeans2 clear", .step = clear_step},
        [ADD] = {.name = "kmeans2 sum", .step = add_step},
        [CENTERS] = {.name = "kmeans2 centers", .step = centers_step},
    };
    struct kmeans2 *m = (struct kmeans2 *)w;
    const unsigned kernel = m->base.launched % KERNELS;
    if (m->base.launched == m->base.w.launches)
        return false;
    m->base.launched++;
    *launch = kernels[kernel];
    launch_1d(launch, kernel == DISTANCES || kernel == REGROUP ? m->n : 1,
              kernel == REGROUP ? 1 : m->k);
    launch->warp_state_size = sizeof(struct kmeans2_warp);
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

struct kmeans2_plain {
    float *dst, *x, *y, *sum_x, *sum_y; /* x, y: coordinates of the centers */
    int32_t *group, *count;
    uint64_t nearer; /* M in the formulae in the file's header, over all iterations */
};

/* Sets the first centers to the first K points. */
static void first_centers(const struct kmeans2 *m, float *x, float *y) {
    for (uint64_t j = 0; j < m->k; j++) {
        x[j] = m->x.v[j];
        y[j] = m->y.v[j];
    }
}

static int32_t regroup(const struct kmeans2 *m, struct kmeans2_plain *p, uint64_t i) {
    float *dst = &p->dst[i * m->k];
    int32_t nearest = 0;
    for (uint64_t j = 0; j < m->k; j++) {
        dst[j] = square(m->x.v[i] - p->x[j]);
        dst[j] += square(m->y.v[i] - p->y[j]);
        if (dst[j] < dst[nearest]) {
            nearest = (int32_t)j;
            p->nearer++;
        }
    }
    return nearest;
}

static void iterate(const struct kmeans2 *m, struct kmeans2_plain *p) {
    for (uint64_t j = 0; j < m->k; j++)
        p->sum_x[j] = p->sum_y[j] = 0, p->count[j] = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        const int32_t j = regroup(m, p, i);
        p->group[i] = j + 1;
        p->sum_x[j] += m->x.v[i];
        p->sum_y[j] += m->y.v[i];
        p->count[j]++;
    }
    for (uint64_t j = 0; j < m->k; j++) {
        p->x[j] = p->sum_x[j] / (float)p->count[j];
        p->y[j] = p->sum_y[j] / (float)p->count[j];
    }
}

/* Sets the expected access counts from the formulae in the file's header. */
static void kmeans2_expect(struct kmeans2 *m, uint64_t nearer) {
    const uint64_t n = m->n, k = m->k, r = m->iterations;
    struct device_array *const sums[] = {m->sum_x.dev, m->sum_y.dev, m->nx.dev, m->ny.dev};
    for (unsigned i = 0; i < 4; i++)
        expect_accesses(sums[i], r * (n + k), r * (n + k));
    expect_accesses(m->x.dev, r * (k * n + n), 0);
    expect_accesses(m->y.dev, r * (k * n + n), 0);
    expect_accesses(m->mu_x.dev, r * k * n, r * k);
    expect_accesses(m->mu_y.dev, r * k * n, r * k);
    expect_accesses(m->dst.dev, r * k * n, r * 2 * k * n);
    expect_accesses(m->group.dev, r * k * n, r * n + nearer);
}

static int compare(const struct kmeans2 *m, const struct kmeans2_plain *p, struct error *err) {
    const uint64_t n = m->n, k = m->k;
    if (verify_floats("dst", m->dst.v, p->dst, n * k, err) != 0 ||
        verify_ints("group", m->group.v, p->group, n, err) != 0 ||
        verify_floats("sum_x", m->sum_x.v, p->sum_x, k, err) != 0 ||
        verify_floats("sum_y", m->sum_y.v, p->sum_y, k, err) != 0 ||
        verify_ints("nx", m->nx.v, p->count, k, err) != 0 ||
        verify_ints("ny", m->ny.v, p->count, k, err) != 0 ||
        verify_floats("mu_x", m->mu_x.v, p->x, k, err) != 0)
        return -1;
    return verify_floats("mu_y", m->mu_y.v, p->y, k, err);
}

static int kmeans2_verify(struct workload *w, struct error *err) {
    struct kmeans2 *m = (struct kmeans2 *)w;
    const uint64_t n = m->n, k = m->k;
    struct kmeans2_plain p = {
        .dst = alloc_array(n * k, sizeof *p.dst),
        .x = alloc_array(k, sizeof *p.x),
        .y = alloc_array(k, sizeof *p.y),
        .sum_x = alloc_array(k, sizeof *p.sum_x),
        .sum_y = alloc_array(k, sizeof *p.sum_y),
        .group = alloc_array(n, sizeof *p.group),
        .count = alloc_array(k, sizeof *p.count),
    };
    int rc = 0;
    if (rc == 0) {
        first_centers(m, p.x, p.y);
        for (uint64_t i = 0; i < m->iterations; i++)
            iterate(m, &p);
        kmeans2_expect(m, p.nearer);
        rc = compare(m, &p, err);
    }
    free(p.dst);
    free(p.x);
    free(p.y);
    free(p.sum_x);
    free(p.sum_y);
    free(p.group);
    free(p.count);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool kmeans2_arrays(struct kmeans2 *m) {
    const uint64_t n = m->n, k = m->k;
    return NEW_ARRAY(m, group, n) && NEW_ARRAY(m, nx, k) && NEW_ARRAY(m, ny, k) &&
           NEW_ARRAY(m, x, n) && NEW_ARRAY(m, y, n) && NEW_ARRAY(m, mu_x, k) &&
           NEW_ARRAY(m, mu_y, k) && NEW_ARRAY(m, sum_x, k) && NEW_ARRAY(m, sum_y, k) &&
           NEW_ARRAY(m, dst, n * k);
}

static bool kmeans2_create(struct workload *w, const uint64_t *v) {
    struct kmeans2 *m = (struct kmeans2 *)w;
    if (!workload_at_most(w, "K", v[1], "N", v[0]))
        return false;
    m->n = v[0];
    m->k = v[1];
    m->iterations = v[2];
    m->base.w.launches = KERNELS * m->iterations;
    if (!kmeans2_arrays(m))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->x.v, m->n, 0, 1);
    rng_fill(&r, m->y.v, m->n, 0, 1);
    first_centers(m, m->mu_x.v, m->mu_y.v);
    return true;
}

const struct workload_type workload_kmeans2 = {
    .name = "kmeans2",
    .suite = "UVMBench",
    .class = "irregular",
    .doc = "k-means in a plane: warps with K lanes or one lane, one warp visits all points",
    .size_doc = "N[,K[,I]]: points, clusters (at most N and 1024), iterations",
    .default_size = "16384,3,2",
    .size = {{"N", 1, 1u << 26}, {"K", 1, MOST_CLUSTERS}, {"I", 1, 1000}},
    .state_size = sizeof(struct kmeans2),
    .next = kmeans2_next,
    .verify = kmeans2_verify,
    .create = kmeans2_create,
};
