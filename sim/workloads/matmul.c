// SPDX-License-Identifier: Apache-2.0
/* gemm, syrk and syr2k (UVMBench, from PolyBench): one kernel C = alpha S + beta C over N x N
 * floats, one thread per element of C (of both triangles), no tiling. S is A B, A A^T, or A B^T + B
 * A^T. Its factors are N x K, except that B in A B is K x N.
 *
 * The sum is kept in memory, so every step of the inner loop stores C (see "Sums in memory" in
 * docs/use/workloads.md). With L=1, every step also loads C.
 *
 * Thread-level accesses: N^2 K loads of each factor of each product. c: N^2 loads (L=1: N^2 + N^2
 * K), N^2 + N^2 K stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8

/* Value of S, and the arrays that it needs. */
enum matmul_sum {
    MATMUL_AB,      /* A B; a, b, c */
    MATMUL_AAT,     /* A A^T; a, c */
    MATMUL_ABT_BAT, /* A B^T + B A^T; a, b, c */
};

struct matmul_variant {
    uint64_t seed;
    enum matmul_sum sum;
};

static const float alpha = 1.25f, beta = 0.75f;

/* registers; UNROLL for each factor */
enum { SUM, A, B = A + UNROLL, C = B + UNROLL, D = C + UNROLL };

typedef ARRAY(float) float_array;

struct matmul {
    struct lane_workload base;
    const struct matmul_variant *variant;
    uint64_t n, /* edge of C */
        length; /* number of terms per sum */
    bool literal;
    float_array a;
    float_array b; /* unused for A A^T */
    float_array c;
    float_array right; /* right factor of the first product: a or b */
};

struct matmul_warp {
    struct warp_head head;
    uint64_t k;
    float a[WARP_LANES], b[WARP_LANES]; /* factors of the first product */
    float c[WARP_LANES], d[WARP_LANES]; /* factors of the second product */
    float sum[WARP_LANES];
};

/* Register used in this iteration of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void matmul_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct matmul *m = ctx;
    struct matmul_warp *w = state;
    const uint64_t n = m->n, length = m->length;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* index of lane 0's column */
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
        .name = w->type->name,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .paper_regs = 12, /* value of 3MM in Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct matmul_warp),
        .step = matmul_step,
        .ctx = m,
    };
    return true;
}

/* Generates the inputs. b is NULL for A A^T. */
static void inputs(const struct matmul *m, float *a, float *b, float *c) {
    struct rng r = {m->variant->seed};
    rng_fill(&r, a, m->n * m->length, 0, 1);
    if (b)
        rng_fill(&r, b, m->n * m->length, 0, 1);
    rng_fill(&r, c, m->n * m->n, 0, 1);
}

/* Computes C row by row for the reference version. Sums each element in the order of k, as the
 * kernel does. */
static void multiply(const struct matmul *m, const float *a, const float *b, float *c) {
    const uint64_t n = m->n, length = m->length;
    const bool by_rows = m->variant->sum != MATMUL_AB; /* true if right factors are transposed */
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

static int matmul_verify(struct workload *w, struct error *err) {
    struct matmul *m = (struct matmul *)w;
    const uint64_t n = m->n, factor = n * m->length;
    const bool one = m->variant->sum == MATMUL_AAT;
    float *a = alloc_array(factor, sizeof *a), *b = alloc_array(factor, sizeof *b);
    float *c = alloc_array(n * n, sizeof *c);
    inputs(m, a, one ? NULL : b, c);
    multiply(m, a, one ? a : b, c);
    int rc = verify_floats("c", m->c.v, c, n * n, err);
    free(a);
    free(b);
    free(c);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void matmul_expect(struct matmul *m) {
    const uint64_t n2 = m->n * m->n, n3 = n2 * m->length;
    const uint64_t factors = m->variant->sum == MATMUL_AB ? 1 : 2; /* loads per matrix */
    expect_accesses(m->a.dev, factors * n3, 0);
    if (m->variant->sum != MATMUL_AAT)
        expect_accesses(m->b.dev, factors * n3, 0);
    expect_accesses(m->c.dev, n2 + (m->literal ? n3 : 0), n2 + n3);
}

static bool matmul_create(struct workload *w, const uint64_t *v) {
    struct matmul *m = (struct matmul *)w;
    const uint64_t length = v[2] ? v[2] : v[0], factor = v[0] * length;
    m->variant = w->type->variant;
    m->n = v[0];
    m->length = length;
    m->literal = v[1];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, a, factor) || (m->variant->sum != MATMUL_AAT && !NEW_ARRAY(m, b, factor)) ||
        !NEW_ARRAY(m, c, v[0] * v[0]))
        return false;
    m->right = m->variant->sum == MATMUL_AAT ? m->a : m->b;
    inputs(m, m->a.v, m->b.v, m->c.v);
    matmul_expect(m);
    return true;
}

#define MATMUL(name_, class_, doc_, default_, ...)                                                 \
    const struct workload_type workload_##name_ = {                                                \
        .name = #name_,                                                                            \
        .suite = "UVMBench (PolyBench)",                                                           \
        .class = class_,                                                                           \
        .doc = doc_,                                                                               \
        .size_doc = "N[,L[,K]]: N, edge of the result; L=1 reloads the sum in each step (default " \
                    "0); K, length of the sums (0: N)",                                            \
        .default_size = default_,                                                                  \
        .variant = &(const struct matmul_variant){__VA_ARGS__},                                    \
        .size = {{"N", 1, 16384}, {"L", 0, 1}, {"K", 0, 16384}},                                   \
        .state_size = sizeof(struct matmul),                                                       \
        .next = matmul_next,                                                                       \
        .verify = matmul_verify,                                                                   \
        .create = matmul_create,                                                                   \
    }

MATMUL(gemm, "irregular",
       "matrix product without tiling: row broadcast, coalesced column, a store per step", "512",
       .seed = 0x6e33, .sum = MATMUL_AB);
MATMUL(syrk, "regular",
       "A A^T without tiling: row broadcast, 32 rows per warp (32 lines), a store per step", "256",
       .seed = 0x5121, .sum = MATMUL_AAT);
MATMUL(syr2k, "irregular",
       "A B^T + B A^T without tiling: two row broadcasts, two columns of 32 lines, a store", "192",
       .seed = 0x52c4, .sum = MATMUL_ABT_BAT);
