// SPDX-License-Identifier: Apache-2.0
/* Implements the bypass policies that use only the request or its refusal: l1d.bypass=global,
 * stall and line, and l2.bypass=stall and line. */
#include "policy/policies.h"

const struct cache_policy cache_policy_global = {
    .name = "global",
    .doc = "global loads that miss",
    .misses_bypass = true,
};

static enum cache_detour refused_stall(const void *policy, enum refusal why) {
    (void)policy, (void)why;
    return CACHE_DETOUR_NOW;
}

const struct cache_policy cache_policy_stall = {
    .name = "stall",
    .doc = "loads that would be refused, for any reason",
    .refused_load = refused_stall,
};

static enum cache_detour refused_line(const void *policy, enum refusal why) {
    (void)policy;
    return why == REFUSE_WAY ? CACHE_DETOUR_NOW : CACHE_STAY;
}

const struct cache_policy cache_policy_line = {
    .name = "line",
    .doc = "loads that would be refused because no way of the set may be replaced",
    .refused_load = refused_line,
};
