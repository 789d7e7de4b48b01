/* SPDX-License-Identifier: Apache-2.0 */
/* The policies that an L1D and an L2 bank may have: policies.def. */
#ifndef MEMTWIN_POLICY_POLICIES_H
#define MEMTWIN_POLICY_POLICIES_H

#include "cache/cache.h"

#define POLICY(VALUE, name) extern const struct cache_policy cache_policy_##name;
L1D_BYPASS_POLICIES(POLICY)
L1D_VICTIM_POLICIES(POLICY)
L1D_PARTITION_POLICIES(POLICY)
L1D_OBSERVERS(POLICY)
L2_BYPASS_POLICIES(POLICY)
L2_VICTIM_POLICIES(POLICY)

/* A key whose values are policies. */
struct policy_key {
    const char *name;                        /* l1d.bypass */
    size_t at;                               /* of its value in struct config */
    const struct cache_policy *const *value; /* the first is NULL: no policy */
    uint32_t values;
    bool bypasses; /* they decide who bypasses the cache, else which line leaves */
};

enum { L1D_POLICY_KEYS = 3, L2_POLICY_KEYS = 2, POLICY_KEYS = L1D_POLICY_KEYS + L2_POLICY_KEYS };
extern const struct policy_key policy_keys[POLICY_KEYS]; /* those of the L1D first */

/* The policy that l1d.bypass chooses, or NULL. */
const struct cache_policy *l1d_bypass_policy(const struct config *cfg);
/* The first policy of an L1D that leads (cache_policy.h), or NULL. */
const struct cache_policy *l1d_leading_policy(const struct config *cfg);
/* Writes all policies that the configuration chooses for an L1D or an L2 bank. Returns how many. */
uint32_t l1d_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]);
uint32_t l2_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]);

/* Checks the keys of the policies, those of the L1D for that many kernels at once. Returns 0, or -1
 * with one line in err. */
int l1d_check_policies(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);
int l2_check_policies(const struct config *cfg, char *err, size_t err_size);

#endif
