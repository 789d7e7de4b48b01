// SPDX-License-Identifier: Apache-2.0
#include "mutation/miter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

static uint32_t selected(const struct netlist_input *in, uint32_t id) {
    return id >> in->bit & 1 ? AIG_TRUE : AIG_FALSE;
}

/* ---- Copies ---- */

/* Maps inputs and latches to the graph's leaves in the order of the file, and the select to
 * constants. */
static void free_leaves(const struct netlist *n, uint32_t id, uint32_t *literal) {
    for (uint32_t i = 0; i < n->f.inputs + n->f.latches; i++)
        literal[1 + i] = 2 * (1 + i);
    for (uint32_t i = 0; i < n->f.inputs; i++)
        if (n->in[i].kind == NETLIST_SELECTS)
            literal[1 + i] = selected(&n->in[i], id);
}

/* Sets `root` to the literals for the next states and the outputs. */
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

/* Finds copies by building all mutants in one graph, in which equal AND nodes have equal literals.
 */
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

void miter_copies(const struct netlist *n, uint32_t mutants, uint32_t *first) {
    struct aig_graph g;
    aig_graph_init(&g, n->f.inputs + n->f.latches);
    size_t count = (size_t)n->f.latches + n->l->out_bits;
    uint32_t *literal = alloc_zeroed(aig_nodes(&n->f), sizeof *literal);
    uint32_t *root = alloc_zeroed(((size_t)mutants + 1) * count, sizeof *root);
    uint64_t *digests = alloc_zeroed((size_t)mutants + 1, sizeof *digests);
    find_copies(n, &g, mutants, first, literal, root, digests);
    free(literal);
    free(root);
    free(digests);
    aig_graph_free(&g);
}

/* ---- A miter ---- */

enum reset { RESET_TO_0, RESET_TO_1, NOT_RESET };

/* The graph's leaves are, in this order:
 * - the block's inputs without the select,
 * - for each latch, an input with its value after the reset cycle, used if the latch is not reset,
 * - a latch that is 1 after the first cycle,
 * - the block's latches,
 * - the mutant's separate latches.
 * A latch that is reset to 1 is stored inverted. */
struct miter {
    const struct netlist *n;
    struct aig_graph g;
    bool *own;                              /* true for each latch that the mutant has separately */
    uint32_t n_own;                         /* number of such latches */
    uint32_t *block, *mutant;               /* literals for the block's and the mutant's nodes */
    unsigned char *block_reset, *its_reset; /* `enum reset` of each latch of block and mutant */
    uint32_t *next;                         /* next states of those leaves that are latches */
    uint32_t n_inputs, begun;
};

static bool is_zeroed(const struct netlist *n, uint32_t latch) {
    const char *name = n->f.latch_name[latch];
    return n->zeroed && name && strstr(name, n->zeroed);
}

/* Finds the value that each latch has after the reset cycle for any previous state and inputs. */
static void find_reset(const struct netlist *n, uint32_t id, uint32_t *literal,
                       unsigned char *reset) {
    struct aig_graph g;
    aig_graph_init(&g, n->f.inputs + n->f.latches);
    free_leaves(n, id, literal);
    literal[1 + n->rst] = AIG_TRUE;
    aig_copy(&g, &n->f, literal);
    for (uint32_t i = 0; i < n->f.latches; i++) {
        uint32_t next = aig_copied(literal, n->f.next[i]);
        if (next == AIG_FALSE || next == AIG_TRUE)
            reset[i] = next == AIG_TRUE ? RESET_TO_1 : RESET_TO_0;
        else
            reset[i] = is_zeroed(n, i) ? RESET_TO_0 : NOT_RESET;
    }
    aig_graph_free(&g);
}

static uint32_t next_leaf(uint32_t *leaves) {
    return 2 * ++*leaves;
}

/* Returns the literal for a latch. It is the latch's leaf or, in the first cycle, an input if the
 * latch is not reset. */
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

/* Builds the graph with the separate latches found so far. Returns true if this finds more of
 * them. */
static bool grow_cone(struct miter *m, uint32_t id) {
    const struct aig_file *f = &m->n->f;
    uint32_t before = m->n_own;
    aig_graph_free(&m->g);
    place_leaves(m, id);
    aig_copy(&m->g, f, m->block);
    aig_copy(&m->g, f, m->mutant);
    for (uint32_t i = 0; i < f->latches; i++)
        if (aig_copied(m->block, f->next[i]) != aig_copied(m->mutant, f->next[i]))
            own_latch(m, i);
    return m->n_own > before;
}

static uint32_t make_difference(struct miter *m) {
    const struct layout *l = m->n->l;
    uint32_t any = AIG_FALSE;
    for (unsigned i = 0; i < l->n_out; i++) {
        uint32_t differs = AIG_FALSE;
        if (m->n->unobserved && l->out[i].desc->dir == PORT_OBS)
            continue;
        for (unsigned bit = l->out[i].low_bit; bit < l->out[i].low_bit + l->out[i].width; bit++)
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
                       uint32_t n_outputs, struct error *err) {
    return aig_write(&m->g, path, m->n_inputs, m->next, outputs, n_outputs, err);
}

static void miter_init(struct miter *m, const struct netlist *n) {
    size_t latches = (size_t)n->f.latches + 1;
    memset(m, 0, sizeof *m);
    m->n = n;
    m->own = alloc_zeroed(latches, sizeof *m->own);
    m->block = alloc_zeroed(aig_nodes(&n->f), sizeof *m->block);
    m->mutant = alloc_zeroed(aig_nodes(&n->f), sizeof *m->mutant);
    m->next = alloc_zeroed(latches * 2, sizeof *m->next);
    m->block_reset = alloc_zeroed(latches, 1);
    m->its_reset = alloc_zeroed(latches, 1);
    find_reset(n, 0, m->block, m->block_reset);
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
                           struct error *err) {
    find_reset(m->n, id, m->mutant, m->its_reset);
    for (uint32_t i = 0; i < m->n->f.latches; i++)
        if (m->its_reset[i] != m->block_reset[i])
            own_latch(m, i);
    while (grow_cone(m, id))
        ;
    uint32_t output = make_difference(m);
    *unreached = output == AIG_FALSE;
    list_next(m);
    return write_miter(m, path, &output, 1, err);
}

int miter_write(const struct netlist *n, uint32_t id, const char *path, bool *unreached,
                struct error *err) {
    struct miter m;
    miter_init(&m, n);
    const int bad = build_and_write(&m, id, path, unreached, err);
    miter_free(&m);
    return bad;
}

/* ---- A miter with most latches shared ---- */

/* Makes an output for each shared latch with different logic, which is 1 if its next values
 * differ. Also makes a last output, which is 1 if an output of the block differs. Returns the
 * number of outputs. */
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
    outputs[p->n_latches] = make_difference(m);
    return p->n_latches + 1;
}

static int build_and_write_parting(struct miter *m, uint32_t id, const bool *apart,
                                   struct miter_parting *p, uint32_t *outputs, const char *path,
                                   struct error *err) {
    find_reset(m->n, id, m->mutant, m->its_reset);
    for (uint32_t i = 0; i < m->n->f.latches; i++)
        if (apart[i] || m->its_reset[i] != m->block_reset[i])
            own_latch(m, i);
    place_leaves(m, id);
    aig_copy(&m->g, &m->n->f, m->block);
    aig_copy(&m->g, &m->n->f, m->mutant);
    const uint32_t n_outputs = list_partings(m, p, outputs);
    list_next(m);
    return write_miter(m, path, outputs, n_outputs, err);
}

int miter_write_parting(const struct netlist *n, uint32_t id, const bool *apart,
                        struct miter_parting *p, const char *path, struct error *err) {
    struct miter m;
    uint32_t *outputs = alloc_zeroed((size_t)n->f.latches + 1, sizeof *outputs);
    miter_init(&m, n);
    const int bad = build_and_write_parting(&m, id, apart, p, outputs, path, err);
    miter_free(&m);
    free(outputs);
    return bad;
}

/* ---- Effect of a mutant in a state of the block ---- */

/* Returns a literal that is 1 if the reset values, next state or outputs of the mutant differ from
 * those of the block. */
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
    return same_reset ? aig_or(&m->g, any, make_difference(m)) : AIG_TRUE;
}

static int build_and_write_acts(struct miter *m, const uint32_t *ids, uint32_t n_ids,
                                uint32_t *outputs, const char *path, struct error *err) {
    memcpy(m->its_reset, m->block_reset, m->n->f.latches);
    place_leaves(m, 0);
    aig_copy(&m->g, &m->n->f, m->block);
    uint32_t *literal = alloc_zeroed(aig_nodes(&m->n->f), sizeof *literal);
    for (uint32_t i = 0; i < n_ids; i++) {
        find_reset(m->n, ids[i], literal, m->its_reset);
        outputs[i] = acts(m, ids[i]);
    }
    free(literal);
    list_next(m);
    return write_miter(m, path, outputs, n_ids, err);
}

int miter_write_acts(const struct netlist *n, const uint32_t *ids, uint32_t n_ids, const char *path,
                     struct error *err) {
    struct miter m;
    uint32_t *outputs = alloc_zeroed((size_t)n_ids + 1, sizeof *outputs);
    miter_init(&m, n);
    const int bad = build_and_write_acts(&m, ids, n_ids, outputs, path, err);
    miter_free(&m);
    free(outputs);
    return bad;
}
