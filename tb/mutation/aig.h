/* SPDX-License-Identifier: Apache-2.0 */
/* And-inverter graphs: AIGER files in, graphs built and simplified, AIGER files out.
 *
 * A literal is twice the number of a node, plus 1 for its inverse. Node 0 is the constant 0; inputs
 * come next, then latches, then ands, of which each comes after its operands. */
#ifndef MEMTWIN_MUTATION_AIG_H
#define MEMTWIN_MUTATION_AIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AIG_FALSE 0u
#define AIG_TRUE 1u

static inline uint32_t aig_not(uint32_t literal) {
    return literal ^ 1;
}

/* A binary AIGER file as Yosys writes it. What its latches hold at first is not read: any state. */
struct aig_file {
    uint32_t inputs, latches, outputs, ands;
    uint32_t (*ops)[2]; /* operands */
    uint32_t *next;     /* of each latch: its literal after the edge */
    uint32_t *out;
    char **in_name, **out_name; /* "rst", "req_addr[3]" */
    char **latch_name;          /* one or more, with blanks between them; NULL: none */
};

/* Returns 0, or -1 with one line in err. */
int aig_read(struct aig_file *f, const char *path, char *err, size_t err_size);
void aig_free(struct aig_file *f);
/* Nodes in all, the constant too. */
uint32_t aig_nodes(const struct aig_file *f);

/* A graph in which no two ands have the same operands. */
struct aig_graph {
    uint32_t (*ops)[2]; /* of each node; leaves have none */
    uint32_t nodes, room, leaves;
    uint32_t *table; /* of ands, by their operands: node numbers, 0 for none */
    uint32_t table_room;
    bool failed; /* memory ran out: every literal since means nothing */
};

/* Starts a graph with the constant and `leaves` inputs and latches, nodes 1 to `leaves`. */
void aig_graph_init(struct aig_graph *g, uint32_t leaves);
void aig_graph_free(struct aig_graph *g);
uint32_t aig_and(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_or(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_xor(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_mux(struct aig_graph *g, uint32_t select, uint32_t then, uint32_t otherwise);
/* Adds the ands of a file. `literal` has one entry for each of its nodes: what stands there for
 * inputs and latches is given, the ands are filled in. */
void aig_copy(struct aig_graph *g, const struct aig_file *f, uint32_t *literal);
/* What a literal of the file became. */
static inline uint32_t aig_copied(const uint32_t *literal, uint32_t of_file) {
    return literal[of_file >> 1] ^ (of_file & 1);
}

/* Writes a graph as a binary AIGER file: the first `inputs` leaves are inputs, the others latches
 * that are 0 at first, with these literals next. Returns 0, or -1 with one line in err. */
int aig_write(const struct aig_graph *g, const char *path, uint32_t inputs, const uint32_t *next,
              const uint32_t *outputs, uint32_t n_outputs, char *err, size_t err_size);

#endif
