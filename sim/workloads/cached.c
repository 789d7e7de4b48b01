// SPDX-License-Identifier: Apache-2.0
/* cached (te42kyfo/gpu-benches, gpu-cache): a microbenchmark of the bandwidth of the caches. C CTAs
 * of 256 threads, one per SM, load the same buffer of N KiB of floats I times. A thread has UNROLL
 * loads in flight, and adds their values to a sum.
 *
 * The bandwidth of an SM in bytes per cycle is 1024 N (I - J) / (cycles of N,I - cycles of N,J).
 *
 * Thread-level accesses: b: 256 N I C loads. sums: 256 C stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define THREADS 256u
#define FLOATS_PER_KIB 256
#define UNROLL 32
#define SEED 0xcac4e

enum { AT, SUM, VALUE }; /* registers; values are in VALUE to VALUE + UNROLL - 1 */

struct cached {
    struct lane_workload base;
    uint64_t n, passes; /* number of elements of b */
    uint32_t ctas;
    ARRAY(float) b;
    ARRAY(float) sums;
};

struct cached_warp {
    struct warp_head head;
    uint64_t load, first; /* number of the load, and of the first one of its batch */
    float value[UNROLL][WARP_LANES], sum[WARP_LANES];
};

/* Returns the number of loads of a thread. */
static uint64_t cached_loads(const struct cached *m) {
    return m->n / THREADS * m->passes;
}

static void cached_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct cached *m = ctx;
    struct cached_warp *w = state;
    const uint64_t loads = cached_loads(m), rows = m->n / THREADS;
#define PLACE (w->load - w->first)
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(4, R(AT) | R(SUM), 0);
    for (w->first = 0; w->first < loads; w->first += UNROLL) {
        for (w->load = w->first; w->load < w->first + UNROLL && w->load < loads; w->load++)
            LD(w->value[PLACE][l], m->b, [w->load % rows * THREADS + thread_in_block(place, l)],
               R(VALUE + PLACE), R(AT));
        for (w->load = w->first; w->load < w->first + UNROLL && w->load < loads; w->load++)
            ALU(1, w->sum[l] += w->value[PLACE][l], R(SUM), R(SUM) | R(VALUE + PLACE));
        ALU_RUN(2, R(AT), R(AT)); /* the next address */
        BRANCH(R(AT));
    }
    ST(w->sum[l], m->sums, [thread_in_grid(place, THREADS, l)], R(SUM));
    WARP_END();
#undef PLACE
}

static bool cached_next(struct workload *w, struct kernel_launch *launch) {
    struct cached *m = (struct cached *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "sumKernel",
        .warp_state_size = sizeof(struct cached_warp),
        .step = cached_step,
        .ctx = m,
    };
    launch_1d(launch, m->ctas, THREADS);
    return true;
}

static int cached_verify(struct workload *w, struct error *err) {
    struct cached *m = (struct cached *)w;
    const uint64_t n = (uint64_t)m->ctas * THREADS;
    float *sums = alloc_zeroed(n, sizeof *sums);
    for (uint64_t i = 0; i < cached_loads(m) * THREADS; i++)
        sums[i % THREADS] += m->b.v[i % m->n];
    for (uint64_t i = THREADS; i < n; i++)
        sums[i] = sums[i % THREADS];
    int rc = verify_floats("sums", m->sums.v, sums, n, err);
    free(sums);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool cached_create(struct workload *w, const uint64_t *v) {
    struct cached *m = (struct cached *)w;
    struct rng r = {SEED};
    m->n = v[0] * FLOATS_PER_KIB;
    m->passes = v[1];
    m->ctas = (uint32_t)v[2];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, b, m->n) || !NEW_ARRAY(m, sums, (uint64_t)m->ctas * THREADS))
        return false;
    rng_fill(&r, m->b.v, m->n, 0, 1);
    expect_accesses(m->b.dev, m->n * m->passes * m->ctas, 0);
    expect_accesses(m->sums.dev, 0, (uint64_t)m->ctas * THREADS);
    return true;
}

const struct workload_type workload_cached = {
    .name = "cached",
    .suite = "gpu-benches",
    .doc = "a buffer that each CTA loads repeatedly, a microbenchmark of cache bandwidth",
    .size_doc = "N[,I[,C]]: KiB of the buffer, passes over it, CTAs",
    .default_size = "64,8,16",
    .repeatable = true,
    .size = {{"N", 1, 1048576}, {"I", 0, 65536}, {"C", 1, 1024}},
    .state_size = sizeof(struct cached),
    .next = cached_next,
    .verify = cached_verify,
    .create = cached_create,
};
