// SPDX-License-Identifier: Apache-2.0
/* lr (UVMBench): logistic regression of N instances with F features by gradient descent, in I
 * iterations.
 *
 * There are four kernels per iteration. In `predict`, one thread per instance multiplies the
 * features, which are stored feature by feature (coalesced), by the weights. `cost` computes the
 * sigmoid of the prediction minus the instance's class. In `gradient`, one CTA per feature sums
 * over the instances, then in a tree in shared memory. `update` has one thread per weight. In the
 * original, all kernels except `cost` are calls to cuBLAS, whose code is not public; plain kernels
 * replace them. The last feature is the constant 1.
 *
 * Thread-level accesses of an iteration: features: 2 N F loads. weights: N F + F loads, F stores.
 * cost: N F + N loads, 2 N stores. class: N loads. gradient: F loads, F stores.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 128
#define UNROLL 8
#define SEED 0x1069

static const float learning_rate = 10;

enum {
    SUM,
    COST,
    CLASS,
    FEATURE,
    OTHER = FEATURE + UNROLL
}; /* registers; UNROLL for each factor */

enum { PREDICT, COSTS, GRADIENT, UPDATE, KERNELS };

struct lr {
    struct lane_workload base;
    uint64_t n, n_features, iterations;
    ARRAY(float) features; /* [n_features][n] */
    ARRAY(uint16_t) class;
    ARRAY(float) weights;
    ARRAY(float) cost;
    ARRAY(float) gradient;
};

struct lr_warp {
    struct warp_head head;
    uint64_t k, half;
    float sum[WARP_LANES], feature[WARP_LANES], other[WARP_LANES];
    uint16_t class[WARP_LANES];
};

/* __shared__ array of a CTA of `gradient`. */
struct lr_block {
    float sum[BLOCK];
};

/* Register used in this iteration of an unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void predict_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct lr *m = ctx;
    struct lr_warp *w = state;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's instance */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < m->n);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->k = 0; w->k < m->n_features; w->k++) {
        LD(w->other[l], m->weights, [w->k], R_TURN(OTHER), 0);
        LD(w->feature[l], m->features, [w->k * m->n + i + l], R_TURN(FEATURE), 0);
        ALU(1, w->sum[l] += w->feature[l] * w->other[l], R(SUM),
            R(SUM) | R_TURN(FEATURE) | R_TURN(OTHER));
        if (w->k % UNROLL == UNROLL - 1 || w->k == m->n_features - 1)
            ALU_RUN(4, 0, 0);
    }
    ST(w->sum[l], m->cost, [i + l], R(SUM));
    WARP_END();
}

static float sigmoid(float x) {
    return 1 / (1 + expf(-x));
}

static void cost_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct lr *m = ctx;
    struct lr_warp *w = state;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's instance */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < m->n);
    LD(w->sum[l], m->cost, [i + l], R(COST), 0);
    ALU_RUN(21, R(SUM), R(COST));
    SFU(2, w->sum[l] = sigmoid(w->sum[l]), R(COST), R(SUM));
    LD(w->class[l], m -> class, [i + l], R(CLASS), 0);
    ALU(2, w->sum[l] -= (float)w->class[l], R(COST), R(COST) | R(CLASS));
    ST(w->sum[l], m->cost, [i + l], R(COST));
    WARP_END();
}

#define T thread_in_block(place, l)

static void gradient_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct lr *m = ctx;
    struct lr_block *s = cta;
    struct lr_warp *w = state;
    const uint64_t feature = place->cta[0];

    WARP_BEGIN();
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->k = 0; w->k * BLOCK < m->n; w->k++) {
        KEEP_LANES(w->k * BLOCK + T < m->n);
        LD(w->feature[l], m->features, [feature * m->n + w->k * BLOCK + T], R_TURN(FEATURE), 0);
        LD(w->other[l], m->cost, [w->k * BLOCK + T], R_TURN(OTHER), 0);
        ALU(1, w->sum[l] += w->feature[l] * w->other[l], R(SUM),
            R(SUM) | R_TURN(FEATURE) | R_TURN(OTHER));
        if (w->k % UNROLL == UNROLL - 1)
            ALU_RUN(4, 0, 0);
    }
    EVERY_LANE();
    SHARED(1, s->sum[T] = w->sum[l], 0, R(SUM));
    for (w->half = BLOCK / 2; w->half > 0; w->half /= 2) {
        BAR();
        KEEP_LANES(T < w->half);
        SHARED(2, w->other[l] = s->sum[T + w->half], R(OTHER), 0);
        ALU(1, w->sum[l] += w->other[l], R(SUM), R(SUM) | R(OTHER));
        SHARED(1, s->sum[T] = w->sum[l], 0, R(SUM));
    }
    KEEP_LANES(T == 0);
    ST(w->sum[l], m->gradient, [feature], R(SUM));
    WARP_END();
}

static float updated(const struct lr *m, float weight, float gradient) {
    return weight - learning_rate / (float)m->n * gradient;
}

static void update_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct lr *m = ctx;
    struct lr_warp *w = state;
    const uint64_t k = thread_in_grid(place, BLOCK, 0); /* index of lane 0's weight */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(k + l < m->n_features);
    LD(w->other[l], m->gradient, [k + l], R(OTHER), 0);
    LD(w->sum[l], m->weights, [k + l], R(SUM), 0);
    ALU(1, w->sum[l] = updated(m, w->sum[l], w->other[l]), R(SUM), R(SUM) | R(OTHER));
    ST(w->sum[l], m->weights, [k + l], R(SUM));
    WARP_END();
}

static bool lr_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[KERNELS] = {
        [PREDICT] = {.name = "lr predict", .step = predict_step},
        [COSTS] = {.name = "lr cost", .step = cost_step},
        [GRADIENT] = {.name = "lr gradient",
                      .shared_bytes = sizeof(struct lr_block),
                      .cta_state_size = sizeof(struct lr_block),
                      .step = gradient_step},
        [UPDATE] = {.name = "lr update", .step = update_step},
    };
    struct lr *m = (struct lr *)w;
    const unsigned kernel = m->base.launched % KERNELS;
    if (m->base.launched == m->base.w.launches)
        return false;
    m->base.launched++;
    *launch = kernels[kernel];
    launch_1d(launch,
              kernel == GRADIENT ? m->n_features
              : kernel == UPDATE ? ceil_div(m->n_features, BLOCK)
                                 : ceil_div(m->n, BLOCK),
              BLOCK);
    launch->warp_state_size = sizeof(struct lr_warp);
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

static float plain_cost(const struct lr *m, const float *weights, uint64_t i) {
    float sum = 0;
    for (uint64_t f = 0; f < m->n_features; f++)
        sum += m->features.v[f * m->n + i] * weights[f];
    return sigmoid(sum) - (float)m->class.v[i];
}

/* Returns the gradient for feature f, added in the order of the kernel: every 128th instance, then
 * the 128 sums in pairs. */
static float plain_gradient(const struct lr *m, const float *cost, uint64_t f) {
    float sum[BLOCK] = {0};
    for (uint64_t i = 0; i < m->n; i++)
        sum[i % BLOCK] += m->features.v[f * m->n + i] * cost[i];
    for (uint32_t half = BLOCK / 2; half > 0; half /= 2)
        for (uint32_t t = 0; t < half; t++)
            sum[t] += sum[t + half];
    return sum[0];
}

static void descend(const struct lr *m, float *weights, float *cost, float *gradient) {
    for (uint64_t i = 0; i < m->n; i++)
        cost[i] = plain_cost(m, weights, i);
    for (uint64_t f = 0; f < m->n_features; f++) {
        gradient[f] = plain_gradient(m, cost, f);
        weights[f] = updated(m, weights[f], gradient[f]);
    }
}

static int lr_verify(struct workload *w, struct error *err) {
    struct lr *m = (struct lr *)w;
    const uint64_t n_features = m->n_features;
    float *weights = alloc_zeroed(n_features, sizeof *weights);
    float *gradient = alloc_array(n_features, sizeof *gradient),
          *cost = alloc_array(m->n, sizeof *cost);
    for (uint64_t k = 0; k < m->iterations; k++)
        descend(m, weights, cost, gradient);
    int rc = verify_floats("cost", m->cost.v, cost, m->n, err);
    if (rc == 0)
        rc = verify_floats("gradient", m->gradient.v, gradient, n_features, err);
    if (rc == 0)
        rc = verify_floats("weights", m->weights.v, weights, n_features, err);
    free(weights);
    free(gradient);
    free(cost);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void lr_expect(struct lr *m) {
    const uint64_t n = m->n, f = m->n_features, k = m->iterations;
    expect_accesses(m->features.dev, k * 2 * n * f, 0);
    expect_accesses(m->class.dev, k * n, 0);
    expect_accesses(m->weights.dev, k * (n * f + f), k * f);
    expect_accesses(m->cost.dev, k * (n * f + n), k * 2 * n);
    expect_accesses(m->gradient.dev, k * f, k * f);
}

/* Generates random features. The first one indicates the class in three of four instances. */
static void lr_inputs(struct lr *m) {
    struct rng r = {SEED};
    const uint64_t n = m->n, varying = m->n_features - 1;
    rng_fill(&r, m->features.v, varying * n, 0, 1);
    for (uint64_t i = 0; i < n; i++) {
        m->features.v[varying * n + i] = 1;
        m->class.v[i] = rng_below(&r, 2) || m->features.v[i] < 0.5f;
    }
}

static bool lr_create(struct workload *w, const uint64_t *v) {
    struct lr *m = (struct lr *)w;
    m->n = v[0];
    m->n_features = v[1];
    m->iterations = v[2];
    m->base.w.launches = KERNELS * m->iterations;
    if (!NEW_ARRAY(m, features, m->n * m->n_features) || !NEW_ARRAY(m, class, m->n) ||
        !NEW_ARRAY(m, weights, m->n_features) || !NEW_ARRAY(m, cost, m->n) ||
        !NEW_ARRAY(m, gradient, m->n_features))
        return false;
    lr_inputs(m);
    lr_expect(m);
    return true;
}

const struct workload_type workload_lr = {
    .name = "lr",
    .suite = "UVMBench",
    .class = "regular",
    .doc = "logistic regression: products of a matrix and its transpose with vectors, coalesced",
    .size_doc = "N[,F[,I]]: instances, features, iterations",
    .default_size = "4096,256,5",
    .size = {{"N", 1, 1u << 24}, {"F", 1, 65536}, {"I", 1, 1000}},
    .state_size = sizeof(struct lr),
    .next = lr_next,
    .verify = lr_verify,
    .create = lr_create,
};
