/* SPDX-License-Identifier: Apache-2.0 */
/* The policies that an L1D may have: policies.def. */
#ifndef MEMTWIN_POLICY_POLICIES_H
#define MEMTWIN_POLICY_POLICIES_H

#include "cache/cache_policy.h"

#define L1D_POLICY(name) extern const struct cache_policy l1d_policy_##name;
#define L1D_BYPASS_POLICY(VALUE, name) L1D_POLICY(name)
L1D_BYPASS_POLICIES(L1D_BYPASS_POLICY)
L1D_OTHER_POLICIES(L1D_POLICY)

/* The policy that l1d.bypass chooses; NULL: none. */
const struct cache_policy *l1d_bypass_policy(const struct config *cfg);
/* Those that other keys choose, ended by NULL. */
extern const struct cache_policy *const l1d_policies[];

/* Checks the keys of the policies, for that many kernels at once. Returns 0, or -1 with one line in
 * err. */
int l1d_check_policies(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);

#endif
