// SPDX-License-Identifier: Apache-2.0
/* hotspot3d (UVMBench, from Rodinia): computes the temperatures in a chip of Z layers of N x N
 * cells in I steps of a seven-point stencil.
 *
 * A CTA of 64 x 4 threads owns one column of cells per thread. A thread moves through the layers
 * and keeps three cells of its column in registers, so a cell is loaded once for itself and once
 * for each of its four neighbors. Shared memory is not used. At the sides of the chip a cell is its
 * own neighbor. The two temperature arrays swap roles at each launch.
 *
 * Thread-level accesses of a launch, with C = N^2 Z cells: 5 C loads of its source, C loads of
 * power, C stores to its destination.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 64
#define BLOCK_Y 4
#define SEED 0x3d407

/* registers */
enum { INDEX, WEST, EAST, SOUTH, NORTH, BELOW, HERE, ABOVE, POWER };

typedef ARRAY(float) float_array;

struct hotspot3d {
    struct lane_workload base;
    uint64_t n, layers, steps;
    float_array p, t0, t1;
    float_array src, dst; /* arrays of the current launch: t0 and t1, or t1 and t0 */
};

/* Inputs of one step of a cell. */
struct hotspot3d_cell {
    float here, west, east, south, north, below, above, power;
};

struct hotspot3d_warp {
    struct warp_head head;
    uint64_t z;
    struct hotspot3d_cell cell[WARP_LANES];
};

static float heat(const struct hotspot3d_cell *c) {
    const float ambient = 80.0f, across = 0.03f, through = 0.3f;
    return (1 - 4 * across - 3 * through) * c->here + across * c->west + across * c->east +
           across * c->south + across * c->north + through * c->below + through * c->above +
           0.01f * c->power + through * ambient;
}

/* Return the coordinates of the thread's column, and the index of the cell at an offset from it in
 * layer z. An offset that leads outside the chip counts as 0.
 */
static int64_t column_x(const struct warp_place *place, uint32_t l) {
    return (int64_t)place->cta[0] * BLOCK_X + thread_x(place, BLOCK_X, l);
}
static int64_t column_y(const struct warp_place *place, uint32_t l) {
    return (int64_t)place->cta[1] * BLOCK_Y + thread_y(place, BLOCK_X, l);
}
static uint64_t cell_at(int64_t n, uint64_t z, int64_t y, int64_t x, int64_t dy, int64_t dx) {
    const int64_t to_y = y + dy < 0 || y + dy == n ? y : y + dy;
    const int64_t to_x = x + dx < 0 || x + dx == n ? x : x + dx;
    return (z * (uint64_t)n + (uint64_t)to_y) * (uint64_t)n + (uint64_t)to_x;
}

#define AT(z, dy, dx) [cell_at((int64_t)m->n, z, column_y(place, l), column_x(place, l), dy, dx)]

/* Runs the kernel of a launch, which reads `src` and writes `dst`. */
static void hotspot3d_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct hotspot3d *m = ctx;
    struct hotspot3d_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(24, R(INDEX), 0);
    LD(w->cell[l].above, m->src, AT(0, 0, 0), R(ABOVE), R(INDEX));
    ALU(1, w->cell[l].here = w->cell[l].above, R(HERE), R(ABOVE));
    for (w->z = 0; w->z < m->layers; w->z++) {
        ALU(2, w->cell[l].below = w->cell[l].here;
            w->cell[l].here = w->cell[l].above, R(BELOW) | R(HERE), R(HERE) | R(ABOVE));
        LD(w->cell[l].west, m->src, AT(w->z, 0, -1), R(WEST), R(INDEX));
        LD(w->cell[l].east, m->src, AT(w->z, 0, 1), R(EAST), R(INDEX));
        LD(w->cell[l].south, m->src, AT(w->z, 1, 0), R(SOUTH), R(INDEX));
        LD(w->cell[l].north, m->src, AT(w->z, -1, 0), R(NORTH), R(INDEX));
        if (w->z < m->layers - 1)
            LD(w->cell[l].above, m->src, AT(w->z + 1, 0, 0), R(ABOVE), R(INDEX));
        LD(w->cell[l].power, m->p, AT(w->z, 0, 0), R(POWER), R(INDEX));
        ALU_RUN(9, R(POWER),
                R(WEST) | R(EAST) | R(SOUTH) | R(NORTH) | R(BELOW) | R(HERE) | R(ABOVE) | R(POWER));
        ST(heat(&w->cell[l]), m->dst, AT(w->z, 0, 0), R(POWER) | R(INDEX));
        ALU_RUN(6, R(INDEX), R(INDEX));
    }
    WARP_END();
}

static bool hotspot3d_next(struct workload *w, struct kernel_launch *launch) {
    struct hotspot3d *m = (struct hotspot3d *)w;
    if (m->base.launched == m->steps)
        return false;
    const bool even = m->base.launched++ % 2 == 0;
    m->src = even ? m->t0 : m->t1;
    m->dst = even ? m->t1 : m->t0;
    *launch = (struct kernel_launch){
        .name = "hotspot3d",
        .grid = {(uint32_t)m->n / BLOCK_X, (uint32_t)m->n / BLOCK_Y, 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct hotspot3d_warp),
        .step = hotspot3d_step,
        .ctx = m,
    };
    return true;
}

static void hotspot3d_inputs(uint64_t cells, float *t, float *p) {
    struct rng r = {SEED};
    rng_fill(&r, t, cells, 320, 340);
    rng_fill(&r, p, cells, 0, 10);
}

/* Computes one step of the whole chip for the reference version. The first layer is its own lower
 * neighbor, and the last layer is its own upper neighbor. */
static void heat_chip(int64_t n, uint64_t layers, const float *t, const float *p, float *result) {
    for (uint64_t z = 0; z < layers; z++) {
        for (int64_t y = 0; y < n; y++) {
            for (int64_t x = 0; x < n; x++) {
                const uint64_t i = cell_at(n, z, y, x, 0, 0);
                const struct hotspot3d_cell c = {
                    .here = t[i],
                    .west = t[x > 0 ? i - 1 : i],
                    .east = t[x < n - 1 ? i + 1 : i],
                    .south = t[y < n - 1 ? i + (uint64_t)n : i],
                    .north = t[y > 0 ? i - (uint64_t)n : i],
                    .below = t[z > 0 ? i - (uint64_t)(n * n) : i],
                    .above = t[z < layers - 1 ? i + (uint64_t)(n * n) : i],
                    .power = p[i],
                };
                result[i] = heat(&c);
            }
        }
    }
}

static int hotspot3d_verify(struct workload *w, struct error *err) {
    struct hotspot3d *m = (struct hotspot3d *)w;
    const float_array *result = m->steps % 2 == 0 ? &m->t0 : &m->t1;
    const uint64_t cells = m->n * m->n * m->layers;
    float *t = alloc_array(cells, sizeof *t), *next = alloc_array(cells, sizeof *next);
    float *p = alloc_array(cells, sizeof *p);
    hotspot3d_inputs(cells, t, p);
    for (uint64_t k = 0; k < m->steps; k++) {
        heat_chip((int64_t)m->n, m->layers, t, p, next);
        float *swap = t;
        t = next;
        next = swap;
    }
    int rc = verify_floats(result->dev->name, result->v, t, cells, err);
    free(t);
    free(next);
    free(p);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool hotspot3d_create(struct workload *w, const uint64_t *v) {
    struct hotspot3d *m = (struct hotspot3d *)w;
    if (!workload_multiple(w, "N", v[0], BLOCK_X))
        return false;
    m->n = v[0];
    m->layers = v[1];
    m->steps = v[2];
    m->base.w.launches = m->steps;
    const uint64_t cells = m->n * m->n * m->layers, even = (m->steps + 1) / 2, odd = m->steps / 2;
    if (!NEW_ARRAY(m, p, cells) || !NEW_ARRAY(m, t0, cells) || !NEW_ARRAY(m, t1, cells))
        return false;
    hotspot3d_inputs(cells, m->t0.v, m->p.v);
    expect_accesses(m->p.dev, m->steps * cells, 0);
    expect_accesses(m->t0.dev, 5 * even * cells, odd * cells);
    expect_accesses(m->t1.dev, 5 * odd * cells, even * cells);
    return true;
}

const struct workload_type workload_hotspot3d = {
    .name = "hotspot3d",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc = "seven-point stencil, threads move through the layers: coalesced, reuse in registers",
    .size_doc = "N[,Z[,I]]: edge of the chip (a multiple of 64), layers, steps",
    .default_size = "256,8,4",
    .repeatable = true,
    .size = {{"N", BLOCK_X, 8192}, {"Z", 2, 1024}, {"I", 1, 10000}},
    .state_size = sizeof(struct hotspot3d),
    .next = hotspot3d_next,
    .verify = hotspot3d_verify,
    .create = hotspot3d_create,
};
