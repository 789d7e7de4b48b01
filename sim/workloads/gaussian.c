// SPDX-License-Identifier: Apache-2.0
/* gaussian (UVMBench, from Rodinia): elimination in a system of N linear equations, two launches
 * per column.
 *
 * `multipliers` divides the column below the pivot by the pivot. `eliminate` subtracts the
 * resulting multiple of the pivot's row from each row below it, and does the same with the
 * right-hand side. Both use transposed indices: adjacent lanes process adjacent rows, so accesses
 * are not coalesced. CTAs of `eliminate` have 4 x 4 threads, half a warp, and the grid of
 * `eliminate` does not shrink with the rest of the matrix. The original's back substitution on the
 * host is omitted.
 *
 * Thread-level accesses, with T = N (N-1) / 2 and P = (N-1) N (N+1) / 3: a: 2 T + 2 P loads, P
 * stores. b: 2 T loads, T stores. m: T + P loads, T stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 512
#define EDGE 4 /* edge of a CTA of `eliminate`, in threads */
#define SEED 0x6a55

enum { INDEX, PIVOT, VALUE, FACTOR, QUOTIENT }; /* registers */

struct gaussian {
    struct lane_workload base;
    uint64_t n;
    uint64_t t;     /* column of the current launch */
    ARRAY(float) a; /* [n][n] */
    ARRAY(float) b; /* right-hand side */
    ARRAY(float) m; /* multipliers, [n][n] */
};

struct gaussian_warp {
    struct warp_head head;
    uint32_t inside; /* lanes with an element in the rest of the matrix */
    float pivot[WARP_LANES], value[WARP_LANES], factor[WARP_LANES];
};

static void multipliers_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                             struct warp_inst *inst) {
    struct gaussian *m = ctx;
    struct gaussian_warp *w = state;
    const uint64_t n = m->n, t = m->t;
    const uint64_t row = thread_in_grid(place, BLOCK, 0) + t + 1; /* index of lane 0's row */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    RETURN_UNLESS(row + l < n);
    LD(w->pivot[l], m->a, [t * n + t], R(PIVOT), R(INDEX));
    LD(w->value[l], m->a, [(row + l) * n + t], R(VALUE), R(INDEX));
    SFU(1, w->factor[l] = w->value[l] / w->pivot[l], R(QUOTIENT), R(PIVOT));
    ALU_RUN(8, R(QUOTIENT), R(QUOTIENT) | R(PIVOT) | R(VALUE));
    ST(w->factor[l], m->m, [(row + l) * n + t], R(QUOTIENT) | R(INDEX));
    WARP_END();
}

/* Row of the lane's element, and the element's column relative to the pivot's column. */
#define ROW (place->cta[0] * (uint64_t)EDGE + thread_x(place, EDGE, l) + t + 1)
#define COLUMN (place->cta[1] * (uint64_t)EDGE + thread_y(place, EDGE, l))

static void eliminate_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct gaussian *m = ctx;
    struct gaussian_warp *w = state;
    const uint64_t n = m->n, t = m->t;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(15, R(INDEX), 0);
    RETURN_UNLESS(ROW < n && COLUMN < n - t);
    LD(w->pivot[l], m->a, [t * n + t + COLUMN], R(PIVOT), R(INDEX));
    LD(w->factor[l], m->m, [ROW * n + t], R(FACTOR), R(INDEX));
    ALU_RUN(4, R(INDEX), R(INDEX));
    LD(w->value[l], m->a, [ROW * n + t + COLUMN], R(VALUE), R(INDEX));
    ALU(1, w->value[l] -= w->factor[l] * w->pivot[l], R(VALUE), R(VALUE) | R(FACTOR) | R(PIVOT));
    ST(w->value[l], m->a, [ROW * n + t + COLUMN], R(VALUE) | R(INDEX));
    KEEP_LANES(COLUMN == 0);
    LD(w->pivot[l], m->b, [t], R(PIVOT), R(INDEX));
    LD(w->factor[l], m->m, [ROW * n + t], R(FACTOR), R(INDEX));
    ALU_RUN(2, R(INDEX), R(INDEX));
    LD(w->value[l], m->b, [ROW], R(VALUE), R(INDEX));
    ALU(1, w->value[l] -= w->factor[l] * w->pivot[l], R(VALUE), R(VALUE) | R(FACTOR) | R(PIVOT));
    ST(w->value[l], m->b, [ROW], R(VALUE) | R(INDEX));
    WARP_END();
}

static bool gaussian_next(struct workload *w, struct kernel_launch *launch) {
    struct gaussian *m = (struct gaussian *)w;
    const bool divide = m->base.launched % 2 == 0;
    m->t = m->base.launched / 2;
    if (m->t == m->n - 1)
        return false;
    m->base.launched++;
    const uint32_t edge = (uint32_t)ceil_div(m->n, EDGE);
    *launch = (struct kernel_launch){
        .name = divide ? "gaussian multipliers" : "gaussian eliminate",
        .grid = {divide ? (uint32_t)ceil_div(m->n, BLOCK) : edge, divide ? 1 : edge, 1},
        .block = {divide ? BLOCK : EDGE, divide ? 1 : EDGE, 1},
        .warp_state_size = sizeof(struct gaussian_warp),
        .step = divide ? multipliers_step : eliminate_step,
        .ctx = m,
    };
    return true;
}

/* Generates a matrix of multiples of 0.1 from -1 to 1 and adds n on the diagonal, so that no pivot
 * is 0. */
static void gaussian_inputs(uint64_t n, float *a, float *b) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n * n; i++)
        a[i] = (float)((int)rng_below(&r, 21) - 10) / 10;
    for (uint64_t i = 0; i < n; i++) {
        b[i] = (float)((int)rng_below(&r, 21) - 10) / 10;
        a[i * n + i] += (float)n;
    }
}

static void eliminate(uint64_t n, float *a, float *b, float *m) {
    for (uint64_t t = 0; t < n - 1; t++) {
        for (uint64_t i = t + 1; i < n; i++) {
            const float factor = a[i * n + t] / a[t * n + t];
            m[i * n + t] = factor;
            for (uint64_t j = t; j < n; j++)
                a[i * n + j] -= factor * a[t * n + j];
            b[i] -= factor * b[t];
        }
    }
}

static int gaussian_verify(struct workload *w, struct error *err) {
    struct gaussian *g = (struct gaussian *)w;
    const uint64_t n = g->n;
    float *a = alloc_array(n * n, sizeof *a), *b = alloc_array(n, sizeof *b);
    float *m = alloc_zeroed(n * n, sizeof *m);
    gaussian_inputs(n, a, b);
    eliminate(n, a, b, m);
    int rc = verify_floats("a", g->a.v, a, n * n, err);
    if (rc == 0)
        rc = verify_floats("b", g->b.v, b, n, err);
    if (rc == 0)
        rc = verify_floats("m", g->m.v, m, n * n, err);
    free(a);
    free(b);
    free(m);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool gaussian_create(struct workload *w, const uint64_t *v) {
    struct gaussian *m = (struct gaussian *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = 2 * (n - 1);
    if (!NEW_ARRAY(m, a, n * n) || !NEW_ARRAY(m, b, n) || !NEW_ARRAY(m, m, n * n))
        return false;
    gaussian_inputs(n, m->a.v, m->b.v);
    const uint64_t rows = n * (n - 1) / 2, cells = (n - 1) * n * (n + 1) / 3;
    expect_accesses(m->a.dev, 2 * rows + 2 * cells, cells);
    expect_accesses(m->b.dev, 2 * rows, rows);
    expect_accesses(m->m.dev, rows + cells, rows);
    return true;
}

const struct workload_type workload_gaussian = {
    .name = "gaussian",
    .suite = "UVMBench (Rodinia)",
    .class = "irregular",
    .doc = "Gaussian elimination: uncoalesced columns, half warps, a grid that does not shrink",
    .size_doc = "N, number of equations",
    .default_size = "256",
    .size = {{"N", 2, 8192}},
    .state_size = sizeof(struct gaussian),
    .next = gaussian_next,
    .verify = gaussian_verify,
    .create = gaussian_create,
};
