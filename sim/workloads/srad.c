// SPDX-License-Identifier: Apache-2.0
/* srad (UVMBench, from Rodinia): speckle-reducing anisotropic diffusion of an N x N image, I
 * iterations.
 *
 * Each iteration takes two launches, one thread per pixel, 16 x 16 threads per CTA. `gradient`
 * computes the differences between each pixel and its four neighbors, and the pixel's diffusion
 * coefficient; `diffuse` updates the pixels. A CTA keeps its tile in shared memory, and also, for
 * each pixel, the value one step outside the tile: every thread loads it, but only threads at the
 * tile's edge use it. Before an iteration the host computes the variance of the image's first 128 x
 * 128 pixels.
 *
 * As in the original, CTAs at the image's edge load values outside the image before they load the
 * pixel that they use. In the original these values belong to another array or to no array. Here J
 * has an extra row above and below the image, and C has an extra row below it.
 *
 * Thread-level accesses per iteration, with T = N^2: J: 6 T + 64 N loads, T stores. C: 3 T + 32 N
 * loads, T stores. E, W, S, N: T loads and T stores each.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define TILE 16
#define REGION 128 /* edge of the region used for the variance */
#define SEED 0x54ad

static const float lambda = 0.5f;

enum { INDEX, NORTH, SOUTH, WEST, EAST, PIXEL, DIFFERENCE, COEFFICIENT, SUM }; /* registers */

typedef ARRAY(float) float_array;

struct srad {
    struct lane_workload base;
    uint64_t n, iterations;
    float q0sqr;            /* squared coefficient of variation in the current iteration */
    float_array J;          /* [n + 2][n]; row 0 and row n + 1 are outside the image */
    float_array C;          /* [n + 1][n]; row n is outside the image */
    float_array E, W, S, N; /* differences from the neighbors */
};

/* Inputs of a pixel's coefficient. */
struct pixel {
    float value, n, s, w, e; /* value, and differences from the neighbors */
};

/* __shared__ arrays of a CTA. */
struct gradient_block {
    float tile[TILE][TILE], north[TILE][TILE], south[TILE][TILE], west[TILE][TILE],
        east[TILE][TILE];
};

struct diffuse_block {
    float tile[TILE][TILE], c[TILE][TILE], south[TILE][TILE], east[TILE][TILE];
};

struct gradient_warp {
    struct warp_head head;
    unsigned side; /* index of the part of the tile, 0..8 */
    float value[WARP_LANES], extra[WARP_LANES], coefficient[WARP_LANES];
    struct pixel pixel[WARP_LANES];
};

struct diffuse_warp {
    struct warp_head head;
    float pixel[WARP_LANES], value[WARP_LANES], south[WARP_LANES], east[WARP_LANES];
    float n[WARP_LANES], s[WARP_LANES], w[WARP_LANES], e[WARP_LANES];
    float sum[WARP_LANES];
};

static float coefficient(const struct pixel *p, float q0sqr) {
    const float g2 =
        (p->n * p->n + p->s * p->s + p->w * p->w + p->e * p->e) / (p->value * p->value);
    const float laplace = (p->n + p->s + p->w + p->e) / p->value;
    const float num = (float)(0.5 * (double)g2 - (1.0 / 16.0) * (double)(laplace * laplace));
    float den = (float)(1 + 0.25 * (double)laplace);
    const float qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    const float c = (float)(1.0 / (1.0 + (double)den));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static float diffused(float pixel, float sum) {
    return (float)((double)pixel + 0.25 * (double)lambda * (double)sum);
}

/* Computes the differences of pixel y,x of a tile. */
static struct pixel read_pixel(const struct gradient_block *s, uint32_t y, uint32_t x) {
    const float v = s->tile[y][x];
    return (struct pixel){
        .value = v,
        .n = (y == 0 ? s->north[y][x] : s->tile[y - 1][x]) - v,
        .s = (y == TILE - 1 ? s->south[y][x] : s->tile[y + 1][x]) - v,
        .w = (x == 0 ? s->west[y][x] : s->tile[y][x - 1]) - v,
        .e = (x == TILE - 1 ? s->east[y][x] : s->tile[y][x + 1]) - v,
    };
}

/* Returns the part of the tile, 0..8. Corners, sides and the middle are parts, because each has a
 * branch of its own. */
static unsigned side_of(uint32_t y, uint32_t x) {
    const unsigned row = y == 0 ? 0 : y == TILE - 1 ? 2 : 1;
    return 3 * row + (x == 0 ? 0 : x == TILE - 1 ? 2 : 1);
}

#define X thread_x(place, TILE, l)
#define Y thread_y(place, TILE, l)
#define FIRST_ROW (place->cta[1] == 0)
#define LAST_ROW ((place->cta[1] + 1) * (uint64_t)TILE == m->n)
#define FIRST_COLUMN (place->cta[0] == 0)
#define LAST_COLUMN ((place->cta[0] + 1) * (uint64_t)TILE == m->n)

static void gradient_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct srad *m = ctx;
    struct gradient_block *s = cta;
    struct gradient_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t tile = TILE * (n * place->cta[1] + place->cta[0]); /* first pixel of the tile */
    const uint64_t base = tile + n;                                   /* index of that pixel in J */

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    LD(w->value[l], m->J, [base - n + X], R(NORTH), R(INDEX));
    SHARED(1, s->north[Y][X] = w->value[l], 0, R(NORTH));
    LD(w->value[l], m->J, [base + TILE * n + X], R(SOUTH), R(INDEX));
    SHARED(1, s->south[Y][X] = w->value[l], 0, R(SOUTH));
    ALU_RUN(2, 0, R(INDEX));
    if (FIRST_ROW) {
        LD(w->extra[l], m->J, [base + X], R(NORTH), R(INDEX));
        SHARED(1, s->north[Y][X] = w->extra[l], 0, R(NORTH));
    } else if (LAST_ROW) {
        LD(w->extra[l], m->J, [base + (TILE - 1) * n + X], R(SOUTH), R(INDEX));
        SHARED(1, s->south[Y][X] = w->extra[l], 0, R(SOUTH));
    }
    BAR();
    LD(w->value[l], m->J, [base + n * Y - 1], R(WEST), R(INDEX));
    SHARED(1, s->west[Y][X] = w->value[l], 0, R(WEST));
    LD(w->value[l], m->J, [base + n * Y + TILE], R(EAST), R(INDEX));
    SHARED(1, s->east[Y][X] = w->value[l], 0, R(EAST));
    ALU_RUN(2, 0, R(INDEX));
    if (FIRST_COLUMN) {
        LD(w->extra[l], m->J, [base + n * Y], R(WEST), R(INDEX));
        SHARED(1, s->west[Y][X] = w->extra[l], 0, R(WEST));
    } else if (LAST_COLUMN) {
        LD(w->extra[l], m->J, [base + n * Y + TILE - 1], R(EAST), R(INDEX));
        SHARED(1, s->east[Y][X] = w->extra[l], 0, R(EAST));
    }
    BAR();
    LD(w->value[l], m->J, [base + n * Y + X], R(PIXEL), R(INDEX));
    SHARED(1, s->tile[Y][X] = w->value[l], 0, R(PIXEL));
    BAR();
    for (w->side = 0; w->side < 9; w->side++) {
        KEEP_LANES(side_of(Y, X) == w->side);
        SHARED(5, w->pixel[l] = read_pixel(s, Y, X), R(PIXEL), 0);
        ALU_RUN(4, R(DIFFERENCE), R(PIXEL));
        EVERY_LANE();
    }
    ALU_RUN(12, R(SUM), R(DIFFERENCE) | R(PIXEL));
    SFU(3, w->coefficient[l] = coefficient(&w->pixel[l], m->q0sqr), R(COEFFICIENT), R(SUM));
    FP64(10, (void)0, R(COEFFICIENT), R(COEFFICIENT));
    BAR();
    ST(w->coefficient[l], m->C, [tile + n * Y + X], R(COEFFICIENT) | R(INDEX));
    ST(w->pixel[l].e, m->E, [tile + n * Y + X], R(DIFFERENCE) | R(INDEX));
    ST(w->pixel[l].w, m->W, [tile + n * Y + X], R(DIFFERENCE) | R(INDEX));
    ST(w->pixel[l].s, m->S, [tile + n * Y + X], R(DIFFERENCE) | R(INDEX));
    ST(w->pixel[l].n, m->N, [tile + n * Y + X], R(DIFFERENCE) | R(INDEX));
    WARP_END();
}

static void diffuse_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct srad *m = ctx;
    struct diffuse_block *s = cta;
    struct diffuse_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t base = TILE * (n * place->cta[1] + place->cta[0]); /* first pixel of the tile */

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    LD(w->pixel[l], m->J, [base + n * (Y + 1) + X], R(PIXEL), R(INDEX));
    SHARED(1, s->tile[Y][X] = w->pixel[l], 0, R(PIXEL));
    BAR();
    LD(w->value[l], m->C, [base + TILE * n + X], R(SOUTH), R(INDEX));
    SHARED(1, s->south[Y][X] = w->value[l], 0, R(SOUTH));
    ALU_RUN(2, 0, R(INDEX));
    if (LAST_ROW) {
        LD(w->value[l], m->C, [base + (TILE - 1) * n + X], R(SOUTH), R(INDEX));
        SHARED(1, s->south[Y][X] = w->value[l], 0, R(SOUTH));
    }
    BAR();
    LD(w->value[l], m->C, [base + n * Y + TILE], R(EAST), R(INDEX));
    SHARED(1, s->east[Y][X] = w->value[l], 0, R(EAST));
    ALU_RUN(2, 0, R(INDEX));
    if (LAST_COLUMN) {
        LD(w->value[l], m->C, [base + n * Y + TILE - 1], R(EAST), R(INDEX));
        SHARED(1, s->east[Y][X] = w->value[l], 0, R(EAST));
    }
    BAR();
    LD(w->value[l], m->C, [base + n * Y + X], R(COEFFICIENT), R(INDEX));
    SHARED(1, s->c[Y][X] = w->value[l], 0, R(COEFFICIENT));
    BAR();
    SHARED(1, w->south[l] = Y == TILE - 1 ? s->south[Y][X] : s->c[Y + 1][X], R(SOUTH), 0);
    SHARED(1, w->east[l] = X == TILE - 1 ? s->east[Y][X] : s->c[Y][X + 1], R(EAST), 0);
    LD(w->n[l], m->N, [base + n * Y + X], R(NORTH), R(INDEX));
    ALU(1, w->sum[l] = w->value[l] * w->n[l], R(SUM), R(COEFFICIENT) | R(NORTH));
    LD(w->s[l], m->S, [base + n * Y + X], R(DIFFERENCE), R(INDEX));
    ALU(1, w->sum[l] += w->south[l] * w->s[l], R(SUM), R(SUM) | R(SOUTH) | R(DIFFERENCE));
    LD(w->w[l], m->W, [base + n * Y + X], R(WEST), R(INDEX));
    ALU(1, w->sum[l] += w->value[l] * w->w[l], R(SUM), R(SUM) | R(COEFFICIENT) | R(WEST));
    LD(w->e[l], m->E, [base + n * Y + X], R(DIFFERENCE), R(INDEX));
    ALU(1, w->sum[l] += w->east[l] * w->e[l], R(SUM), R(SUM) | R(EAST) | R(DIFFERENCE));
    FP64(4, w->pixel[l] = diffused(w->pixel[l], w->sum[l]), R(PIXEL), R(PIXEL) | R(SUM));
    BAR();
    ST(w->pixel[l], m->J, [base + n * (Y + 1) + X], R(PIXEL) | R(INDEX));
    WARP_END();
}

/* Returns the squared coefficient of variation of the region, computed by the host. */
static float region_q0sqr(uint64_t n, const float *image) {
    const uint64_t edge = n < REGION ? n : REGION;
    float sum = 0, sum2 = 0;
    for (uint64_t i = 0; i < edge; i++) {
        for (uint64_t j = 0; j < edge; j++) {
            const float v = image[i * n + j];
            sum += v;
            sum2 += v * v;
        }
    }
    const float mean = sum / (float)(edge * edge);
    return (sum2 / (float)(edge * edge) - mean * mean) / (mean * mean);
}

static bool srad_next(struct workload *w, struct kernel_launch *launch) {
    struct srad *m = (struct srad *)w;
    const bool gradient = m->base.launched % 2 == 0;
    if (m->base.launched == 2 * m->iterations)
        return false;
    if (gradient)
        m->q0sqr = region_q0sqr(m->n, &m->J.v[m->n]);
    m->base.launched++;
    const uint32_t edge = (uint32_t)(m->n / TILE);
    const size_t shared = gradient ? sizeof(struct gradient_block) : sizeof(struct diffuse_block);
    *launch = (struct kernel_launch){
        .name = gradient ? "srad gradient" : "srad diffuse",
        .grid = {edge, edge, 1},
        .block = {TILE, TILE, 1},
        .shared_bytes = (uint32_t)shared,
        .warp_state_size = gradient ? sizeof(struct gradient_warp) : sizeof(struct diffuse_warp),
        .cta_state_size = shared,
        .step = gradient ? gradient_step : diffuse_step,
        .ctx = m,
    };
    return true;
}

static void srad_inputs(uint64_t n, float *image) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n * n; i++)
        image[i] = (float)exp((double)rng_unit(&r));
}

/* Pixels and coefficients of one image, for the reference version. */
struct srad_plain {
    uint64_t n;
    float *image, *c;
    struct pixel *pixel;
};

static void diffuse(const struct srad_plain *p) {
    const uint64_t n = p->n;
    const float q0sqr = region_q0sqr(n, p->image);
    for (uint64_t at = 0; at < n * n; at++) {
        const uint64_t i = at / n, j = at % n;
        const float v = p->image[at];
        p->pixel[at] = (struct pixel){
            .value = v,
            .n = p->image[i > 0 ? at - n : at] - v,
            .s = p->image[i < n - 1 ? at + n : at] - v,
            .w = p->image[j > 0 ? at - 1 : at] - v,
            .e = p->image[j < n - 1 ? at + 1 : at] - v,
        };
        p->c[at] = coefficient(&p->pixel[at], q0sqr);
    }
    for (uint64_t at = 0; at < n * n; at++) {
        const uint64_t i = at / n, j = at % n;
        const float south = p->c[i < n - 1 ? at + n : at], east = p->c[j < n - 1 ? at + 1 : at];
        const struct pixel *d = &p->pixel[at];
        float sum = p->c[at] * d->n;
        sum += south * d->s;
        sum += p->c[at] * d->w;
        sum += east * d->e;
        p->image[at] = diffused(p->image[at], sum);
    }
}

static int srad_verify(struct workload *w, struct error *err) {
    struct srad *m = (struct srad *)w;
    const uint64_t pixels = m->n * m->n;
    const struct srad_plain p = {
        .n = m->n,
        .image = alloc_array(pixels, sizeof *p.image),
        .c = alloc_array(pixels, sizeof *p.c),
        .pixel = alloc_array(pixels, sizeof *p.pixel),
    };
    srad_inputs(m->n, p.image);
    for (uint64_t k = 0; k < m->iterations; k++)
        diffuse(&p);
    int rc = verify_floats("J", &m->J.v[m->n], p.image, pixels, err);
    if (rc == 0)
        rc = verify_floats("C", m->C.v, p.c, pixels, err);
    free(p.image);
    free(p.c);
    free(p.pixel);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void srad_expect(struct srad *m) {
    const uint64_t n = m->n, k = m->iterations, pixels = k * n * n;
    expect_accesses(m->J.dev, 6 * pixels + 4 * k * n * TILE, pixels);
    expect_accesses(m->C.dev, 3 * pixels + 2 * k * n * TILE, pixels);
    expect_accesses(m->E.dev, pixels, pixels);
    expect_accesses(m->W.dev, pixels, pixels);
    expect_accesses(m->S.dev, pixels, pixels);
    expect_accesses(m->N.dev, pixels, pixels);
}

static bool srad_arrays(struct srad *m) {
    const uint64_t n = m->n;
    return NEW_ARRAY(m, J, (n + 2) * n) && NEW_ARRAY(m, C, (n + 1) * n) && NEW_ARRAY(m, E, n * n) &&
           NEW_ARRAY(m, W, n * n) && NEW_ARRAY(m, S, n * n) && NEW_ARRAY(m, N, n * n);
}

static bool srad_create(struct workload *w, const uint64_t *v) {
    struct srad *m = (struct srad *)w;
    if (!workload_multiple(w, "N", v[0], TILE))
        return false;
    m->n = v[0];
    m->iterations = v[1];
    m->base.w.launches = 2 * m->iterations;
    if (!srad_arrays(m))
        return false;
    srad_inputs(m->n, &m->J.v[m->n]);
    srad_expect(m);
    return true;
}

const struct workload_type workload_srad = {
    .name = "srad",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc = "image diffusion: 16 x 16 tiles with halo loads, six arrays, doubles",
    .size_doc = "N[,I]: edge of the image (a multiple of 16, at least 32), iterations",
    .default_size = "512,2",
    .size = {{"N", 2 * TILE, 8192}, {"I", 1, 100000}},
    .state_size = sizeof(struct srad),
    .next = srad_next,
    .verify = srad_verify,
    .create = srad_create,
};
