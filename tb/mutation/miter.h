/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of single mutants: which are the same, and the miter of one and its block. */
#ifndef MEMTWIN_MUTATION_MITER_H
#define MEMTWIN_MUTATION_MITER_H

#include <stdbool.h>
#include <stdint.h>

#include "mutation/netlist.h"

/* For each mutant 0..mutants: the lowest number with the same graph (0 is the block without a
 * mutant). Returns 0, or -1 if memory ran out. */
int miter_copies(const struct netlist *n, uint32_t mutants, uint32_t *first);

/* Writes the miter of mutant `id` and the block as an AIGER file whose one output is never 1 if and
 * only if they are the same. It begins after the reset cycle: what that sets is set, each by its
 * own logic; what it leaves holds anything, the same in both. They get the same arbitrary inputs,
 * reset too. The output is 1 if an output differs that the block qualifies, and that is no observed
 * one if the netlist is `unobserved`; so in all miters. A latch that has the
 * same logic in both is there once. *unreached: no output hangs on what the two have each for
 * itself, so they are the same. Returns 0, or -1 with one line in err. */
int miter_write(const struct netlist *n, uint32_t id, const char *path, bool *unreached, char *err,
                size_t err_size);

/* Latches that a miter takes to be the same in both, and asks for a proof of that. */
struct miter_parting {
    uint32_t *latches; /* room for all of the netlist */
    uint32_t n_latches;
};

/* A smaller miter, in which only the latches of which `apart` is true (one for each of the
 * netlist), and those that are reset otherwise, are there twice. Its outputs: for each latch of
 * p->latches that it would not hold the same next; at last that an output differs that the block
 * qualifies. If no output is ever 1, mutant and block are the same: until a first latch parts, the
 * miter is exact, and none does. */
int miter_write_parting(const struct netlist *n, uint32_t id, const bool *apart,
                        struct miter_parting *p, const char *path, char *err, size_t err_size);

/* Writes the block alone, with an output for each mutant in ids: it is 1 where the mutant, in
 * this state of the block, would go to another state or show another qualified output. A mutant
 * whose output is never 1 is the same as the block. */
int miter_write_acts(const struct netlist *n, const uint32_t *ids, uint32_t n_ids, const char *path,
                     char *err, size_t err_size);

#endif
