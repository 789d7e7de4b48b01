// SPDX-License-Identifier: Apache-2.0
/* pathfinder (UVMBench, from Rodinia): finds the cheapest path down a grid of N columns and R rows.
 * A path leads from each cell to one of the three cells below it. A launch computes up to P rows.
 *
 * A CTA loads 256 sums of the row above into shared memory and processes all rows of the launch. In
 * each row, one more cell at either end is invalid, so CTAs overlap by P cells at each side. The
 * two arrays of sums swap roles at each launch.
 *
 * Thread-level accesses: a launch of s rows has CTAs every e = 256 - 2 s cells, G = ceil(N / (256 -
 * 2 P)) of them, the first at -P. With V(k) the number of cells inside the grid of all CTAs without
 * k cells at either end (the sum over b < G of the size of [e b - P + k, e b - P + 255 - k] within
 * [0, N-1]), each launch makes V(0) loads of its source, V(1) + ... + V(s) loads of wall, and N
 * stores to its destination.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 256
#define SEED 0x9af
#define COSTS 10 /* costs of a cell are 0..9 */

enum { INDEX, SUM, BEST, WALL }; /* registers */

typedef ARRAY(int32_t) int_array;

struct pathfinder {
    struct lane_workload base;
    int64_t n, rows, border; /* N, R and P */
    int64_t done; /* number of rows below the first that earlier launches have computed */
    int64_t now;  /* number of rows in the current launch */
    int_array res0, res1, wall;
    int_array src, dst; /* arrays of the current launch: res0 and res1, or res1 and res0 */
};

/* __shared__ arrays of a CTA. */
struct path_block {
    int32_t prev[BLOCK], result[BLOCK];
};

struct path_warp {
    struct warp_head head;
    uint32_t inside;   /* lanes with a cell in the grid */
    uint32_t computed; /* lanes that have computed a cell of the most recent row */
    int64_t k;
    int32_t sum[WARP_LANES], wall[WARP_LANES];
};

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Returns the least of the sums above the lane's cell, three or, at the grid's edge, two. x is the
 * cell's column in the grid, and tx its column in the CTA. */
static int32_t least_above(const struct pathfinder *m, const struct path_block *s, int64_t x,
                           int64_t tx) {
    const int32_t left = s->prev[x > 0 ? tx - 1 : tx];
    const int32_t right = s->prev[x < m->n - 1 ? tx + 1 : tx];
    return least(least(left, s->prev[tx]), right);
}

#define TX ((int64_t)thread_in_block(place, l))
#define COLUMN [(uint64_t)(x0 + TX)]

/* Runs the kernel of a launch, which reads `src` and writes `dst`. */
static void path_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct pathfinder *m = ctx;
    struct path_block *s = cta;
    struct path_warp *w = state;
    const int64_t x0 = (BLOCK - 2 * m->now) * place->cta[0] - m->border;

    WARP_BEGIN();
    ALU_RUN(21, R(INDEX), 0);
    FIND_LANES(&w->inside, x0 + TX >= 0 && x0 + TX < m->n);
    w->head.on = w->inside;
    LD(w->sum[l], m->src, COLUMN, R(SUM), R(INDEX));
    SHARED(1, s->prev[TX] = w->sum[l], 0, R(SUM));
    BAR();
    for (w->k = 0;; w->k++) {
        w->head.on = w->inside;
        KEEP_LANES(TX > w->k && TX < BLOCK - 1 - w->k);
        w->computed = w->head.on;
        SHARED(3, w->sum[l] = least_above(m, s, x0 + TX, TX), R(SUM), R(INDEX));
        ALU_RUN(3, R(BEST), R(SUM));
        LD(w->wall[l], m->wall, [(uint64_t)(m->n * (m->done + w->k) + x0 + TX)], R(WALL), R(INDEX));
        ALU(1, w->sum[l] += w->wall[l], R(SUM), R(BEST) | R(WALL));
        SHARED(1, s->result[TX] = w->sum[l], 0, R(SUM));
        BAR();
        if (w->k == m->now - 1)
            break;
        SHARED(2, s->prev[TX] = s->result[TX], 0, 0);
        BAR();
    }
    w->head.on = w->computed;
    SHARED(1, w->sum[l] = s->result[TX], R(SUM), 0);
    ST(w->sum[l], m->dst, COLUMN, R(SUM) | R(INDEX));
    WARP_END();
}

/* Returns the number of CTAs. It depends on P, not on the rows of the launch. */
static int64_t grid_blocks(const struct pathfinder *m) {
    const int64_t e = BLOCK - 2 * m->border;
    return (m->n + e - 1) / e;
}

static bool pathfinder_next(struct workload *w, struct kernel_launch *launch) {
    struct pathfinder *m = (struct pathfinder *)w;
    m->done += m->now;
    m->now = least((int32_t)(m->rows - 1 - m->done), (int32_t)m->border);
    if (m->now == 0)
        return false;
    const bool even = m->base.launched++ % 2 == 0;
    m->src = even ? m->res0 : m->res1;
    m->dst = even ? m->res1 : m->res0;
    *launch = (struct kernel_launch){
        .name = "pathfinder",
        .grid = {(uint32_t)grid_blocks(m), 1, 1},
        .block = {BLOCK, 1, 1},
        .paper_regs = 16, /* Dai 2017, Table 6 */
        .shared_bytes = sizeof(struct path_block),
        .warp_state_size = sizeof(struct path_warp),
        .cta_state_size = sizeof(struct path_block),
        .step = path_step,
        .ctx = m,
    };
    return true;
}

static void pathfinder_inputs(uint64_t n, uint64_t rows, int32_t *first, int32_t *wall) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++)
        first[i] = (int32_t)rng_below(&r, COSTS);
    for (uint64_t i = 0; i < n * (rows - 1); i++)
        wall[i] = (int32_t)rng_below(&r, COSTS);
}

/* Computes one row for the reference version. */
static void next_row(int64_t n, const int32_t *above, const int32_t *wall, int32_t *row) {
    for (int64_t x = 0; x < n; x++) {
        const int32_t left = above[x > 0 ? x - 1 : x], right = above[x < n - 1 ? x + 1 : x];
        row[x] = least(least(left, above[x]), right) + wall[x];
    }
}

static int pathfinder_verify(struct workload *w, struct error *err) {
    struct pathfinder *m = (struct pathfinder *)w;
    const int_array *result = m->base.launched % 2 == 0 ? &m->res0 : &m->res1;
    const uint64_t n = (uint64_t)m->n, below = (uint64_t)m->rows - 1;
    int32_t *sum = alloc_array(n, sizeof *sum), *next = alloc_array(n, sizeof *next);
    int32_t *wall = alloc_array(n * below, sizeof *wall + 1);
    pathfinder_inputs(n, below + 1, sum, wall);
    for (uint64_t k = 0; k < below; k++) {
        next_row(m->n, sum, &wall[k * n], next);
        memcpy(sum, next, n * sizeof *sum);
    }
    int rc = verify_ints(result->dev->name, result->v, sum, n, err);
    free(sum);
    free(next);
    free(wall);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Returns V(k) in the formulae in the file's header for a launch of s rows. */
static uint64_t cells_covered(const struct pathfinder *m, int64_t s, int64_t k) {
    uint64_t v = 0;
    for (int64_t b = 0; b < grid_blocks(m); b++) {
        const int64_t start = (BLOCK - 2 * s) * b - m->border;
        v += cells_inside(start + k, start + BLOCK - 1 - k, m->n);
    }
    return v;
}

static void pathfinder_expect(struct pathfinder *m) {
    struct device_array *from = m->res0.dev, *to = m->res1.dev;
    for (int64_t left = m->rows - 1; left > 0; left -= m->border) {
        const int64_t s = left < m->border ? left : m->border;
        from->expected_loads += cells_covered(m, s, 0);
        for (int64_t k = 1; k <= s; k++)
            m->wall.dev->expected_loads += cells_covered(m, s, k);
        to->expected_stores += (uint64_t)m->n;
        struct device_array *swap = from;
        from = to;
        to = swap;
    }
}

static bool pathfinder_create(struct workload *w, const uint64_t *v) {
    struct pathfinder *m = (struct pathfinder *)w;
    m->n = (int64_t)v[0];
    m->rows = (int64_t)v[1];
    m->border = (int64_t)v[2];
    m->base.w.launches = ceil_div(v[1] - 1, v[2]);
    if (!NEW_ARRAY(m, res0, v[0]) || !NEW_ARRAY(m, res1, v[0]) ||
        !NEW_ARRAY(m, wall, v[0] * (v[1] - 1)))
        return false;
    pathfinder_inputs(v[0], v[1], m->res0.v, m->wall.v);
    pathfinder_expect(m);
    return true;
}

const struct workload_type workload_pathfinder = {
    .name = "pathfinder",
    .suite = "UVMBench (Rodinia)",
    .class = "regular",
    .doc = "cheapest path down a grid: overlapping runs of 256 cells at arbitrary offsets",
    .size_doc = "N[,R[,P]]: columns, rows, rows per launch",
    .default_size = "16384,64,8",
    .repeatable = true,
    .size = {{"N", 1, 1u << 24}, {"R", 2, 1u << 20}, {"P", 1, BLOCK / 2 - 1}},
    .state_size = sizeof(struct pathfinder),
    .next = pathfinder_next,
    .verify = pathfinder_verify,
    .create = pathfinder_create,
};
