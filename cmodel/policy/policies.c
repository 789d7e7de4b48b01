// SPDX-License-Identifier: Apache-2.0
#include "policy/policies.h"

#include <stddef.h>

#define VALUE(VALUE, name) &cache_policy_##name,
static const struct cache_policy *const l1d_bypass[] = {NULL, L1D_BYPASS_POLICIES(VALUE)};
static const struct cache_policy *const l1d_replacement[] = {NULL, L1D_VICTIM_POLICIES(VALUE)};
static const struct cache_policy *const l1d_partition[] = {NULL, L1D_PARTITION_POLICIES(VALUE)};
static const struct cache_policy *const l1d_observers[] = {L1D_OBSERVERS(VALUE)};
static const struct cache_policy *const l2_bypass[] = {NULL, L2_BYPASS_POLICIES(VALUE)};
static const struct cache_policy *const l2_replacement[] = {NULL, L2_VICTIM_POLICIES(VALUE)};

#define COUNT(values) (sizeof(values) / sizeof(values)[0])
#define KEY(cache, key, bypasses)                                                                  \
    {                                                                                              \
#cache "." #key, offsetof(struct config, cache##_##key), cache##_##key,                    \
            COUNT(cache##_##key), bypasses                                                         \
    }
const struct policy_key policy_keys[POLICY_KEYS] = {
    KEY(l1d, bypass, true), KEY(l1d, replacement, false), KEY(l1d, partition, false),
    KEY(l2, bypass, true), KEY(l2, replacement, false)};

static const struct cache_policy *chosen_by(const struct policy_key *key,
                                            const struct config *cfg) {
    return key->value[*(const int64_t *)(const void *)((const char *)cfg + key->offset)];
}

const struct cache_policy *l1d_bypass_policy(const struct config *cfg) {
    return l1d_bypass[cfg->l1d_bypass];
}

static uint32_t choose_policies(const struct config *cfg, uint32_t first, uint32_t keys,
                                const struct cache_policy *chosen[CACHE_POLICIES]) {
    uint32_t n = 0;
    for (uint32_t i = first; i < first + keys; i++)
        if (chosen_by(&policy_keys[i], cfg))
            chosen[n++] = chosen_by(&policy_keys[i], cfg);
    return n;
}

uint32_t l1d_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]) {
    uint32_t n = choose_policies(cfg, 0, L1D_POLICY_KEYS, chosen);
    _Static_assert(L1D_POLICY_KEYS + COUNT(l1d_observers) <= CACHE_POLICIES, "room for all");
    for (uint32_t i = 0; i < COUNT(l1d_observers); i++)
        chosen[n++] = l1d_observers[i];
    return n;
}

const struct cache_policy *l1d_leading_policy(const struct config *cfg) {
    const struct cache_policy *chosen[CACHE_POLICIES];
    const uint32_t n = cfg->l1d_enabled ? l1d_policies(cfg, chosen) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (chosen[i]->leads)
            return chosen[i];
    return NULL;
}

uint32_t l2_policies(const struct config *cfg, const struct cache_policy *chosen[CACHE_POLICIES]) {
    return choose_policies(cfg, L1D_POLICY_KEYS, L2_POLICY_KEYS, chosen);
}

/* Checks `keys` keys, from policy_keys[first] on. At most one of the selected policies may choose
 * victims. */
static int check_keys(const struct config *cfg, uint32_t first, uint32_t keys, uint32_t kernels,
                      struct error *err) {
    const struct policy_key *victim = NULL;
    for (const struct policy_key *key = &policy_keys[first]; key < &policy_keys[first + keys];
         key++) {
        const struct cache_policy *p = chosen_by(key, cfg);
        if (!p)
            continue;
        const bool decides = cache_policy_bypasses(p);
        if (key->bypasses && !decides)
            return error_set(err, "%s=%s: this policy lets nothing bypass the cache", key->name,
                             p->name);
        if (!key->bypasses && (!p->victim || decides || p->users || p->leads))
            return error_set(err, "%s=%s: this policy must choose victims and do nothing else",
                             key->name, p->name);
        if (p->check && p->check(cfg, kernels, err) != 0)
            return -1;
        if (p->victim && victim)
            return error_set(
                err, "%s=%s and %s=%s: both choose the line that a miss replaces; set only one",
                key->name, p->name, victim->name, chosen_by(victim, cfg)->name);
        victim = p->victim ? key : victim;
    }
    return 0;
}

int l1d_check_policies(const struct config *cfg, uint32_t kernels, struct error *err) {
    for (uint32_t i = 0; i < COUNT(l1d_observers); i++)
        if (l1d_observers[i]->check && l1d_observers[i]->check(cfg, kernels, err) != 0)
            return -1;
    return check_keys(cfg, 0, L1D_POLICY_KEYS, kernels, err);
}

int l2_check_policies(const struct config *cfg, struct error *err) {
    return check_keys(cfg, L1D_POLICY_KEYS, L2_POLICY_KEYS, 1, err);
}
