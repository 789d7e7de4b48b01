/* corr: correlations of the N columns of an N x N table, in four kernels: means, deviations, the
 * table centred and scaled, then one thread a column that takes it with every later column.
 *
 * Indices run from 1, as in the original: row and column 0 of every array are unused, and the pitch
 * of N+1 shifts each row against the cache lines. All sums are kept in memory (see
 * docs/workloads.md, AIM); with L=1 they are loaded in each step too. A deviation that is almost 0
 * is replaced by 1; the last column is constant, so there is one.
 *
 * Thread-level accesses, with T = N(N-1)/2 pairs and D deviations replaced:
 *   data    3 N^2 + 2 N T loads, 2 N^2 stores
 *   symmat  (N-1) + 2 T + N T stores, no loads (L=1: N T)
 *   stddev  N^2 loads (L=1: 2 N^2), N^2 + 2 N + D stores
 *   mean    2 N^2 loads (L=1: 3 N^2), N^2 + 2 N stores
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#define BLOCK 256
#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8
#define SEED 0xc022
#define EPSILON 0.005f

/* registers; UNROLL of MEAN, DATA and OTHER */
enum { SUM, MEAN, DATA = MEAN + UNROLL, OTHER = DATA + UNROLL };

struct corr {
    struct lane_workload base;
    uint64_t n;
    bool literal;
    ARRAY(float) data;
    ARRAY(float) symmat; /* the last diagonal element is set by the host */
    ARRAY(float) stddev;
    ARRAY(float) mean;
};

struct corr_warp {
    struct warp_head head;
    uint64_t i, apart; /* row; distance of the two columns */
    float data[WARP_LANES], other[WARP_LANES], sum[WARP_LANES];
};

/* Register of this turn of a loop over the rows 1 to N, which is unrolled, and its end. */
#define R_TURN(first) R((first) + (w->i - 1) % UNROLL)
#define TURN_ENDS (w->i % UNROLL == 0 || w->i == n)

/* mean[j] of column j of each lane. */
static void mean_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct corr *m = ctx;
    struct corr_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* of lane 0 */
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

static float square(float x) {
    return x * x;
}

/* stddev[j] of column j of each lane. */
static void stddev_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct corr *m = ctx;
    struct corr_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* of lane 0 */
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

/* Each cell of the table less its column's mean, over its deviation times the root of N. */
static void reduce_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct corr *m = ctx;
    struct corr_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp + 1;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X + 1; /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i <= n && j + l <= n);
    LD(w->data[l], m->data, CELL, R(DATA), 0);
    LD(w->other[l], m->mean, [j + l], R(MEAN), 0);
    ALU(1, w->data[l] -= w->other[l], R(DATA), R(DATA) | R(MEAN));
    ST(w->data[l], m->data, CELL, R(DATA));
    LD(w->other[l], m->stddev, [j + l], R(OTHER), 0);
    ALU(1, w->other[l] *= sqrtf((float)n), R(OTHER), R(OTHER));
    SFU(1, w->data[l] /= w->other[l], R(DATA), R(DATA) | R(OTHER));
    ST(w->data[l], m->data, CELL, R(DATA));
    WARP_END();
}

#define J1 (j + l)
#define J2 (j + l + w->apart)

/* symmat[j1][j2] and [j2][j1], j1 being each lane's column and j2 all that follow. The lanes go in
 * step with j2 - j1 the same, so the last ones are done first. */
static void corr_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct corr *m = ctx;
    struct corr_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t j = thread_in_grid(place, BLOCK, 0) + 1; /* of lane 0 */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(J1 < n);
    ST(1, m->symmat, [J1 * (n + 1) + J1], 0);
    for (w->apart = 1;; w->apart++) {
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

static bool corr_next(struct workload *w, struct kernel_launch *launch) {
    static const struct {
        const char *name;
        void (*step)(void *, const struct warp_place *, void *, void *, struct warp_inst *);
    } kernel[4] = {{"corr mean", mean_step},
                   {"corr stddev", stddev_step},
                   {"corr reduce", reduce_step},
                   {"corr", corr_step}};
    struct corr *m = (struct corr *)w;
    const unsigned k = m->base.launched++;
    if (k > 3)
        return false;
    const bool cells = k == 2; /* a thread a cell, else a column */
    *launch = (struct kernel_launch){
        .name = kernel[k].name,
        .grid = {(uint32_t)ceil_div(m->n, cells ? BLOCK_X : BLOCK),
                 cells ? (uint32_t)ceil_div(m->n, BLOCK_Y) : 1, 1},
        .block = {cells ? BLOCK_X : BLOCK, cells ? BLOCK_Y : 1, 1},
        .warp_state_size = sizeof(struct corr_warp),
        .step = kernel[k].step,
        .ctx = m,
    };
    return true;
}

/* The last column is constant. */
static void corr_inputs(uint64_t n, float *data) {
    struct rng r = {SEED};
    rng_fill(&r, data, (n + 1) * (n + 1), 0, 1);
    for (uint64_t i = 1; i <= n; i++)
        data[i * (n + 1) + n] = 0.5f;
}

/* Means and deviations of the columns. Returns the number of deviations replaced. */
static uint64_t statistics(uint64_t n, const float *data, float *mean, float *stddev) {
    uint64_t replaced = 0;
    for (uint64_t j = 1; j <= n; j++) {
        mean[j] = stddev[j] = 0;
        for (uint64_t i = 1; i <= n; i++)
            mean[j] += data[i * (n + 1) + j];
        mean[j] /= (float)n;
        for (uint64_t i = 1; i <= n; i++)
            stddev[j] += square(data[i * (n + 1) + j] - mean[j]);
        stddev[j] = sqrtf(stddev[j] / (float)n);
        if (stddev[j] <= EPSILON) {
            stddev[j] = 1;
            replaced++;
        }
    }
    return replaced;
}

static void correlate(uint64_t n, float *data, const float *mean, const float *stddev,
                      float *symmat) {
    const uint64_t p = n + 1;
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j = 1; j <= n; j++)
            data[i * p + j] = (data[i * p + j] - mean[j]) / (stddev[j] * sqrtf((float)n));
    for (uint64_t j = 1; j <= n; j++)
        symmat[j * p + j] = 1;
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j1 = 1; j1 <= n; j1++)
            for (uint64_t j2 = j1 + 1; j2 <= n; j2++)
                symmat[j1 * p + j2] += data[i * p + j1] * data[i * p + j2];
    for (uint64_t j1 = 1; j1 <= n; j1++)
        for (uint64_t j2 = j1 + 1; j2 <= n; j2++)
            symmat[j2 * p + j1] = symmat[j1 * p + j2];
}

static int compare(const struct corr *m, const float *data, const float *symmat,
                   const float *stddev, const float *mean, char *err, size_t err_size) {
    const uint64_t p = m->n + 1;
    if (verify_floats("mean", m->mean.v, mean, p, err, err_size) != 0 ||
        verify_floats("stddev", m->stddev.v, stddev, p, err, err_size) != 0 ||
        verify_floats("data", m->data.v, data, p * p, err, err_size) != 0)
        return -1;
    return verify_floats("symmat", m->symmat.v, symmat, p * p, err, err_size);
}

static int corr_verify(struct workload *w, char *err, size_t err_size) {
    struct corr *m = (struct corr *)w;
    const uint64_t p = m->n + 1;
    float *data = malloc(p * p * sizeof *data), *symmat = calloc(p * p, sizeof *symmat);
    float *stddev = calloc(p, sizeof *stddev), *mean = calloc(p, sizeof *mean);
    int rc = data && symmat && stddev && mean ? 0 : verify_no_memory(err, err_size);
    if (rc == 0) {
        corr_inputs(m->n, data);
        statistics(m->n, data, mean, stddev);
        correlate(m->n, data, mean, stddev, symmat);
        rc = compare(m, data, symmat, stddev, mean, err, err_size);
    }
    free(data);
    free(symmat);
    free(stddev);
    free(mean);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *corr_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_corr = {
    .name = "corr",
    .suite = "UVMBench (PolyBench)",
    .doc = "correlations of columns: triangular loop, coalesced loads, stores along diagonals",
    .size_doc = "N[,L]: N, rows and columns; L=1 reloads the sums in each step (default 0)",
    .default_size = "320",
    .create = corr_create,
};

/* The formulae above. */
static void corr_expect(struct corr *m, uint64_t replaced) {
    const uint64_t n = m->n, n2 = n * n, pairs = n * (n - 1) / 2, reload = m->literal ? 1 : 0;
    expect_accesses(m->data.dev, 3 * n2 + 2 * n * pairs, 2 * n2);
    expect_accesses(m->symmat.dev, reload * n * pairs, n - 1 + 2 * pairs + n * pairs);
    expect_accesses(m->stddev.dev, n2 + reload * n2, n2 + 2 * n + replaced);
    expect_accesses(m->mean.dev, 2 * n2 + reload * n2, n2 + 2 * n);
}

static struct workload *corr_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 16384}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(&workload_corr, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct corr *m = workload_new(&workload_corr, sizeof *m, err, err_size);
    if (!m)
        return NULL;
    const uint64_t n = m->n = v[0], cells = (n + 1) * (n + 1);
    m->literal = v[1];
    m->base.w.next = corr_next;
    m->base.w.verify = corr_verify;
    if (!NEW_ARRAY(m, data, cells, err, err_size) || !NEW_ARRAY(m, symmat, cells, err, err_size) ||
        !NEW_ARRAY(m, stddev, n + 1, err, err_size) || !NEW_ARRAY(m, mean, n + 1, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    corr_inputs(n, m->data.v);
    /* To know what is replaced; the kernels begin with zeros all the same. */
    corr_expect(m, statistics(n, m->data.v, m->mean.v, m->stddev.v));
    for (uint64_t j = 1; j <= n; j++)
        m->mean.v[j] = m->stddev.v[j] = 0;
    m->symmat.v[n * (n + 1) + n] = 1;
    return &m->base.w;
}
