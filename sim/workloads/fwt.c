// SPDX-License-Identifier: Apache-2.0
/* fwt: dyadic convolution of N = 2^E data with a kernel of 2^K elements by fast Walsh transforms.
 *
 * Data and kernel are transformed, multiplied element by element, and the product is transformed
 * again. A transform makes P = ceil((E - 11) / 2) passes (none up to E = 11) over the whole array,
 * four elements a thread, N/4 apart at first and a quarter of that in each next one; then blocks
 * transform the runs of 1024 or 2048 elements that are left in shared memory, in steps of four and,
 * if E is odd, a last one of two.
 *
 * Thread-level accesses: data: 2 N (P + 1) + N loads, as many stores. kernel: N (P + 1) + N loads,
 * N (P + 1) stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define SHARED_LOG2 11 /* of the longest run in shared memory */
#define MULTIPLY_BLOCKS 128
#define SEED 0xf37

enum { INDEX, VALUE }; /* registers; four of VALUE */

typedef ARRAY(float) float_array;

struct fwt {
    struct lane_workload base;
    uint64_t log2_n, log2_kernel, n;
    unsigned passes; /* P */
    float_array data, kernel;
    /* Of this launch. */
    float_array x;
    uint64_t stride;
};

/* __shared__ array of a block. */
struct fwt_block {
    float v[1u << SHARED_LOG2];
};

struct fwt_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t i, stride;
    float v[4][WARP_LANES];
};

/* Four elements at once: pairs two apart, then neighbours. */
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

/* The first of the four elements, `stride` apart, of that thread. */
static uint64_t first_of_four(uint64_t thread, uint64_t stride) {
    const uint64_t low = thread & (stride - 1);
    return 4 * (thread - low) + low;
}

#define FOUR (R(VALUE) | R(VALUE + 1) | R(VALUE + 2) | R(VALUE + 3))

/* A pass over the whole array. */
static void pass_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct fwt *m = ctx;
    struct fwt_warp *w = state;
    const uint64_t thread = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
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
#define RUN (4 * m->stride)                                  /* elements of a block */
#define OWN(k) ((k)*m->stride + T)                           /* loaded by the thread */
#define LEG(k) (first_of_four(T, w->stride) + (k)*w->stride) /* of a step of four */
#define PAIR(k) (2 * ((w->i) * m->stride + T) + (k))         /* of a step of two */

/* A block transforms its run of 4 `stride` elements in shared memory. */
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

/* data *= kernel / N, the threads of the grid going over all elements. */
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

/* Pass `pass` of a transform of x; the last one is that in shared memory. */
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

/* Plain version of a transform: in steps of two. */
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

static int fwt_verify(struct workload *w, char *err, size_t err_size) {
    struct fwt *m = (struct fwt *)w;
    float *data = alloc_array(m->n, sizeof *data), *kernel = alloc_zeroed(m->n, sizeof *kernel);
    fwt_inputs(m, data, kernel);
    walsh(data, m->n);
    walsh(kernel, m->n);
    for (uint64_t i = 0; i < m->n; i++)
        data[i] *= kernel[i] / (float)m->n;
    walsh(data, m->n);
    int rc = verify_floats("data", m->data.v, data, m->n, err, err_size);
    if (rc == 0)
        rc = verify_floats("kernel", m->kernel.v, kernel, m->n, err, err_size);
    free(data);
    free(kernel);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *fwt_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_fwt = {
    .name = "fwt",
    .suite = "CUDA SDK (fastWalshTransform)",
    .doc = "Walsh transforms: passes of large strides, coalesced, then runs in shared memory",
    .size_doc =
        "E[,K]: logarithms to base 2 of the elements and of those of the kernel (at most E)",
    .default_size = "20,7",
    .create = fwt_create,
};

static struct workload *fwt_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"E", 2, 26}, {"K", 0, 26}};
    uint64_t v[2];
    if (workload_size(&workload_fwt, desc, 2, size, v, err, err_size) != 0 ||
        workload_at_most(&workload_fwt, "K", v[1], "E", v[0], err, err_size) != 0)
        return NULL;
    struct fwt *m = workload_new(&workload_fwt, sizeof *m);
    m->log2_n = v[0];
    m->log2_kernel = v[1];
    m->n = UINT64_C(1) << v[0];
    m->passes = v[0] > SHARED_LOG2 ? (unsigned)ceil_div(v[0] - SHARED_LOG2, 2) : 0;
    m->base.w.launches = 3 * (m->passes + 1) + 1;
    m->base.w.next = fwt_next;
    m->base.w.verify = fwt_verify;
    if (!NEW_ARRAY(m, data, m->n, err, err_size) || !NEW_ARRAY(m, kernel, m->n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    fwt_inputs(m, m->data.v, m->kernel.v);
    const uint64_t transform = m->n * (m->passes + 1);
    expect_accesses(m->data.dev, 2 * transform + m->n, 2 * transform + m->n);
    expect_accesses(m->kernel.dev, transform + m->n, transform);
    return &m->base.w;
}
