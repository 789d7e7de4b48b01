/* SPDX-License-Identifier: Apache-2.0 */
/* The policies that an L1D may have: policies.def. */
#ifndef MEMTWIN_POLICY_POLICIES_H
#define MEMTWIN_POLICY_POLICIES_H

#include "cache/cache.h"

#define L1D_POLICY(VALUE, name) extern const struct cache_policy l1d_policy_##name;
L1D_BYPASS_POLICIES(L1D_POLICY)
L1D_VICTIM_POLICIES(L1D_POLICY)
L1D_OBSERVERS(L1D_POLICY)

/* The policy that l1d.bypass chooses; NULL: none. */
const struct cache_policy *l1d_bypass_policy(const struct config *cfg);
/* Writes all policies that the configuration chooses. Returns how many. */
uint32_t l1d_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]);

/* Checks the keys of the policies, for that many kernels at once. Returns 0, or -1 with one line in
 * err. */
int l1d_check_policies(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);

#endif
