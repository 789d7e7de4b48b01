// SPDX-License-Identifier: Apache-2.0
/* Bypassing by the request alone, or by what it lacks: l1d.bypass=global, stall, line. */
#include "policy/policies.h"

/* Global loads bypass the cache unless they hit. */
const struct cache_policy l1d_policy_global = {.name = "global", .misses_bypass = true};

/* Loads that would be refused bypass the cache, for whatever they lack. */
static enum cache_detour refused_stall(void *policy, enum refusal why) {
    (void)policy, (void)why;
    return CACHE_DETOUR_NOW;
}

const struct cache_policy l1d_policy_stall = {.name = "stall", .refused_load = refused_stall};

/* The same, but only those that lack a way. */
static enum cache_detour refused_line(void *policy, enum refusal why) {
    (void)policy;
    return why == REFUSE_WAY ? CACHE_DETOUR_NOW : CACHE_STAY;
}

const struct cache_policy l1d_policy_line = {.name = "line", .refused_load = refused_line};
