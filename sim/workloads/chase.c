// SPDX-License-Identifier: Apache-2.0
/* chase (te42kyfo/gpu-benches, gpu-latency): a microbenchmark of load latency. Each load reads the
 * index of the next one, so its time is the latency of the level that holds its line.
 *
 * N KiB hold L = 16 N links of 64 B, in one cycle of random order. One CTA of two warps first loads
 * all links in the order of the cycle, a link per thread, to warm the caches. Then each thread
 * follows the cycle for I loads, both warps over the same links, and stores the index that it has
 * reached. The order of the first loads is part of the program and causes no accesses.
 *
 * The latency is (cycles of N,I - cycles of N,0) / I, from the issue of a load to the issue of the
 * next one. The statistic load_latency begins at the L1D, and includes the first loads.
 *
 * Thread-level accesses: links: L + 64 I loads. ends: 64 stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define THREADS 64u
#define LINKS_PER_KIB 16
#define UNROLL 32 /* loads of one loop */
#define SEED 0xc4a5e

enum { AT, COUNT }; /* registers */

struct chase_link {
    uint64_t next; /* index */
    uint64_t unused[7];
};

struct chase {
    struct lane_workload base;
    uint64_t n, hops; /* links, and loads of a thread that follows them */
    ARRAY(struct chase_link) links;
    ARRAY(int32_t) ends;
    uint32_t *order; /* indices of the links in the order of the cycle */
};

struct chase_warp {
    struct warp_head head;
    uint64_t i; /* place in the cycle, then number of the load */
    uint64_t at[WARP_LANES];
};

static void chase_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct chase *m = ctx;
    struct chase_warp *w = state;
    const uint32_t first = thread_in_block(place, 0);
    (void)cta;

    WARP_BEGIN();
    for (w->i = first; w->i < m->n; w->i += THREADS) {
        KEEP_LANES(w->i + l < m->n);
        ALU(2, w->at[l] = m->order[w->i + l], R(AT), 0);
        LD(w->at[l], m->links, [w->at[l]].next, R(AT), R(AT));
    }
    EVERY_LANE();
    BAR();
    ALU(2, w->at[l] = 0, R(AT) | R(COUNT), 0);
    for (w->i = 0; w->i < m->hops; w->i++) {
        LD(w->at[l], m->links, [w->at[l]].next, R(AT), R(AT));
        if (w->i % UNROLL == UNROLL - 1) {
            ALU_RUN(1, R(COUNT), R(COUNT));
            BRANCH(R(COUNT));
        }
    }
    ST((int32_t)w->at[l], m->ends, [first + l], R(AT));
    WARP_END();
}

static bool chase_next(struct workload *w, struct kernel_launch *launch) {
    struct chase *m = (struct chase *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "chase",
        .warp_state_size = sizeof(struct chase_warp),
        .step = chase_step,
        .ctx = m,
    };
    launch_1d(launch, 1, THREADS);
    return true;
}

/* Writes the links of one cycle in random order from link 0. */
static void chase_cycle(struct chase *m) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++)
        m->order[i] = (uint32_t)i;
    for (uint64_t i = m->n - 1; i > 1; i--) {
        const uint64_t other = 1 + rng_below(&r, i);
        const uint32_t link = m->order[i];
        m->order[i] = m->order[other];
        m->order[other] = link;
    }
    for (uint64_t i = 0; i < m->n; i++)
        m->links.v[m->order[i]].next = m->order[(i + 1) % m->n];
}

static int chase_verify(struct workload *w, struct error *err) {
    struct chase *m = (struct chase *)w;
    int32_t ends[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        ends[i] = (int32_t)m->order[m->hops % m->n];
    int rc = verify_ints("ends", m->ends.v, ends, THREADS, err);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void chase_destroy(struct workload *w) {
    free(((struct chase *)w)->order);
    workload_free(w);
}

static bool chase_create(struct workload *w, const uint64_t *v) {
    struct chase *m = (struct chase *)w;
    m->n = v[0] * LINKS_PER_KIB;
    m->hops = v[1];
    m->base.w.launches = 1;
    if (!NEW_ARRAY(m, links, m->n) || !NEW_ARRAY(m, ends, THREADS))
        return false;
    m->order = alloc_array(m->n, sizeof *m->order);
    chase_cycle(m);
    expect_accesses(m->links.dev, m->n + THREADS * m->hops, 0);
    expect_accesses(m->ends.dev, 0, THREADS);
    return true;
}

const struct workload_type workload_chase = {
    .name = "chase",
    .suite = "gpu-benches",
    .doc = "pointers followed in random order, a microbenchmark of latency",
    .size_doc = "N[,I]: KiB of pointers, loads that follow each other",
    .default_size = "64,4096",
    .repeatable = true,
    .size = {{"N", 1, 2097152}, {"I", 0, 16777216}},
    .state_size = sizeof(struct chase),
    .next = chase_next,
    .verify = chase_verify,
    .destroy = chase_destroy,
    .create = chase_create,
};
