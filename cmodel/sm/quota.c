// SPDX-License-Identifier: Apache-2.0
#include "sm/quota.h"

#include <inttypes.h>
#include <string.h>

#include "lib/numbers.h"
#include "limiter/limiter.h"

static uint32_t read_quotas(const struct config *cfg, uint32_t quota[WORKLOADS_AT_ONCE]) {
    return numbers_read(cfg->cke_quotas, 1000000, false, quota, WORKLOADS_AT_ONCE);
}

static bool is_wanted(const struct config *cfg) {
    return strcmp(cfg->cke_quotas, "none") != 0;
}

int quota_check(const struct config *cfg, uint32_t kernels, struct error *err) {
    uint32_t quota[WORKLOADS_AT_ONCE];
    if (!is_wanted(cfg))
        return 0;
    const uint32_t n = read_quotas(cfg, quota);
    if (n && kernels == 1)
        return 0;
    if (n != kernels)
        return error_set(err,
                         "cke.quotas needs a quota of 1 to 1000000 for each of %" PRIu32
                         " workloads, for example 900,300; not '%s'",
                         kernels, cfg->cke_quotas);
    if (limiter_wanted(cfg))
        return error_set(err,
                         "cke.quotas=%s and a limiter (mil.limit, mil.order) exclude each other",
                         cfg->cke_quotas);
    return 0;
}

void quota_init(struct quota *q, const struct config *cfg) {
    q->on = is_wanted(cfg);
    if (!q->on)
        return;
    read_quotas(cfg, q->full);
    memcpy(q->left, q->full, sizeof q->left);
}

void quota_refill(struct quota *q, const struct sm_kernel *kernel, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (kernel[k].live_ctas && q->left[k])
            return;
    memcpy(q->left, q->full, sizeof q->left);
}

void quota_dump(const struct quota *q, uint32_t kernels, uint32_t sm, FILE *out) {
    if (!q->on)
        return;
    fprintf(out, "sm.%u quotas left:", (unsigned)sm);
    for (uint32_t k = 0; k < kernels; k++)
        fprintf(out, "%s workload %" PRIu32 ": %" PRIu32 " of %" PRIu32, k ? ";" : "", k,
                q->left[k], q->full[k]);
    fputc('\n', out);
}
