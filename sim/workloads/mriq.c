// SPDX-License-Identifier: Apache-2.0
/* mriq (Parboil mri-q): computes the matrix Q for N points of space from K samples of k-space, with
 * one thread per point.
 *
 * `phi` computes the squared magnitude of each sample's weight, in CTAs of 512 threads. The host
 * copies these values and the coordinates of 1024 samples at a time to constant memory, which
 * causes no accesses, and launches `q`, in CTAs of 256 threads. A thread loads the coordinates and
 * sums of its point, adds the weight times the cosine and the sine of the phase of each sample, and
 * stores the sums. The kernel is bound by arithmetic.
 *
 * Thread-level accesses, with T = ceil(K / 1024): phiR, phiI: K loads. phiMag: K stores. x, y, z: T
 * N loads. Qr, Qi: T N loads, T N stores.
 */
#include "lane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define PHI_BLOCK 512
#define BLOCK 256
#define CHUNK 1024 /* number of samples in constant memory */
#define SEED 0x3219

/* registers */
enum { INDEX, X, Y, Z, PHASE, WAVE, REAL, IMAGINARY };

typedef ARRAY(float) float_array;

/* Coordinates of a sample. */
struct sample {
    float x, y, z;
};

struct mriq {
    struct lane_workload base;
    uint64_t n, k;
    struct sample *sample; /* [k]; owned */
    float_array phiR, phiI, phiMag, x, y, z, Qr, Qi;
    uint64_t first, end; /* range of samples of the current launch of `q` */
};

static float phase(const struct sample *s, float x, float y, float z) {
    return 6.2831853f * (s->x * x + s->y * y + s->z * z);
}

struct phi_warp {
    struct warp_head head;
    float real[WARP_LANES], imaginary[WARP_LANES];
};

static void phi_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct mriq *m = ctx;
    struct phi_warp *w = state;
    const uint64_t i = thread_in_grid(place, PHI_BLOCK, 0); /* index of lane 0's sample */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(4, R(INDEX), 0);
    RETURN_UNLESS(i + l < m->k);
    LD(w->real[l], m->phiR, [i + l], R(REAL), R(INDEX));
    LD(w->imaginary[l], m->phiI, [i + l], R(IMAGINARY), R(INDEX));
    ALU(2, w->real[l] = w->real[l] * w->real[l] + w->imaginary[l] * w->imaginary[l], R(REAL),
        R(REAL) | R(IMAGINARY));
    ST(w->real[l], m->phiMag, [i + l], R(REAL) | R(INDEX));
    WARP_END();
}

struct q_warp {
    struct warp_head head;
    uint64_t k;
    float x[WARP_LANES], y[WARP_LANES], z[WARP_LANES];
    float phase[WARP_LANES], wave[WARP_LANES]; /* phase; its cosine, then its sine */
    float real[WARP_LANES], imaginary[WARP_LANES];
};

/* Returns true if sample k ends an iteration of the loop. An iteration processes two samples. If
 * the number of samples is odd, the first iteration processes one. */
static bool ends_turn(const struct mriq *m, uint64_t k) {
    return k % 2 != m->k % 2;
}

#define PHASE_OF phase(&m->sample[w->k], w->x[l], w->y[l], w->z[l])
#define WEIGHT m->phiMag.v[w->k]

static void q_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                   struct warp_inst *inst) {
    struct mriq *m = ctx;
    struct q_warp *w = state;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's point */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    LD(w->x[l], m->x, [i + l], R(X), R(INDEX));
    LD(w->y[l], m->y, [i + l], R(Y), R(INDEX));
    LD(w->z[l], m->z, [i + l], R(Z), R(INDEX));
    LD(w->real[l], m->Qr, [i + l], R(REAL), R(INDEX));
    LD(w->imaginary[l], m->Qi, [i + l], R(IMAGINARY), R(INDEX));
    for (w->k = m->first; w->k < m->end; w->k++) {
        ALU(4, w->phase[l] = PHASE_OF, R(PHASE), R(X) | R(Y) | R(Z));
        SFU(1, w->wave[l] = cosf(w->phase[l]), R(WAVE), R(PHASE));
        ALU(1, w->real[l] += WEIGHT * w->wave[l], R(REAL), R(REAL) | R(WAVE));
        SFU(1, w->wave[l] = sinf(w->phase[l]), R(WAVE), R(PHASE));
        ALU(1, w->imaginary[l] += WEIGHT * w->wave[l], R(IMAGINARY), R(IMAGINARY) | R(WAVE));
        if (ends_turn(m, w->k))
            ALU_RUN(8, 0, 0);
    }
    ST(w->real[l], m->Qr, [i + l], R(REAL) | R(INDEX));
    ST(w->imaginary[l], m->Qi, [i + l], R(IMAGINARY) | R(INDEX));
    WARP_END();
}

static bool mriq_next(struct workload *w, struct kernel_launch *launch) {
    struct mriq *m = (struct mriq *)w;
    const bool phi = m->base.launched == 0;
    if (m->end == m->k)
        return false;
    if (!phi) {
        m->first = m->end;
        m->end = m->first + CHUNK < m->k ? m->first + CHUNK : m->k;
    }
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = phi ? "mriq phi" : "mriq q",
        .grid = {(uint32_t)(phi ? ceil_div(m->k, PHI_BLOCK) : m->n / BLOCK), 1, 1},
        .block = {phi ? PHI_BLOCK : BLOCK, 1, 1},
        .warp_state_size = phi ? sizeof(struct phi_warp) : sizeof(struct q_warp),
        .step = phi ? phi_step : q_step,
        .ctx = m,
    };
    return true;
}

/* Computes the output of `phi` for the reference version. */
static void weigh(const struct mriq *m, float *weight) {
    for (uint64_t k = 0; k < m->k; k++)
        weight[k] = m->phiR.v[k] * m->phiR.v[k] + m->phiI.v[k] * m->phiI.v[k];
}

/* Computes the output of all launches of `q` for the reference version. */
static void add_samples(const struct mriq *m, const float *weight, float *real, float *imaginary) {
    for (uint64_t i = 0; i < m->n; i++) {
        real[i] = imaginary[i] = 0;
        for (uint64_t k = 0; k < m->k; k++) {
            const float p = phase(&m->sample[k], m->x.v[i], m->y.v[i], m->z.v[i]);
            real[i] += weight[k] * cosf(p);
            imaginary[i] += weight[k] * sinf(p);
        }
    }
}

static int mriq_verify(struct workload *w, struct error *err) {
    struct mriq *m = (struct mriq *)w;
    float *weight = alloc_array(m->k, sizeof *weight);
    float *real = alloc_array(m->n, sizeof *real),
          *imaginary = alloc_array(m->n, sizeof *imaginary);
    weigh(m, weight);
    int rc = verify_floats("phiMag", m->phiMag.v, weight, m->k, err);
    if (rc == 0) {
        add_samples(m, weight, real, imaginary);
        rc = verify_floats("Qr", m->Qr.v, real, m->n, err);
    }
    if (rc == 0)
        rc = verify_floats("Qi", m->Qi.v, imaginary, m->n, err);
    free(weight);
    free(real);
    free(imaginary);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void mriq_destroy(struct workload *w) {
    free(((struct mriq *)w)->sample);
    workload_free(w);
}

static bool mriq_arrays(struct mriq *m) {
    if (!NEW_ARRAY(m, phiR, m->k) || !NEW_ARRAY(m, phiI, m->k) || !NEW_ARRAY(m, phiMag, m->k) ||
        !NEW_ARRAY(m, x, m->n) || !NEW_ARRAY(m, y, m->n) || !NEW_ARRAY(m, z, m->n) ||
        !NEW_ARRAY(m, Qr, m->n) || !NEW_ARRAY(m, Qi, m->n))
        return false;
    m->sample = alloc_array(m->k, sizeof *m->sample);
    return true;
}

static void mriq_inputs(struct mriq *m) {
    struct rng r = {SEED};
    rng_fill(&r, m->phiR.v, m->k, -1, 1);
    rng_fill(&r, m->phiI.v, m->k, -1, 1);
    rng_fill(&r, m->x.v, m->n, -1, 1);
    rng_fill(&r, m->y.v, m->n, -1, 1);
    rng_fill(&r, m->z.v, m->n, -1, 1);
    for (uint64_t k = 0; k < m->k; k++) {
        rng_fill(&r, &m->sample[k].x, 1, -1, 1);
        rng_fill(&r, &m->sample[k].y, 1, -1, 1);
        rng_fill(&r, &m->sample[k].z, 1, -1, 1);
    }
}

static void mriq_expect(struct mriq *m) {
    const uint64_t loads = ceil_div(m->k, CHUNK) * m->n;
    expect_accesses(m->phiR.dev, m->k, 0);
    expect_accesses(m->phiI.dev, m->k, 0);
    expect_accesses(m->phiMag.dev, 0, m->k);
    expect_accesses(m->x.dev, loads, 0);
    expect_accesses(m->y.dev, loads, 0);
    expect_accesses(m->z.dev, loads, 0);
    expect_accesses(m->Qr.dev, loads, loads);
    expect_accesses(m->Qi.dev, loads, loads);
}

/* Refuses an odd number of samples above one chunk, for which the original reads beyond the samples
 * in constant memory. */
static bool samples_fit(struct mriq *m, uint64_t k) {
    if (k % 2 == 0 || k < CHUNK)
        return true;
    error_set(&m->base.err, "mriq: size: K, %u, is odd and more than %d", (unsigned)k, CHUNK);
    return false;
}

static bool mriq_create(struct workload *w, const uint64_t *v) {
    struct mriq *m = (struct mriq *)w;
    if (!workload_multiple(w, "N", v[0], BLOCK) || !samples_fit(m, v[1]))
        return false;
    m->n = v[0];
    m->k = v[1];
    m->base.w.launches = 1 + ceil_div(m->k, CHUNK);
    if (!mriq_arrays(m))
        return false;
    mriq_inputs(m);
    mriq_expect(m);
    return true;
}

const struct workload_type workload_mriq = {
    .name = "mriq",
    .suite = "Parboil (mri-q)",
    .doc = "matrix for magnetic resonance images: sines and cosines of constants, few accesses",
    .size_doc = "N[,K]: points (a multiple of 256), samples (even, or below 1024)",
    .default_size = "32768,2048",
    .size = {{"N", BLOCK, 1u << 27}, {"K", 1, 1u << 20}},
    .state_size = sizeof(struct mriq),
    .next = mriq_next,
    .verify = mriq_verify,
    .destroy = mriq_destroy,
    .create = mriq_create,
};
