// SPDX-License-Identifier: Apache-2.0
/* scan (CUDA SDK scanLargeArray): computes the exclusive prefix sums of N elements, with one CTA of
 * 256 threads per 512 elements.
 *
 * A CTA adds pairs up a tree in shared memory, then passes down the tree, to each node, the sum of
 * all elements to its left. If there are several CTAs, their totals are scanned in the same way, in
 * place, up to three levels; then, from the last level but one to the first, each CTA adds the sum
 * before it. Word i of the shared array is at i + i / 32, to avoid bank conflicts.
 *
 * Thread-level accesses, with n(0) = N, n(j+1) = ceil(n(j) / 512) and T the first j for which
 * n(j+1) = 1: in: N loads. out: N stores, and if T > 0, another N loads and N stores. sums(j) of
 * n(j+1) elements, for j < T: 2 n(j+1) loads and 2 n(j+1) stores, and if j+1 < T, another n(j+1) of
 * both.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define CHUNK (2 * BLOCK) /* elements per CTA */
#define LEVELS 3
#define ELEMENTS 10 /* elements are 0..9 */
#define SEED 0x5ca

enum { INDEX, OTHER, VALUE }; /* registers; two of them start at VALUE */

typedef ARRAY(int32_t) int_array;

struct scan {
    struct lane_workload base;
    uint64_t n[LEVELS]; /* number of elements at each level */
    unsigned top;       /* level with a single CTA */
    int_array in, out, sums0, sums1;
    /* State of the current launch. */
    unsigned level;
    int_array src, dst, /* dst[i] is the sum of all elements before src[i] */
        sums;           /* totals of the CTAs */
};

/* __shared__ arrays of a CTA. */
struct scan_block {
    int32_t v[CHUNK + CHUNK / WARP_LANES];
};

struct scan_warp {
    struct warp_head head;
    uint32_t pairs, stride;
    int32_t value[2][WARP_LANES], other[WARP_LANES];
};

/* Returns a + b with wrap-around, because the sums of repeated launches overflow. */
static int32_t sum(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static uint32_t padded(uint32_t i) {
    return i + i / WARP_LANES;
}

/* Returns the first word of the thread's pair in the tree, or the second one if `second` is 1. */
static uint32_t pair_word(const struct scan_warp *w, uint32_t thread, uint32_t second) {
    return padded(2 * w->stride * thread + w->stride - 1 + second * w->stride);
}

#define T thread_in_block(place, l)
#define ELEMENT(half) (first + (half)*BLOCK + T)
#define WORD(half) padded((half)*BLOCK + T)

static void scan_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct scan *m = ctx;
    struct scan_block *s = cta;
    struct scan_warp *w = state;
    const uint64_t first = (uint64_t)place->cta[0] * CHUNK, n = m->n[m->level];

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX) | R(VALUE) | R(VALUE + 1), 0);
    KEEP_LANES(ELEMENT(0) < n);
    LD(w->value[0][l], m->src, [ELEMENT(0)], R(VALUE), R(INDEX));
    KEEP_LANES(ELEMENT(1) < n);
    LD(w->value[1][l], m->src, [ELEMENT(1)], R(VALUE + 1), R(INDEX));
    w->head.on = UINT32_MAX;
    SHARED_AT(s->v[WORD(0)] = w->value[0][l], WORD(0), 0, R(VALUE) | R(INDEX));
    SHARED_AT(s->v[WORD(1)] = w->value[1][l], WORD(1), 0, R(VALUE + 1) | R(INDEX));
    w->stride = 1;
    for (w->pairs = BLOCK; w->pairs > 0; w->pairs /= 2) {
        BAR();
        ALU_RUN(2, 0, R(INDEX));
        KEEP_LANES(T < w->pairs);
        ALU_RUN(8, R(INDEX), R(INDEX));
        SHARED_AT(w->other[l] = s->v[pair_word(w, T, 0)], pair_word(w, T, 0), R(OTHER), R(INDEX));
        SHARED_AT(w->value[0][l] = s->v[pair_word(w, T, 1)], pair_word(w, T, 1), R(VALUE),
                  R(INDEX));
        ALU(1, w->value[0][l] = sum(w->value[0][l], w->other[l]), R(VALUE), R(VALUE) | R(OTHER));
        SHARED_AT(s->v[pair_word(w, T, 1)] = w->value[0][l], pair_word(w, T, 1), 0, R(VALUE));
        w->head.on = UINT32_MAX;
        w->stride *= 2;
    }
    KEEP_LANES(T == 0);
    SHARED(1, w->value[0][l] = s->v[padded(CHUNK - 1)], R(VALUE), 0);
    if (m->level < m->top)
        ST(w->value[0][l], m->sums, [place->cta[0]], R(VALUE) | R(INDEX));
    SHARED(1, s->v[padded(CHUNK - 1)] = 0, 0, 0);
    w->head.on = UINT32_MAX;
    for (w->pairs = 1; w->pairs <= BLOCK; w->pairs *= 2) {
        w->stride /= 2;
        BAR();
        ALU_RUN(2, 0, R(INDEX));
        KEEP_LANES(T < w->pairs);
        ALU_RUN(8, R(INDEX), R(INDEX));
        SHARED_AT(w->other[l] = s->v[pair_word(w, T, 0)], pair_word(w, T, 0), R(OTHER), R(INDEX));
        SHARED_AT(w->value[0][l] = s->v[pair_word(w, T, 1)], pair_word(w, T, 1), R(VALUE),
                  R(INDEX));
        SHARED_AT(s->v[pair_word(w, T, 0)] = w->value[0][l], pair_word(w, T, 0), 0, R(VALUE));
        ALU(1, w->value[0][l] = sum(w->value[0][l], w->other[l]), R(VALUE), R(VALUE) | R(OTHER));
        SHARED_AT(s->v[pair_word(w, T, 1)] = w->value[0][l], pair_word(w, T, 1), 0, R(VALUE));
        w->head.on = UINT32_MAX;
    }
    BAR();
    KEEP_LANES(ELEMENT(0) < n);
    SHARED_AT(w->value[0][l] = s->v[WORD(0)], WORD(0), R(VALUE), R(INDEX));
    ST(w->value[0][l], m->dst, [ELEMENT(0)], R(VALUE) | R(INDEX));
    KEEP_LANES(ELEMENT(1) < n);
    SHARED_AT(w->value[1][l] = s->v[WORD(1)], WORD(1), R(VALUE + 1), R(INDEX));
    ST(w->value[1][l], m->dst, [ELEMENT(1)], R(VALUE + 1) | R(INDEX));
    WARP_END();
}

/* Adds the sum of all elements before the CTA: dst += sums[CTA]. */
static void add_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct scan *m = ctx;
    int32_t *before = cta;
    struct scan_warp *w = state;
    const uint64_t first = (uint64_t)place->cta[0] * CHUNK, n = m->n[m->level];

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    KEEP_LANES(T == 0);
    LD(w->other[l], m->sums, [place->cta[0]], R(OTHER), R(INDEX));
    SHARED(1, *before = w->other[l], 0, R(OTHER));
    w->head.on = UINT32_MAX;
    BAR();
    SHARED(1, w->other[l] = *before, R(OTHER), 0);
    KEEP_LANES(ELEMENT(0) < n);
    LD(w->value[0][l], m->dst, [ELEMENT(0)], R(VALUE), R(INDEX));
    ALU(1, w->value[0][l] = sum(w->value[0][l], w->other[l]), R(VALUE), R(VALUE) | R(OTHER));
    ST(w->value[0][l], m->dst, [ELEMENT(0)], R(VALUE) | R(INDEX));
    KEEP_LANES(ELEMENT(1) < n);
    LD(w->value[1][l], m->dst, [ELEMENT(1)], R(VALUE + 1), R(INDEX));
    ALU(1, w->value[1][l] = sum(w->value[1][l], w->other[l]), R(VALUE + 1),
        R(VALUE + 1) | R(OTHER));
    ST(w->value[1][l], m->dst, [ELEMENT(1)], R(VALUE + 1) | R(INDEX));
    WARP_END();
}

/* Launches scans from level 0 to the top, then additions from the level below it to 0. */
static bool scan_next(struct workload *w, struct kernel_launch *launch) {
    struct scan *m = (struct scan *)w;
    const unsigned k = m->base.launched;
    if (k > 2 * m->top)
        return false;
    m->base.launched++;
    const bool up = k <= m->top;
    m->level = up ? k : 2 * m->top - k;
    m->src = m->level == 0 ? m->in : m->level == 1 ? m->sums0 : m->sums1;
    m->dst = m->level == 0 ? m->out : m->src;
    m->sums = m->level == 0 ? m->sums0 : m->sums1;
    *launch = (struct kernel_launch){
        .name = up ? "scan" : "scan add",
        .grid = {(uint32_t)ceil_div(m->n[m->level], CHUNK), 1, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = up ? sizeof(struct scan_block) : sizeof(int32_t),
        .warp_state_size = sizeof(struct scan_warp),
        .cta_state_size = up ? sizeof(struct scan_block) : sizeof(int32_t),
        .step = up ? scan_step : add_step,
        .ctx = m,
    };
    return true;
}

static int scan_verify(struct workload *w, struct error *err) {
    struct scan *m = (struct scan *)w;
    int32_t *out = alloc_array(m->n[0], sizeof *out), sum = 0;
    for (uint64_t i = 0; i < m->n[0]; i++) {
        out[i] = sum;
        sum += m->in.v[i];
    }
    int rc = verify_ints("out", m->out.v, out, m->n[0], err);
    free(out);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Sets the expected access counts of the array of the CTAs' totals at a level. */
static void expect_sums(const struct scan *m, const int_array *sums, unsigned level) {
    const uint64_t times = level + 1 < m->top ? 3 : 2;
    if (level < m->top)
        expect_accesses(sums->dev, times * m->n[level + 1], times * m->n[level + 1]);
}

static bool scan_create(struct workload *w, const uint64_t *v) {
    struct scan *m = (struct scan *)w;
    const uint64_t n = v[0];
    m->n[0] = n;
    m->n[1] = ceil_div(n, CHUNK);
    m->n[2] = ceil_div(m->n[1], CHUNK);
    m->top = (m->n[1] > 1) + (m->n[2] > 1);
    m->base.w.launches = 2 * m->top + 1;
    if (!NEW_ARRAY(m, in, n) || !NEW_ARRAY(m, out, n) || !NEW_ARRAY(m, sums0, m->n[1]) ||
        !NEW_ARRAY(m, sums1, m->n[2]))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++)
        m->in.v[i] = (int32_t)rng_below(&r, ELEMENTS);
    expect_accesses(m->in.dev, n, 0);
    expect_accesses(m->out.dev, m->top > 0 ? n : 0, m->top > 0 ? 2 * n : n);
    expect_sums(m, &m->sums0, 0);
    expect_sums(m, &m->sums1, 1);
    return true;
}

const struct workload_type workload_scan = {
    .name = "scan",
    .suite = "CUDA SDK (scanLargeArray)",
    .doc = "prefix sums: coalesced, trees in padded shared memory, an extra pass to combine CTAs",
    .size_doc = "N, number of elements",
    .default_size = "4194304",
    .size = {{"N", 1, 1u << 27}}, /* 512^LEVELS */
    .state_size = sizeof(struct scan),
    .next = scan_next,
    .verify = scan_verify,
    .create = scan_create,
};
