// SPDX-License-Identifier: Apache-2.0
/* bfs2 (UVMBench; bfs is Rodinia's): breadth-first search from one root, level by level, in one of
 * three modes.
 *
 * Mode 0, flat, has one thread per vertex in each level. Mode 1, queue, has one thread per vertex
 * of the level's queue. An atomic minimum finds the new neighbors, and another atomic gives the
 * winning edge a position in the next queue. Mode 2, scan, has four kernels per level. `visit` does
 * the work of flat for the vertices of the queue. `count` counts the vertices that each vertex has
 * won. `sum` computes prefix sums of the counts in shared memory, per CTA, and the host adds up the
 * CTAs. `place` writes the vertices to the next queue.
 *
 * The parent of a vertex is the number of an edge. In the original, an edge wins a vertex if it is
 * the first to find the vertex unvisited or, in flat and visit, the last to store. Parents, queues
 * and stores therefore depend on the order of the warps. Here the edge with the lowest number wins.
 * Every edge to the next level stores the distance and takes part in an atomic minimum of the
 * parent. In mode queue, the host computes a level's winners and their positions before the launch.
 * It uses the current arrays, not the reference version. The positions are those of scan.
 *
 * Thread-level accesses, with N vertices, R reached vertices, the last level D (the root is level
 * 0), E edges that leave reached vertices, F of which lead to the next level, P vertices with an
 * edge to the next level, B CTAs for the queues of all levels:
 *   flat   dist (D+1) N + E loads, F stores; off, deg R + F loads; adj E loads; par F atomics;
 *          changed P stores
 *   queue  dist E loads, F atomics; off, deg R + E loads; adj E loads; par R-1 stores; size R-1
 *          atomics; queues R loads, R-1 stores
 *   scan   dist E loads, F stores; off, deg 3 R + F loads; adj 3 E loads; par 2 E loads, F atomics;
 *          queues 3 R loads, R-1 stores; degs 2 R - B loads, 2 R stores; sums B loads, B stores
 */
#include "lane.h"
#include "random_graph.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define MOST_BLOCK 1024 /* maximum number of threads per CTA */
#define SEED 0xbf52

enum { FLAT, QUEUE, SCAN };
enum { VISIT, COUNT, SUM, PLACE, SCAN_KERNELS };
enum { LEVEL, VERTEX, START, DEGREE, EDGE, TO, DIST, PARENT, NUMBER, AT }; /* registers */

/* Result of a serial search, which the kernels must reproduce. */
struct bfs2_plain {
    int32_t *level;  /* level of each vertex; UNREACHED if not reached */
    int32_t *parent; /* edge that reaches each vertex; UNREACHED if there is no such edge */
    int32_t *order;  /* vertices in the order of the queues */
    uint64_t *first; /* index in order[] of each level's first vertex; first[levels] is the end */
    uint64_t levels;
};

struct bfs2 {
    struct lane_workload base;
    uint64_t n, n_edges, way;
    uint32_t block;  /* threads per CTA */
    int32_t root,    /* root vertex */
        level;       /* level of the current launch */
    uint64_t length, /* length of this level's queue */
        next_length; /* length of the next queue */
    /* Used only in mode queue. */
    int32_t *winner, /* edge that wins each vertex */
        *rank;       /* position of each new vertex in the next queue */
    struct bfs2_plain plain;
    ARRAY(int32_t) adj;
    ARRAY(int32_t) off;
    ARRAY(int32_t) deg;
    ARRAY(int32_t) dist;
    ARRAY(int32_t) par;
    ARRAY(int32_t) changed;
    ARRAY(int32_t) queue[2]; /* queues of even and of odd levels */
    ARRAY(int32_t) size;     /* length of the next queue */
    ARRAY(int32_t) degs;
    ARRAY(int32_t) sums;
};

#define UNREACHED INT32_MAX

struct bfs2_warp {
    struct warp_head head;
    uint32_t live, /* lanes with a vertex */
        in_loop,   /* lanes whose vertex has a current edge */
        found;     /* lanes whose edge leads to a new vertex */
    int32_t vertex[WARP_LANES], start[WARP_LANES], degree[WARP_LANES], edge[WARP_LANES];
    int32_t to[WARP_LANES], value[WARP_LANES], count[WARP_LANES];
};

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

#define T thread_in_grid(place, m->block, l)
#define IN m->queue[m->level % 2]
#define OUT m->queue[(m->level + 1) % 2]
#define ANY_EDGE_LEFT (w->edge[l] < w->start[l] + w->degree[l])

/* ---- Kernels of flat and queue, and kernel `visit` of scan ---- */

static void visit_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct bfs2 *m = ctx;
    struct bfs2_warp *w = state;
    int32_t old;
    (void)cta;

    WARP_BEGIN();
    if (m->way == FLAT) {
        RETURN_UNLESS(T < m->n);
        ALU(1, w->vertex[l] = (int32_t)T, R(VERTEX), 0);
        LD(w->value[l], m->dist, [w->vertex[l]], R(LEVEL), R(VERTEX));
        BRANCH(R(LEVEL));
        RETURN_UNLESS(w->value[l] == m->level);
    } else {
        RETURN_UNLESS(T < m->length);
        LD(w->vertex[l], IN, [T], R(VERTEX), 0);
    }
    LD(w->start[l], m->off, [w->vertex[l]], R(START), R(VERTEX));
    LD(w->degree[l], m->deg, [w->vertex[l]], R(DEGREE), R(VERTEX));
    ALU(1, w->edge[l] = w->start[l], R(EDGE), R(START));
    for (;;) {
        BRANCH(R(EDGE) | R(START) | R(DEGREE));
        KEEP_LANES(ANY_EDGE_LEFT);
        w->in_loop = w->head.on;
        if (!w->in_loop)
            break;
        LD(w->to[l], m->adj, [w->edge[l]], R(TO), R(EDGE));
        LD(w->value[l], m->dist, [w->to[l]], R(DIST), R(TO));
        BRANCH(R(DIST));
        KEEP_LANES(w->value[l] > m->level);
        if (m->way == QUEUE) {
            ATOMIC(old, smaller(old, m->level + 1), m->dist, [w->to[l]], R(DIST), R(TO));
            BRANCH(R(DIST));
            KEEP_LANES(m->winner[w->to[l]] == w->edge[l]);
            ST(w->edge[l], m->par, [w->to[l]], R(TO) | R(EDGE));
            ATOMIC(old, old + 1, m->size, [0], R(AT), 0);
            ST(w->to[l], OUT, [m->rank[w->to[l]]], R(AT) | R(TO));
            w->head.on = w->in_loop;
            LD(w->start[l], m->off, [w->vertex[l]], R(START), R(VERTEX));
            LD(w->degree[l], m->deg, [w->vertex[l]], R(DEGREE), R(VERTEX));
        } else {
            w->found |= w->head.on;
            ST(m->level + 1, m->dist, [w->to[l]], R(TO));
            ATOMIC(old, smaller(old, w->edge[l]), m->par, [w->to[l]], 0, R(TO) | R(EDGE));
            LD(w->degree[l], m->deg, [w->vertex[l]], R(DEGREE), R(VERTEX));
            LD(w->start[l], m->off, [w->vertex[l]], R(START), R(VERTEX));
            w->head.on = w->in_loop;
        }
        ALU(1, w->edge[l]++, R(EDGE), R(EDGE));
    }
    w->head.on = m->way == FLAT ? w->found : 0;
    ST(1, m->changed, [0], 0);
    WARP_END();
}

/* ---- Scan ---- */

/* Counts the vertices that each lane's vertex has won or, if `put`, writes them to the next
 * queue. */
static void won_step(struct bfs2 *m, const struct warp_place *place, int32_t *base, bool put,
                     struct bfs2_warp *w, struct warp_inst *inst) {
    WARP_BEGIN();
    RETURN_UNLESS(T < m->length);
    w->live = w->head.on;
    if (put) {
        KEEP_LANES(thread_in_block(place, l) == 0);
        LD(*base, m->sums, [place->cta[0]], R(NUMBER), 0);
        SHARED(1, (void)0, 0, R(NUMBER));
        w->head.on = w->live;
        BAR();
        SHARED(1, w->count[l] = *base, R(AT), 0);
        KEEP_LANES(thread_in_block(place, l) > 0);
        LD(w->value[l], m->degs, [T - 1], R(NUMBER), 0);
        ALU(1, w->count[l] += w->value[l], R(AT), R(AT) | R(NUMBER));
        w->head.on = w->live;
    } else {
        ALU(1, w->count[l] = 0, R(AT), 0);
    }
    LD(w->vertex[l], IN, [T], R(VERTEX), 0);
    LD(w->start[l], m->off, [w->vertex[l]], R(START), R(VERTEX));
    LD(w->degree[l], m->deg, [w->vertex[l]], R(DEGREE), R(VERTEX));
    ALU(1, w->edge[l] = w->start[l], R(EDGE), R(START));
    for (;;) {
        BRANCH(R(EDGE) | R(START) | R(DEGREE));
        KEEP_LANES(ANY_EDGE_LEFT);
        w->in_loop = w->head.on;
        if (!w->in_loop)
            break;
        LD(w->to[l], m->adj, [w->edge[l]], R(TO), R(EDGE));
        LD(w->value[l], m->par, [w->to[l]], R(PARENT), R(TO));
        BRANCH(R(PARENT) | R(EDGE));
        KEEP_LANES(w->value[l] == w->edge[l]);
        if (put)
            ST(w->to[l], OUT, [w->count[l]], R(AT) | R(TO));
        ALU(1, w->count[l]++, R(AT), R(AT));
        w->head.on = w->in_loop;
        ALU(1, w->edge[l]++, R(EDGE), R(EDGE));
    }
    w->head.on = put ? 0 : w->live;
    ST(w->count[l], m->degs, [T], R(AT));
    WARP_END();
}

static void count_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    (void)cta;
    won_step(ctx, place, NULL, false, state, inst);
}

static void place_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    won_step(ctx, place, cta, true, state, inst);
}

struct sum_block {
    int32_t sum[MOST_BLOCK];
};

struct sum_warp {
    struct warp_head head;
    uint32_t live, half;
    int32_t value[WARP_LANES];
};

#define I thread_in_block(place, l)

/* Performs the step of the down-sweep for a node of the tree. On entry, *sum is the prefix sum up
 * to the end of the node, and *next is the sum of the node's second half. On exit, they are the
 * prefix sums up to the ends of the first and of the second half. */
static void exchange(int32_t *sum, int32_t *next) {
    const int32_t both = *sum;
    *sum -= *next;
    *next = both;
}

/* Computes inclusive prefix sums per CTA. After the up-sweep, sum[i] is the sum of element i and
 * all later elements of its node. */
static void sum_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct bfs2 *m = ctx;
    struct sum_block *s = cta;
    struct sum_warp *w = state;

    WARP_BEGIN();
    RETURN_UNLESS(T < m->length);
    w->live = w->head.on;
    LD(w->value[l], m->degs, [T], R(NUMBER), 0);
    SHARED(1, s->sum[I] = w->value[l], 0, R(NUMBER));
    BAR();
    for (w->half = 1; w->half < m->block; w->half *= 2) {
        BRANCH(0);
        KEEP_LANES(I % (2 * w->half) == 0 && T + w->half < m->length);
        SHARED(3, s->sum[I] += s->sum[I + w->half], 0, 0);
        w->head.on = w->live;
        BAR();
    }
    KEEP_LANES(I == 0);
    SHARED(1, w->value[l] = s->sum[0], R(NUMBER), 0);
    ST(w->value[l], m->sums, [place->cta[0] + 1], R(NUMBER));
    w->head.on = w->live;
    for (w->half = m->block / 2; w->half > 0; w->half /= 2) {
        BRANCH(0);
        KEEP_LANES(I % (2 * w->half) == 0 && T + w->half < m->length);
        SHARED(4, exchange(&s->sum[I], &s->sum[I + w->half]), 0, 0);
        w->head.on = w->live;
        BAR();
    }
    SHARED(1, w->value[l] = s->sum[I], R(NUMBER), 0);
    ST(w->value[l], m->degs, [T], R(NUMBER));
    WARP_END();
}

#undef I

/* ---- Launches ---- */

/* Runs on the host after kernel `sum`. Turns the sums of the CTAs into the sums before each CTA,
 * and computes the length of the next queue. */
static void add_up(struct bfs2 *m) {
    const uint64_t blocks = ceil_div(m->length, m->block);
    for (uint64_t b = 0; b < blocks; b++)
        m->sums.v[b + 1] += m->sums.v[b];
    m->next_length = (uint64_t)m->sums.v[blocks];
}

/* Returns true if the previous level found a new vertex. */
static bool goes_on(const struct bfs2 *m) {
    return m->way == FLAT ? m->changed.v[0] : m->length > 0;
}

#define FOR_EDGES(edge, from)                                                                      \
    for (int32_t edge = m->off.v[from]; edge < m->off.v[from] + m->deg.v[from]; edge++)

/* Finds the edge that wins each new vertex, and the vertex's position in the next queue. Called
 * before each launch in mode queue. */
static void find_winners(struct bfs2 *m) {
    int32_t at = 0;
    for (uint64_t k = 0; k < m->length; k++)
        FOR_EDGES(e, IN.v[k]) {
            const int32_t to = m->adj.v[e];
            if (m->dist.v[to] > m->level)
                m->winner[to] = smaller(m->winner[to], e);
        }
    for (uint64_t k = 0; k < m->length; k++)
        FOR_EDGES(e, IN.v[k]) {
            if (m->winner[m->adj.v[e]] == e)
                m->rank[m->adj.v[e]] = at++;
        }
}

/* Prepares a level before its first launch. Returns false if no level is left. */
static bool begin_level(struct bfs2 *m) {
    if (m->base.launched > 0) {
        m->length = m->way == QUEUE ? (uint64_t)m->size.v[0] : m->next_length;
        m->level++;
        if (!goes_on(m))
            return false;
    }
    if (m->way == FLAT)
        m->changed.v[0] = 0;
    if (m->way == QUEUE) {
        m->size.v[0] = 0;
        find_winners(m);
    }
    return true;
}

static bool bfs2_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch flat = {.name = "bfs2 flat", .step = visit_step};
    static const struct kernel_launch queue = {.name = "bfs2 queue", .step = visit_step};
    static const struct kernel_launch scan[SCAN_KERNELS] = {
        [VISIT] = {.name = "bfs2 visit", .step = visit_step},
        [COUNT] = {.name = "bfs2 count", .step = count_step},
        [SUM] = {.name = "bfs2 sum",
                 .step = sum_step,
                 .shared_bytes = sizeof(struct sum_block),
                 .cta_state_size = sizeof(struct sum_block)},
        [PLACE] = {.name = "bfs2 place",
                   .step = place_step,
                   .shared_bytes = sizeof(int32_t),
                   .cta_state_size = sizeof(int32_t)},
    };
    struct bfs2 *m = (struct bfs2 *)w;
    const unsigned kernel = m->way == SCAN ? m->base.launched % SCAN_KERNELS : VISIT;
    if (kernel == VISIT && !begin_level(m))
        return false;
    if (kernel == PLACE)
        add_up(m);
    m->base.launched++;
    *launch = m->way == FLAT ? flat : m->way == QUEUE ? queue : scan[kernel];
    launch_1d(launch, (m->way == FLAT ? m->n : m->length) / m->block + 1, m->block);
    launch->warp_state_size = kernel == SUM ? sizeof(struct sum_warp) : sizeof(struct bfs2_warp);
    launch->ctx = m;
    return true;
}

/* ---- Reference version ---- */

/* Finds the new neighbors of a level's vertices, and their parents. */
static void reach(const struct bfs2 *m, struct bfs2_plain *p, uint64_t level) {
    for (uint64_t k = p->first[level]; k < p->first[level + 1]; k++)
        FOR_EDGES(e, p->order[k]) {
            const int32_t to = m->adj.v[e];
            if (p->level[to] <= (int32_t)level)
                continue;
            p->level[to] = (int32_t)level + 1;
            p->parent[to] = smaller(p->parent[to], e);
        }
}

/* Builds the next level's queue: the vertices that each vertex has won, in order. */
static void line_up(const struct bfs2 *m, struct bfs2_plain *p, uint64_t level) {
    uint64_t end = p->first[level + 1];
    for (uint64_t k = p->first[level]; k < p->first[level + 1]; k++)
        FOR_EDGES(e, p->order[k]) {
            if (p->parent[m->adj.v[e]] == e)
                p->order[end++] = m->adj.v[e];
        }
    p->first[level + 2] = end;
}

static void search(const struct bfs2 *m, struct bfs2_plain *p) {
    for (uint64_t v = 0; v < m->n; v++)
        p->level[v] = p->parent[v] = UNREACHED;
    p->level[m->root] = 0;
    p->order[0] = m->root;
    p->first[0] = 0;
    p->first[1] = 1;
    for (p->levels = 0; p->first[p->levels + 1] > p->first[p->levels]; p->levels++) {
        reach(m, p, p->levels);
        line_up(m, p, p->levels);
    }
}

/* Variables of the access-count formulae. */
struct sizes {
    uint64_t reached, edges, down, parents, blocks; /* R, E, F, P, B */
    uint64_t of[2]; /* number of vertices in even and in odd levels */
};

static struct sizes sizes_of(const struct bfs2 *m) {
    const struct bfs2_plain *p = &m->plain;
    struct sizes s = {.reached = p->first[p->levels]};
    for (uint64_t level = 0; level < p->levels; level++) {
        const uint64_t length = p->first[level + 1] - p->first[level];
        s.of[level % 2] += length;
        s.blocks += ceil_div(length, m->block);
    }
    for (uint64_t k = 0; k < s.reached; k++) {
        const int32_t v = p->order[k];
        uint64_t down = 0;
        FOR_EDGES(e, v) {
            down += p->level[m->adj.v[e]] == p->level[v] + 1;
        }
        s.edges += (uint64_t)m->deg.v[v];
        s.down += down;
        s.parents += down > 0;
    }
    return s;
}

/* Sets the expected access counts from the formulae in the file's header. */
static void bfs2_expect(struct bfs2 *m) {
    const struct sizes s = sizes_of(m);
    const uint64_t r = s.reached, e = s.edges, f = s.down, times = m->way == SCAN ? 3 : 1;
    const uint64_t again = m->way == QUEUE ? e : f;
    expect_accesses(m->adj.dev, times * e, 0);
    expect_accesses(m->off.dev, times * r + again, 0);
    expect_accesses(m->deg.dev, times * r + again, 0);
    expect_accesses(m->dist.dev, e + (m->way == FLAT ? m->plain.levels * m->n : 0),
                    m->way == QUEUE ? 0 : f);
    expect_accesses(m->par.dev, m->way == SCAN ? 2 * e : 0, m->way == QUEUE ? r - 1 : 0);
    expect_atomics(m->way == QUEUE ? m->dist.dev : m->par.dev, f);
    if (m->way == FLAT) {
        expect_accesses(m->changed.dev, 0, s.parents);
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        expect_accesses(m->queue[i].dev, times * s.of[i], s.of[i] - (i == 0));
    if (m->way == QUEUE) {
        expect_atomics(m->size.dev, r - 1);
        return;
    }
    expect_accesses(m->degs.dev, 2 * r - s.blocks, 2 * r);
    expect_accesses(m->sums.dev, s.blocks, s.blocks);
}

/* Checks the final queues. Each level's queue has overwritten the one of two levels before. */
static int verify_queues(const struct bfs2 *m, struct error *err) {
    const struct bfs2_plain *p = &m->plain;
    int32_t *want = alloc_array(m->n, sizeof *want);
    int rc = 0;
    for (uint64_t i = 0; i < 2 && rc == 0; i++) {
        memset(want, 0, m->n * sizeof *want);
        for (uint64_t level = i; level < p->levels; level += 2)
            memcpy(want, &p->order[p->first[level]],
                   (p->first[level + 1] - p->first[level]) * sizeof *want);
        rc = verify_ints(m->queue[i].dev->name, m->queue[i].v, want, m->n, err);
    }
    free(want);
    return rc;
}

static int bfs2_verify(struct workload *w, struct error *err) {
    struct bfs2 *m = (struct bfs2 *)w;
    int rc = verify_ints("dist", m->dist.v, m->plain.level, m->n, err);
    if (rc == 0)
        rc = verify_ints("par", m->par.v, m->plain.parent, m->n, err);
    if (rc == 0 && m->way != FLAT)
        rc = verify_queues(m, err);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Graph ---- */

static void count_edge(void *ctx, uint32_t from, uint32_t to) {
    struct bfs2 *m = ctx;
    (void)to;
    m->deg.v[from]++;
    m->n_edges++;
}

static void store_edge(void *ctx, uint32_t from, uint32_t to) {
    struct bfs2 *m = ctx;
    m->adj.v[m->off.v[from] + m->deg.v[from]++] = (int32_t)to;
}

/* Sets the start of each vertex's edges. Clears the degrees, which store_edge counts again. */
static void place_edges(struct bfs2 *m) {
    int32_t start = 0;
    for (uint64_t v = 0; v < m->n; v++) {
        m->off.v[v] = start;
        start += m->deg.v[v];
        m->deg.v[v] = 0;
    }
}

static bool bfs2_arrays(struct bfs2 *m) {
    const uint64_t n = m->n;
    if (!NEW_ARRAY(m, off, n) || !NEW_ARRAY(m, deg, n))
        return false;
    m->root = (int32_t)random_graph(SEED, m->n, count_edge, m);
    if (!NEW_ARRAY(m, adj, m->n_edges))
        return false;
    place_edges(m);
    random_graph(SEED, m->n, store_edge, m);
    if (!NEW_ARRAY(m, dist, n) || !NEW_ARRAY(m, par, n))
        return false;
    if (m->way == FLAT)
        return NEW_ARRAY(m, changed, 1);
    m->queue[0].v = workload_array(&m->base, "queue", n, sizeof *m->queue[0].v, &m->queue[0].dev);
    m->queue[1].v =
        workload_array(&m->base, "next queue", n, sizeof *m->queue[1].v, &m->queue[1].dev);
    if (!m->queue[0].v || !m->queue[1].v)
        return false;
    if (m->way == QUEUE)
        return NEW_ARRAY(m, size, 1);
    return NEW_ARRAY(m, degs, n) && NEW_ARRAY(m, sums, ceil_div(n, m->block) + 1);
}

static void bfs2_start(struct bfs2 *m) {
    struct bfs2_plain *p = &m->plain;
    p->level = alloc_array(m->n, sizeof *p->level);
    p->parent = alloc_array(m->n, sizeof *p->parent);
    p->order = alloc_array(m->n, sizeof *p->order);
    p->first = alloc_array(m->n + 2, sizeof *p->first);
    m->winner = alloc_array(m->n, sizeof *m->winner);
    m->rank = alloc_array(m->n, sizeof *m->rank);
    search(m, p);
    bfs2_expect(m);
    m->base.w.launches = p->levels * (m->way == SCAN ? SCAN_KERNELS : 1);
    for (uint64_t v = 0; v < m->n; v++)
        m->dist.v[v] = m->par.v[v] = m->winner[v] = UNREACHED;
    m->dist.v[m->root] = 0;
    m->length = 1;
    if (m->way != FLAT)
        m->queue[0].v[0] = m->root;
}

static void bfs2_destroy(struct workload *w) {
    struct bfs2 *m = (struct bfs2 *)w;
    free(m->plain.level);
    free(m->plain.parent);
    free(m->plain.order);
    free(m->plain.first);
    free(m->winner);
    free(m->rank);
    workload_free(w);
}

static bool bfs2_create(struct workload *w, const uint64_t *v) {
    struct bfs2 *m = (struct bfs2 *)w;
    m->n = v[0];
    m->way = v[1];
    m->block = 1u << v[2];
    if (m->way != FLAT)
        m->base.w.once = "with A=1 or 2 the next queue would overflow";
    if (!bfs2_arrays(m))
        return false;
    bfs2_start(m);
    return true;
}

const struct workload_type workload_bfs2 = {
    .name = "bfs2",
    .suite = "UVMBench",
    .class = "irregular",
    .doc = "breadth-first search by levels, by a queue, or by a queue and prefix sums: gathers",
    .size_doc = "N[,A[,E]]: vertices (about 6 N edges); mode: 0 flat, 1 queue, 2 scan; log2 of the "
                "threads per CTA",
    .default_size = "65536,0,10",
    .repeatable = true,
    .size = {{"N", 1, 1u << 25}, {"A", FLAT, SCAN}, {"E", 5, 10}},
    .state_size = sizeof(struct bfs2),
    .next = bfs2_next,
    .verify = bfs2_verify,
    .destroy = bfs2_destroy,
    .create = bfs2_create,
};
