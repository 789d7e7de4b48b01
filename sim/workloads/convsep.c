// SPDX-License-Identifier: Apache-2.0
/* convsep (CUDA SDK convolutionSeparable): convolves an image of W x H pixels with 17 taps along
 * its rows, then along its columns.
 *
 * A thread computes eight pixels, one step apart. A step is 16 pixels along a row, with CTAs of 16
 * x 4 threads, or 8 pixels along a column, with CTAs of 16 x 8. A CTA loads its pixels and the
 * halo, one step before and after them, into shared memory; the halo outside the image is 0 and is
 * not loaded. Rows of the row kernel's tile are 160 words apart, so both half-warps use the same 16
 * of 32 banks. Rows of the column kernel's tile, each of which holds a column, are 81 words apart,
 * which causes a conflict in one bank.
 *
 * Thread-level accesses: input: W H loads, and for the halo 32 H (W / 128 - 1). buffer: W H stores,
 * W H loads, and for the halo 16 W (H / 64 - 1). output: W H stores.
 *
 * Difference from the original: the original repeats both kernels 17 times, with the same result.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define RESULTS 8           /* pixels per thread, at its steps 1 to 8 */
#define STEPS (RESULTS + 2) /* number of steps, including the halo at steps 0 and 9 */
#define SIDE 16             /* threads per CTA in x, in both kernels */
#define ROW_BLOCK_Y 4
#define COLUMN_BLOCK_Y 8
#define ROW_PITCH (STEPS * SIDE) /* in words */
#define COLUMN_PITCH (STEPS * COLUMN_BLOCK_Y + 1)
#define SEED 0xc5e

enum { INDEX, SUM, VALUE }; /* registers; TAPS of them start at VALUE */

typedef ARRAY(float) float_array;

struct convsep {
    struct lane_workload base;
    uint64_t width, height;
    float taps[TAPS]; /* constant memory */
    float_array input, buffer, output;
    /* State of the current launch. */
    bool rows;
    uint32_t step;   /* distance in pixels between two results of a thread */
    uint64_t stride, /* distance in elements between pixels of a row or column */
        length;      /* number of pixels in a row or column */
    float_array src, dst;
};

/* __shared__ arrays of a CTA. */
struct row_block {
    float v[ROW_BLOCK_Y * ROW_PITCH];
};
struct column_block {
    float v[SIDE * COLUMN_PITCH];
};

struct convsep_warp {
    struct warp_head head;
    uint32_t i, tap;
    float value[TAPS][WARP_LANES], sum[WARP_LANES];
};

/* Returns the position of the thread's step 0 along its row or column. In the first CTA, it is from
 * -step to -1. */
static int64_t along(const struct convsep *m, const struct warp_place *place, uint32_t lane) {
    const int64_t tile = place->cta[m->rows ? 0 : 1];
    const int64_t thread = m->rows ? thread_x(place, SIDE, lane) : thread_y(place, SIDE, lane);
    return (tile * RESULTS - 1) * m->step + thread;
}

static uint64_t pixel(const struct convsep *m, const struct warp_place *place, uint32_t lane,
                      uint32_t i) {
    const uint64_t x = (uint64_t)place->cta[0] * SIDE + thread_x(place, SIDE, lane);
    const uint64_t y = (uint64_t)place->cta[1] * ROW_BLOCK_Y + thread_y(place, SIDE, lane);
    const uint64_t first = m->rows ? y * m->width : x;
    return first + (uint64_t)(along(m, place, lane) + (int64_t)i * m->step) * m->stride;
}

static bool inside(const struct convsep *m, const struct warp_place *place, uint32_t lane,
                   uint32_t i) {
    const int64_t at = along(m, place, lane) + (int64_t)i * m->step;
    return at >= 0 && at < (int64_t)m->length;
}

static uint32_t word(const struct convsep *m, const struct warp_place *place, uint32_t lane,
                     uint32_t i) {
    const uint32_t x = thread_x(place, SIDE, lane), y = thread_y(place, SIDE, lane);
    return (m->rows ? y * ROW_PITCH + x : x * COLUMN_PITCH + y) + i * m->step;
}

#define PIXEL [pixel(m, place, l, w->i)]
#define WORD word(m, place, l, w->i)

static void convsep_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct convsep *m = ctx;
    float *tile = cta;
    struct convsep_warp *w = state;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    for (w->i = 1; w->i <= RESULTS; w->i++)
        LD(w->value[w->i][l], m->src, PIXEL, R(VALUE + w->i), R(INDEX));
    for (w->i = 1; w->i <= RESULTS; w->i++)
        SHARED_AT(tile[WORD] = w->value[w->i][l], WORD, 0, R(VALUE + w->i) | R(INDEX));
    for (w->i = 0; w->i < STEPS; w->i += STEPS - 1) {
        ALU(2, w->value[0][l] = 0, R(VALUE), R(INDEX));
        KEEP_LANES(inside(m, place, l, w->i));
        LD(w->value[0][l], m->src, PIXEL, R(VALUE), R(INDEX));
        EVERY_LANE();
        SHARED_AT(tile[WORD] = w->value[0][l], WORD, 0, R(VALUE) | R(INDEX));
    }
    BAR();
    for (w->i = 1; w->i <= RESULTS; w->i++) {
        ALU(1, w->sum[l] = 0, R(SUM), 0);
        for (w->tap = 0; w->tap < TAPS; w->tap++)
            SHARED_AT(w->value[w->tap][l] = tile[WORD + w->tap - RADIUS], WORD + w->tap - RADIUS,
                      R(VALUE + w->tap), R(INDEX));
        for (w->tap = 0; w->tap < TAPS; w->tap++)
            ALU(1, w->sum[l] += m->taps[TAPS - 1 - w->tap] * w->value[w->tap][l], R(SUM),
                R(SUM) | R(VALUE + w->tap));
        ST(w->sum[l], m->dst, PIXEL, R(SUM) | R(INDEX));
    }
    WARP_END();
}

static bool convsep_next(struct workload *w, struct kernel_launch *launch) {
    struct convsep *m = (struct convsep *)w;
    if (m->base.launched == 2)
        return false;
    const bool rows = m->rows = m->base.launched++ == 0;
    const uint32_t across = rows ? ROW_BLOCK_Y : SIDE;
    m->step = rows ? SIDE : COLUMN_BLOCK_Y;
    m->stride = rows ? 1 : m->width;
    m->length = rows ? m->width : m->height;
    m->src = rows ? m->input : m->buffer;
    m->dst = rows ? m->buffer : m->output;
    const uint32_t tiles = (uint32_t)(m->length / (RESULTS * m->step));
    const uint32_t lines = (uint32_t)((rows ? m->height : m->width) / across);
    *launch = (struct kernel_launch){
        .name = rows ? "convsep rows" : "convsep columns",
        .grid = {rows ? tiles : lines, rows ? lines : tiles, 1},
        .block = {SIDE, rows ? ROW_BLOCK_Y : COLUMN_BLOCK_Y, 1},
        .shared_bytes = rows ? sizeof(struct row_block) : sizeof(struct column_block),
        .warp_state_size = sizeof(struct convsep_warp),
        .cta_state_size = rows ? sizeof(struct row_block) : sizeof(struct column_block),
        .step = convsep_step,
        .ctx = m,
    };
    return true;
}

/* Convolves `lines` rows or columns of `length` pixels for the reference version. */
static void convolve(const float *taps, const float *src, float *dst, uint64_t length,
                     uint64_t stride, uint64_t lines, uint64_t line_stride) {
    for (uint64_t line = 0; line < lines; line++)
        for (int64_t k = 0; k < (int64_t)length; k++) {
            const uint64_t first = line * line_stride;
            float sum = 0;
            for (int64_t at = k - RADIUS; at <= k + RADIUS; at++) {
                const bool in = at >= 0 && at < (int64_t)length;
                sum += taps[k + RADIUS - at] * (in ? src[first + (uint64_t)at * stride] : 0);
            }
            dst[first + (uint64_t)k * stride] = sum;
        }
}

static int convsep_verify(struct workload *w, struct error *err) {
    struct convsep *m = (struct convsep *)w;
    const uint64_t n = m->width * m->height;
    float *buffer = alloc_array(n, sizeof *buffer), *output = alloc_array(n, sizeof *output);
    convolve(m->taps, m->input.v, buffer, m->width, 1, m->height, m->width);
    convolve(m->taps, buffer, output, m->height, m->width, m->width, 1);
    int rc = verify_floats("buffer", m->buffer.v, buffer, n, err);
    if (rc == 0)
        rc = verify_floats("output", m->output.v, output, n, err);
    free(buffer);
    free(output);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool convsep_create(struct workload *w, const uint64_t *v) {
    struct convsep *m = (struct convsep *)w;
    if (!workload_multiple(w, "W", v[0], RESULTS * SIDE) ||
        !workload_multiple(w, "H", v[1], RESULTS * COLUMN_BLOCK_Y))
        return false;
    m->width = v[0];
    m->height = v[1];
    m->base.w.launches = 2;
    const uint64_t n = v[0] * v[1];
    if (!NEW_ARRAY(m, input, n) || !NEW_ARRAY(m, buffer, n) || !NEW_ARRAY(m, output, n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->taps, TAPS, 0, 1);
    rng_fill(&r, m->input.v, n, 0, 1);
    const uint64_t row_halo = 2 * SIDE * (v[0] / (RESULTS * SIDE) - 1);
    const uint64_t column_halo = 2 * COLUMN_BLOCK_Y * (v[1] / (RESULTS * COLUMN_BLOCK_Y) - 1);
    expect_accesses(m->input.dev, n + v[1] * row_halo, 0);
    expect_accesses(m->buffer.dev, n + v[0] * column_halo, n);
    expect_accesses(m->output.dev, 0, n);
    return true;
}

const struct workload_type workload_convsep = {
    .name = "convsep",
    .suite = "CUDA SDK (convolutionSeparable)",
    .doc = "separable convolution of an image: tiles with a halo in shared memory, coalesced",
    .size_doc = "W[,H]: width (a multiple of 128) and height (a multiple of 64) of the image",
    .default_size = "1024,1024",
    .repeatable = true,
    .size = {{"W", (RESULTS * SIDE), 16384}, {"H", (RESULTS * COLUMN_BLOCK_Y), 16384}},
    .state_size = sizeof(struct convsep),
    .next = convsep_next,
    .verify = convsep_verify,
    .create = convsep_create,
};
