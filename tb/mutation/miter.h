/* SPDX-License-Identifier: Apache-2.0 */
/* Builds graphs of single mutants: finds equal mutants, and builds the miter of a mutant and its
 * block. */
#ifndef MEMTWIN_MUTATION_MITER_H
#define MEMTWIN_MUTATION_MITER_H

#include <stdbool.h>
#include <stdint.h>

#include "mutation/netlist.h"

/* For each mutant 0..mutants, sets *first to the lowest number of a mutant with the same graph.
 * Number 0 is the block without a mutant. */
void miter_copies(const struct netlist *n, uint32_t mutants, uint32_t *first);

/* Writes the miter of mutant `id` and the block as an AIGER file. The single output is never 1 if
 * and only if mutant and block are equivalent. The miter starts after the reset cycle. Latches
 * that are reset have the values that the mutant's and the block's own logic gives them. All other
 * latches have arbitrary values, which are equal in mutant and block. Both get the same arbitrary
 * inputs, including reset. The output is 1 if a valid output of the block differs. All miters
 * ignore observed outputs if the netlist is `unobserved`. A latch with the same logic in mutant
 * and block exists only once. Sets *unreached to true if no output depends on the separate parts,
 * so that mutant and block are equivalent. Returns 0, or -1 with a one-line message in err. */
int miter_write(const struct netlist *n, uint32_t id, const char *path, bool *unreached,
                struct error *err);

/* Latches that a miter assumes to be equal in mutant and block. The assumption must be proven. */
struct miter_parting {
    uint32_t *latches; /* has room for all latches in the netlist */
    uint32_t n_latches;
};

/* Writes a smaller miter, in which a latch exists twice only if its flag in `apart` is set or its
 * reset values differ. `apart` has one flag per latch in the netlist. For each latch in
 * p->latches, there is an output that is 1 if the latch's next values differ. The last output is 1
 * if a valid output of the block differs. If no output is ever 1, mutant and block are equivalent,
 * since the miter is exact until a first shared latch differs. */
int miter_write_parting(const struct netlist *n, uint32_t id, const bool *apart,
                        struct miter_parting *p, const char *path, struct error *err);

/* Writes the block alone, with one output for each mutant in ids. The output is 1 in each state in
 * which the mutant's next state or a valid output differs from the block's. If its output is never
 * 1, the mutant is equivalent to the block. */
int miter_write_acts(const struct netlist *n, const uint32_t *ids, uint32_t n_ids, const char *path,
                     struct error *err);

#endif
