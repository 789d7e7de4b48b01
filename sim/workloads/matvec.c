// SPDX-License-Identifier: Apache-2.0
#include "matvec.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define UNROLL_ROWS 16
#define UNROLL_COLUMNS 8

/* registers; as many of VECTOR and MATRIX as loops are unrolled at most */
enum { SUM, VECTOR, MATRIX = VECTOR + UNROLL_ROWS };

struct matvec {
    struct lane_workload base;
    const struct matvec_variant *variant;
    const struct matvec_product *now; /* of this launch */
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

/* Registers of this turn of the unrolled loop. */
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
    const uint64_t i = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
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
        .paper_regs = 12, /* of ATAX: Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct matvec_warp),
        .step = matvec_step,
        .ctx = m,
    };
    return true;
}

static uint64_t elements(const struct matvec *m, unsigned array) {
    return array == 0 ? m->n * m->n : m->n;
}

/* Fills the arrays that have random contents, in the order of the table. */
static void inputs(const struct matvec *m, float *const *v) {
    struct rng r = {m->variant->seed};
    for (unsigned i = 0; i < m->n_arrays; i++)
        if (m->variant->array[i].random)
            rng_fill(&r, v[i], elements(m, i), 0, 1);
}

/* Row by row; each sum adds in the order of k, as the kernel does. */
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

static int compare(const struct matvec *m, float *const *want, char *err, size_t err_size) {
    for (unsigned i = 0; i < m->n_arrays; i++) {
        const char *name = m->variant->array[i].name;
        if (verify_floats(name, m->array[i].v, want[i], elements(m, i), err, err_size) != 0)
            return -1;
    }
    return 0;
}

static int matvec_verify(struct workload *w, char *err, size_t err_size) {
    struct matvec *m = (struct matvec *)w;
    float *want[MATVEC_ARRAYS] = {NULL};
    for (unsigned i = 0; i < m->n_arrays; i++)
        want[i] = alloc_zeroed(elements(m, i), sizeof *want[i]);
    inputs(m, want);
    multiply(&m->variant->product[0], m->n, want);
    multiply(&m->variant->product[1], m->n, want);
    const int rc = compare(m, want, err, err_size);
    for (unsigned i = 0; i < m->n_arrays; i++)
        free(want[i]);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

/* The formulae of the header, added to what the arrays have already. */
static void expect_product(struct matvec *m, const struct matvec_product *p) {
    const uint64_t n = m->n, square = n * n;
    struct device_array *sum = m->array[p->sum].dev;
    m->array[0].dev->expected_loads += square;
    m->array[p->vector].dev->expected_loads += square;
    sum->expected_loads += m->literal ? square : p->zeroed ? 0 : n;
    sum->expected_stores += square + (p->zeroed ? n : 0);
}

static bool new_arrays(struct matvec *m, char *err, size_t err_size) {
    for (unsigned i = 0; i < MATVEC_ARRAYS && m->variant->array[i].name; i++) {
        m->array[i].v = workload_array(&m->base, m->variant->array[i].name, elements(m, i),
                                       sizeof(float), &m->array[i].dev, err, err_size);
        if (!m->array[i].v)
            return false;
        m->n_arrays++;
    }
    return true;
}

struct workload *matvec_create(const struct workload_type *type,
                               const struct matvec_variant *variant, const char *size, char *err,
                               size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 20000}, {"L", 0, 1}};
    uint64_t v[2];
    if (workload_size(type, desc, 2, size, v, err, err_size) != 0)
        return NULL;
    struct matvec *m = workload_new(type, sizeof *m);
    m->variant = variant;
    m->n = v[0];
    m->literal = v[1];
    m->base.w.launches = 2;
    m->base.w.next = matvec_next;
    m->base.w.verify = matvec_verify;
    if (!new_arrays(m, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    float *start[MATVEC_ARRAYS];
    for (unsigned i = 0; i < m->n_arrays; i++)
        start[i] = m->array[i].v;
    inputs(m, start);
    expect_product(m, &variant->product[0]);
    expect_product(m, &variant->product[1]);
    return &m->base.w;
}
