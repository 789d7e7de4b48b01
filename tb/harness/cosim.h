/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of the drivers, which provide constrained-random stimulus and functional coverage.
 * Each block has a driver, the symbol <block>_driver. The engine (tb/harness) owns the loop, the
 * twin and the report. */
#ifndef MEMTWIN_HARNESS_COSIM_H
#define MEMTWIN_HARNESS_COSIM_H

#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

/* A coverage counter and its minimum. */
struct cover_point {
    const char *name; /* for example "S2->S4", "refuse.merge_full.while_draining" */
    uint64_t hits;
    uint64_t floor; /* minimum number of hits in a run; 0 if the point cannot occur at these
                       parameters */
};

struct cosim_driver {
    /* Returns the state of the stimulus for these parameters, never NULL. The same seed gives the
     * same inputs. `cycles` is the planned length of the run, over which the driver spreads its
     * modes. */
    void *(*create)(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles);
    void (*destroy)(void *d);
    /* Sets *in for the next cycle. Cycle 0 must drive reset. */
    void (*drive)(void *d, void *in);
    /* Reads the cycle's settled outputs (PORT_OUT and PORT_OBS fields), updates protocol state,
     * counts coverage and checks rules. Returns a static text that describes a broken rule (a
     * response out of order, lost, repeated or unstable), or NULL if there is none. */
    const char *(*sample)(void *d, const void *in, const void *out);
    /* Sets *points to the coverage points, which the driver owns, and returns their number. Is
     * called at the end of the run. */
    size_t (*coverage)(void *d, const struct cover_point **points);
};

/* Returns the driver of a block type in cmodel/blocks.def or in a library (library.h), or NULL if
 * there is none. */
const struct cosim_driver *cosim_driver_find(const struct block_type *type);

#endif
