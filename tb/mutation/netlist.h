/* SPDX-License-Identifier: Apache-2.0 */
/* A block's netlist with mutants in it, as an and-inverter graph whose inputs and outputs are known
 * by the block's port list. An input `mutsel` chooses the mutant; 0 chooses none. */
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

/* What an input of the graph is. */
struct netlist_input {
    enum netlist_input_kind kind;
    const struct port_place *port; /* NETLIST_PORT */
    unsigned bit;                  /* of the port, or of the select */
};

struct netlist {
    const struct layout *l;
    struct aig_file f;
    struct netlist_input *in; /* one for each input of the graph */
    uint32_t *out;            /* literal of each bit of the vector of outputs */
    uint32_t *qualifier;      /* of each output port: is it compared? */
    uint32_t rst;             /* number of the input */
    const char *zeroed;       /* latches with this in a name begin proofs with 0; NULL: none */
    bool unobserved;          /* proofs do not look at observed ports */
};

/* Reads an AIGER file made of netlist_write_top's module. Returns 0, or -1 with one line in err. */
int netlist_read(struct netlist *n, const struct layout *l, const char *path, char *err,
                 size_t err_size);
void netlist_free(struct netlist *n);

/* Writes the Verilog module `mutants_top`: the block, its select, and for each output port an
 * output `qualify_<port>` with the qualifier that the port list has. legal: "NAME=EXPRESSION" each,
 * ended by NULL: what goes into the block for an input of which not all values are legal; legal
 * ones go through as they are. Returns 0, or -1 with one line. */
int netlist_write_top(const struct layout *l, const char *const *legal, const char *path, char *err,
                      size_t err_size);

/* Writes a module with the block's name, parameters and ports around one mutant, the module
 * NETLIST_MUTANT, for a twin of it. Returns 0, or -1 with one line. */
int netlist_write_shell(const struct layout *l, const char *path, char *err, size_t err_size);

/* A bit of a port's field. */
bool netlist_bit(const struct port_place *port, const void *base, unsigned bit);

#endif
