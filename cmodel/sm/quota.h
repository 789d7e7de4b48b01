/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas of warp instructions for kernels that share an SM (cke.quotas). A kernel that has used
 * up its quota waits until all kernels with CTAs on the SM have used up their quotas. All quotas
 * are then refilled. This is the W scheme of SMK (Wang et al., HPCA 2016). */
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
    /* Quota and remaining quota of each kernel, in warp instructions. */
    uint32_t full[WORKLOADS_AT_ONCE], left[WORKLOADS_AT_ONCE];
};

/* Checks cke.quotas for the given number of kernels. Returns 0, or -1 with one line in err. */
int quota_check(const struct config *cfg, uint32_t kernels, struct error *err);
/* Initializes the quotas from keys that quota_check() has accepted. */
void quota_init(struct quota *q, const struct config *cfg);

static inline void quota_issues(struct quota *q, uint32_t kernel) {
    if (q->left[kernel])
        q->left[kernel]--;
}
/* Refills the quotas of all n kernels if no kernel with CTAs on the SM has any quota left. */
void quota_refill(struct quota *q, const struct sm_kernel *kernel, uint32_t n);
/* Prints the remaining quota of each kernel on one line. */
void quota_dump(const struct quota *q, uint32_t kernels, uint32_t sm, FILE *out);

#endif
