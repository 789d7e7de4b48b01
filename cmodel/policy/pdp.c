// SPDX-License-Identifier: Apache-2.0
/* Protects lines of an L1D from replacement (l1d.bypass=pdp). After a use, a line must not be
 * replaced before its set has accepted l1d.protect_distance more accesses. A load that would have
 * to replace a protected line bypasses the L1D or, if ways are claimed only at the fill, does not
 * keep its data in the L1D. Based on Duong et al.,
 * "Improving cache management policies using dynamic reuse distances", MICRO 2012, and Chen et al.,
 * "Adaptive cache management for energy-efficient GPU computing", MICRO 2014.
 *
 * In hardware, each way has a counter. A use sets it to the distance, and each later access
 * to the set decrements it until it is 0. The model numbers the accesses of a set instead. Since
 * every line has the same distance, the least protected way of a set is the least recently used
 * one. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "policy/policies.h"

struct pdp {
    const struct lines *lines; /* not owned */
    uint64_t distance;         /* protection distance in accesses */
    uint64_t *accesses;        /* owned; for each set, the number of accepted accesses */
    uint64_t *until; /* owned; for each way, the count in `accesses` at which its protection ends */
};

static int create_pdp(void **policy, const struct cache_policy_env *env, struct error *err) {
    struct pdp *p = *policy = alloc_zeroed(1, sizeof *p);
    (void)err, p->lines = env->lines;
    p->distance = (uint64_t)env->cfg->l1d_protect_distance;
    p->accesses = alloc_zeroed(env->lines->sets, sizeof *p->accesses);
    p->until = alloc_zeroed(lines_count(env->lines), sizeof *p->until);
    return 0;
}

static void destroy_pdp(void *policy) {
    struct pdp *p = policy;
    free(p->accesses);
    free(p->until);
    free(p);
}

/* Returns the alternative for a refused load. The load bypasses the L1D if it may not replace any
 * line of its set. */
static enum cache_detour refused_load(const void *policy, enum refusal why) {
    (void)policy;
    return why == REFUSE_WAY ? CACHE_DETOUR_WAIT : CACHE_STAY;
}

/* Returns the least recently used way, or WAY_NONE if that way is protected. Protection does not
 * apply to requests that write. */
static uint32_t choose_victim(const void *policy, uint32_t set, const struct request *r) {
    const struct pdp *p = policy;
    const uint32_t way = lines_victim(p->lines, set);
    if (request_writes(r) || way == WAY_NONE || p->lines->line[way] == LINE_NONE)
        return way;
    return p->accesses[set] < p->until[way] ? WAY_NONE : way;
}

/* Protects a way after a use. The access of this cycle has not been counted yet. */
static void touch_way(void *policy, uint32_t way) {
    struct pdp *p = policy;
    p->until[way] = p->accesses[way / p->lines->ways] + 1 + p->distance;
}

static void claim_way(void *policy, uint32_t way, const struct request *r) {
    (void)r;
    touch_way(policy, way);
}

/* Protects a filled way. A fill is not an access. */
static void fill_way(void *policy, uint32_t way) {
    struct pdp *p = policy;
    p->until[way] = p->accesses[way / p->lines->ways] + p->distance;
}

static void note_accepted(void *policy, const struct request *r, const struct cache_event *e) {
    struct pdp *p = policy;
    (void)r;
    p->accesses[e->set]++;
}

const struct cache_policy cache_policy_pdp = {
    .name = "pdp",
    .doc = "loads that miss while all ways of the set are protected (l1d.protect_distance)",
    .create = create_pdp,
    .destroy = destroy_pdp,
    .refused_load = refused_load,
    .victim = choose_victim,
    .claim = claim_way,
    .touch = touch_way,
    .fill = fill_way,
    .accept = note_accepted,
};
