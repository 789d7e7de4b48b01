// SPDX-License-Identifier: Apache-2.0
/* backprop (UVMBench, from Rodinia): performs one training step of a network with N inputs, 16
 * hidden units and one output.
 *
 * `forward` multiplies each weight by its input and sums the products of 16 inputs per CTA in
 * shared memory. The host adds the sums of the CTAs, runs the rest of the network, and computes the
 * error of each hidden unit. `adjust` then updates all weights. Each row of the weight matrix has
 * 17 elements (column 0 is unused, row 0 is the bias), so the rows of 16 weights are 68 bytes
 * apart. `forward` overwrites w with sums, and the host restores the weights before `adjust`.
 *
 * Thread-level accesses (B = 16 is the number of weights in the bias row): in: N + 32 N loads. w:
 * 32 N + B loads, 32 N + B stores. psum: N stores. oldw: 32 N + 2 B loads, 16 N + B stores. delta:
 * 32 N + 2 B loads.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define HIDDEN 16
#define ROWS 16 /* inputs per CTA */
#define PITCH (HIDDEN + 1)
#define SEED 0xbac4

static const double eta = 0.3, momentum = 0.3;

enum { INDEX, INPUT, WEIGHT, SUM, DELTA, OLD, CHANGE }; /* registers */

struct backprop {
    struct lane_workload base;
    uint64_t n;
    ARRAY(float) in;    /* [n + 1]; element 0 is the bias */
    ARRAY(float) outh;  /* hidden units; not used by the kernels */
    ARRAY(float) w;     /* [n + 1][PITCH] */
    ARRAY(float) psum;  /* [n / ROWS][HIDDEN] */
    ARRAY(float) oldw;  /* last change of each weight */
    ARRAY(float) delta; /* error of each hidden unit */
};

/* __shared__ arrays of a CTA of `forward`. */
struct forward_block {
    float input[ROWS], sum[ROWS][HIDDEN];
};

struct forward_warp {
    struct warp_head head;
    uint32_t half; /* distance between the two rows to add */
    float value[WARP_LANES], other[WARP_LANES];
};

#define X thread_x(place, HIDDEN, l)
#define Y thread_y(place, HIDDEN, l)
#define ROW [first + Y]
#define CELL [(first + Y) * PITCH + X + 1]

static void forward_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct backprop *m = ctx;
    struct forward_block *s = cta;
    struct forward_warp *w = state;
    const uint64_t first = (uint64_t)place->cta[1] * ROWS + 1; /* first row of the CTA */

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    KEEP_LANES(X == 0);
    LD(w->value[l], m->in, ROW, R(INPUT), R(INDEX));
    SHARED(1, s->input[Y] = w->value[l], 0, R(INPUT));
    EVERY_LANE();
    BAR();
    LD(w->value[l], m->w, CELL, R(WEIGHT), R(INDEX));
    SHARED(1, s->sum[Y][X] = w->value[l], 0, R(WEIGHT));
    BAR();
    SHARED(2, w->value[l] = s->sum[Y][X], R(WEIGHT), 0);
    ALU(1, w->value[l] *= s->input[Y], R(SUM), R(WEIGHT));
    SHARED(1, s->sum[Y][X] = w->value[l], 0, R(SUM));
    BAR();
    for (w->half = 1; w->half < ROWS; w->half *= 2) {
        ALU_RUN(5, 0, R(INDEX));
        KEEP_LANES(Y % (2 * w->half) == 0);
        SHARED(2, w->other[l] = s->sum[Y + w->half][X], R(WEIGHT), 0);
        ALU(1, w->value[l] = s->sum[Y][X] + w->other[l], R(SUM), R(WEIGHT));
        SHARED(1, s->sum[Y][X] = w->value[l], 0, R(SUM));
        EVERY_LANE();
        BAR();
    }
    SHARED(1, w->value[l] = s->sum[Y][X], R(SUM), 0);
    ST(w->value[l], m->w, CELL, R(SUM) | R(INDEX));
    BAR();
    KEEP_LANES(X == 0);
    SHARED(1, w->value[l] = s->sum[0][Y], R(SUM), 0);
    ST(w->value[l], m->psum, [(uint64_t)place->cta[1] * HIDDEN + Y], R(SUM) | R(INDEX));
    WARP_END();
}

struct adjust_warp {
    struct warp_head head;
    float delta[WARP_LANES], in[WARP_LANES], old[WARP_LANES], weight[WARP_LANES];
    double change[WARP_LANES];
};

/* Returns the change of a weight: its scaled gradient plus a part of its last change. */
static double weight_change(float delta, float input, float old) {
    return eta * (double)delta * (double)input + momentum * (double)old;
}

static float weight_after(float weight, double change) {
    return (float)((double)weight + change);
}

static void adjust_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct backprop *m = ctx;
    struct adjust_warp *w = state;
    const uint64_t first = (uint64_t)place->cta[1] * ROWS + 1; /* first row of the CTA */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    LD(w->delta[l], m->delta, [X + 1], R(DELTA), R(INDEX));
    LD(w->in[l], m->in, ROW, R(INPUT), R(INDEX));
    LD(w->old[l], m->oldw, CELL, R(OLD), R(INDEX));
    LD(w->weight[l], m->w, CELL, R(WEIGHT), R(INDEX));
    FP64(9, w->change[l] = weight_change(w->delta[l], w->in[l], w->old[l]), R(CHANGE),
         R(DELTA) | R(INPUT) | R(OLD));
    FP64(1, w->weight[l] = weight_after(w->weight[l], w->change[l]), R(WEIGHT),
         R(WEIGHT) | R(CHANGE));
    ST(w->weight[l], m->w, CELL, R(WEIGHT) | R(INDEX));
    LD(w->delta[l], m->delta, [X + 1], R(DELTA), R(INDEX));
    LD(w->in[l], m->in, ROW, R(INPUT), R(INDEX));
    LD(w->old[l], m->oldw, CELL, R(OLD), R(INDEX));
    FP64(4, w->change[l] = weight_change(w->delta[l], w->in[l], w->old[l]), R(CHANGE),
         R(DELTA) | R(INPUT) | R(OLD));
    ST((float)w->change[l], m->oldw, CELL, R(CHANGE) | R(INDEX));
    BAR();
    KEEP_LANES(Y == 0 && place->cta[1] == 0);
    LD(w->delta[l], m->delta, [X + 1], R(DELTA), R(INDEX));
    LD(w->old[l], m->oldw, [X + 1], R(OLD), R(INDEX));
    LD(w->weight[l], m->w, [X + 1], R(WEIGHT), R(INDEX));
    FP64(9, w->change[l] = weight_change(w->delta[l], 1, w->old[l]), R(CHANGE), R(DELTA) | R(OLD));
    FP64(1, w->weight[l] = weight_after(w->weight[l], w->change[l]), R(WEIGHT),
         R(WEIGHT) | R(CHANGE));
    ST(w->weight[l], m->w, [X + 1], R(WEIGHT) | R(INDEX));
    LD(w->delta[l], m->delta, [X + 1], R(DELTA), R(INDEX));
    LD(w->old[l], m->oldw, [X + 1], R(OLD), R(INDEX));
    FP64(4, w->change[l] = weight_change(w->delta[l], 1, w->old[l]), R(CHANGE), R(DELTA) | R(OLD));
    ST((float)w->change[l], m->oldw, [X + 1], R(CHANGE) | R(INDEX));
    WARP_END();
}

/* Generates the inputs and the weights of both layers. */
static void backprop_inputs(uint64_t n, float *in, float *w, float *hidden_w) {
    struct rng r = {SEED};
    rng_fill(&r, in, n + 1, 0, 1);
    in[0] = 1;
    rng_fill(&r, w, (n + 1) * PITCH, 0, 1);
    rng_fill(&r, hidden_w, PITCH, 0, 1);
}

static float squash(double x) {
    return (float)(1.0 / (1.0 + exp(-x)));
}

/* Computes the error of each hidden unit on the host. psum is [CTAs][HIDDEN]; bias is row 0 of the
 * weights. A unit takes the mean of its inputs, not their sum as in the original: with this many
 * inputs the sum would saturate the unit, and no weight would change. */
static void hidden_delta(uint64_t blocks, const float *psum, const float *bias,
                         const float *hidden_w, float *delta) {
    const float target = 0.1f;
    float hidden[PITCH] = {1}, out = hidden_w[0];
    for (uint32_t j = 1; j < PITCH; j++) {
        float sum = 0;
        for (uint64_t b = 0; b < blocks; b++)
            sum += psum[b * HIDDEN + j - 1];
        hidden[j] = squash((double)((sum + bias[j]) / (float)(blocks * ROWS)));
        out += hidden_w[j] * hidden[j];
    }
    out = squash((double)out);
    const float error = out * (1 - out) * (target - out);
    for (uint32_t j = 1; j < PITCH; j++)
        delta[j] = hidden[j] * (1 - hidden[j]) * (error * hidden_w[j]);
}

static bool backprop_next(struct workload *w, struct kernel_launch *launch) {
    struct backprop *m = (struct backprop *)w;
    const unsigned k = m->base.launched;
    if (k == 2)
        return false;
    if (k == 1) {
        float hidden_w[PITCH];
        backprop_inputs(m->n, m->in.v, m->w.v, hidden_w);
        hidden_delta(m->n / ROWS, m->psum.v, m->w.v, hidden_w, m->delta.v);
    }
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = k == 0 ? "backprop forward" : "backprop adjust",
        .grid = {1, (uint32_t)(m->n / ROWS), 1},
        .block = {HIDDEN, ROWS, 1},
        .paper_regs = 12, /* Dai 2017, Table 6 */
        .shared_bytes = k == 0 ? sizeof(struct forward_block) : 0,
        .warp_state_size = k == 0 ? sizeof(struct forward_warp) : sizeof(struct adjust_warp),
        .cta_state_size = k == 0 ? sizeof(struct forward_block) : 0,
        .step = k == 0 ? forward_step : adjust_step,
        .ctx = m,
    };
    return true;
}

/* Computes the sums of one CTA by adding pairs, in the order of the kernel. */
static void block_sums(const float *in, const float *w, float *psum) {
    for (uint32_t x = 0; x < HIDDEN; x++) {
        float v[ROWS];
        for (uint32_t y = 0; y < ROWS; y++)
            v[y] = w[y * PITCH + x + 1] * in[y];
        for (uint32_t half = 1; half < ROWS; half *= 2)
            for (uint32_t y = 0; y < ROWS; y += 2 * half)
                v[y] += v[y + half];
        psum[x] = v[0];
    }
}

/* Performs the training step for the reference version. psum has n elements; oldw must be
 * zeroed. */
static void train(uint64_t n, const float *in, float *w, const float *hidden_w, float *psum,
                  float *oldw) {
    float delta[PITCH] = {0};
    for (uint64_t b = 0; b < n / ROWS; b++)
        block_sums(&in[b * ROWS + 1], &w[(b * ROWS + 1) * PITCH], &psum[b * HIDDEN]);
    hidden_delta(n / ROWS, psum, w, hidden_w, delta);
    for (uint64_t i = 0; i <= n; i++) {
        for (uint32_t j = 1; j < PITCH; j++) {
            const uint64_t at = i * PITCH + j;
            const double change = weight_change(delta[j], in[i], oldw[at]);
            w[at] = weight_after(w[at], change);
            oldw[at] = (float)change;
        }
    }
}

static int backprop_verify(struct workload *workload, struct error *err) {
    struct backprop *m = (struct backprop *)workload;
    const uint64_t weights = (m->n + 1) * PITCH;
    float *in = alloc_array(m->n + 1, sizeof *in), *psum = alloc_array(m->n, sizeof *psum);
    float *w = alloc_array(weights, sizeof *w), *oldw = alloc_zeroed(weights, sizeof *oldw);
    float hidden_w[PITCH];
    backprop_inputs(m->n, in, w, hidden_w);
    train(m->n, in, w, hidden_w, psum, oldw);
    int rc = verify_floats("psum", m->psum.v, psum, m->n, err);
    if (rc == 0)
        rc = verify_floats("w", m->w.v, w, weights, err);
    if (rc == 0)
        rc = verify_floats("oldw", m->oldw.v, oldw, weights, err);
    free(in);
    free(psum);
    free(w);
    free(oldw);
    return rc == 0 ? verify_accesses(workload, err) : rc;
}

static void backprop_expect(struct backprop *m) {
    const uint64_t n = m->n, cells = n * HIDDEN;
    expect_accesses(m->in.dev, n + 2 * cells, 0);
    expect_accesses(m->outh.dev, 0, 0);
    expect_accesses(m->w.dev, 2 * cells + HIDDEN, 2 * cells + HIDDEN);
    expect_accesses(m->psum.dev, 0, n);
    expect_accesses(m->oldw.dev, 2 * cells + 2 * HIDDEN, cells + HIDDEN);
    expect_accesses(m->delta.dev, 2 * cells + 2 * HIDDEN, 0);
}

static bool backprop_create(struct workload *w, const uint64_t *v) {
    struct backprop *m = (struct backprop *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, ROWS))
        return false;
    m->base.w.launches = 2;
    if (!NEW_ARRAY(m, in, n + 1) || !NEW_ARRAY(m, outh, PITCH) ||
        !NEW_ARRAY(m, w, (n + 1) * PITCH) || !NEW_ARRAY(m, psum, n) ||
        !NEW_ARRAY(m, oldw, (n + 1) * PITCH) || !NEW_ARRAY(m, delta, PITCH))
        return false;
    float hidden_w[PITCH];
    backprop_inputs(n, m->in.v, m->w.v, hidden_w);
    backprop_expect(m);
    return true;
}

const struct workload_type workload_backprop = {
    .name = "backprop",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc =
        "training of a neural network: tree sums in shared memory, rows with a pitch of 68 bytes",
    .size_doc = "N, number of inputs of the network (a multiple of 16)",
    .default_size = "32768",
    .size = {{"N", ROWS, 1u << 22}},
    .state_size = sizeof(struct backprop),
    .next = backprop_next,
    .verify = backprop_verify,
    .create = backprop_create,
};
