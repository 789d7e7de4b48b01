// SPDX-License-Identifier: Apache-2.0
#include "policy/policies.h"

#define ENTRY(name) &l1d_policy_##name,
#define BYPASS_ENTRY(VALUE, name) ENTRY(name)
const struct cache_policy *const l1d_policies[] = {L1D_OTHER_POLICIES(ENTRY) NULL};

const struct cache_policy *l1d_bypass_policy(const struct config *cfg) {
    static const struct cache_policy *const policies[] = {NULL, L1D_BYPASS_POLICIES(BYPASS_ENTRY)};
    return policies[cfg->l1d_bypass];
}

static int check(const struct cache_policy *p, const struct config *cfg, uint32_t kernels,
                 char *err, size_t err_size) {
    return p && p->check ? p->check(cfg, kernels, err, err_size) : 0;
}

int l1d_check_policies(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    if (check(l1d_bypass_policy(cfg), cfg, kernels, err, err_size) != 0)
        return -1;
    for (const struct cache_policy *const *p = l1d_policies; *p; p++)
        if (check(*p, cfg, kernels, err, err_size) != 0)
            return -1;
    return 0;
}
