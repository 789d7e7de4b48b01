// SPDX-License-Identifier: Apache-2.0
/* binomialoptions: the prices of N call options, each from a binomial tree of S steps.
 *
 * A block of 256 threads takes an option. It stores the values at expiry in a buffer of S + 16
 * numbers, and goes back 32 steps a sweep: up to 256 values are loaded into shared memory, 32 steps
 * are made there from one array into another and back, and all but 32 of them are stored where they
 * were; then the next. A barrier lies before each step. The last value is the price.
 *
 * Thread-level accesses: buffer: S + 1 stores an option; then for each i = S, S - 32 .. 32 and each
 * c = 0, 224 .. below i, with n = min(255, i - c): n + 1 loads and n - 31 stores. value: N stores.
 *
 * The kernel is that of CUDA 2 to 4, in single precision; options are in constant memory. What
 * differs from the sample: N, up to 1024 there, and S, 2048.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256 /* threads, and values in shared memory */
#define SWEEP 32  /* steps */
#define CHUNK (BLOCK - SWEEP)
#define APART 16 /* numbers between the buffers of two options */
#define MAX_OPTIONS 1024
#define RISK_FREE 0.06
#define VOLATILITY 0.10
#define SEED 0xb10

enum { INDEX, UP, DOWN, VALUE }; /* registers */

/* Price and strike; step of the logarithm of the price; chances of up and down, discounted. */
struct tree {
    float price, strike, move, up, down;
};

struct binomialoptions {
    struct lane_workload base;
    int64_t n, steps;
    struct tree trees[MAX_OPTIONS];
    ARRAY(float) buffer; /* [n][steps + APART] */
    ARRAY(float) value;
};

/* __shared__ arrays of a block. */
struct binomialoptions_block {
    float v[2][BLOCK];
};

struct binomialoptions_warp {
    struct warp_head head;
    int64_t i;     /* the last node of this sweep */
    int64_t chunk; /* the first node in shared memory */
    int64_t k;     /* the last node of this step, counted from there */
    float up[WARP_LANES], down[WARP_LANES], value[WARP_LANES];
};

static float at_expiry(const struct tree *t, int64_t node, int64_t steps) {
    const float gain = t->price * expf(t->move * (2.0f * (float)node - (float)steps)) - t->strike;
    return gain > 0 ? gain : 0;
}

static float step_back(const struct tree *t, float up, float down) {
    return t->up * up + t->down * down;
}

/* The last node of a chunk, counted from its first, before the steps of a sweep. */
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
    const struct tree *t = &m->trees[place->cta[0]];
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

/* Plain version: all values of a step at once. With i steps to go, the last 32 nodes that there are
 * stay in the buffer. Returns the price. */
static float walk_back(const struct tree *t, int64_t steps, float *value, float *buffer) {
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

static int binomialoptions_verify(struct workload *w, char *err, size_t err_size) {
    struct binomialoptions *m = (struct binomialoptions *)w;
    const uint64_t pitch = (uint64_t)(m->steps + APART), numbers = (uint64_t)m->n * pitch;
    float *buffer = alloc_zeroed(numbers, sizeof *buffer),
          *value = alloc_array(pitch, sizeof *value);
    float prices[MAX_OPTIONS];
    for (int64_t o = 0; o < m->n; o++)
        prices[o] = walk_back(&m->trees[o], m->steps, value, &buffer[(uint64_t)o * pitch]);
    int rc = verify_floats("buffer", m->buffer.v, buffer, numbers, err, err_size);
    if (rc == 0)
        rc = verify_floats("value", m->value.v, prices, (uint64_t)m->n, err, err_size);
    free(buffer);
    free(value);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
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
        m->trees[o] = (struct tree){drawn[0], drawn[1], (float)move, (float)(up * discount),
                                    (float)((1 - up) * discount)};
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

static struct workload *binomialoptions_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_binomialoptions = {
    .name = "binomialoptions",
    .suite = "CUDA SDK (binomialOptions)",
    .doc =
        "option prices by trees: a block sweeps over a buffer of its own, steps in shared memory",
    .size_doc = "N[,S]: options, steps of the tree (a multiple of 32)",
    .default_size = "512,512",
    .repeatable = true,
    .create = binomialoptions_create,
};

static struct workload *binomialoptions_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, MAX_OPTIONS}, {"S", SWEEP, 8192}};
    uint64_t v[2];
    if (workload_size(&workload_binomialoptions, desc, 2, size, v, err, err_size) != 0 ||
        workload_multiple(&workload_binomialoptions, "S", v[1], SWEEP, err, err_size) != 0)
        return NULL;
    struct binomialoptions *m = workload_new(&workload_binomialoptions, sizeof *m);
    m->n = (int64_t)v[0];
    m->steps = (int64_t)v[1];
    m->base.w.launches = 1;
    m->base.w.next = binomialoptions_next;
    m->base.w.verify = binomialoptions_verify;
    if (!NEW_ARRAY(m, buffer, v[0] * (v[1] + APART), err, err_size) ||
        !NEW_ARRAY(m, value, v[0], err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    draw_options(m);
    binomialoptions_expect(m);
    return &m->base.w;
}
