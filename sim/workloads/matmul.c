#include "matmul.h"

#include <stdlib.h>

#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8

static const float alpha = 1.25f, beta = 0.75f;

enum { SUM, A, B = A + UNROLL }; /* registers; UNROLL of A and of B */

struct matmul {
    struct lane_workload base;
    const struct matmul_plan *plan;
    uint64_t n;
    bool literal;
    ARRAY(float) a;
    ARRAY(float) b; /* unless transposed */
    ARRAY(float) c;
};

struct matmul_warp {
    struct warp_head head;
    uint64_t k;
    float a[WARP_LANES], b[WARP_LANES], sum[WARP_LANES];
};

/* Registers of this turn of the unrolled loop. */
#define R_A R(A + w->k % UNROLL)
#define R_B R(B + w->k % UNROLL)

static void matmul_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct matmul *m = ctx;
    struct matmul_warp *w = state;
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
        if (m->plan->transposed)
            LD(w->b[l], m->a, [(j + l) * n + w->k], R_B, 0);
        else
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

static bool matmul_next(struct workload *w, struct kernel_launch *launch) {
    struct matmul *m = (struct matmul *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = m->plan->kernel,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct matmul_warp),
        .step = matmul_step,
        .ctx = m,
    };
    return true;
}

/* b: NULL if transposed. */
static void inputs(const struct matmul *m, float *a, float *b, float *c) {
    struct rng r = {m->plan->seed};
    rng_fill(&r, a, m->n * m->n, 0, 1);
    if (b)
        rng_fill(&r, b, m->n * m->n, 0, 1);
    rng_fill(&r, c, m->n * m->n, 0, 1);
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

static void transpose(uint64_t n, const float *a, float *b) {
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            b[j * n + i] = a[i * n + j];
}

static int matmul_verify(struct workload *w, char *err, size_t err_size) {
    struct matmul *m = (struct matmul *)w;
    const uint64_t n = m->n;
    float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
    float *c = malloc(n * n * sizeof *c);
    int rc = a && b && c ? 0 : verify_no_memory(err, err_size);
    if (rc == 0) {
        inputs(m, a, m->plan->transposed ? NULL : b, c);
        if (m->plan->transposed)
            transpose(n, a, b);
        multiply(n, a, b, c);
        rc = verify_floats("c", m->c.v, c, n * n, err, err_size);
    }
    free(a);
    free(b);
    free(c);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static void matmul_expect(struct matmul *m) {
    const uint64_t n2 = m->n * m->n, n3 = n2 * m->n;
    expect_accesses(m->a.dev, m->plan->transposed ? 2 * n3 : n3, 0);
    if (!m->plan->transposed)
        expect_accesses(m->b.dev, n3, 0);
    expect_accesses(m->c.dev, n2 + (m->literal ? n3 : 0), n2 + n3);
}

struct workload *matmul_create(const struct workload_type *type, const struct matmul_plan *plan,
                               const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 16384}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(type, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct matmul *m = workload_new(type, sizeof *m, err, err_size);
    if (!m)
        return NULL;
    const uint64_t n2 = v[0] * v[0];
    m->plan = plan;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.next = matmul_next;
    m->base.w.verify = matmul_verify;
    if (!NEW_ARRAY(m, a, n2, err, err_size) ||
        (!plan->transposed && !NEW_ARRAY(m, b, n2, err, err_size)) ||
        !NEW_ARRAY(m, c, n2, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    inputs(m, m->a.v, m->b.v, m->c.v);
    matmul_expect(m);
    return &m->base.w;
}
