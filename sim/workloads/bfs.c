// SPDX-License-Identifier: Apache-2.0
/* bfs: breadth-first search from one root, level by level, with a flag array as frontier.
 *
 * Two kernels a level. `visit`: each vertex of the frontier gives its unvisited neighbours a cost
 * and flags them. `advance`: the flagged ones become visited and are the next frontier. `visit`
 * only reads the visited flags, and all that write a vertex's cost in one level write the same, so
 * neither results nor counts depend on the order of the warps.
 *
 * Thread-level accesses. With N vertices, those reached R, the last level D (the root is level 0),
 * E the edges that leave a reached vertex, F those of them that go from a level to the next:
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
    int32_t start, degree; /* first edge, number of edges */
};

struct bfs {
    struct lane_workload base;
    uint64_t n, n_edges;
    uint32_t root;
    ARRAY(struct node) nodes;
    ARRAY(int32_t) edges;
    ARRAY(uint8_t) mask; /* the frontier */
    ARRAY(uint8_t) updating;
    ARRAY(uint8_t) visited;
    ARRAY(int32_t) cost; /* level, -1: not reached */
    ARRAY(uint8_t) over; /* "not over": a frontier follows */
};

struct visit_warp {
    struct warp_head head;
    uint32_t in_loop; /* lanes that are on for this edge */
    int32_t degree[WARP_LANES], start[WARP_LANES], edge[WARP_LANES], to[WARP_LANES];
    int32_t cost[WARP_LANES];
    uint8_t flag[WARP_LANES], seen[WARP_LANES];
};

static void visit_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct bfs *m = ctx;
    struct visit_warp *w = state;
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
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
    const uint64_t v = thread_in_grid(place, BLOCK, 0); /* of lane 0 */
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

/* Levels of all vertices (-1: not reached) by a queue. Returns the number of vertices reached;
 * queue[] has them in order. */
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

/* The formulae above. */
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

static int bfs_verify(struct workload *w, char *err, size_t err_size) {
    struct bfs *m = (struct bfs *)w;
    int32_t *level = alloc_array(m->n, sizeof *level);
    uint32_t *queue = alloc_array(m->n, sizeof *queue);
    search(m, level, queue);
    int rc = verify_ints("cost", m->cost.v, level, m->n, err, err_size);
    free(level);
    free(queue);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
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

/* Start of each vertex's edges; degrees back to 0, to be counted up again by store_edge. */
static void place_edges(struct bfs *m) {
    int32_t start = 0;
    for (uint64_t v = 0; v < m->n; v++) {
        m->nodes.v[v].start = start;
        start += m->nodes.v[v].degree;
        m->nodes.v[v].degree = 0;
    }
}

static bool bfs_arrays(struct bfs *m, char *err, size_t err_size) {
    if (!NEW_ARRAY(m, nodes, m->n, err, err_size))
        return false;
    m->root = random_graph(SEED, m->n, count_edge, m);
    if (!NEW_ARRAY(m, edges, m->n_edges, err, err_size))
        return false;
    place_edges(m);
    random_graph(SEED, m->n, store_edge, m);
    return NEW_ARRAY(m, mask, m->n, err, err_size) && NEW_ARRAY(m, updating, m->n, err, err_size) &&
           NEW_ARRAY(m, visited, m->n, err, err_size) && NEW_ARRAY(m, cost, m->n, err, err_size) &&
           NEW_ARRAY(m, over, 1, err, err_size);
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

static struct workload *bfs_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_bfs = {
    .name = "bfs",
    .suite = "Rodinia",
    .doc = "breadth-first search over a random graph (CSR): gathers, scattered stores, divergence",
    .size_doc = "N, vertices (about 6 N edges)",
    .default_size = "65536",
    .create = bfs_create,
};

static struct workload *bfs_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", 1, 1u << 25}};
    uint64_t n;
    if (workload_size(&workload_bfs, desc, 1, size, &n, err, err_size) != 0)
        return NULL;
    struct bfs *m = workload_new(&workload_bfs, sizeof *m);
    m->n = n;
    m->base.w.next = bfs_next;
    m->base.w.verify = bfs_verify;
    if (!bfs_arrays(m, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    bfs_start(m);
    return &m->base.w;
}
