/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes netlists. A netlist is a block with mutants, as an and-inverter graph whose
 * inputs and outputs are mapped to the block's port list. Input `mutsel` selects the mutant, or
 * none if it is 0. */
#ifndef MEMTWIN_MUTATION_NETLIST_H
#define MEMTWIN_MUTATION_NETLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/layout.h"
#include "mutation/aig.h"

#define NETLIST_SELECT_BITS 16
#define NETLIST_SELECT "mutsel"
#define NETLIST_MUTANT "mutant"

enum netlist_input_kind { NETLIST_PORT, NETLIST_SELECTS, NETLIST_CLOCK };

/* Role of an input in the graph. */
struct netlist_input {
    enum netlist_input_kind kind;
    const struct port_place *port; /* used only for NETLIST_PORT */
    unsigned bit;                  /* bit of the port or of the select */
};

struct netlist {
    const struct layout *l;
    struct aig_file f;
    struct netlist_input *in; /* one for each input of the graph */
    uint32_t *out;            /* literal for each bit of the output vector */
    uint32_t *qualifier;      /* literal for each output port's qualifier */
    uint32_t rst;             /* index of the reset input among the graph's inputs */
    /* in proofs, latches whose names contain this text start at 0; NULL for none */
    const char *zeroed;
    bool unobserved; /* true if proofs ignore observed ports */
};

/* Reads an AIGER file of the module that netlist_write_top writes. Returns 0, or -1 with a
 * one-line message in err. */
int netlist_read(struct netlist *n, const struct layout *l, const char *path, struct error *err);
void netlist_free(struct netlist *n);

/* Writes the Verilog module `mutants_top`, which contains the block and its select. For each
 * output port, it has an output `qualify_<port>` with the port's qualifier. `legal` lists strings
 * "NAME=EXPRESSION" for inputs that can have illegal values, and ends with NULL. The block gets
 * EXPRESSION for input NAME. EXPRESSION must leave legal values unchanged. Returns 0, or -1 with a
 * one-line message in err. */
int netlist_write_top(const struct layout *l, const char *const *legal, const char *path,
                      struct error *err);

/* Writes the module BLOCK_observe, or BLOCK if not `observed`, around one mutant, the module
 * NETLIST_MUTANT, so that a twin of the mutant can be built. Returns 0, or -1 with a one-line
 * message in err. */
int netlist_write_shell(const struct layout *l, bool observed, const char *path, struct error *err);

/* Returns one bit of a port's field. */
bool netlist_bit(const struct port_place *port, const void *base, unsigned bit);

#endif
