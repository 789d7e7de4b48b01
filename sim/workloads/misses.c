// SPDX-License-Identifier: Apache-2.0
/* misses (Gu and Chen 2019, 3.1): a microbenchmark of MSHRs. Each of 16,384 threads adds N words
 * and stores the sum. Its kind K says which lines they load:
 *
 *   1  balanced: four warps load each line
 *   2  merge-full: half of the warps load the same line; of the others, two load each line
 *   3  entry-full: each lane loads a line of its own
 *
 * A thread issues four loads, and then sixteen instructions on their words. The paper describes the
 * kernels in two sentences; loads a thread, their indices and the arithmetic are chosen here.
 *
 * Thread-level accesses, with T = 16,384: data: N T loads. sums: T stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define CTAS 64
#define BLOCK 256
#define THREADS ((uint64_t)CTAS * BLOCK)
#define WARPS (THREADS / WARP_LANES)
#define LINE_WORDS WARP_LANES
#define BATCH 4 /* loads before the arithmetic */
#define SEED 0x3155

enum { INDEX, SUM, VALUE }; /* registers; VALUE is the first of BATCH */
enum { BALANCED = 1, MERGE_FULL, ENTRY_FULL };

struct miss_kinds {
    struct lane_workload base;
    uint64_t kind, steps;
    ARRAY(int32_t) data;
    ARRAY(int32_t) sums;
};

struct miss_kinds_warp {
    struct warp_head head;
    uint64_t step;
    uint32_t k; /* load of the batch */
    int32_t value[BATCH][WARP_LANES], sum[WARP_LANES];
};

/* Returns the index of the word that a thread loads in a step. */
static uint64_t word_of(const struct miss_kinds *m, uint64_t step, uint64_t thread) {
    const uint64_t lane = thread % WARP_LANES, warp = thread / WARP_LANES;
    if (m->kind == ENTRY_FULL)
        return (step * THREADS + thread) * LINE_WORDS;
    if (m->kind == BALANCED)
        return (step * WARPS + warp) / 4 * LINE_WORDS + lane;
    const uint64_t line = warp % 2 ? m->steps + (step * WARPS / 2 + warp / 2) / 2 : step;
    return line * LINE_WORDS + lane;
}

static void misses_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct miss_kinds *m = ctx;
    struct miss_kinds_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU(4, w->sum[l] = 0, R(INDEX) | R(SUM), 0);
    for (w->step = 0; w->step < m->steps; w->step += BATCH) {
        for (w->k = 0; w->k < BATCH; w->k++)
            LD(w->value[w->k][l], m->data, [word_of(m, w->step + w->k, first + l)], R(VALUE + w->k),
               R(INDEX));
        for (w->k = 0; w->k < BATCH; w->k++)
            ALU(1, w->sum[l] += w->value[w->k][l], R(SUM), R(SUM) | R(VALUE + w->k));
        ALU_RUN(12, R(SUM), R(SUM));
    }
    ST(w->sum[l], m->sums, [first + l], R(SUM) | R(INDEX));
    WARP_END();
}

static bool misses_next(struct workload *w, struct kernel_launch *launch) {
    static const char *const name[] = {"balanced", "merge_full", "entry_full"};
    struct miss_kinds *m = (struct miss_kinds *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = name[m->kind - BALANCED],
        .grid = {CTAS, 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct miss_kinds_warp),
        .step = misses_step,
        .ctx = m,
    };
    return true;
}

static int misses_verify(struct workload *w, struct error *err) {
    struct miss_kinds *m = (struct miss_kinds *)w;
    int32_t *sums = alloc_zeroed(THREADS, sizeof *sums);
    for (uint64_t thread = 0; thread < THREADS; thread++)
        for (uint64_t step = 0; step < m->steps; step++)
            sums[thread] += m->data.v[word_of(m, step, thread)];
    int rc = verify_ints("sums", m->sums.v, sums, THREADS, err);
    free(sums);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool misses_create(struct workload *w, const uint64_t *v) {
    struct miss_kinds *m = (struct miss_kinds *)w;
    m->kind = v[0], m->steps = v[1];
    m->base.w.launches = 1;
    if (!workload_multiple(w, "N", m->steps, BATCH))
        return false;
    const uint64_t words = word_of(m, m->steps - 1, THREADS - 1) + LINE_WORDS;
    if (!NEW_ARRAY(m, data, words) || !NEW_ARRAY(m, sums, THREADS))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < words; i++)
        m->data.v[i] = (int32_t)rng_below(&r, 1000);
    expect_accesses(m->data.dev, THREADS * m->steps, 0);
    expect_accesses(m->sums.dev, 0, THREADS);
    return true;
}

const struct workload_type workload_misses = {
    .name = "misses",
    .suite = "Gu and Chen 2019",
    .doc = "balanced, merge-full and entry-full loads, a microbenchmark of MSHRs",
    .size_doc =
        "K[,N]: kind (1 balanced, 2 merge-full, 3 entry-full), loads of a thread, a multiple of 4",
    .default_size = "1,16",
    .repeatable = true,
    .size = {{"K", 1, 3}, {"N", BATCH, 512}},
    .state_size = sizeof(struct miss_kinds),
    .next = misses_next,
    .verify = misses_verify,
    .create = misses_create,
};
