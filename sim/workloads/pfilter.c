// SPDX-License-Identifier: Apache-2.0
/* pfilter (UVMBench, Rodinia particlefilter): tracks a bright disc through F frames of noise with N
 * particles.
 *
 * Each frame after the first takes four launches, with one thread per particle. `likelihood` moves
 * each particle at random, writes the indices of the 69 pixels under it, reads these indices and
 * the pixels, weighs the particle, and sums the weights of a CTA. In `sum`, one lane adds up the
 * sums of the CTAs. `normalize` divides the weights by the total, and one lane computes the running
 * sums (CDF). For each particle, `find_index` searches from the start for the first particle whose
 * running sum is not below u.
 *
 * In `normalize` the original reads weights and u[0] that other CTAs may not have written yet. Here
 * it makes the same loads, but computes with the values that it should have read.
 *
 * Thread-level accesses per frame, with B = ceil(N / 512) CTAs and S the number of running sums
 * that all particles check: xj, yj: N loads, N stores. arrayX, arrayY: 71 N loads, 2 N stores.
 * seed: 2 N + 1 of both. weights: 4 N loads, 3 N stores. objxy: 138 N loads. ind: 69 N of both. I:
 * 69 N loads. likelihood: 2 N stores. psum: 2 B loads, B + 1 stores. CDF: S loads, N stores. u: N +
 * B loads, N + 1 stores.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 512
#define EDGE 128 /* edge of a frame, in pixels */
#define RADIUS 5
#define POINTS 69 /* pixels of the disc */
#define BACKGROUND 100
#define OBJECT 228
#define NOISE 8 /* maximum noise, in either direction */
#define SEED 0x9f17

/* registers */
enum { INDEX, POSITION_X, POSITION_Y, DRAW, OFFSET_X, OFFSET_Y, PIXEL, SUM, VALUE, FOUND };

enum { LIKELIHOOD, BLOCK_SUMS, NORMALIZE, FIND_INDEX, KERNELS };

typedef ARRAY(double) double_array;
typedef ARRAY(int32_t) int_array;

struct pfilter {
    struct lane_workload base;
    uint64_t n, frames;
    uint64_t frame; /* frame of the current launch; the first frame is 0 */
    double *raw;    /* owned; weights before `normalize` */
    double u0;      /* value that `normalize` stores in u[0] */
    int_array seed;
    ARRAY(uint8_t) I; /* [EDGE][EDGE][frames] */
    int_array objxy;  /* offsets of the disc's pixels, as y and x */
    double_array weights, arrayX, arrayY, xj, yj, CDF, u, likelihood;
    int_array ind; /* [n][POINTS] */
    double_array psum;
};

/* __shared__ variables of a CTA. */
struct likelihood_block {
    double weight[BLOCK];
};

struct normalize_block {
    double u, sum;
};

struct pfilter_warp {
    struct warp_head head;
    uint64_t at; /* loop index: particle, point or CTA */
    uint32_t half;
    double x[WARP_LANES], y[WARP_LANES], sum[WARP_LANES], value[WARP_LANES];
    int32_t seed[WARP_LANES], pixel[WARP_LANES], dx[WARP_LANES], dy[WARP_LANES];
    uint8_t gray[WARP_LANES];
    uint64_t found[WARP_LANES];
};

/* ---- Filter ---- */

static int32_t next_seed(int32_t seed) {
    return (int32_t)(((uint64_t)(uint32_t)seed * 1103515245 + 12345) % INT32_MAX);
}

/* Returns a number in (0, 1]. */
static double unit(int32_t seed) {
    return (seed + 1.0) / INT32_MAX;
}

/* Returns a normally distributed number computed from the next two seeds. *seed becomes the second
 * one. */
static double draw_normal(int32_t *seed) {
    const double tau = 6.283185307179586;
    const int32_t first = next_seed(*seed);
    *seed = next_seed(first);
    return sqrt(-2 * log(unit(first))) * cos(tau * unit(*seed));
}

static double moved_x(double x, double normal) {
    return x + 1 + 5 * normal;
}

static double moved_y(double y, double normal) {
    return y - 2 + 2 * normal;
}

/* Returns the index in I of this frame's pixel at an offset from a particle. */
static int32_t pixel_at(const struct pfilter *m, double x, double y, int32_t dx, int32_t dy) {
    const int64_t frames = (int64_t)m->frames;
    const int64_t pixel =
        ((int32_t)x + dx) * EDGE * frames + ((int32_t)y + dy) * frames + (int64_t)m->frame;
    const int64_t from_0 = pixel < 0 ? -pixel : pixel;
    return from_0 < EDGE * EDGE * frames ? (int32_t)from_0 : 0;
}

/* Returns the evidence of a pixel: how much more it resembles the object than the background. */
static double evidence(uint8_t gray) {
    const double background = gray - BACKGROUND, object = gray - OBJECT;
    return (background * background - object * object) / 50;
}

/* ---- Kernels ---- */

#define PARTICLE (first + l)
#define OF_PARTICLE [PARTICLE]
#define THREAD thread_in_block(place, l)
#define EACH_PARTICLE() KEEP_LANES(PARTICLE < n)

static void likelihood_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                            struct warp_inst *inst) {
    struct pfilter *m = ctx;
    struct likelihood_block *s = cta;
    struct pfilter_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0), n = m->n;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    EACH_PARTICLE();
    LD(w->x[l], m->xj, OF_PARTICLE, R(POSITION_X), R(INDEX));
    ST(w->x[l], m->arrayX, OF_PARTICLE, R(POSITION_X) | R(INDEX));
    LD(w->y[l], m->yj, OF_PARTICLE, R(POSITION_Y), R(INDEX));
    ST(w->y[l], m->arrayY, OF_PARTICLE, R(POSITION_Y) | R(INDEX));
    ST(1.0 / (double)n, m->weights, OF_PARTICLE, R(INDEX));
    LD(w->x[l], m->arrayX, OF_PARTICLE, R(POSITION_X), R(INDEX));
    LD(w->seed[l], m->seed, OF_PARTICLE, R(DRAW), R(INDEX));
    ALU(12, w->value[l] = draw_normal(&w->seed[l]), R(DRAW), R(DRAW));
    ST(w->seed[l], m->seed, OF_PARTICLE, R(DRAW) | R(INDEX));
    ALU_RUN(130, R(VALUE), R(DRAW));
    FP64(70, w->x[l] = moved_x(w->x[l], w->value[l]), R(POSITION_X), R(POSITION_X) | R(VALUE));
    ST(w->x[l], m->arrayX, OF_PARTICLE, R(POSITION_X) | R(INDEX));
    LD(w->y[l], m->arrayY, OF_PARTICLE, R(POSITION_Y), R(INDEX));
    LD(w->seed[l], m->seed, OF_PARTICLE, R(DRAW), R(INDEX));
    ALU(12, w->value[l] = draw_normal(&w->seed[l]), R(DRAW), R(DRAW));
    ST(w->seed[l], m->seed, OF_PARTICLE, R(DRAW) | R(INDEX));
    ALU_RUN(130, R(VALUE), R(DRAW));
    FP64(70, w->y[l] = moved_y(w->y[l], w->value[l]), R(POSITION_Y), R(POSITION_Y) | R(VALUE));
    ST(w->y[l], m->arrayY, OF_PARTICLE, R(POSITION_Y) | R(INDEX));
    EVERY_LANE();
    BAR();
    EACH_PARTICLE();
    for (w->at = 0; w->at < POINTS; w->at++) {
        LD(w->x[l], m->arrayX, OF_PARTICLE, R(POSITION_X), R(INDEX));
        LD(w->dx[l], m->objxy, [2 * w->at + 1], R(OFFSET_X), 0);
        LD(w->y[l], m->arrayY, OF_PARTICLE, R(POSITION_Y), R(INDEX));
        LD(w->dy[l], m->objxy, [2 * w->at], R(OFFSET_Y), 0);
        FP64(2, (void)0, R(PIXEL), R(POSITION_X) | R(POSITION_Y));
        ALU(8, w->pixel[l] = pixel_at(m, w->x[l], w->y[l], w->dx[l], w->dy[l]), R(PIXEL),
            R(PIXEL) | R(OFFSET_X) | R(OFFSET_Y));
        ST(w->pixel[l], m->ind, [PARTICLE * POINTS + w->at], R(PIXEL) | R(INDEX));
    }
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->at = 0; w->at < POINTS; w->at++) {
        LD(w->pixel[l], m->ind, [PARTICLE * POINTS + w->at], R(PIXEL), R(INDEX));
        LD(w->gray[l], m->I, [w->pixel[l]], R(VALUE), R(PIXEL));
        ALU_RUN(40, R(VALUE), R(VALUE));
        FP64(20, w->sum[l] += evidence(w->gray[l]), R(SUM), R(SUM) | R(VALUE));
    }
    ST(w->sum[l], m->likelihood, OF_PARTICLE, R(SUM) | R(INDEX));
    FP64(10, w->sum[l] /= POINTS, R(SUM), R(SUM));
    ST(w->sum[l], m->likelihood, OF_PARTICLE, R(SUM) | R(INDEX));
    LD(w->value[l], m->weights, OF_PARTICLE, R(VALUE), R(INDEX));
    FP64(20, w->value[l] *= exp(w->sum[l]), R(VALUE), R(VALUE) | R(SUM));
    ST(w->value[l], m->weights, OF_PARTICLE, R(VALUE) | R(INDEX));
    EVERY_LANE();
    SHARED(1, s->weight[THREAD] = 0, 0, R(INDEX));
    BAR();
    BAR();
    EACH_PARTICLE();
    LD(w->value[l], m->weights, OF_PARTICLE, R(VALUE), R(INDEX));
    SHARED(1, s->weight[THREAD] = w->value[l], 0, R(VALUE) | R(INDEX));
    EVERY_LANE();
    BAR();
    for (w->half = BLOCK / 2; w->half > 0; w->half /= 2) {
        BRANCH(R(INDEX));
        KEEP_LANES(THREAD < w->half);
        SHARED(1, w->sum[l] = s->weight[THREAD], R(SUM), R(INDEX));
        SHARED(1, w->value[l] = s->weight[THREAD + w->half], R(VALUE), R(INDEX));
        FP64(1, w->sum[l] += w->value[l], R(SUM), R(SUM) | R(VALUE));
        SHARED(1, s->weight[THREAD] = w->sum[l], 0, R(SUM) | R(INDEX));
        EVERY_LANE();
        BAR();
    }
    KEEP_LANES(THREAD == 0);
    SHARED(1, w->sum[l] = s->weight[0], R(SUM), 0);
    ST(w->sum[l], m->psum, [place->cta[0]], R(SUM));
    BAR();
    WARP_END();
}

static uint64_t blocks(const struct pfilter *m) {
    return ceil_div(m->n, BLOCK);
}

static void sum_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct pfilter *m = ctx;
    struct pfilter_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    RETURN_UNLESS(PARTICLE == 0);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->at = 0; w->at < blocks(m); w->at++) {
        LD(w->value[l], m->psum, [w->at], R(VALUE), 0);
        FP64(1, w->sum[l] += w->value[l], R(SUM), R(SUM) | R(VALUE));
        ALU_RUN(2, 0, 0);
    }
    ST(w->sum[l], m->psum, [0], R(SUM));
    WARP_END();
}

static void normalize_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct pfilter *m = ctx;
    struct normalize_block *s = cta;
    struct pfilter_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0), n = m->n;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    KEEP_LANES(THREAD == 0);
    LD(w->sum[l], m->psum, [0], R(SUM), 0);
    SHARED(1, s->sum = w->sum[l], 0, R(SUM));
    EVERY_LANE();
    BAR();
    EACH_PARTICLE();
    SHARED(1, w->sum[l] = s->sum, R(SUM), 0);
    LD(w->value[l], m->weights, OF_PARTICLE, R(VALUE), R(INDEX));
    FP64(10, w->value[l] /= w->sum[l], R(VALUE), R(VALUE) | R(SUM));
    ST(w->value[l], m->weights, OF_PARTICLE, R(VALUE) | R(INDEX));
    EVERY_LANE();
    BAR();
    KEEP_LANES(PARTICLE == 0);
    ALU(1, w->x[l] = 0, R(SUM), 0);
    for (w->at = 0; w->head.on && w->at < n; w->at++) {
        LD(w->value[l], m->weights, [w->at], R(VALUE), 0);
        FP64(1, w->x[l] += m->raw[w->at] / w->sum[l], R(SUM), R(SUM) | R(VALUE));
        ST(w->x[l], m->CDF, [w->at], R(SUM));
        ALU_RUN(2, 0, 0);
    }
    LD(w->seed[l], m->seed, [0], R(DRAW), 0);
    ALU(6, w->seed[l] = next_seed(w->seed[l]), R(DRAW), R(DRAW));
    ST(w->seed[l], m->seed, [0], R(DRAW));
    FP64(10, w->value[l] = unit(w->seed[l]) / (double)n, R(VALUE), R(DRAW));
    ST(w->value[l], m->u, [0], R(VALUE));
    EVERY_LANE();
    BAR();
    KEEP_LANES(THREAD == 0);
    LD(w->value[l], m->u, [0], R(VALUE), 0);
    SHARED(1, s->u = m->u0, 0, R(VALUE));
    EVERY_LANE();
    BAR();
    EACH_PARTICLE();
    SHARED(1, w->value[l] = s->u, R(VALUE), 0);
    FP64(10, w->value[l] += (double)PARTICLE / (double)n, R(VALUE), R(VALUE) | R(INDEX));
    ST(w->value[l], m->u, OF_PARTICLE, R(VALUE) | R(INDEX));
    WARP_END();
}

static void find_index_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                            struct warp_inst *inst) {
    struct pfilter *m = ctx;
    struct pfilter_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0), n = m->n;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    EACH_PARTICLE();
    LD(w->x[l], m->u, OF_PARTICLE, R(POSITION_X), R(INDEX));
    ALU_RUN(1, R(FOUND), 0);
    for (w->at = 0; w->head.on && w->at < n; w->at++) {
        LD(w->value[l], m->CDF, [w->at], R(VALUE), 0);
        FP64(1, w->found[l] = w->at, R(FOUND), R(VALUE) | R(POSITION_X));
        ALU_RUN(3, 0, R(FOUND));
        KEEP_LANES(w->value[l] < w->x[l]);
    }
    EVERY_LANE();
    EACH_PARTICLE();
    LD(w->x[l], m->arrayX, [w->found[l]], R(POSITION_X), R(FOUND));
    ST(w->x[l], m->xj, OF_PARTICLE, R(POSITION_X) | R(INDEX));
    LD(w->y[l], m->arrayY, [w->found[l]], R(POSITION_Y), R(FOUND));
    ST(w->y[l], m->yj, OF_PARTICLE, R(POSITION_Y) | R(INDEX));
    EVERY_LANE();
    BAR();
    WARP_END();
}

/* Computes in advance the values for which `normalize` would race. */
static void before_normalize(struct pfilter *m) {
    memcpy(m->raw, m->weights.v, m->n * sizeof *m->raw);
    m->u0 = unit(next_seed(m->seed.v[0])) / (double)m->n;
}

static bool pfilter_next(struct workload *w, struct kernel_launch *launch) {
    static const struct {
        const char *name;
        size_t shared;
        void (*step)(void *, const struct warp_place *, void *, void *, struct warp_inst *);
    } kernel[KERNELS] = {
        {"pfilter likelihood", sizeof(struct likelihood_block), likelihood_step},
        {"pfilter sum", 0, sum_step},
        {"pfilter normalize", sizeof(struct normalize_block), normalize_step},
        {"pfilter find_index", 0, find_index_step},
    };
    struct pfilter *m = (struct pfilter *)w;
    const unsigned k = m->base.launched % KERNELS;
    m->frame = m->base.launched / KERNELS + 1;
    if (m->frame == m->frames)
        return false;
    m->base.launched++;
    if (k == NORMALIZE)
        before_normalize(m);
    *launch = (struct kernel_launch){
        .name = kernel[k].name,
        .grid = {(uint32_t)blocks(m), 1, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = (uint32_t)kernel[k].shared,
        .warp_state_size = sizeof(struct pfilter_warp),
        .cta_state_size = kernel[k].shared,
        .step = kernel[k].step,
        .ctx = m,
    };
    return true;
}

/* ---- Reference version ---- */

struct pfilter_plain {
    int32_t *seed, *ind;
    double *weights, *x, *y, *xj, *yj, *cdf, *u, *likelihood;
    uint64_t looked_at; /* S in the formulae in the file's header, over all frames */
};

static void move_and_weigh(const struct pfilter *m, const struct pfilter_plain *p, uint64_t i) {
    p->x[i] = moved_x(p->xj[i], draw_normal(&p->seed[i]));
    p->y[i] = moved_y(p->yj[i], draw_normal(&p->seed[i]));
    double sum = 0;
    for (unsigned k = 0; k < POINTS; k++) {
        const int32_t pixel =
            pixel_at(m, p->x[i], p->y[i], m->objxy.v[2 * k + 1], m->objxy.v[2 * k]);
        p->ind[i * POINTS + k] = pixel;
        sum += evidence(m->I.v[pixel]);
    }
    p->likelihood[i] = sum / POINTS;
    p->weights[i] = 1.0 / (double)m->n * exp(p->likelihood[i]);
}

/* Returns the sum of the weights, added in the order of the CTAs' trees. */
static double sum_of_weights(uint64_t n, const double *weights) {
    double sum = 0;
    for (uint64_t first = 0; first < n; first += BLOCK) {
        double block[BLOCK] = {0};
        for (uint64_t i = first; i < n && i < first + BLOCK; i++)
            block[i - first] = weights[i];
        for (uint32_t half = BLOCK / 2; half > 0; half /= 2)
            for (uint32_t i = 0; i < half; i++)
                block[i] += block[i + half];
        sum += block[0];
    }
    return sum;
}

static void normalize(uint64_t n, const struct pfilter_plain *p) {
    const double sum = sum_of_weights(n, p->weights);
    double cdf = 0;
    p->seed[0] = next_seed(p->seed[0]);
    for (uint64_t i = 0; i < n; i++) {
        p->weights[i] /= sum;
        p->cdf[i] = cdf += p->weights[i];
        p->u[i] = unit(p->seed[0]) / (double)n + (double)i / (double)n;
    }
}

/* Resamples the particles. From one particle to the next, neither u nor the index found
 * decreases. */
static void resample(uint64_t n, struct pfilter_plain *p) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < n; i++) {
        while (found < n - 1 && p->cdf[found] < p->u[i])
            found++;
        p->xj[i] = p->x[found];
        p->yj[i] = p->y[found];
        p->looked_at += found + 1;
    }
}

static void plain_new(struct pfilter_plain *p, uint64_t n) {
    double **const doubles[] = {&p->weights, &p->x,   &p->y, &p->xj,
                                &p->yj,      &p->cdf, &p->u, &p->likelihood};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        *doubles[i] = alloc_array(n, sizeof(double));
    p->seed = alloc_array(n, sizeof *p->seed);
    p->ind = alloc_array(n * POINTS, sizeof *p->ind);
    p->looked_at = 0;
}

static void plain_free(struct pfilter_plain *p) {
    free(p->weights);
    free(p->x);
    free(p->y);
    free(p->xj);
    free(p->yj);
    free(p->cdf);
    free(p->u);
    free(p->likelihood);
    free(p->seed);
    free(p->ind);
}

/* Places the particles in the middle, before the first frame. */
static void particles(uint64_t n, int32_t *seed, double *xj, double *yj) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++) {
        seed[i] = (int32_t)rng_below(&r, INT32_MAX);
        xj[i] = yj[i] = EDGE / 2;
    }
}

static int compare(const struct pfilter *m, const struct pfilter_plain *p, struct error *err) {
    const struct {
        const double_array *got;
        const double *want;
    } doubles[] = {
        {&m->weights, p->weights},
        {&m->arrayX, p->x},
        {&m->arrayY, p->y},
        {&m->xj, p->xj},
        {&m->yj, p->yj},
        {&m->CDF, p->cdf},
        {&m->u, p->u},
        {&m->likelihood, p->likelihood},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (verify_doubles(doubles[i].got->dev->name, doubles[i].got->v, doubles[i].want, m->n,
                           err) != 0)
            return -1;
    if (verify_ints("ind", m->ind.v, p->ind, m->n * POINTS, err) != 0)
        return -1;
    return verify_ints("seed", m->seed.v, p->seed, m->n, err);
}

static int pfilter_verify(struct workload *w, struct error *err) {
    struct pfilter *m = (struct pfilter *)w;
    struct pfilter_plain p;
    plain_new(&p, m->n);
    particles(m->n, p.seed, p.xj, p.yj);
    for (m->frame = 1; m->frame < m->frames; m->frame++) {
        for (uint64_t i = 0; i < m->n; i++)
            move_and_weigh(m, &p, i);
        normalize(m->n, &p);
        resample(m->n, &p);
    }
    expect_accesses(m->CDF.dev, p.looked_at, (m->frames - 1) * m->n);
    int rc = compare(m, &p, err);
    plain_free(&p);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Construction ---- */

static bool in_disc(int32_t x, int32_t y) {
    return x * x + y * y < RADIUS * RADIUS;
}

static void make_disc(int32_t *objxy) {
    for (int32_t x = 1 - RADIUS; x < RADIUS; x++) {
        for (int32_t y = 1 - RADIUS; y < RADIUS; y++) {
            if (in_disc(x, y)) {
                *objxy++ = y;
                *objxy++ = x;
            }
        }
    }
}

/* Generates the frames. The disc begins in the middle and moves as the particles do on average. */
static void make_video(uint64_t frames, uint8_t *I) {
    struct rng r = {SEED + 1};
    for (int32_t x = 0; x < EDGE; x++) {
        for (int32_t y = 0; y < EDGE; y++) {
            for (int32_t k = 0; k < (int32_t)frames; k++) {
                const bool object = in_disc(x - EDGE / 2 - k, y - EDGE / 2 + 2 * k);
                const uint64_t noise = rng_below(&r, 2 * NOISE + 1);
                *I++ = (uint8_t)((object ? OBJECT : BACKGROUND) - NOISE + (int32_t)noise);
            }
        }
    }
}

/* Sets the expected access counts from the formulae in the file's header, except that of CDF, which
 * depends on the results. */
static void pfilter_expect(struct pfilter *m) {
    const uint64_t k = m->frames - 1, n = k * m->n, b = k * blocks(m);
    expect_accesses(m->seed.dev, 2 * n + k, 2 * n + k);
    expect_accesses(m->I.dev, POINTS * n, 0);
    expect_accesses(m->objxy.dev, 2 * POINTS * n, 0);
    expect_accesses(m->weights.dev, 4 * n, 3 * n);
    expect_accesses(m->arrayX.dev, (POINTS + 2) * n, 2 * n);
    expect_accesses(m->arrayY.dev, (POINTS + 2) * n, 2 * n);
    expect_accesses(m->xj.dev, n, n);
    expect_accesses(m->yj.dev, n, n);
    expect_accesses(m->u.dev, n + b, n + k);
    expect_accesses(m->likelihood.dev, 0, 2 * n);
    expect_accesses(m->ind.dev, POINTS * n, POINTS * n);
    expect_accesses(m->psum.dev, 2 * b, b + k);
}

static bool pfilter_arrays(struct pfilter *m) {
    const uint64_t n = m->n;
    return NEW_ARRAY(m, seed, n) && NEW_ARRAY(m, I, EDGE * EDGE * m->frames) &&
           NEW_ARRAY(m, objxy, 2 * POINTS) && NEW_ARRAY(m, weights, n) && NEW_ARRAY(m, arrayX, n) &&
           NEW_ARRAY(m, arrayY, n) && NEW_ARRAY(m, xj, n) && NEW_ARRAY(m, yj, n) &&
           NEW_ARRAY(m, CDF, n) && NEW_ARRAY(m, u, n) && NEW_ARRAY(m, likelihood, n) &&
           NEW_ARRAY(m, ind, n * POINTS) && NEW_ARRAY(m, psum, n);
}

static void pfilter_destroy(struct workload *w) {
    free(((struct pfilter *)w)->raw);
    workload_free(w);
}

static bool pfilter_create(struct workload *w, const uint64_t *v) {
    struct pfilter *m = (struct pfilter *)w;
    m->n = v[0];
    m->frames = v[1];
    m->base.w.launches = KERNELS * (m->frames - 1);
    m->raw = alloc_array(m->n, sizeof *m->raw);
    if (!pfilter_arrays(m))
        return false;
    particles(m->n, m->seed.v, m->xj.v, m->yj.v);
    make_disc(m->objxy.v);
    make_video(m->frames, m->I.v);
    pfilter_expect(m);
    return true;
}

const struct workload_type workload_pfilter = {
    .name = "pfilter",
    .suite = "UVMBench (Rodinia particlefilter)",
    .class = "regular",
    .doc =
        "particle filter: 276 B per lane written and read, byte gathers, linear searches, doubles",
    .size_doc = "N[,F]: particles, frames",
    .default_size = "8192,2",
    .size = {{"N", 1, 1u << 22}, {"F", 2, 30}},
    .state_size = sizeof(struct pfilter),
    .next = pfilter_next,
    .verify = pfilter_verify,
    .destroy = pfilter_destroy,
    .create = pfilter_create,
};
