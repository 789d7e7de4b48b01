/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the policies of the L1D and of L2 banks, which are listed in policies.def. */
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

/* Key that selects a policy. */
struct policy_key {
    const char *name;                        /* name of the key, for example l1d.bypass */
    size_t offset;                           /* offset of the key's value in struct config */
    const struct cache_policy *const *value; /* value[0] is NULL, which means no policy */
    uint32_t values;                         /* number of values */
    bool bypasses; /* true if the key's values are bypass policies, false if they are victim
                      policies */
};

enum { L1D_POLICY_KEYS = 3, L2_POLICY_KEYS = 2, POLICY_KEYS = L1D_POLICY_KEYS + L2_POLICY_KEYS };
extern const struct policy_key policy_keys[POLICY_KEYS]; /* the keys of the L1D come first */

/* Returns the policy selected by l1d.bypass, or NULL if there is none. */
const struct cache_policy *l1d_bypass_policy(const struct config *cfg);
/* Returns the first leading policy of an L1D (cache_policy.h), or NULL if there is none. */
const struct cache_policy *l1d_leading_policy(const struct config *cfg);
/* Store all policies of an L1D, including observers, or of an L2 bank in `chosen`. Return their
 * number. */
uint32_t l1d_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]);
uint32_t l2_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]);

/* Check the keys that select policies. `kernels` is the number of concurrent kernels. Return 0, or
 * -1 with one line in err. */
int l1d_check_policies(const struct config *cfg, uint32_t kernels, struct error *err);
int l2_check_policies(const struct config *cfg, struct error *err);

#endif
