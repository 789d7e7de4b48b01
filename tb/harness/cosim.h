/* SPDX-License-Identifier: Apache-2.0 */
/* Constrained-random stimulus for one block, and its functional coverage. One per block, the symbol
 * <block>_driver; the engine (tb/harness) owns the loop, the twin and the report. */
#ifndef MEMTWIN_HARNESS_COSIM_H
#define MEMTWIN_HARNESS_COSIM_H

#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

/* A coverage counter after a run. */
struct cover_point {
    const char *name; /* "S2->S4", "refuse.merge_full.while_draining" */
    uint64_t hits;
    uint64_t
        floor; /* hits that a run must reach; 0 if the point cannot occur at these parameters */
};

struct cosim_driver {
    /* Stimulus state for these parameters; the same seed gives the same inputs. `cycles` is the
     * planned length (modes are spread over it). NULL if out of memory. */
    void *(*create)(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles);
    void (*destroy)(void *d);
    /* Fills *in for the coming cycle. Cycle 0 must drive reset. */
    void (*drive)(void *d, void *in);
    /* Gets the settled outputs of the cycle (PORT_OUT and PORT_OBS fields): updates protocol state,
     * counts coverage and checks rules on the outputs. Returns NULL, or a static text for a broken
     * rule (a response out of order, lost, doubled, unstable). */
    const char *(*sample)(void *d, const void *in, const void *out);
    /* Called at the end of the run. Returns the number of points; the driver owns *points. */
    size_t (*coverage)(void *d, const struct cover_point **points);
};

/* The driver of a block type in cmodel/blocks.def or in a library (library.h). */
const struct cosim_driver *cosim_driver_find(const struct block_type *type);

#endif
