// SPDX-License-Identifier: Apache-2.0
/* scalarprod: the scalar products of V pairs of vectors of N elements.
 *
 * A block of 256 threads takes a pair, and with more pairs than blocks every 128th after it. Of its
 * 1024 sums in shared memory each thread makes four: every 1024th product. They are added up by a
 * tree.
 *
 * Thread-level accesses: a, b: N V loads each. c: V stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define BLOCKS 128 /* at most */
#define SUMS 1024  /* of a block */
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
    uint64_t vector, at; /* at: the element's, less that of the sum */
    uint32_t sum0;       /* of lane 0 */
    uint32_t pairs;      /* sums to be added to as many others */
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

/* Plain version, in the order of the tree. */
static float product(uint64_t n, const float *a, const float *b) {
    float sums[SUMS] = {0};
    for (uint64_t i = 0; i < n; i++)
        sums[i % SUMS] += a[i] * b[i];
    for (uint32_t pairs = SUMS / 2; pairs > 0; pairs /= 2)
        for (uint32_t i = 0; i < pairs; i++)
            sums[i] += sums[pairs + i];
    return sums[0];
}

static int scalarprod_verify(struct workload *w, char *err, size_t err_size) {
    struct scalarprod *m = (struct scalarprod *)w;
    float *c = alloc_array(m->vectors, sizeof *c);
    for (uint64_t v = 0; v < m->vectors; v++)
        c[v] = product(m->n, &m->a.v[v * m->n], &m->b.v[v * m->n]);
    int rc = verify_floats("c", m->c.v, c, m->vectors, err, err_size);
    free(c);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *scalarprod_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_scalarprod = {
    .name = "scalarprod",
    .suite = "CUDA SDK (scalarProd)",
    .doc = "scalar products: streaming, coalesced, a block a pair, tree sums in shared memory",
    .size_doc = "N[,V]: elements of a vector, pairs",
    .default_size = "4096,256",
    .repeatable = true,
    .create = scalarprod_create,
};

static struct workload *scalarprod_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 1u << 28}, {"V", 1, 1u << 20}};
    uint64_t v[2];
    if (workload_size(&workload_scalarprod, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct scalarprod *m = workload_new(&workload_scalarprod, sizeof *m);
    const uint64_t elements = v[0] * v[1];
    m->n = v[0];
    m->vectors = v[1];
    m->blocks = v[1] < BLOCKS ? v[1] : BLOCKS;
    m->base.w.launches = 1;
    m->base.w.next = scalarprod_next;
    m->base.w.verify = scalarprod_verify;
    if (!NEW_ARRAY(m, a, elements, err, err_size) || !NEW_ARRAY(m, b, elements, err, err_size) ||
        !NEW_ARRAY(m, c, m->vectors, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    struct rng r = {SEED};
    rng_fill(&r, m->a.v, elements, 0, 1);
    rng_fill(&r, m->b.v, elements, 0, 1);
    expect_accesses(m->a.dev, elements, 0);
    expect_accesses(m->b.dev, elements, 0);
    expect_accesses(m->c.dev, 0, m->vectors);
    return &m->base.w;
}
