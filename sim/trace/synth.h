/* SPDX-License-Identifier: Apache-2.0 */
/* Makes synthetic kernels, for traces of known size that measure a simulator's speed, and for
 * traces with local memory. */
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
 *   random     4: a load at random addresses in 16 MiB, add, coalesced store, index
 *   spill4     16: coalesced load; 4 local stores, 4 local loads and 4 adds; add, store, index
 *   spill16    52: as spill4, with 16 registers
 *   array      324: coalesced load; 64 local stores, 2 times 64 local loads with an add after each;
 *              add, store, index */
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
