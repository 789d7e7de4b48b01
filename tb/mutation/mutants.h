/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a campaign, which finds out which mutants of a netlist the block's cosim driver detects,
 * and which mutants remain to be proven equivalent to the block. */
#ifndef MEMTWIN_MUTATION_MUTANTS_H
#define MEMTWIN_MUTATION_MUTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"

#define MUTANTS_MAX_RUNS 16
#define MUTANTS_INPUT 1 /* returned by mutants_run if the netlist is unusable */

struct mutants_opts {
    const struct block_type *type;
    struct block_params params;
    const char *netlist; /* path of the AIGER file */
    uint32_t mutants;    /* number of mutants; the select input has values 1 to `mutants` */
    struct {
        uint64_t cycles, seed;
    } runs[MUTANTS_MAX_RUNS]; /* each run uses the mutants that no earlier run has found */
    unsigned n_runs;
    const char *miters;  /* folder for miters, or NULL for none */
    const char *zeroed;  /* in proofs, registers whose names contain this text start at 0 instead of
                            any value; NULL for none */
    bool unobserved;     /* true if mutants_part ignores observed ports */
    volatile bool *stop; /* is set by an interrupt */
};

/* Runs a campaign, and prints one line per mutant to `out`, with fields separated by tabs:
 *   NUMBER killed RUN CYCLE PORT RUN CYCLE PORT
 *                                   run, counted from 1, with the first cycle and port that differ;
 *                                   then the same for PORT_OUT ports only
 *   NUMBER observed RUN CYCLE PORT  found only at observed ports
 *   NUMBER same                     same graph as the block without a mutant
 *   NUMBER copy OF                  same graph as mutant OF
 *   NUMBER survived                 not found
 * A line `observed` or `survived` ends with `unreached` if no compared output depends on the
 * mutation. Writes a miter NUMBER-full.aig for each observed or surviving mutant. Writes acts.aig
 * (miter_write_acts) for all survivors and acts-unobserved.aig for all observed mutants, both
 * without the unreached mutants. Miters of observed mutants ignore observed ports. The block
 * without a mutant runs as well and must not differ. Returns 0; MUTANTS_INPUT with a one-line
 * message in err if the netlist is unreadable or not the block's; or -1. */
int mutants_run(const struct mutants_opts *o, FILE *out, struct error *err);

/* Writes a smaller miter of one mutant (miter_write_parting) to `path`. Prints the number of the
 * latch for each output of the miter, and "ports" for the last output. `apart` has the numbers of
 * the latches that exist twice. Returns 0, or -1 with a one-line message in err. */
int mutants_part(const struct mutants_opts *o, uint32_t mutant, const uint32_t *apart,
                 uint32_t n_apart, const char *path, FILE *out, struct error *err);

#endif
