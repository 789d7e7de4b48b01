// SPDX-License-Identifier: Apache-2.0
/* strides (te42kyfo/gpu-benches, gpu-strides): a microbenchmark of the L1D's bandwidth for loads
 * with a stride. The T threads of one CTA are S floats apart, and every other warp begins at the
 * start of the array. I times, each thread loads the floats 0, 4, 8, ..., 28 places after its own.
 *
 * The cycles of a load of a warp are (cycles of S,I - cycles of S,J) / (T / 4 (I - J)).
 *
 * Thread-level accesses: a: 8 T I loads. sums: T stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define MOST_THREADS 1024u
#define PLACES 64 /* distinct places of threads */
#define LOADS 8   /* loads of a thread in an iteration */
#define STEP 4
#define SEED 0x57d5

enum { AT, COUNT, SUM, VALUE }; /* registers; values are in VALUE to VALUE + LOADS - 1 */

struct strides {
    struct lane_workload base;
    uint64_t stride, loops, threads;
    ARRAY(float) a;
    ARRAY(float) sums;
};

struct strides_warp {
    struct warp_head head;
    uint64_t loop;
    uint32_t i;
    float value[LOADS][WARP_LANES], sum[WARP_LANES];
};

static void strides_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct strides *m = ctx;
    struct strides_warp *w = state;
#define START(thread) ((thread) % PLACES * m->stride)
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(AT) | R(COUNT) | R(SUM), 0);
    for (w->loop = 0; w->loop < m->loops; w->loop++) {
        ALU_RUN(2, R(AT), R(AT)); /* adds 0, which the compiler does not know */
        for (w->i = 0; w->i < LOADS; w->i++)
            LD(w->value[w->i][l], m->a, [START(thread_in_block(place, l)) + w->i * STEP],
               R(VALUE + w->i), R(AT));
        for (w->i = 0; w->i < LOADS; w->i += 2)
            ALU(1, w->sum[l] += w->value[w->i][l] * w->value[w->i + 1][l], R(SUM),
                R(SUM) | R(VALUE + w->i) | R(VALUE + w->i + 1));
        ALU_RUN(1, R(COUNT), R(COUNT));
        BRANCH(R(COUNT));
    }
    ST(w->sum[l], m->sums, [thread_in_block(place, l)], R(SUM));
    WARP_END();
}

static bool strides_next(struct workload *w, struct kernel_launch *launch) {
    struct strides *m = (struct strides *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "strideKernel",
        .warp_state_size = sizeof(struct strides_warp),
        .step = strides_step,
        .ctx = m,
    };
    launch_1d(launch, 1, m->threads);
    return true;
}

static int strides_verify(struct workload *w, struct error *err) {
    struct strides *m = (struct strides *)w;
    float sums[MOST_THREADS] = {0};
    for (uint64_t loop = 0; loop < m->loops; loop++)
        for (uint32_t t = 0; t < m->threads; t++) {
            const float *a = &m->a.v[START(t)];
            for (uint32_t i = 0; i < LOADS; i += 2)
                sums[t] += a[i * STEP] * a[(i + 1) * STEP];
        }
    int rc = verify_floats("sums", m->sums.v, sums, m->threads, err);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool strides_create(struct workload *w, const uint64_t *v) {
    struct strides *m = (struct strides *)w;
    struct rng r = {SEED};
    m->stride = v[0];
    m->loops = v[1];
    m->threads = v[2];
    m->base.w.launches = 1;
    const uint64_t n = (PLACES - 1) * m->stride + LOADS * STEP;
    if (!workload_multiple(w, "T", m->threads, WARP_LANES) || !NEW_ARRAY(m, a, n) ||
        !NEW_ARRAY(m, sums, m->threads))
        return false;
    rng_fill(&r, m->a.v, n, 0, 1);
    expect_accesses(m->a.dev, m->threads * LOADS * m->loops, 0);
    expect_accesses(m->sums.dev, 0, m->threads);
    return true;
}

const struct workload_type workload_strides = {
    .name = "strides",
    .suite = "gpu-benches",
    .doc = "loads of threads that are a stride apart, a microbenchmark of the L1D",
    .size_doc = "S[,I[,T]]: stride in floats, iterations of 8 loads, threads (a multiple of 32)",
    .default_size = "1,64,1024",
    .repeatable = true,
    .size = {{"S", 1, 65536}, {"I", 0, 65536}, {"T", WARP_LANES, MOST_THREADS}},
    .state_size = sizeof(struct strides),
    .next = strides_next,
    .verify = strides_verify,
    .create = strides_create,
};
