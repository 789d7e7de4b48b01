// SPDX-License-Identifier: Apache-2.0
/* atax, bicg and mvt (UVMBench, from PolyBench): two kernels that each multiply an N x N matrix, or
 * its transpose, by a vector. CTAs have 256 threads, one thread per sum. With one row per thread,
 * matrix loads touch 32 lines per warp; with one column per thread they are coalesced.
 *
 * Both kernels keep the sum in memory (see "Sums in memory" in docs/use/workloads.md). With L=1,
 * they also load it in each step.
 *
 * Thread-level accesses of one kernel: matrix, vector: N^2 loads each. sum: N^2 stores, N loads
 * (L=1: N^2); if the kernel zeroes the sum, N^2 + N stores, no loads (L=1: N^2).
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define UNROLL_ROWS 16
#define UNROLL_COLUMNS 8

/* registers; UNROLL_ROWS, the larger unroll factor, for each of VECTOR and MATRIX */
enum { SUM, VECTOR, MATRIX = VECTOR + UNROLL_ROWS };

#define MATVEC_ARRAYS 5

struct matvec_variant {
    uint64_t seed;
    /* Arrays in order of allocation. [0] is the matrix, and the others have N elements. After the
     * last array, name is NULL. Random arrays start with values from [0, 1), drawn in the order of
     * the arrays. The others start with zeros. */
    struct {
        const char *name;
        bool random;
    } array[MATVEC_ARRAYS];
    /* Products in order of launch. */
    struct matvec_product {
        const char *kernel;
        bool columns; /* true if lane i sums matrix[k][i] vector[k], else matrix[i][k] */
        bool zeroed;  /* true if the kernel begins with sum = 0, false if it loads the sum */
        unsigned vector, sum; /* indices of arrays */
    } product[2];
};

struct matvec {
    struct lane_workload base;
    const struct matvec_variant *variant;
    const struct matvec_product *now; /* product of the current launch */
    uint64_t n;
    bool literal;
    unsigned n_arrays;
    ARRAY(float) array[MATVEC_ARRAYS];
};

struct matvec_warp {
    struct warp_head head;
    uint64_t k;
    float vector[WARP_LANES], matrix[WARP_LANES], sum[WARP_LANES];
};

/* Registers used in this iteration of the unrolled loop. */
#define R_VECTOR R(VECTOR + w->k % unroll)
#define R_MATRIX R(MATRIX + w->k % unroll)

static uint64_t element(const struct matvec *m, uint64_t i, uint64_t k) {
    return m->now->columns ? k * m->n + i : i * m->n + k;
}

static void matvec_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct matvec *m = ctx;
    struct matvec_warp *w = state;
    const struct matvec_product *p = m->now;
    const unsigned unroll = p->columns ? UNROLL_COLUMNS : UNROLL_ROWS;
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* index of lane 0's sum */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(i + l < m->n);
    if (p->zeroed) {
        ALU(1, w->sum[l] = 0, R(SUM), 0);
        ST(w->sum[l], m->array[p->sum], [i + l], R(SUM));
    } else if (!m->literal)
        LD(w->sum[l], m->array[p->sum], [i + l], R(SUM), 0);
    for (w->k = 0; w->k < m->n; w->k++) {
        LD(w->vector[l], m->array[p->vector], [w->k], R_VECTOR, 0);
        LD(w->matrix[l], m->array[0], [element(m, i + l, w->k)], R_MATRIX, 0);
        if (m->literal)
            LD(w->sum[l], m->array[p->sum], [i + l], R(SUM), 0);
        ALU(1, w->sum[l] += w->matrix[l] * w->vector[l], R(SUM), R(SUM) | R_VECTOR | R_MATRIX);
        ST(w->sum[l], m->array[p->sum], [i + l], R(SUM));
        if (w->k % unroll == unroll - 1 || w->k == m->n - 1)
            ALU_RUN(4, 0, 0);
    }
    WARP_END();
}

static bool matvec_next(struct workload *w, struct kernel_launch *launch) {
    struct matvec *m = (struct matvec *)w;
    const unsigned k = m->base.launched++;
    if (k > 1)
        return false;
    m->now = &m->variant->product[k];
    *launch = (struct kernel_launch){
        .name = m->now->kernel,
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .paper_regs = 12, /* value of ATAX in Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct matvec_warp),
        .step = matvec_step,
        .ctx = m,
    };
    return true;
}

static uint64_t elements(const struct matvec *m, unsigned array) {
    return array == 0 ? m->n * m->n : m->n;
}

/* Fills the random arrays, in the order of the table. */
static void inputs(const struct matvec *m, float *const *v) {
    struct rng r = {m->variant->seed};
    for (unsigned i = 0; i < m->n_arrays; i++)
        if (m->variant->array[i].random)
            rng_fill(&r, v[i], elements(m, i), 0, 1);
}

/* Computes a product row by row for the reference version. Adds each sum in the order of k, as the
 * kernel does. */
static void multiply(const struct matvec_product *p, uint64_t n, float *const *v) {
    const float *vector = v[p->vector];
    float *sum = v[p->sum];
    for (uint64_t i = 0; i < n && p->zeroed; i++)
        sum[i] = 0;
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t column = 0; column < n; column++)
            sum[p->columns ? column : row] +=
                v[0][row * n + column] * vector[p->columns ? row : column];
}

static int compare(const struct matvec *m, float *const *want, struct error *err) {
    for (unsigned i = 0; i < m->n_arrays; i++) {
        const char *name = m->variant->array[i].name;
        if (verify_floats(name, m->array[i].v, want[i], elements(m, i), err) != 0)
            return -1;
    }
    return 0;
}

static int matvec_verify(struct workload *w, struct error *err) {
    struct matvec *m = (struct matvec *)w;
    float *want[MATVEC_ARRAYS] = {NULL};
    for (unsigned i = 0; i < m->n_arrays; i++)
        want[i] = alloc_zeroed(elements(m, i), sizeof *want[i]);
    inputs(m, want);
    multiply(&m->variant->product[0], m->n, want);
    multiply(&m->variant->product[1], m->n, want);
    const int rc = compare(m, want, err);
    for (unsigned i = 0; i < m->n_arrays; i++)
        free(want[i]);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Adds the access counts of a product to the expected ones, from the formulae in the file's
 * header. */
static void expect_product(struct matvec *m, const struct matvec_product *p) {
    const uint64_t n = m->n, square = n * n;
    struct device_array *sum = m->array[p->sum].dev;
    m->array[0].dev->expected_loads += square;
    m->array[p->vector].dev->expected_loads += square;
    sum->expected_loads += m->literal ? square : p->zeroed ? 0 : n;
    sum->expected_stores += square + (p->zeroed ? n : 0);
}

static bool new_arrays(struct matvec *m) {
    for (unsigned i = 0; i < MATVEC_ARRAYS && m->variant->array[i].name; i++) {
        m->array[i].v = workload_array(&m->base, m->variant->array[i].name, elements(m, i),
                                       sizeof(float), &m->array[i].dev);
        if (!m->array[i].v)
            return false;
        m->n_arrays++;
    }
    return true;
}

static bool matvec_create(struct workload *w, const uint64_t *v) {
    struct matvec *m = (struct matvec *)w;
    m->variant = w->type->variant;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.launches = 2;
    if (!new_arrays(m))
        return false;
    float *start[MATVEC_ARRAYS];
    for (unsigned i = 0; i < m->n_arrays; i++)
        start[i] = m->array[i].v;
    inputs(m, start);
    expect_product(m, &m->variant->product[0]);
    expect_product(m, &m->variant->product[1]);
    return true;
}

#define MATVEC(name_, doc_, repeatable_, ...)                                                      \
    const struct workload_type workload_##name_ = {                                                \
        .name = #name_,                                                                            \
        .suite = "UVMBench (PolyBench)",                                                           \
        .class = "irregular",                                                                      \
        .doc = doc_,                                                                               \
        .size_doc = "N[,L]: N, edge of the matrix; L=1 reloads the sum in each step (default 0)",  \
        .default_size = "1024",                                                                    \
        .repeatable = repeatable_,                                                                 \
        .variant = &(const struct matvec_variant){__VA_ARGS__},                                    \
        .size = {{"N", 1, 20000}, {"L", 0, 1}},                                                    \
        .state_size = sizeof(struct matvec),                                                       \
        .next = matvec_next,                                                                       \
        .verify = matvec_verify,                                                                   \
        .create = matvec_create,                                                                   \
    }

/* y = A^T (A x) */
MATVEC(atax, "A^T (A x): row per thread (32 lines per warp), then column per thread (coalesced)",
       false, .seed = 0xa7a, .array = {{"a", true}, {"x", true}, {"y", false}, {"tmp", false}},
       .product = {{.kernel = "atax rows", .vector = 1, .sum = 3},
                   {.kernel = "atax columns", .columns = true, .vector = 3, .sum = 2}});
/* s = A^T r and q = A p, the two products of a BiCG step */
MATVEC(bicg,
       "A^T r and A p: column per thread (coalesced), then row per thread (32 lines per warp)",
       true, .seed = 0xb1c6,
       .array = {{"a", true}, {"r", true}, {"s", false}, {"p", true}, {"q", false}},
       .product = {
           {.kernel = "bicg columns", .columns = true, .zeroed = true, .vector = 1, .sum = 2},
           {.kernel = "bicg rows", .zeroed = true, .vector = 3, .sum = 4}});
/* x1 += A y1 and x2 += A^T y2 */
MATVEC(mvt,
       "A y1 and A^T y2: row per thread (32 lines per warp), then column per thread (coalesced)",
       false, .seed = 0x317,
       .array = {{"a", true}, {"x1", true}, {"x2", true}, {"y1", true}, {"y2", true}},
       .product = {{.kernel = "mvt rows", .vector = 3, .sum = 1},
                   {.kernel = "mvt columns", .columns = true, .vector = 4, .sum = 2}});
