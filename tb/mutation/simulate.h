/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates many mutants of a netlist in parallel, with one bit in a word for each mutant, against
 * one model that the block's cosim driver drives. */
#ifndef MEMTWIN_MUTATION_SIMULATE_H
#define MEMTWIN_MUTATION_SIMULATE_H

#include <stdint.h>

#include "mutation/netlist.h"

#define SIMULATE_WORDS 4
#define SIMULATE_LANES (64 * SIMULATE_WORDS)

/* First difference of a mutant. `port` is NULL if the mutant was not found. */
struct kill {
    uint64_t cycle;
    const struct port_place *port;
};

/* First differences of a mutant from the model, at any port and at a PORT_OUT port. */
struct kills {
    struct kill any, function;
};

struct mutation_stimulus {
    uint64_t seed, cycles; /* arguments of `memtwin cosim` */
    uint64_t stop;         /* number of cycles to run */
};

/* Runs the mutants `ids`, all from the same random power-up state, and sets `kills`. There are at
 * most SIMULATE_LANES mutants; number 0 is the netlist without a mutant. Compares every valid
 * output in every cycle except cycle 0, as lockstep does. A mutant that was found only at an
 * observed port continues to run. Returns 0, or -1 with a one-line message in err if a rule of the
 * driver is broken, or if a qualifier in the netlist differs from the model's. */
int simulate(const struct netlist *n, const struct mutation_stimulus *s, const uint32_t *ids,
             unsigned n_ids, struct kills *kills, struct error *err);

#endif
