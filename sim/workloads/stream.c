// SPDX-License-Identifier: Apache-2.0
/* stream (te42kyfo/gpu-benches, gpu-stream): a microbenchmark of the bandwidth of the DRAM, with a
 * thread per element of arrays of doubles, in CTAs of B threads.
 *
 * K = 0 (init) stores a constant to a, 1 (read) loads b, 2 (scale) computes a = 1.2 b, and 3
 * (triad) computes a = 1.2 b + c. The original varies the number of threads per SM with B, at two
 * CTAs per SM; here, sm.ctas sets the latter.
 *
 * Thread-level accesses: a: N stores (K = 0, 2, 3). b: N loads (K = 1 to 3). c: N loads (K = 3).
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define SEED 0x57e4

enum { INDEX, FIRST, SECOND }; /* registers */

enum { INIT, READ, SCALE, TRIAD, KERNELS };

#define CONSTANT 0.23
#define FACTOR 1.2

struct stream {
    struct lane_workload base;
    uint64_t n, kernel;
    uint32_t block;
    ARRAY(double) a;
    ARRAY(double) b;
    ARRAY(double) c;
};

struct stream_warp {
    struct warp_head head;
    double x[WARP_LANES], y[WARP_LANES];
};

static double stream_value(const struct stream *m, double b, double c) {
    return m->kernel == INIT ? CONSTANT : FACTOR * b + (m->kernel == TRIAD ? c : 0);
}

static void stream_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct stream *m = ctx;
    struct stream_warp *w = state;
#define AT thread_in_grid(place, m->block, l)
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(3, R(INDEX), 0);
    BRANCH(R(INDEX));
    RETURN_UNLESS(AT < m->n);
    if (m->kernel == INIT)
        ALU_RUN(1, R(FIRST), 0);
    else
        LD(w->x[l], m->b, [AT], R(FIRST), R(INDEX));
    if (m->kernel == TRIAD)
        LD(w->y[l], m->c, [AT], R(SECOND), R(INDEX));
    if (m->kernel == READ) /* compares the element with a value that it never has */
        FP64(1, (void)0, 0, R(FIRST));
    else if (m->kernel != INIT)
        FP64(1, (void)0, R(FIRST), m->kernel == TRIAD ? R(FIRST) | R(SECOND) : R(FIRST));
    if (m->kernel != READ)
        ST(stream_value(m, w->x[l], w->y[l]), m->a, [AT], R(INDEX) | R(FIRST));
    WARP_END();
#undef AT
}

static bool stream_next(struct workload *w, struct kernel_launch *launch) {
    static const char *const names[KERNELS] = {"init_kernel", "read_kernel", "scale_kernel",
                                               "triad_kernel"};
    struct stream *m = (struct stream *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = names[m->kernel],
        .warp_state_size = sizeof(struct stream_warp),
        .step = stream_step,
        .ctx = m,
    };
    launch_1d(launch, ceil_div(m->n, m->block), m->block);
    return true;
}

static int stream_verify(struct workload *w, struct error *err) {
    struct stream *m = (struct stream *)w;
    int rc = 0;
    if (m->kernel != READ) {
        double *a = alloc_array(m->n, sizeof *a);
        for (uint64_t i = 0; i < m->n; i++)
            a[i] = stream_value(m, m->b.v[i], m->c.v[i]);
        rc = verify_doubles("a", m->a.v, a, m->n, err);
        free(a);
    }
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool stream_create(struct workload *w, const uint64_t *v) {
    struct stream *m = (struct stream *)w;
    struct rng r = {SEED};
    m->n = v[0];
    m->block = (uint32_t)v[1];
    m->kernel = v[2];
    m->base.w.launches = 1;
    if (!workload_multiple(w, "B", v[1], WARP_LANES) || !NEW_ARRAY(m, a, m->n) ||
        !NEW_ARRAY(m, b, m->n) || !NEW_ARRAY(m, c, m->n))
        return false;
    for (uint64_t i = 0; i < m->n; i++) {
        m->b.v[i] = rng_unit(&r);
        m->c.v[i] = rng_unit(&r);
    }
    expect_accesses(m->a.dev, 0, m->kernel == READ ? 0 : m->n);
    expect_accesses(m->b.dev, m->kernel == INIT ? 0 : m->n, 0);
    expect_accesses(m->c.dev, m->kernel == TRIAD ? m->n : 0, 0);
    return true;
}

const struct workload_type workload_stream = {
    .name = "stream",
    .suite = "gpu-benches",
    .doc = "arrays read and written once, a microbenchmark of DRAM bandwidth",
    .size_doc =
        "N[,B[,K]]: elements, threads per CTA (a multiple of 32), kernel: 0 init, 1 read, 2 "
        "scale, 3 triad",
    .default_size = "1048576,256,3",
    .repeatable = true,
    .size = {{"N", 1, 67108864}, {"B", WARP_LANES, 1024}, {"K", 0, KERNELS - 1}},
    .state_size = sizeof(struct stream),
    .next = stream_next,
    .verify = stream_verify,
    .create = stream_create,
};
