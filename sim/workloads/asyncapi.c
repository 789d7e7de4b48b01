// SPDX-License-Identifier: Apache-2.0
/* asyncapi: adds 26 to each of N integers, in place. Blocks of 512 threads, one thread an element,
 * without a guard.
 *
 * Thread-level accesses: data: N loads, N stores.
 *
 * What differs from the sample: N, 16 Mi there, and the integers, 0 there. Its copies to and from
 * the host are not there.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 512
#define INCREMENT 26
#define SMALLEST (-1000) /* of the integers at first, and how many values */
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

static int asyncapi_verify(struct workload *w, char *err, size_t err_size) {
    struct asyncapi *m = (struct asyncapi *)w;
    int32_t *data = alloc_array(m->n, sizeof *data);
    asyncapi_inputs(m, data);
    for (uint64_t i = 0; i < m->n; i++)
        data[i] += INCREMENT;
    int rc = verify_ints("data", m->data.v, data, m->n, err, err_size);
    free(data);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *asyncapi_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_asyncapi = {
    .name = "asyncapi",
    .suite = "CUDA SDK (asyncAPI)",
    .doc =
        "adds a constant to an array in place: streaming, coalesced, a load and a store a thread",
    .size_doc = "N, elements (a multiple of 512)",
    .default_size = "4194304",
    .create = asyncapi_create,
};

static struct workload *asyncapi_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", BLOCK, 1u << 29}};
    uint64_t n;
    if (workload_size(&workload_asyncapi, desc, 1, size, &n, err, err_size) != 0 ||
        workload_multiple(&workload_asyncapi, "N", n, BLOCK, err, err_size) != 0)
        return NULL;
    struct asyncapi *m = workload_new(&workload_asyncapi, sizeof *m);
    m->n = n;
    m->base.w.launches = 1;
    m->base.w.next = asyncapi_next;
    m->base.w.verify = asyncapi_verify;
    if (!NEW_ARRAY(m, data, n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    asyncapi_inputs(m, m->data.v);
    expect_accesses(m->data.dev, n, n);
    return &m->base.w;
}
