// SPDX-License-Identifier: Apache-2.0
/* transpose (CUDA SDK): transposes an N x N matrix, one CTA of 16 x 16 threads per tile, one thread
 * per element.
 *
 * With V = 0 (naive), a warp loads two half rows and stores two elements to each of 16 rows. With V
 * = 1, the CTA transposes its tile in shared memory, so stores are half rows too. The rows of the
 * tile are 16 words apart, so reading its columns takes 8 passes. With V = 2, rows are 17 words
 * apart, and writing and reading the tile take 2 passes each.
 *
 * Thread-level accesses: in: N^2 loads. out: N^2 stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define TILE 16
#define SEED 0x7a5

enum { INDEX, VALUE }; /* registers */

enum { NAIVE, TILED, PADDED, VARIANTS };

struct transpose {
    struct lane_workload base;
    uint64_t n, variant;
    ARRAY(float) in;
    ARRAY(float) out;
};

/* __shared__ array of a CTA, with rows `pitch` words apart. */
struct transpose_tile {
    float v[TILE * (TILE + 1)];
};

struct transpose_warp {
    struct warp_head head;
    float value[WARP_LANES];
};

#define X thread_x(place, TILE, l)
#define Y thread_y(place, TILE, l)

static void naive_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct transpose *m = ctx;
    struct transpose_warp *w = state;
    const uint64_t x0 = (uint64_t)place->cta[0] * TILE, y0 = (uint64_t)place->cta[1] * TILE;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    LD(w->value[l], m->in, [(y0 + Y) * m->n + x0 + X], R(VALUE), R(INDEX));
    ST(w->value[l], m->out, [(x0 + X) * m->n + y0 + Y], R(VALUE) | R(INDEX));
    WARP_END();
}

static void tiled_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct transpose *m = ctx;
    struct transpose_tile *s = cta;
    struct transpose_warp *w = state;
    const uint64_t x0 = (uint64_t)place->cta[0] * TILE, y0 = (uint64_t)place->cta[1] * TILE;
    const uint32_t pitch = m->variant == PADDED ? TILE + 1 : TILE;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    LD(w->value[l], m->in, [(y0 + Y) * m->n + x0 + X], R(VALUE), R(INDEX));
    SHARED_AT(s->v[Y * pitch + X] = w->value[l], Y * pitch + X, 0, R(VALUE) | R(INDEX));
    BAR();
    SHARED_AT(w->value[l] = s->v[X * pitch + Y], X * pitch + Y, R(VALUE), R(INDEX));
    ST(w->value[l], m->out, [(x0 + Y) * m->n + y0 + X], R(VALUE) | R(INDEX));
    WARP_END();
}

static bool transpose_next(struct workload *w, struct kernel_launch *launch) {
    struct transpose *m = (struct transpose *)w;
    const bool tiled = m->variant != NAIVE;
    const uint32_t tiles = (uint32_t)(m->n / TILE);
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "transpose",
        .grid = {tiles, tiles, 1},
        .block = {TILE, TILE, 1},
        .shared_bytes = tiled ? sizeof(struct transpose_tile) : 0,
        .warp_state_size = sizeof(struct transpose_warp),
        .cta_state_size = tiled ? sizeof(struct transpose_tile) : 0,
        .step = tiled ? tiled_step : naive_step,
        .ctx = m,
    };
    return true;
}

static int transpose_verify(struct workload *w, struct error *err) {
    struct transpose *m = (struct transpose *)w;
    const uint64_t n = m->n;
    float *out = alloc_array(n * n, sizeof *out);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            out[j * n + i] = m->in.v[i * n + j];
    int rc = verify_floats("out", m->out.v, out, n * n, err);
    free(out);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool transpose_create(struct workload *w, const uint64_t *v) {
    struct transpose *m = (struct transpose *)w;
    if (!workload_multiple(w, "N", v[0], TILE))
        return false;
    m->n = v[0];
    m->variant = v[1];
    m->base.w.launches = 1;
    const uint64_t cells = m->n * m->n;
    if (!NEW_ARRAY(m, in, cells) || !NEW_ARRAY(m, out, cells))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->in.v, cells, 0, 1);
    expect_accesses(m->in.dev, cells, 0);
    expect_accesses(m->out.dev, 0, cells);
    return true;
}

const struct workload_type workload_transpose = {
    .name = "transpose",
    .suite = "CUDA SDK",
    .doc = "matrix transposition: coalesced loads, stores to 16 rows, or through shared memory",
    .size_doc = "N[,V]: edge of the matrix (a multiple of 16), version: 0 naive, 1 tiled, 2 padded",
    .default_size = "1024,0",
    .repeatable = true,
    .size = {{"N", TILE, 16384}, {"V", 0, VARIANTS - 1}},
    .state_size = sizeof(struct transpose),
    .next = transpose_next,
    .verify = transpose_verify,
    .create = transpose_create,
};
