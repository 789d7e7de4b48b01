// SPDX-License-Identifier: Apache-2.0
#include "mutation/miter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t selected(const struct netlist_input *in, uint32_t id) {
    return id >> in->bit & 1 ? AIG_TRUE : AIG_FALSE;
}

/* ---- Copies ---- */

/* Inputs and latches are the graph's leaves, in the order of the file. */
static void free_leaves(const struct netlist *n, uint32_t id, uint32_t *literal) {
    for (uint32_t i = 0; i < n->f.inputs + n->f.latches; i++)
        literal[1 + i] = 2 * (1 + i);
    for (uint32_t i = 0; i < n->f.inputs; i++)
        if (n->in[i].kind == NETLIST_SELECTS)
            literal[1 + i] = selected(&n->in[i], id);
}

/* What the graph computes: next states and outputs. */
static void roots(const struct netlist *n, const uint32_t *literal, uint32_t *root) {
    for (uint32_t i = 0; i < n->f.latches; i++)
        *root++ = aig_copied(literal, n->f.next[i]);
    for (unsigned i = 0; i < n->l->out_bits; i++)
        *root++ = aig_copied(literal, n->out[i]);
}

static uint64_t digest(const uint32_t *root, size_t count) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        h = (h ^ root[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* One graph holds them all, so that the same functions are the same literals. */
static void find_copies(const struct netlist *n, struct aig_graph *g, uint32_t mutants,
                        uint32_t *first, uint32_t *literal, uint32_t *root, uint64_t *digests) {
    size_t count = (size_t)n->f.latches + n->l->out_bits;
    for (uint32_t id = 0; id <= mutants; id++) {
        free_leaves(n, id, literal);
        aig_copy(g, &n->f, literal);
        roots(n, literal, root + id * count);
        digests[id] = digest(root + id * count, count);
        first[id] = id;
        for (uint32_t of = 0; of < id && first[id] == id; of++)
            if (digests[of] == digests[id] &&
                memcmp(root + of * count, root + id * count, count * sizeof *root) == 0)
                first[id] = of;
    }
}

int miter_copies(const struct netlist *n, uint32_t mutants, uint32_t *first) {
    struct aig_graph g;
    aig_graph_init(&g, n->f.inputs + n->f.latches);
    size_t count = (size_t)n->f.latches + n->l->out_bits;
    uint32_t *literal = calloc(aig_nodes(&n->f), sizeof *literal);
    uint32_t *root = calloc(((size_t)mutants + 1) * count, sizeof *root);
    uint64_t *digests = calloc((size_t)mutants + 1, sizeof *digests);
    if (literal && root && digests && !g.failed)
        find_copies(n, &g, mutants, first, literal, root, digests);
    else
        g.failed = true;
    int bad = g.failed ? -1 : 0;
    free(literal);
    free(root);
    free(digests);
    aig_graph_free(&g);
    return bad;
}

/* ---- A miter ---- */

enum reset { RESET_TO_0, RESET_TO_1, NOT_RESET };

/* Leaves, in this order: the block's inputs but the select; for each latch an input, what it holds
 * after the reset cycle if that does not set it; a latch that says that the first cycle after it is
 * over; the block's latches; the mutant's latches that are not the block's. A latch that is reset
 * to 1 is there inverted. */
struct miter {
    const struct netlist *n;
    struct aig_graph g;
    bool *own; /* latches that the mutant has for itself */
    uint32_t n_own;
    uint32_t *block, *mutant;               /* literals of the nodes of the file */
    unsigned char *block_reset, *its_reset; /* enum reset of each latch */
    uint32_t *next;                         /* of the leaves that are latches */
    uint32_t n_inputs, begun;
};

static bool is_zeroed(const struct netlist *n, uint32_t latch) {
    const char *name = n->f.latch_name[latch];
    return n->zeroed && name && strstr(name, n->zeroed);
}

/* What the reset cycle leaves in each latch, whatever else there is. */
static int find_reset(const struct netlist *n, uint32_t id, uint32_t *literal,
                      unsigned char *reset) {
    struct aig_graph g;
    aig_graph_init(&g, n->f.inputs + n->f.latches);
    free_leaves(n, id, literal);
    literal[1 + n->rst] = AIG_TRUE;
    if (!g.failed)
        aig_copy(&g, &n->f, literal);
    for (uint32_t i = 0; i < n->f.latches; i++) {
        uint32_t next = aig_copied(literal, n->f.next[i]);
        if (next == AIG_FALSE || next == AIG_TRUE)
            reset[i] = next == AIG_TRUE ? RESET_TO_1 : RESET_TO_0;
        else
            reset[i] = is_zeroed(n, i) ? RESET_TO_0 : NOT_RESET;
    }
    int bad = g.failed ? -1 : 0;
    aig_graph_free(&g);
    return bad;
}

static uint32_t next_leaf(uint32_t *leaves) {
    return 2 * ++*leaves;
}

/* The value of a latch: its leaf, or in the first cycle an input. */
static uint32_t latch_value(struct miter *m, uint32_t leaf, unsigned char reset, uint32_t first) {
    return reset == NOT_RESET ? aig_mux(&m->g, m->begun, leaf, first)
                              : leaf ^ (reset == RESET_TO_1);
}

static void place_inputs(struct miter *m, uint32_t id, uint32_t *leaves) {
    for (uint32_t i = 0; i < m->n->f.inputs; i++) {
        bool selects = m->n->in[i].kind == NETLIST_SELECTS;
        m->block[1 + i] = selects ? AIG_FALSE : next_leaf(leaves);
        m->mutant[1 + i] = selects ? selected(&m->n->in[i], id) : m->block[1 + i];
    }
}

static void place_leaves(struct miter *m, uint32_t id) {
    const struct aig_file *f = &m->n->f;
    uint32_t leaves = 0, *state = m->block + 1 + f->inputs, *its = m->mutant + 1 + f->inputs;
    place_inputs(m, id, &leaves);
    uint32_t first = leaves + 1;
    m->n_inputs = leaves += f->latches;
    m->begun = next_leaf(&leaves);
    for (uint32_t i = 0; i < f->latches; i++)
        state[i] = next_leaf(&leaves);
    for (uint32_t i = 0; i < f->latches; i++)
        its[i] = m->own[i] ? next_leaf(&leaves) : state[i];
    aig_graph_init(&m->g, leaves);
    for (uint32_t i = 0; i < f->latches; i++) {
        its[i] = latch_value(m, its[i], m->its_reset[i], 2 * (first + i));
        state[i] = latch_value(m, state[i], m->block_reset[i], 2 * (first + i));
    }
}

static void own_latch(struct miter *m, uint32_t i) {
    m->n_own += !m->own[i];
    m->own[i] = true;
}

/* The graph, if the latches so far are the mutant's own. Returns whether there are more. */
static bool grow(struct miter *m, uint32_t id) {
    const struct aig_file *f = &m->n->f;
    uint32_t before = m->n_own;
    aig_graph_free(&m->g);
    place_leaves(m, id);
    if (m->g.failed)
        return false;
    aig_copy(&m->g, f, m->block);
    aig_copy(&m->g, f, m->mutant);
    for (uint32_t i = 0; i < f->latches; i++)
        if (aig_copied(m->block, f->next[i]) != aig_copied(m->mutant, f->next[i]))
            own_latch(m, i);
    return m->n_own > before && !m->g.failed;
}

static uint32_t difference(struct miter *m) {
    const struct layout *l = m->n->l;
    uint32_t any = AIG_FALSE;
    for (unsigned i = 0; i < l->n_out; i++) {
        uint32_t differs = AIG_FALSE;
        if (m->n->unobserved && l->out[i].desc->dir == PORT_OBS)
            continue;
        for (unsigned bit = l->out[i].at; bit < l->out[i].at + l->out[i].width; bit++)
            differs = aig_or(&m->g, differs,
                             aig_xor(&m->g, aig_copied(m->block, m->n->out[bit]),
                                     aig_copied(m->mutant, m->n->out[bit])));
        any = aig_or(&m->g, any, aig_and(&m->g, differs, aig_copied(m->block, m->n->qualifier[i])));
    }
    return any;
}

static uint32_t leaf_next(const uint32_t *literal, uint32_t next, unsigned char reset) {
    return aig_copied(literal, next) ^ (reset == RESET_TO_1);
}

static void list_next(struct miter *m) {
    const struct aig_file *f = &m->n->f;
    uint32_t *to = m->next;
    *to++ = AIG_TRUE;
    for (uint32_t i = 0; i < f->latches; i++)
        *to++ = leaf_next(m->block, f->next[i], m->block_reset[i]);
    for (uint32_t i = 0; i < f->latches; i++)
        if (m->own[i])
            *to++ = leaf_next(m->mutant, f->next[i], m->its_reset[i]);
}

static int write_miter(struct miter *m, const char *path, const uint32_t *outputs,
                       uint32_t n_outputs, char *err, size_t err_size) {
    if (!m->g.failed)
        return aig_write(&m->g, path, m->n_inputs, m->next, outputs, n_outputs, err, err_size);
    snprintf(err, err_size, "out of memory");
    return -1;
}

static int miter_init(struct miter *m, const struct netlist *n, char *err, size_t err_size) {
    size_t latches = (size_t)n->f.latches + 1;
    memset(m, 0, sizeof *m);
    m->n = n;
    m->own = calloc(latches, sizeof *m->own);
    m->block = calloc(aig_nodes(&n->f), sizeof *m->block);
    m->mutant = calloc(aig_nodes(&n->f), sizeof *m->mutant);
    m->next = calloc(latches * 2, sizeof *m->next);
    m->block_reset = calloc(latches, 1);
    m->its_reset = calloc(latches, 1);
    if (m->own && m->block && m->mutant && m->next && m->block_reset && m->its_reset &&
        find_reset(n, 0, m->block, m->block_reset) == 0)
        return 0;
    snprintf(err, err_size, "out of memory");
    return -1;
}

static void miter_free(struct miter *m) {
    aig_graph_free(&m->g);
    free(m->own);
    free(m->block);
    free(m->mutant);
    free(m->next);
    free(m->block_reset);
    free(m->its_reset);
}

static int build_and_write(struct miter *m, uint32_t id, const char *path, bool *unreached,
                           char *err, size_t err_size) {
    if (find_reset(m->n, id, m->mutant, m->its_reset)) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    for (uint32_t i = 0; i < m->n->f.latches; i++)
        if (m->its_reset[i] != m->block_reset[i])
            own_latch(m, i);
    while (grow(m, id))
        ;
    uint32_t output = difference(m);
    *unreached = output == AIG_FALSE;
    list_next(m);
    return write_miter(m, path, &output, 1, err, err_size);
}

int miter_write(const struct netlist *n, uint32_t id, const char *path, bool *unreached, char *err,
                size_t err_size) {
    struct miter m;
    int bad = miter_init(&m, n, err, err_size);
    if (!bad)
        bad = build_and_write(&m, id, path, unreached, err, err_size);
    miter_free(&m);
    return bad;
}

/* ---- A miter with most latches in common ---- */

/* Outputs: for each latch that both have in common, and whose logic is not the same, that it would
 * not hold the same next; then that an output of the block differs. */
static uint32_t list_partings(struct miter *m, struct miter_parting *p, uint32_t *outputs) {
    const struct aig_file *f = &m->n->f;
    p->n_latches = 0;
    for (uint32_t i = 0; i < f->latches; i++) {
        uint32_t differs =
            aig_xor(&m->g, aig_copied(m->block, f->next[i]), aig_copied(m->mutant, f->next[i]));
        if (m->own[i] || differs == AIG_FALSE)
            continue;
        outputs[p->n_latches] = differs;
        p->latches[p->n_latches++] = i;
    }
    outputs[p->n_latches] = difference(m);
    return p->n_latches + 1;
}

static int build_and_write_parting(struct miter *m, uint32_t id, const bool *apart,
                                   struct miter_parting *p, uint32_t *outputs, const char *path,
                                   char *err, size_t err_size) {
    if (find_reset(m->n, id, m->mutant, m->its_reset)) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    for (uint32_t i = 0; i < m->n->f.latches; i++)
        if (apart[i] || m->its_reset[i] != m->block_reset[i])
            own_latch(m, i);
    place_leaves(m, id);
    uint32_t n_outputs = 0;
    if (!m->g.failed) {
        aig_copy(&m->g, &m->n->f, m->block);
        aig_copy(&m->g, &m->n->f, m->mutant);
        n_outputs = list_partings(m, p, outputs);
    }
    list_next(m);
    return write_miter(m, path, outputs, n_outputs, err, err_size);
}

int miter_write_parting(const struct netlist *n, uint32_t id, const bool *apart,
                        struct miter_parting *p, const char *path, char *err, size_t err_size) {
    struct miter m;
    uint32_t *outputs = calloc((size_t)n->f.latches + 1, sizeof *outputs);
    int bad = miter_init(&m, n, err, err_size);
    if (!bad && outputs)
        bad = build_and_write_parting(&m, id, apart, p, outputs, path, err, err_size);
    else if (!bad)
        snprintf(err, err_size, "out of memory");
    miter_free(&m);
    free(outputs);
    return bad || !outputs ? -1 : 0;
}

/* ---- What a mutant does to a state of the block ---- */

/* It is reset otherwise, goes to another state than the block, or shows another output. */
static uint32_t acts(struct miter *m, uint32_t id) {
    const struct aig_file *f = &m->n->f;
    uint32_t any = AIG_FALSE;
    for (uint32_t i = 0; i < f->inputs; i++)
        if (m->n->in[i].kind == NETLIST_SELECTS)
            m->mutant[1 + i] = selected(&m->n->in[i], id);
    aig_copy(&m->g, f, m->mutant);
    for (uint32_t i = 0; i < f->latches; i++)
        any = aig_or(
            &m->g, any,
            aig_xor(&m->g, aig_copied(m->block, f->next[i]), aig_copied(m->mutant, f->next[i])));
    bool same_reset = memcmp(m->its_reset, m->block_reset, f->latches) == 0;
    return same_reset ? aig_or(&m->g, any, difference(m)) : AIG_TRUE;
}

static int build_and_write_acts(struct miter *m, const uint32_t *ids, uint32_t n_ids,
                                uint32_t *outputs, const char *path, char *err, size_t err_size) {
    memcpy(m->its_reset, m->block_reset, m->n->f.latches);
    place_leaves(m, 0);
    if (!m->g.failed)
        aig_copy(&m->g, &m->n->f, m->block);
    uint32_t *literal = calloc(aig_nodes(&m->n->f), sizeof *literal);
    m->g.failed = m->g.failed || !literal;
    for (uint32_t i = 0; i < n_ids && !m->g.failed; i++) {
        if (find_reset(m->n, ids[i], literal, m->its_reset))
            m->g.failed = true;
        else
            outputs[i] = acts(m, ids[i]);
    }
    free(literal);
    list_next(m);
    return write_miter(m, path, outputs, n_ids, err, err_size);
}

int miter_write_acts(const struct netlist *n, const uint32_t *ids, uint32_t n_ids, const char *path,
                     char *err, size_t err_size) {
    struct miter m;
    uint32_t *outputs = calloc((size_t)n_ids + 1, sizeof *outputs);
    int bad = miter_init(&m, n, err, err_size);
    if (!bad && outputs)
        bad = build_and_write_acts(&m, ids, n_ids, outputs, path, err, err_size);
    else if (!bad)
        snprintf(err, err_size, "out of memory");
    miter_free(&m);
    free(outputs);
    return bad || !outputs ? -1 : 0;
}
