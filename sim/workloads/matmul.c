// SPDX-License-Identifier: Apache-2.0
#include "matmul.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8

static const float alpha = 1.25f, beta = 0.75f;

/* Registers; UNROLL of each factor. */
enum { SUM, A, B = A + UNROLL, C = B + UNROLL, D = C + UNROLL };

typedef ARRAY(float) float_array;

struct matmul {
    struct lane_workload base;
    const struct matmul_variant *variant;
    uint64_t n, length; /* edge of C; of the sums */
    bool literal;
    float_array a;
    float_array b; /* not for A A^T */
    float_array c;
    float_array right; /* a or b: the right factor of the first product */
};

struct matmul_warp {
    struct warp_head head;
    uint64_t k;
    float a[WARP_LANES], b[WARP_LANES]; /* factors of the first product */
    float c[WARP_LANES], d[WARP_LANES]; /* and of the second */
    float sum[WARP_LANES];
};

/* Register of this turn of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void matmul_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct matmul *m = ctx;
    struct matmul_warp *w = state;
    const uint64_t n = m->n, length = m->length;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n);
    LD(w->sum[l], m->c, [i * n + j + l], R(SUM), 0);
    ALU(1, w->sum[l] *= beta, R(SUM), R(SUM));
    ST(w->sum[l], m->c, [i * n + j + l], R(SUM));
    for (w->k = 0; w->k < length; w->k++) {
        LD(w->a[l], m->a, [i * length + w->k], R_TURN(A), 0);
        ALU(1, w->a[l] *= alpha, R_TURN(A), R_TURN(A));
        if (m->variant->sum == MATMUL_AB)
            LD(w->b[l], m->right, [w->k * n + j + l], R_TURN(B), 0);
        else
            LD(w->b[l], m->right, [(j + l) * length + w->k], R_TURN(B), 0);
        if (m->variant->sum == MATMUL_ABT_BAT) {
            LD(w->c[l], m->b, [i * length + w->k], R_TURN(C), 0);
            ALU(1, w->c[l] *= alpha, R_TURN(C), R_TURN(C));
            LD(w->d[l], m->a, [(j + l) * length + w->k], R_TURN(D), 0);
        }
        if (m->literal)
            LD(w->sum[l], m->c, [i * n + j + l], R(SUM), 0);
        if (m->variant->sum == MATMUL_ABT_BAT)
            ALU(3, w->sum[l] += w->a[l] * w->b[l] + w->c[l] * w->d[l], R(SUM),
                R(SUM) | R_TURN(A) | R_TURN(B) | R_TURN(C) | R_TURN(D));
        else
            ALU(1, w->sum[l] += w->a[l] * w->b[l], R(SUM), R(SUM) | R_TURN(A) | R_TURN(B));
        ST(w->sum[l], m->c, [i * n + j + l], R(SUM));
        if (w->k % UNROLL == UNROLL - 1 || w->k == length - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool matmul_next(struct workload *w, struct kernel_launch *launch) {
    struct matmul *m = (struct matmul *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = m->variant->kernel,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .paper_regs = 12, /* of 3MM: Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct matmul_warp),
        .step = matmul_step,
        .ctx = m,
    };
    return true;
}

/* b: NULL for A A^T. */
static void inputs(const struct matmul *m, float *a, float *b, float *c) {
    struct rng r = {m->variant->seed};
    rng_fill(&r, a, m->n * m->length, 0, 1);
    if (b)
        rng_fill(&r, b, m->n * m->length, 0, 1);
    rng_fill(&r, c, m->n * m->n, 0, 1);
}

/* Plain version: row by row; each element sums up in the order of k, as the kernel does. */
static void multiply(const struct matmul *m, const float *a, const float *b, float *c) {
    const uint64_t n = m->n, length = m->length;
    const bool by_rows = m->variant->sum != MATMUL_AB; /* the right factors are transposed */
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            c[i * n + j] *= beta;
        for (uint64_t k = 0; k < length; k++) {
            for (uint64_t j = 0; j < n; j++) {
                float term = alpha * a[i * length + k] * b[by_rows ? j * length + k : k * n + j];
                if (m->variant->sum == MATMUL_ABT_BAT)
                    term += alpha * b[i * length + k] * a[j * length + k];
                c[i * n + j] += term;
            }
        }
    }
}

static int matmul_verify(struct workload *w, char *err, size_t err_size) {
    struct matmul *m = (struct matmul *)w;
    const uint64_t n = m->n, factor = n * m->length;
    const bool one = m->variant->sum == MATMUL_AAT;
    float *a = alloc_array(factor, sizeof *a), *b = alloc_array(factor, sizeof *b);
    float *c = alloc_array(n * n, sizeof *c);
    inputs(m, a, one ? NULL : b, c);
    multiply(m, a, one ? a : b, c);
    int rc = verify_floats("c", m->c.v, c, n * n, err, err_size);
    free(a);
    free(b);
    free(c);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static void matmul_expect(struct matmul *m) {
    const uint64_t n2 = m->n * m->n, n3 = n2 * m->length;
    const uint64_t factors = m->variant->sum == MATMUL_AB ? 1 : 2; /* of each matrix */
    expect_accesses(m->a.dev, factors * n3, 0);
    if (m->variant->sum != MATMUL_AAT)
        expect_accesses(m->b.dev, factors * n3, 0);
    expect_accesses(m->c.dev, n2 + (m->literal ? n3 : 0), n2 + n3);
}

struct workload *matmul_create(const struct workload_type *type,
                               const struct matmul_variant *variant, const char *size, char *err,
                               size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 16384}, {"L", 0, 1}, {"K", 0, 16384}};
    uint64_t v[3];
    if (workload_size(type, desc, 3, size, v, err, err_size) != 0)
        return NULL;
    struct matmul *m = workload_new(type, sizeof *m);
    const uint64_t length = v[2] ? v[2] : v[0], factor = v[0] * length;
    m->variant = variant;
    m->n = v[0];
    m->length = length;
    m->literal = v[1];
    m->base.w.launches = 1;
    m->base.w.next = matmul_next;
    m->base.w.verify = matmul_verify;
    if (!NEW_ARRAY(m, a, factor, err, err_size) ||
        (variant->sum != MATMUL_AAT && !NEW_ARRAY(m, b, factor, err, err_size)) ||
        !NEW_ARRAY(m, c, v[0] * v[0], err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    m->right = variant->sum == MATMUL_AAT ? m->a : m->b;
    inputs(m, m->a.v, m->b.v, m->c.v);
    matmul_expect(m);
    return &m->base.w;
}
