/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels that run at once share the SMs (cke.partition): the CTAs that each may have on each
 * SM. Dai, PhD dissertation, NC State 2017, section 4.2. */
#ifndef MEMTWIN_GPU_PARTITION_H
#define MEMTWIN_GPU_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "sm/sm.h"

/* cke.partition */
enum { PARTITION_NONE, PARTITION_MANUAL, PARTITION_LEFTOVER, PARTITION_SPATIAL, PARTITION_SMK };
/* cke.restart */
enum { RESTART_NONE, RESTART_GRID, RESTART_LAUNCH };

/* Checks whether the machine can run that number of kernels at once, 1..KERNELS_AT_ONCE. Returns 0,
 * or -1 with one line in err that names the keys. */
int partition_check(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);

/* Whether the CTAs of cke.ctas fit on an SM together, all kernels being launched there. Returns 0,
 * or -1 with one line in err. */
int partition_fits(const struct config *cfg, const struct sm *sm, uint32_t kernels, char *err,
                   size_t err_size);
/* Sets the limits on that SM of those kernels that run (bit k of `on`). */
void partition_apply(const struct config *cfg, struct sm *sm, uint32_t kernels, uint32_t on);

/* SMK's shares (Wang et al., HPCA 2016): CTA by CTA to the kernel whose dominant share, the largest
 * of its shares of threads, CTAs, registers and shared memory, is the smallest (of equal ones the
 * first), as long as one fits. need: of a CTA, per kernel; ctas: what each gets. */
void partition_smk(const struct sm_resources *have, const struct sm_resources *need, uint32_t n,
                   uint32_t *ctas);

#endif
