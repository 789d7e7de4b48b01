// SPDX-License-Identifier: Apache-2.0
/* addvect (UVMSmart): y += x over N floats, one thread per element.
 *
 * Streaming: two coalesced loads and one store per thread.
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

static int addvect_verify(struct workload *w, struct error *err) {
    struct addvect *m = (struct addvect *)w;
    float *x = alloc_array(m->n, sizeof *x), *y = alloc_array(m->n, sizeof *y);
    addvect_inputs(m, x, y);
    for (uint64_t i = 0; i < m->n; i++)
        y[i] += x[i];
    int rc = verify_floats("y", m->y.v, y, m->n, err);
    free(x);
    free(y);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool addvect_create(struct workload *w, const uint64_t *v) {
    struct addvect *m = (struct addvect *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, x, n) || !NEW_ARRAY(m, y, n))
        return false;
    addvect_inputs(m, m->x.v, m->y.v);
    expect_accesses(m->x.dev, n, 0);
    expect_accesses(m->y.dev, n, n);
    return true;
}

const struct workload_type workload_addvect = {
    .name = "addvect",
    .suite = "UVMSmart",
    .doc = "vector addition: streaming, two loads and one store per thread",
    .size_doc = "N, number of elements in each vector",
    .default_size = "1048576",
    .size = {{"N", 1, 1u << 28}},
    .state_size = sizeof(struct addvect),
    .next = addvect_next,
    .verify = addvect_verify,
    .create = addvect_create,
};
