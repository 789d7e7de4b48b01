/* SPDX-License-Identifier: Apache-2.0 */
/* Many mutants of one netlist side by side, a bit of a word for each, against one model that is
 * driven by the block's cosim driver. */
#ifndef MEMTWIN_MUTATION_SIMULATE_H
#define MEMTWIN_MUTATION_SIMULATE_H

#include <stdint.h>

#include "mutation/netlist.h"

#define SIMULATE_WORDS 4
#define SIMULATE_LANES (64 * SIMULATE_WORDS)

/* The first difference of a mutant; port NULL: none was found. */
struct kill {
    uint64_t cycle;
    const struct port_place *port;
};

/* Where a mutant differs from the model: at any port, and at one that a system uses (PORT_OUT). */
struct kills {
    struct kill any, function;
};

struct stimulus {
    uint64_t seed, cycles; /* as `memtwin cosim` takes them */
    uint64_t stop;         /* cycles that are run of them */
};

/* Runs the mutants `ids` (at most SIMULATE_LANES; 0 is the netlist without one), all from the same
 * random power-up state, and fills in kills. Differences are looked for as in lockstep: every
 * qualified output of every cycle but cycle 0. A mutant that has differed at an observed port alone
 * runs on. Returns 0, or -1 with one line in err: out of
 * memory, a rule of the driver broken, or a qualifier that the netlist takes for another. */
int simulate(const struct netlist *n, const struct stimulus *s, const uint32_t *ids, unsigned n_ids,
             struct kills *kills, char *err, size_t err_size);

#endif
