// SPDX-License-Identifier: Apache-2.0
/* spmv (Parboil): y = A x with a sparse N x N matrix in jagged diagonals (JDS), one thread per row,
 * I times.
 *
 * Rows are sorted, longest first, and the rows of a warp are padded with zeros to the length of the
 * longest. Entries k of all rows are adjacent, so data and index are read coalesced, while x is
 * gathered. A step fetches the datum and the element of x for entry k - 1 and the index of entry k,
 * and adds entry k - 2. The lengths of the warps and the starts of the diagonals are in constant
 * memory and cause no accesses; x is read with global loads (a texture in the original).
 *
 * Thread-level accesses, with S the sum, over all rows, of the length of the longest row in the
 * row's group of 32 in sorted order: data, index and x: I S loads each. perm: I N loads. y: I N
 * stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 192
#define LONGEST 24 /* entries per row: 1..LONGEST */
#define NEAR 64    /* three of four columns are at most this far from the diagonal */
#define SEED 0x59a

/* registers; two for each value of an entry, for even and odd entries */
enum { INDEX, SUM, ROW, DATA, COLUMN = DATA + 2, X = COLUMN + 2 };

struct spmv {
    struct lane_workload base;
    uint64_t n, times;
    uint32_t *length;        /* length of row i; owned, as are `column` and `value` */
    int32_t *column;         /* [n][LONGEST], ascending */
    float *value;            /* [n][LONGEST] */
    uint64_t start[LONGEST]; /* start of diagonal k in data and index */
    ARRAY(float) data;
    ARRAY(int32_t) index;
    ARRAY(int32_t) perm; /* row at each index in sorted order */
    ARRAY(float) x;
    ARRAY(float) y;
};

struct spmv_warp {
    struct warp_head head;
    uint32_t k;
    int32_t row[WARP_LANES], column[2][WARP_LANES];
    float data[2][WARP_LANES], x[2][WARP_LANES], sum[WARP_LANES];
};

/* Returns the number of entries per row, with padding, in the warp whose first row is row `place`
 * in sorted order. */
static uint32_t warp_entries(const struct spmv *m, uint64_t place) {
    return m->length[m->perm.v[place]];
}

#define ENTRY(k) [m->start[k] + first + l]
#define LD_COLUMN(k) LD(w->column[(k) % 2][l], m->index, ENTRY(k), R(COLUMN + (k) % 2), R(INDEX))
#define LD_DATA(k) LD(w->data[(k) % 2][l], m->data, ENTRY(k), R(DATA + (k) % 2), R(INDEX))
#define LD_X(k)                                                                                    \
    LD(w->x[(k) % 2][l], m->x, [w->column[(k) % 2][l]], R(X + (k) % 2), R(COLUMN + (k) % 2))
#define ADD(n, k)                                                                                  \
    ALU(n, w->sum[l] += w->data[(k) % 2][l] * w->x[(k) % 2][l], R(SUM),                            \
        R(SUM) | R(DATA + (k) % 2) | R(X + (k) % 2))

static void spmv_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct spmv *m = ctx;
    struct spmv_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0); /* index of lane 0 in sorted order */
    const uint32_t entries = first < m->n ? warp_entries(m, first) : 0;
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(first + l < m->n);
    ALU(8, w->sum[l] = 0, R(INDEX) | R(SUM), 0);
    LD_DATA(0);
    LD_COLUMN(0);
    LD_X(0);
    if (entries > 1) {
        LD_COLUMN(1);
        for (w->k = 2; w->k < entries; w->k++) {
            LD_DATA(w->k - 1);
            LD_COLUMN(w->k);
            LD_X(w->k - 1);
            ADD(5, w->k);
        }
        LD_DATA(entries - 1);
        LD_X(entries - 1);
        ADD(1, entries);
    }
    ADD(1, entries - 1);
    LD(w->row[l], m->perm, [first + l], R(ROW), R(INDEX));
    ST(w->sum[l], m->y, [w->row[l]], R(SUM) | R(ROW));
    WARP_END();
}

static bool spmv_next(struct workload *w, struct kernel_launch *launch) {
    struct spmv *m = (struct spmv *)w;
    if (m->base.launched++ >= m->times)
        return false;
    *launch = (struct kernel_launch){
        .name = "spmv",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .paper_regs = 16, /* Dai 2017, Table 6 */
        .warp_state_size = sizeof(struct spmv_warp),
        .step = spmv_step,
        .ctx = m,
    };
    return true;
}

/* ---- Matrix ---- */

static int by_value(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Returns a column for row i: near the diagonal, or anywhere. */
static int32_t random_column(struct rng *r, uint64_t i, uint64_t n) {
    if (rng_below(r, 4) == 0)
        return (int32_t)rng_below(r, n);
    const int64_t c = (int64_t)(i + rng_below(r, 2 * NEAR + 1)) - NEAR;
    return (int32_t)(c < 0 || c >= (int64_t)n ? (int64_t)i : c);
}

static void make_rows(struct spmv *m, struct rng *r) {
    for (uint64_t i = 0; i < m->n; i++) {
        int32_t *column = &m->column[i * LONGEST];
        m->length[i] = 1 + (uint32_t)rng_below(r, LONGEST);
        for (uint32_t k = 0; k < m->length[i]; k++)
            column[k] = random_column(r, i, m->n);
        qsort(column, m->length[i], sizeof *column, by_value);
        rng_fill(r, &m->value[i * LONGEST], m->length[i], 0, 1);
    }
}

/* Sorts the rows, longest first. Rows of equal length keep their order. */
static void sort_rows(struct spmv *m) {
    uint64_t place = 0;
    for (uint32_t length = LONGEST; length > 0; length--)
        for (uint64_t i = 0; i < m->n; i++)
            if (m->length[i] == length)
                m->perm.v[place++] = (int32_t)i;
}

/* Sets start[]. Returns the number of entries in all diagonals, in whole warps, including the
 * padding of shorter rows. */
static uint64_t lay_out(struct spmv *m) {
    uint64_t end = 0;
    for (uint32_t k = 0; k < LONGEST; k++) {
        m->start[k] = end;
        for (uint64_t p = 0; p < m->n && warp_entries(m, p) > k; p += WARP_LANES)
            end += WARP_LANES;
    }
    return end;
}

/* Fills the diagonals. Padding entries stay 0 times x[0]. */
static void fill_diagonals(struct spmv *m) {
    for (uint64_t p = 0; p < m->n; p++) {
        const uint64_t row = (uint64_t)m->perm.v[p];
        for (uint32_t k = 0; k < m->length[row]; k++) {
            m->data.v[m->start[k] + p] = m->value[row * LONGEST + k];
            m->index.v[m->start[k] + p] = m->column[row * LONGEST + k];
        }
    }
}

static int spmv_verify(struct workload *w, struct error *err) {
    struct spmv *m = (struct spmv *)w;
    float *y = alloc_zeroed(m->n, sizeof *y);
    for (uint64_t i = 0; i < m->n; i++)
        for (uint64_t k = i * LONGEST; k < i * LONGEST + m->length[i]; k++)
            y[i] += m->value[k] * m->x.v[m->column[k]];
    int rc = verify_floats("y", m->y.v, y, m->n, err);
    free(y);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void spmv_expect(struct spmv *m) {
    uint64_t s = 0;
    for (uint64_t p = 0; p < m->n; p++)
        s += warp_entries(m, p / WARP_LANES * WARP_LANES);
    expect_accesses(m->data.dev, m->times * s, 0);
    expect_accesses(m->index.dev, m->times * s, 0);
    expect_accesses(m->x.dev, m->times * s, 0);
    expect_accesses(m->perm.dev, m->times * m->n, 0);
    expect_accesses(m->y.dev, 0, m->times * m->n);
}

static void spmv_destroy(struct workload *w) {
    struct spmv *m = (struct spmv *)w;
    free(m->length);
    free(m->column);
    free(m->value);
    workload_free(w);
}

/* Generates the rows, sorts them, and fills the diagonals. perm is allocated before the arrays of
 * the diagonals, whose length depends on it. */
static bool spmv_arrays(struct spmv *m) {
    struct rng r = {SEED};
    m->length = alloc_array(m->n, sizeof *m->length);
    m->column = alloc_array(m->n * LONGEST, sizeof *m->column);
    m->value = alloc_array(m->n * LONGEST, sizeof *m->value);
    if (!NEW_ARRAY(m, perm, m->n))
        return false;
    make_rows(m, &r);
    sort_rows(m);
    const uint64_t entries = lay_out(m);
    if (!NEW_ARRAY(m, data, entries) || !NEW_ARRAY(m, index, entries) || !NEW_ARRAY(m, x, m->n) ||
        !NEW_ARRAY(m, y, m->n))
        return false;
    fill_diagonals(m);
    rng_fill(&r, m->x.v, m->n, 0, 1);
    return true;
}

static bool spmv_create(struct workload *w, const uint64_t *v) {
    struct spmv *m = (struct spmv *)w;
    m->n = v[0];
    m->times = v[1];
    m->base.w.launches = m->times;
    if (!spmv_arrays(m))
        return false;
    spmv_expect(m);
    return true;
}

const struct workload_type workload_spmv = {
    .name = "spmv",
    .suite = "Parboil",
    .doc = "sparse matrix-vector product: coalesced jagged diagonals, gathers, scattered stores",
    .size_doc = "N[,I]: rows, repetitions",
    .default_size = "131072,2",
    .repeatable = true,
    .size = {{"N", 1, 1u << 23}, {"I", 1, 1000}},
    .state_size = sizeof(struct spmv),
    .next = spmv_next,
    .verify = spmv_verify,
    .destroy = spmv_destroy,
    .create = spmv_create,
};
