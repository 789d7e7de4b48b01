// SPDX-License-Identifier: Apache-2.0
/* sobolqrng (CUDA SDK SobolQRNG): computes N vectors of a Sobol sequence in D dimensions.
 *
 * The grid has B x D CTAs of 64 threads, i.e. B for each dimension. A CTA loads the 32 direction
 * numbers of its dimension into shared memory. A thread computes its first number from the bits of
 * its index, and each further one from the previous one, 64 * B vectors before it. The numbers of a
 * dimension are adjacent. B is 4 M for M multiprocessors, or 1 if D is at least 4 M. It is at most
 * the number of CTAs that have vectors, and is rounded up to a power of two.
 *
 * Thread-level accesses: directions: 32 B D loads. output: N D stores.
 *
 * Differences from the sample: D (100 in the sample) and the direction numbers. They are random
 * here, with their lowest bit set as required; the sample derives them from primitive
 * polynomials.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 64
#define DIRECTIONS 32
#define BLOCKS_PER_SM 4
#define SCALE 0x1p-32f
#define SEED 0x50b01

enum { INDEX, DIRECTION, GRAY, NUMBER, STEP, RESULT }; /* registers */

struct sobolqrng {
    struct lane_workload base;
    uint64_t n, dimensions, blocks; /* `blocks` is the number of CTAs per dimension */
    ARRAY(uint32_t) directions;     /* [dimensions][DIRECTIONS] */
    ARRAY(float) output;            /* [dimensions][n] */
};

/* __shared__ array of a CTA. */
struct sobolqrng_block {
    uint32_t v[DIRECTIONS];
};

struct sobolqrng_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t i;    /* index of lane 0's vector */
    uint32_t step; /* index of the direction number that takes part in every step */
    uint32_t number[WARP_LANES], direction[WARP_LANES];
};

static uint32_t gray(uint64_t i) {
    return (uint32_t)(i ^ i >> 1);
}

/* Returns the index of the direction number that, together with `step`, changes a vector into the
 * one `stride` after it. `stride` is a power of two. */
static uint32_t changing(uint64_t before, uint64_t stride) {
    return (uint32_t)__builtin_ctzll(~(before | (stride - 1)));
}

static float to_unit(uint32_t number) {
    return (float)number * SCALE;
}

#define OUTPUT [place->cta[1] * m->n + w->i + l]

static void sobolqrng_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct sobolqrng *m = ctx;
    struct sobolqrng_block *s = cta;
    struct sobolqrng_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0), stride = m->blocks * BLOCK;
    const uint32_t log2_stride = (uint32_t)__builtin_ctzll(stride);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    if (place->warp == 0) {
        LD(w->direction[l], m->directions, [place->cta[1] * (uint64_t)DIRECTIONS + l], R(DIRECTION),
           R(INDEX));
        SHARED(1, s->v[l] = w->direction[l], 0, R(DIRECTION) | R(INDEX));
    }
    BAR();
    w->i = first;
    ALU(6, w->number[l] = 0, R(GRAY) | R(NUMBER), R(INDEX));
    for (w->k = 0; w->k < log2_stride; w->k++) {
        SHARED(1, w->direction[l] = s->v[w->k], R(DIRECTION), R(INDEX));
        ALU(4, w->number[l] ^= gray(first + l) >> w->k & 1 ? w->direction[l] : 0,
            R(GRAY) | R(NUMBER), R(GRAY) | R(NUMBER) | R(DIRECTION));
        BRANCH(R(INDEX));
    }
    KEEP_LANES(w->i + l < m->n);
    ALU_RUN(3, R(RESULT), R(NUMBER));
    ST(to_unit(w->number[l]), m->output, OUTPUT, R(RESULT) | R(INDEX));
    w->head.on = UINT32_MAX;
    SHARED(1, w->step = s->v[log2_stride - 1], R(STEP), R(INDEX));
    ALU_RUN(3, R(INDEX), R(INDEX));
    for (w->i = first + stride; w->i < m->n; w->i += stride) {
        KEEP_LANES(w->i + l < m->n);
        ALU_RUN(6, R(DIRECTION), R(INDEX));
        SHARED(1, w->direction[l] = s->v[changing(w->i - stride, stride)], R(DIRECTION),
               R(DIRECTION));
        ALU(2, w->number[l] ^= w->step ^ w->direction[l], R(NUMBER),
            R(NUMBER) | R(STEP) | R(DIRECTION));
        ALU_RUN(2, R(RESULT), R(NUMBER));
        ST(to_unit(w->number[l]), m->output, OUTPUT, R(RESULT) | R(INDEX));
        ALU_RUN(4, R(INDEX), R(INDEX));
    }
    WARP_END();
}

static bool sobolqrng_next(struct workload *w, struct kernel_launch *launch) {
    struct sobolqrng *m = (struct sobolqrng *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "sobolqrng",
        .grid = {(uint32_t)m->blocks, (uint32_t)m->dimensions, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = sizeof(struct sobolqrng_block),
        .warp_state_size = sizeof(struct sobolqrng_warp),
        .cta_state_size = sizeof(struct sobolqrng_block),
        .step = sobolqrng_step,
        .ctx = m,
    };
    return true;
}

/* Compares the numbers with a reference version, which computes each number from the previous
 * one. */
static int sobolqrng_verify(struct workload *w, struct error *err) {
    struct sobolqrng *m = (struct sobolqrng *)w;
    const uint64_t numbers = m->n * m->dimensions;
    float *output = alloc_array(numbers, sizeof *output);
    for (uint64_t d = 0; d < m->dimensions; d++) {
        uint32_t number = 0;
        for (uint64_t i = 0; i < m->n; i++) {
            output[d * m->n + i] = to_unit(number);
            number ^= m->directions.v[d * DIRECTIONS + changing(i, 1)];
        }
    }
    int rc = verify_floats("output", m->output.v, output, numbers, err);
    free(output);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Generates the direction numbers. Number k of a dimension has k random bits, and a 1 below
 * them. */
static void draw_directions(struct sobolqrng *m) {
    struct rng r = {SEED};
    for (uint64_t d = 0; d < m->dimensions; d++)
        for (uint32_t k = 0; k < DIRECTIONS; k++)
            m->directions.v[d * DIRECTIONS + k] =
                (2 * (uint32_t)rng_below(&r, UINT64_C(1) << k) + 1) << (DIRECTIONS - 1 - k);
}

static uint64_t blocks_of_a_dimension(uint64_t n, uint64_t dimensions, uint64_t sms) {
    const uint64_t most = dimensions < BLOCKS_PER_SM * sms ? BLOCKS_PER_SM * sms : 1;
    const uint64_t wanted = most > n / BLOCK ? ceil_div(n, BLOCK) : most;
    uint64_t blocks = 1;
    while (blocks < wanted)
        blocks *= 2;
    return blocks;
}

static bool sobolqrng_create(struct workload *w, const uint64_t *v) {
    struct sobolqrng *m = (struct sobolqrng *)w;
    m->n = v[0];
    m->dimensions = v[1];
    m->blocks = blocks_of_a_dimension(v[0], v[1], v[2]);
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, directions, m->dimensions * DIRECTIONS) ||
        !NEW_ARRAY(m, output, m->n * m->dimensions))
        return false;
    draw_directions(m);
    expect_accesses(m->directions.dev, m->blocks * m->dimensions * DIRECTIONS, 0);
    expect_accesses(m->output.dev, 0, m->n * m->dimensions);
    return true;
}

const struct workload_type workload_sobolqrng = {
    .name = "sobolqrng",
    .suite = "CUDA SDK (SobolQRNG)",
    .doc = "Sobol numbers: coalesced stores in a run per dimension, few loads",
    .size_doc = "N[,D[,M]]: vectors, dimensions, multiprocessors for which the grid is sized",
    .default_size = "100000,50,28",
    .repeatable = true,
    .size = {{"N", 1, 1u << 28}, {"D", 1, 65535}, {"M", 1, 1024}},
    .state_size = sizeof(struct sobolqrng),
    .next = sobolqrng_next,
    .verify = sobolqrng_verify,
    .create = sobolqrng_create,
};
