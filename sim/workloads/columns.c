// SPDX-License-Identifier: Apache-2.0
/* corr and covar (UVMBench, from PolyBench): compute the correlations and the covariances of the N
 * columns of an N x N table. Four kernels compute the means, the deviations (if scaled), the
 * centered (and scaled) table, and the pairs. For the pairs, one thread per column combines its
 * column with every later column and, if not scaled, with itself.
 *
 * Indices start at 1, as in the original: row and column 0 of every array are unused, and the pitch
 * of N+1 shifts each row against the cache lines. All sums are in memory (see "Sums in memory" in
 * docs/use/workloads.md). With L=1, each step also loads them.
 *
 * corr: a deviation close to 0 is replaced by 1. The last column is constant, so at least one
 * deviation is replaced. Thread-level accesses, with T = N(N-1)/2 pairs and D replaced deviations:
 *   data    3 N^2 + 2 N T loads, 2 N^2 stores
 *   symmat  (N-1) + 2 T + N T stores, no loads (L=1: N T)
 *   stddev  N^2 loads (L=1: 2 N^2), N^2 + 2 N + D stores
 *   mean    2 N^2 loads (L=1: 3 N^2), N^2 + 2 N stores
 *
 * covar: as in the original, the grid of the second kernel has too few rows, so only the first
 * quarter of the table's rows is centered. Accesses, with T = N(N+1)/2 pairs and Q = min(N, 8
 * ceil(N / 32)) rows:
 *   data    N^2 + Q N + 2 N T loads, Q N stores
 *   symmat  2 T + N T stores, no loads (L=1: N T)
 *   mean    Q N loads (L=1: N^2 + Q N), N^2 + 2 N stores
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8
#define SEED 0xc022
#define EPSILON 0.005f

/* registers; UNROLL of them start at each of MEAN, DATA and OTHER */
enum { SUM, MEAN, DATA = MEAN + UNROLL, OTHER = DATA + UNROLL };

enum {
    MEANS,
    DEVIATIONS,
    REDUCE,
    PAIRS,
    COLUMNS_KERNELS
}; /* DEVIATIONS is launched only if scaled */

struct columns_variant {
    const char *kernel[COLUMNS_KERNELS]; /* kernel names */
    bool scaled;                         /* true for correlations, false for covariances */
};

struct columns {
    struct lane_workload base;
    const struct columns_variant *variant;
    uint64_t n;
    bool literal;
    ARRAY(float) data;
    ARRAY(float) symmat; /* if scaled, the host sets the last diagonal element */
    ARRAY(float) stddev; /* used only if scaled */
    ARRAY(float) mean;
};

struct columns_warp {
    struct warp_head head;
    uint64_t i, /* row */
        apart;  /* distance between the two columns */
    float data[WARP_LANES], other[WARP_LANES], sum[WARP_LANES];
};

/* Register used in this iteration of an unrolled loop over rows 1 to N, and test for the end of the
 * unrolled loop body. */
#define R_TURN(first) R((first) + (w->i - 1) % UNROLL)
#define TURN_ENDS (w->i % UNROLL == 0 || w->i == n)

/* Computes mean[j] of each lane's column j. */
static void mean_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct columns *m = ctx;
    struct columns_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(j + l <= n);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    ST(w->sum[l], m->mean, [j + l], R(SUM));
    for (w->i = 1; w->i <= n; w->i++) {
        LD(w->data[l], m->data, [w->i * (n + 1) + j + l], R_TURN(DATA), 0);
        if (m->literal)
            LD(w->sum[l], m->mean, [j + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->data[l], R(SUM), R(SUM) | R_TURN(DATA));
        ST(w->sum[l], m->mean, [j + l], R(SUM));
        if (TURN_ENDS)
            ALU_RUN(4, 0, 0);
    }
    SFU(1, w->sum[l] /= (float)n, R(SUM), R(SUM));
    ST(w->sum[l], m->mean, [j + l], R(SUM));
    WARP_END();
}

/* Computes stddev[j] of each lane's column j. */
static void stddev_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct columns *m = ctx;
    struct columns_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(j + l <= n);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    ST(w->sum[l], m->stddev, [j + l], R(SUM));
    for (w->i = 1; w->i <= n; w->i++) {
        LD(w->other[l], m->mean, [j + l], R_TURN(MEAN), 0);
        LD(w->data[l], m->data, [w->i * (n + 1) + j + l], R_TURN(DATA), 0);
        if (m->literal)
            LD(w->sum[l], m->stddev, [j + l], R(SUM), 0);
        ALU(2, w->sum[l] += square(w->data[l] - w->other[l]), R(SUM),
            R(SUM) | R_TURN(MEAN) | R_TURN(DATA));
        ST(w->sum[l], m->stddev, [j + l], R(SUM));
        if (TURN_ENDS)
            ALU_RUN(4, 0, 0);
    }
    SFU(2, w->sum[l] = sqrtf(w->sum[l] / (float)n), R(SUM), R(SUM));
    BRANCH(R(SUM));
    ST(w->sum[l], m->stddev, [j + l], R(SUM));
    KEEP_LANES(w->sum[l] <= EPSILON);
    ST(1, m->stddev, [j + l], 0);
    WARP_END();
}

#define CELL [i * (n + 1) + j + l]

/* Subtracts the column's mean from each cell. If scaled, also divides the cell by the column's
 * deviation times the square root of N.
 */
static void reduce_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct columns *m = ctx;
    struct columns_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp + 1;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X + 1; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i <= n && j + l <= n);
    LD(w->data[l], m->data, CELL, R(DATA), 0);
    LD(w->other[l], m->mean, [j + l], R(MEAN), 0);
    ALU(1, w->data[l] -= w->other[l], R(DATA), R(DATA) | R(MEAN));
    ST(w->data[l], m->data, CELL, R(DATA));
    if (m->variant->scaled) {
        LD(w->other[l], m->stddev, [j + l], R(OTHER), 0);
        ALU(1, w->other[l] *= sqrtf((float)n), R(OTHER), R(OTHER));
        SFU(1, w->data[l] /= w->other[l], R(DATA), R(DATA) | R(OTHER));
        ST(w->data[l], m->data, CELL, R(DATA));
    }
    WARP_END();
}

#define J1 (j + l)
#define J2 (j + l + w->apart)

/* Returns the smallest j2 - j1. */
static uint64_t first_apart(const struct columns *m) {
    return m->variant->scaled ? 1 : 0;
}

/* Computes symmat[j1][j2] and [j2][j1] for each lane's column j1 and all later columns j2, and for
 * j2 = j1 if unscaled. The lanes proceed in lockstep with equal j2 - j1, so the last lanes finish
 * first. */
static void pairs_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct columns *m = ctx;
    struct columns_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(J1 + first_apart(m) <= n);
    if (m->variant->scaled)
        ST(1, m->symmat, [J1 * (n + 1) + J1], 0);
    for (w->apart = first_apart(m);; w->apart++) {
        KEEP_LANES(J2 <= n);
        if (!w->head.on)
            break;
        ALU(1, w->sum[l] = 0, R(SUM), 0);
        ST(w->sum[l], m->symmat, [J1 * (n + 1) + J2], R(SUM));
        for (w->i = 1; w->i <= n; w->i++) {
            LD(w->other[l], m->data, [w->i * (n + 1) + J2], R_TURN(OTHER), 0);
            LD(w->data[l], m->data, [w->i * (n + 1) + J1], R_TURN(DATA), 0);
            if (m->literal)
                LD(w->sum[l], m->symmat, [J1 * (n + 1) + J2], R(SUM), 0);
            ALU(1, w->sum[l] += w->data[l] * w->other[l], R(SUM),
                R(SUM) | R_TURN(DATA) | R_TURN(OTHER));
            ST(w->sum[l], m->symmat, [J1 * (n + 1) + J2], R(SUM));
            if (TURN_ENDS)
                ALU_RUN(4, 0, 0);
        }
        ST(w->sum[l], m->symmat, [J2 * (n + 1) + J1], R(SUM));
        ALU_RUN(2, 0, 0);
    }
    WARP_END();
}

/* Returns the number of rows of CTAs that run reduce_step. If unscaled, they cover a quarter of the
 * table, as in the original. */
static uint64_t reduce_blocks(const struct columns *m) {
    return ceil_div(m->n, m->variant->scaled ? BLOCK_Y : BLOCK_X);
}

static uint64_t reduced_rows(const struct columns *m) {
    const uint64_t rows = reduce_blocks(m) * BLOCK_Y;
    return rows < m->n ? rows : m->n;
}

static bool columns_next(struct workload *w, struct kernel_launch *launch) {
    static void (*const step[COLUMNS_KERNELS])(void *, const struct warp_place *, void *, void *,
                                               struct warp_inst *) = {mean_step, stddev_step,
                                                                      reduce_step, pairs_step};
    struct columns *m = (struct columns *)w;
    unsigned k = m->base.launched++;
    if (!m->variant->scaled && k >= DEVIATIONS)
        k++;
    if (k > PAIRS)
        return false;
    const bool cells = k == REDUCE; /* true for one thread per cell, false for one per column */
    *launch = (struct kernel_launch){
        .name = m->variant->kernel[k],
        .grid = {(uint32_t)ceil_div(m->n, cells ? BLOCK_X : BLOCK),
                 cells ? (uint32_t)reduce_blocks(m) : 1, 1},
        .block = {cells ? BLOCK_X : BLOCK, cells ? BLOCK_Y : 1, 1},
        .warp_state_size = sizeof(struct columns_warp),
        .step = step[k],
        .ctx = m,
    };
    return true;
}

/* Generates the table. The last column is constant. */
static void columns_inputs(uint64_t n, float *data) {
    struct rng r = {SEED};
    rng_fill(&r, data, (n + 1) * (n + 1), 0, 1);
    for (uint64_t i = 1; i <= n; i++)
        data[i * (n + 1) + n] = 0.5f;
}

static float column_mean(uint64_t n, const float *data, uint64_t j) {
    float sum = 0;
    for (uint64_t i = 1; i <= n; i++)
        sum += data[i * (n + 1) + j];
    return sum / (float)n;
}

/* Returns the deviation of a column, which may be close to 0. */
static float column_deviation(uint64_t n, const float *data, uint64_t j, float mean) {
    float sum = 0;
    for (uint64_t i = 1; i <= n; i++)
        sum += square(data[i * (n + 1) + j] - mean);
    return sqrtf(sum / (float)n);
}

/* Arrays of the reference version, initially zeroed. */
struct columns_plain {
    float *data, *symmat, *stddev, *mean;
};

static void statistics(const struct columns *m, const struct columns_plain *p) {
    for (uint64_t j = 1; j <= m->n; j++) {
        p->mean[j] = column_mean(m->n, p->data, j);
        if (!m->variant->scaled)
            continue;
        const float d = column_deviation(m->n, p->data, j, p->mean[j]);
        p->stddev[j] = d <= EPSILON ? 1 : d;
    }
}

static void reduce(const struct columns *m, const struct columns_plain *p) {
    const uint64_t n = m->n;
    for (uint64_t i = 1; i <= reduced_rows(m); i++) {
        for (uint64_t j = 1; j <= n; j++) {
            float *cell = &p->data[i * (n + 1) + j];
            *cell -= p->mean[j];
            if (m->variant->scaled)
                *cell /= p->stddev[j] * sqrtf((float)n);
        }
    }
}

static void pair(const struct columns *m, const struct columns_plain *p) {
    const uint64_t n = m->n, pitch = n + 1;
    for (uint64_t i = 1; i <= n; i++) {
        const float *row = &p->data[i * pitch];
        for (uint64_t j1 = 1; j1 <= n; j1++)
            for (uint64_t j2 = j1; j2 <= n; j2++)
                p->symmat[j1 * pitch + j2] += row[j1] * row[j2];
    }
    for (uint64_t j1 = 1; j1 <= n; j1++) {
        for (uint64_t j2 = j1; j2 <= n; j2++)
            p->symmat[j2 * pitch + j1] = p->symmat[j1 * pitch + j2];
        if (m->variant->scaled)
            p->symmat[j1 * pitch + j1] = 1;
    }
}

static int compare(const struct columns *m, const struct columns_plain *p, struct error *err) {
    const uint64_t pitch = m->n + 1;
    if (verify_floats("mean", m->mean.v, p->mean, pitch, err) != 0 ||
        (m->variant->scaled && verify_floats("stddev", m->stddev.v, p->stddev, pitch, err) != 0) ||
        verify_floats("data", m->data.v, p->data, pitch * pitch, err) != 0)
        return -1;
    return verify_floats("symmat", m->symmat.v, p->symmat, pitch * pitch, err);
}

static int columns_verify(struct workload *w, struct error *err) {
    struct columns *m = (struct columns *)w;
    const uint64_t pitch = m->n + 1;
    const struct columns_plain p = {
        .data = alloc_array(pitch * pitch, sizeof *p.data),
        .symmat = alloc_zeroed(pitch * pitch, sizeof *p.symmat),
        .stddev = alloc_zeroed(pitch, sizeof *p.stddev),
        .mean = alloc_zeroed(pitch, sizeof *p.mean),
    };
    columns_inputs(m->n, p.data);
    statistics(m, &p);
    reduce(m, &p);
    pair(m, &p);
    int rc = compare(m, &p, err);
    free(p.data);
    free(p.symmat);
    free(p.stddev);
    free(p.mean);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Returns the number of deviations close to 0. */
static uint64_t replaced(const struct columns *m) {
    uint64_t count = 0;
    for (uint64_t j = 1; j <= m->n; j++)
        count += column_deviation(m->n, m->data.v, j, column_mean(m->n, m->data.v, j)) <= EPSILON;
    return count;
}

/* Sets the expected access counts from the formulae in the file's header. */
static void columns_expect(struct columns *m) {
    const uint64_t n = m->n, n2 = n * n, reload = m->literal ? 1 : 0;
    const uint64_t scaled = m->variant->scaled ? 1 : 0, reduced = reduced_rows(m) * n;
    const uint64_t pairs = n * (n + 1) / 2 - scaled * n;
    const uint64_t ones = scaled * (n - 1);
    expect_accesses(m->data.dev, n2 + scaled * n2 + reduced + 2 * n * pairs,
                    reduced + scaled * reduced);
    expect_accesses(m->symmat.dev, reload * n * pairs, ones + 2 * pairs + n * pairs);
    expect_accesses(m->mean.dev, scaled * n2 + reduced + reload * n2, n2 + 2 * n);
    if (m->variant->scaled)
        expect_accesses(m->stddev.dev, n2 + reload * n2, n2 + 2 * n + replaced(m));
}

static bool columns_arrays(struct columns *m) {
    const uint64_t pitch = m->n + 1;
    return NEW_ARRAY(m, data, pitch * pitch) && NEW_ARRAY(m, symmat, pitch * pitch) &&
           (!m->variant->scaled || NEW_ARRAY(m, stddev, pitch)) && NEW_ARRAY(m, mean, pitch);
}

static bool columns_create(struct workload *w, const uint64_t *v) {
    struct columns *m = (struct columns *)w;
    m->variant = w->type->variant;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.launches = m->variant->scaled ? PAIRS + 1 : PAIRS;
    if (!columns_arrays(m))
        return false;
    columns_inputs(m->n, m->data.v);
    columns_expect(m);
    if (m->variant->scaled)
        m->symmat.v[m->n * (m->n + 1) + m->n] = 1;
    return true;
}

#define COLUMNS(name_, doc_, default_, scaled_)                                                    \
    const struct workload_type workload_##name_ = {                                                \
        .name = #name_,                                                                            \
        .suite = "UVMBench (PolyBench)",                                                           \
        .class = "irregular",                                                                      \
        .doc = doc_,                                                                               \
        .size_doc = "N[,L]: N, rows and columns; L=1 reloads the sums in each step (default 0)",   \
        .default_size = default_,                                                                  \
        .variant =                                                                                 \
            &(const struct columns_variant){                                                       \
                {#name_ " mean", #name_ " stddev", #name_ " reduce", #name_}, scaled_},            \
        .size = {{"N", 1, 16384}, {"L", 0, 1}},                                                    \
        .state_size = sizeof(struct columns),                                                      \
        .next = columns_next,                                                                      \
        .verify = columns_verify,                                                                  \
        .create = columns_create,                                                                  \
    }

COLUMNS(corr, "correlations of columns: triangular loop, coalesced loads, stores along diagonals",
        "320", true);
COLUMNS(covar, "covariances of columns: as corr, with the diagonal and without scaling", "256",
        false);
