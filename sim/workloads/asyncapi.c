// SPDX-License-Identifier: Apache-2.0
/* asyncapi (CUDA SDK asyncAPI): adds 26 to each of N integers in place.
 *
 * Streaming: CTAs of 512 threads, one thread per element, no bounds check.
 *
 * Thread-level accesses: data: N loads, N stores.
 *
 * Differences from the sample: N (16 Mi in the sample) and the initial integers (0 in the sample).
 * Copies to and from the host are omitted.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 512
#define INCREMENT 26
#define SMALLEST (-1000) /* smallest of the VALUES different initial integers */
#define VALUES 2001
#define SEED 0xa51c

enum { INDEX, DATA }; /* registers */

struct asyncapi {
    struct lane_workload base;
    uint64_t n;
    ARRAY(int32_t) data;
};

struct asyncapi_warp {
    struct warp_head head;
    int32_t data[WARP_LANES];
};

static void asyncapi_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct asyncapi *m = ctx;
    struct asyncapi_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(4, R(INDEX), 0);
    LD(w->data[l], m->data, [first + l], R(DATA), R(INDEX));
    ALU(1, w->data[l] += INCREMENT, R(DATA), R(DATA));
    ST(w->data[l], m->data, [first + l], R(DATA) | R(INDEX));
    WARP_END();
}

static bool asyncapi_next(struct workload *w, struct kernel_launch *launch) {
    struct asyncapi *m = (struct asyncapi *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "asyncapi",
        .grid = {(uint32_t)(m->n / BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct asyncapi_warp),
        .step = asyncapi_step,
        .ctx = m,
    };
    return true;
}

static void asyncapi_inputs(const struct asyncapi *m, int32_t *data) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++)
        data[i] = SMALLEST + (int32_t)rng_below(&r, VALUES);
}

static int asyncapi_verify(struct workload *w, struct error *err) {
    struct asyncapi *m = (struct asyncapi *)w;
    int32_t *data = alloc_array(m->n, sizeof *data);
    asyncapi_inputs(m, data);
    for (uint64_t i = 0; i < m->n; i++)
        data[i] += INCREMENT;
    int rc = verify_ints("data", m->data.v, data, m->n, err);
    free(data);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool asyncapi_create(struct workload *w, const uint64_t *v) {
    struct asyncapi *m = (struct asyncapi *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, BLOCK))
        return false;
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, data, n))
        return false;
    asyncapi_inputs(m, m->data.v);
    expect_accesses(m->data.dev, n, n);
    return true;
}

const struct workload_type workload_asyncapi = {
    .name = "asyncapi",
    .suite = "CUDA SDK (asyncAPI)",
    .doc =
        "adds a constant to an array in place: streaming, coalesced, a load and a store per thread",
    .size_doc = "N, number of elements (a multiple of 512)",
    .default_size = "4194304",
    .size = {{"N", BLOCK, 1u << 29}},
    .state_size = sizeof(struct asyncapi),
    .next = asyncapi_next,
    .verify = asyncapi_verify,
    .create = asyncapi_create,
};
