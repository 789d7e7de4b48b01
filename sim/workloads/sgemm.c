// SPDX-License-Identifier: Apache-2.0
/* sgemm (Parboil): C = alpha A B + beta C, with a tile of C of 128 rows and 16 columns per CTA and
 * one of its rows per thread.
 *
 * A (M x K) and C (M x N) are stored by columns, and B (K x N) is stored by rows. A CTA of 16 x 8
 * threads processes K in steps of 8. It copies 8 x 16 elements of B to shared memory, half a warp
 * per row. Each thread loads one element after another of its row of A, coalesced, and adds its
 * products with 16 words of shared memory, which all lanes share, to 16 sums in registers. At the
 * end it loads and stores 16 elements of C, one column after another.
 *
 * V is 1 for the machine code of a V100: a thread loads its 8 elements of A before it uses the
 * first one, and an instruction loads 4 of the 16 words. The shared-memory instructions for 1024 x
 * 1056 x 992 are then the 8,642,304 of AccelWattch's hw_perf.csv (Kandiah et al. 2021). The order
 * of the loads of A is inferred from the cycles of the card (docs/results/silicon_gpus.md).
 *
 * alpha and beta are 1 and 0 in the original, which loads C nevertheless.
 *
 * Thread-level accesses: a: M N K / 16 loads. b: M N K / 128 loads. c: M N loads, M N stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define TILE_N 16
#define STEP 8 /* elements of K per step; also the height of a CTA */
#define TILE_M (TILE_N * STEP)
#define SEED 0x56e

static const float alpha = 1.25f, beta = 0.75f;

/* registers */
enum { INDEX, A, B, C, SUM, FIRST_OF_A };

struct sgemm {
    struct lane_workload base;
    uint64_t m, n, k;
    bool unrolled;  /* V */
    ARRAY(float) a; /* [k][m] */
    ARRAY(float) b; /* [k][n] */
    ARRAY(float) c; /* [n][m] */
};

/* __shared__ array of a CTA. */
struct sgemm_tile {
    float b[STEP][TILE_N];
};

struct sgemm_warp {
    struct warp_head head;
    uint64_t k;
    uint32_t j; /* row of the tile, or column of C */
    float a[STEP][WARP_LANES], value[WARP_LANES], sum[TILE_N][WARP_LANES];
};

static void add_products(struct sgemm_warp *w, const struct sgemm_tile *s, uint32_t l) {
    for (uint32_t j = 0; j < TILE_N; j++)
        w->sum[j][l] += w->a[w->j][l] * s->b[w->j][j];
}

#define X thread_x(place, TILE_N, l)
#define Y thread_y(place, TILE_N, l)
#define A_REGISTER (m->unrolled ? R(FIRST_OF_A + w->j) : R(A))
#define LD_A() LD(w->a[w->j][l], m->a, [(w->k + w->j) * m->m + row + l], A_REGISTER, R(INDEX))

static void sgemm_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct sgemm *m = ctx;
    struct sgemm_tile *s = cta;
    struct sgemm_warp *w = state;
    const uint64_t row =
        (uint64_t)place->cta[0] * TILE_M + thread_in_block(place, 0); /* row of lane 0 */
    const uint64_t column = (uint64_t)place->cta[1] * TILE_N;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    ALU_RUN(TILE_N, R(SUM), 0); /* sets the sums to zero */
    for (w->k = 0; w->k < m->k; w->k += STEP) {
        LD(w->value[l], m->b, [(w->k + Y) * m->n + column + X], R(B), R(INDEX));
        SHARED(1, s->b[Y][X] = w->value[l], 0, R(B) | R(INDEX));
        BAR();
        for (w->j = 0; m->unrolled && w->j < STEP; w->j++)
            LD_A();
        for (w->j = 0; w->j < STEP; w->j++) {
            if (!m->unrolled)
                LD_A();
            SHARED(m->unrolled ? TILE_N / 4 : TILE_N, (void)0, R(B), 0);
            ALU(TILE_N, add_products(w, s, l), R(SUM), R(SUM) | A_REGISTER | R(B));
        }
        ALU_RUN(4, R(INDEX), R(INDEX));
        BAR();
    }
    for (w->j = 0; w->j < TILE_N; w->j++) {
        LD(w->value[l], m->c, [(column + w->j) * m->m + row + l], R(C), R(INDEX));
        ALU(2, w->value[l] = w->value[l] * beta + alpha * w->sum[w->j][l], R(C), R(C) | R(SUM));
        ST(w->value[l], m->c, [(column + w->j) * m->m + row + l], R(C) | R(INDEX));
    }
    WARP_END();
}

static bool sgemm_next(struct workload *w, struct kernel_launch *launch) {
    struct sgemm *m = (struct sgemm *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "sgemm",
        .grid = {(uint32_t)(m->m / TILE_M), (uint32_t)(m->n / TILE_N), 1},
        .block = {TILE_N, STEP, 1},
        .shared_bytes = sizeof(struct sgemm_tile),
        .warp_state_size = sizeof(struct sgemm_warp),
        .cta_state_size = sizeof(struct sgemm_tile),
        .step = sgemm_step,
        .ctx = m,
    };
    return true;
}

static void inputs(const struct sgemm *m, float *a, float *b, float *c) {
    struct rng r = {SEED};
    rng_fill(&r, a, m->m * m->k, 0, 1);
    rng_fill(&r, b, m->k * m->n, 0, 1);
    rng_fill(&r, c, m->m * m->n, 0, 1);
}

/* Computes C column by column for the reference version. Sums each element in the order of k, as
 * the kernel does. `sum` has room for a column. */
static void multiply(const struct sgemm *m, const float *a, const float *b, float *c, float *sum) {
    for (uint64_t j = 0; j < m->n; j++) {
        for (uint64_t i = 0; i < m->m; i++)
            sum[i] = 0;
        for (uint64_t k = 0; k < m->k; k++)
            for (uint64_t i = 0; i < m->m; i++)
                sum[i] += a[k * m->m + i] * b[k * m->n + j];
        for (uint64_t i = 0; i < m->m; i++)
            c[j * m->m + i] = c[j * m->m + i] * beta + alpha * sum[i];
    }
}

static int sgemm_verify(struct workload *w, struct error *err) {
    struct sgemm *m = (struct sgemm *)w;
    float *a = alloc_array(m->m * m->k, sizeof *a), *b = alloc_array(m->k * m->n, sizeof *b);
    float *c = alloc_array(m->m * m->n, sizeof *c), *sum = alloc_array(m->m, sizeof *sum);
    inputs(m, a, b, c);
    multiply(m, a, b, c, sum);
    int rc = verify_floats("c", m->c.v, c, m->m * m->n, err);
    free(a);
    free(b);
    free(c);
    free(sum);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool sgemm_create(struct workload *w, const uint64_t *v) {
    struct sgemm *m = (struct sgemm *)w;
    if (!workload_multiple(w, "M", v[0], TILE_M) || !workload_multiple(w, "N", v[1], TILE_N) ||
        !workload_multiple(w, "K", v[2], STEP))
        return false;
    m->m = v[0];
    m->n = v[1];
    m->k = v[2];
    m->unrolled = v[3] == 1;
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, a, m->m * m->k) || !NEW_ARRAY(m, b, m->k * m->n) ||
        !NEW_ARRAY(m, c, m->m * m->n))
        return false;
    inputs(m, m->a.v, m->b.v, m->c.v);
    const uint64_t cells = m->m * m->n;
    expect_accesses(m->a.dev, cells / TILE_N * m->k, 0);
    expect_accesses(m->b.dev, cells / TILE_M * m->k, 0);
    expect_accesses(m->c.dev, cells, cells);
    return true;
}

const struct workload_type workload_sgemm = {
    .name = "sgemm",
    .suite = "Parboil",
    .doc = "C = alpha A B + beta C: B through shared memory, columns of A and C coalesced",
    .size_doc = "M[,N[,K[,V]]]: rows and columns of C (multiples of 128 and 16), columns of A (of "
                "8), 1 for the machine code of a V100",
    .default_size = "512,512,512,0",
    .size = {{"M", TILE_M, 16384}, {"N", TILE_N, 16384}, {"K", STEP, 16384}, {"V", 0, 1}},
    .state_size = sizeof(struct sgemm),
    .next = sgemm_next,
    .verify = sgemm_verify,
    .create = sgemm_create,
};
