// SPDX-License-Identifier: Apache-2.0
/* svm (UVMBench): support vector machine of L images of 784 pixels, in two classes, with Gaussian
 * kernels.
 *
 * In kernel `matrix`, one thread per pair of images, in CTAs of E x E, visits the bytes of both
 * images and looks up the square of each difference in a table. If E is 32, a warp reads the bytes
 * of one image and of 32 images, which are 785 bytes apart (32 lines). It stores down a column of
 * the result (32 lines). In kernel `train`, one CTA with one thread per image makes up to P passes.
 * For each image in turn, the image's thread updates its multiplier alpha, and then all threads add
 * the change to their own sums. Training ends when no multiplier moves by 1e-4 or more in a pass.
 *
 * Thread-level accesses, after T passes: X: 2 * 785 L^2 loads. B: 785 L^2 loads. K: T (L^2 + L)
 * loads, L^2 stores. alpha: 3 T L loads, T L stores. y: T (L^2 + L) loads. sigma: T (L^2 + L)
 * loads, T L^2 stores.
 *
 * Differences from the original: in the original, the next image's thread may write `delta` while
 * other threads still read it. Here a second barrier prevents that. The original also stores alpha
 * before clipping it to its range; here alpha is stored once. The original's test images and later
 * minibatches are omitted. Images are generated. Four of five pixels are 0, and the last byte is 1.
 * One class has more non-zero pixels in its left half.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BYTES 785
#define LEVELS 256
#define UNROLL 4
#define MOST_IMAGES 1024 /* kernel `train` has one CTA, with one thread per image */
#define SEED 0x5433

static const float width = 0.015f, /* width of the Gaussian */
    most = 10,                     /* maximum of alpha */
    still = 1e-4f;                 /* minimum change of alpha that counts as a move */

/* registers; UNROLL for each operand */
enum { SUM, INDEX, XI, XJ = XI + UNROLL, SQUARE = XJ + UNROLL };

struct svm {
    struct lane_workload base;
    uint64_t n, passes;
    uint32_t edge;    /* number of images along each edge of a CTA of kernel `matrix` */
    ARRAY(float) B;   /* [LEVELS][LEVELS]; squared differences, relative to full scale */
    ARRAY(float) K;   /* [n][n] */
    ARRAY(uint8_t) X; /* [n][BYTES] */
    ARRAY(int32_t) y; /* class: 1 or -1 */
    ARRAY(float) alpha;
    ARRAY(float) sigma;
};

/* ---- Kernel `matrix` ---- */

struct matrix_warp {
    struct warp_head head;
    uint64_t k;
    float sum[WARP_LANES], square[WARP_LANES];
    uint8_t xi[WARP_LANES], xj[WARP_LANES];
};

static float gaussian(float distance) {
    return expf(-width * distance);
}

/* Register used in this iteration of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

#define I (place->cta[0] * (uint64_t)m->edge + thread_x(place, m->edge, l))
#define J (place->cta[1] * (uint64_t)m->edge + thread_y(place, m->edge, l))

static void matrix_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct svm *m = ctx;
    struct matrix_warp *w = state;
    const uint64_t n = m->n;
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(I < n && J < n);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->k = 0; w->k < BYTES; w->k++) {
        LD(w->xi[l], m->X, [I * BYTES + w->k], R_TURN(XI), 0);
        LD(w->xj[l], m->X, [J * BYTES + w->k], R_TURN(XJ), 0);
        ALU_RUN(3, R(INDEX), R_TURN(XI) | R_TURN(XJ));
        LD(w->square[l], m->B, [w->xi[l] * LEVELS + w->xj[l]], R_TURN(SQUARE), R(INDEX));
        ALU(1, w->sum[l] += w->square[l], R(SUM), R(SUM) | R_TURN(SQUARE));
        if (w->k % UNROLL == UNROLL - 1 || w->k == BYTES - 1)
            ALU_RUN(4, 0, 0);
    }
    ALU_RUN(19, R(SUM), R(SUM));
    SFU(1, w->sum[l] = gaussian(w->sum[l]), R(SUM), R(SUM));
    ST(w->sum[l], m->K, [I * n + J], R(SUM));
    WARP_END();
}

/* ---- Kernel `train` ---- */

/* __shared__ variables of the CTA. */
struct train_block {
    float delta;     /* change of the most recently updated multiplier */
    uint64_t moving; /* last pass, counted from 1, in which a multiplier moved */
};

struct train_warp {
    struct warp_head head;
    uint64_t i, pass;
    float before[WARP_LANES], alpha[WARP_LANES], k[WARP_LANES], sigma[WARP_LANES];
    int32_t y[WARP_LANES];
};

enum { ALPHA, BEFORE, DIAGONAL, CLASS, SIGMA, DELTA }; /* registers */

/* Returns a multiplier after its update. */
static float stepped(float alpha, float diagonal, int32_t y, float sigma) {
    const float to = alpha + 1 / diagonal * (1 - (float)y * sigma);
    return to < 0 ? 0 : to > most ? most : to;
}

static float part(float delta, int32_t y, float k) {
    return delta * (float)y * k;
}

static bool stands_still(float before, float after) {
    return fabsf(after - before) < still;
}

static void move(struct train_warp *w, float *delta, uint32_t lane) {
    const float from = w->alpha[lane];
    w->alpha[lane] = stepped(from, w->k[lane], w->y[lane], w->sigma[lane]);
    *delta = w->alpha[lane] - from;
}

#define T thread_in_block(place, l)

static void train_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct svm *m = ctx;
    struct train_block *s = cta;
    struct train_warp *w = state;
    const uint64_t n = m->n;

    WARP_BEGIN();
    for (w->pass = 1; w->pass <= m->passes; w->pass++) {
        LD(w->before[l], m->alpha, [T], R(BEFORE), 0);
        for (w->i = 0; w->i < n; w->i++) {
            BRANCH(0);
            KEEP_LANES(T == w->i);
            LD(w->alpha[l], m->alpha, [T], R(ALPHA), 0);
            LD(w->k[l], m->K, [T * n + T], R(DIAGONAL), 0);
            LD(w->y[l], m->y, [T], R(CLASS), 0);
            LD(w->sigma[l], m->sigma, [T], R(SIGMA), 0);
            ALU(10, move(w, &s->delta, l), R(ALPHA), R(ALPHA) | R(DIAGONAL) | R(CLASS) | R(SIGMA));
            SHARED(1, (void)0, 0, R(ALPHA));
            ST(w->alpha[l], m->alpha, [T], R(ALPHA));
            EVERY_LANE();
            BAR();
            SHARED(1, (void)0, R(DELTA), 0);
            LD(w->y[l], m->y, [w->i], R(CLASS), 0);
            LD(w->k[l], m->K, [w->i * n + T], R(DIAGONAL), 0);
            LD(w->sigma[l], m->sigma, [T], R(SIGMA), 0);
            ALU(2, w->sigma[l] += part(s->delta, w->y[l], w->k[l]), R(SIGMA),
                R(SIGMA) | R(DELTA) | R(CLASS) | R(DIAGONAL));
            ST(w->sigma[l], m->sigma, [T], R(SIGMA));
            BAR();
        }
        LD(w->alpha[l], m->alpha, [T], R(ALPHA), 0);
        ALU(3, if (!stands_still(w->before[l], w->alpha[l])) s->moving = w->pass, R(DELTA),
            R(ALPHA) | R(BEFORE));
        BAR();
        BRANCH(R(DELTA));
        if (s->moving != w->pass)
            break;
    }
    WARP_END();
}

/* ---- Launches ---- */

static bool svm_next(struct workload *w, struct kernel_launch *launch) {
    struct svm *m = (struct svm *)w;
    const uint32_t tiles = (uint32_t)ceil_div(m->n, m->edge);
    const unsigned k = m->base.launched;
    if (k == m->base.w.launches)
        return false;
    m->base.launched++;
    *launch = k == 0 ? (struct kernel_launch){.name = "svm matrix",
                                              .grid = {tiles, tiles, 1},
                                              .block = {m->edge, m->edge, 1},
                                              .warp_state_size = sizeof(struct matrix_warp),
                                              .step = matrix_step}
                     : (struct kernel_launch){.name = "svm train",
                                              .grid = {1, 1, 1},
                                              .block = {(uint32_t)m->n, 1, 1},
                                              .shared_bytes = 4,
                                              .warp_state_size = sizeof(struct train_warp),
                                              .cta_state_size = sizeof(struct train_block),
                                              .step = train_step};
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

static float distance(const struct svm *m, uint64_t i, uint64_t j) {
    float sum = 0;
    for (uint64_t k = 0; k < BYTES; k++)
        sum += m->B.v[m->X.v[i * BYTES + k] * LEVELS + m->X.v[j * BYTES + k]];
    return sum;
}

/* Performs one pass for the reference version. Returns true if no multiplier moved. */
static bool pass(const struct svm *m, const float *k, float *alpha, float *sigma) {
    bool all_still = true;
    for (uint64_t i = 0; i < m->n; i++) {
        const float from = alpha[i];
        alpha[i] = stepped(from, k[i * m->n + i], m->y.v[i], sigma[i]);
        all_still &= stands_still(from, alpha[i]);
        for (uint64_t j = 0; j < m->n; j++)
            sigma[j] += part(alpha[i] - from, m->y.v[i], k[i * m->n + j]);
    }
    return all_still;
}

/* Sets the expected access counts from the formulae in the file's header. */
static void svm_expect(struct svm *m, uint64_t passes) {
    const uint64_t n = m->n, n2 = n * n;
    expect_accesses(m->X.dev, 2 * BYTES * n2, 0);
    expect_accesses(m->B.dev, BYTES * n2, 0);
    expect_accesses(m->K.dev, passes * (n2 + n), n2);
    expect_accesses(m->alpha.dev, passes * 3 * n, passes * n);
    expect_accesses(m->y.dev, passes * (n2 + n), 0);
    expect_accesses(m->sigma.dev, passes * (n2 + n), passes * n2);
}

static void train(struct svm *m, float *k, float *alpha, float *sigma) {
    for (uint64_t i = 0; i < m->n * m->n; i++)
        k[i] = gaussian(distance(m, i / m->n, i % m->n));
    uint64_t passes = 1;
    while (!pass(m, k, alpha, sigma) && passes < m->passes)
        passes++;
    svm_expect(m, passes);
}

static int svm_verify(struct workload *w, struct error *err) {
    struct svm *m = (struct svm *)w;
    const uint64_t n = m->n;
    float *k = alloc_array(n * n, sizeof *k);
    float *alpha = alloc_zeroed(n, sizeof *alpha), *sigma = alloc_zeroed(n, sizeof *sigma);
    train(m, k, alpha, sigma);
    int rc = verify_floats("K", m->K.v, k, n * n, err);
    if (rc == 0)
        rc = verify_floats("alpha", m->alpha.v, alpha, n, err);
    if (rc == 0)
        rc = verify_floats("sigma", m->sigma.v, sigma, n, err);
    free(k);
    free(alpha);
    free(sigma);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void svm_inputs(struct svm *m) {
    struct rng r = {SEED};
    for (uint32_t i = 0; i < LEVELS * LEVELS; i++)
        m->B.v[i] = square(((float)(i / LEVELS) - (float)(i % LEVELS)) / (LEVELS - 1));
    for (uint64_t i = 0; i < m->n; i++) {
        m->y.v[i] = i < m->n / 2 ? 1 : -1;
        for (uint32_t k = 0; k < BYTES - 1; k++) {
            const uint64_t value = 1 + rng_below(&r, LEVELS - 1);
            const bool left = k % 28 < 14;
            const uint64_t share = m->y.v[i] < 0 ? 4 : left ? 5 : 3; /* non-zero pixels in 20 */
            m->X.v[i * BYTES + k] = rng_below(&r, 20) < share ? (uint8_t)value : 0;
        }
        m->X.v[i * BYTES + BYTES - 1] = 1;
    }
}

static bool svm_create(struct workload *w, const uint64_t *v) {
    struct svm *m = (struct svm *)w;
    m->n = v[0];
    m->passes = v[1];
    m->edge = (uint32_t)v[2];
    m->base.w.launches = 2;
    if (!NEW_ARRAY(m, B, LEVELS * LEVELS) || !NEW_ARRAY(m, K, m->n * m->n) ||
        !NEW_ARRAY(m, X, m->n * BYTES) || !NEW_ARRAY(m, y, m->n) || !NEW_ARRAY(m, alpha, m->n) ||
        !NEW_ARRAY(m, sigma, m->n))
        return false;
    svm_inputs(m);
    return true;
}

const struct workload_type workload_svm = {
    .name = "svm",
    .suite = "UVMBench",
    .class = "irregular",
    .doc = "support vectors: bytes of 32 images per warp, gathers from a table, one CTA trains",
    .size_doc =
        "L[,P[,E]]: images (at most 1024), maximum passes, edge of a CTA of pairs (at most 32)",
    .default_size = "256,20,32",
    .size = {{"L", 1, MOST_IMAGES}, {"P", 1, 1000}, {"E", 1, 32}},
    .state_size = sizeof(struct svm),
    .next = svm_next,
    .verify = svm_verify,
    .create = svm_create,
};
