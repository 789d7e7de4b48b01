// SPDX-License-Identifier: Apache-2.0
/* lbm (Parboil): computes the flow of a fluid in a box of N x N x Z cells by the lattice-Boltzmann
 * method, in I steps of one launch each.
 *
 * A cell holds 19 densities, one for each direction in which the fluid moves, and flags. A thread
 * loads its cell, lets its densities collide (or reflects them if the cell is an obstacle), and
 * stores each density to the cell in its direction in the other grid. Loads are aligned; stores are
 * shifted by up to a cell, a row and a plane. A CTA of N threads processes a row of cells. Each of
 * the 20 entries has its own array. The rows of an array are a multiple of 128 B long, and it has
 * four planes more than Z. The grid begins two planes inside its allocation and ends well before
 * the allocation's end, so that no store needs a bounds check. The two grids swap roles at each
 * launch.
 *
 * As in the original, the walls are obstacles, and two planes of cells next to them move at a fixed
 * speed. Differences from the original: other obstacles are at random cells (the original reads
 * them from a file), and the initial densities have a small random part.
 *
 * Thread-level accesses of a launch, with C = N^2 Z cells: 20 C loads of its source, 19 C stores to
 * its destination.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define DIRECTIONS 19
#define FLAGS_ENTRY DIRECTIONS
#define ENTRIES (DIRECTIONS + 1)
#define EXTRA_PLANES 4
#define MARGIN_PLANES 2
#define ROW_ALIGN 32 /* in floats */
#define AXES 3
#define PAIRS 9
#define AGAINST_WALL 2 /* cells this near to a side wall are not set to the fixed speed */
#define SEED 0x1b3

enum { OBSTACLE = 1, ACCELERATED = 2 }; /* flags */

/* registers; 19 of them start at DENSITY, three at SPEED */
enum { INDEX, FLAGS, RHO, SPEED, SQUARE = SPEED + AXES, TEMP, DENSITY };

/* Direction of each entry's density. */
static const int8_t moves[DIRECTIONS][AXES] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};
/* Entries that move along each axis: the terms of the speed along that axis. */
#define TERMS 10
static const uint8_t terms[AXES][TERMS] = {
    {3, 4, 7, 8, 9, 10, 15, 16, 17, 18},
    {1, 2, 7, 8, 9, 10, 11, 12, 13, 14},
    {5, 6, 11, 12, 13, 14, 15, 16, 17, 18},
};
/* Pairs of entries with opposite directions. */
static const uint8_t opposite[PAIRS][2] = {{1, 2},   {3, 4},   {5, 6},   {7, 10}, {8, 9},
                                           {11, 14}, {12, 13}, {15, 18}, {16, 17}};

typedef ARRAY(float) float_array;

struct lbm {
    struct lane_workload base;
    uint64_t n, planes, steps;
    uint64_t row, plane, entry; /* distances between rows, planes and entries, in floats */
    float_array grid0, grid1;
    float_array src, dst; /* arrays of the current launch: grid0 and grid1, or grid1 and grid0 */
};

struct lbm_warp {
    struct warp_head head;
    uint32_t k;
    float flags[WARP_LANES];
    float f[WARP_LANES][DIRECTIONS];
};

/* Returns true if the flag is set. Flags are stored in the grid as the bits of a float. */
static bool has_flag(float entry, uint32_t flag) {
    uint32_t bits;
    memcpy(&bits, &entry, sizeof bits);
    return (bits & flag) != 0;
}

/* Returns the equilibrium density of entry k in a fluid at rest with a total density of 1. */
static float weight(uint32_t k) {
    return k == 0 ? 1.0f / 3.0f : k < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

/* Moves the densities of a cell towards their equilibrium. */
static void collide(float *f, bool accelerated) {
    const float omega = 1.95f, fixed[AXES] = {0.005f, 0.002f, 0};
    float rho = 0, speed[AXES] = {0};
    for (uint32_t k = 0; k < DIRECTIONS; k++) {
        rho += f[k];
        for (uint32_t d = 0; d < AXES; d++)
            speed[d] += (float)moves[k][d] * f[k];
    }
    float square = 0;
    for (uint32_t d = 0; d < AXES; d++) {
        speed[d] = accelerated ? fixed[d] : speed[d] / rho;
        square += speed[d] * speed[d];
    }
    for (uint32_t k = 0; k < DIRECTIONS; k++) {
        float along = 0;
        for (uint32_t d = 0; d < AXES; d++)
            along += (float)moves[k][d] * speed[d];
        const float rest = along * (4.5f * along + 3.0f) - (1.5f * square - 1.0f);
        f[k] = (1.0f - omega) * f[k] + weight(k) * omega * rho * rest;
    }
}

static void swap(float *f, uint32_t pair) {
    const float one = f[opposite[pair][0]];
    f[opposite[pair][0]] = f[opposite[pair][1]];
    f[opposite[pair][1]] = one;
}

/* Return the index of an entry of a cell, and the distance in floats that it moves. */
static uint64_t entry_at(const struct lbm *m, uint32_t k, uint64_t z, uint64_t y, uint64_t x) {
    return (MARGIN_PLANES + z) * m->plane + y * m->row + x + k * m->entry;
}
static uint64_t move_of(const struct lbm *m, uint32_t k) {
    return (uint64_t)((int64_t)m->plane * moves[k][2] + (int64_t)m->row * moves[k][1] +
                      moves[k][0]);
}

/* Returns the registers of terms from..from+n-1 of the speed along an axis. */
static uint64_t term_registers(uint32_t axis, uint32_t from, uint32_t n) {
    uint64_t registers = 0;
    for (uint32_t i = from; i < from + n; i++)
        registers |= R(DENSITY + terms[axis][i]);
    return registers;
}

/* Returns the registers of the speeds along which an entry moves. */
static uint64_t speed_registers(uint32_t k) {
    uint64_t registers = 0;
    for (uint32_t d = 0; d < AXES; d++)
        registers |= moves[k][d] != 0 ? R(SPEED + d) : 0;
    return registers;
}

#define CELL(k) [entry_at(m, k, place->cta[1], place->cta[0], thread_in_block(place, l))]
#define TO(k)                                                                                      \
    [entry_at(m, k, place->cta[1], place->cta[0], thread_in_block(place, l)) + move_of(m, k)]
#define DENSITIES(from) (R(DENSITY + from) | R(DENSITY + from + 1) | R(DENSITY + from + 2))
#define ONE(pair) R(DENSITY + opposite[pair][0])
#define OTHER(pair) R(DENSITY + opposite[pair][1])

static void lbm_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct lbm *m = ctx;
    struct lbm_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    for (w->k = 0; w->k < DIRECTIONS; w->k++)
        LD(w->f[l][w->k], m->src, CELL(w->k), R(DENSITY + w->k), R(INDEX));
    LD(w->flags[l], m->src, CELL(FLAGS_ENTRY), R(FLAGS), R(INDEX));
    BRANCH(R(FLAGS));

    KEEP_LANES(has_flag(w->flags[l], OBSTACLE));
    for (w->k = 0; w->k < PAIRS; w->k++) {
        ALU_RUN(1, R(TEMP), ONE(w->k));
        ALU_RUN(1, ONE(w->k), OTHER(w->k));
        ALU(1, swap(w->f[l], w->k), OTHER(w->k), R(TEMP));
    }

    EVERY_LANE();
    KEEP_LANES(!has_flag(w->flags[l], OBSTACLE));
    ALU_RUN(3, R(RHO), R(DENSITY) | DENSITIES(1));
    for (w->k = 4; w->k < DIRECTIONS; w->k += 3)
        ALU_RUN(3, R(RHO), R(RHO) | DENSITIES(w->k));
    for (w->k = 0; w->k < AXES; w->k++) {
        ALU_RUN(3, R(SPEED + w->k), term_registers(w->k, 0, 4));
        ALU_RUN(3, R(SPEED + w->k), R(SPEED + w->k) | term_registers(w->k, 4, 3));
        ALU_RUN(3, R(SPEED + w->k), R(SPEED + w->k) | term_registers(w->k, 7, 3));
    }
    for (w->k = 0; w->k < AXES; w->k++)
        SFU(1, (void)0, R(SPEED + w->k), R(SPEED + w->k) | R(RHO));
    BRANCH(R(FLAGS));
    KEEP_LANES(has_flag(w->flags[l], ACCELERATED));
    for (w->k = 0; w->k < AXES; w->k++)
        ALU_RUN(1, R(SPEED + w->k), 0);
    EVERY_LANE();
    KEEP_LANES(!has_flag(w->flags[l], OBSTACLE));
    ALU(4, collide(w->f[l], has_flag(w->flags[l], ACCELERATED)), R(SQUARE),
        R(SPEED) | R(SPEED + 1) | R(SPEED + 2));
    ALU_RUN(4, R(RHO), R(RHO));
    ALU_RUN(2, R(DENSITY), R(DENSITY) | R(RHO) | R(SQUARE));
    for (w->k = 1; w->k < DIRECTIONS; w->k++) {
        ALU_RUN(w->k < 7 ? 1 : 2, R(TEMP), speed_registers(w->k));
        ALU_RUN(3, R(DENSITY + w->k), R(DENSITY + w->k) | R(TEMP) | R(RHO) | R(SQUARE));
    }

    EVERY_LANE();
    for (w->k = 0; w->k < DIRECTIONS; w->k++)
        ST(w->f[l][w->k], m->dst, TO(w->k), R(DENSITY + w->k) | R(INDEX));
    WARP_END();
}

static bool lbm_next(struct workload *w, struct kernel_launch *launch) {
    struct lbm *m = (struct lbm *)w;
    if (m->base.launched == m->steps)
        return false;
    const bool even = m->base.launched++ % 2 == 0;
    m->src = even ? m->grid0 : m->grid1;
    m->dst = even ? m->grid1 : m->grid0;
    *launch = (struct kernel_launch){
        .name = "lbm",
        .grid = {(uint32_t)m->n, (uint32_t)m->planes, 1},
        .block = {(uint32_t)m->n, 1, 1},
        .warp_state_size = sizeof(struct lbm_warp),
        .step = lbm_step,
        .ctx = m,
    };
    return true;
}

static uint64_t grid_floats(const struct lbm *m) {
    return ENTRIES * m->entry + 2 * MARGIN_PLANES * ENTRIES * m->plane;
}

static bool at_end(uint64_t i, uint64_t n, uint64_t from) {
    return i < from || i >= n - from;
}

static float flags_of(const struct lbm *m, struct rng *r, uint64_t z, uint64_t y, uint64_t x) {
    const bool loose = rng_below(r, 50) == 0;
    const bool wall = at_end(x, m->n, 1) || at_end(y, m->n, 1) || at_end(z, m->planes, 1);
    const bool aside = at_end(x, m->n, AGAINST_WALL) || at_end(y, m->n, AGAINST_WALL);
    uint32_t flags = wall || loose ? OBSTACLE : 0;
    if (!wall && !aside && at_end(z, m->planes, 2))
        flags |= ACCELERATED;
    float entry;
    memcpy(&entry, &flags, sizeof entry);
    return entry;
}

static void lbm_inputs(const struct lbm *m, float *grid) {
    struct rng r = {SEED};
    for (uint64_t z = 0; z < m->planes; z++) {
        for (uint64_t y = 0; y < m->n; y++) {
            for (uint64_t x = 0; x < m->n; x++) {
                for (uint32_t k = 0; k < DIRECTIONS; k++)
                    grid[entry_at(m, k, z, y, x)] = weight(k) * (0.995f + 0.01f * rng_unit(&r));
                grid[entry_at(m, FLAGS_ENTRY, z, y, x)] = flags_of(m, &r, z, y, x);
            }
        }
    }
}

/* Computes one step of one cell for the reference version. */
static void cell_step(const struct lbm *m, const float *from, float *to, uint64_t cell) {
    const float flags = from[cell + FLAGS_ENTRY * m->entry];
    float f[DIRECTIONS];
    for (uint32_t k = 0; k < DIRECTIONS; k++)
        f[k] = from[cell + k * m->entry];
    if (has_flag(flags, OBSTACLE)) {
        for (uint32_t i = 0; i < PAIRS; i++)
            swap(f, i);
    } else {
        collide(f, has_flag(flags, ACCELERATED));
    }
    for (uint32_t k = 0; k < DIRECTIONS; k++)
        to[cell + k * m->entry + move_of(m, k)] = f[k];
}

static int lbm_verify(struct workload *w, struct error *err) {
    struct lbm *m = (struct lbm *)w;
    const float_array *result = m->steps % 2 == 0 ? &m->grid0 : &m->grid1;
    const uint64_t n = grid_floats(m);
    float *from = alloc_zeroed(n, sizeof *from), *to = alloc_zeroed(n, sizeof *to);
    lbm_inputs(m, from);
    memcpy(to, from, n * sizeof *to);
    for (uint64_t i = 0; i < m->steps; i++) {
        for (uint64_t row = 0; row < m->planes * m->n; row++)
            for (uint64_t x = 0; x < m->n; x++)
                cell_step(m, from, to, entry_at(m, 0, row / m->n, row % m->n, x));
        float *other = from;
        from = to;
        to = other;
    }
    int rc = verify_floats(result->dev->name, result->v, from, n, err);
    free(from);
    free(to);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void lbm_expect(struct lbm *m) {
    const uint64_t cells = m->n * m->n * m->planes;
    const uint64_t steps_1 = m->steps / 2,
                   steps_0 = m->steps - steps_1; /* number of launches that read grid0 */
    expect_accesses(m->grid0.dev, steps_0 * ENTRIES * cells, steps_1 * DIRECTIONS * cells);
    expect_accesses(m->grid1.dev, steps_1 * ENTRIES * cells, steps_0 * DIRECTIONS * cells);
}

static bool lbm_create(struct workload *w, const uint64_t *v) {
    struct lbm *m = (struct lbm *)w;
    m->n = v[0];
    m->planes = v[1];
    m->steps = v[2];
    m->row = ceil_div(m->n, ROW_ALIGN) * ROW_ALIGN;
    m->plane = m->n * m->row;
    m->entry = (m->planes + EXTRA_PLANES) * m->plane;
    m->base.w.launches = m->steps;
    const uint64_t n = grid_floats(m);
    if (!NEW_ARRAY(m, grid0, n) || !NEW_ARRAY(m, grid1, n))
        return false;
    lbm_inputs(m, m->grid0.v);
    memcpy(m->grid1.v, m->grid0.v, n * sizeof *m->grid1.v);
    lbm_expect(m);
    return true;
}

const struct workload_type workload_lbm = {
    .name = "lbm",
    .suite = "Parboil",
    .doc = "lattice-Boltzmann flow: 20 aligned loads and 19 shifted stores per cell, no reuse",
    .size_doc = "N[,Z[,I]]: edge of a plane, planes, steps",
    .default_size = "120,12,2",
    .repeatable = true,
    .size = {{"N", 3, 1024}, {"Z", 3, 65535}, {"I", 1, 10000}},
    .state_size = sizeof(struct lbm),
    .next = lbm_next,
    .verify = lbm_verify,
    .create = lbm_create,
};
