// SPDX-License-Identifier: Apache-2.0
/* hotspot (UVMBench, from Rodinia): computes the temperatures in an N x N chip in S steps of a
 * five-point stencil, with up to P steps per launch.
 *
 * A CTA loads a tile of 16 x 16 cells into shared memory and computes all steps of the launch
 * there. Each step makes the outermost ring of valid cells invalid, so tiles overlap by P cells at
 * each side. The two temperature arrays swap roles at each launch.
 *
 * Thread-level accesses: a launch of s steps has tiles every e = 16 - 2 s cells, G = ceil(N / (16 -
 * 2 P)) of them along an edge, the first at -P. With V the number of cells inside the chip that the
 * tiles of one row cover along it (the sum over b < G of the size of [e b - P, e b - P + 15] within
 * [0, N-1]), each launch makes V^2 loads of its source and of power, and N^2 stores to its
 * destination.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define TILE 16
#define SEED 0x407

enum { INDEX, TEMPERATURE, POWER, CELL, RESULT }; /* registers */

typedef ARRAY(float) float_array;

struct hotspot {
    struct lane_workload base;
    int64_t n, border, steps; /* edge of the chip, P, S */
    int64_t done;             /* number of steps in earlier launches */
    int64_t now;              /* number of steps in the current launch */
    float_array t0, t1, power;
    float_array src, dst; /* arrays of the current launch: t0 and t1, or t1 and t0 */
};

/* __shared__ arrays of a CTA. */
struct tile {
    float t[TILE][TILE], power[TILE][TILE], result[TILE][TILE];
};

/* Inputs of one step of a cell. */
struct hotspot_cell {
    float t, north, south, west, east, power;
};

struct hotspot_warp {
    struct warp_head head;
    uint32_t inside; /* lanes with a cell in the chip */
    int64_t k;
    float t[WARP_LANES], power[WARP_LANES], result[WARP_LANES];
    struct hotspot_cell cell[WARP_LANES];
};

static float heat(const struct hotspot_cell *c) {
    const float ambient = 80.0f;
    return c->t + 0.1f * (c->power + (c->south + c->north - 2 * c->t) * 0.5f +
                          (c->east + c->west - 2 * c->t) * 0.4f + (ambient - c->t) * 0.05f);
}

/* Return the coordinates of a lane's cell in the tile, and the coordinate in the chip of the tile's
 * first row or column. */
static int64_t tile_x(uint32_t l) {
    return l % TILE;
}
static int64_t tile_y(const struct warp_place *place, uint32_t l) {
    return thread_in_block(place, l) / TILE;
}
static int64_t tile_start(const struct hotspot *m, uint32_t block) {
    return (TILE - 2 * m->now) * block - m->border;
}

static bool in_chip(const struct hotspot *m, int64_t i) {
    return i >= 0 && i < m->n;
}

/* Returns true if a row or column of the tile is still valid after step k (counted from 0). */
static bool in_core(int64_t k, int64_t i) {
    return i > k && i < TILE - 1 - k;
}

/* Reads the neighbors of tile cell y,x. At the chip's edge, the cell is its own neighbor. */
static struct hotspot_cell read_cell(const struct hotspot *m, const struct tile *s, int64_t y0,
                                     int64_t x0, int64_t y, int64_t x) {
    return (struct hotspot_cell){
        .t = s->t[y][x],
        .north = s->t[in_chip(m, y0 + y - 1) ? y - 1 : y][x],
        .south = s->t[in_chip(m, y0 + y + 1) ? y + 1 : y][x],
        .west = s->t[y][in_chip(m, x0 + x - 1) ? x - 1 : x],
        .east = s->t[y][in_chip(m, x0 + x + 1) ? x + 1 : x],
        .power = s->power[y][x],
    };
}

#define Y tile_y(place, l)
#define X tile_x(l)
#define CHIP [(uint64_t)((y0 + Y) * m->n + x0 + X)]

/* Runs the kernel of a launch, which reads `src` and writes `dst`. */
static void hotspot_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct hotspot *m = ctx;
    struct tile *s = cta;
    struct hotspot_warp *w = state;
    const int64_t y0 = tile_start(m, place->cta[1]), x0 = tile_start(m, place->cta[0]);

    WARP_BEGIN();
    ALU_RUN(43, R(INDEX), 0);
    FIND_LANES(&w->inside, in_chip(m, y0 + Y) && in_chip(m, x0 + X));
    w->head.on = w->inside;
    LD(w->t[l], m->src, CHIP, R(TEMPERATURE), R(INDEX));
    SHARED(1, s->t[Y][X] = w->t[l], 0, R(TEMPERATURE));
    ALU_RUN(2, R(INDEX), R(INDEX));
    LD(w->power[l], m->power, CHIP, R(POWER), R(INDEX));
    SHARED(1, s->power[Y][X] = w->power[l], 0, R(POWER));
    BAR();
    for (w->k = 0;; w->k++) {
        w->head.on = w->inside;
        KEEP_LANES(in_core(w->k, Y) && in_core(w->k, X));
        SHARED(6, w->cell[l] = read_cell(m, s, y0, x0, Y, X), R(CELL), 0);
        ALU(20, w->result[l] = heat(&w->cell[l]), R(RESULT), R(CELL));
        SHARED(1, s->result[Y][X] = w->result[l], 0, R(RESULT));
        BAR();
        if (w->k == m->now - 1)
            break;
        SHARED(2, s->t[Y][X] = s->result[Y][X], 0, 0);
        BAR();
    }
    ST(w->result[l], m->dst, CHIP, R(INDEX) | R(RESULT));
    WARP_END();
}

/* Returns the number of tiles along an edge of the chip. It depends on P, not on the steps of the
 * launch. */
static int64_t grid_edge(const struct hotspot *m) {
    const int64_t e = TILE - 2 * m->border;
    return (m->n + e - 1) / e;
}

static bool hotspot_next(struct workload *w, struct kernel_launch *launch) {
    struct hotspot *m = (struct hotspot *)w;
    m->done += m->now;
    m->now = m->steps - m->done < m->border ? m->steps - m->done : m->border;
    if (m->now == 0)
        return false;
    const bool even = m->base.launched++ % 2 == 0;
    m->src = even ? m->t0 : m->t1;
    m->dst = even ? m->t1 : m->t0;
    const uint32_t edge = (uint32_t)grid_edge(m);
    *launch = (struct kernel_launch){
        .name = "hotspot",
        .grid = {edge, edge, 1},
        .block = {TILE, TILE, 1},
        .paper_regs = 36, /* Dai 2017, Table 6 */
        .shared_bytes = sizeof(struct tile),
        .warp_state_size = sizeof(struct hotspot_warp),
        .cta_state_size = sizeof(struct tile),
        .step = hotspot_step,
        .ctx = m,
    };
    return true;
}

static void hotspot_inputs(uint64_t cells, float *t, float *power) {
    struct rng r = {SEED};
    rng_fill(&r, t, cells, 320, 340);
    rng_fill(&r, power, cells, 0, 10);
}

/* Computes one step of the whole chip for the reference version. */
static void heat_chip(int64_t n, const float *t, const float *power, float *result) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            const struct hotspot_cell c = {
                .t = t[i * n + j],
                .north = t[(i > 0 ? i - 1 : i) * n + j],
                .south = t[(i < n - 1 ? i + 1 : i) * n + j],
                .west = t[i * n + (j > 0 ? j - 1 : j)],
                .east = t[i * n + (j < n - 1 ? j + 1 : j)],
                .power = power[i * n + j],
            };
            result[i * n + j] = heat(&c);
        }
    }
}

static int hotspot_verify(struct workload *w, struct error *err) {
    struct hotspot *m = (struct hotspot *)w;
    const float_array *result = m->base.launched % 2 == 0 ? &m->t0 : &m->t1;
    const uint64_t cells = (uint64_t)(m->n * m->n);
    float *t = alloc_array(cells, sizeof *t), *next = alloc_array(cells, sizeof *next);
    float *power = alloc_array(cells, sizeof *power);
    hotspot_inputs(cells, t, power);
    for (int64_t k = 0; k < m->steps; k++) {
        heat_chip(m->n, t, power, next);
        memcpy(t, next, cells * sizeof *t);
    }
    int rc = verify_floats(result->dev->name, result->v, t, cells, err);
    free(t);
    free(next);
    free(power);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Returns V in the formulae in the file's header for a launch of `steps` steps. */
static uint64_t cells_covered(const struct hotspot *m, int64_t steps) {
    uint64_t v = 0;
    for (int64_t b = 0; b < grid_edge(m); b++) {
        const int64_t first = (TILE - 2 * steps) * b - m->border;
        v += cells_inside(first, first + TILE - 1, m->n);
    }
    return v;
}

static void hotspot_expect(struct hotspot *m) {
    const uint64_t cells = (uint64_t)(m->n * m->n);
    const uint64_t full = cells_covered(m, m->border);
    struct device_array *from = m->t0.dev, *to = m->t1.dev;
    for (int64_t left = m->steps; left > 0; left -= m->border) {
        const uint64_t v = left < m->border ? cells_covered(m, left) : full;
        from->expected_loads += v * v;
        m->power.dev->expected_loads += v * v;
        to->expected_stores += cells;
        struct device_array *swap = from;
        from = to;
        to = swap;
    }
}

static bool hotspot_create(struct workload *w, const uint64_t *v) {
    struct hotspot *m = (struct hotspot *)w;
    m->n = (int64_t)v[0];
    m->border = (int64_t)v[1];
    m->steps = (int64_t)v[2];
    m->base.w.launches = ceil_div(v[2], v[1]);
    const uint64_t cells = v[0] * v[0];
    if (!NEW_ARRAY(m, t0, cells) || !NEW_ARRAY(m, t1, cells) || !NEW_ARRAY(m, power, cells))
        return false;
    hotspot_inputs(cells, m->t0.v, m->power.v);
    hotspot_expect(m);
    return true;
}

const struct workload_type workload_hotspot = {
    .name = "hotspot",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc = "five-point stencil in shared memory: overlapping 16 x 16 tiles, half-warp rows",
    .size_doc = "N[,P[,S]]: edge of the chip, steps per launch, total steps",
    .default_size = "512,2,8",
    .repeatable = true,
    .size = {{"N", 1, 13000}, {"P", 1, TILE / 2 - 1}, {"S", 1, 1000000}},
    .state_size = sizeof(struct hotspot),
    .next = hotspot_next,
    .verify = hotspot_verify,
    .create = hotspot_create,
};
