/* SPDX-License-Identifier: Apache-2.0 */
/* Reads AIGER files, builds and simplifies and-inverter graphs, and writes AIGER files.
 *
 * A literal is twice the node number, plus 1 for the inverse. Node 0 is the constant 0. Inputs
 * come next, then latches, then AND nodes, each of which follows its operands. */
#ifndef MEMTWIN_MUTATION_AIG_H
#define MEMTWIN_MUTATION_AIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"
#include "lib/hash_map.h"

#define AIG_FALSE 0u
#define AIG_TRUE 1u

static inline uint32_t aig_not(uint32_t literal) {
    return literal ^ 1;
}

/* A binary AIGER file as written by Yosys. The initial values of latches are ignored, so a latch
 * may start in any state. */
struct aig_file {
    uint32_t inputs, latches, outputs, ands;
    uint32_t (*ops)[2]; /* operands of each AND node */
    uint32_t *next;     /* literal for each latch's next state */
    uint32_t *out;
    char **in_name, **out_name; /* names such as "rst" and "req_addr[3]" */
    char **latch_name;          /* one or more names separated by blanks, or NULL */
};

/* Reads a file. Returns 0, or -1 with a one-line message in err. */
int aig_read(struct aig_file *f, const char *path, struct error *err);
void aig_free(struct aig_file *f);
/* Returns the number of nodes, including the constant. */
uint32_t aig_nodes(const struct aig_file *f);

/* A graph in which no two AND nodes have the same operands. */
struct aig_graph {
    uint32_t (*ops)[2]; /* operands of each node; unused for leaves */
    uint32_t nodes, room, leaves;
    struct hash_map ands; /* maps the operands to the node number */
};

/* Initializes a graph with the constant and with nodes 1 to `leaves`, which are its inputs and
 * latches. */
void aig_graph_init(struct aig_graph *g, uint32_t leaves);
void aig_graph_free(struct aig_graph *g);
uint32_t aig_and(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_or(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_xor(struct aig_graph *g, uint32_t a, uint32_t b);
uint32_t aig_mux(struct aig_graph *g, uint32_t select, uint32_t then, uint32_t otherwise);
/* Adds the AND nodes in a file to the graph. `literal` has one entry for each node in the file. The
 * caller sets the entries for inputs and latches, and the function sets those for AND nodes. */
void aig_copy(struct aig_graph *g, const struct aig_file *f, uint32_t *literal);
/* Maps a literal in the file to the graph. */
static inline uint32_t aig_copied(const uint32_t *literal, uint32_t file_literal) {
    return literal[file_literal >> 1] ^ (file_literal & 1);
}

/* Writes a graph as a binary AIGER file. The first `inputs` leaves are inputs. All other leaves
 * are latches that start at 0, and `next` has the literals for their next states. Returns 0, or -1
 * with a one-line message in err. */
int aig_write(const struct aig_graph *g, const char *path, uint32_t inputs, const uint32_t *next,
              const uint32_t *outputs, uint32_t n_outputs, struct error *err);

#endif
