// SPDX-License-Identifier: Apache-2.0
/* fdtd2d (UVMBench, from PolyBench): runs S steps of a finite-difference time-domain simulation on
 * an N x N grid. Each step has three kernels. Two compute the electric fields from the magnetic
 * field; then the third computes the magnetic field from them. All accesses are streaming, one
 * thread per cell.
 *
 * ex has one more column than hz, so its rows are not aligned with cache lines. ey has one more row
 * than hz.
 *
 * Thread-level accesses per step:
 *   fict  N loads (source of row 0 of ey)
 *   ey    N(N-1) + 2 N^2 loads, N^2 stores
 *   ex    N(N-1) + 2 N^2 loads, N(N-1) stores
 *   hz    4 N(N-1) + N^2 loads, N^2 stores
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define SEED 0xfd7d

enum { HERE, THERE, FIELD, FIELD_NEXT, OLD }; /* registers */

struct fdtd2d {
    struct lane_workload base;
    uint64_t n, steps;
    uint64_t t; /* step of the current launch */
    ARRAY(float) fict;
    ARRAY(float) ex; /* N x (N+1) */
    ARRAY(float) ey; /* (N+1) x N */
    ARRAY(float) hz; /* N x N */
};

struct fdtd2d_warp {
    struct warp_head head;
    float here[WARP_LANES], there[WARP_LANES], field[WARP_LANES], old[WARP_LANES];
};

/* Return the row of the warp, and the column of its lane 0. */
static uint64_t row(const struct warp_place *place) {
    return place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
}
static uint64_t column(const struct warp_place *place) {
    return place->cta[0] * (uint64_t)BLOCK_X;
}

/* Updates ey. Row 0 is the source of the wave; the other rows follow the difference of hz between
 * rows. */
static void ey_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct fdtd2d *m = ctx;
    struct fdtd2d_warp *w = state;
    const uint64_t n = m->n, i = row(place), j = column(place);
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n);
    if (i == 0) {
        LD(w->field[l], m->fict, [m->t], R(FIELD), 0);
        ST(w->field[l], m->ey, [j + l], R(FIELD));
    } else {
        LD(w->there[l], m->hz, [(i - 1) * n + j + l], R(THERE), 0);
        LD(w->here[l], m->hz, [i * n + j + l], R(HERE), 0);
        ALU(1, w->here[l] -= w->there[l], R(HERE), R(HERE) | R(THERE));
        LD(w->field[l], m->ey, [i * n + j + l], R(FIELD), 0);
        ALU(1, w->field[l] -= 0.5f * w->here[l], R(FIELD), R(FIELD) | R(HERE));
        ST(w->field[l], m->ey, [i * n + j + l], R(FIELD));
    }
    WARP_END();
}

/* Updates ex: all columns but 0 follow the difference of hz between columns. */
static void ex_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct fdtd2d *m = ctx;
    struct fdtd2d_warp *w = state;
    const uint64_t n = m->n, i = row(place), j = column(place);
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n && j + l > 0);
    LD(w->there[l], m->hz, [i * n + j + l - 1], R(THERE), 0);
    LD(w->here[l], m->hz, [i * n + j + l], R(HERE), 0);
    ALU(1, w->here[l] -= w->there[l], R(HERE), R(HERE) | R(THERE));
    LD(w->field[l], m->ex, [i * (n + 1) + j + l], R(FIELD), 0);
    ALU(1, w->field[l] -= 0.5f * w->here[l], R(FIELD), R(FIELD) | R(HERE));
    ST(w->field[l], m->ex, [i * (n + 1) + j + l], R(FIELD));
    WARP_END();
}

/* Updates hz from the differences of ex between columns and of ey between rows. */
static void hz_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct fdtd2d *m = ctx;
    struct fdtd2d_warp *w = state;
    const uint64_t n = m->n, i = row(place), j = column(place);
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n);
    LD(w->here[l], m->ex, [i * (n + 1) + j + l], R(HERE), 0);
    LD(w->there[l], m->ex, [i * (n + 1) + j + l + 1], R(THERE), 0);
    ALU(2, w->there[l] -= w->here[l], R(THERE), R(HERE) | R(THERE));
    LD(w->field[l], m->ey, [(i + 1) * n + j + l], R(FIELD_NEXT), 0);
    ALU(1, w->there[l] += w->field[l], R(THERE), R(THERE) | R(FIELD_NEXT));
    LD(w->field[l], m->ey, [i * n + j + l], R(FIELD), 0);
    ALU(1, w->there[l] -= w->field[l], R(THERE), R(THERE) | R(FIELD));
    LD(w->old[l], m->hz, [i * n + j + l], R(OLD), 0);
    ALU(1, w->old[l] -= 0.7f * w->there[l], R(OLD), R(OLD) | R(THERE));
    ST(w->old[l], m->hz, [i * n + j + l], R(OLD));
    WARP_END();
}

static bool fdtd2d_next(struct workload *w, struct kernel_launch *launch) {
    static const struct {
        const char *name;
        void (*step)(void *, const struct warp_place *, void *, void *, struct warp_inst *);
    } kernel[3] = {{"fdtd2d ey", ey_step}, {"fdtd2d ex", ex_step}, {"fdtd2d hz", hz_step}};
    struct fdtd2d *m = (struct fdtd2d *)w;
    const unsigned k = m->base.launched % 3;
    m->t = m->base.launched / 3;
    if (m->t == m->steps)
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = kernel[k].name,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .warp_state_size = sizeof(struct fdtd2d_warp),
        .step = kernel[k].step,
        .ctx = m,
    };
    return true;
}

/* Arrays of the reference version. */
struct fields {
    float *fict, *ex, *ey, *hz;
};

static void fdtd2d_inputs(const struct fdtd2d *m, const struct fields *f) {
    const uint64_t n = m->n;
    struct rng r = {SEED};
    rng_fill(&r, f->fict, m->steps, 0, 10);
    rng_fill(&r, f->ex, n * (n + 1), 0, 1);
    rng_fill(&r, f->ey, (n + 1) * n, 0, 1);
    rng_fill(&r, f->hz, n * n, 0, 1);
}

static void advance(uint64_t n, const struct fields *f, uint64_t t) {
    float *ex = f->ex, *ey = f->ey, *hz = f->hz;
    for (uint64_t j = 0; j < n; j++)
        ey[j] = f->fict[t];
    for (uint64_t i = 1; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            ey[i * n + j] -= 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 1; j < n; j++)
            ex[i * (n + 1) + j] -= 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            hz[i * n + j] -= 0.7f * (ex[i * (n + 1) + j + 1] - ex[i * (n + 1) + j] +
                                     ey[(i + 1) * n + j] - ey[i * n + j]);
}

static int compare(const struct fdtd2d *m, const struct fields *f, struct error *err) {
    const uint64_t n = m->n;
    if (verify_floats("ex", m->ex.v, f->ex, n * (n + 1), err) != 0 ||
        verify_floats("ey", m->ey.v, f->ey, (n + 1) * n, err) != 0)
        return -1;
    return verify_floats("hz", m->hz.v, f->hz, n * n, err);
}

static int fdtd2d_verify(struct workload *w, struct error *err) {
    struct fdtd2d *m = (struct fdtd2d *)w;
    const uint64_t n = m->n;
    const struct fields f = {
        .fict = alloc_array(m->steps, sizeof(float)),
        .ex = alloc_array(n * (n + 1), sizeof(float)),
        .ey = alloc_array((n + 1) * n, sizeof(float)),
        .hz = alloc_array(n * n, sizeof(float)),
    };
    fdtd2d_inputs(m, &f);
    for (uint64_t t = 0; t < m->steps; t++)
        advance(n, &f, t);
    int rc = compare(m, &f, err);
    free(f.fict);
    free(f.ex);
    free(f.ey);
    free(f.hz);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void fdtd2d_expect(struct fdtd2d *m) {
    const uint64_t n = m->n, s = m->steps, shifted = n * (n - 1);
    expect_accesses(m->fict.dev, s * n, 0);
    expect_accesses(m->ex.dev, s * (shifted + 2 * n * n), s * shifted);
    expect_accesses(m->ey.dev, s * (shifted + 2 * n * n), s * n * n);
    expect_accesses(m->hz.dev, s * (4 * shifted + n * n), s * n * n);
}

static bool fdtd2d_create(struct workload *w, const uint64_t *v) {
    struct fdtd2d *m = (struct fdtd2d *)w;
    const uint64_t n = m->n = v[0];
    m->steps = v[1];
    m->base.w.launches = 3 * m->steps;
    if (!NEW_ARRAY(m, fict, m->steps) || !NEW_ARRAY(m, ex, n * (n + 1)) ||
        !NEW_ARRAY(m, ey, (n + 1) * n) || !NEW_ARRAY(m, hz, n * n))
        return false;
    fdtd2d_inputs(m, &(struct fields){m->fict.v, m->ex.v, m->ey.v, m->hz.v});
    fdtd2d_expect(m);
    return true;
}

const struct workload_type workload_fdtd2d = {
    .name = "fdtd2d",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc =
        "2-D electromagnetic wave: three coalesced stencils per step, one with a misaligned pitch",
    .size_doc = "N[,S]: edge of the grid, steps",
    .default_size = "512,5",
    .size = {{"N", 1, 16384}, {"S", 1, 1000000}},
    .state_size = sizeof(struct fdtd2d),
    .next = fdtd2d_next,
    .verify = fdtd2d_verify,
    .create = fdtd2d_create,
};
