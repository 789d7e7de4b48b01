// SPDX-License-Identifier: Apache-2.0
/* conflicts (kzwrime/gpu_shm_microbench): a microbenchmark of bank conflicts in shared memory. C
 * CTAs of 256 threads have ROWS rows of WORDS words. I times, a thread loads a word of each row, of
 * which W words of a warp are in one bank, adds the words, and stores the sum.
 *
 * An iteration of a warp takes ROWS * W + 1 passes. Its cycles on an SM with N CTAs are (cycles of
 * W,I - cycles of W,J) / (I - J) / N / 8.
 *
 * The original stores the sums in row 0, so that its results depend on the order of the warps. Here
 * the store occupies the same banks, but row 0 keeps its words.
 *
 * Thread-level accesses: a: 256 C loads, 256 C stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define THREADS 256u
#define ROWS 8
#define WORDS 512
#define SEED 0x5a8ed

enum { AT, SUM, VALUE }; /* registers; values are in VALUE to VALUE + ROWS - 1 */

struct conflicts {
    struct lane_workload base;
    uint32_t ways, ctas;
    uint64_t passes;
    ARRAY(float) a;
};

struct conflicts_rows {
    float v[ROWS][WORDS];
};

struct conflicts_warp {
    struct warp_head head;
    uint64_t i;
    uint32_t row;
    float start[WARP_LANES], value[ROWS][WARP_LANES], sum[WARP_LANES];
};

/* Returns the word of a row that a thread of a CTA loads. */
static uint32_t conflicts_word(const struct conflicts *m, uint32_t thread) {
    return thread % m->ways * WARP_LANES + thread / m->ways;
}

static void conflicts_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct conflicts *m = ctx;
    struct conflicts_rows *s = cta;
    struct conflicts_warp *w = state;
#define T thread_in_block(place, l)
    WARP_BEGIN();
    ALU_RUN(4, R(AT), 0);
    LD(w->start[l], m->a, [thread_in_grid(place, THREADS, l)], R(VALUE), R(AT));
    for (w->row = 0; w->row < ROWS; w->row++) {
        ALU_RUN(2, R(SUM), R(VALUE));
        SHARED_AT(s->v[w->row][T] = w->start[l] * (float)w->row * (float)T, w->row * WORDS + T, 0,
                  R(SUM) | R(AT));
    }
    BAR();
    for (w->i = 0; w->i < m->passes; w->i++) {
        for (w->row = 0; w->row < ROWS; w->row++)
            SHARED_AT(w->value[w->row][l] = s->v[w->row][conflicts_word(m, T)],
                      w->row * WORDS + conflicts_word(m, T), R(VALUE + w->row), R(AT));
        ALU(1, w->sum[l] = w->value[0][l], R(SUM), R(VALUE));
        for (w->row = 1; w->row < ROWS; w->row++)
            ALU(1, w->sum[l] += w->value[w->row][l], R(SUM), R(SUM) | R(VALUE + w->row));
        SHARED_AT((void)0, T, 0, R(SUM) | R(AT));
        ALU_RUN(1, R(AT), R(AT)); /* the number of the iteration */
        BRANCH(R(AT));
    }
    ST(w->sum[l], m->a, [thread_in_grid(place, THREADS, l)], R(SUM));
    WARP_END();
#undef T
}

static bool conflicts_next(struct workload *w, struct kernel_launch *launch) {
    struct conflicts *m = (struct conflicts *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "add_vectors",
        .shared_bytes = sizeof(struct conflicts_rows),
        .cta_state_size = sizeof(struct conflicts_rows),
        .warp_state_size = sizeof(struct conflicts_warp),
        .step = conflicts_step,
        .ctx = m,
    };
    launch_1d(launch, m->ctas, THREADS);
    return true;
}

/* Returns the sum of a thread, whose CTA began with the values a[0] to a[THREADS - 1]. */
static float conflicts_sum(const struct conflicts *m, const float *a, uint32_t thread) {
    const uint32_t word = conflicts_word(m, thread);
    float sum = 0;
    for (uint32_t row = 0; m->passes && word < THREADS && row < ROWS; row++)
        sum += a[word] * (float)row * (float)word;
    return sum;
}

static int conflicts_verify(struct workload *w, struct error *err) {
    const struct conflicts *m = (struct conflicts *)w;
    struct rng r = {SEED};
    const uint64_t n = (uint64_t)m->ctas * THREADS;
    float *a = alloc_array(n, sizeof *a), *sums = alloc_array(n, sizeof *sums);
    rng_fill(&r, a, n, 0, 1);
    for (uint64_t i = 0; i < n; i++)
        sums[i] = conflicts_sum(m, &a[i / THREADS * THREADS], (uint32_t)(i % THREADS));
    int rc = verify_floats("a", m->a.v, sums, n, err);
    free(sums);
    free(a);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool conflicts_create(struct workload *w, const uint64_t *v) {
    struct conflicts *m = (struct conflicts *)w;
    struct rng r = {SEED};
    m->ways = (uint32_t)v[0];
    m->passes = v[1];
    m->ctas = (uint32_t)v[2];
    m->base.w.launches = 1;
    const uint64_t n = (uint64_t)m->ctas * THREADS;
    if (!NEW_ARRAY(m, a, n))
        return false;
    rng_fill(&r, m->a.v, n, 0, 1);
    expect_accesses(m->a.dev, n, n);
    return true;
}

const struct workload_type workload_conflicts = {
    .name = "conflicts",
    .suite = "gpu_shm_microbench",
    .doc = "loads from shared memory, W words of a warp in one bank, a microbenchmark",
    .size_doc = "W[,I[,C]]: words in one bank (1, 2, 4, 8 or 16), iterations, CTAs",
    .default_size = "8,16,16",
    .size = {{"W", 1, 16}, {"I", 0, 65536}, {"C", 1, 65536}},
    .state_size = sizeof(struct conflicts),
    .next = conflicts_next,
    .verify = conflicts_verify,
    .create = conflicts_create,
};
