// SPDX-License-Identifier: Apache-2.0
/* cutcp: electrostatic potential of atoms at N x N x Z points 0.5 A apart, each the sum over the
 * atoms within R A.
 *
 * Atoms lie in bins with an edge of 4 A and room for eight; an atom is a place and a charge, and a
 * charge of 0 ends a bin. A launch does one layer of regions of 8 x 8 x 8 points, which are as
 * large as a bin; a block of 128 threads owns a region, a thread four of its points, two rows
 * apart. The block goes through a list of bins around its own, 32 at a time. Each half of a warp
 * brings up to four of them into shared memory, 64 B a load; after a barrier all threads go through
 * all atoms there. The list is in constant memory. So there are few accesses and much arithmetic.
 *
 * As in the original, bins around the lattice are empty, and corners of the list that are out of
 * reach are left out. What differs: each bin inside has five to eight atoms at random places
 * (water has 6.4), so none are left over for the host. N and Z are multiples of 8.
 *
 * Thread-level accesses, with B = N^2 Z / 512 regions and L bins in the list: bins: 32 L B loads.
 * energy: 512 B stores.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define EDGE 8 /* of a region, in points */
#define ROWS 2 /* of points, of the threads in a plane of the region */
#define POINTS (EDGE / ROWS)
#define REGION (EDGE * EDGE * EDGE)
#define BLOCK (REGION / POINTS)
#define HALF (WARP_LANES / 2)
#define HALVES (BLOCK / HALF) /* halves of warps in a block */
#define BIN_EDGE 4            /* A */
#define BIN_ATOMS 8
#define ATOM_FLOATS 4 /* x, y, z, charge */
#define BIN_FLOATS (BIN_ATOMS * ATOM_FLOATS)
#define CACHE_BINS 32
#define MAX_CUTOFF 20 /* A */
#define MAX_LIST_EDGE (2 * MAX_CUTOFF / BIN_EDGE + 1)
#define MAX_LIST (MAX_LIST_EDGE * MAX_LIST_EDGE * MAX_LIST_EDGE)
#define SPACING 0.5f /* A, of the points */
#define SEED 0xc07c9

enum { INDEX, PLACE, DATA, CHARGE = DATA + 2, ATOM, DISTANCE, FACTOR, ENERGY }; /* registers */

struct cutcp {
    struct lane_workload base;
    uint64_t n, planes;      /* N, Z */
    uint64_t border;         /* bins around the lattice, on either side */
    uint64_t bins_x, bins_z; /* with the border; as many in y as in x */
    float cutoff2;
    uint32_t list_length;
    int8_t list[MAX_LIST][3]; /* x, y, z from a region's own bin */
    uint64_t layer;           /* of regions, of this launch */
    ARRAY(float) bins;        /* [z][y][x][BIN_FLOATS] */
    ARRAY(float) energy;      /* [region z][y][x][REGION] */
};

/* __shared__ variables of a block. */
struct cutcp_block {
    float cache[CACHE_BINS * BIN_FLOATS];
    uint64_t region; /* its address; these are not needed here */
    int32_t bin[3];
};

struct cutcp_warp {
    struct warp_head head;
    uint32_t first, bin; /* of the list: first bin of this round, and which from there */
    uint32_t atom;       /* of the bin */
    uint32_t k;          /* which point, or half of a bin */
    float data[WARP_LANES];
    float dy[WARP_LANES], dxz2[WARP_LANES], r2[WARP_LANES];
    float energy[POINTS][WARP_LANES];
};

/* What an atom of that charge adds at the square of that distance. */
static float potential(float charge, float r2, float cutoff2) {
    const float s = 1.0f - r2 * (1.0f / cutoff2);
    return charge * (1.0f / sqrtf(r2)) * s * s;
}

static float coordinate(uint64_t point) {
    return (float)point * SPACING;
}

/* Where the bin begins that lies so far from a region's own, in floats. */
static uint64_t bin_at(const struct cutcp *m, const uint64_t *region, const int8_t *away) {
    uint64_t at[3];
    for (uint32_t d = 0; d < 3; d++)
        at[d] = m->border + region[d] + (uint64_t)(int64_t)away[d];
    return ((at[2] * m->bins_x + at[1]) * m->bins_x + at[0]) * BIN_FLOATS;
}

static uint64_t region_at(const struct cutcp *m, const uint64_t *region) {
    const uint64_t regions = m->n / EDGE; /* of a row */
    return ((region[2] * regions + region[1]) * regions + region[0]) * REGION;
}

/* Bins of this round. */
static uint32_t round_bins(const struct cutcp *m, const struct cutcp_warp *w) {
    const uint32_t left = m->list_length - w->first;
    return left < CACHE_BINS ? left : CACHE_BINS;
}

static const float *cached_atom(const struct cutcp_block *s, const struct cutcp_warp *w) {
    return &s->cache[w->bin * BIN_FLOATS + w->atom * ATOM_FLOATS];
}
static float charge_of(const float *atom) {
    return atom[3];
}

/* Distance of the lane's first point from an atom. */
static void first_distance(struct cutcp_warp *w, uint32_t l, uint32_t thread,
                           const uint64_t *region, const float *atom) {
    const float dx = atom[0] - coordinate(EDGE * region[0] + thread % EDGE);
    const float dz = atom[2] - coordinate(EDGE * region[2] + thread / HALF);
    w->dxz2[l] = dx * dx + dz * dz;
    w->dy[l] = atom[1] - coordinate(EDGE * region[1] + thread / EDGE % ROWS);
    w->r2[l] = w->dy[l] * w->dy[l] + w->dxz2[l];
}

/* Distance of its next point. */
static void next_distance(struct cutcp_warp *w, uint32_t l) {
    w->dy[l] -= ROWS * SPACING;
    w->r2[l] = w->dy[l] * w->dy[l] + w->dxz2[l];
}

#define T thread_in_block(place, l)
/* The bin that the lane brings, of the round, and the word of it. */
#define SLOT (w->bin + T / HALF)
#define WORD (T % HALF + w->k * HALF)
#define POINT (T / HALF * EDGE * EDGE + T % HALF + w->k * HALF)

static void cutcp_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct cutcp *m = ctx;
    struct cutcp_block *s = cta;
    struct cutcp_warp *w = state;
    const uint64_t region[3] = {place->cta[0], place->cta[1], m->layer};

    WARP_BEGIN();
    ALU_RUN(30, R(INDEX), 0);
    ALU_RUN(6, R(PLACE), R(INDEX));
    for (w->k = 0; w->k < POINTS; w->k++)
        ALU_RUN(1, R(ENERGY + w->k), 0);
    SHARED(4, (void)0, 0, R(INDEX)); /* region and bin of the block */
    for (; w->first < m->list_length; w->first += CACHE_BINS) {
        for (w->bin = 0; w->bin < CACHE_BINS; w->bin += HALVES) {
            KEEP_LANES(w->first + SLOT < m->list_length);
            SHARED(3, (void)0, R(INDEX), 0);
            ALU_RUN(10, R(INDEX), R(INDEX));
            for (w->k = 0; w->k < 2; w->k++) {
                LD(w->data[l], m->bins, [bin_at(m, region, m->list[w->first + SLOT]) + WORD],
                   R(DATA + w->k), R(INDEX));
                SHARED_AT(s->cache[SLOT * BIN_FLOATS + WORD] = w->data[l], SLOT * BIN_FLOATS + WORD,
                          0, R(DATA + w->k) | R(INDEX));
            }
        }
        w->head.on = UINT32_MAX;
        BAR();
        for (w->bin = 0; w->bin < round_bins(m, w); w->bin++) {
            for (w->atom = 0; w->atom < BIN_ATOMS; w->atom++) {
                SHARED(1, (void)0, R(CHARGE), 0);
                BRANCH(R(CHARGE));
                if (charge_of(cached_atom(s, w)) == 0)
                    break;
                SHARED(3, (void)0, R(ATOM), 0);
                ALU(6, first_distance(w, l, T, region, cached_atom(s, w)), R(DISTANCE),
                    R(ATOM) | R(PLACE));
                for (w->k = 0; w->k < POINTS; w->k++) {
                    BRANCH(R(DISTANCE));
                    KEEP_LANES(w->r2[l] < m->cutoff2);
                    SFU(1, (void)0, R(FACTOR), R(DISTANCE));
                    ALU(4,
                        w->energy[w->k][l] +=
                        potential(charge_of(cached_atom(s, w)), w->r2[l], m->cutoff2),
                        R(ENERGY + w->k), R(ENERGY + w->k) | R(FACTOR) | R(DISTANCE) | R(CHARGE));
                    w->head.on = UINT32_MAX;
                    if (w->k < POINTS - 1)
                        ALU(2, next_distance(w, l), R(DISTANCE), R(DISTANCE));
                }
            }
        }
        BAR();
    }
    SHARED(1, (void)0, R(INDEX), 0);
    for (w->k = 0; w->k < POINTS; w->k++)
        ST(w->energy[w->k][l], m->energy, [region_at(m, region) + POINT],
           R(ENERGY + w->k) | R(INDEX));
    WARP_END();
}

static bool cutcp_next(struct workload *w, struct kernel_launch *launch) {
    struct cutcp *m = (struct cutcp *)w;
    if (m->base.launched == m->planes / EDGE)
        return false;
    m->layer = m->base.launched++;
    *launch = (struct kernel_launch){
        .name = "cutcp",
        .grid = {(uint32_t)m->n / EDGE, (uint32_t)m->n / EDGE, 1},
        .block = {EDGE, ROWS, EDGE},
        .shared_bytes = sizeof(struct cutcp_block),
        .warp_state_size = sizeof(struct cutcp_warp),
        .cta_state_size = sizeof(struct cutcp_block),
        .step = cutcp_step,
        .ctx = m,
    };
    return true;
}

/* Plain version: the sum of one point. Its distance in y is reckoned from the first of its
 * thread's points, as there. */
static float energy_at(const struct cutcp *m, uint64_t z, uint64_t y, uint64_t x) {
    const uint64_t region[3] = {x / EDGE, y / EDGE, z / EDGE};
    float sum = 0;
    for (uint32_t i = 0; i < m->list_length; i++) {
        const float *atom = &m->bins.v[bin_at(m, region, m->list[i])];
        for (uint32_t k = 0; k < BIN_ATOMS && charge_of(atom) != 0; k++, atom += ATOM_FLOATS) {
            const float dx = atom[0] - coordinate(x), dz = atom[2] - coordinate(z);
            float dy = atom[1] - coordinate(y - y % EDGE + y % ROWS);
            for (uint64_t row = ROWS; row <= y % EDGE; row += ROWS)
                dy -= ROWS * SPACING;
            const float r2 = dy * dy + (dx * dx + dz * dz);
            if (r2 < m->cutoff2)
                sum += potential(charge_of(atom), r2, m->cutoff2);
        }
    }
    return sum;
}

static int cutcp_verify(struct workload *w, char *err, size_t err_size) {
    struct cutcp *m = (struct cutcp *)w;
    const uint64_t n = m->n, points = n * n * m->planes;
    float *energy = alloc_array(points, sizeof *energy);
    for (uint64_t z = 0; z < m->planes; z++) {
        for (uint64_t y = 0; y < n; y++) {
            for (uint64_t x = 0; x < n; x++) {
                const uint64_t region[3] = {x / EDGE, y / EDGE, z / EDGE};
                const uint64_t inside = (z % EDGE * EDGE + y % EDGE) * EDGE + x % EDGE;
                energy[region_at(m, region) + inside] = energy_at(m, z, y, x);
            }
        }
    }
    const int rc = verify_floats("energy", m->energy.v, energy, points, err, err_size);
    free(energy);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

/* The bins around a region, all of whose points lie in its own, that atoms in reach may be in. */
static void make_list(struct cutcp *m, float cutoff) {
    const int border = (int)m->border;
    const float reach = cutoff + sqrtf(3) * BIN_EDGE; /* from bin to bin */
    for (int z = -border; z <= border; z++) {
        for (int y = -border; y <= border; y++) {
            for (int x = -border; x <= border; x++) {
                if ((float)((x * x + y * y + z * z) * BIN_EDGE * BIN_EDGE) >= reach * reach)
                    continue;
                int8_t *away = m->list[m->list_length++];
                away[0] = (int8_t)x;
                away[1] = (int8_t)y;
                away[2] = (int8_t)z;
            }
        }
    }
}

/* The atoms of one bin, each an oxygen or hydrogen of water. */
static void fill_bin(struct cutcp *m, struct rng *r, const uint64_t *region) {
    float *atom = &m->bins.v[bin_at(m, region, (const int8_t[3]){0})];
    const uint64_t atoms = 5 + rng_below(r, BIN_ATOMS - 4);
    for (uint64_t i = 0; i < atoms; i++, atom += ATOM_FLOATS) {
        for (uint32_t d = 0; d < 3; d++)
            atom[d] = ((float)region[d] + rng_unit(r)) * BIN_EDGE;
        atom[3] = rng_below(r, 3) == 0 ? -0.834f : 0.417f;
    }
}

static void cutcp_inputs(struct cutcp *m) {
    struct rng r = {SEED};
    for (uint64_t z = 0; z < m->planes / EDGE; z++)
        for (uint64_t y = 0; y < m->n / EDGE; y++)
            for (uint64_t x = 0; x < m->n / EDGE; x++)
                fill_bin(m, &r, (const uint64_t[3]){x, y, z});
}

static struct workload *cutcp_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_cutcp = {
    .name = "cutcp",
    .suite = "Parboil",
    .doc = "potential of atoms in reach: bins through shared memory, mostly arithmetic",
    .size_doc = "N[,Z[,R]]: edge of a plane, planes, reach in A",
    .default_size = "64,48,12",
    .repeatable = true,
    .create = cutcp_create,
};

static struct workload *cutcp_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 8, 4096}, {"Z", 8, 4096}, {"R", 1, MAX_CUTOFF}};
    const struct workload_type *type = &workload_cutcp;
    uint64_t v[3];
    if (workload_size(type, desc, 3, size, v, err, err_size) != 0 ||
        workload_multiple(type, "N", v[0], EDGE, err, err_size) != 0 ||
        workload_multiple(type, "Z", v[1], EDGE, err, err_size) != 0)
        return NULL;
    struct cutcp *m = workload_new(type, sizeof *m);
    m->n = v[0];
    m->planes = v[1];
    m->border = ceil_div(v[2], BIN_EDGE);
    m->bins_x = m->n / EDGE + 2 * m->border;
    m->bins_z = m->planes / EDGE + 2 * m->border;
    m->cutoff2 = (float)(v[2] * v[2]);
    make_list(m, (float)v[2]);
    m->base.w.launches = m->planes / EDGE;
    m->base.w.next = cutcp_next;
    m->base.w.verify = cutcp_verify;
    const uint64_t points = m->n * m->n * m->planes;
    const uint64_t bin_floats = m->bins_x * m->bins_x * m->bins_z * BIN_FLOATS;
    if (!NEW_ARRAY(m, bins, bin_floats, err, err_size) ||
        !NEW_ARRAY(m, energy, points, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    cutcp_inputs(m);
    expect_accesses(m->bins.dev, points / REGION * m->list_length * BIN_FLOATS, 0);
    expect_accesses(m->energy.dev, 0, points);
    return &m->base.w;
}
