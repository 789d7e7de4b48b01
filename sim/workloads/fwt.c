// SPDX-License-Identifier: Apache-2.0
/* fwt (CUDA SDK fastWalshTransform): dyadic convolution of N = 2^E elements with a kernel of 2^K
 * elements by fast Walsh transforms.
 *
 * Data and kernel are transformed and multiplied element by element, and the product is transformed
 * again. A transform makes P = ceil((E - 11) / 2) passes (none up to E = 11) over the whole array
 * with four elements per thread, N/4 apart in the first pass and a quarter of the previous distance
 * in each later pass. Then CTAs transform runs of 1024 or 2048 elements in shared memory, in steps
 * over four elements and, if E is odd, a last step over two.
 *
 * Thread-level accesses: data: 2 N (P + 1) + N loads, 2 N (P + 1) + N stores. kernel: N (P + 1) + N
 * loads, N (P + 1) stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define SHARED_LOG2 11 /* log2 of the longest run in shared memory */
#define MULTIPLY_BLOCKS 128
#define SEED 0xf37

enum { INDEX, VALUE }; /* registers; four of them start at VALUE */

typedef ARRAY(float) float_array;

struct fwt {
    struct lane_workload base;
    uint64_t log2_n, log2_kernel, n;
    unsigned passes; /* P in the formulae in the file's header */
    float_array data, kernel;
    /* State of the current launch. */
    float_array x;
    uint64_t stride;
};

/* __shared__ array of a CTA. */
struct fwt_block {
    float v[1u << SHARED_LOG2];
};

struct fwt_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t i, stride;
    float v[4][WARP_LANES];
};

/* Transforms four elements: first pairs at distance two, then adjacent pairs. */
static void butterfly4(struct fwt_warp *w, uint32_t l) {
    const float a = w->v[0][l] + w->v[2][l], b = w->v[1][l] + w->v[3][l];
    const float c = w->v[0][l] - w->v[2][l], d = w->v[1][l] - w->v[3][l];
    w->v[0][l] = a + b;
    w->v[1][l] = a - b;
    w->v[2][l] = c + d;
    w->v[3][l] = c - d;
}

static void butterfly2(struct fwt_warp *w, uint32_t l) {
    const float a = w->v[0][l], b = w->v[1][l];
    w->v[0][l] = a + b;
    w->v[1][l] = a - b;
}

/* Returns the first of the thread's four elements, which are `stride` apart. */
static uint64_t first_of_four(uint64_t thread, uint64_t stride) {
    const uint64_t low = thread & (stride - 1);
    return 4 * (thread - low) + low;
}

#define FOUR (R(VALUE) | R(VALUE + 1) | R(VALUE + 2) | R(VALUE + 3))

/* Runs the kernel of a pass over the whole array. */
static void pass_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct fwt *m = ctx;
    struct fwt_warp *w = state;
    const uint64_t thread = thread_in_grid(place, BLOCK, 0); /* index of lane 0's thread */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(14, R(INDEX), 0);
    for (w->k = 0; w->k < 4; w->k++)
        LD(w->v[w->k][l], m->x, [first_of_four(thread + l, m->stride) + w->k * m->stride],
           R(VALUE + w->k), R(INDEX));
    ALU(8, butterfly4(w, l), FOUR, FOUR);
    for (w->k = 0; w->k < 4; w->k++)
        ST(w->v[w->k][l], m->x, [first_of_four(thread + l, m->stride) + w->k * m->stride],
           R(VALUE + w->k) | R(INDEX));
    WARP_END();
}

#define T thread_in_block(place, l)
#define RUN (4 * m->stride)        /* number of elements per CTA */
#define OWN(k) ((k)*m->stride + T) /* k-th element that the thread loads */
#define LEG(k) (first_of_four(T, w->stride) + (k)*w->stride) /* k-th of the thread's four */
#define PAIR(k) (2 * ((w->i) * m->stride + T) + (k))         /* k-th of the thread's two */

/* Transforms the CTA's run of 4 `stride` elements in shared memory. */
static void run_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct fwt *m = ctx;
    struct fwt_block *s = cta;
    struct fwt_warp *w = state;
    const uint64_t base = place->cta[0] * RUN;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->k = 0; w->k < 4; w->k++) {
        LD(w->v[w->k][l], m->x, [base + OWN(w->k)], R(VALUE + w->k), R(INDEX));
        SHARED_AT(s->v[OWN(w->k)] = w->v[w->k][l], OWN(w->k), 0, R(VALUE + w->k) | R(INDEX));
    }
    for (w->stride = m->stride; w->stride > 0; w->stride /= 4) {
        ALU_RUN(6, R(INDEX), R(INDEX));
        BAR();
        for (w->k = 0; w->k < 4; w->k++)
            SHARED_AT(w->v[w->k][l] = s->v[LEG(w->k)], LEG(w->k), R(VALUE + w->k), R(INDEX));
        ALU(8, butterfly4(w, l), FOUR, FOUR);
        for (w->k = 0; w->k < 4; w->k++)
            SHARED_AT(s->v[LEG(w->k)] = w->v[w->k][l], LEG(w->k), 0, R(VALUE + w->k) | R(INDEX));
    }
    if (m->log2_n % 2 == 1) {
        BAR();
        for (w->i = 0; w->i < 2; w->i++) {
            for (w->k = 0; w->k < 2; w->k++)
                SHARED_AT(w->v[w->k][l] = s->v[PAIR(w->k)], PAIR(w->k), R(VALUE + w->k), R(INDEX));
            ALU(2, butterfly2(w, l), R(VALUE) | R(VALUE + 1), R(VALUE) | R(VALUE + 1));
            for (w->k = 0; w->k < 2; w->k++)
                SHARED_AT(s->v[PAIR(w->k)] = w->v[w->k][l], PAIR(w->k), 0, R(VALUE + w->k));
        }
    }
    BAR();
    for (w->k = 0; w->k < 4; w->k++) {
        SHARED_AT(w->v[w->k][l] = s->v[OWN(w->k)], OWN(w->k), R(VALUE + w->k), R(INDEX));
        ST(w->v[w->k][l], m->x, [base + OWN(w->k)], R(VALUE + w->k) | R(INDEX));
    }
    WARP_END();
}

/* Computes data *= kernel / N. The threads of the grid share the elements. */
static void multiply_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct fwt *m = ctx;
    struct fwt_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->i = thread_in_grid(place, BLOCK, 0);; w->i += MULTIPLY_BLOCKS * BLOCK) {
        RETURN_UNLESS(w->i + l < m->n);
        LD(w->v[0][l], m->data, [w->i + l], R(VALUE), R(INDEX));
        LD(w->v[1][l], m->kernel, [w->i + l], R(VALUE + 1), R(INDEX));
        ALU(2, w->v[0][l] *= w->v[1][l] / (float)m->n, R(VALUE), R(VALUE) | R(VALUE + 1));
        ST(w->v[0][l], m->data, [w->i + l], R(VALUE) | R(INDEX));
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* Prepares pass `pass` of a transform of x; the last pass is the one in shared memory. */
static struct kernel_launch transform_launch(struct fwt *m, const float_array *x, unsigned pass) {
    const bool shared = pass == m->passes;
    m->x = *x;
    m->stride = (m->n >> 2 * pass) / 4;
    const uint32_t block = shared ? (uint32_t)m->stride : BLOCK;
    return (struct kernel_launch){
        .name = shared ? "fwt shared" : "fwt pass",
        .grid = {(uint32_t)(m->n / 4 / block), 1, 1},
        .block = {block, 1, 1},
        .shared_bytes = shared ? (uint32_t)(RUN * sizeof(float)) : 0,
        .warp_state_size = sizeof(struct fwt_warp),
        .cta_state_size = shared ? sizeof(struct fwt_block) : 0,
        .step = shared ? run_step : pass_step,
        .ctx = m,
    };
}

static bool fwt_next(struct workload *w, struct kernel_launch *launch) {
    struct fwt *m = (struct fwt *)w;
    const unsigned each = m->passes + 1, k = m->base.launched;
    if (k == 3 * each + 1)
        return false;
    m->base.launched++;
    if (k < 2 * each) {
        *launch = transform_launch(m, k < each ? &m->data : &m->kernel, k % each);
    } else if (k > 2 * each) {
        *launch = transform_launch(m, &m->data, k - 2 * each - 1);
    } else {
        *launch = (struct kernel_launch){
            .name = "fwt multiply",
            .grid = {MULTIPLY_BLOCKS, 1, 1},
            .block = {BLOCK, 1, 1},
            .warp_state_size = sizeof(struct fwt_warp),
            .step = multiply_step,
            .ctx = m,
        };
    }
    return true;
}

static void fwt_inputs(const struct fwt *m, float *data, float *kernel) {
    struct rng r = {SEED};
    rng_fill(&r, data, m->n, 0, 1);
    rng_fill(&r, kernel, UINT64_C(1) << m->log2_kernel, 0, 1);
}

/* Transforms n elements in steps over two elements, for the reference version. */
static void walsh(float *v, uint64_t n) {
    for (uint64_t stride = n / 2; stride > 0; stride /= 2) {
        for (uint64_t i = 0; i < n; i++) {
            if (i & stride)
                continue;
            const float a = v[i], b = v[i + stride];
            v[i] = a + b;
            v[i + stride] = a - b;
        }
    }
}

static int fwt_verify(struct workload *w, struct error *err) {
    struct fwt *m = (struct fwt *)w;
    float *data = alloc_array(m->n, sizeof *data), *kernel = alloc_zeroed(m->n, sizeof *kernel);
    fwt_inputs(m, data, kernel);
    walsh(data, m->n);
    walsh(kernel, m->n);
    for (uint64_t i = 0; i < m->n; i++)
        data[i] *= kernel[i] / (float)m->n;
    walsh(data, m->n);
    int rc = verify_floats("data", m->data.v, data, m->n, err);
    if (rc == 0)
        rc = verify_floats("kernel", m->kernel.v, kernel, m->n, err);
    free(data);
    free(kernel);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool fwt_create(struct workload *w, const uint64_t *v) {
    struct fwt *m = (struct fwt *)w;
    if (!workload_at_most(w, "K", v[1], "E", v[0]))
        return false;
    m->log2_n = v[0];
    m->log2_kernel = v[1];
    m->n = UINT64_C(1) << v[0];
    m->passes = v[0] > SHARED_LOG2 ? (unsigned)ceil_div(v[0] - SHARED_LOG2, 2) : 0;
    m->base.w.launches = 3 * (m->passes + 1) + 1;
    if (!NEW_ARRAY(m, data, m->n) || !NEW_ARRAY(m, kernel, m->n))
        return false;
    fwt_inputs(m, m->data.v, m->kernel.v);
    const uint64_t transform = m->n * (m->passes + 1);
    expect_accesses(m->data.dev, 2 * transform + m->n, 2 * transform + m->n);
    expect_accesses(m->kernel.dev, transform + m->n, transform);
    return true;
}

const struct workload_type workload_fwt = {
    .name = "fwt",
    .suite = "CUDA SDK (fastWalshTransform)",
    .doc = "Walsh transforms: coalesced passes with large strides, then runs in shared memory",
    .size_doc = "E[,K]: log2 of the number of elements and of the kernel size (at most E)",
    .default_size = "20,7",
    .size = {{"E", 2, 26}, {"K", 0, 26}},
    .state_size = sizeof(struct fwt),
    .next = fwt_next,
    .verify = fwt_verify,
    .create = fwt_create,
};
