/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic kernels for traces of known size: the four kinds that simulators are timed with. */
#ifndef MEMTWIN_TRACE_SYNTH_H
#define MEMTWIN_TRACE_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

/* Warp instructions per turn of the loop, after 3 of setup and before the exit:
 *   vecadd     5: two loads, add, store, index; coalesced, every line touched once by a warp
 *   vecadd16   vecadd with 16 turns for each turn requested
 *   divergent  4: a load with lanes 128 B apart, add, coalesced store, index
 *   random     4: a load at random places in 16 MiB, add, coalesced store, index */
struct synth_kind {
    const char *name;
    const char *doc;
    uint32_t turns; /* for each turn requested */
};
extern const struct synth_kind synth_kinds[]; /* ended by a NULL name */

#define SYNTH_BLOCK 256 /* threads */
#define SYNTH_MAX_WARPS (1u << 22)
#define SYNTH_MAX_SCALE 4096

/* Makes a workload of one kernel; warps is a multiple of 8. NULL with one line in err. */
struct workload *synth_create(const struct synth_kind *kind, uint32_t warps, uint32_t scale,
                              char *err, size_t err_size);

#endif
