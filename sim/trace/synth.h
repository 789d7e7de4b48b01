/* SPDX-License-Identifier: Apache-2.0 */
/* Makes four kinds of synthetic kernels, for traces of known size that measure a simulator's
 * speed. */
#ifndef MEMTWIN_TRACE_SYNTH_H
#define MEMTWIN_TRACE_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

/* Number of warp instructions per iteration of each kernel's loop. Three setup instructions precede
 * the loop, and an exit follows it:
 *   vecadd     5: two loads, add, store, index; coalesced, every line accessed once by a warp
 *   vecadd16   vecadd with 16 iterations for each requested one
 *   divergent  4: a load with lanes 128 B apart, add, coalesced store, index
 *   random     4: a load at random addresses in 16 MiB, add, coalesced store, index */
struct synth_kind {
    const char *name;
    const char *doc;
    uint32_t turns; /* number of iterations for each requested one */
};
extern const struct synth_kind synth_kinds[]; /* ended by a row whose name is NULL */

#define SYNTH_BLOCK 256 /* threads per CTA */
#define SYNTH_MAX_WARPS (1u << 22)
#define SYNTH_MAX_SCALE 4096

/* Makes a workload of one kernel. warps must be a multiple of 8. */
struct workload *synth_create(const struct synth_kind *kind, uint32_t warps, uint32_t scale);

#endif
