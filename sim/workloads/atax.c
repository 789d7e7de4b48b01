/* atax: y = A^T (A x) over an N x N matrix: one kernel with a thread a row, one with a thread a
 * column.
 *
 * Both keep the sum in memory (see docs/workloads.md, AIM); with L=1 they load it in each step too.
 *
 * Thread-level accesses: a: 2 N^2 loads. x: N^2 loads. tmp: N^2 stores, N^2 + N loads
 * (L=1: 2 N^2). y: N^2 stores, N loads (L=1: N^2).
 */
#include "lane.h"

#include <stdlib.h>

#define BLOCK 256
#define UNROLL_ROWS 16
#define UNROLL_COLUMNS 8
#define SEED 0xa7a

/* registers; as many of VECTOR and MATRIX as loops are unrolled */
enum { SUM, VECTOR, MATRIX = VECTOR + UNROLL_ROWS };

struct atax {
    struct lane_workload base;
    uint64_t n;
    bool literal;
    ARRAY(float) a;
    ARRAY(float) x;
    ARRAY(float) y;
    ARRAY(float) tmp;
};

struct atax_warp {
    struct warp_head head;
    uint64_t k;
    float vector[WARP_LANES], matrix[WARP_LANES], sum[WARP_LANES];
};

/* Register of this turn of a loop unrolled that often. */
#define R_TURN(first, unroll) R((first) + w->k % (unroll))

/* tmp[i] += A[i][k] x[k]; a lane has row i. */
static void rows_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct atax *m = ctx;
    struct atax_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < n);
    if (!m->literal)
        LD(w->sum[l], m->tmp, [i + l], R(SUM), 0);
    for (w->k = 0; w->k < n; w->k++) {
        LD(w->vector[l], m->x, [w->k], R_TURN(VECTOR, UNROLL_ROWS), 0);
        LD(w->matrix[l], m->a, [(i + l) * n + w->k], R_TURN(MATRIX, UNROLL_ROWS), 0);
        if (m->literal)
            LD(w->sum[l], m->tmp, [i + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->matrix[l] * w->vector[l], R(SUM),
            R(SUM) | R_TURN(VECTOR, UNROLL_ROWS) | R_TURN(MATRIX, UNROLL_ROWS));
        ST(w->sum[l], m->tmp, [i + l], R(SUM));
        if (w->k % UNROLL_ROWS == UNROLL_ROWS - 1 || w->k == n - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

/* y[j] += A[k][j] tmp[k]; a lane has column j. */
static void columns_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct atax *m = ctx;
    struct atax_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(j + l < n);
    if (!m->literal)
        LD(w->sum[l], m->y, [j + l], R(SUM), 0);
    for (w->k = 0; w->k < n; w->k++) {
        LD(w->vector[l], m->tmp, [w->k], R_TURN(VECTOR, UNROLL_COLUMNS), 0);
        LD(w->matrix[l], m->a, [w->k * n + j + l], R_TURN(MATRIX, UNROLL_COLUMNS), 0);
        if (m->literal)
            LD(w->sum[l], m->y, [j + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->matrix[l] * w->vector[l], R(SUM),
            R(SUM) | R_TURN(VECTOR, UNROLL_COLUMNS) | R_TURN(MATRIX, UNROLL_COLUMNS));
        ST(w->sum[l], m->y, [j + l], R(SUM));
        if (w->k % UNROLL_COLUMNS == UNROLL_COLUMNS - 1 || w->k == n - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool atax_next(struct workload *w, struct kernel_launch *launch) {
    struct atax *m = (struct atax *)w;
    const unsigned k = m->base.launched++;
    if (k > 1)
        return false;
    *launch = (struct kernel_launch){
        .name = k == 0 ? "atax rows" : "atax columns",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct atax_warp),
        .step = k == 0 ? rows_step : columns_step,
        .ctx = m,
    };
    return true;
}

static void multiply(uint64_t n, const float *a, const float *x, float *tmp, float *y) {
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            tmp[i] += a[i * n + j] * x[j];
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            y[j] += a[i * n + j] * tmp[i];
}

static int atax_verify(struct workload *w, char *err, size_t err_size) {
    struct atax *m = (struct atax *)w;
    float *tmp = calloc(m->n, sizeof *tmp), *y = calloc(m->n, sizeof *y);
    int rc = tmp && y ? 0 : verify_no_memory(err, err_size);
    if (rc == 0) {
        multiply(m->n, m->a.v, m->x.v, tmp, y);
        rc = verify_floats("tmp", m->tmp.v, tmp, m->n, err, err_size);
    }
    if (rc == 0)
        rc = verify_floats("y", m->y.v, y, m->n, err, err_size);
    free(tmp);
    free(y);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *atax_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_atax = {
    .name = "atax",
    .suite = "UVMBench (PolyBench)",
    .doc = "A^T (A x): row per thread (32 lines a warp), then column per thread (coalesced)",
    .size_doc = "N[,L]: N, edge of the matrix; L=1 reloads the sum in each step (default 0)",
    .default_size = "1024",
    .create = atax_create,
};

static void atax_expect(struct atax *m) {
    const uint64_t n = m->n, sum_loads = m->literal ? n * n : n;
    expect_accesses(m->a.dev, 2 * n * n, 0);
    expect_accesses(m->x.dev, n * n, 0);
    expect_accesses(m->y.dev, sum_loads, n * n);
    expect_accesses(m->tmp.dev, n * n + sum_loads, n * n);
}

static struct workload *atax_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 20000}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(&workload_atax, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct atax *m = workload_new(&workload_atax, sizeof *m, err, err_size);
    if (!m)
        return NULL;
    const uint64_t n = m->n = v[0];
    m->literal = v[1];
    m->base.w.next = atax_next;
    m->base.w.verify = atax_verify;
    if (!NEW_ARRAY(m, a, n * n, err, err_size) || !NEW_ARRAY(m, x, n, err, err_size) ||
        !NEW_ARRAY(m, y, n, err, err_size) || !NEW_ARRAY(m, tmp, n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, n * n, 0, 1);
    rng_fill(&r, m->x.v, n, 0, 1);
    atax_expect(m);
    return &m->base.w;
}
