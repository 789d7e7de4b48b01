// SPDX-License-Identifier: Apache-2.0
/* lud (Rodinia): LU decomposition of an N x N matrix in place, by tiles of 16 x 16.
 *
 * Each tile of the diagonal takes three kernels. `diagonal` decomposes it in one CTA of half a
 * warp. `perimeter` solves for one tile to its right (first half-warp) and one below it (second
 * half-warp) per CTA. `internal` subtracts their product from all tiles to the right and below, one
 * thread per element. The last tile takes only `diagonal`. Tiles are in shared memory with rows 16
 * words apart, so accesses down a column conflict. A sum in shared memory is read once and stored
 * in each step.
 *
 * Thread-level accesses, with B = N / 16 tiles along an edge, P = B(B-1)/2 CTAs of `perimeter` and
 * I = (B-1) B (2B-1) / 6 of `internal`: m: 256 B + 768 P + 768 I loads, 240 B + 496 P + 256 I
 * stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define TILE 16
#define SEED 0x1cd

enum { INDEX, VALUE, LEFT, RIGHT, SUM }; /* registers */

enum { DIAGONAL, PERIMETER, INTERNAL, KERNELS };

struct lud {
    struct lane_workload base;
    uint64_t n;
    uint64_t start; /* first row and column of the current launch's diagonal tile */
    ARRAY(float) m;
};

/* __shared__ arrays of a CTA. Kernel `diagonal` uses only the first, and `internal` only the other
 * two. */
struct lud_block {
    float diagonal[TILE][TILE], row[TILE][TILE], column[TILE][TILE];
};

struct lud_warp {
    struct warp_head head;
    uint32_t i, k;
    float value[WARP_LANES], left[WARP_LANES], right[WARP_LANES], sum[WARP_LANES];
};

#define X thread_x(place, TILE, l)
#define Y thread_y(place, TILE, l)

/* Element y,x of the tile that begins `rows` below and `columns` right of the diagonal tile. */
#define CELL(rows, columns, y, x) [(start + (rows) + (y)) * n + start + (columns) + (x)]

/* Word of a tile in shared memory, for accesses down a column. */
#define WORD(y, x) ((y)*TILE + (x))

static void diagonal_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct lud *m = ctx;
    struct lud_block *s = cta;
    struct lud_warp *w = state;
    const uint64_t n = m->n, start = m->start;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    for (w->i = 0; w->i < TILE; w->i++) {
        LD(w->value[l], m->m, CELL(0, 0, w->i, l), R(VALUE), R(INDEX));
        SHARED(1, s->diagonal[w->i][l] = w->value[l], 0, R(VALUE));
    }
    BAR();
    for (w->i = 0; w->i < TILE - 1; w->i++) {
        BRANCH(R(INDEX));
        KEEP_LANES(l > w->i);
        SHARED_AT(w->sum[l] = s->diagonal[l][w->i], WORD(l, w->i), R(SUM), R(INDEX));
        for (w->k = 0; w->k < w->i; w->k++) {
            SHARED_AT(w->left[l] = s->diagonal[l][w->k], WORD(l, w->k), R(LEFT), R(INDEX));
            SHARED(1, w->right[l] = s->diagonal[w->k][w->i], R(RIGHT), 0);
            ALU(1, w->sum[l] -= w->left[l] * w->right[l], R(SUM), R(SUM) | R(LEFT) | R(RIGHT));
            SHARED_AT(s->diagonal[l][w->i] = w->sum[l], WORD(l, w->i), 0, R(SUM));
        }
        SHARED(1, w->right[l] = s->diagonal[w->i][w->i], R(RIGHT), 0);
        SFU(1, w->sum[l] /= w->right[l], R(SUM), R(SUM) | R(RIGHT));
        SHARED_AT(s->diagonal[l][w->i] = w->sum[l], WORD(l, w->i), 0, R(SUM));
        EVERY_LANE();
        BAR();
        KEEP_LANES(l > w->i);
        SHARED(1, w->sum[l] = s->diagonal[w->i + 1][l], R(SUM), R(INDEX));
        for (w->k = 0; w->k <= w->i; w->k++) {
            SHARED(1, w->left[l] = s->diagonal[w->i + 1][w->k], R(LEFT), 0);
            SHARED(1, w->right[l] = s->diagonal[w->k][l], R(RIGHT), R(INDEX));
            ALU(1, w->sum[l] -= w->left[l] * w->right[l], R(SUM), R(SUM) | R(LEFT) | R(RIGHT));
            SHARED(1, s->diagonal[w->i + 1][l] = w->sum[l], 0, R(SUM));
        }
        EVERY_LANE();
        BAR();
    }
    for (w->i = 1; w->i < TILE; w->i++) {
        SHARED(1, w->value[l] = s->diagonal[w->i][l], R(VALUE), R(INDEX));
        ST(w->value[l], m->m, CELL(0, 0, w->i, l), R(VALUE) | R(INDEX));
    }
    WARP_END();
}

#define FIRST_HALF() KEEP_LANES(l < TILE)
#define SECOND_HALF() KEEP_LANES(l >= TILE)

static void perimeter_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct lud *m = ctx;
    struct lud_block *s = cta;
    struct lud_warp *w = state;
    const uint64_t n = m->n, start = m->start;
    const uint64_t away = TILE * (place->cta[0] + UINT64_C(1));

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    BRANCH(R(INDEX));
    FIRST_HALF();
    for (w->i = 0; w->i < TILE / 2; w->i++) {
        LD(w->value[l], m->m, CELL(0, 0, w->i, X), R(VALUE), R(INDEX));
        SHARED(1, s->diagonal[w->i][X] = w->value[l], 0, R(VALUE));
    }
    for (w->i = 0; w->i < TILE; w->i++) {
        LD(w->value[l], m->m, CELL(0, away, w->i, X), R(VALUE), R(INDEX));
        SHARED(1, s->row[w->i][X] = w->value[l], 0, R(VALUE));
    }
    EVERY_LANE();
    SECOND_HALF();
    for (w->i = TILE / 2; w->i < TILE; w->i++) {
        LD(w->value[l], m->m, CELL(0, 0, w->i, X), R(VALUE), R(INDEX));
        SHARED(1, s->diagonal[w->i][X] = w->value[l], 0, R(VALUE));
    }
    for (w->i = 0; w->i < TILE; w->i++) {
        LD(w->value[l], m->m, CELL(away, 0, w->i, X), R(VALUE), R(INDEX));
        SHARED(1, s->column[w->i][X] = w->value[l], 0, R(VALUE));
    }
    EVERY_LANE();
    BAR();
    BRANCH(R(INDEX));
    FIRST_HALF();
    for (w->i = 1; w->i < TILE; w->i++) {
        SHARED(1, w->sum[l] = s->row[w->i][X], R(SUM), R(INDEX));
        for (w->k = 0; w->k < w->i; w->k++) {
            SHARED(1, w->left[l] = s->diagonal[w->i][w->k], R(LEFT), 0);
            SHARED(1, w->right[l] = s->row[w->k][X], R(RIGHT), R(INDEX));
            ALU(1, w->sum[l] -= w->left[l] * w->right[l], R(SUM), R(SUM) | R(LEFT) | R(RIGHT));
            SHARED(1, s->row[w->i][X] = w->sum[l], 0, R(SUM));
        }
    }
    EVERY_LANE();
    SECOND_HALF();
    for (w->i = 0; w->i < TILE; w->i++) {
        SHARED_AT(w->sum[l] = s->column[X][w->i], WORD(X, w->i), R(SUM), R(INDEX));
        for (w->k = 0; w->k < w->i; w->k++) {
            SHARED_AT(w->left[l] = s->column[X][w->k], WORD(X, w->k), R(LEFT), R(INDEX));
            SHARED(1, w->right[l] = s->diagonal[w->k][w->i], R(RIGHT), 0);
            ALU(1, w->sum[l] -= w->left[l] * w->right[l], R(SUM), R(SUM) | R(LEFT) | R(RIGHT));
            SHARED_AT(s->column[X][w->i] = w->sum[l], WORD(X, w->i), 0, R(SUM));
        }
        SHARED(1, w->right[l] = s->diagonal[w->i][w->i], R(RIGHT), 0);
        SFU(1, w->sum[l] /= w->right[l], R(SUM), R(SUM) | R(RIGHT));
        SHARED_AT(s->column[X][w->i] = w->sum[l], WORD(X, w->i), 0, R(SUM));
    }
    EVERY_LANE();
    BAR();
    BRANCH(R(INDEX));
    FIRST_HALF();
    for (w->i = 1; w->i < TILE; w->i++) {
        SHARED(1, w->value[l] = s->row[w->i][X], R(VALUE), R(INDEX));
        ST(w->value[l], m->m, CELL(0, away, w->i, X), R(VALUE) | R(INDEX));
    }
    EVERY_LANE();
    SECOND_HALF();
    for (w->i = 0; w->i < TILE; w->i++) {
        SHARED(1, w->value[l] = s->column[w->i][X], R(VALUE), R(INDEX));
        ST(w->value[l], m->m, CELL(away, 0, w->i, X), R(VALUE) | R(INDEX));
    }
    WARP_END();
}

static void internal_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct lud *m = ctx;
    struct lud_block *s = cta;
    struct lud_warp *w = state;
    const uint64_t n = m->n, start = m->start;
    const uint64_t right = TILE * (place->cta[0] + UINT64_C(1));
    const uint64_t below = TILE * (place->cta[1] + UINT64_C(1));

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    LD(w->value[l], m->m, CELL(0, right, Y, X), R(VALUE), R(INDEX));
    SHARED(1, s->row[Y][X] = w->value[l], 0, R(VALUE));
    LD(w->value[l], m->m, CELL(below, 0, Y, X), R(VALUE), R(INDEX));
    SHARED(1, s->column[Y][X] = w->value[l], 0, R(VALUE));
    BAR();
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->k = 0; w->k < TILE; w->k++) {
        SHARED(1, w->left[l] = s->column[Y][w->k], R(LEFT), R(INDEX));
        SHARED(1, w->right[l] = s->row[w->k][X], R(RIGHT), R(INDEX));
        ALU(1, w->sum[l] += w->left[l] * w->right[l], R(SUM), R(SUM) | R(LEFT) | R(RIGHT));
    }
    LD(w->value[l], m->m, CELL(below, right, Y, X), R(VALUE), R(INDEX));
    ALU(1, w->value[l] -= w->sum[l], R(VALUE), R(VALUE) | R(SUM));
    ST(w->value[l], m->m, CELL(below, right, Y, X), R(VALUE) | R(INDEX));
    WARP_END();
}

static bool lud_next(struct workload *w, struct kernel_launch *launch) {
    static const struct {
        const char *name;
        uint32_t width, height; /* size of a CTA, in threads */
        uint32_t shared_bytes;
        void (*step)(void *, const struct warp_place *, void *, void *, struct warp_inst *);
    } kernel[KERNELS] = {
        {"lud diagonal", TILE, 1, TILE * TILE * sizeof(float), diagonal_step},
        {"lud perimeter", 2 * TILE, 1, 3 * TILE * TILE * sizeof(float), perimeter_step},
        {"lud internal", TILE, TILE, 2 * TILE * TILE * sizeof(float), internal_step},
    };
    struct lud *m = (struct lud *)w;
    const uint64_t tiles = m->n / TILE, tile = m->base.launched / KERNELS;
    const unsigned k = m->base.launched % KERNELS;
    const uint32_t left = (uint32_t)(tiles - 1 - tile);
    if (k != DIAGONAL && left == 0)
        return false;
    m->base.launched++;
    m->start = tile * TILE;
    *launch = (struct kernel_launch){
        .name = kernel[k].name,
        .grid = {k == DIAGONAL ? 1 : left, k == INTERNAL ? left : 1, 1},
        .block = {kernel[k].width, kernel[k].height, 1},
        .shared_bytes = kernel[k].shared_bytes,
        .warp_state_size = sizeof(struct lud_warp),
        .cta_state_size = sizeof(struct lud_block),
        .step = kernel[k].step,
        .ctx = m,
    };
    return true;
}

/* Generates a matrix without zero pivots: each diagonal element is larger than the sum of the rest
 * of its row. */
static void lud_inputs(uint64_t n, float *m) {
    struct rng r = {SEED};
    rng_fill(&r, m, n * n, 0, 1);
    for (uint64_t i = 0; i < n; i++)
        m[i * n + i] += (float)n;
}

/* Returns an element minus the products of the elements to its left and above it, for the reference
 * version. Sums the products of each tile first, except in the element's own tile, as the kernels
 * do. */
static float reduced(uint64_t n, const float *m, uint64_t y, uint64_t x) {
    const uint64_t end = y < x ? y : x, own = end / TILE * TILE;
    float value = m[y * n + x];
    for (uint64_t tile = 0; tile < own; tile += TILE) {
        float sum = 0;
        for (uint64_t k = tile; k < tile + TILE; k++)
            sum += m[y * n + k] * m[k * n + x];
        value -= sum;
    }
    for (uint64_t k = own; k < end; k++)
        value -= m[y * n + k] * m[k * n + x];
    return value;
}

static void decompose(uint64_t n, float *m) {
    for (uint64_t k = 0; k < n; k++) {
        for (uint64_t x = k; x < n; x++)
            m[k * n + x] = reduced(n, m, k, x);
        for (uint64_t y = k + 1; y < n; y++)
            m[y * n + k] = reduced(n, m, y, k) / m[k * n + k];
    }
}

static int lud_verify(struct workload *w, struct error *err) {
    struct lud *m = (struct lud *)w;
    float *want = alloc_array(m->n * m->n, sizeof *want);
    lud_inputs(m->n, want);
    decompose(m->n, want);
    int rc = verify_floats("m", m->m.v, want, m->n * m->n, err);
    free(want);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool lud_create(struct workload *w, const uint64_t *v) {
    struct lud *m = (struct lud *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, TILE))
        return false;
    m->base.w.launches = (n / TILE - 1) * KERNELS + 1;
    if (!NEW_ARRAY(m, m, n * n))
        return false;
    lud_inputs(n, m->m.v);
    const uint64_t b = n / TILE, p = b * (b - 1) / 2, i = (b - 1) * b * (2 * b - 1) / 6;
    expect_accesses(m->m.dev, 256 * b + 768 * p + 768 * i, 240 * b + 496 * p + 256 * i);
    return true;
}

const struct workload_type workload_lud = {
    .name = "lud",
    .suite = "Rodinia",
    .doc = "LU decomposition: 16 x 16 tiles in shared memory, half warps, a shrinking grid",
    .size_doc = "N, edge of the matrix (a multiple of 16)",
    .default_size = "512",
    .size = {{"N", TILE, 16384}},
    .state_size = sizeof(struct lud),
    .next = lud_next,
    .verify = lud_verify,
    .create = lud_create,
};
