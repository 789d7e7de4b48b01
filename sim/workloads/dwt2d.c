// SPDX-License-Identifier: Apache-2.0
/* dwt2d (UVMBench, from Rodinia): 5/3 integer wavelet transform of an N x N image of three colors,
 * L levels.
 *
 * `unpack` separates the bytes of 256 pixels per CTA. Each color is then transformed alone. A
 * level turns its input into four quarters; the host copies the first (low in both directions) back
 * as the input of the next level, which is half as wide. A CTA of W threads owns W columns and also
 * loads three columns at their sides. It moves down through `steps` windows of eight rows. It lifts
 * each window in shared memory, first along the columns and then along the rows. Neighbors outside
 * the image are mirrored at its edge.
 *
 * Thread-level accesses, with S = N^2: src: 3 S / 4 loads. Each color: S stores, and for each
 * level (W+3) (3 + 8 steps) loads per CTA; its output: S / 4^k stores in level k = 0..L-1. backup:
 * no accesses.
 */
#include "lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define COLORS 3
#define LEVELS 3
#define UNPACK_BLOCK 256
#define UNPACK_WORDS (UNPACK_BLOCK * COLORS / 4)
#define WINDOW 8           /* number of rows in a window */
#define ABOVE 2            /* number of columns and rows needed before the lifted ones */
#define AROUND (ABOVE + 1) /* ABOVE plus one column or row after the lifted ones */
#define WIDEST 192         /* maximum number of columns per CTA */
#define NARROWEST 34       /* minimum edge of a level, so that mirrored columns lie inside it */
#define SEED 0xd72

/* registers; eight of them start at VALUE */
enum { INDEX, LIFTED, VALUE };

typedef ARRAY(int32_t) int_array;

struct dwt2d {
    struct lane_workload base;
    uint64_t n, levels;
    ARRAY(uint32_t) src; /* bytes: red, green and blue of each pixel in turn */
    int_array c_r_out, backup, c_g_out, c_b_out, c_r, c_g, c_b;
    /* State of the current launch. */
    int_array in, out;
    int64_t edge; /* edge of the level */
    int64_t width, steps;
};

struct unpack_block {
    uint32_t word[UNPACK_WORDS];
};

struct unpack_warp {
    struct warp_head head;
    uint32_t word[WARP_LANES];
    int32_t pixel[COLORS][WARP_LANES];
};

static int32_t byte_of(const uint32_t *word, uint64_t i) {
    return (int32_t)(word[i / 4] >> 8 * (i % 4) & 0xff);
}

/* Converts a pixel's colors to numbers around 0. */
static void unpack_pixel(const uint32_t *word, uint64_t i, int32_t *r, int32_t *g, int32_t *b) {
    *r = byte_of(word, COLORS * i) - 128;
    *g = byte_of(word, COLORS * i + 1) - 128;
    *b = byte_of(word, COLORS * i + 2) - 128;
}

#define T thread_in_block(place, l)

static void unpack_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct dwt2d *m = ctx;
    struct unpack_block *s = cta;
    struct unpack_warp *w = state;
    const uint64_t pixel = (uint64_t)place->cta[0] * UNPACK_BLOCK;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    KEEP_LANES(T < UNPACK_WORDS);
    LD(w->word[l], m->src, [place->cta[0] * (uint64_t)UNPACK_WORDS + T], R(VALUE), R(INDEX));
    SHARED(1, s->word[T] = w->word[l], 0, R(VALUE));
    w->head.on = UINT32_MAX;
    BAR();
    SHARED(3, unpack_pixel(s->word, T, &w->pixel[0][l], &w->pixel[1][l], &w->pixel[2][l]), R(VALUE),
           R(INDEX));
    ALU_RUN(3, R(VALUE), R(VALUE));
    ST(w->pixel[0][l], m->c_r, [pixel + T], R(VALUE) | R(INDEX));
    ST(w->pixel[1][l], m->c_g, [pixel + T], R(VALUE) | R(INDEX));
    ST(w->pixel[2][l], m->c_b, [pixel + T], R(VALUE) | R(INDEX));
    WARP_END();
}

/* __shared__ arrays of a CTA: rows and columns from ABOVE before the window to one after it. (The
 * original has one array and lifts in place.) */
struct lift_block {
    int32_t in[WINDOW + AROUND][WIDEST + AROUND];
    int32_t v[WINDOW][WIDEST + AROUND];
};

struct lift_warp {
    struct warp_head head;
    int64_t window;
    uint32_t r;
    int32_t value[WINDOW][WARP_LANES];
};

/* Return an odd element after the prediction and an even element after the update. The prediction
 * subtracts the mean of the two neighbors from an odd element. The update then adds a quarter of
 * the sum of the two neighbors to an even element. */
static int32_t predicted(int32_t v, int32_t before, int32_t behind) {
    return v - (before + behind) / 2;
}
static int32_t updated(int32_t v, int32_t before, int32_t behind) {
    return v + (before + behind + 2) / 4;
}

/* Lifts column c of the window. The last two rows become the first of the next window. */
static void lift_column(struct lift_block *s, uint64_t c) {
    int32_t v[WINDOW + AROUND];
    for (uint32_t r = 0; r < WINDOW + AROUND; r++)
        v[r] = s->in[r][c];
    for (uint32_t r = 1; r < WINDOW + ABOVE; r += 2)
        v[r] = predicted(v[r], v[r - 1], v[r + 1]);
    for (uint32_t r = ABOVE; r < WINDOW + ABOVE; r += 2)
        v[r] = updated(v[r], v[r - 1], v[r + 1]);
    for (uint32_t r = 0; r < WINDOW; r++)
        s->v[r][c] = v[r + ABOVE];
    for (uint32_t r = 0; r < AROUND; r++)
        s->in[r][c] = s->in[r + WINDOW][c];
}

/* Lifts the thread's part of the odd columns of all rows: the window's odd columns and the one
 * before the window. */
static void lift_odd(struct lift_block *s, uint64_t thread, uint64_t width) {
    for (uint64_t i = thread; i < WINDOW * (width / 2 + 1); i += width) {
        int32_t *v = &s->v[i % WINDOW][1 + 2 * (i / WINDOW)];
        *v = predicted(*v, v[-1], v[1]);
    }
}
static void lift_even(struct lift_block *s, uint64_t thread, uint64_t width) {
    for (uint64_t i = thread; i < WINDOW * width / 2; i += width) {
        int32_t *v = &s->v[i % WINDOW][2 + 2 * (i / WINDOW)];
        *v = updated(*v, v[-1], v[1]);
    }
}

static int64_t mirrored(int64_t i, int64_t edge) {
    return i < 0 ? -i : i >= edge ? 2 * edge - 2 - i : i;
}

/* Return the position in the window of the thread's own column, and of its side column, which is
 * the one on the right or one of the two on the left. */
static uint64_t own_column(uint64_t thread) {
    return thread + ABOVE;
}
static uint64_t side_column(uint64_t thread, int64_t width) {
    return thread == 0 ? (uint64_t)width + ABOVE : thread - 1;
}

/* Return the r-th row that a CTA loads before its first window, and the row's position in shared
 * memory. Above the image, rows 2 and 1 take the place of the missing rows; they are loaded after
 * row 0. */
static int64_t first_row(int64_t top, uint32_t r) {
    return top == 0 ? r : top - ABOVE + r;
}
static uint32_t first_place(int64_t top, uint32_t r) {
    return top == 0 ? ABOVE - r : r;
}

/* Returns the column that the thread stores. Even columns come first. */
static int64_t stored_column(int64_t thread, int64_t width) {
    return thread < width / 2 ? 2 * thread : 2 * thread - width + 1;
}

/* Returns the index in the level's output of row y, column x. */
static uint64_t quarter_place(int64_t y, int64_t x, int64_t edge) {
    const int64_t quarter = edge * edge / 4;
    return (uint64_t)(x / 2 + y / 2 * (edge / 2) + x % 2 * quarter + y % 2 * 2 * quarter);
}

#define PIXEL(y, column)                                                                           \
    [mirrored(y, m->edge) * m->edge + mirrored(x0 + (int64_t)(column)-ABOVE, m->edge)]
#define OWN own_column(T)
#define SIDE side_column(T, m->width)
#define Y0 (top + WINDOW * w->window) /* first row of the window */
#define STORED (x0 + stored_column(T, m->width))

static void lift_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct dwt2d *m = ctx;
    struct lift_block *s = cta;
    struct lift_warp *w = state;
    const int64_t x0 = place->cta[0] * m->width;
    const int64_t top = place->cta[1] * WINDOW * m->steps;

    WARP_BEGIN();
    ALU_RUN(40, R(INDEX), 0);
    for (w->r = 0; w->r < AROUND; w->r++)
        LD(w->value[w->r][l], m->in, PIXEL(first_row(top, w->r), OWN), R(VALUE + w->r), R(INDEX));
    for (w->r = 0; w->r < AROUND; w->r++)
        SHARED(1, s->in[first_place(top, w->r)][OWN] = w->value[w->r][l], 0, R(VALUE + w->r));
    KEEP_LANES(T < AROUND);
    for (w->r = 0; w->r < AROUND; w->r++)
        LD(w->value[w->r][l], m->in, PIXEL(first_row(top, w->r), SIDE), R(VALUE + w->r), R(INDEX));
    for (w->r = 0; w->r < AROUND; w->r++)
        SHARED(1, s->in[first_place(top, w->r)][SIDE] = w->value[w->r][l], 0, R(VALUE + w->r));
    w->head.on = UINT32_MAX;
    for (w->window = 0; w->window < m->steps; w->window++) {
        for (w->r = 0; w->r < WINDOW; w->r++)
            LD(w->value[w->r][l], m->in, PIXEL(Y0 + 1 + w->r, OWN), R(VALUE + w->r), R(INDEX));
        for (w->r = 0; w->r < WINDOW; w->r++)
            SHARED(1, s->in[AROUND + w->r][OWN] = w->value[w->r][l], 0, R(VALUE + w->r));
        SHARED(19, lift_column(s, OWN), 0, 0); /* reads 11 rows, writes 8 */
        ALU_RUN(40, R(LIFTED), 0);
        KEEP_LANES(T < AROUND);
        for (w->r = 0; w->r < WINDOW; w->r++)
            LD(w->value[w->r][l], m->in, PIXEL(Y0 + 1 + w->r, SIDE), R(VALUE + w->r), R(INDEX));
        for (w->r = 0; w->r < WINDOW; w->r++)
            SHARED(1, s->in[AROUND + w->r][SIDE] = w->value[w->r][l], 0, R(VALUE + w->r));
        SHARED(19, lift_column(s, SIDE), 0, 0);
        ALU_RUN(40, R(LIFTED), 0);
        w->head.on = UINT32_MAX;
        BAR();
        SHARED(16, lift_odd(s, T, (uint64_t)m->width), 0,
               R(INDEX)); /* four times 3 reads, 1 write */
        ALU_RUN(20, R(LIFTED), 0);
        BAR();
        SHARED(16, lift_even(s, T, (uint64_t)m->width), 0, R(INDEX));
        ALU_RUN(20, R(LIFTED), 0);
        BAR();
        for (w->r = 0; w->r < WINDOW; w->r++) {
            KEEP_LANES(STORED < m->edge && Y0 + w->r < m->edge);
            SHARED(1, w->value[0][l] = s->v[w->r][ABOVE + STORED - x0], R(VALUE), R(INDEX));
            ST(w->value[0][l], m->out, [quarter_place(Y0 + w->r, STORED, m->edge)],
               R(VALUE) | R(INDEX));
            w->head.on = UINT32_MAX;
        }
        BAR();
    }
    WARP_END();
}

/* ---- Launches ---- */

/* Return the number of columns and of windows per CTA, and of CTAs across and down, for a level. */
static int64_t level_width(int64_t edge) {
    return edge >= 960 ? 192 : edge >= 480 ? 128 : 64;
}
static int64_t level_steps(int64_t edge) {
    return (int64_t)ceil_div((uint64_t)edge, 15 * WINDOW);
}
static uint32_t blocks_across(int64_t edge) {
    return (uint32_t)ceil_div((uint64_t)edge, (uint64_t)level_width(edge));
}
static uint32_t blocks_down(int64_t edge) {
    return (uint32_t)ceil_div((uint64_t)edge, (uint64_t)(WINDOW * level_steps(edge)));
}

/* Prepares level `level` of a color. The level's input is the first quarter of the previous
 * level's output, which the host copies. */
static struct kernel_launch lift_launch(struct dwt2d *m, unsigned color, unsigned level) {
    const int_array in[COLORS] = {m->c_r, m->c_g, m->c_b};
    const int_array out[COLORS] = {m->c_r_out, m->c_g_out, m->c_b_out};
    m->in = in[color];
    m->out = out[color];
    m->edge = (int64_t)(m->n >> level);
    m->width = level_width(m->edge);
    m->steps = level_steps(m->edge);
    if (level > 0)
        memcpy(m->in.v, m->out.v, (size_t)(m->edge * m->edge) * sizeof *m->in.v);
    return (struct kernel_launch){
        .name = "dwt2d",
        .grid = {blocks_across(m->edge), blocks_down(m->edge), 1},
        .block = {(uint32_t)m->width, 1, 1},
        .shared_bytes = (uint32_t)((m->width + AROUND) * (WINDOW + AROUND)) * sizeof(int32_t),
        .warp_state_size = sizeof(struct lift_warp),
        .cta_state_size = sizeof(struct lift_block),
        .step = lift_step,
        .ctx = m,
    };
}

static bool dwt2d_next(struct workload *w, struct kernel_launch *launch) {
    struct dwt2d *m = (struct dwt2d *)w;
    const unsigned k = m->base.launched, levels = (unsigned)m->levels;
    if (k > COLORS * levels)
        return false;
    m->base.launched++;
    if (k > 0) {
        *launch = lift_launch(m, (k - 1) / levels, (k - 1) % levels);
        return true;
    }
    *launch = (struct kernel_launch){
        .name = "dwt2d unpack",
        .grid = {(uint32_t)(m->n * m->n / UNPACK_BLOCK), 1, 1},
        .block = {UNPACK_BLOCK, 1, 1},
        .shared_bytes = sizeof(struct unpack_block),
        .warp_state_size = sizeof(struct unpack_warp),
        .cta_state_size = sizeof(struct unpack_block),
        .step = unpack_step,
        .ctx = m,
    };
    return true;
}

/* ---- Reference version ---- */

/* Lifts `edge` elements, `pitch` apart; edge is even. */
static void lift_line(int32_t *v, int64_t edge, int64_t pitch) {
    for (int64_t i = 1; i < edge; i += 2)
        v[i * pitch] =
            predicted(v[i * pitch], v[(i - 1) * pitch], v[mirrored(i + 1, edge) * pitch]);
    for (int64_t i = 0; i < edge; i += 2)
        v[i * pitch] = updated(v[i * pitch], v[mirrored(i - 1, edge) * pitch], v[(i + 1) * pitch]);
}

/* Transforms all levels of a color for the reference version. Overwrites the input v and writes
 * the result to out. */
static void transform(int32_t *v, int32_t *out, int64_t n, uint64_t levels) {
    for (int64_t edge = n; edge > n >> levels; edge /= 2) {
        for (int64_t i = 0; i < edge; i++)
            lift_line(&v[i], edge, edge);
        for (int64_t i = 0; i < edge; i++)
            lift_line(&v[i * edge], edge, 1);
        for (int64_t y = 0; y < edge; y++)
            for (int64_t x = 0; x < edge; x++)
                out[quarter_place(y, x, edge)] = v[y * edge + x];
        memcpy(v, out, (size_t)(edge / 2 * (edge / 2)) * sizeof *v);
    }
}

static int dwt2d_verify(struct workload *w, struct error *err) {
    struct dwt2d *m = (struct dwt2d *)w;
    const uint64_t pixels = m->n * m->n;
    const int_array *result[COLORS] = {&m->c_r_out, &m->c_g_out, &m->c_b_out};
    int32_t *v = alloc_array(COLORS * pixels, sizeof *v), *out = alloc_array(pixels, sizeof *out);
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < pixels; i++)
        unpack_pixel(m->src.v, i, &v[i], &v[pixels + i], &v[2 * pixels + i]);
    for (unsigned c = 0; rc == 0 && c < COLORS; c++) {
        transform(&v[c * pixels], out, (int64_t)m->n, m->levels);
        rc = verify_ints(result[c]->dev->name, result[c]->v, out, pixels, err);
    }
    free(v);
    free(out);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void dwt2d_expect(struct dwt2d *m) {
    uint64_t loads = 0, stores = 0;
    for (uint64_t level = 0; level < m->levels; level++) {
        const int64_t edge = (int64_t)(m->n >> level);
        const uint64_t blocks = (uint64_t)blocks_across(edge) * blocks_down(edge);
        loads += blocks * (uint64_t)((level_width(edge) + 3) * (3 + 8 * level_steps(edge)));
        stores += (uint64_t)(edge * edge);
    }
    expect_accesses(m->src.dev, m->n * m->n * COLORS / 4, 0);
    expect_accesses(m->c_r.dev, loads, m->n * m->n);
    expect_accesses(m->c_g.dev, loads, m->n * m->n);
    expect_accesses(m->c_b.dev, loads, m->n * m->n);
    expect_accesses(m->c_r_out.dev, 0, stores);
    expect_accesses(m->c_g_out.dev, 0, stores);
    expect_accesses(m->c_b_out.dev, 0, stores);
}

static bool levels_fit(struct dwt2d *m) {
    if (m->n >> (m->levels - 1) >= NARROWEST)
        return true;
    error_set(&m->base.err, "dwt2d: size: L, %u, leaves less than an edge of %d for the last level",
              (unsigned)m->levels, NARROWEST);
    return false;
}

static bool dwt2d_create(struct workload *w, const uint64_t *v) {
    struct dwt2d *m = (struct dwt2d *)w;
    m->n = v[0];
    m->levels = v[1];
    m->base.w.launches = COLORS * m->levels + 1;
    const uint64_t pixels = m->n * m->n;
    if (!workload_multiple(w, "N", m->n, 16) || !levels_fit(m) ||
        !NEW_ARRAY(m, src, pixels * COLORS / 4) || !NEW_ARRAY(m, c_r_out, pixels) ||
        !NEW_ARRAY(m, backup, pixels) || !NEW_ARRAY(m, c_g_out, pixels) ||
        !NEW_ARRAY(m, c_b_out, pixels) || !NEW_ARRAY(m, c_r, pixels) ||
        !NEW_ARRAY(m, c_g, pixels) || !NEW_ARRAY(m, c_b, pixels))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < pixels * COLORS / 4; i++)
        m->src.v[i] = (uint32_t)rng_next(&r);
    dwt2d_expect(m);
    return true;
}

const struct workload_type workload_dwt2d = {
    .name = "dwt2d",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc = "wavelet transform: CTAs move down columns, eight loads at a time, stores to quarters",
    .size_doc = "N[,L]: edge of the image (a multiple of 16), levels",
    .default_size = "512,3",
    .repeatable = true,
    .size = {{"N", 48, 8192}, {"L", 1, LEVELS}},
    .state_size = sizeof(struct dwt2d),
    .next = dwt2d_next,
    .verify = dwt2d_verify,
    .create = dwt2d_create,
};
