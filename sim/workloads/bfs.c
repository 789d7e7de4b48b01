// SPDX-License-Identifier: Apache-2.0
/* bfs (Rodinia): breadth-first search from one root, level by level, with a flag array as frontier.
 *
 * Each level runs two kernels. In `visit`, each vertex of the frontier sets the cost and the flag
 * of its unvisited neighbors (gathers and scattered stores, divergent). In `advance`, the flagged
 * vertices become visited and form the next frontier. `visit` only reads the visited flags, and all
 * stores to a vertex's cost in one level have the same value, so neither results nor counts depend
 * on the order of the warps.
 *
 * Thread-level accesses, with N vertices, R reached vertices, the last level D (the root is level
 * 0), E edges that leave reached vertices, F of which lead to the next level:
 *   nodes     2 R + 2 F loads
 *   edges     E loads
 *   mask      (D+1) N loads, R + (R-1) stores
 *   updating  (D+1) N loads, F + (R-1) stores
 *   visited   E loads, R-1 stores
 *   cost      F loads, F stores
 *   over      R-1 stores
 */
#include "lane.h"
#include "random_graph.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 512
#define SEED 0xbf5

enum { FLAG, DEGREE, START, EDGE, TO, SEEN, COST }; /* registers */

struct node {
    int32_t start, /* index of the first edge */
        degree;    /* number of edges */
};

struct bfs {
    struct lane_workload base;
    uint64_t n, n_edges;
    uint32_t root;
    ARRAY(struct node) nodes;
    ARRAY(int32_t) edges;
    ARRAY(uint8_t) mask; /* 1 for each vertex of the frontier */
    ARRAY(uint8_t) updating;
    ARRAY(uint8_t) visited;
    ARRAY(int32_t) cost; /* level of each vertex; -1 if not reached */
    ARRAY(uint8_t) over; /* set to 1 if another frontier follows */
};

struct visit_warp {
    struct warp_head head;
    uint32_t in_loop; /* lanes that are active for the current edge */
    int32_t degree[WARP_LANES], start[WARP_LANES], edge[WARP_LANES], to[WARP_LANES];
    int32_t cost[WARP_LANES];
    uint8_t flag[WARP_LANES], seen[WARP_LANES];
};

static void visit_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct bfs *m = ctx;
    struct visit_warp *w = state;
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* index of lane 0's vertex */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(v + l < m->n);
    LD(w->flag[l], m->mask, [v + l], R(FLAG), 0);
    BRANCH(R(FLAG));
    RETURN_UNLESS(w->flag[l]);
    ST(0, m->mask, [v + l], 0);
    LD(w->degree[l], m->nodes, [v + l].degree, R(DEGREE), 0);
    LD(w->start[l], m->nodes, [v + l].start, R(START), 0);
    ALU(1, w->edge[l] = w->start[l], R(EDGE), R(START));
    for (;;) {
        BRANCH(R(EDGE) | R(DEGREE) | R(START));
        KEEP_LANES(w->edge[l] < w->start[l] + w->degree[l]);
        if (!w->head.on)
            break;
        w->in_loop = w->head.on;
        LD(w->to[l], m->edges, [w->edge[l]], R(TO), R(EDGE));
        LD(w->seen[l], m->visited, [w->to[l]], R(SEEN), R(TO));
        BRANCH(R(SEEN));
        KEEP_LANES(!w->seen[l]);
        LD(w->cost[l], m->cost, [v + l], R(COST), 0);
        ALU(1, w->cost[l]++, R(COST), R(COST));
        ST(w->cost[l], m->cost, [w->to[l]], R(COST) | R(TO));
        ST(1, m->updating, [w->to[l]], R(TO));
        LD(w->degree[l], m->nodes, [v + l].degree, R(DEGREE), 0);
        LD(w->start[l], m->nodes, [v + l].start, R(START), 0);
        w->head.on = w->in_loop;
        ALU(1, w->edge[l]++, R(EDGE), R(EDGE));
    }
    WARP_END();
}

struct advance_warp {
    struct warp_head head;
    uint8_t flag[WARP_LANES];
};

static void advance_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct bfs *m = ctx;
    struct advance_warp *w = state;
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* index of lane 0's vertex */
    (void)cta;

    WARP_BEGIN();
    RETURN_UNLESS(v + l < m->n);
    LD(w->flag[l], m->updating, [v + l], R(FLAG), 0);
    BRANCH(R(FLAG));
    RETURN_UNLESS(w->flag[l]);
    ST(1, m->mask, [v + l], 0);
    ST(1, m->visited, [v + l], 0);
    ST(1, m->over, [0], 0);
    ST(0, m->updating, [v + l], 0);
    WARP_END();
}

/* Computes the levels of all vertices (-1 if not reached) by means of a queue. Returns the number
 * of vertices reached; queue[] lists them in order. */
static uint64_t search(const struct bfs *m, int32_t *level, uint32_t *queue) {
    for (uint64_t v = 0; v < m->n; v++)
        level[v] = -1;
    uint64_t head = 0, tail = 0;
    level[m->root] = 0;
    queue[tail++] = m->root;
    while (head < tail) {
        const uint32_t v = queue[head++];
        const struct node node = m->nodes.v[v];
        for (int32_t e = node.start; e < node.start + node.degree; e++) {
            const uint32_t to = (uint32_t)m->edges.v[e];
            if (level[to] >= 0)
                continue;
            level[to] = level[v] + 1;
            queue[tail++] = to;
        }
    }
    return tail;
}

/* Sets the expected access counts from the formulae in the file's header. */
static void expect_from(struct bfs *m, const int32_t *level, const uint32_t *queue, uint64_t r) {
    const uint64_t passes = (uint64_t)level[queue[r - 1]] + 1;
    uint64_t e = 0, f = 0;
    for (uint64_t i = 0; i < r; i++) {
        const uint32_t v = queue[i];
        const struct node node = m->nodes.v[v];
        e += (uint64_t)node.degree;
        for (int32_t k = node.start; k < node.start + node.degree; k++)
            f += level[m->edges.v[k]] == level[v] + 1;
    }
    expect_accesses(m->nodes.dev, 2 * r + 2 * f, 0);
    expect_accesses(m->edges.dev, e, 0);
    expect_accesses(m->mask.dev, passes * m->n, 2 * r - 1);
    expect_accesses(m->updating.dev, passes * m->n, f + r - 1);
    expect_accesses(m->visited.dev, e, r - 1);
    expect_accesses(m->cost.dev, f, f);
    expect_accesses(m->over.dev, 0, r - 1);
}

static bool bfs_next(struct workload *w, struct kernel_launch *launch) {
    struct bfs *m = (struct bfs *)w;
    const unsigned k = m->base.launched;
    const bool visit = k % 2 == 0;
    if (visit && k > 0 && !m->over.v[0])
        return false;
    if (visit)
        m->over.v[0] = 0;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = visit ? "bfs visit" : "bfs advance",
        .grid = {(uint32_t)ceil_div(m->n, BLOCK), 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = visit ? sizeof(struct visit_warp) : sizeof(struct advance_warp),
        .step = visit ? visit_step : advance_step,
        .ctx = m,
    };
    return true;
}

static int bfs_verify(struct workload *w, struct error *err) {
    struct bfs *m = (struct bfs *)w;
    int32_t *level = alloc_array(m->n, sizeof *level);
    uint32_t *queue = alloc_array(m->n, sizeof *queue);
    search(m, level, queue);
    int rc = verify_ints("cost", m->cost.v, level, m->n, err);
    free(level);
    free(queue);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void count_edge(void *ctx, uint32_t from, uint32_t to) {
    struct bfs *m = ctx;
    (void)to;
    m->nodes.v[from].degree++;
    m->n_edges++;
}

static void store_edge(void *ctx, uint32_t from, uint32_t to) {
    struct bfs *m = ctx;
    struct node *node = &m->nodes.v[from];
    m->edges.v[node->start + node->degree++] = (int32_t)to;
}

/* Sets the start of each vertex's edges. Clears the degrees, which store_edge counts again. */
static void place_edges(struct bfs *m) {
    int32_t start = 0;
    for (uint64_t v = 0; v < m->n; v++) {
        m->nodes.v[v].start = start;
        start += m->nodes.v[v].degree;
        m->nodes.v[v].degree = 0;
    }
}

static bool bfs_arrays(struct bfs *m) {
    if (!NEW_ARRAY(m, nodes, m->n))
        return false;
    m->root = random_graph(SEED, m->n, count_edge, m);
    if (!NEW_ARRAY(m, edges, m->n_edges))
        return false;
    place_edges(m);
    random_graph(SEED, m->n, store_edge, m);
    return NEW_ARRAY(m, mask, m->n) && NEW_ARRAY(m, updating, m->n) &&
           NEW_ARRAY(m, visited, m->n) && NEW_ARRAY(m, cost, m->n) && NEW_ARRAY(m, over, 1);
}

static void bfs_start(struct bfs *m) {
    uint32_t *queue = alloc_array(m->n, sizeof *queue);
    const uint64_t reached = search(m, m->cost.v, queue);
    expect_from(m, m->cost.v, queue, reached);
    free(queue);
    for (uint64_t v = 0; v < m->n; v++)
        m->cost.v[v] = -1;
    m->cost.v[m->root] = 0;
    m->mask.v[m->root] = 1;
    m->visited.v[m->root] = 1;
}

static bool bfs_create(struct workload *w, const uint64_t *v) {
    struct bfs *m = (struct bfs *)w;
    m->n = v[0];
    if (!bfs_arrays(m))
        return false;
    bfs_start(m);
    return true;
}

const struct workload_type workload_bfs = {
    .name = "bfs",
    .suite = "Rodinia",
    .doc = "breadth-first search over a random graph (CSR): gathers, scattered stores, divergence",
    .size_doc = "N, number of vertices (about 6 N edges)",
    .default_size = "65536",
    .size = {{"N", 1, 1u << 25}},
    .state_size = sizeof(struct bfs),
    .next = bfs_next,
    .verify = bfs_verify,
    .create = bfs_create,
};
