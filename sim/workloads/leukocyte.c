// SPDX-License-Identifier: Apache-2.0
/* leukocyte (Rodinia): finds cells in an image 219 rows high and W wide, then tracks C of them for
 * F frames.
 *
 * `gicov` has one CTA per column of the image, and one thread per pixel that is at least 22 pixels
 * from every side. A thread visits 7 circles of N points each and keeps the best quotient of mean
 * and deviation of the gradient along the radius. `dilate` gives each pixel the largest value in a
 * disc around it, except for pixels that the rounded-down grid omits. The image is stored by
 * columns and the output of `dilate` by rows, so the stores are W words apart. `track` has one CTA
 * of 320 threads per cell, which updates a field of 41 x 81 numbers in shared memory, at most I
 * times, until its mean change is small; the cell's image is loaded again each time.
 *
 * Thread-level accesses, with G = (W - 44) 175 pixels, D pixels that are dilated, P pixels of their
 * discs inside the image, K iterations for all cells in all frames and E = 3321:
 *   grad_x, grad_y  7 N G loads each
 *   gicov           P loads, G stores;  dilated: D stores
 *   ptr_i, ptr_v, rows, columns         320 C F loads each
 *   I               K E loads;          V: C F E loads, C F E stores
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define HEIGHT 219
#define MARGIN 22
#define INNER (HEIGHT - 2 * MARGIN) /* threads per CTA of `gicov` */
#define CIRCLES 7
#define MAX_POINTS 150 /* maximum number of points per circle */
#define RADIUS 12      /* radius of the disc of `dilate`, in pixels */
#define DILATE_BLOCK 176
#define ROWS 41
#define COLUMNS 81
#define FIELD (ROWS * COLUMNS)
#define TRACK_BLOCK 320
#define TREE 256 /* threads in the first step of a sum */
#define CUTOFF 0.0005f
#define SEED 0x1e0c

/* registers */
enum { INDEX, GRAD_X, GRAD_Y, SUM, BEST, VALUE, IMAGE, PTR_I, PTR_V, HIGH, WIDE };

enum { GICOV, DILATE, TRACK };

typedef ARRAY(float) float_array;
typedef ARRAY(uint64_t) pointers;
typedef ARRAY(int32_t) int_array;

struct leukocyte {
    struct lane_workload base;
    uint64_t points, width, cells, frames, iterations;
    /* Constants: points of the circles. */
    float cosine[MAX_POINTS], sine[MAX_POINTS];
    int32_t dx[CIRCLES][MAX_POINTS], dy[CIRCLES][MAX_POINTS];
    float_array grad_x, grad_y, gicov, dilated;
    float_array I, V; /* [cells][ROWS][COLUMNS] */
    pointers ptr_i, ptr_v;
    int_array rows, columns;
};

/* ---- Arithmetic ---- */

/* Sums over the points of a circle. */
struct circle {
    float sum, mean, squares;
};

static void walk(struct circle *c, uint64_t n, float along) {
    const float from_mean = along - c->mean;
    c->sum += along;
    c->mean += from_mean / (float)(n + 1);
    c->squares += from_mean * (along - c->mean);
}

/* Updates the score of a pixel with the sums over a circle of `points` points. *best is the square
 * of the highest score so far. */
static void judge(const struct circle *c, uint64_t points, float *best, float *score) {
    const float mean = c->sum / (float)points, variance = c->squares / (float)(points - 1);
    if (mean * mean / variance > *best) {
        *best = mean * mean / variance;
        *score = mean / sqrtf(variance);
    }
}

static const int8_t around[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                    {0, 1},   {1, -1}, {1, 0},  {1, 1}};

/* Returns the value at x of a smooth step from 0 to 1. */
static float smooth_step(float x) {
    return 0.5f + 0.318309886f * atanf(10 * x);
}

static int32_t clamped(int32_t i, int32_t n) {
    return i < 0 ? 0 : i == n ? n - 1 : i;
}

/* Returns the next value of element e of the field. The field flows up and to the left. */
static float flow(const float *v, int32_t e) {
    const int32_t row = e / COLUMNS, column = e % COLUMNS;
    float sum = 0;
    for (unsigned k = 0; k < 8; k++) {
        const int32_t at =
            clamped(row + around[k][0], ROWS) * COLUMNS + clamped(column + around[k][1], COLUMNS);
        const float difference = v[at] - v[e];
        const float against = (float)(around[k][0] + 2 * around[k][1]);
        sum += smooth_step(-against * difference) * difference;
    }
    return v[e] + 0.1f * sum;
}

/* Returns the value moved towards the cell's image. */
static float drawn(float flowed, float image) {
    return flowed - 0.2f * image * (flowed - image);
}

/* ---- Kernels ---- */

#define T thread_in_block(place, l)

struct gicov_warp {
    struct warp_head head;
    uint64_t n;
    unsigned k;
    float x[WARP_LANES], y[WARP_LANES], best[WARP_LANES], score[WARP_LANES];
    struct circle circle[WARP_LANES];
};

#define PIXEL(dx, dy) [(column + (dx)) * HEIGHT + MARGIN + T + (dy)]
#define ON_CIRCLE PIXEL(m->dx[w->k][w->n], m->dy[w->k][w->n])

static void gicov_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct leukocyte *m = ctx;
    struct gicov_warp *w = state;
    const int64_t column = place->cta[0] + MARGIN;
    (void)cta;

    WARP_BEGIN();
    ALU(6, w->best[l] = w->score[l] = 0, R(INDEX) | R(BEST), 0);
    for (w->k = 0; w->k < CIRCLES; w->k++) {
        ALU(3, w->circle[l] = (struct circle){0}, R(SUM), 0);
        for (w->n = 0; w->n < m->points; w->n++) {
            LD(w->x[l], m->grad_x, ON_CIRCLE, R(GRAD_X), R(INDEX));
            LD(w->y[l], m->grad_y, ON_CIRCLE, R(GRAD_Y), R(INDEX));
            ALU(12, walk(&w->circle[l], w->n, w->x[l] * m->cosine[w->n] + w->y[l] * m->sine[w->n]),
                R(SUM), R(SUM) | R(GRAD_X) | R(GRAD_Y));
        }
        ALU(8, judge(&w->circle[l], m->points, &w->best[l], &w->score[l]), R(BEST),
            R(BEST) | R(SUM));
        SFU(2, (void)0, R(BEST), R(BEST));
    }
    ST(w->score[l], m->gicov, PIXEL(0, 0), R(BEST) | R(INDEX));
    WARP_END();
}

struct dilate_warp {
    struct warp_head head;
    uint32_t all, /* lanes with a pixel */
        row;      /* lanes with the current row of their discs */
    int64_t dy, dx;
    float value[WARP_LANES], most[WARP_LANES];
};

static int64_t pixels(const struct leukocyte *m) {
    return HEIGHT * (int64_t)m->width;
}

static bool in_disc(int64_t dy, int64_t dx) {
    return dy * dy + dx * dx <= RADIUS * RADIUS;
}

static bool inside(int64_t i, int64_t n) {
    return i >= 0 && i < n;
}

#define ID ((int64_t)thread_in_grid(place, DILATE_BLOCK, l))
#define ROW (ID % HEIGHT)
#define COLUMN (ID / HEIGHT)

static void dilate_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct leukocyte *m = ctx;
    struct dilate_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU(12, w->most[l] = 0, R(INDEX) | R(BEST), 0);
    RETURN_UNLESS(ID < pixels(m));
    w->all = w->head.on;
    for (w->dy = -RADIUS; w->dy <= RADIUS; w->dy++) {
        ALU_RUN(3, 0, R(INDEX));
        KEEP_LANES(inside(ROW + w->dy, HEIGHT));
        w->row = w->head.on;
        for (w->dx = -RADIUS; w->dx <= RADIUS; w->dx++) {
            ALU_RUN(4, 0, R(INDEX));
            KEEP_LANES(in_disc(w->dy, w->dx) && inside(COLUMN + w->dx, (int64_t)m->width));
            LD(w->value[l], m->gicov, [(COLUMN + w->dx) * HEIGHT + ROW + w->dy], R(VALUE),
               R(INDEX));
            ALU(1, w->most[l] = fmaxf(w->most[l], w->value[l]), R(BEST), R(BEST) | R(VALUE));
            w->head.on = w->row;
        }
        w->head.on = w->all;
    }
    ST(w->most[l], m->dilated, [ROW * (int64_t)m->width + COLUMN], R(BEST) | R(INDEX));
    WARP_END();
}

/* __shared__ variables of a CTA. An iteration reads one field and writes the other. */
struct track_block {
    float v[2][FIELD];
    float change[TRACK_BLOCK];
    bool converged;
};

struct track_warp {
    struct warp_head head;
    uint64_t iteration;
    uint32_t chunk, half;
    uint64_t ptr_i[WARP_LANES], ptr_v[WARP_LANES];
    int32_t size[WARP_LANES];
    float old[WARP_LANES], value[WARP_LANES], image[WARP_LANES], change[WARP_LANES];
};

#define CHUNKS ((FIELD + TRACK_BLOCK - 1) / TRACK_BLOCK)
#define E (w->chunk * TRACK_BLOCK + T)
#define FROM (s->v[w->iteration % 2])
#define TO (s->v[(w->iteration + 1) % 2])

static void track_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct leukocyte *m = ctx;
    struct track_block *s = cta;
    struct track_warp *w = state;
    const uint32_t cell = place->cta[0];

    WARP_BEGIN();
    ALU_RUN(4, R(INDEX), 0);
    LD(w->ptr_v[l], m->ptr_v, [cell], R(PTR_V), R(INDEX));
    LD(w->ptr_i[l], m->ptr_i, [cell], R(PTR_I), R(INDEX));
    LD(w->size[l], m->rows, [cell], R(HIGH), R(INDEX));
    LD(w->size[l], m->columns, [cell], R(WIDE), R(INDEX));
    for (w->chunk = 0; w->chunk < CHUNKS; w->chunk++) {
        ALU_RUN(4, R(INDEX), R(INDEX) | R(HIGH) | R(WIDE));
        KEEP_LANES(E < FIELD);
        LD(w->value[l], m->V, [w->ptr_v[l] + E], R(VALUE), R(PTR_V) | R(INDEX));
        SHARED(1, s->v[0][E] = w->value[l], 0, R(VALUE));
        EVERY_LANE();
    }
    BAR();
    for (w->iteration = 0; w->iteration < m->iterations && !s->converged; w->iteration++) {
        ALU(1, w->change[l] = 0, R(SUM), 0);
        for (w->chunk = 0; w->chunk < CHUNKS; w->chunk++) {
            ALU_RUN(12, R(INDEX), R(INDEX));
            KEEP_LANES(E < FIELD);
            SHARED(9, w->old[l] = FROM[E], R(VALUE), R(INDEX));
            ALU(300, w->value[l] = flow(FROM, (int32_t)E), R(VALUE), R(VALUE));
            LD(w->image[l], m->I, [w->ptr_i[l] + E], R(IMAGE), R(PTR_I) | R(INDEX));
            ALU(4, w->value[l] = drawn(w->value[l], w->image[l]), R(VALUE), R(VALUE) | R(IMAGE));
            SHARED(1, TO[E] = w->value[l], 0, R(VALUE) | R(INDEX));
            ALU(2, w->change[l] += fabsf(w->value[l] - w->old[l]), R(SUM), R(SUM) | R(VALUE));
            EVERY_LANE();
            BAR();
        }
        SHARED(1, s->change[T] = w->change[l], 0, R(SUM));
        BAR();
        for (w->half = TREE; w->half > 0; w->half /= 2) {
            BRANCH(R(INDEX));
            KEEP_LANES(T < w->half && T + w->half < TRACK_BLOCK);
            SHARED(2, w->change[l] = s->change[T] + s->change[T + w->half], R(SUM), R(INDEX));
            SHARED(1, s->change[T] = w->change[l], 0, R(SUM));
            KEEP_LANES(w->half == 1);
            SHARED(1, s->converged = s->change[0] / FIELD < CUTOFF, 0, R(SUM));
            EVERY_LANE();
            BAR();
        }
    }
    for (w->chunk = 0; w->chunk < CHUNKS; w->chunk++) {
        KEEP_LANES(E < FIELD);
        SHARED(1, w->value[l] = FROM[E], R(VALUE), R(INDEX));
        ST(w->value[l], m->V, [w->ptr_v[l] + E], R(VALUE) | R(PTR_V) | R(INDEX));
        EVERY_LANE();
    }
    WARP_END();
}

/* ---- Launches ---- */

/* Generates the images of all cells in a frame on the host. These are also the initial fields. */
static void make_frame(uint64_t cells, uint64_t frame, float *image) {
    struct rng r = {SEED + 1 + frame};
    for (uint64_t c = 0; c < cells; c++)
        for (int64_t e = 0; e < FIELD; e++, image++) {
            const int64_t row = e / COLUMNS, column = e % COLUMNS - (int64_t)frame;
            const bool edge = row == ROWS / 2 || column == COLUMNS / 3;
            *image = (edge ? 0.6f : 0) + 0.4f * rng_unit(&r);
        }
}

static uint32_t dilate_blocks(const struct leukocyte *m) {
    return (uint32_t)((pixels(m) + DILATE_BLOCK / 2) / DILATE_BLOCK);
}

static bool leukocyte_next(struct workload *w, struct kernel_launch *launch) {
    struct leukocyte *m = (struct leukocyte *)w;
    const struct kernel_launch kernels[] = {
        {.name = "leukocyte gicov",
         .grid = {(uint32_t)m->width - 2 * MARGIN, 1, 1},
         .block = {INNER, 1, 1},
         .warp_state_size = sizeof(struct gicov_warp),
         .step = gicov_step},
        {.name = "leukocyte dilate",
         .grid = {dilate_blocks(m), 1, 1},
         .block = {DILATE_BLOCK, 1, 1},
         .warp_state_size = sizeof(struct dilate_warp),
         .step = dilate_step},
        {.name = "leukocyte track",
         .grid = {(uint32_t)m->cells, 1, 1},
         .block = {TRACK_BLOCK, 1, 1},
         .shared_bytes = (FIELD + TRACK_BLOCK + 1) * sizeof(float),
         .warp_state_size = sizeof(struct track_warp),
         .cta_state_size = sizeof(struct track_block),
         .step = track_step},
    };
    const unsigned k = m->base.launched;
    if (k == TRACK + m->frames)
        return false;
    m->base.launched++;
    if (k >= TRACK) {
        make_frame(m->cells, k - TRACK, m->I.v);
        memcpy(m->V.v, m->I.v, m->cells * FIELD * sizeof *m->V.v);
    }
    *launch = kernels[k < TRACK ? k : TRACK];
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

static void find(const struct leukocyte *m, float *gicov) {
    for (uint64_t x = MARGIN; x < m->width - MARGIN; x++)
        for (uint64_t y = MARGIN; y < HEIGHT - MARGIN; y++) {
            float best = 0;
            for (unsigned k = 0; k < CIRCLES; k++) {
                struct circle c = {0};
                for (uint64_t n = 0; n < m->points; n++) {
                    const int64_t at =
                        ((int64_t)x + m->dx[k][n]) * HEIGHT + (int64_t)y + m->dy[k][n];
                    walk(&c, n, m->grad_x.v[at] * m->cosine[n] + m->grad_y.v[at] * m->sine[n]);
                }
                judge(&c, m->points, &best, &gicov[x * HEIGHT + y]);
            }
        }
}

/* Returns the number of pixels for which `dilate` has threads. */
static int64_t dilated_pixels(const struct leukocyte *m) {
    const int64_t threads = (int64_t)dilate_blocks(m) * DILATE_BLOCK;
    return threads < pixels(m) ? threads : pixels(m);
}

static void dilate(const struct leukocyte *m, const float *gicov, float *out) {
    const int64_t width = (int64_t)m->width;
    for (int64_t id = 0; id < dilated_pixels(m); id++)
        for (int64_t y = 0; y < HEIGHT; y++)
            for (int64_t x = id / HEIGHT - RADIUS; x <= id / HEIGHT + RADIUS; x++)
                if (inside(x, width) && in_disc(id % HEIGHT - y, id / HEIGHT - x)) {
                    float *most = &out[id % HEIGHT * width + id / HEIGHT];
                    *most = fmaxf(*most, gicov[x * HEIGHT + y]);
                }
}

/* Updates a field until it settles, at most `iterations` times. `other` is scratch space of the
 * same size. Returns the number of updates. */
static uint64_t track(uint64_t iterations, const float *image, float *v, float *other) {
    for (uint64_t k = 1; k <= iterations; k++) {
        float change[TRACK_BLOCK] = {0};
        for (int32_t e = 0; e < FIELD; e++) {
            other[e] = drawn(flow(v, e), image[e]);
            change[e % TRACK_BLOCK] += fabsf(other[e] - v[e]);
        }
        memcpy(v, other, FIELD * sizeof *v);
        for (uint32_t half = TREE; half > 0; half /= 2)
            for (uint32_t i = 0; i < half && i + half < TRACK_BLOCK; i++)
                change[i] += change[i + half];
        if (change[0] / FIELD < CUTOFF)
            return k;
    }
    return iterations;
}

/* Checks V after the last frame. Sets the expected loads of I. */
static int verify_tracks(struct leukocyte *m, struct error *err) {
    const uint64_t n = m->cells * FIELD;
    float *image = alloc_array(n, sizeof *image), *v = alloc_array(n, sizeof *v), other[FIELD];
    uint64_t done = 0;
    int rc = 0;
    for (uint64_t frame = 0; rc == 0 && frame < m->frames; frame++) {
        make_frame(m->cells, frame, image);
        memcpy(v, image, n * sizeof *v);
        for (uint64_t c = 0; c < n; c += FIELD)
            done += track(m->iterations, &image[c], &v[c], other);
    }
    if (rc == 0) {
        expect_accesses(m->I.dev, done * FIELD, 0);
        rc = verify_floats("V", m->V.v, v, n, err);
    }
    free(image);
    free(v);
    return rc;
}

static int leukocyte_verify(struct workload *w, struct error *err) {
    struct leukocyte *m = (struct leukocyte *)w;
    const uint64_t n = (uint64_t)pixels(m);
    float *gicov = alloc_zeroed(n, sizeof *gicov), *out = alloc_zeroed(n, sizeof *out);
    find(m, gicov);
    int rc = verify_floats("gicov", m->gicov.v, gicov, n, err);
    if (rc == 0) {
        dilate(m, gicov, out);
        rc = verify_floats("dilated", m->dilated.v, out, n, err);
    }
    free(gicov);
    free(out);
    if (rc == 0)
        rc = verify_tracks(m, err);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Construction ---- */

/* Returns the brightness of a pixel. Cells are bright discs in noise. */
static float brightness(struct rng *r, int64_t x, int64_t y) {
    const int64_t dx = x % 48 - 24, dy = y % 48 - 24;
    return (dx * dx + dy * dy < 144 ? 0.8f : 0.2f) + 0.2f * rng_unit(r);
}

static void make_gradient(struct leukocyte *m) {
    float *image = alloc_array((size_t)pixels(m), sizeof *image);
    struct rng r = {SEED};
    for (int64_t i = 0; i < pixels(m); i++)
        image[i] = brightness(&r, i / HEIGHT, i % HEIGHT);
    for (int64_t i = HEIGHT; i < pixels(m) - HEIGHT; i++) {
        m->grad_x.v[i] = image[i + HEIGHT] - image[i - HEIGHT];
        m->grad_y.v[i] = image[i + 1] - image[i - 1];
    }
    free(image);
}

static void make_circles(struct leukocyte *m) {
    for (uint64_t n = 0; n < m->points; n++) {
        const double angle = 6.283185307179586 * (double)n / (double)m->points;
        m->cosine[n] = (float)cos(angle);
        m->sine[n] = (float)sin(angle);
        for (int k = 0; k < CIRCLES; k++) {
            m->dx[k][n] = (int32_t)(cos(angle) * (8 + 2 * k));
            m->dy[k][n] = (int32_t)(sin(angle) * (8 + 2 * k));
        }
    }
}

/* Returns the number of pixels inside the image, over all discs. */
static uint64_t discs(const struct leukocyte *m) {
    uint64_t sum = 0;
    for (int64_t id = 0; id < dilated_pixels(m); id++)
        for (int64_t dy = -RADIUS; dy <= RADIUS; dy++) {
            int64_t dx = RADIUS;
            while (!in_disc(dy, dx))
                dx--;
            if (inside(id % HEIGHT + dy, HEIGHT))
                sum += cells_inside(id / HEIGHT - dx, id / HEIGHT + dx, (int64_t)m->width);
        }
    return sum;
}

/* Sets the expected access counts from the formulae in the file's header, except those of I, which
 * depend on the results. */
static void leukocyte_expect(struct leukocyte *m) {
    const uint64_t found = (m->width - 2 * MARGIN) * INNER, walked = CIRCLES * m->points * found;
    const uint64_t tracks = m->cells * m->frames;
    expect_accesses(m->grad_x.dev, walked, 0);
    expect_accesses(m->grad_y.dev, walked, 0);
    expect_accesses(m->gicov.dev, discs(m), found);
    expect_accesses(m->dilated.dev, 0, (uint64_t)dilated_pixels(m));
    expect_accesses(m->V.dev, tracks * FIELD, tracks * FIELD);
    expect_accesses(m->ptr_i.dev, tracks * TRACK_BLOCK, 0);
    expect_accesses(m->ptr_v.dev, tracks * TRACK_BLOCK, 0);
    expect_accesses(m->rows.dev, tracks * TRACK_BLOCK, 0);
    expect_accesses(m->columns.dev, tracks * TRACK_BLOCK, 0);
}

static bool leukocyte_arrays(struct leukocyte *m) {
    const uint64_t n = (uint64_t)pixels(m), c = m->cells;
    return NEW_ARRAY(m, grad_x, n) && NEW_ARRAY(m, grad_y, n) && NEW_ARRAY(m, gicov, n) &&
           NEW_ARRAY(m, dilated, n) && NEW_ARRAY(m, I, c * FIELD) && NEW_ARRAY(m, V, c * FIELD) &&
           NEW_ARRAY(m, ptr_i, c) && NEW_ARRAY(m, ptr_v, c) && NEW_ARRAY(m, rows, c) &&
           NEW_ARRAY(m, columns, c);
}

static bool leukocyte_create(struct workload *w, const uint64_t *v) {
    struct leukocyte *m = (struct leukocyte *)w;
    m->points = v[0];
    m->width = v[1];
    m->cells = v[2];
    m->frames = v[3];
    m->iterations = v[4];
    m->base.w.launches = TRACK + m->frames;
    if (!leukocyte_arrays(m))
        return false;
    make_gradient(m);
    for (uint64_t c = 0; c < m->cells; c++) {
        m->ptr_i.v[c] = m->ptr_v.v[c] = c * FIELD;
        m->rows.v[c] = ROWS;
        m->columns.v[c] = COLUMNS;
    }
    make_circles(m);
    leukocyte_expect(m);
    return true;
}

const struct workload_type workload_leukocyte = {
    .name = "leukocyte",
    .suite = "Rodinia",
    .doc =
        "cells in an image: reads in circles and discs, stores a row apart, flow in shared memory",
    .size_doc =
        "N[,W[,C[,F[,I]]]]: points per circle, width of the image, cells, frames, iterations",
    .default_size = "30,640,36,2,10",
    .size = {{"N", 2, MAX_POINTS},
             {"W", 2 * MARGIN + 1, 1u << 20},
             {"C", 1, 65535},
             {"F", 1, 1000},
             {"I", 1, 500}},
    .state_size = sizeof(struct leukocyte),
    .next = leukocyte_next,
    .verify = leukocyte_verify,
    .create = leukocyte_create,
};
