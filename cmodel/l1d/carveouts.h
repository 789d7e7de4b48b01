/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the array that an L1D and shared memory have in common (l1d.carveouts), for each launch:
 * the smallest size of shared memory that holds the CTAs that fit on an SM; the L1D has the other
 * ways. Sources: NVIDIA, CUDA C++ Programming Guide, section 16.6.3 (shared memory of compute
 * capability 7.x); GPGPU-Sim, shader_core_config::max_cta. */
#ifndef MEMTWIN_L1D_CARVEOUTS_H
#define MEMTWIN_L1D_CARVEOUTS_H

#include <stdint.h>

#include "config/config.h"
#include "lib/error.h"

/* Checks that l1d.carveouts is none, or at most 16 ascending sizes from 0 to less than the L1D's
 * sets and ways, the last of them sm.shared_kib at least. Returns 0, or -1 with one line in err. */
int carveouts_check(const struct config *cfg, struct error *err);

/* Returns the number of ways of an L1D beside CTAs with this much shared memory in sum. A sum above
 * the last size gets that. */
uint32_t carveouts_ways(const struct config *cfg, uint64_t shared_bytes);

#endif
