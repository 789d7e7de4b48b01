// SPDX-License-Identifier: Apache-2.0
/* addvect: y += x over N floats, one thread an element.
 *
 * Thread-level accesses: x: N loads. y: N loads, N stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define SEED 0xadd

enum { X, Y }; /* registers */

struct addvect {
    struct lane_workload base;
    uint64_t n;
    ARRAY(float) x;
    ARRAY(float) y;
};

struct addvect_warp {
    struct warp_head head;
    float x[WARP_LANES], y[WARP_LANES];
};

static void addvect_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct addvect *m = ctx;
    struct addvect_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(first + l < m->n);
    LD(w->x[l], m->x, [first + l], R(X), 0);
    LD(w->y[l], m->y, [first + l], R(Y), 0);
    ALU(1, w->y[l] += w->x[l], R(Y), R(X) | R(Y));
    ST(w->y[l], m->y, [first + l], R(Y));
    WARP_END();
}

static bool addvect_next(struct workload *w, struct kernel_launch *launch) {
    struct addvect *m = (struct addvect *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "addvect",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct addvect_warp),
        .step = addvect_step,
        .ctx = m,
    };
    return true;
}

static void addvect_inputs(const struct addvect *m, float *x, float *y) {
    struct rng r = {SEED};
    rng_fill(&r, x, m->n, 0, 1);
    rng_fill(&r, y, m->n, 0, 1);
}

static int addvect_verify(struct workload *w, char *err, size_t err_size) {
    struct addvect *m = (struct addvect *)w;
    float *x = alloc_array(m->n, sizeof *x), *y = alloc_array(m->n, sizeof *y);
    addvect_inputs(m, x, y);
    for (uint64_t i = 0; i < m->n; i++)
        y[i] += x[i];
    int rc = verify_floats("y", m->y.v, y, m->n, err, err_size);
    free(x);
    free(y);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *addvect_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_addvect = {
    .name = "addvect",
    .suite = "UVMSmart",
    .doc = "vector addition: two loads and a store a thread, streaming",
    .size_doc = "N, elements of each vector",
    .default_size = "1048576",
    .create = addvect_create,
};

static struct workload *addvect_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 1u << 28}};
    uint64_t n;
    if (workload_size(&workload_addvect, desc, 1, size, &n, err, err_size) != 0)
        return NULL;
    struct addvect *m = workload_new(&workload_addvect, sizeof *m);
    m->n = n;
    m->base.w.launches = 1;
    m->base.w.next = addvect_next;
    m->base.w.verify = addvect_verify;
    if (!NEW_ARRAY(m, x, n, err, err_size) || !NEW_ARRAY(m, y, n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    addvect_inputs(m, m->x.v, m->y.v);
    expect_accesses(m->x.dev, n, 0);
    expect_accesses(m->y.dev, n, n);
    return &m->base.w;
}
