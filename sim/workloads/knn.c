// SPDX-License-Identifier: Apache-2.0
/* knn (UVMBench): finds the K nearest of R points for each of R queries, in D dimensions, by brute
 * force, with I repetitions.
 *
 * Kernel `distance` processes tiles of 16 x 16 pairs, 16 dimensions at a time in shared memory. In
 * kernel `insert`, one thread per query moves down its column of distances (coalesced) and keeps
 * the K smallest, in order, at the column's head, by insertion in memory. It searches for the
 * position from the top, and shifts the entries below. Lanes insert in different rows and at
 * different positions. Kernel `root` computes the square roots of the first K rows.
 *
 * Thread-level accesses of a repetition: ref, query: R^2 D / 16 loads each. dist: K R loads and R^2
 * + K R stores by the first and the last kernel. `insert`: a query loads R distances and stores an
 * index. For each of rows 1 to K-1 it loads the greatest distance so far, and stores the row's
 * index if the row's distance is not less. For each row with a distance that is less, it checks S
 * positions, shifts M distances and M indices (a load and a store each), and stores the distance
 * and the index; if the row is one of K to R-1, it also loads the greatest distance. S and M depend
 * on the data and come from the reference version.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define TILE 16
#define BLOCK 256 /* threads per CTA of kernel `insert` */
#define SEED 0x4223

enum { INDEX, POINT, QUERY, SUM, GREATEST, VALUE, OTHER, PLACE }; /* registers */

enum { DISTANCE, INSERT, ROOT, KERNELS };

struct knn {
    struct lane_workload base;
    uint64_t n, dimensions, k, repetitions;
    ARRAY(float) ref;   /* [dimensions][n] */
    ARRAY(float) query; /* [dimensions][n] */
    ARRAY(float) dist;  /* [n points][n queries] */
    ARRAY(int32_t) ind; /* [k][n queries]; points are numbered from 0 */
};

#define X thread_x(place, TILE, l)
#define Y thread_y(place, TILE, l)

/* ---- Kernel `distance` ---- */

/* __shared__ arrays of a CTA. */
struct distance_block {
    float ref[TILE][TILE], query[TILE][TILE];
};

struct distance_warp {
    struct warp_head head;
    uint64_t d; /* first dimension of the current round */
    uint32_t k;
    float value[WARP_LANES], sum[WARP_LANES];
};

static void add_square(float *sum, float difference) {
    *sum += difference * difference;
}

static void distance_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct knn *m = ctx;
    struct distance_block *s = cta;
    struct distance_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t point = place->cta[1] * (uint64_t)TILE, query = place->cta[0] * (uint64_t)TILE;

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    ALU(1, w->sum[l] = 0, R(SUM), 0);
    for (w->d = 0; w->d < m->dimensions; w->d += TILE) {
        LD(w->value[l], m->ref, [(w->d + Y) * n + point + X], R(POINT), R(INDEX));
        SHARED(1, s->ref[Y][X] = w->value[l], 0, R(POINT) | R(INDEX));
        LD(w->value[l], m->query, [(w->d + Y) * n + query + X], R(QUERY), R(INDEX));
        SHARED(1, s->query[Y][X] = w->value[l], 0, R(QUERY) | R(INDEX));
        BAR();
        for (w->k = 0; w->k < TILE; w->k++) {
            SHARED(2, w->value[l] = s->ref[w->k][Y] - s->query[w->k][X], R(OTHER), R(INDEX));
            ALU(2, add_square(&w->sum[l], w->value[l]), R(SUM), R(SUM) | R(OTHER));
        }
        BAR();
    }
    ST(w->sum[l], m->dist, [(point + Y) * n + query + X], R(SUM) | R(INDEX));
    WARP_END();
}

/* ---- Kernel `insert` ---- */

struct insert_warp {
    struct warp_head head;
    uint64_t row, at;
    uint32_t live, /* lanes with a query */
        nearer;    /* lanes whose distance in this row is less than the greatest so far */
    uint64_t place[WARP_LANES];
    float greatest[WARP_LANES], value[WARP_LANES], other[WARP_LANES];
    int32_t other_ind[WARP_LANES];
};

/* Return the bounds for the insertion of a row, which are the number of positions to check and the
 * last position that changes. The last sorted distance is not checked, because it is known to be
 * greater. */
static uint64_t places(const struct knn *m, uint64_t row) {
    return (row < m->k ? row : m->k) - 1;
}
static uint64_t last_place(const struct knn *m, uint64_t row) {
    return row < m->k ? row : m->k - 1;
}

#define AT(row) [(row)*n + x + l]

static void insert_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct knn *m = ctx;
    struct insert_warp *w = state;
    const uint64_t n = m->n;
    const uint64_t x = thread_in_grid(place, BLOCK, 0); /* index of lane 0's query */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(x + l < n);
    w->live = w->head.on;
    LD(w->greatest[l], m->dist, AT(0), R(GREATEST), 0);
    ST(0, m->ind, AT(0), 0);
    for (w->row = 1; w->row < n; w->row++) {
        LD(w->value[l], m->dist, AT(w->row), R(VALUE), 0);
        BRANCH(R(VALUE) | R(GREATEST));
        KEEP_LANES(w->value[l] < w->greatest[l]);
        w->nearer = w->head.on;
        ALU(1, w->place[l] = 0, R(PLACE), 0);
        for (w->at = 0; w->at < places(m, w->row); w->at++) {
            LD(w->other[l], m->dist, AT(w->at), R(OTHER), 0);
            BRANCH(R(OTHER) | R(VALUE));
            KEEP_LANES(w->other[l] <= w->value[l]);
            ALU(1, w->place[l]++, R(PLACE), R(PLACE));
        }
        w->head.on = w->nearer;
        for (w->at = last_place(m, w->row); w->at > 0; w->at--) {
            BRANCH(R(PLACE));
            KEEP_LANES(w->at > w->place[l]);
            LD(w->other[l], m->dist, AT(w->at - 1), R(OTHER), 0);
            ST(w->other[l], m->dist, AT(w->at), R(OTHER));
            LD(w->other_ind[l], m->ind, AT(w->at - 1), R(OTHER), 0);
            ST(w->other_ind[l], m->ind, AT(w->at), R(OTHER));
        }
        w->head.on = w->nearer;
        ST(w->value[l], m->dist, AT(w->place[l]), R(VALUE) | R(PLACE));
        ST((int32_t)w->row, m->ind, AT(w->place[l]), R(PLACE));
        if (w->row < m->k) {
            w->head.on = w->live & ~w->nearer;
            ST((int32_t)w->row, m->ind, AT(w->row), 0);
            w->head.on = w->live;
        }
        LD(w->greatest[l], m->dist, AT(last_place(m, w->row)), R(GREATEST), 0);
        w->head.on = w->live;
    }
    WARP_END();
}

/* ---- Kernel `root` ---- */

struct root_warp {
    struct warp_head head;
    float value[WARP_LANES];
};

#define NEAR [(first + Y) * n + place->cta[0] * (uint64_t)TILE + X]

static void root_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct knn *m = ctx;
    struct root_warp *w = state;
    const uint64_t n = m->n, first = place->cta[1] * (uint64_t)TILE; /* first row of the CTA */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(first + Y < m->k);
    LD(w->value[l], m->dist, NEAR, R(VALUE), 0);
    SFU(1, w->value[l] = sqrtf(w->value[l]), R(VALUE), R(VALUE));
    ST(w->value[l], m->dist, NEAR, R(VALUE));
    WARP_END();
}

/* ---- Launches ---- */

static bool knn_next(struct workload *w, struct kernel_launch *launch) {
    struct knn *m = (struct knn *)w;
    const uint32_t tiles = (uint32_t)(m->n / TILE);
    const struct kernel_launch kernels[KERNELS] = {
        [DISTANCE] = {.name = "knn distance",
                      .grid = {tiles, tiles, 1},
                      .block = {TILE, TILE, 1},
                      .shared_bytes = sizeof(struct distance_block),
                      .warp_state_size = sizeof(struct distance_warp),
                      .cta_state_size = sizeof(struct distance_block),
                      .step = distance_step},
        [INSERT] = {.name = "knn insert",
                    .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
                    .block = {BLOCK, 1, 1},
                    .warp_state_size = sizeof(struct insert_warp),
                    .step = insert_step},
        [ROOT] = {.name = "knn root",
                  .grid = {tiles, (uint32_t)ceil_div(m->k, TILE), 1},
                  .block = {TILE, TILE, 1},
                  .warp_state_size = sizeof(struct root_warp),
                  .step = root_step},
    };
    if (m->base.launched == m->base.w.launches)
        return false;
    *launch = kernels[m->base.launched++ % KERNELS];
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

static float distance(const struct knn *m, uint64_t point, uint64_t query) {
    float sum = 0;
    for (uint64_t d = 0; d < m->dimensions; d++)
        add_square(&sum, m->ref.v[d * m->n + point] - m->query.v[d * m->n + query]);
    return sum;
}

/* Inserts a row of a query before the first row with a greater distance. Adds the accesses that
 * depend on the data to the expected counts of m->dist and m->ind. */
static void insert(struct knn *m, float *dist, int32_t *ind, uint64_t query, uint64_t row) {
    const uint64_t n = m->n, last = last_place(m, row);
    const float value = dist[row * n + query];
    uint64_t at = 0;
    while (at < places(m, row) && dist[at * n + query] <= value)
        at++;
    const uint64_t looked_at = at < places(m, row) ? at + 1 : at, shifted = last - at;
    for (uint64_t to = last; to > at; to--) {
        dist[to * n + query] = dist[(to - 1) * n + query];
        ind[to * n + query] = ind[(to - 1) * n + query];
    }
    dist[at * n + query] = value;
    ind[at * n + query] = (int32_t)row;
    m->dist.dev->expected_loads += m->repetitions * (looked_at + shifted + (row >= m->k));
    m->dist.dev->expected_stores += m->repetitions * (shifted + 1);
    m->ind.dev->expected_loads += m->repetitions * shifted;
    m->ind.dev->expected_stores += m->repetitions * (shifted + 1);
}

static void nearest(struct knn *m, float *dist, int32_t *ind, uint64_t query) {
    const uint64_t n = m->n;
    ind[query] = 0;
    for (uint64_t row = 1; row < n; row++) {
        if (dist[row * n + query] < dist[(row < m->k ? row - 1 : m->k - 1) * n + query]) {
            insert(m, dist, ind, query, row);
        } else if (row < m->k) {
            ind[row * n + query] = (int32_t)row;
            m->ind.dev->expected_stores += m->repetitions;
        }
    }
    for (uint64_t row = 0; row < m->k; row++)
        dist[row * n + query] = sqrtf(dist[row * n + query]);
}

/* Sets the expected access counts from the formulae in the file's header, except those that depend
 * on the data. */
static void knn_expect(struct knn *m) {
    const uint64_t n = m->n, n2 = n * n, r = m->repetitions;
    expect_accesses(m->ref.dev, r * n2 * m->dimensions / TILE, 0);
    expect_accesses(m->query.dev, r * n2 * m->dimensions / TILE, 0);
    expect_accesses(m->dist.dev, r * (n2 + (m->k - 1) * n + m->k * n), r * (n2 + m->k * n));
    expect_accesses(m->ind.dev, 0, r * n);
}

static int knn_verify(struct workload *w, struct error *err) {
    struct knn *m = (struct knn *)w;
    const uint64_t n = m->n;
    float *dist = alloc_array(n * n, sizeof *dist);
    int32_t *ind = alloc_array(m->k * n, sizeof *ind);
    knn_expect(m);
    for (uint64_t i = 0; i < n * n; i++)
        dist[i] = distance(m, i / n, i % n);
    for (uint64_t query = 0; query < n; query++)
        nearest(m, dist, ind, query);
    int rc = verify_floats("dist", m->dist.v, dist, n * n, err);
    if (rc == 0)
        rc = verify_ints("ind", m->ind.v, ind, m->k * n, err);
    free(dist);
    free(ind);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool knn_create(struct workload *w, const uint64_t *v) {
    struct knn *m = (struct knn *)w;
    if (!workload_multiple(w, "R", v[0], TILE) || !workload_multiple(w, "D", v[1], TILE) ||
        !workload_at_most(w, "K", v[2], "R", v[0]))
        return false;
    m->n = v[0];
    m->dimensions = v[1];
    m->k = v[2];
    m->repetitions = v[3];
    m->base.w.launches = KERNELS * m->repetitions;
    const uint64_t values = m->dimensions * m->n;
    if (!NEW_ARRAY(m, ref, values) || !NEW_ARRAY(m, query, values) ||
        !NEW_ARRAY(m, dist, m->n * m->n) || !NEW_ARRAY(m, ind, m->k * m->n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->ref.v, values, 0, 1);
    rng_fill(&r, m->query.v, values, 0, 1);
    return true;
}

const struct workload_type workload_knn = {
    .name = "knn",
    .suite = "UVMBench",
    .class = "regular",
    .doc =
        "nearest neighbors: tiles in shared memory, then insertion in memory with diverging lanes",
    .size_doc = "R[,D[,K[,I]]]: points and queries, dimensions (multiples of 16), neighbors (at "
                "most R), repetitions",
    .default_size = "1024,32,20,1",
    .size = {{"R", TILE, 16384}, {"D", TILE, 4096}, {"K", 1, 16384}, {"I", 1, 1000}},
    .state_size = sizeof(struct knn),
    .next = knn_next,
    .verify = knn_verify,
    .create = knn_create,
};
