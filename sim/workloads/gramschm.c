// SPDX-License-Identifier: Apache-2.0
/* gramschm (UVMBench, from PolyBench): Gram-Schmidt decomposition A = Q R of an N x N matrix, with
 * orthonormal columns in Q.
 *
 * Each column k takes three kernels. `norm` has one CTA, in which one thread computes the length of
 * column k, row by row. In `unit`, one thread per row divides the column by its length. In
 * `project`, one thread per later column j sums the products of its column with the new column, and
 * subtracts that multiple of the new column. Sums and results are in memory, so every step stores.
 * `norm` and `unit` access columns of both matrices (32 lines per warp), and `project` accesses
 * rows.
 *
 * Thread-level accesses, T = N (N - 1) / 2: a: 2 N^2 + 2 T N loads, T N stores. q: 2 T N loads, N^2
 * stores. r: N^2 + T N loads, N + T + T N stores.
 *
 * Difference from the original: A consists of random multiples of 0.1, with N added on the
 * diagonal. In the original, A has rank 1, so all lengths but one are 0.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define UNROLL 8
#define SEED 0x62a5

enum {
    SUM,
    FACTOR,
    VALUE = FACTOR + UNROLL,
    PART = VALUE + UNROLL
}; /* registers; UNROLL for each operand */

enum { NORM, UNIT, PROJECT, KERNELS };

struct gramschm {
    struct lane_workload base;
    uint64_t n, k;
    ARRAY(float) a;
    ARRAY(float) r;
    ARRAY(float) q;
};

struct gramschm_warp {
    struct warp_head head;
    uint64_t i;
    float sum[WARP_LANES], value[WARP_LANES], factor[WARP_LANES];
};

/* Register used in this iteration of an unrolled loop over the rows, and test for the end of the
 * unrolled loop body. */
#define R_TURN(first) R((first) + w->i % UNROLL)
#define TURN_ENDS (w->i % UNROLL == UNROLL - 1 || w->i == n - 1)

/* Computes r[k][k]. */
static void norm_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct gramschm *m = ctx;
    struct gramschm_warp *w = state;
    const uint64_t n = m->n, k = m->k;
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(thread_in_block(place, l) == 0);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->i = 0; w->i < n; w->i++) {
        LD(w->value[l], m->a, [w->i * n + k], R_TURN(VALUE), 0);
        ALU(1, w->sum[l] += w->value[l] * w->value[l], R(SUM), R(SUM) | R_TURN(VALUE));
        if (TURN_ENDS)
            ALU_RUN(4, 0, 0);
    }
    SFU(1, w->sum[l] = sqrtf(w->sum[l]), R(SUM), R(SUM));
    ST(w->sum[l], m->r, [k * n + k], R(SUM));
    WARP_END();
}

/* Computes column k of q. */
static void unit_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct gramschm *m = ctx;
    struct gramschm_warp *w = state;
    const uint64_t n = m->n, k = m->k;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's row */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < n);
    LD(w->value[l], m->a, [(i + l) * n + k], R(VALUE), 0);
    LD(w->factor[l], m->r, [k * n + k], R(FACTOR), 0);
    SFU(1, w->value[l] /= w->factor[l], R(VALUE), R(VALUE) | R(FACTOR));
    ST(w->value[l], m->q, [(i + l) * n + k], R(VALUE));
    WARP_END();
}

#define J (j + l)

/* Computes r[k][j] and updates column j of a for each lane's column j. */
static void project_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct gramschm *m = ctx;
    struct gramschm_warp *w = state;
    const uint64_t n = m->n, k = m->k;
    const uint64_t j = thread_in_grid(place, BLOCK, 0); /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(J > k && J < n);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    ST(w->sum[l], m->r, [k * n + J], R(SUM));
    for (w->i = 0; w->i < n; w->i++) {
        LD(w->value[l], m->a, [w->i * n + J], R_TURN(VALUE), 0);
        LD(w->factor[l], m->q, [w->i * n + k], R_TURN(FACTOR), 0);
        ALU(1, w->sum[l] += w->value[l] * w->factor[l], R(SUM),
            R(SUM) | R_TURN(VALUE) | R_TURN(FACTOR));
        ST(w->sum[l], m->r, [k * n + J], R(SUM));
        if (TURN_ENDS)
            ALU_RUN(4, 0, 0);
    }
    for (w->i = 0; w->i < n; w->i++) {
        LD(w->sum[l], m->r, [k * n + J], R_TURN(PART), 0);
        LD(w->factor[l], m->q, [w->i * n + k], R_TURN(FACTOR), 0);
        ALU(1, w->factor[l] *= w->sum[l], R_TURN(FACTOR), R_TURN(PART) | R_TURN(FACTOR));
        LD(w->value[l], m->a, [w->i * n + J], R_TURN(VALUE), 0);
        ALU(1, w->value[l] -= w->factor[l], R_TURN(VALUE), R_TURN(VALUE) | R_TURN(FACTOR));
        ST(w->value[l], m->a, [w->i * n + J], R_TURN(VALUE));
        if (TURN_ENDS)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool gramschm_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[KERNELS] = {
        [NORM] = {.name = "gramschm norm", .step = norm_step},
        [UNIT] = {.name = "gramschm unit", .step = unit_step},
        [PROJECT] = {.name = "gramschm project", .step = project_step},
    };
    struct gramschm *m = (struct gramschm *)w;
    const unsigned kernel = m->base.launched % KERNELS;
    if (m->base.launched == m->base.w.launches)
        return false;
    m->k = m->base.launched++ / KERNELS;
    *launch = kernels[kernel];
    launch_1d(launch, kernel == NORM ? 1 : ceil_div(m->n, BLOCK), BLOCK);
    launch->warp_state_size = sizeof(struct gramschm_warp);
    launch->ctx = m;
    return true;
}

static void gramschm_inputs(uint64_t n, float *a) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n * n; i++)
        a[i] = (float)rng_below(&r, 10) / 10;
    for (uint64_t i = 0; i < n; i++)
        a[i * n + i] += (float)n;
}

/* Computes column k of q and r, then the later columns of a, for the reference version. r and q
 * must be zeroed. */
static void orthogonalize(uint64_t n, uint64_t k, float *a, float *r, float *q) {
    float *row = &r[k * n];
    for (uint64_t i = 0; i < n; i++)
        row[k] += a[i * n + k] * a[i * n + k];
    row[k] = sqrtf(row[k]);
    for (uint64_t i = 0; i < n; i++) {
        q[i * n + k] = a[i * n + k] / row[k];
        for (uint64_t j = k + 1; j < n; j++)
            row[j] += a[i * n + j] * q[i * n + k];
    }
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = k + 1; j < n; j++)
            a[i * n + j] -= q[i * n + k] * row[j];
}

static int gramschm_verify(struct workload *w, struct error *err) {
    struct gramschm *m = (struct gramschm *)w;
    const uint64_t n = m->n, n2 = n * n;
    float *a = alloc_array(n2, sizeof *a), *r = alloc_zeroed(n2, sizeof *r),
          *q = alloc_zeroed(n2, sizeof *q);
    gramschm_inputs(n, a);
    for (uint64_t k = 0; k < n; k++)
        orthogonalize(n, k, a, r, q);
    int rc = verify_floats("a", m->a.v, a, n2, err);
    if (rc == 0)
        rc = verify_floats("r", m->r.v, r, n2, err);
    if (rc == 0)
        rc = verify_floats("q", m->q.v, q, n2, err);
    free(a);
    free(r);
    free(q);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool gramschm_create(struct workload *w, const uint64_t *v) {
    struct gramschm *m = (struct gramschm *)w;
    const uint64_t n = m->n = v[0];
    const uint64_t n2 = n * n, t = n * (n - 1) / 2;
    m->base.w.launches = KERNELS * n;
    if (!NEW_ARRAY(m, a, n2) || !NEW_ARRAY(m, r, n2) || !NEW_ARRAY(m, q, n2))
        return false;
    gramschm_inputs(n, m->a.v);
    expect_accesses(m->a.dev, 2 * n2 + 2 * t * n, t * n);
    expect_accesses(m->r.dev, n2 + t * n, n + t + t * n);
    expect_accesses(m->q.dev, 2 * t * n, n2);
    return true;
}

const struct workload_type workload_gramschm = {
    .name = "gramschm",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "Gram-Schmidt: one thread down a column, columns of 32 lines per warp, a shrinking "
           "triangle",
    .size_doc = "N, edge of the matrix",
    .default_size = "256",
    .size = {{"N", 1, 16384}},
    .state_size = sizeof(struct gramschm),
    .next = gramschm_next,
    .verify = gramschm_verify,
    .create = gramschm_create,
};
