// SPDX-License-Identifier: Apache-2.0
/* 3dconv (UVMBench, from PolyBench): convolves an N x N x N volume over three planes at a time,
 * with one launch per plane and one thread per cell. Faces stay unchanged.
 *
 * The first six of a cell's 15 terms use two neighbors three times each. These two are loaded only
 * once, so a cell requires 11 coalesced loads.
 *
 * Thread-level accesses, with M = (N-2)^3 inner cells: a: 11 M loads. b: M stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define SEED 0x3dc
#define LOADS 11
#define TERMS 15

/* Neighbors in the order of their loads: offsets in plane, row and column, plus 1. */
static const struct {
    uint8_t i, j, k;
} near[LOADS] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {0, 0, 2},
                 {2, 0, 2}, {0, 1, 2}, {2, 1, 2}, {0, 2, 2}, {2, 2, 2}};

/* Weights of the terms, which use neighbors 0 1 0 1 0 1, then 2 to 10. */
static const float weight[TERMS] = {0.25f,   0.5f,    -0.75f, 1.0f,    0.375f, -0.625f, 0.5f, 1.5f,
                                    -0.125f, -0.875f, 0.625f, -0.375f, 1.25f,  -1.5f,   0.75f};

enum { INDEX, SUM, CELL }; /* registers; LOADS of them start at CELL */

struct conv3d {
    struct lane_workload base;
    uint64_t n;
    uint64_t plane; /* plane of the current launch */
    ARRAY(float) a;
    ARRAY(float) b;
};

struct conv3d_warp {
    struct warp_head head;
    uint32_t t; /* index of the neighbor */
    float first[WARP_LANES], cell[WARP_LANES], sum[WARP_LANES];
};

/* Returns the index of neighbor t of cell i,j,k. */
static uint64_t neighbor(uint64_t n, uint64_t i, uint64_t j, uint64_t k, uint32_t t) {
    return ((i + near[t].i - 1) * n + j + near[t].j - 1) * n + k + near[t].k - 1;
}

/* Returns the sum of the six terms of neighbors 0 and 1. */
static float corner_terms(float c0, float c1) {
    float sum = 0;
    for (unsigned t = 0; t < 6; t++)
        sum += weight[t] * (t % 2 == 0 ? c0 : c1);
    return sum;
}

static void conv3d_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct conv3d *m = ctx;
    struct conv3d_warp *w = state;
    const uint64_t n = m->n, i = m->plane;
    const uint64_t j = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t k = place->cta[0] * (uint64_t)BLOCK_X; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(j > 0 && j < n - 1 && k + l > 0 && k + l < n - 1);
    ALU_RUN(20, R(INDEX), 0);
    LD(w->first[l], m->a, [neighbor(n, i, j, k + l, 0)], R(CELL), R(INDEX));
    LD(w->cell[l], m->a, [neighbor(n, i, j, k + l, 1)], R(CELL + 1), R(INDEX));
    ALU(6, w->sum[l] = corner_terms(w->first[l], w->cell[l]), R(SUM), R(CELL) | R(CELL + 1));
    for (w->t = 2; w->t < LOADS; w->t++) {
        LD(w->cell[l], m->a, [neighbor(n, i, j, k + l, w->t)], R(CELL + w->t), R(INDEX));
        ALU(1, w->sum[l] += weight[w->t + 4] * w->cell[l], R(SUM), R(SUM) | R(CELL + w->t));
    }
    ST(w->sum[l], m->b, [(i * n + j) * n + k + l], R(INDEX) | R(SUM));
    WARP_END();
}

static bool conv3d_next(struct workload *w, struct kernel_launch *launch) {
    struct conv3d *m = (struct conv3d *)w;
    if (m->base.launched == m->n - 2)
        return false;
    m->plane = ++m->base.launched;
    *launch = (struct kernel_launch){
        .name = "3dconv",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct conv3d_warp),
        .step = conv3d_step,
        .ctx = m,
    };
    return true;
}

static float convolve(const float *a, uint64_t n, uint64_t i, uint64_t j, uint64_t k) {
    float sum = 0;
    for (uint32_t term = 0; term < TERMS; term++)
        sum += weight[term] * a[neighbor(n, i, j, k, term < 6 ? term % 2 : term - 4)];
    return sum;
}

static int conv3d_verify(struct workload *w, struct error *err) {
    struct conv3d *m = (struct conv3d *)w;
    const uint64_t n = m->n;
    float *b = alloc_zeroed(n * n * n, sizeof *b);
    for (uint64_t i = 1; i < n - 1; i++)
        for (uint64_t j = 1; j < n - 1; j++)
            for (uint64_t k = 1; k < n - 1; k++)
                b[(i * n + j) * n + k] = convolve(m->a.v, n, i, j, k);
    int rc = verify_floats("b", m->b.v, b, n * n * n, err);
    free(b);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool conv3d_create(struct workload *w, const uint64_t *v) {
    struct conv3d *m = (struct conv3d *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = n - 2;
    const uint64_t cells = n * n * n;
    if (!NEW_ARRAY(m, a, cells) || !NEW_ARRAY(m, b, cells))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, cells, 0, 1);
    const uint64_t inner = (n - 2) * (n - 2) * (n - 2);
    expect_accesses(m->a.dev, LOADS * inner, 0);
    expect_accesses(m->b.dev, 0, inner);
    return true;
}

const struct workload_type workload_conv3d = {
    .name = "3dconv",
    .suite = "UVMBench (PolyBench)",
    .class = "regular",
    .doc = "convolution over three planes, one launch per plane: eleven loads, coalesced, reuse",
    .size_doc = "N, edge of the cubic volume",
    .default_size = "96",
    .repeatable = true,
    .size = {{"N", 3, 1024}},
    .state_size = sizeof(struct conv3d),
    .next = conv3d_next,
    .verify = conv3d_verify,
    .create = conv3d_create,
};
