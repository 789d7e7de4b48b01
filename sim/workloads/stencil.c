// SPDX-License-Identifier: Apache-2.0
/* stencil (Parboil): seven-point stencil over N x N x Z cells, in I sweeps of one launch each.
 *
 * A CTA owns 64 x 4 columns of cells and moves through all planes. A thread owns two of the
 * columns, 32 apart in x. The current plane is in shared memory, and the cells below and above it
 * are in registers. Neighbors that belong to another CTA are loaded. The two arrays swap roles at
 * each launch.
 *
 * Thread-level accesses of a launch, with n(a, b) the count of the numbers 1..N-2 that leave the
 * remainder b when divided by a: N^2 Z + (Z-2) (N-2) (n(4,0) + n(4,3) + n(64,0) + n(64,63)) loads
 * of its source, (Z-2) (N-2)^2 stores to its destination.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 4
#define WIDTH (2 * BLOCK_X) /* columns per CTA in x */
#define SEED 0x57e

/* registers; two for each value, one per cell of the thread */
enum { INDEX, UP, DOWN, SIDE, NEAR, RESULT, BOTTOM, TOP = BOTTOM + 2 };

typedef ARRAY(float) float_array;

struct stencil {
    struct lane_workload base;
    uint64_t n, planes, sweeps;
    float_array a, b;
    float_array src, dst; /* arrays of the current launch: a and b, or b and a */
};

/* __shared__ array of a CTA: its columns in the plane. */
struct stencil_plane {
    float v[BLOCK_Y][WIDTH];
};

/* Cell and its neighbors. */
struct around {
    float cell, top, bottom, up, down, right, left;
};

struct stencil_warp {
    struct warp_head head;
    uint32_t inside[2]; /* lanes with a cell in the grid */
    uint32_t inner[2];  /* lanes with a cell in the grid and not at its edge */
    uint32_t half;      /* index of the cell, 0 or 1 */
    uint64_t z;
    float first[WARP_LANES], bottom[2][WARP_LANES], top[2][WARP_LANES];
    struct around near[WARP_LANES];
};

static float relax(const struct around *c) {
    const float c0 = 1.0f / 6.0f, c1 = 1.0f / 36.0f;
    return (c->top + c->bottom + c->up + c->down + c->right + c->left) * c1 - c->cell * c0;
}

/* Returns the lane whose side neighbor is in another CTA. A side neighbor is to the left of a
 * lane's left cell, or to the right of its right cell. */
static uint32_t edge_lane(uint32_t half) {
    return half == 0 ? 0 : BLOCK_X - 1;
}

/* Reads the lane's cell, and its side neighbor inside the CTA. */
static void read_near(struct stencil_warp *w, const struct stencil_plane *s, uint32_t y, uint32_t l,
                      uint32_t x) {
    struct around *c = &w->near[l];
    c->cell = s->v[y][x];
    c->top = w->top[w->half][l];
    c->bottom = w->bottom[w->half][l];
    if (w->half == 0)
        c->right = s->v[y][x + 1];
    else
        c->left = s->v[y][x - 1];
}

static float *side_of(struct stencil_warp *w, uint32_t l) {
    return w->half == 0 ? &w->near[l].left : &w->near[l].right;
}

/* A lane's two cells are 32 apart in x, so each half of a warp's cells is contiguous. */
#define X (w->half * BLOCK_X + l)
#define Y place->warp
#define CELL(dz, dy, dx) [((w->z + (dz)) * m->n + y0 + Y + (dy)) * m->n + x0 + X + (dx)]
#define SIDE_X (w->half == 0 ? -UINT64_C(1) : 1)

static void stencil_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct stencil *m = ctx;
    struct stencil_plane *s = cta;
    struct stencil_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t x0 = (uint64_t)place->cta[0] * WIDTH, y0 = (uint64_t)place->cta[1] * BLOCK_Y;

    WARP_BEGIN();
    ALU_RUN(20, R(INDEX), 0);
    SHARED(2, (void)0, 0, 0); /* clears the plane */
    BAR();
    for (w->half = 0; w->half < 2; w->half++) {
        w->head.on = UINT32_MAX;
        KEEP_LANES(x0 + X < n && y0 + Y < n);
        w->inside[w->half] = w->head.on;
        FIND_LANES(&w->inner[w->half],
                   x0 + X > 0 && x0 + X < n - 1 && y0 + Y > 0 && y0 + Y < n - 1);
        LD(w->bottom[w->half][l], m->src, CELL(0, 0, 0), R(BOTTOM + w->half), R(INDEX));
        LD(w->first[l], m->src, CELL(1, 0, 0), R(NEAR), R(INDEX));
        SHARED(1, s->v[Y][X] = w->first[l], 0, R(NEAR));
    }
    BAR();
    for (w->z = 1; w->z < m->planes - 1; w->z++) {
        for (w->half = 0; w->half < 2; w->half++) {
            w->head.on = w->inside[w->half];
            LD(w->top[w->half][l], m->src, CELL(1, 0, 0), R(TOP + w->half), R(INDEX));
            w->head.on = w->inner[w->half];
            if (Y == BLOCK_Y - 1)
                LD(w->near[l].up, m->src, CELL(0, 1, 0), R(UP), R(INDEX));
            else
                SHARED(1, w->near[l].up = s->v[Y + 1][X], R(UP), 0);
            if (Y == 0)
                LD(w->near[l].down, m->src, CELL(0, -UINT64_C(1), 0), R(DOWN), R(INDEX));
            else
                SHARED(1, w->near[l].down = s->v[Y - 1][X], R(DOWN), 0);
            KEEP_LANES(l == edge_lane(w->half));
            LD(*side_of(w, l), m->src, CELL(0, 0, SIDE_X), R(SIDE), R(INDEX));
            w->head.on = w->inner[w->half];
            KEEP_LANES(l != edge_lane(w->half));
            SHARED(1, *side_of(w, l) = s->v[Y][X + SIDE_X], R(SIDE), 0);
            w->head.on = w->inner[w->half];
            SHARED(2, read_near(w, s, Y, l, X), R(NEAR), 0);
            ALU(7, w->near[l].cell = relax(&w->near[l]), R(RESULT),
                R(TOP + w->half) | R(BOTTOM + w->half) | R(UP) | R(DOWN) | R(SIDE) | R(NEAR));
            ST(w->near[l].cell, m->dst, CELL(0, 0, 0), R(RESULT) | R(INDEX));
        }
        BAR();
        for (w->half = 0; w->half < 2; w->half++) {
            w->head.on = w->inside[w->half];
            SHARED(1, w->bottom[w->half][l] = s->v[Y][X], R(BOTTOM + w->half), 0);
            SHARED(1, s->v[Y][X] = w->top[w->half][l], 0, R(TOP + w->half));
        }
        w->head.on = UINT32_MAX;
        ALU_RUN(4, 0, 0);
        BAR();
    }
    WARP_END();
}

static bool stencil_next(struct workload *w, struct kernel_launch *launch) {
    struct stencil *m = (struct stencil *)w;
    if (m->base.launched == m->sweeps)
        return false;
    const bool even = m->base.launched++ % 2 == 0;
    m->src = even ? m->a : m->b;
    m->dst = even ? m->b : m->a;
    *launch = (struct kernel_launch){
        .name = "stencil",
        .grid = {(uint32_t)ceil_div(m->n, WIDTH), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .shared_bytes = sizeof(struct stencil_plane),
        .warp_state_size = sizeof(struct stencil_warp),
        .cta_state_size = sizeof(struct stencil_plane),
        .step = stencil_step,
        .ctx = m,
    };
    return true;
}

/* Computes one sweep for the reference version. */
static void sweep(uint64_t n, uint64_t planes, const float *a, float *b) {
    for (uint64_t z = 1; z < planes - 1; z++) {
        for (uint64_t y = 1; y < n - 1; y++) {
            for (uint64_t x = 1; x < n - 1; x++) {
                const float *c = &a[(z * n + y) * n + x];
                const struct around near = {.cell = c[0],
                                            .top = c[n * n],
                                            .bottom = c[-(int64_t)(n * n)],
                                            .up = c[n],
                                            .down = c[-(int64_t)n],
                                            .right = c[1],
                                            .left = c[-1]};
                b[(z * n + y) * n + x] = relax(&near);
            }
        }
    }
}

static int stencil_verify(struct workload *w, struct error *err) {
    struct stencil *m = (struct stencil *)w;
    const float_array *result = m->sweeps % 2 == 0 ? &m->a : &m->b;
    const uint64_t cells = m->n * m->n * m->planes;
    float *a = alloc_array(cells, sizeof *a), *b = alloc_array(cells, sizeof *b);
    struct rng r = {SEED};
    rng_fill(&r, a, cells, 0, 1);
    memcpy(b, a, cells * sizeof *b);
    for (uint64_t k = 0; k < m->sweeps; k++) {
        sweep(m->n, m->planes, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
    }
    int rc = verify_floats(result->dev->name, result->v, m->sweeps % 2 == 0 ? a : b, cells, err);
    free(a);
    free(b);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Returns n(divisor, remainder) in the formulae in the file's header. */
static uint64_t inner_with(const struct stencil *m, uint64_t divisor, uint64_t remainder) {
    uint64_t count = 0;
    for (uint64_t i = 1; i < m->n - 1; i++)
        count += i % divisor == remainder;
    return count;
}

static void stencil_expect(struct stencil *m) {
    const uint64_t n = m->n, z = m->planes;
    const uint64_t halo = inner_with(m, BLOCK_Y, 0) + inner_with(m, BLOCK_Y, BLOCK_Y - 1) +
                          inner_with(m, WIDTH, 0) + inner_with(m, WIDTH, WIDTH - 1);
    const uint64_t loads = n * n * z + (z - 2) * (n - 2) * halo;
    const uint64_t stores = (z - 2) * (n - 2) * (n - 2);
    const uint64_t sweeps_b = m->sweeps / 2,
                   sweeps_a = m->sweeps - sweeps_b; /* number of launches that read a */
    expect_accesses(m->a.dev, sweeps_a * loads, sweeps_b * stores);
    expect_accesses(m->b.dev, sweeps_b * loads, sweeps_a * stores);
}

static bool stencil_create(struct workload *w, const uint64_t *v) {
    struct stencil *m = (struct stencil *)w;
    m->n = v[0];
    m->planes = v[1];
    m->sweeps = v[2];
    m->base.w.launches = m->sweeps;
    const uint64_t cells = m->n * m->n * m->planes;
    if (!NEW_ARRAY(m, a, cells) || !NEW_ARRAY(m, b, cells))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, cells, 0, 1);
    memcpy(m->b.v, m->a.v, cells * sizeof *m->b.v);
    stencil_expect(m);
    return true;
}

const struct workload_type workload_stencil = {
    .name = "stencil",
    .suite = "Parboil",
    .doc = "seven-point stencil: planes through shared memory, halo loads, two cells per thread",
    .size_doc = "N[,Z[,I]]: edge of a plane, planes, sweeps",
    .default_size = "256,32,2",
    .repeatable = true,
    .size = {{"N", 3, 8192}, {"Z", 3, 8192}, {"I", 1, 1000}},
    .state_size = sizeof(struct stencil),
    .next = stencil_next,
    .verify = stencil_verify,
    .create = stencil_create,
};
