// SPDX-License-Identifier: Apache-2.0
/* btree (Rodinia b+tree): Q look-ups in a B+ tree of N keys, and Q look-ups of the first and last
 * key of a range of R keys.
 *
 * A CTA of 256 threads processes one query, one thread per key of a node. On each level, the thread
 * whose key and next key enclose the wanted key stores the child, and all threads then load the
 * child from memory. Nodes are 2068 bytes, so no run of keys is aligned. Keys are 0 .. N-1. A leaf
 * holds 128 keys, and an inner node has 128 children.
 *
 * Thread-level accesses, with H levels of inner nodes, T = 256 Q, and P (find), P1 and P2 (range)
 * the sums over all wanted keys of the positions (slot + 1) in the inner nodes on their paths:
 *   record      Q loads
 *   knode       T (H+1) + P + Q (H+1) loads; range: 2 T (H+1) + P1 + P2 + 2 Q (H+1)
 *   k_curr      T (H+1) loads, Q H stores;  k_keys: T (H+1) loads
 *   k_offset    2 Q H loads, Q H stores;    ans: Q stores
 *   j_curr, j_last      T (H+1) loads, Q H stores each;  j_start, j_end: T (H+1) loads each
 *   j_offset, j_offset2 Q H loads, Q H stores each
 *   recstart    Q loads, Q stores;          reclen: Q stores
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define ORDER 256 /* threads per CTA */
#define FILL 128  /* keys per leaf, children per inner node */
#define SEED 0xb7ee

enum { QUERY, NODE, KEY, NEXT, SOUGHT, CHILD, VALUE }; /* registers */

struct knode {
    int32_t location;
    int32_t indices[ORDER + 1]; /* indices of children or, in a leaf, of records */
    int32_t keys[ORDER + 1];    /* [0] is below all keys; the last one is above all keys */
    bool is_leaf;
    int32_t num_keys;
};

typedef ARRAY(int64_t) nodes;
typedef ARRAY(int32_t) ints;

/* Arrays of a descent of the tree: each query's node, next node, and wanted key. */
struct btree_way {
    nodes *curr, *next;
    ints *sought;
};

struct btree {
    struct lane_workload base;
    uint64_t n, n_queries, range; /* N, Q and R */
    uint64_t n_nodes,             /* number of nodes */
        height;                   /* H */
    ints record;
    ARRAY(struct knode) knode; /* level by level, root first */
    nodes k_curr, k_offset;
    ints k_keys, ans;
    nodes j_curr, j_offset, j_last, j_offset2;
    ints j_start, j_end, recstart, reclen;
    bool find;                /* true if the current launch runs `find` (one descent per query) */
    struct btree_way ways[3]; /* [0] for find; [1] and [2] for the start and the end of a range */
};

struct btree_warp {
    struct warp_head head;
    uint64_t level;
    unsigned way;
    int64_t node[WARP_LANES];
    int32_t key[WARP_LANES], next[WARP_LANES], sought[WARP_LANES], value[WARP_LANES];
};

#define T thread_in_block(place, l)
#define NODE_KEY(t) [w->node[l]].keys[t]
#define NODE_INDEX [w->node[l]].indices[T]
#define CURR (*m->ways[w->way].curr)
#define NEXT_NODE (*m->ways[w->way].next)
#define SOUGHT_KEY (*m->ways[w->way].sought)

static void btree_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct btree *m = ctx;
    struct btree_warp *w = state;
    const uint32_t query = place->cta[0];
    const unsigned first = m->find ? 0 : 1,
                   last = m->find ? 0 : 2; /* first and last descent of the current launch */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(4, R(QUERY), 0);
    for (w->level = 0; w->level < m->height; w->level++) {
        for (w->way = first; w->way <= last; w->way++) {
            LD(w->node[l], CURR, [query], R(NODE), R(QUERY));
            LD(w->key[l], m->knode, NODE_KEY(T), R(KEY), R(NODE));
            LD(w->sought[l], SOUGHT_KEY, [query], R(SOUGHT), R(QUERY));
            BRANCH(R(KEY) | R(SOUGHT));
            KEEP_LANES(w->key[l] <= w->sought[l]);
            LD(w->next[l], m->knode, NODE_KEY(T + 1), R(NEXT), R(NODE));
            BRANCH(R(NEXT) | R(SOUGHT));
            KEEP_LANES(w->next[l] > w->sought[l]);
            if (m->find)
                LD(w->node[l], NEXT_NODE, [query], R(NODE), R(QUERY));
            LD(w->value[l], m->knode, NODE_INDEX, R(CHILD), R(NODE));
            BRANCH(R(CHILD));
            KEEP_LANES((uint64_t)w->value[l] < m->n_nodes);
            ST(w->value[l], NEXT_NODE, [query], R(CHILD) | R(QUERY));
            EVERY_LANE();
        }
        BAR();
        KEEP_LANES(T == 0);
        for (w->way = first; w->way <= last; w->way++) {
            LD(w->node[l], NEXT_NODE, [query], R(NODE), R(QUERY));
            ST(w->node[l], CURR, [query], R(NODE) | R(QUERY));
        }
        EVERY_LANE();
        BAR();
    }
    for (w->way = first; w->way <= last; w->way++) {
        if (w->way == 2)
            BAR();
        EVERY_LANE();
        LD(w->node[l], CURR, [query], R(NODE), R(QUERY));
        LD(w->key[l], m->knode, NODE_KEY(T), R(KEY), R(NODE));
        LD(w->sought[l], SOUGHT_KEY, [query], R(SOUGHT), R(QUERY));
        BRANCH(R(KEY) | R(SOUGHT));
        KEEP_LANES(w->key[l] == w->sought[l]);
        LD(w->value[l], m->knode, NODE_INDEX, R(CHILD), R(NODE));
        if (w->way == 1)
            ST(w->value[l], m->recstart, [query], R(CHILD) | R(QUERY));
    }
    if (m->find) {
        LD(w->value[l], m->record, [w->value[l]], R(VALUE), R(CHILD));
        ST(w->value[l], m->ans, [query], R(VALUE) | R(QUERY));
    } else {
        LD(w->next[l], m->recstart, [query], R(VALUE), R(QUERY));
        ALU(2, w->value[l] -= w->next[l] - 1, R(VALUE), R(VALUE) | R(CHILD));
        ST(w->value[l], m->reclen, [query], R(VALUE) | R(QUERY));
    }
    WARP_END();
}

static bool btree_next(struct workload *w, struct kernel_launch *launch) {
    struct btree *m = (struct btree *)w;
    if (m->base.launched == 2)
        return false;
    m->find = m->base.launched++ == 0;
    *launch = (struct kernel_launch){
        .name = m->find ? "btree find" : "btree range",
        .grid = {(uint32_t)m->n_queries, 1, 1},
        .block = {ORDER, 1, 1},
        .warp_state_size = sizeof(struct btree_warp),
        .step = btree_step,
        .ctx = m,
    };
    return true;
}

/* ---- Tree ---- */

/* Returns the number of nodes at a level. Leaves are at level 0. A key equals its rank, so its path
 * through the tree depends on the key alone. */
static uint64_t level_nodes(const struct btree *m, uint64_t level) {
    uint64_t nodes = ceil_div(m->n, FILL);
    while (level-- > 0)
        nodes = ceil_div(nodes, FILL);
    return nodes;
}

/* Returns the number of keys below one entry of a node at the level. */
static uint64_t level_span(uint64_t level) {
    uint64_t span = 1;
    while (level-- > 0)
        span *= FILL;
    return span;
}

/* Fills node i of the level; `below` is the first node of the next lower level. */
static void fill_node(struct btree *m, struct knode *node, uint64_t level, uint64_t i,
                      uint64_t below) {
    const uint64_t first = i * FILL, entries = level ? level_nodes(m, level - 1) : m->n;
    const uint64_t count = entries - first < FILL ? entries - first : FILL;
    node->location = (int32_t)(node - m->knode.v);
    node->is_leaf = level == 0;
    node->keys[0] = INT32_MIN;
    for (uint32_t t = 1; t <= ORDER; t++)
        node->keys[t] = INT32_MAX;
    if (level == 0) {
        node->num_keys = (int32_t)count;
        for (uint64_t t = 0; t < count; t++)
            node->keys[t + 1] = node->indices[t + 1] = (int32_t)(first + t);
        return;
    }
    node->num_keys = (int32_t)count - 1;
    for (uint64_t t = 0; t < count; t++) {
        node->indices[t] = (int32_t)(below + first + t);
        if (t > 0)
            node->keys[t] = (int32_t)((first + t) * level_span(level));
    }
}

static void fill_tree(struct btree *m) {
    uint64_t at = 0;
    for (uint64_t level = m->height + 1; level-- > 0;) {
        const uint64_t nodes = level_nodes(m, level), start = at;
        for (uint64_t i = 0; i < nodes; i++)
            fill_node(m, &m->knode.v[at++], level, i, start + nodes);
    }
}

static void fill_queries(struct btree *m) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++)
        m->record.v[i] = (int32_t)(rng_next(&r) >> 33);
    for (uint64_t q = 0; q < m->n_queries; q++) {
        m->k_keys.v[q] = (int32_t)rng_below(&r, m->n);
        m->j_start.v[q] = (int32_t)rng_below(&r, m->n - m->range + 1);
        m->j_end.v[q] = m->j_start.v[q] + (int32_t)m->range - 1;
        m->ans.v[q] = m->recstart.v[q] = m->reclen.v[q] = -1;
    }
}

/* Returns the sum of the positions of all wanted keys in the inner nodes on their paths. */
static uint64_t places(const struct btree *m, const int32_t *sought) {
    uint64_t sum = 0;
    for (uint64_t q = 0; q < m->n_queries; q++)
        for (uint64_t level = 1; level <= m->height; level++)
            sum += (uint64_t)sought[q] / level_span(level) % FILL + 1;
    return sum;
}

static void btree_expect(struct btree *m) {
    const uint64_t q = m->n_queries, steps = q * m->height;
    const uint64_t threads = ORDER * (steps + q), found = steps + q;
    expect_accesses(m->record.dev, q, 0);
    expect_accesses(m->knode.dev,
                    3 * (threads + found) + places(m, m->k_keys.v) + places(m, m->j_start.v) +
                        places(m, m->j_end.v),
                    0);
    expect_accesses(m->k_curr.dev, threads, steps);
    expect_accesses(m->k_offset.dev, 2 * steps, steps);
    expect_accesses(m->k_keys.dev, threads, 0);
    expect_accesses(m->ans.dev, 0, q);
    expect_accesses(m->j_curr.dev, threads, steps);
    expect_accesses(m->j_offset.dev, steps, steps);
    expect_accesses(m->j_last.dev, threads, steps);
    expect_accesses(m->j_offset2.dev, steps, steps);
    expect_accesses(m->j_start.dev, threads, 0);
    expect_accesses(m->j_end.dev, threads, 0);
    expect_accesses(m->recstart.dev, q, q);
    expect_accesses(m->reclen.dev, 0, q);
}

/* Checks the records. A key equals its record, so the reference version needs no tree. */
static int btree_verify(struct workload *w, struct error *err) {
    struct btree *m = (struct btree *)w;
    const uint64_t q = m->n_queries;
    int32_t *ans = alloc_array(q, sizeof *ans), *length = alloc_array(q, sizeof *length);
    for (uint64_t i = 0; i < q; i++) {
        ans[i] = m->record.v[m->k_keys.v[i]];
        length[i] = (int32_t)m->range;
    }
    int rc = verify_ints("ans", m->ans.v, ans, q, err);
    if (rc == 0)
        rc = verify_ints("recstart", m->recstart.v, m->j_start.v, q, err);
    if (rc == 0)
        rc = verify_ints("reclen", m->reclen.v, length, q, err);
    free(ans);
    free(length);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool btree_arrays(struct btree *m) {
    const uint64_t q = m->n_queries;
    return NEW_ARRAY(m, record, m->n) && NEW_ARRAY(m, knode, m->n_nodes) &&
           NEW_ARRAY(m, k_curr, q) && NEW_ARRAY(m, k_offset, q) && NEW_ARRAY(m, k_keys, q) &&
           NEW_ARRAY(m, ans, q) && NEW_ARRAY(m, j_curr, q) && NEW_ARRAY(m, j_offset, q) &&
           NEW_ARRAY(m, j_last, q) && NEW_ARRAY(m, j_offset2, q) && NEW_ARRAY(m, j_start, q) &&
           NEW_ARRAY(m, j_end, q) && NEW_ARRAY(m, recstart, q) && NEW_ARRAY(m, reclen, q);
}

static bool btree_create(struct workload *w, const uint64_t *v) {
    struct btree *m = (struct btree *)w;
    m->n = v[0];
    m->n_queries = v[1];
    m->range = v[2] < v[0] ? v[2] : v[0];
    while (level_nodes(m, m->height) > 1)
        m->n_nodes += level_nodes(m, m->height++);
    m->n_nodes++;
    m->base.w.launches = 2;
    if (!btree_arrays(m))
        return false;
    m->ways[0] = (struct btree_way){&m->k_curr, &m->k_offset, &m->k_keys};
    m->ways[1] = (struct btree_way){&m->j_curr, &m->j_offset, &m->j_start};
    m->ways[2] = (struct btree_way){&m->j_last, &m->j_offset2, &m->j_end};
    fill_tree(m);
    fill_queries(m);
    btree_expect(m);
    return true;
}

const struct workload_type workload_btree = {
    .name = "btree",
    .suite = "Rodinia (b+tree)",
    .doc = "lookups in a B+ tree, one CTA per query: misaligned runs of keys, pointer chasing",
    .size_doc = "N[,Q[,R]]: keys, queries of each kind, keys per range (at most N)",
    .default_size = "100000,1000,3000",
    .size = {{"N", 1, 1u << 26}, {"Q", 1, 65535}, {"R", 1, 1u << 26}},
    .state_size = sizeof(struct btree),
    .next = btree_next,
    .verify = btree_verify,
    .create = btree_create,
};
