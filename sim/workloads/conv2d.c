// SPDX-License-Identifier: Apache-2.0
/* 2dconv (UVMBench, from PolyBench): convolves an N x N image with a 3 x 3 kernel, one thread per
 * pixel. Edge pixels stay unchanged. Each inner pixel requires nine coalesced loads.
 *
 * Thread-level accesses, with M = (N-2)^2 inner pixels: a: 9 M loads. b: M stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define SEED 0x2dc

static const float weight[9] = {0.25f, -0.5f, 0.125f, 0.75f, 1.5f, -0.25f, 0.375f, -1.0f, 0.625f};

enum { INDEX, SUM, PIXEL }; /* registers; nine of them start at PIXEL */

struct conv2d {
    struct lane_workload base;
    uint64_t n;
    ARRAY(float) a;
    ARRAY(float) b;
};

struct conv2d_warp {
    struct warp_head head;
    uint32_t k; /* neighbor 0..8, row by row */
    float pixel[WARP_LANES], sum[WARP_LANES];
};

static void conv2d_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct conv2d *m = ctx;
    struct conv2d_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i > 0 && i < n - 1 && j + l > 0 && j + l < n - 1);
    ALU(20, w->sum[l] = 0, R(INDEX) | R(SUM), 0);
    for (w->k = 0; w->k < 9; w->k++) {
        LD(w->pixel[l], m->a, [(i + w->k / 3 - 1) * n + j + l + w->k % 3 - 1], R(PIXEL + w->k),
           R(INDEX));
        ALU(1, w->sum[l] += weight[w->k] * w->pixel[l], R(SUM), R(SUM) | R(PIXEL + w->k));
    }
    ST(w->sum[l], m->b, [i * n + j + l], R(INDEX) | R(SUM));
    WARP_END();
}

static bool conv2d_next(struct workload *w, struct kernel_launch *launch) {
    struct conv2d *m = (struct conv2d *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "2dconv",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct conv2d_warp),
        .step = conv2d_step,
        .ctx = m,
    };
    return true;
}

static float convolve(const float *a, uint64_t n, uint64_t i, uint64_t j) {
    float sum = 0;
    for (uint64_t di = 0; di < 3; di++)
        for (uint64_t dj = 0; dj < 3; dj++)
            sum += weight[3 * di + dj] * a[(i + di - 1) * n + j + dj - 1];
    return sum;
}

static int conv2d_verify(struct workload *w, struct error *err) {
    struct conv2d *m = (struct conv2d *)w;
    float *b = alloc_zeroed(m->n * m->n, sizeof *b);
    for (uint64_t i = 1; i < m->n - 1; i++)
        for (uint64_t j = 1; j < m->n - 1; j++)
            b[i * m->n + j] = convolve(m->a.v, m->n, i, j);
    int rc = verify_floats("b", m->b.v, b, m->n * m->n, err);
    free(b);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool conv2d_create(struct workload *w, const uint64_t *v) {
    struct conv2d *m = (struct conv2d *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, a, n * n) || !NEW_ARRAY(m, b, n * n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, n * n, 0, 1);
    const uint64_t inner = (n - 2) * (n - 2);
    expect_accesses(m->a.dev, 9 * inner, 0);
    expect_accesses(m->b.dev, 0, inner);
    return true;
}

const struct workload_type workload_conv2d = {
    .name = "2dconv",
    .suite = "UVMBench (PolyBench)",
    .class = "regular",
    .doc = "3 x 3 convolution: nine-point stencil, coalesced, reuse between rows",
    .size_doc = "N, edge of the square image",
    .default_size = "1024",
    .repeatable = true,
    .size = {{"N", 3, 16384}},
    .state_size = sizeof(struct conv2d),
    .next = conv2d_next,
    .verify = conv2d_verify,
    .create = conv2d_create,
};
