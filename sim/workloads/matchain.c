// SPDX-License-Identifier: Apache-2.0
/* 2mm and 3mm (UVMBench, from PolyBench): chains of products of N x N matrices, one launch per
 * product, one thread per element, no tiling. 2mm: C += A B, E += C D. 3mm: E += A B, F += C D, G
 * += E F.
 *
 * The sum is kept in memory, so every step stores it (see "Sums in memory" in
 * docs/use/workloads.md). With L=1, every step also loads it, not only the first step. The sum is
 * initially 0 in memory; the kernel does not set it.
 *
 * Thread-level accesses: N^3 loads of each factor of each product; of each sum N^2 loads (L=1: N^3)
 * and N^3 stores. In total, 2mm: a, b, d: N^3 loads. c: N^2 + N^3 loads, N^3 stores. e: N^2 loads,
 * N^3 stores. 3mm: a, b, c, d: N^3 loads. e, f: N^2 + N^3 loads, N^3 stores. g: N^2 loads, N^3
 * stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define UNROLL 8
#define SEED 0x2333
#define MOST_PRODUCTS 3
#define MOST_MATRICES 7

enum { SUM, LEFT, RIGHT = LEFT + UNROLL }; /* registers; UNROLL for each factor */

enum { A, B, C, D, E, F, G }; /* matrices in the order of allocation */

/* sum += left right */
struct product {
    const char *kernel;
    unsigned sum, left, right;
};

struct chain {
    unsigned products, matrices;
    struct product product[MOST_PRODUCTS];
};

struct matchain {
    struct lane_workload base;
    const struct chain *chain;
    const struct product *now;
    uint64_t n;
    bool literal;
    ARRAY(float) matrix[MOST_MATRICES];
};

struct matchain_warp {
    struct warp_head head;
    uint64_t k;
    float left[WARP_LANES], right[WARP_LANES], sum[WARP_LANES];
};

/* Register used in this iteration of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void product_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct matchain *m = ctx;
    struct matchain_warp *w = state;
    const struct product *p = m->now;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* index of lane 0's column */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i < n && j + l < n);
    if (!m->literal)
        LD(w->sum[l], m->matrix[p->sum], [i * n + j + l], R(SUM), 0);
    for (w->k = 0; w->k < n; w->k++) {
        LD(w->right[l], m->matrix[p->right], [w->k * n + j + l], R_TURN(RIGHT), 0);
        LD(w->left[l], m->matrix[p->left], [i * n + w->k], R_TURN(LEFT), 0);
        if (m->literal)
            LD(w->sum[l], m->matrix[p->sum], [i * n + j + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->left[l] * w->right[l], R(SUM),
            R(SUM) | R_TURN(LEFT) | R_TURN(RIGHT));
        ST(w->sum[l], m->matrix[p->sum], [i * n + j + l], R(SUM));
        if (w->k % UNROLL == UNROLL - 1 || w->k == n - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool matchain_next(struct workload *w, struct kernel_launch *launch) {
    struct matchain *m = (struct matchain *)w;
    const unsigned k = m->base.launched;
    if (k == m->chain->products)
        return false;
    m->base.launched++;
    m->now = &m->chain->product[k];
    *launch = (struct kernel_launch){
        .name = m->now->kernel,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK_X), (uint32_t)ceil_div(m->n, BLOCK_Y), 1},
        .block = {BLOCK_X, BLOCK_Y, 1},
        .paper_regs = 12, /* value of 3MM in Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct matchain_warp),
        .step = product_step,
        .ctx = m,
    };
    return true;
}

static bool is_sum(const struct chain *c, unsigned matrix) {
    for (unsigned k = 0; k < c->products; k++)
        if (c->product[k].sum == matrix)
            return true;
    return false;
}

/* Computes a product row by row for the reference version. Sums each element in the order of k, as
 * the kernel does. */
static void multiply(uint64_t n, const float *left, const float *right, float *sum) {
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++)
                sum[i * n + j] += left[i * n + k] * right[k * n + j];
}

static int matchain_verify(struct workload *w, struct error *err) {
    struct matchain *m = (struct matchain *)w;
    const uint64_t n2 = m->n * m->n;
    const float *matrix[MOST_MATRICES]; /* inputs, and sums as they are computed */
    float *sums = alloc_zeroed(m->chain->products * n2, sizeof *sums);
    int rc = 0;
    for (unsigned i = 0; i < m->chain->matrices; i++)
        matrix[i] = m->matrix[i].v;
    for (unsigned k = 0; k < m->chain->products && rc == 0; k++) {
        const struct product *p = &m->chain->product[k];
        multiply(m->n, matrix[p->left], matrix[p->right], &sums[k * n2]);
        matrix[p->sum] = &sums[k * n2];
        rc = verify_floats(m->matrix[p->sum].dev->name, m->matrix[p->sum].v, matrix[p->sum], n2,
                           err);
    }
    free(sums);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void matchain_expect(struct matchain *m) {
    const uint64_t n2 = m->n * m->n, n3 = n2 * m->n;
    for (unsigned k = 0; k < m->chain->products; k++) {
        const struct product *p = &m->chain->product[k];
        m->matrix[p->left].dev->expected_loads += n3;
        m->matrix[p->right].dev->expected_loads += n3;
        m->matrix[p->sum].dev->expected_loads += m->literal ? n3 : n2;
        m->matrix[p->sum].dev->expected_stores += n3;
    }
}

static bool matchain_arrays(struct matchain *m) {
    static const char *const name[MOST_MATRICES] = {"a", "b", "c", "d", "e", "f", "g"};
    const uint64_t n2 = m->n * m->n;
    struct rng r = {SEED};
    for (unsigned i = 0; i < m->chain->matrices; i++) {
        m->matrix[i].v =
            workload_array(&m->base, name[i], n2, sizeof *m->matrix[i].v, &m->matrix[i].dev);
        if (!m->matrix[i].v)
            return false;
    }
    for (unsigned i = 0; i < m->chain->matrices; i++)
        if (!is_sum(m->chain, i))
            rng_fill(&r, m->matrix[i].v, n2, 0, 1);
    return true;
}

static bool matchain_create(struct workload *w, const uint64_t *v) {
    struct matchain *m = (struct matchain *)w;
    m->chain = w->type->variant;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.launches = m->chain->products;
    if (!matchain_arrays(m))
        return false;
    matchain_expect(m);
    return true;
}

#define CHAIN(id, name_, doc_, ...)                                                                \
    const struct workload_type workload_##id = {                                                   \
        .name = name_,                                                                             \
        .suite = "UVMBench (PolyBench)",                                                           \
        .class = "regular",                                                                        \
        .doc = doc_,                                                                               \
        .size_doc =                                                                                \
            "N[,L]: N, edge of the matrices; L=1 reloads the sums in each step (default 0)",       \
        .default_size = "256",                                                                     \
        .variant = &(const struct chain){__VA_ARGS__},                                             \
        .size = {{"N", 1, 16384}, {"L", 0, 1}},                                                    \
        .state_size = sizeof(struct matchain),                                                     \
        .next = matchain_next,                                                                     \
        .verify = matchain_verify,                                                                 \
        .create = matchain_create,                                                                 \
    }

CHAIN(mm2, "2mm",
      "two successive matrix products: row broadcast, coalesced column, a store per step",
      .products = 2, .matrices = 5,
      .product = {{"2mm first", .sum = C, .left = A, .right = B},
                  {"2mm second", .sum = E, .left = C, .right = D}});
CHAIN(mm3, "3mm", "product of two products: row broadcast, coalesced column, a store per step",
      .products = 3, .matrices = 7,
      .product = {{"3mm first", .sum = E, .left = A, .right = B},
                  {"3mm second", .sum = F, .left = C, .right = D},
                  {"3mm third", .sum = G, .left = E, .right = F}});
