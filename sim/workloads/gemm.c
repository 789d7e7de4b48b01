/* gemm: C = alpha A B + beta C over N x N floats, one thread an element of C, no tiling.
 *
 * The sum is kept in memory: every step of the inner loop stores C (see docs/workloads.md, AIM);
 * with L=1 it is also loaded in every step.
 *
 * Thread-level accesses: a, b: N^3 loads each. c: N^2 loads (L=1: N^2 + N^3), N^2 + N^3 stores.
 */
#include "lane.h"

#include <stdlib.h>

#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8
#define SEED 0x6e33

static const float alpha = 1.25f, beta = 0.75f;

enum { SUM, A, B = A + UNROLL }; /* registers; UNROLL of A and of B */

struct gemm {
    struct lane_workload base;
    uint64_t n;
    bool literal;
    ARRAY(float) a;
    ARRAY(float) b;
    ARRAY(float) c;
};

struct gemm_warp {
    struct warp_head head;
    uint64_t k;
    float a[WARP_LANES], b[WARP_LANES], sum[WARP_LANES];
};

/* Registers of this turn of the unrolled loop. */
#define R_A R(A + w->k % UNROLL)
#define R_B R(B + w->k % UNROLL)

static void gemm_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct gemm *m = ctx;
    struct gemm_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n);
    LD(w->sum[l], m->c, [i * n + j + l], R(SUM), 0);
    ALU(1, w->sum[l] *= beta, R(SUM), R(SUM));
    ST(w->sum[l], m->c, [i * n + j + l], R(SUM));
    for (w->k = 0; w->k < n; w->k++) {
        LD(w->a[l], m->a, [i * n + w->k], R_A, 0);
        ALU(1, w->a[l] *= alpha, R_A, R_A);
        LD(w->b[l], m->b, [w->k * n + j + l], R_B, 0);
        if (m->literal)
            LD(w->sum[l], m->c, [i * n + j + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->a[l] * w->b[l], R(SUM), R(SUM) | R_A | R_B);
        ST(w->sum[l], m->c, [i * n + j + l], R(SUM));
        if (w->k % UNROLL == UNROLL - 1 || w->k == n - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool gemm_next(struct workload *w, struct kernel_launch *launch) {
    struct gemm *m = (struct gemm *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "gemm",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct gemm_warp),
        .step = gemm_step,
        .ctx = m,
    };
    return true;
}

static void gemm_inputs(uint64_t n, float *a, float *b, float *c) {
    struct rng r = {SEED};
    rng_fill(&r, a, n * n, 0, 1);
    rng_fill(&r, b, n * n, 0, 1);
    rng_fill(&r, c, n * n, 0, 1);
}

/* Row by row; each element sums up in the order of k, as the kernel does. */
static void multiply(uint64_t n, const float *a, const float *b, float *c) {
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            c[i * n + j] *= beta;
        for (uint64_t k = 0; k < n; k++) {
            const float factor = a[i * n + k] * alpha;
            for (uint64_t j = 0; j < n; j++)
                c[i * n + j] += factor * b[k * n + j];
        }
    }
}

static int gemm_verify(struct workload *w, char *err, size_t err_size) {
    struct gemm *m = (struct gemm *)w;
    const uint64_t n = m->n;
    float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
    float *c = malloc(n * n * sizeof *c);
    int rc = a && b && c ? 0 : verify_no_memory(err, err_size);
    if (rc == 0) {
        gemm_inputs(n, a, b, c);
        multiply(n, a, b, c);
        rc = verify_floats("c", m->c.v, c, n * n, err, err_size);
    }
    free(a);
    free(b);
    free(c);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *gemm_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_gemm = {
    .name = "gemm",
    .suite = "UVMBench (PolyBench)",
    .doc = "matrix product without tiling: row broadcast, coalesced column, a store each step",
    .size_doc = "N[,L]: N, edge of the matrices; L=1 reloads the sum in each step (default 0)",
    .default_size = "512",
    .create = gemm_create,
};

static struct workload *gemm_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 16384}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(&workload_gemm, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct gemm *m = workload_new(&workload_gemm, sizeof *m, err, err_size);
    if (!m)
        return NULL;
    const uint64_t n = m->n = v[0];
    m->literal = v[1];
    m->base.w.next = gemm_next;
    m->base.w.verify = gemm_verify;
    if (!NEW_ARRAY(m, a, n * n, err, err_size) || !NEW_ARRAY(m, b, n * n, err, err_size) ||
        !NEW_ARRAY(m, c, n * n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    gemm_inputs(n, m->a.v, m->b.v, m->c.v);
    expect_accesses(m->a.dev, n * n * n, 0);
    expect_accesses(m->b.dev, n * n * n, 0);
    expect_accesses(m->c.dev, n * n + (m->literal ? n * n * n : 0), n * n + n * n * n);
    return &m->base.w;
}
