// SPDX-License-Identifier: Apache-2.0
#include "policy/policies.h"

#define ENTRY(VALUE, name) &l1d_policy_##name,

const struct cache_policy *l1d_bypass_policy(const struct config *cfg) {
    static const struct cache_policy *const policies[] = {NULL, L1D_BYPASS_POLICIES(ENTRY)};
    return policies[cfg->l1d_bypass];
}

uint32_t l1d_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]) {
    static const struct cache_policy *const victim[] = {NULL, L1D_VICTIM_POLICIES(ENTRY)};
    static const struct cache_policy *const observers[] = {L1D_OBSERVERS(ENTRY)};
    const uint32_t n_observers = sizeof observers / sizeof observers[0];
    uint32_t n = 0;
    _Static_assert(sizeof observers / sizeof observers[0] <= CACHE_POLICIES - 2, "room for all");
    if (l1d_bypass_policy(cfg))
        chosen[n++] = l1d_bypass_policy(cfg);
    if (victim[cfg->l1d_partition])
        chosen[n++] = victim[cfg->l1d_partition];
    for (uint32_t i = 0; i < n_observers; i++)
        chosen[n++] = observers[i];
    return n;
}

int l1d_check_policies(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    const struct cache_policy *chosen[CACHE_POLICIES];
    const uint32_t n = l1d_policies(cfg, chosen);
    for (uint32_t i = 0; i < n; i++)
        if (chosen[i]->check && chosen[i]->check(cfg, kernels, err, err_size) != 0)
            return -1;
    return 0;
}
