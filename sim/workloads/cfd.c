// SPDX-License-Identifier: Apache-2.0
/* cfd (Rodinia, euler3d): solves the Euler equations of a gas on an unstructured mesh of N elements
 * with four faces each, in I iterations of three Runge-Kutta steps.
 *
 * In each iteration the host copies the five variables of all elements to `old`. (The original
 * copies them on the device; these accesses are not counted.) Then `step_factor` runs once, and
 * `flux` and `time_step` run three times each. `flux` gathers the variables of each element's
 * neighbors; a face is inside the mesh, at a wall, or in the far field, and lanes diverge
 * accordingly. Arrays have a pitch of n, which is N rounded up to whole CTAs of 192 threads; the
 * elements beyond N are copies of the last one.
 *
 * Thread-level accesses per iteration, with F faces inside the mesh (of all n elements): areas: n
 * loads. esel: 12 n loads. normals: 36 n loads. var: 20 n + 15 F loads, 15 n stores. old: 15 n
 * loads. flux: 15 n loads, 15 n stores. sf: 3 n loads, n stores.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BLOCK 192
#define FACES 4
#define VARS 5 /* density, momentum x y z, energy */
#define RK_STEPS 3
#define REACH 1000 /* the indices of most neighbors differ by at most this */
#define SEED 0xcfd

enum { WALL = -1, FAR = -2 }; /* values of esel for faces at the boundary */

static const float gamma_gas = 1.4f, smoothing = 0.2f, mach = 1.2f;

/* registers */
enum { INDEX, AREA, STATE, FLUX, NEIGHBOR, NORMAL, FACTOR = NORMAL + 3, VAR, VAR_OF_NB = VAR + 5 };

/* Values computed from an element's variables. */
struct gas {
    float var[VARS];
    float velocity[3], speed, pressure, sound;
    float flow[VARS][3]; /* flow of each variable in each direction */
};

struct cfd {
    struct lane_workload base;
    uint64_t elements, n, iterations; /* N, pitch, I */
    unsigned rk;                      /* Runge-Kutta step of the current launch, counted from 0 */
    struct gas far;                   /* gas of the far field */
    ARRAY(float) areas;
    ARRAY(int32_t) esel;  /* [FACES][n]: neighbors */
    ARRAY(float) normals; /* [3][FACES][n] */
    ARRAY(float) var;     /* [VARS][n] */
    ARRAY(float) old;
    ARRAY(float) flux;
    ARRAY(float) sf; /* step factors */
};

static void gas_pressure(struct gas *g) {
    float squares = 0;
    for (int d = 0; d < 3; d++) {
        g->velocity[d] = g->var[1 + d] / g->var[0];
        squares += g->velocity[d] * g->velocity[d];
    }
    g->speed = sqrtf(squares);
    g->pressure = (gamma_gas - 1) * (g->var[4] - 0.5f * g->var[0] * squares);
    g->sound = sqrtf(gamma_gas * g->pressure / g->var[0]);
}

static void gas_state(struct gas *g) {
    gas_pressure(g);
    for (int d = 0; d < 3; d++) {
        g->flow[0][d] = g->var[1 + d];
        for (int i = 0; i < 3; i++)
            g->flow[1 + i][d] = g->velocity[i] * g->var[1 + d] + (i == d ? g->pressure : 0);
        g->flow[4][d] = g->velocity[d] * (g->var[4] + g->pressure);
    }
}

static struct gas far_gas(void) {
    struct gas g = {.var = {1.4f, 1.4f * mach, 0, 0, 0.5f * 1.4f * mach * mach + 1 / 0.4f}};
    gas_state(&g);
    return g;
}

static float step_factor(struct gas *g, float area) {
    gas_pressure(g);
    return 0.5f / (sqrtf(area) * (g->speed + g->sound));
}

static void add_flow(float flux[VARS], const float normal[3], const struct gas *a,
                     const struct gas *b) {
    for (int d = 0; d < 3; d++)
        for (int v = 0; v < VARS; v++)
            flux[v] += 0.5f * normal[d] * (b->flow[v][d] + a->flow[v][d]);
}

/* Adds the flux through the face between elements a and b to `flux`. */
static void add_inside(float flux[VARS], const float normal[3], const struct gas *a,
                       const struct gas *b) {
    const float length =
        sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const float factor = -length * smoothing * 0.5f * (a->speed + b->speed + a->sound + b->sound);
    for (int v = 0; v < VARS; v++)
        flux[v] += factor * (a->var[v] - b->var[v]);
    add_flow(flux, normal, a, b);
}

static void add_wall(float flux[VARS], const float normal[3], const struct gas *a) {
    for (int d = 0; d < 3; d++)
        flux[1 + d] += normal[d] * a->pressure;
}

static float advanced(float old, float factor, unsigned rk, float flux) {
    return old + factor / (float)(RK_STEPS - rk) * flux;
}

struct factor_warp {
    struct warp_head head;
    unsigned v;
    float area[WARP_LANES];
    struct gas gas[WARP_LANES];
};

#define REGS(first, n) ((R(n) - 1) << (first))

static void factor_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct cfd *m = ctx;
    struct factor_warp *w = state;
    const uint64_t e = thread_in_grid(place, BLOCK, 0); /* index of lane 0's element */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(3, R(INDEX), 0);
    for (w->v = 0; w->v < VARS; w->v++)
        LD(w->gas[l].var[w->v], m->var, [e + l + w->v * m->n], R(VAR + w->v), R(INDEX));
    ALU_RUN(13, R(STATE), REGS(VAR, VARS));
    SFU(2, (void)0, R(STATE), R(STATE));
    LD(w->area[l], m->areas, [e + l], R(AREA), R(INDEX));
    ALU_RUN(4, R(FACTOR), R(AREA) | R(STATE));
    SFU(2, w->area[l] = step_factor(&w->gas[l], w->area[l]), R(FACTOR), R(FACTOR));
    ST(w->area[l], m->sf, [e + l], R(FACTOR) | R(INDEX));
    WARP_END();
}

struct flux_warp {
    struct warp_head head;
    unsigned v, face, d;
    int32_t neighbor[WARP_LANES];
    float normal[WARP_LANES][3], flux[WARP_LANES][VARS];
    struct gas gas[WARP_LANES], other[WARP_LANES];
};

static void flux_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct cfd *m = ctx;
    struct flux_warp *w = state;
    const uint64_t n = m->n, e = thread_in_grid(place, BLOCK, 0); /* index of lane 0's element */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(3, R(INDEX) | R(FLUX), 0);
    for (w->v = 0; w->v < VARS; w->v++)
        LD(w->gas[l].var[w->v], m->var, [e + l + w->v * n], R(VAR + w->v), R(INDEX));
    ALU(17, gas_state(&w->gas[l]), R(STATE), REGS(VAR, VARS));
    SFU(3, (void)0, R(STATE), R(STATE));
    for (w->face = 0; w->face < FACES; w->face++) {
        LD(w->neighbor[l], m->esel, [e + l + w->face * n], R(NEIGHBOR), R(INDEX));
        for (w->d = 0; w->d < 3; w->d++)
            LD(w->normal[l][w->d], m->normals, [e + l + (w->face + w->d * FACES) * n],
               R(NORMAL + w->d), R(INDEX));
        BRANCH(R(NEIGHBOR));
        KEEP_LANES(w->neighbor[l] >= 0);
        for (w->v = 0; w->v < VARS; w->v++)
            LD(w->other[l].var[w->v], m->var, [(uint64_t)w->neighbor[l] + w->v * n],
               R(VAR_OF_NB + w->v), R(NEIGHBOR));
        ALU(61, gas_state(&w->other[l]), R(FACTOR), REGS(VAR_OF_NB, VARS) | REGS(NORMAL, 3));
        SFU(4, add_inside(w->flux[l], w->normal[l], &w->gas[l], &w->other[l]), R(FLUX),
            R(FLUX) | R(FACTOR) | R(STATE));
        EVERY_LANE();
        KEEP_LANES(w->neighbor[l] == WALL);
        ALU(6, add_wall(w->flux[l], w->normal[l], &w->gas[l]), R(FLUX),
            R(FLUX) | R(STATE) | REGS(NORMAL, 3));
        EVERY_LANE();
        KEEP_LANES(w->neighbor[l] == FAR);
        ALU(40, add_flow(w->flux[l], w->normal[l], &w->gas[l], &m->far), R(FLUX),
            R(FLUX) | R(STATE) | REGS(NORMAL, 3));
        EVERY_LANE();
    }
    for (w->v = 0; w->v < VARS; w->v++)
        ST(w->flux[l][w->v], m->flux, [e + l + w->v * n], R(FLUX) | R(INDEX));
    WARP_END();
}

struct time_warp {
    struct warp_head head;
    unsigned k;
    float factor[WARP_LANES], old[WARP_LANES], flux[WARP_LANES];
};

static void time_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    static const unsigned order[VARS] = {0, 4, 1, 2, 3};
    struct cfd *m = ctx;
    struct time_warp *w = state;
    const uint64_t n = m->n, e = thread_in_grid(place, BLOCK, 0); /* index of lane 0's element */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(3, R(INDEX), 0);
    LD(w->factor[l], m->sf, [e + l], R(FACTOR), R(INDEX));
    ALU_RUN(3, R(FACTOR), R(FACTOR));
    for (w->k = 0; w->k < VARS; w->k++) {
        LD(w->old[l], m->old, [e + l + order[w->k] * n], R(VAR + w->k), R(INDEX));
        LD(w->flux[l], m->flux, [e + l + order[w->k] * n], R(VAR_OF_NB + w->k), R(INDEX));
        ALU(1, w->old[l] = advanced(w->old[l], w->factor[l], m->rk, w->flux[l]), R(VAR + w->k),
            R(VAR + w->k) | R(VAR_OF_NB + w->k) | R(FACTOR));
        ST(w->old[l], m->var, [e + l + order[w->k] * n], R(VAR + w->k) | R(INDEX));
    }
    WARP_END();
}

#define LAUNCHES (1 + 2 * RK_STEPS) /* number of launches per iteration */

static bool cfd_next(struct workload *w, struct kernel_launch *launch) {
    struct cfd *m = (struct cfd *)w;
    const unsigned k = m->base.launched % LAUNCHES;
    if (m->base.launched == m->iterations * LAUNCHES)
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = "cfd step factor",
        .grid = {(uint32_t)(m->n / BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct factor_warp),
        .step = factor_step,
        .ctx = m,
    };
    if (k == 0) {
        memcpy(m->old.v, m->var.v, m->n * VARS * sizeof *m->old.v);
        return true;
    }
    const bool flux = k % 2 == 1;
    m->rk = (k - 1) / 2;
    launch->name = flux ? "cfd flux" : "cfd time step";
    launch->warp_state_size = flux ? sizeof(struct flux_warp) : sizeof(struct time_warp);
    launch->step = flux ? flux_step : time_step;
    return true;
}

/* ---- Reference version ---- */

static struct gas gas_of(const float *var, uint64_t n, uint64_t e) {
    struct gas g;
    for (unsigned v = 0; v < VARS; v++)
        g.var[v] = var[e + v * n];
    return g;
}

static void element_flux(const struct cfd *m, const float *var, uint64_t e, float *flux) {
    const uint64_t n = m->n;
    struct gas a = gas_of(var, n, e);
    float sum[VARS] = {0};
    gas_state(&a);
    for (unsigned f = 0; f < FACES; f++) {
        const int32_t nb = m->esel.v[e + f * n];
        float normal[3];
        for (unsigned d = 0; d < 3; d++)
            normal[d] = m->normals.v[e + (f + d * FACES) * n];
        if (nb >= 0) {
            struct gas b = gas_of(var, n, (uint64_t)nb);
            gas_state(&b);
            add_inside(sum, normal, &a, &b);
        } else if (nb == WALL) {
            add_wall(sum, normal, &a);
        } else {
            add_flow(sum, normal, &a, &m->far);
        }
    }
    for (unsigned v = 0; v < VARS; v++)
        flux[e + v * n] = sum[v];
}

/* Performs one iteration on var for the reference version. old and flux ([VARS][n]) and sf[n] are
 * scratch space. */
static void iterate(const struct cfd *m, float *var, float *old, float *flux, float *sf) {
    const uint64_t n = m->n;
    memcpy(old, var, n * VARS * sizeof *old);
    for (uint64_t e = 0; e < n; e++) {
        struct gas g = gas_of(var, n, e);
        sf[e] = step_factor(&g, m->areas.v[e]);
    }
    for (unsigned rk = 0; rk < RK_STEPS; rk++) {
        for (uint64_t e = 0; e < n; e++)
            element_flux(m, var, e, flux);
        for (uint64_t at = 0; at < n * VARS; at++)
            var[at] = advanced(old[at], sf[at % n], rk, flux[at]);
    }
}

static void cfd_start(const struct cfd *m, float *var) {
    for (uint64_t at = 0; at < m->n * VARS; at++)
        var[at] = m->far.var[at / m->n];
}

static int cfd_verify(struct workload *w, struct error *err) {
    struct cfd *m = (struct cfd *)w;
    const uint64_t values = m->n * VARS;
    float *var = alloc_array(values, sizeof *var), *old = alloc_array(values, sizeof *old);
    float *flux = alloc_array(values, sizeof *flux), *sf = alloc_array(m->n, sizeof *sf);
    cfd_start(m, var);
    for (uint64_t i = 0; i < m->iterations; i++)
        iterate(m, var, old, flux, sf);
    int rc = verify_floats("var", m->var.v, var, values, err);
    if (rc == 0)
        rc = verify_floats("flux", m->flux.v, flux, values, err);
    free(var);
    free(old);
    free(flux);
    free(sf);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Mesh ---- */

/* Finds an element after e, usually near it, that has a free face. Returns false if it finds no
 * such element. */
static bool find_neighbor(struct cfd *m, struct rng *r, const uint8_t *used, uint64_t e,
                          uint64_t *other) {
    const uint64_t behind = m->elements - 1 - e;
    const uint64_t reach = behind < REACH || rng_below(r, 64) == 0 ? behind : REACH;
    for (unsigned tries = 0; tries < 16 && reach > 0; tries++) {
        *other = e + 1 + rng_below(r, reach);
        if (used[*other] < FACES)
            return true;
    }
    return false;
}

/* Joins faces in pairs. Faces without a partner, and one in 16 of the others, are at the boundary.
 * `used` must be zeroed. */
static void join_faces(struct cfd *m, struct rng *r, uint8_t *used) {
    const uint64_t n = m->n;
    for (uint64_t e = 0; e < m->elements; e++) {
        while (used[e] < FACES) {
            int32_t *face = &m->esel.v[e + used[e]++ * n];
            uint64_t other;
            *face = rng_below(r, 2) ? WALL : FAR;
            if (rng_below(r, 16) == 0 || !find_neighbor(m, r, used, e, &other))
                continue;
            *face = (int32_t)other;
            m->esel.v[other + used[other]++ * n] = (int32_t)e;
        }
    }
}

/* Generates areas, and normals with components of up to about 1. The four normals of an element add
 * up to 0, like those of a closed surface, so a uniform gas does not change except at walls. The
 * areas are large, which makes the step factors small: values stay finite for 2000 iterations
 * although the mesh has no real geometry. */
static void fill_geometry(struct cfd *m, struct rng *r) {
    const uint64_t n = m->n;
    for (uint64_t e = 0; e < m->elements; e++) {
        m->areas.v[e] = 1e8f * (1 + rng_unit(r));
        for (unsigned d = 0; d < 3; d++) {
            float *normal = &m->normals.v[e + d * FACES * n], sum = 0;
            for (unsigned f = 0; f < FACES - 1; f++) {
                normal[f * n] = 2 * rng_unit(r) - 1;
                sum += normal[f * n];
            }
            normal[(FACES - 1) * n] = -sum;
        }
    }
}

/* Copies the last element to the elements beyond N. */
static void pad_mesh(struct cfd *m) {
    const uint64_t n = m->n, last = m->elements - 1;
    for (uint64_t e = m->elements; e < n; e++) {
        m->areas.v[e] = m->areas.v[last];
        for (unsigned f = 0; f < FACES; f++)
            m->esel.v[e + f * n] = m->esel.v[last + f * n];
        for (unsigned f = 0; f < 3 * FACES; f++)
            m->normals.v[e + f * n] = m->normals.v[last + f * n];
    }
}

static void cfd_mesh(struct cfd *m) {
    struct rng r = {SEED};
    uint8_t *used = alloc_zeroed(m->elements, sizeof *used);
    join_faces(m, &r, used);
    free(used);
    fill_geometry(m, &r);
    pad_mesh(m);
    cfd_start(m, m->var.v);
}

static bool cfd_arrays(struct cfd *m) {
    const uint64_t n = m->n;
    return NEW_ARRAY(m, areas, n) && NEW_ARRAY(m, esel, FACES * n) &&
           NEW_ARRAY(m, normals, 3 * FACES * n) && NEW_ARRAY(m, var, VARS * n) &&
           NEW_ARRAY(m, old, VARS * n) && NEW_ARRAY(m, flux, VARS * n) && NEW_ARRAY(m, sf, n);
}

static void cfd_expect(struct cfd *m) {
    const uint64_t threads = m->n * m->iterations;
    uint64_t inside = 0;
    for (uint64_t f = 0; f < FACES * m->n; f++)
        inside += m->esel.v[f] >= 0;
    expect_accesses(m->areas.dev, threads, 0);
    expect_accesses(m->esel.dev, RK_STEPS * FACES * threads, 0);
    expect_accesses(m->normals.dev, RK_STEPS * FACES * 3 * threads, 0);
    expect_accesses(m->var.dev,
                    VARS * threads * (1 + RK_STEPS) + VARS * RK_STEPS * inside * m->iterations,
                    VARS * RK_STEPS * threads);
    expect_accesses(m->old.dev, VARS * RK_STEPS * threads, 0);
    expect_accesses(m->flux.dev, VARS * RK_STEPS * threads, VARS * RK_STEPS * threads);
    expect_accesses(m->sf.dev, RK_STEPS * threads, threads);
}

static bool cfd_create(struct workload *w, const uint64_t *v) {
    struct cfd *m = (struct cfd *)w;
    m->elements = v[0];
    m->n = ceil_div(v[0], BLOCK) * BLOCK;
    m->iterations = v[1];
    m->far = far_gas();
    m->base.w.launches = m->iterations * LAUNCHES;
    if (!cfd_arrays(m))
        return false;
    cfd_mesh(m);
    cfd_expect(m);
    return true;
}

const struct workload_type workload_cfd = {
    .name = "cfd",
    .suite = "Rodinia",
    .doc = "Euler equations on an unstructured mesh: coalesced columns, gathers of neighbors",
    .size_doc = "N[,I]: elements of the mesh, iterations",
    .default_size = "16320,3",
    .repeatable = true,
    .size = {{"N", 1, 1u << 23}, {"I", 1, 2000}},
    .state_size = sizeof(struct cfd),
    .next = cfd_next,
    .verify = cfd_verify,
    .create = cfd_create,
};
