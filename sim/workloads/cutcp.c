// SPDX-License-Identifier: Apache-2.0
/* cutcp (Parboil): computes the electrostatic potential at N x N x Z points 0.5 A apart. The
 * potential at a point is a sum over the atoms within a radius of R A.
 *
 * Atoms are in bins with an edge of 4 A and room for eight atoms. An atom has a position and a
 * charge, and a charge of 0 marks the end of a bin. A launch computes one layer of regions of 8 x 8
 * x 8 points. A region has the size of a bin. A CTA of 128 threads owns a region, and a thread owns
 * four of its points, two rows apart. The CTA processes a list of bins around its own, 32 at a
 * time. Each half-warp loads up to four bins into shared memory, 64 B per load. After a barrier,
 * all threads process all atoms in shared memory. The list is in constant memory. The kernel
 * therefore has few accesses and much arithmetic.
 *
 * As in the original, bins around the lattice are empty, and the list leaves out corners beyond the
 * cutoff. Differences from the original: each bin inside has five to eight atoms at random
 * positions (water has 6.4), so no atoms remain for the host. N and Z are multiples of 8.
 *
 * Thread-level accesses, with B = N^2 Z / 512 regions and L bins in the list: bins: 32 L B loads.
 * energy: 512 B stores.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define EDGE 8 /* edge of a region in points */
#define ROWS 2 /* rows of points that a CTA's threads span in a plane */
#define POINTS (EDGE / ROWS)
#define REGION (EDGE * EDGE * EDGE)
#define BLOCK (REGION / POINTS)
#define HALF (WARP_LANES / 2)
#define HALVES (BLOCK / HALF) /* half-warps per CTA */
#define BIN_EDGE 4            /* edge of a bin in angstroms (A) */
#define BIN_ATOMS 8
#define ATOM_FLOATS 4 /* x, y, z, charge */
#define BIN_FLOATS (BIN_ATOMS * ATOM_FLOATS)
#define CACHE_BINS 32
#define MAX_CUTOFF 20 /* maximum radius R in A */
#define MAX_LIST_EDGE (2 * MAX_CUTOFF / BIN_EDGE + 1)
#define MAX_LIST (MAX_LIST_EDGE * MAX_LIST_EDGE * MAX_LIST_EDGE)
#define SPACING 0.5f /* distance between points in A */
#define SEED 0xc07c9

enum { INDEX, PLACE, DATA, CHARGE = DATA + 2, ATOM, DISTANCE, FACTOR, ENERGY }; /* registers */

struct cutcp {
    struct lane_workload base;
    uint64_t n, planes; /* N, Z */
    uint64_t border;    /* number of bins around the lattice on each side */
    uint64_t bins_x,    /* number of bins in x, and in y, including the border */
        bins_z;         /* number of bins in z, including the border */
    float cutoff2;
    uint32_t list_length;
    int8_t list[MAX_LIST][3]; /* x, y, z relative to a region's own bin */
    uint64_t layer;           /* layer of regions of the current launch */
    ARRAY(float) bins;        /* [z][y][x][BIN_FLOATS] */
    ARRAY(float) energy;      /* [region z][y][x][REGION] */
};

/* __shared__ variables of a CTA. */
struct cutcp_block {
    float cache[CACHE_BINS * BIN_FLOATS];
    uint64_t region; /* address of the region; unused here */
    int32_t bin[3];
};

struct cutcp_warp {
    struct warp_head head;
    uint32_t first, /* list index of the first bin of this round */
        bin;        /* list index of the current bin, relative to `first` */
    uint32_t atom;  /* index in the bin */
    uint32_t k;     /* index of the point, or of the half of a bin */
    float data[WARP_LANES];
    float dy[WARP_LANES], dxz2[WARP_LANES], r2[WARP_LANES];
    float energy[POINTS][WARP_LANES];
};

/* Returns the potential of a charge at the squared distance r2. */
static float potential(float charge, float r2, float cutoff2) {
    const float s = 1.0f - r2 * (1.0f / cutoff2);
    return charge * (1.0f / sqrtf(r2)) * s * s;
}

static float coordinate(uint64_t point) {
    return (float)point * SPACING;
}

/* Returns the index in floats of the bin at an offset from a region's own bin. */
static uint64_t bin_at(const struct cutcp *m, const uint64_t *region, const int8_t *away) {
    uint64_t at[3];
    for (uint32_t d = 0; d < 3; d++)
        at[d] = m->border + region[d] + (uint64_t)(int64_t)away[d];
    return ((at[2] * m->bins_x + at[1]) * m->bins_x + at[0]) * BIN_FLOATS;
}

static uint64_t region_at(const struct cutcp *m, const uint64_t *region) {
    const uint64_t regions = m->n / EDGE; /* regions per row */
    return ((region[2] * regions + region[1]) * regions + region[0]) * REGION;
}

/* Returns the number of bins in this round. */
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

/* Computes the squared distance of the lane's first point from an atom. */
static void first_distance(struct cutcp_warp *w, uint32_t l, uint32_t thread,
                           const uint64_t *region, const float *atom) {
    const float dx = atom[0] - coordinate(EDGE * region[0] + thread % EDGE);
    const float dz = atom[2] - coordinate(EDGE * region[2] + thread / HALF);
    w->dxz2[l] = dx * dx + dz * dz;
    w->dy[l] = atom[1] - coordinate(EDGE * region[1] + thread / EDGE % ROWS);
    w->r2[l] = w->dy[l] * w->dy[l] + w->dxz2[l];
}

/* Computes the squared distance of the lane's next point from the same atom. */
static void next_distance(struct cutcp_warp *w, uint32_t l) {
    w->dy[l] -= ROWS * SPACING;
    w->r2[l] = w->dy[l] * w->dy[l] + w->dxz2[l];
}

#define T thread_in_block(place, l)
/* Index in the round of the bin that the lane loads, index of the lane's word in that bin, and
 * index of the lane's point in the region. */
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
    SHARED(4, (void)0, 0, R(INDEX)); /* region and bin of the CTA */
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

/* Returns the sum at one point for the reference version. Computes the distance in y step by step
 * from the first point of the thread, as the kernel does. */
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

static int cutcp_verify(struct workload *w, struct error *err) {
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
    const int rc = verify_floats("energy", m->energy.v, energy, points, err);
    free(energy);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Lists the bins around a region that may hold atoms within the cutoff of its points. All points of
 * a region lie in its own bin. */
static void make_list(struct cutcp *m, float cutoff) {
    const int border = (int)m->border;
    const float reach =
        cutoff + sqrtf(3) * BIN_EDGE; /* limit of the distance between the bins' centers */
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

/* Fills one bin with the oxygen and hydrogen atoms of water. */
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

static bool cutcp_create(struct workload *w, const uint64_t *v) {
    struct cutcp *m = (struct cutcp *)w;
    if (!workload_multiple(w, "N", v[0], EDGE) || !workload_multiple(w, "Z", v[1], EDGE))
        return false;
    m->n = v[0];
    m->planes = v[1];
    m->border = ceil_div(v[2], BIN_EDGE);
    m->bins_x = m->n / EDGE + 2 * m->border;
    m->bins_z = m->planes / EDGE + 2 * m->border;
    m->cutoff2 = (float)(v[2] * v[2]);
    make_list(m, (float)v[2]);
    m->base.w.launches = m->planes / EDGE;
    const uint64_t points = m->n * m->n * m->planes;
    const uint64_t bin_floats = m->bins_x * m->bins_x * m->bins_z * BIN_FLOATS;
    if (!NEW_ARRAY(m, bins, bin_floats) || !NEW_ARRAY(m, energy, points))
        return false;
    cutcp_inputs(m);
    expect_accesses(m->bins.dev, points / REGION * m->list_length * BIN_FLOATS, 0);
    expect_accesses(m->energy.dev, 0, points);
    return true;
}

const struct workload_type workload_cutcp = {
    .name = "cutcp",
    .suite = "Parboil",
    .doc = "potential of atoms within a cutoff: bins through shared memory, mostly arithmetic",
    .size_doc = "N[,Z[,R]]: edge of a plane, planes, cutoff in angstroms",
    .default_size = "64,48,12",
    .repeatable = true,
    .size = {{"N", 8, 4096}, {"Z", 8, 4096}, {"R", 1, MAX_CUTOFF}},
    .state_size = sizeof(struct cutcp),
    .next = cutcp_next,
    .verify = cutcp_verify,
    .create = cutcp_create,
};
