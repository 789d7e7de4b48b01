// SPDX-License-Identifier: Apache-2.0
/* qrng (CUDA SDK quasirandomGenerator): computes N quasirandom numbers in each of three dimensions,
 * I times; then 3 N values of the inverse of the cumulative normal distribution, I times.
 *
 * The first kernel has 128 CTAs of 128 x 3 threads, with one row of threads per dimension. A thread
 * computes each number from 31 bits of the number's index and a table in constant memory. The
 * second has 128 CTAs of 128 threads. Its points are equidistant in 0..1, so few warps have lanes
 * both in the middle, where the value is a quotient of polynomials, and in the tails. Both kernels
 * only store.
 *
 * Thread-level accesses: output: 6 N I stores.
 *
 * The host compares `output` after the first kernel and clears it before the second. Differences
 * from the sample: I (21 in the sample) and the table, which is random here. Arithmetic counts are
 * estimates: three instructions per bit, and QUOTIENT for a correctly rounded division.
 */
#include "lane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define DIMENSIONS 3
#define BITS 31
#define BLOCK 128 /* threads per CTA in x */
#define BLOCKS 128
#define THREADS (BLOCK * BLOCKS) /* threads of the grid in x */
#define QUOTIENT 8 /* number of ALU instructions per division, in addition to one for the SFU */
#define SEED 0x9a51

enum { INDEX, NUMBER, P, VALUE }; /* registers */

struct qrng {
    struct lane_workload base;
    uint64_t n, repeats;
    uint32_t table[DIMENSIONS][BITS];
    ARRAY(float) output;
    struct error wrong; /* message about wrong output of the first kernel, or "" */
};

struct qrng_warp {
    struct warp_head head;
    uint32_t inside, /* lanes with a point */
        central;     /* lanes with a point in the middle */
    uint64_t pos;    /* index of lane 0's number or point */
    float value[WARP_LANES];
};

static float number_to_unit(uint32_t number) {
    return (float)(number + 1) * (1.0f / (float)0x80000001u);
}

/* Returns number `index` of the sequence. Bit k of the index selects entry k of the table. */
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

/* Returns the sum of c[i] z^i. */
static float polynomial(const float *c, unsigned n, float z) {
    float sum = c[n - 1];
    for (unsigned i = n - 1; i-- > 0;)
        sum = c[i] + z * sum;
    return sum;
}

/* Returns (x + 0.5) * 2^-32, mirrored into the lower half of 0..1. */
static float lower_half(uint32_t x) {
    return (float)(x >> 31 ? ~x : x) * 0x1p-32f + 0x1p-33f;
}

static bool is_central(uint32_t x) {
    return lower_half(x) - 0.5f > -0.42f;
}

/* Returns Moro's approximation of the inverse normal distribution at x * 2^-32. */
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

/* Returns point i of n equidistant points. */
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
    ALU_RUN(20, R(INDEX), 0); /* the distance between the points requires an integer division */
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

/* Compute the output of the two kernels for the reference version. In the order of the Gray code,
 * consecutive numbers differ in one entry. */
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
                        struct error *err) {
    float *output = alloc_array(DIMENSIONS * m->n, sizeof *output);
    plain(m, output);
    const int rc = verify_floats("output", m->output.v, output, DIMENSIONS * m->n, err);
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
        (void)check_output(m, generate, &m->wrong);
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

static int qrng_verify(struct workload *w, struct error *err) {
    struct qrng *m = (struct qrng *)w;
    if (m->wrong.text[0])
        return error_set(err, "%s", m->wrong.text);
    const int rc = check_output(m, invert, err);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Generates the table. Entry k has k random bits, and a 1 below them. */
static void draw_table(struct qrng *m) {
    struct rng r = {SEED};
    for (unsigned d = 0; d < DIMENSIONS; d++)
        for (uint32_t k = 0; k < BITS; k++)
            m->table[d][k] = (2 * (uint32_t)rng_below(&r, UINT64_C(1) << k) + 1) << (BITS - 1 - k);
}

static bool qrng_create(struct workload *w, const uint64_t *v) {
    struct qrng *m = (struct qrng *)w;
    m->n = v[0];
    m->repeats = v[1];
    m->base.w.launches = 2 * m->repeats;
    if (!NEW_ARRAY(m, output, DIMENSIONS * m->n))
        return false;
    draw_table(m);
    expect_accesses(m->output.dev, 0, 2 * DIMENSIONS * m->n * m->repeats);
    return true;
}

const struct workload_type workload_qrng = {
    .name = "qrng",
    .suite = "CUDA SDK (quasirandomGenerator)",
    .doc = "quasirandom numbers and normal quantiles: coalesced stores after arithmetic, no loads",
    .size_doc = "N[,I]: numbers in each of three dimensions, launches of each kernel",
    .default_size = "1048576,1",
    .repeatable = true,
    .size = {{"N", 1, (1u << 24) - 1},
             {"I", 1, 1000}}, /* the kernel multiplies N as a 24-bit number */
    .state_size = sizeof(struct qrng),
    .next = qrng_next,
    .verify = qrng_verify,
    .create = qrng_create,
};
