/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions the SMs among concurrent kernels (cke.partition): sets the maximum number of CTAs of
 * each kernel on each SM. Source: Dai, PhD dissertation, NC State 2017, section 4.2. */
#ifndef MEMTWIN_GPU_PARTITION_H
#define MEMTWIN_GPU_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "sm/sm.h"

/* Kinds of values of cke.partition. */
enum partition_kind {
    PARTITION_NONE,
    PARTITION_LEFTOVER,
    PARTITION_SPATIAL,
    PARTITION_SMK,
    PARTITION_CTAS, /* a list of each kernel's number of CTAs per SM */
};

/* Returns the kind of the value of cke.partition. It is PARTITION_CTAS for any text that is not one
 * of the words. */
enum partition_kind partition_kind(const struct config *cfg);
/* Values of cke.restart. */
enum { CKE_RESTART_VALUES(VALUE_ENUMERATOR) };

/* Checks the text of cke.partition, whatever number of kernels runs. Returns 0, or -1 with a
 * one-line message in err. */
int partition_check_key(const struct config *cfg, struct error *err);
/* Checks that the machine can run `kernels` concurrent kernels, 1..WORKLOADS_AT_ONCE. Returns 0, or
 * -1 with one line in err that contains the keys. */
int partition_check(const struct config *cfg, uint32_t kernels, struct error *err);

/* Checks that the machine can run kernels of a trace's streams at once. Returns 0, or -1 with one
 * line in err that contains the keys. */
int partition_check_streams(const struct config *cfg, struct error *err);

/* Checks that the CTAs listed in cke.partition fit on the SM together. All kernels must have been
 * launched on the SM. Returns 0, or -1 with one line in err. */
int partition_fits(const struct config *cfg, const struct sm *sm, uint32_t kernels,
                   struct error *err);
/* Sets the CTA limits on the SM for the running kernels. Bit k of `on` is 1 if kernel k runs. */
void partition_apply(const struct config *cfg, struct sm *sm, uint32_t kernels, uint32_t on);

/* Computes SMK's shares (Wang et al., HPCA 2016). While a CTA fits, the kernel with the smallest
 * dominant share gets a CTA. In a tie, the first kernel gets it. The dominant share is the largest
 * of the kernel's shares of warps, CTAs, registers and shared memory. `need` is the resources
 * that one CTA of each kernel needs. `ctas` receives each kernel's number of CTAs. */
void partition_smk(const struct sm_resources *have, const struct sm_resources *need, uint32_t n,
                   uint32_t *ctas);

#endif
