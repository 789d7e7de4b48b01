// SPDX-License-Identifier: Apache-2.0
/* 2mm and 3mm: products of N x N matrices in a row, a launch each, one thread an element, no
 * tiling. 2mm: C += A B, E += C D. 3mm: E += A B, F += C D, G += E F.
 *
 * The sum is kept in memory: every step stores it (see docs/use/workloads.md); with L=1 it is also
 * loaded in every step, rather than once. It starts at 0 in memory, which the kernel does not set.
 *
 * Thread-level accesses: N^3 loads of each factor of each product; of each sum N^2 loads (L=1:
 * N^3) and N^3 stores. So 2mm: a, b, d: N^3 loads. c: N^2 + N^3 loads, N^3 stores. e: N^2 loads,
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

enum { SUM, LEFT, RIGHT = LEFT + UNROLL }; /* registers; UNROLL of each factor */

enum { A, B, C, D, E, F, G }; /* matrices, in the order of allocation */

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

/* Register of this turn of the unrolled loop. */
#define R_TURN(first) R((first) + w->k % UNROLL)

static void product_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct matchain *m = ctx;
    struct matchain_warp *w = state;
    const struct product *p = m->now;
    const uint64_t n = m->n;
    const uint64_t i = place->cta[1] * (uint64_t)BLOCK_Y + place->warp;
    const uint64_t j = place->cta[0] * (uint64_t)BLOCK_X; /* of lane 0 */
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
        .paper_regs = 12, /* of 3MM: Dai 2017, Table 6 */
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

/* Plain version: row by row; each element sums up in the order of k, as the kernel does. */
static void multiply(uint64_t n, const float *left, const float *right, float *sum) {
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++)
                sum[i * n + j] += left[i * n + k] * right[k * n + j];
}

static int matchain_verify(struct workload *w, char *err, size_t err_size) {
    struct matchain *m = (struct matchain *)w;
    const uint64_t n2 = m->n * m->n;
    const float *matrix[MOST_MATRICES]; /* inputs, and sums as they are made */
    float *sums = alloc_zeroed(m->chain->products * n2, sizeof *sums);
    int rc = 0;
    for (unsigned i = 0; i < m->chain->matrices; i++)
        matrix[i] = m->matrix[i].v;
    for (unsigned k = 0; k < m->chain->products && rc == 0; k++) {
        const struct product *p = &m->chain->product[k];
        multiply(m->n, matrix[p->left], matrix[p->right], &sums[k * n2]);
        matrix[p->sum] = &sums[k * n2];
        rc = verify_floats(m->matrix[p->sum].dev->name, m->matrix[p->sum].v, matrix[p->sum], n2,
                           err, err_size);
    }
    free(sums);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
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

static bool matchain_arrays(struct matchain *m, char *err, size_t err_size) {
    static const char *const name[MOST_MATRICES] = {"a", "b", "c", "d", "e", "f", "g"};
    const uint64_t n2 = m->n * m->n;
    struct rng r = {SEED};
    for (unsigned i = 0; i < m->chain->matrices; i++) {
        m->matrix[i].v = workload_array(&m->base, name[i], n2, sizeof *m->matrix[i].v,
                                        &m->matrix[i].dev, err, err_size);
        if (!m->matrix[i].v)
            return false;
    }
    for (unsigned i = 0; i < m->chain->matrices; i++)
        if (!is_sum(m->chain, i))
            rng_fill(&r, m->matrix[i].v, n2, 0, 1);
    return true;
}

static struct workload *matchain_create(const struct workload_type *type, const struct chain *chain,
                                        const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 16384}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(type, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct matchain *m = workload_new(type, sizeof *m);
    m->chain = chain;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.launches = chain->products;
    m->base.w.next = matchain_next;
    m->base.w.verify = matchain_verify;
    if (!matchain_arrays(m, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    matchain_expect(m);
    return &m->base.w;
}

#define SIZE_DOC "N[,L]: N, edge of the matrices; L=1 reloads the sums in each step (default 0)"

static struct workload *mm2_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_mm2 = {
    .name = "2mm",
    .suite = "UVMBench (PolyBench)",
    .class = "regular",
    .doc = "two matrix products in a row: row broadcast, coalesced column, a store each step",
    .size_doc = SIZE_DOC,
    .default_size = "256",
    .create = mm2_create,
};

static struct workload *mm2_create(const char *size, char *err, size_t err_size) {
    static const struct chain chain = {
        .products = 2,
        .matrices = 5,
        .product = {{"2mm first", .sum = C, .left = A, .right = B},
                    {"2mm second", .sum = E, .left = C, .right = D}}};
    return matchain_create(&workload_mm2, &chain, size, err, err_size);
}

static struct workload *mm3_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_mm3 = {
    .name = "3mm",
    .suite = "UVMBench (PolyBench)",
    .class = "regular",
    .doc = "product of two products: row broadcast, coalesced column, a store each step",
    .size_doc = SIZE_DOC,
    .default_size = "256",
    .create = mm3_create,
};

static struct workload *mm3_create(const char *size, char *err, size_t err_size) {
    static const struct chain chain = {.products = 3,
                                       .matrices = 7,
                                       .product = {{"3mm first", .sum = E, .left = A, .right = B},
                                                   {"3mm second", .sum = F, .left = C, .right = D},
                                                   {"3mm third", .sum = G, .left = E, .right = F}}};
    return matchain_create(&workload_mm3, &chain, size, err, err_size);
}
