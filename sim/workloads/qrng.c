// SPDX-License-Identifier: Apache-2.0
/* qrng: N quasirandom numbers in each of three dimensions, I times; then 3 N values of the inverse
 * of the cumulative normal distribution, I times.
 *
 * The first kernel has 128 blocks of 128 x 3 threads, a row of threads a dimension, which makes a
 * number from 31 bits of its index and a table in constant memory. The second has 128 blocks of 128
 * threads, which take points at equal distances in 0..1, so that few warps have lanes both in the
 * middle, where the value is a quotient of polynomials, and in the tails. Both only store.
 *
 * Thread-level accesses: output: 6 N I stores.
 *
 * The host clears `output` between the kernels, and compares before. What differs from the sample:
 * I, 21 there, and the table, random here. Counts of arithmetic are estimates: three instructions a
 * bit, and QUOTIENT for a division that is rounded exactly.
 */
#include "lane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define DIMENSIONS 3
#define BITS 31
#define BLOCK 128 /* in x */
#define BLOCKS 128
#define THREADS (BLOCK * BLOCKS) /* of the grid in x */
#define QUOTIENT 8               /* instructions besides that of the special-function unit */
#define SEED 0x9a51

enum { INDEX, NUMBER, P, VALUE }; /* registers */

struct qrng {
    struct lane_workload base;
    uint64_t n, repeats;
    uint32_t table[DIMENSIONS][BITS];
    ARRAY(float) output;
    char wrong[100]; /* what is wrong with the output of the first kernel, in one line; or "" */
};

struct qrng_warp {
    struct warp_head head;
    uint32_t inside, central; /* lanes with a point; those in the middle */
    uint64_t pos;             /* of lane 0 */
    float value[WARP_LANES];
};

static float number_to_unit(uint32_t number) {
    return (float)(number + 1) * (1.0f / (float)0x80000001u);
}

/* Bit k of the index says whether entry k takes part. */
static float quasirandom(const uint32_t *table, uint64_t index) {
    uint32_t number = 0;
    for (uint32_t k = 0; k < BITS; k++)
        if (index >> k & 1)
            number ^= table[k];
    return number_to_unit(number);
}

#define DIMENSION thread_y(place, BLOCK, 0)

static void generate_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct qrng *m = ctx;
    struct qrng_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    for (w->pos = place->cta[0] * (uint64_t)BLOCK + thread_x(place, BLOCK, 0); w->pos < m->n;
         w->pos += THREADS) {
        KEEP_LANES(w->pos + l < m->n);
        ALU_RUN(2, R(NUMBER), R(INDEX));
        ALU(3 * BITS, w->value[l] = quasirandom(m->table[DIMENSION], w->pos + l), R(NUMBER),
            R(NUMBER));
        ALU_RUN(3, R(VALUE), R(NUMBER));
        ST(w->value[l], m->output, [DIMENSION * m->n + w->pos + l], R(VALUE) | R(INDEX));
        ALU_RUN(4, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* Sum of c[i] z^i. */
static float polynomial(const float *c, unsigned n, float z) {
    float sum = c[n - 1];
    for (unsigned i = n - 1; i-- > 0;)
        sum = c[i] + z * sum;
    return sum;
}

/* The point x * 2^-32, or if it is in the upper half, its mirror image in the lower. */
static float lower_half(uint32_t x) {
    return (float)(x >> 31 ? ~x : x) * 0x1p-32f + 0x1p-33f;
}

static bool is_central(uint32_t x) {
    return lower_half(x) - 0.5f > -0.42f;
}

/* Moro's approximation. */
static float inverse_normal(uint32_t x) {
    static const float a[] = {2.50662823884f, -18.61500062529f, 41.39119773534f, -25.44106049637f};
    static const float b[] = {1, -8.4735109309f, 23.08336743743f, -21.06224101826f, 3.13082909833f};
    static const float c[] = {0.337475482272615f,    0.976169019091719f,   0.160797971491821f,
                              2.76438810333863e-02f, 3.8405729373609e-03f, 3.951896511919e-04f,
                              3.21767881768e-05f,    2.888167364e-07f,     3.960315187e-07f};
    const float p = lower_half(x), y = p - 0.5f;
    const float value = is_central(x) ? y * polynomial(a, 4, y * y) / polynomial(b, 5, y * y)
                                      : -polynomial(c, 9, logf(-logf(p)));
    return x >> 31 ? -value : value;
}

/* Number i of n points, at equal distances. */
static uint32_t point(uint64_t i, uint64_t n) {
    return (uint32_t)(i + 1) * (UINT32_MAX / (uint32_t)(n + 1));
}

#define POINT point(w->pos + l, n)

static void invert_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct qrng *m = ctx;
    struct qrng_warp *w = state;
    const uint64_t n = DIMENSIONS * m->n;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(20, R(INDEX), 0); /* the distance takes a division of integers */
    for (w->pos = thread_in_grid(place, BLOCK, 0); w->pos < n; w->pos += THREADS) {
        KEEP_LANES(w->pos + l < n);
        w->inside = w->head.on;
        ALU_RUN(7, R(P), R(INDEX));
        FIND_LANES(&w->central, is_central(POINT));
        BRANCH(R(P));
        w->head.on = w->central;
        ALU_RUN(9, R(VALUE), R(P));
        SFU(1, (void)0, R(VALUE), R(VALUE));
        ALU_RUN(QUOTIENT, R(VALUE), R(VALUE));
        w->head.on = w->inside & ~w->central;
        SFU(1, (void)0, R(VALUE), R(P));
        ALU_RUN(1, R(VALUE), R(VALUE));
        SFU(1, (void)0, R(VALUE), R(VALUE));
        ALU_RUN(10, R(VALUE), R(VALUE));
        w->head.on = w->inside;
        ALU(3, w->value[l] = inverse_normal(POINT), R(VALUE), R(VALUE) | R(INDEX));
        ST(w->value[l], m->output, [w->pos + l], R(VALUE) | R(INDEX));
        ALU_RUN(4, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* Plain versions. In the order of the Gray code a number differs from the one before in one entry.
 */
static void generate(const struct qrng *m, float *output) {
    uint64_t codes = 1;
    while (codes < m->n)
        codes *= 2;
    for (uint64_t d = 0; d < DIMENSIONS; d++) {
        uint32_t number = 0;
        for (uint64_t i = 0; i < codes; i++) {
            const uint64_t index = i ^ i >> 1;
            if (index < m->n)
                output[d * m->n + index] = number_to_unit(number);
            number ^= m->table[d][__builtin_ctzll(i + 1)];
        }
    }
}

static void invert(const struct qrng *m, float *output) {
    for (uint64_t i = 0; i < DIMENSIONS * m->n; i++)
        output[i] = inverse_normal(point(i, DIMENSIONS * m->n));
}

static int check_output(const struct qrng *m, void (*plain)(const struct qrng *, float *),
                        char *err, size_t err_size) {
    float *output = alloc_array(DIMENSIONS * m->n, sizeof *output);
    plain(m, output);
    const int rc = verify_floats("output", m->output.v, output, DIMENSIONS * m->n, err, err_size);
    free(output);
    return rc;
}

static bool qrng_next(struct workload *w, struct kernel_launch *launch) {
    struct qrng *m = (struct qrng *)w;
    const unsigned k = m->base.launched;
    if (k == 2 * m->repeats)
        return false;
    m->base.launched++;
    if (k == m->repeats) {
        (void)check_output(m, generate, m->wrong, sizeof m->wrong);
        memset(m->output.v, 0, m->output.dev->bytes);
    }
    const bool first = k < m->repeats;
    *launch = (struct kernel_launch){
        .name = first ? "qrng generate" : "qrng invert",
        .grid = {BLOCKS, 1, 1},
        .block = {BLOCK, first ? DIMENSIONS : 1, 1},
        .warp_state_size = sizeof(struct qrng_warp),
        .step = first ? generate_step : invert_step,
        .ctx = m,
    };
    return true;
}

static int qrng_verify(struct workload *w, char *err, size_t err_size) {
    struct qrng *m = (struct qrng *)w;
    if (m->wrong[0]) {
        snprintf(err, err_size, "%s", m->wrong);
        return -1;
    }
    const int rc = check_output(m, invert, err, err_size);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

/* Entry k has any k bits, and a 1 below them. */
static void draw_table(struct qrng *m) {
    struct rng r = {SEED};
    for (unsigned d = 0; d < DIMENSIONS; d++)
        for (uint32_t k = 0; k < BITS; k++)
            m->table[d][k] = (2 * (uint32_t)rng_below(&r, UINT64_C(1) << k) + 1) << (BITS - 1 - k);
}

static struct workload *qrng_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_qrng = {
    .name = "qrng",
    .suite = "CUDA SDK (quasirandomGenerator)",
    .doc = "quasirandom numbers and normal quantiles: coalesced stores after arithmetic, no loads",
    .size_doc = "N[,I]: numbers of each of three dimensions, launches of either kernel",
    .default_size = "1048576,1",
    .repeatable = true,
    .create = qrng_create,
};

static struct workload *qrng_create(const char *size, char *err, size_t err_size) {
    /* The kernel multiplies N as a number of 24 bits. */
    static const struct size_value desc[] = {{"N", 1, (1u << 24) - 1}, {"I", 1, 1000}};
    uint64_t v[2];
    if (workload_size(&workload_qrng, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct qrng *m = workload_new(&workload_qrng, sizeof *m);
    m->n = v[0];
    m->repeats = v[1];
    m->base.w.launches = 2 * m->repeats;
    m->base.w.next = qrng_next;
    m->base.w.verify = qrng_verify;
    if (!NEW_ARRAY(m, output, DIMENSIONS * m->n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    draw_table(m);
    expect_accesses(m->output.dev, 0, 2 * DIMENSIONS * m->n * m->repeats);
    return &m->base.w;
}
