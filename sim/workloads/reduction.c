// SPDX-License-Identifier: Apache-2.0
/* reduction (CUDA SDK): sums N integers with the SDK's kernel 6.
 *
 * At most 64 CTAs of 256 threads share the integers, 512 per CTA at a time, two per thread. A CTA
 * adds its threads' sums in shared memory, first by halves of the CTA, and then in its first warp
 * without barriers. Another launch of one CTA adds the sums of the CTAs, in place. For fewer than
 * 512 integers a CTA has half as many threads as integers, rounded up to a power of two. If the
 * number of integers is a power of two, a thread's second integer has no bounds check, so both
 * integers are loaded before the first is added.
 *
 * Thread-level accesses, with B = min(64, ceil(N / 512)) CTAs: idata: N loads. odata: B stores, and
 * if B > 1, also B loads and one more store.
 *
 * The code of the first warp is that of the SDK before warp shuffles (CUDA 4 and 5). Differences
 * from the original: the original repeats the sum 100 times, and reads beyond the end if N = 1. N =
 * 1 is refused here.
 */
#include "lane.h"

#include <stdlib.h>

#define BLOCK 256 /* maximum number of threads per CTA */
#define BLOCKS 64 /* maximum number of CTAs */
#define SEED 0x4ed

enum { INDEX, SUM, A, B }; /* registers */

typedef ARRAY(uint32_t) uint_array;

struct reduction {
    struct lane_workload base;
    uint64_t n;
    uint32_t blocks; /* number of CTAs of the first launch */
    uint_array idata, odata;
    /* State of the current launch. */
    uint64_t elements, grid;
    uint32_t threads; /* threads per CTA */
    uint_array src;
};

/* __shared__ array of a CTA. The last steps of the first warp read beyond its sums, but these
 * values do not affect a result. */
struct reduction_block {
    uint32_t v[BLOCK];
};

struct reduction_warp {
    struct warp_head head;
    uint64_t i; /* index of lane 0's first integer */
    uint32_t half;
    uint32_t a[WARP_LANES], b[WARP_LANES], sum[WARP_LANES];
};

static bool power_of_two(uint64_t n) {
    return (n & (n - 1)) == 0;
}

/* Returns the number of threads per CTA of a launch over n integers. */
static uint32_t block_of(uint64_t n) {
    uint32_t threads = 1;
    while (threads < BLOCK && 2 * (uint64_t)threads < n)
        threads *= 2;
    return threads;
}

#define T thread_in_block(place, l)

static void reduction_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct reduction *m = ctx;
    struct reduction_block *s = cta;
    struct reduction_warp *w = state;
    const uint64_t n = m->elements, first = 2 * thread_in_grid(place, m->threads, 0);
    const bool guarded = !power_of_two(n);

    WARP_BEGIN();
    ALU(8, w->sum[l] = 0, R(INDEX) | R(SUM), 0);
    for (w->i = first - thread_in_block(place, 0); w->i < n; w->i += 2 * m->grid * m->threads) {
        KEEP_LANES(w->i + l < n);
        LD(w->a[l], m->src, [w->i + l], R(A), R(INDEX));
        if (guarded) {
            ALU(3, w->sum[l] += w->a[l], R(SUM), R(SUM) | R(A) | R(INDEX));
            KEEP_LANES(w->i + m->threads + l < n);
        }
        LD(w->b[l], m->src, [w->i + m->threads + l], R(B), R(INDEX));
        if (!guarded)
            ALU(1, w->sum[l] += w->a[l], R(SUM), R(SUM) | R(A));
        ALU(1, w->sum[l] += w->b[l], R(SUM), R(SUM) | R(B));
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    EVERY_LANE();
    SHARED(1, s->v[T] = w->sum[l], 0, R(SUM) | R(INDEX));
    BAR();
    for (w->half = m->threads / 2; w->half > 0; w->half /= 2) {
        if (w->half >= WARP_LANES)
            BRANCH(R(INDEX));
        KEEP_LANES(T < WARP_LANES || T < w->half);
        SHARED(1, w->a[l] = s->v[T + w->half], R(A), R(INDEX));
        ALU(1, w->sum[l] += w->a[l], R(SUM), R(SUM) | R(A));
        SHARED(1, s->v[T] = w->sum[l], 0, R(SUM) | R(INDEX));
        EVERY_LANE();
        if (w->half > WARP_LANES)
            BAR();
    }
    KEEP_LANES(T == 0);
    SHARED(1, w->sum[l] = s->v[0], R(SUM), 0);
    ST(w->sum[l], m->odata, [place->cta[0]], R(SUM) | R(INDEX));
    WARP_END();
}

/* Prepares the next launch. The first launch adds the integers. If it has several CTAs, a second
 * one adds their sums. */
static bool reduction_next(struct workload *w, struct kernel_launch *launch) {
    struct reduction *m = (struct reduction *)w;
    if (m->base.launched == m->base.w.launches)
        return false;
    const bool first = m->base.launched++ == 0;
    m->elements = first ? m->n : m->blocks;
    m->grid = first ? m->blocks : 1;
    m->threads = block_of(m->elements);
    m->src = first ? m->idata : m->odata;
    const uint32_t words = m->threads <= WARP_LANES ? 2 * m->threads : m->threads;
    *launch = (struct kernel_launch){
        .name = first ? "reduction" : "reduction blocks",
        .grid = {(uint32_t)m->grid, 1, 1},
        .block = {m->threads, 1, 1},
        .shared_bytes = words * (uint32_t)sizeof(uint32_t),
        .warp_state_size = sizeof(struct reduction_warp),
        .cta_state_size = sizeof(struct reduction_block),
        .step = reduction_step,
        .ctx = m,
    };
    return true;
}

static int reduction_verify(struct workload *w, struct error *err) {
    struct reduction *m = (struct reduction *)w;
    uint32_t sums[BLOCKS] = {0}, total = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        sums[i / (2 * BLOCK) % BLOCKS] += m->idata.v[i];
        total += m->idata.v[i];
    }
    sums[0] = total;
    if (verify_ints("odata", (const int32_t *)m->odata.v, (const int32_t *)sums, m->blocks, err) !=
        0)
        return -1;
    return verify_accesses(w, err);
}

static bool reduction_create(struct workload *w, const uint64_t *v) {
    struct reduction *m = (struct reduction *)w;
    const uint64_t n = m->n = v[0];
    const uint64_t blocks = ceil_div(n, 2 * BLOCK);
    m->blocks = blocks < BLOCKS ? (uint32_t)blocks : BLOCKS;
    m->base.w.launches = m->blocks > 1 ? 2 : 1;
    if (!NEW_ARRAY(m, idata, n) || !NEW_ARRAY(m, odata, m->blocks))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++)
        m->idata.v[i] = (uint32_t)rng_below(&r, 256);
    const uint64_t again = m->blocks > 1 ? m->blocks : 0;
    expect_accesses(m->idata.dev, n, 0);
    expect_accesses(m->odata.dev, again, m->blocks + (again > 0));
    return true;
}

const struct workload_type workload_reduction = {
    .name = "reduction",
    .suite = "CUDA SDK",
    .doc = "sum of integers: streaming, coalesced, 64 CTAs; trees in shared memory",
    .size_doc = "N, number of integers",
    .default_size = "4194304",
    .size = {{"N", 2, 1u << 28}},
    .state_size = sizeof(struct reduction),
    .next = reduction_next,
    .verify = reduction_verify,
    .create = reduction_create,
};
