/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas of warp instructions for kernels that share an SM (cke.quotas): a kernel that has used up
 * its quota waits until all kernels with CTAs on the SM have; then all quotas are refilled. SMK's
 * W: Wang et al., HPCA 2016. */
#ifndef MEMTWIN_SM_QUOTA_H
#define MEMTWIN_SM_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "sm/sm_kernel.h"

struct quota {
    bool on;
    uint32_t full[KERNELS_AT_ONCE], left[KERNELS_AT_ONCE];
};

/* Returns 0, or -1 with one line in err. */
int quota_check(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);
/* The keys are legal. */
void quota_init(struct quota *q, const struct config *cfg);

static inline void quota_issues(struct quota *q, uint32_t kernel) {
    if (q->left[kernel])
        q->left[kernel]--;
}
/* Refills the quotas of all kernels if no kernel has any left. */
void quota_refill(struct quota *q, const struct sm_kernel *kernel, uint32_t n);
/* Prints one line: the rest of each kernel's quota. */
void quota_dump(const struct quota *q, uint32_t kernels, uint32_t sm, FILE *out);

#endif
