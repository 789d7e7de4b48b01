// SPDX-License-Identifier: Apache-2.0
/* histo (CUDA SDK histogram256): counts each byte value in N words of four bytes.
 *
 * B CTAs of 6 warps share the words. Each warp counts into 256 counters of its own in shared memory
 * with atomics; lanes that conflict on a bank take turns. At the end the CTA adds up its warps and
 * stores 256 partial sums. Then one CTA per value adds, in a tree, the B partial sums of that
 * value, which are 1 KiB apart.
 *
 * Thread-level accesses: data: N loads. partial: 256 B stores, 256 B loads. histogram: 256
 * stores.
 */
#include "lane.h"

#include <stdlib.h>

#define VALUES 256
#define BYTES 4 /* bytes per word */
#define BLOCK_WARPS 6
#define BLOCK (BLOCK_WARPS * WARP_LANES)
#define MERGE_BLOCK 256
#define SEED 0x415

enum { INDEX, DATA, COUNT }; /* registers */

struct histo {
    struct lane_workload base;
    uint64_t n, blocks;
    ARRAY(uint32_t) data;
    ARRAY(int32_t) partial; /* [CTAs][VALUES] */
    ARRAY(int32_t) histogram;
};

/* __shared__ arrays of a CTA. */
struct histo_count_block {
    int32_t count[BLOCK_WARPS][VALUES];
};

struct histo_count_warp {
    struct warp_head head;
    uint64_t i;
    uint32_t k; /* index of the byte in the word */
    uint32_t data[WARP_LANES];
    int32_t sum[WARP_LANES];
};

static uint32_t byte_of(uint32_t data, uint32_t k) {
    return data >> 8 * k & 0xff;
}

static int32_t sum_of_warps(const struct histo_count_block *s, uint64_t value) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < BLOCK_WARPS; i++)
        sum += s->count[i][value];
    return sum;
}

#define BYTE byte_of(w->data[l], w->k)

static void count_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct histo *m = ctx;
    struct histo_count_block *s = cta;
    struct histo_count_warp *w = state;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    SHARED(VALUES / WARP_LANES, (void)0, 0, 0); /* clears the counters; they are zero already */
    BAR();
    for (w->i = thread_in_grid(place, BLOCK, 0); w->i < m->n; w->i += m->blocks * BLOCK) {
        KEEP_LANES(w->i + l < m->n);
        LD(w->data[l], m->data, [w->i + l], R(DATA), R(INDEX));
        for (w->k = 0; w->k < BYTES; w->k++) {
            ALU_RUN(2, R(COUNT), R(DATA));
            /* Lanes that count in the same counter also take turns. Each lane is therefore given a
             * different word in that bank. */
            SHARED_AT(s->count[place->warp][BYTE]++, BYTE + VALUES * l, 0, R(COUNT));
        }
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    w->head.on = UINT32_MAX;
    BAR();
    for (w->i = thread_in_block(place, 0); w->i < VALUES; w->i += BLOCK) {
        SHARED(BLOCK_WARPS, w->sum[l] = sum_of_warps(s, w->i + l), R(COUNT), R(INDEX));
        ALU_RUN(BLOCK_WARPS, R(COUNT), R(COUNT));
        ST(w->sum[l], m->partial, [place->cta[0] * (uint64_t)VALUES + w->i + l],
           R(COUNT) | R(INDEX));
    }
    WARP_END();
}

/* __shared__ array of a CTA of `merge`. */
struct histo_merge_block {
    int32_t sum[MERGE_BLOCK];
};

struct histo_merge_warp {
    struct warp_head head;
    uint32_t half;
    int32_t sum[WARP_LANES], other[WARP_LANES];
};

#define T thread_in_block(place, l)

static void merge_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct histo *m = ctx;
    struct histo_merge_block *s = cta;
    struct histo_merge_warp *w = state;
    const uint64_t value = place->cta[0];

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX) | R(COUNT), 0);
    KEEP_LANES(T < m->blocks);
    LD(w->sum[l], m->partial, [(uint64_t)T * VALUES + value], R(DATA), R(INDEX));
    ALU_RUN(1, R(COUNT), R(DATA));
    w->head.on = UINT32_MAX;
    SHARED(1, s->sum[T] = w->sum[l], 0, R(COUNT));
    for (w->half = MERGE_BLOCK / 2; w->half > 0; w->half /= 2) {
        BAR();
        ALU_RUN(2, 0, R(INDEX));
        KEEP_LANES(T < w->half);
        SHARED(2, w->other[l] = s->sum[T] + s->sum[T + w->half], R(COUNT), R(INDEX));
        ALU_RUN(1, R(COUNT), R(COUNT));
        SHARED(1, s->sum[T] = w->other[l], 0, R(COUNT));
        w->head.on = UINT32_MAX;
    }
    KEEP_LANES(T == 0);
    SHARED(1, w->sum[l] = s->sum[0], R(COUNT), 0);
    ST(w->sum[l], m->histogram, [value], R(COUNT) | R(INDEX));
    WARP_END();
}

static bool histo_next(struct workload *w, struct kernel_launch *launch) {
    struct histo *m = (struct histo *)w;
    const unsigned k = m->base.launched;
    if (k == 2)
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = k == 0 ? "histo count" : "histo merge",
        .grid = {k == 0 ? (uint32_t)m->blocks : VALUES, 1, 1},
        .block = {k == 0 ? BLOCK : MERGE_BLOCK, 1, 1},
        .shared_bytes =
            k == 0 ? sizeof(struct histo_count_block) : sizeof(struct histo_merge_block),
        .warp_state_size =
            k == 0 ? sizeof(struct histo_count_warp) : sizeof(struct histo_merge_warp),
        .cta_state_size =
            k == 0 ? sizeof(struct histo_count_block) : sizeof(struct histo_merge_block),
        .step = k == 0 ? count_step : merge_step,
        .ctx = m,
    };
    return true;
}

static int histo_verify(struct workload *w, struct error *err) {
    struct histo *m = (struct histo *)w;
    int32_t count[VALUES] = {0};
    for (uint64_t i = 0; i < m->n; i++)
        for (uint32_t k = 0; k < BYTES; k++)
            count[byte_of(m->data.v[i], k)]++;
    if (verify_ints("histogram", m->histogram.v, count, VALUES, err) != 0)
        return -1;
    return verify_accesses(w, err);
}

static bool histo_create(struct workload *w, const uint64_t *v) {
    struct histo *m = (struct histo *)w;
    const uint64_t n = m->n = v[0], partial = v[1] * VALUES;
    m->blocks = v[1];
    m->base.w.launches = 2;
    if (!NEW_ARRAY(m, data, n) || !NEW_ARRAY(m, partial, partial) ||
        !NEW_ARRAY(m, histogram, VALUES))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++)
        m->data.v[i] = (uint32_t)rng_next(&r);
    expect_accesses(m->data.dev, n, 0);
    expect_accesses(m->partial.dev, partial, partial);
    expect_accesses(m->histogram.dev, 0, VALUES);
    return true;
}

const struct workload_type workload_histo = {
    .name = "histo",
    .suite = "CUDA SDK (histogram256)",
    .doc = "histogram of bytes: streaming, shared-memory atomics, sums with a stride of 1 KiB",
    .size_doc = "N[,B]: four-byte words, CTAs that count them",
    .default_size = "4194304,240",
    .repeatable = true,
    .size = {{"N", 1, 1u << 28}, {"B", 1, MERGE_BLOCK}},
    .state_size = sizeof(struct histo),
    .next = histo_next,
    .verify = histo_verify,
    .create = histo_create,
};
