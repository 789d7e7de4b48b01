// SPDX-License-Identifier: Apache-2.0
/* gesummv (UVMBench, from PolyBench): y = alpha A x + beta B x over N x N matrices, one thread per
 * row, so matrix accesses are not coalesced.
 *
 * Both sums are in memory, and either may alias the other or x, so every step reloads all operands:
 * it loads x twice, and loads and stores each sum.
 *
 * Thread-level accesses: a, b: N^2 loads each. x: 2 N^2 loads. tmp: N^2 + N loads, N^2 stores. y:
 * N^2 loads, N^2 + N stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define UNROLL 8
#define SEED 0x6e5

static const float alpha = 1.25f, beta = 0.75f;

/* registers; UNROLL for each operand */
enum { SUM_A, SUM_B, X_A, A = X_A + UNROLL, X_B = A + UNROLL, B = X_B + UNROLL };

struct gesummv {
    struct lane_workload base;
    uint64_t n;
    ARRAY(float) a;
    ARRAY(float) b;
    ARRAY(float) x;
    ARRAY(float) y;
    ARRAY(float) tmp;
};

struct gesummv_warp {
    struct warp_head head;
    uint64_t k;
    float x[WARP_LANES], matrix[WARP_LANES], sum[WARP_LANES], y[WARP_LANES];
};

/* Register used in this iteration of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void gesummv_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct gesummv *m = ctx;
    struct gesummv_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's row */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < n);
    for (w->k = 0; w->k < n; w->k++) {
        LD(w->x[l], m->x, [w->k], R_TURN(X_A), 0);
        LD(w->matrix[l], m->a, [(i + l) * n + w->k], R_TURN(A), 0);
        LD(w->sum[l], m->tmp, [i + l], R(SUM_A), 0);
        ALU(1, w->sum[l] += w->matrix[l] * w->x[l], R(SUM_A), R(SUM_A) | R_TURN(A) | R_TURN(X_A));
        ST(w->sum[l], m->tmp, [i + l], R(SUM_A));
        LD(w->x[l], m->x, [w->k], R_TURN(X_B), 0);
        LD(w->matrix[l], m->b, [(i + l) * n + w->k], R_TURN(B), 0);
        LD(w->y[l], m->y, [i + l], R(SUM_B), 0);
        ALU(1, w->y[l] += w->matrix[l] * w->x[l], R(SUM_B), R(SUM_B) | R_TURN(B) | R_TURN(X_B));
        ST(w->y[l], m->y, [i + l], R(SUM_B));
        if (w->k % UNROLL == UNROLL - 1 || w->k == n - 1)
            ALU_RUN(4, 0, 0);
    }
    LD(w->sum[l], m->tmp, [i + l], R(SUM_A), 0);
    ALU(2, w->y[l] = alpha * w->sum[l] + beta * w->y[l], R(SUM_B), R(SUM_A) | R(SUM_B));
    ST(w->y[l], m->y, [i + l], R(SUM_B));
    WARP_END();
}

static bool gesummv_next(struct workload *w, struct kernel_launch *launch) {
    struct gesummv *m = (struct gesummv *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "gesummv",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct gesummv_warp),
        .step = gesummv_step,
        .ctx = m,
    };
    return true;
}

/* Computes sum[i] = row i of the matrix times x. */
static void multiply(uint64_t n, const float *matrix, const float *x, float *sum) {
    for (uint64_t i = 0; i < n; i++) {
        sum[i] = 0;
        for (uint64_t k = 0; k < n; k++)
            sum[i] += matrix[i * n + k] * x[k];
    }
}

static int gesummv_verify(struct workload *w, struct error *err) {
    struct gesummv *m = (struct gesummv *)w;
    float *tmp = alloc_array(m->n, sizeof *tmp), *y = alloc_array(m->n, sizeof *y);
    multiply(m->n, m->a.v, m->x.v, tmp);
    multiply(m->n, m->b.v, m->x.v, y);
    for (uint64_t i = 0; i < m->n; i++)
        y[i] = alpha * tmp[i] + beta * y[i];
    int rc = verify_floats("tmp", m->tmp.v, tmp, m->n, err);
    if (rc == 0)
        rc = verify_floats("y", m->y.v, y, m->n, err);
    free(tmp);
    free(y);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void gesummv_expect(struct gesummv *m) {
    const uint64_t n = m->n;
    expect_accesses(m->a.dev, n * n, 0);
    expect_accesses(m->b.dev, n * n, 0);
    expect_accesses(m->x.dev, 2 * n * n, 0);
    expect_accesses(m->y.dev, n * n, n * n + n);
    expect_accesses(m->tmp.dev, n * n + n, n * n);
}

static bool gesummv_create(struct workload *w, const uint64_t *v) {
    struct gesummv *m = (struct gesummv *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, a, n * n) || !NEW_ARRAY(m, b, n * n) || !NEW_ARRAY(m, x, n) ||
        !NEW_ARRAY(m, y, n) || !NEW_ARRAY(m, tmp, n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, n * n, 0, 1);
    rng_fill(&r, m->b.v, n * n, 0, 1);
    rng_fill(&r, m->x.v, n, 0, 1);
    gesummv_expect(m);
    return true;
}

const struct workload_type workload_gesummv = {
    .name = "gesummv",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "alpha A x + beta B x: row per thread of two matrices (32 lines per warp), no reuse",
    .size_doc = "N, edge of the matrices",
    .default_size = "768",
    .size = {{"N", 1, 20000}},
    .state_size = sizeof(struct gesummv),
    .next = gesummv_next,
    .verify = gesummv_verify,
    .create = gesummv_create,
};
