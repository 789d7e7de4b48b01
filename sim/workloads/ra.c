// SPDX-License-Identifier: Apache-2.0
/* ra (UVMSmart): random access. Every 100th thread reads its input, which selects an element k of a
 * table, and writes output[k].
 *
 * Thread-level accesses, with T = ceil(N / 100) active threads: input: T loads. table: T loads.
 * output: T stores. (In the original, thread N would be active too, but the grid never contains
 * that thread.)
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define STRIDE 100
#define SEED 0x7a

enum { INPUT, INDEX, VALUE }; /* registers */

struct ra {
    struct lane_workload base;
    uint64_t n;
    ARRAY(float) input;
    ARRAY(float) output;
    ARRAY(float) table;
};

struct ra_warp {
    struct warp_head head;
    float input[WARP_LANES], value[WARP_LANES];
    uint64_t k[WARP_LANES];
};

/* Maps an input 0..1 to an element 0..n-1. Uses double, which cannot round up to n. */
static uint64_t pick(float input, uint64_t n) {
    return (uint64_t)((double)input * (double)n);
}

static void ra_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct ra *m = ctx;
    struct ra_warp *w = state;
    const uint64_t id = thread_in_grid(place, BLOCK, 0); /* index of lane 0's thread */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS((id + l) % STRIDE == 0 && id + l < m->n);
    LD(w->input[l], m->input, [id + l], R(INPUT), 0);
    ALU(6, w->k[l] = pick(w->input[l], m->n), R(INDEX), R(INPUT));
    LD(w->value[l], m->table, [w->k[l]], R(VALUE), R(INDEX));
    ALU(1, w->value[l] += 1, R(VALUE), R(VALUE));
    ST(w->value[l], m->output, [w->k[l]], R(INDEX) | R(VALUE));
    WARP_END();
}

static bool ra_next(struct workload *w, struct kernel_launch *launch) {
    struct ra *m = (struct ra *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "ra",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct ra_warp),
        .step = ra_step,
        .ctx = m,
    };
    return true;
}

static int ra_verify(struct workload *w, struct error *err) {
    struct ra *m = (struct ra *)w;
    float *output = alloc_zeroed(m->n, sizeof *output);
    for (uint64_t i = 0; i < m->n; i += STRIDE) {
        const uint64_t k = pick(m->input.v[i], m->n);
        output[k] = m->table.v[k] + 1;
    }
    int rc = verify_floats("output", m->output.v, output, m->n, err);
    free(output);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool ra_create(struct workload *w, const uint64_t *v) {
    struct ra *m = (struct ra *)w;
    const uint64_t n = m->n = v[0];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, input, n) || !NEW_ARRAY(m, output, n) || !NEW_ARRAY(m, table, n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->input.v, n, 0, 1);
    rng_fill(&r, m->table.v, n, 0, 1);
    const uint64_t threads = ceil_div(n, STRIDE);
    expect_accesses(m->input.dev, threads, 0);
    expect_accesses(m->table.dev, threads, 0);
    expect_accesses(m->output.dev, 0, threads);
    return true;
}

const struct workload_type workload_ra = {
    .name = "ra",
    .suite = "UVMSmart",
    .doc = "random access: one lane in a hundred reads and writes a random element",
    .size_doc = "N, number of elements in each of the three arrays",
    .default_size = "1048576",
    .repeatable = true,
    .size = {{"N", 1, 1u << 27}},
    .state_size = sizeof(struct ra),
    .next = ra_next,
    .verify = ra_verify,
    .create = ra_create,
};
