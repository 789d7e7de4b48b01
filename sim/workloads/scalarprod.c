// SPDX-License-Identifier: Apache-2.0
/* scalarprod (CUDA SDK scalarProd): computes the scalar products of V pairs of vectors of N
 * elements.
 *
 * A CTA of 256 threads computes one pair and, if there are more pairs than CTAs, every 128th pair
 * after it. Each thread computes four of the CTA's 1024 sums in shared memory, each from every
 * 1024th product. A tree adds them up.
 *
 * Thread-level accesses: a, b: N V loads each. c: V stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define BLOCKS 128 /* maximum number of CTAs */
#define SUMS 1024  /* number of sums per CTA */
#define SEED 0x5ca1

enum { INDEX, SUM, A, B }; /* registers */

struct scalarprod {
    struct lane_workload base;
    uint64_t n, vectors, blocks;
    ARRAY(float) a;
    ARRAY(float) b;
    ARRAY(float) c;
};

struct scalarprod_warp {
    struct warp_head head;
    uint64_t vector, at; /* `at` is the offset of the element from the index of its sum */
    uint32_t sum0;       /* index of lane 0's sum */
    uint32_t pairs;      /* number of pairs of sums to add */
    float a[WARP_LANES], b[WARP_LANES], sum[WARP_LANES];
};

#define ELEMENT (w->at + w->sum0 + l)

static void scalarprod_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                            struct warp_inst *inst) {
    struct scalarprod *m = ctx;
    float *sums = cta;
    struct scalarprod_warp *w = state;
    const uint64_t n = m->n;
    const uint32_t first = thread_in_block(place, 0);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->vector = place->cta[0]; w->vector < m->vectors; w->vector += m->blocks) {
        ALU_RUN(4, R(INDEX), R(INDEX));
        for (w->sum0 = first; w->sum0 < SUMS; w->sum0 += BLOCK) {
            ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
            for (w->at = 0; w->at < n; w->at += SUMS) {
                KEEP_LANES(ELEMENT < n);
                LD(w->a[l], m->a, [w->vector * n + ELEMENT], R(A), R(INDEX));
                LD(w->b[l], m->b, [w->vector * n + ELEMENT], R(B), R(INDEX));
                ALU(1, w->sum[l] += w->a[l] * w->b[l], R(SUM), R(SUM) | R(A) | R(B));
                ALU_RUN(3, R(INDEX), R(INDEX));
            }
            EVERY_LANE();
            SHARED(1, sums[w->sum0 + l] = w->sum[l], 0, R(SUM) | R(INDEX));
        }
        for (w->pairs = SUMS / 2; w->pairs > 0; w->pairs /= 2) {
            BAR();
            ALU_RUN(2, 0, R(INDEX));
            for (w->sum0 = first; w->sum0 < w->pairs; w->sum0 += BLOCK) {
                KEEP_LANES(w->sum0 + l < w->pairs);
                SHARED(1, w->a[l] = sums[w->sum0 + l], R(A), R(INDEX));
                SHARED(1, w->b[l] = sums[w->pairs + w->sum0 + l], R(B), R(INDEX));
                ALU(1, w->sum[l] = w->a[l] + w->b[l], R(SUM), R(A) | R(B));
                SHARED(1, sums[w->sum0 + l] = w->sum[l], 0, R(SUM) | R(INDEX));
                EVERY_LANE();
            }
        }
        BAR();
        KEEP_LANES(first + l == 0);
        SHARED(1, w->sum[l] = sums[0], R(SUM), 0);
        ST(w->sum[l], m->c, [w->vector], R(SUM) | R(INDEX));
        EVERY_LANE();
    }
    WARP_END();
}

static bool scalarprod_next(struct workload *w, struct kernel_launch *launch) {
    struct scalarprod *m = (struct scalarprod *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "scalarprod",
        .grid = {(uint32_t)m->blocks, 1, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = SUMS * sizeof(float),
        .warp_state_size = sizeof(struct scalarprod_warp),
        .cta_state_size = SUMS * sizeof(float),
        .step = scalarprod_step,
        .ctx = m,
    };
    return true;
}

/* Returns the product for the reference version, added in the order of the tree. */
static float product(uint64_t n, const float *a, const float *b) {
    float sums[SUMS] = {0};
    for (uint64_t i = 0; i < n; i++)
        sums[i % SUMS] += a[i] * b[i];
    for (uint32_t pairs = SUMS / 2; pairs > 0; pairs /= 2)
        for (uint32_t i = 0; i < pairs; i++)
            sums[i] += sums[pairs + i];
    return sums[0];
}

static int scalarprod_verify(struct workload *w, struct error *err) {
    struct scalarprod *m = (struct scalarprod *)w;
    float *c = alloc_array(m->vectors, sizeof *c);
    for (uint64_t v = 0; v < m->vectors; v++)
        c[v] = product(m->n, &m->a.v[v * m->n], &m->b.v[v * m->n]);
    int rc = verify_floats("c", m->c.v, c, m->vectors, err);
    free(c);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool scalarprod_create(struct workload *w, const uint64_t *v) {
    struct scalarprod *m = (struct scalarprod *)w;
    const uint64_t elements = v[0] * v[1];
    m->n = v[0];
    m->vectors = v[1];
    m->blocks = v[1] < BLOCKS ? v[1] : BLOCKS;
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, a, elements) || !NEW_ARRAY(m, b, elements) || !NEW_ARRAY(m, c, m->vectors))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, elements, 0, 1);
    rng_fill(&r, m->b.v, elements, 0, 1);
    expect_accesses(m->a.dev, elements, 0);
    expect_accesses(m->b.dev, elements, 0);
    expect_accesses(m->c.dev, 0, m->vectors);
    return true;
}

const struct workload_type workload_scalarprod = {
    .name = "scalarprod",
    .suite = "CUDA SDK (scalarProd)",
    .doc = "scalar products: streaming, coalesced, one CTA per pair, tree sums in shared memory",
    .size_doc = "N[,V]: elements per vector, pairs",
    .default_size = "4096,256",
    .repeatable = true,
    .size = {{"N", 1, 1u << 28}, {"V", 1, 1u << 20}},
    .state_size = sizeof(struct scalarprod),
    .next = scalarprod_next,
    .verify = scalarprod_verify,
    .create = scalarprod_create,
};
