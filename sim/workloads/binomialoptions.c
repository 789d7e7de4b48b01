// SPDX-License-Identifier: Apache-2.0
/* binomialoptions (CUDA SDK binomialOptions): prices N call options, each with a binomial tree of S
 * steps.
 *
 * A CTA of 256 threads computes one option. It stores the values at expiry in a buffer of S + 16
 * numbers and moves back 32 steps per sweep. In a sweep, it loads up to 256 values into shared
 * memory, computes 32 steps there, alternating between two arrays with a barrier before each step,
 * and stores all but 32 of the values back. Then the CTA loads the next chunk of values. The last
 * remaining value is the price.
 *
 * Thread-level accesses: buffer: S + 1 stores per option; then for each i = S, S - 32 .. 32 and
 * each c = 0, 224 .. below i, with n = min(255, i - c): n + 1 loads and n - 31 stores. value: N
 * stores.
 *
 * The kernel is that of CUDA 2 to 4, in single precision; options are in constant memory.
 * Differences from the sample: N (up to 1024 in the sample) and S (2048 in the sample).
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256 /* number of threads per CTA, and of values per shared-memory array */
#define SWEEP 32  /* steps per sweep */
#define CHUNK (BLOCK - SWEEP)
#define APART 16 /* length of an option's buffer minus S */
#define MAX_OPTIONS 1024
#define RISK_FREE 0.06
#define VOLATILITY 0.10
#define SEED 0xb10

enum { INDEX, UP, DOWN, VALUE }; /* registers */

/* Parameters of an option's tree: price, strike, change of the log price per step, and discounted
 * probabilities of a step up and of a step down. */
struct binomialoptions_tree {
    float price, strike, move, up, down;
};

struct binomialoptions {
    struct lane_workload base;
    int64_t n, steps;
    struct binomialoptions_tree trees[MAX_OPTIONS];
    ARRAY(float) buffer; /* [n][steps + APART] */
    ARRAY(float) value;
};

/* __shared__ arrays of a CTA. */
struct binomialoptions_block {
    float v[2][BLOCK];
};

struct binomialoptions_warp {
    struct warp_head head;
    int64_t i;     /* last node of this sweep */
    int64_t chunk; /* first node in shared memory */
    int64_t k;     /* last node of this step, relative to `chunk` */
    float up[WARP_LANES], down[WARP_LANES], value[WARP_LANES];
};

static float at_expiry(const struct binomialoptions_tree *t, int64_t node, int64_t steps) {
    const float gain = t->price * expf(t->move * (2.0f * (float)node - (float)steps)) - t->strike;
    return gain > 0 ? gain : 0;
}

static float step_back(const struct binomialoptions_tree *t, float up, float down) {
    return t->up * up + t->down * down;
}

/* Returns the index of a chunk's last node, relative to the first one, before the steps of a
 * sweep. */
static int64_t chunk_end(int64_t i, int64_t chunk) {
    return i - chunk < BLOCK - 1 ? i - chunk : BLOCK - 1;
}

#define T ((int64_t)thread_in_block(place, l))
#define NODE(first) [own + (first) + T]
#define FROM s->v[(end - 1 - w->k) % 2]
#define TO s->v[(end - w->k) % 2]

static void binomialoptions_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                                 struct warp_inst *inst) {
    struct binomialoptions *m = ctx;
    struct binomialoptions_block *s = cta;
    struct binomialoptions_warp *w = state;
    const struct binomialoptions_tree *t = &m->trees[place->cta[0]];
    const int64_t own = place->cta[0] * (m->steps + APART), end = chunk_end(w->i, w->chunk);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->i = 0; w->i <= m->steps; w->i += BLOCK) {
        KEEP_LANES(w->i + T <= m->steps);
        ALU_RUN(5, R(VALUE), R(INDEX));
        SFU(1, w->value[l] = at_expiry(t, w->i + T, m->steps), R(VALUE), R(VALUE));
        ALU_RUN(4, R(VALUE), R(VALUE));
        ST(w->value[l], m->buffer, NODE(w->i), R(VALUE) | R(INDEX));
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    w->head.on = UINT32_MAX;
    for (w->i = m->steps; w->i > 0; w->i -= SWEEP) {
        for (w->chunk = 0; w->chunk < w->i; w->chunk += CHUNK) {
            ALU_RUN(3, R(INDEX), R(INDEX));
            BAR();
            KEEP_LANES(T <= end);
            LD(w->value[l], m->buffer, NODE(w->chunk), R(VALUE), R(INDEX));
            SHARED(1, s->v[0][T] = w->value[l], 0, R(VALUE) | R(INDEX));
            w->head.on = UINT32_MAX;
            for (w->k = end - 1; w->k >= end - SWEEP; w->k--) {
                BAR();
                ALU_RUN(2, 0, R(INDEX));
                KEEP_LANES(T <= w->k);
                SHARED(1, w->up[l] = FROM[T + 1], R(UP), R(INDEX));
                SHARED(1, w->down[l] = FROM[T], R(DOWN), R(INDEX));
                ALU(2, w->value[l] = step_back(t, w->up[l], w->down[l]), R(VALUE), R(UP) | R(DOWN));
                SHARED(1, TO[T] = w->value[l], 0, R(VALUE) | R(INDEX));
                w->head.on = UINT32_MAX;
                ALU_RUN(1, R(INDEX), R(INDEX));
            }
            BAR();
            KEEP_LANES(T <= end - SWEEP);
            SHARED(1, w->value[l] = s->v[0][T], R(VALUE), R(INDEX));
            ST(w->value[l], m->buffer, NODE(w->chunk), R(VALUE) | R(INDEX));
            w->head.on = UINT32_MAX;
        }
    }
    KEEP_LANES(T == 0);
    SHARED(1, w->value[l] = s->v[0][0], R(VALUE), 0);
    ST(w->value[l], m->value, [place->cta[0]], R(VALUE) | R(INDEX));
    WARP_END();
}

static bool binomialoptions_next(struct workload *w, struct kernel_launch *launch) {
    struct binomialoptions *m = (struct binomialoptions *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "binomialoptions",
        .grid = {(uint32_t)m->n, 1, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = sizeof(struct binomialoptions_block),
        .warp_state_size = sizeof(struct binomialoptions_warp),
        .cta_state_size = sizeof(struct binomialoptions_block),
        .step = binomialoptions_step,
        .ctx = m,
    };
    return true;
}

/* Returns the price, for the reference version. Computes all values of a step before the next step.
 * The last 32 nodes at the start of each sweep stay in the buffer. */
static float walk_back(const struct binomialoptions_tree *t, int64_t steps, float *value,
                       float *buffer) {
    for (int64_t k = 0; k <= steps; k++)
        value[k] = at_expiry(t, k, steps);
    for (int64_t i = steps;; i--) {
        if (i % SWEEP == 0)
            for (int64_t k = i; k >= 0 && k > i - SWEEP; k--)
                buffer[k] = value[k];
        if (i == 0)
            return value[0];
        for (int64_t k = 0; k < i; k++)
            value[k] = step_back(t, value[k + 1], value[k]);
    }
}

static int binomialoptions_verify(struct workload *w, struct error *err) {
    struct binomialoptions *m = (struct binomialoptions *)w;
    const uint64_t pitch = (uint64_t)(m->steps + APART), numbers = (uint64_t)m->n * pitch;
    float *buffer = alloc_zeroed(numbers, sizeof *buffer),
          *value = alloc_array(pitch, sizeof *value);
    float prices[MAX_OPTIONS];
    for (int64_t o = 0; o < m->n; o++)
        prices[o] = walk_back(&m->trees[o], m->steps, value, &buffer[(uint64_t)o * pitch]);
    int rc = verify_floats("buffer", m->buffer.v, buffer, numbers, err);
    if (rc == 0)
        rc = verify_floats("value", m->value.v, prices, (uint64_t)m->n, err);
    free(buffer);
    free(value);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void draw_options(struct binomialoptions *m) {
    struct rng r = {SEED};
    for (int64_t o = 0; o < m->n; o++) {
        float drawn[3]; /* price, strike and years to expiry */
        rng_fill(&r, &drawn[0], 1, 5, 30);
        rng_fill(&r, &drawn[1], 1, 1, 100);
        rng_fill(&r, &drawn[2], 1, 0.25f, 10);
        const double dt = (double)drawn[2] / (double)m->steps, move = VOLATILITY * sqrt(dt);
        const double discount = exp(-RISK_FREE * dt);
        const double up = (exp(RISK_FREE * dt) - exp(-move)) / (exp(move) - exp(-move));
        m->trees[o] = (struct binomialoptions_tree){
            drawn[0], drawn[1], (float)move, (float)(up * discount), (float)((1 - up) * discount)};
    }
}

static void binomialoptions_expect(const struct binomialoptions *m) {
    int64_t loads = 0, stores = m->steps + 1;
    for (int64_t i = m->steps; i > 0; i -= SWEEP) {
        for (int64_t chunk = 0; chunk < i; chunk += CHUNK) {
            loads += chunk_end(i, chunk) + 1;
            stores += chunk_end(i, chunk) + 1 - SWEEP;
        }
    }
    expect_accesses(m->buffer.dev, (uint64_t)(m->n * loads), (uint64_t)(m->n * stores));
    expect_accesses(m->value.dev, 0, (uint64_t)m->n);
}

static bool binomialoptions_create(struct workload *w, const uint64_t *v) {
    struct binomialoptions *m = (struct binomialoptions *)w;
    if (!workload_multiple(w, "S", v[1], SWEEP))
        return false;
    m->n = (int64_t)v[0];
    m->steps = (int64_t)v[1];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, buffer, v[0] * (v[1] + APART)) || !NEW_ARRAY(m, value, v[0]))
        return false;
    draw_options(m);
    binomialoptions_expect(m);
    return true;
}

const struct workload_type workload_binomialoptions = {
    .name = "binomialoptions",
    .suite = "CUDA SDK (binomialOptions)",
    .doc = "option prices by trees: each CTA sweeps over its own buffer, steps in shared memory",
    .size_doc = "N[,S]: options, steps of the tree (a multiple of 32)",
    .default_size = "512,512",
    .repeatable = true,
    .size = {{"N", 1, MAX_OPTIONS}, {"S", SWEEP, 8192}},
    .state_size = sizeof(struct binomialoptions),
    .next = binomialoptions_next,
    .verify = binomialoptions_verify,
    .create = binomialoptions_create,
};
