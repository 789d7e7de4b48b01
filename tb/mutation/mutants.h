/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign: which mutants of a netlist does the block's cosim driver find, and what is left to be
 * proven the same as the block. */
#ifndef MEMTWIN_MUTATION_MUTANTS_H
#define MEMTWIN_MUTATION_MUTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"

#define MUTANTS_MAX_RUNS 16
#define MUTANTS_INPUT 1 /* mutants_run */

struct mutants_opts {
    const struct block_type *type;
    struct block_params params;
    const char *netlist; /* AIGER file */
    uint32_t mutants;    /* number of mutants: values 1 to `mutants` of the select input */
    struct {
        uint64_t cycles, seed;
    } runs[MUTANTS_MAX_RUNS]; /* each takes what the one before has not found */
    unsigned n_runs;
    const char *miters;  /* folder for miters, or NULL */
    const char *zeroed;  /* registers with this in a name hold 0 when a proof begins, not anything;
                            or NULL */
    bool unobserved;     /* mutants_part: do not look at observed ports */
    volatile bool *stop; /* set on interrupt */
};

/* Prints one line for each mutant to out, fields separated by tabs:
 *   NUMBER killed RUN CYCLE PORT RUN CYCLE PORT
 *                                   found in that run (from 1), first in that cycle at that port;
 *                                   then the same of ports that a system uses (PORT_OUT)
 *   NUMBER observed RUN CYCLE PORT  found at observed ports alone
 *   NUMBER same                     the same graph as the block without a mutant
 *   NUMBER copy OF                  the same graph as that mutant
 *   NUMBER survived                 found by none
 * behind the last two `unreached`, if no output that is looked at hangs on the mutation. Miters:
 * NUMBER-full.aig of each of the last two kinds, acts.aig (miter_write_acts) of all that
 * survived, acts-unobserved.aig of the observed ones, except the unreached; those of observed ones
 * do not look at observed ports. Returns 0, or with one line in err MUTANTS_INPUT, if the netlist
 * cannot be read or is not the block's, or -1. The block without a mutant has run beside them and
 * has not differed. */
int mutants_run(const struct mutants_opts *o, FILE *out, char *err, size_t err_size);

/* Writes a smaller miter of one mutant (miter_write_parting) to `path`, and prints for each of its
 * outputs the number of the latch, or "ports". apart: numbers of latches. Returns 0, or -1 with one
 * line in err. */
int mutants_part(const struct mutants_opts *o, uint32_t mutant, const uint32_t *apart,
                 uint32_t n_apart, const char *path, FILE *out, char *err, size_t err_size);

#endif
