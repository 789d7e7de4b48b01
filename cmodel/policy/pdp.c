// SPDX-License-Identifier: Apache-2.0
/* Protection distances of an L1D's lines: l1d.bypass=pdp. After a use, a line may not be replaced
 * before its set has accepted l1d.protect_distance more accesses. A load that would have to replace
 * it bypasses the L1D, or its data are not kept. After Duong et al., "Improving cache management
 * policies using dynamic reuse distances", MICRO 2012, and Chen et al., "Adaptive cache management
 * for energy-efficient GPU computing", MICRO 2014.
 *
 * In hardware each way has a counter that a use sets to the distance, and that each access to the
 * set counts down to 0. Here the accesses of a set are numbered instead. Since every line has the
 * same distance, the least protected way of a set is the least recently used one.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "policy/policies.h"

struct pdp {
    const struct lines *lines; /* not owned */
    uint64_t distance;         /* accesses */
    uint64_t *accesses;        /* owned; per set: those that it has accepted */
    uint64_t *until;           /* owned; per way: number of the access that ends its protection */
};

static int create(void **policy, const struct cache_policy_env *env, char *err, size_t err_size) {
    struct pdp *p = *policy = alloc_zeroed(1, sizeof *p);
    (void)err, (void)err_size;
    p->lines = env->lines;
    p->distance = (uint64_t)env->cfg->l1d_protect_distance;
    p->accesses = alloc_zeroed(env->lines->sets, sizeof *p->accesses);
    p->until = alloc_zeroed(lines_count(env->lines), sizeof *p->until);
    return 0;
}

static void destroy(void *policy) {
    struct pdp *p = policy;
    free(p->accesses);
    free(p->until);
    free(p);
}

/* A load that may replace no line bypasses the cache. */
static enum cache_detour refused_load(const void *policy, enum refusal why) {
    (void)policy;
    return why == REFUSE_WAY ? CACHE_DETOUR_WAIT : CACHE_STAY;
}

/* Stores replace protected lines too. */
static uint32_t victim(const void *policy, uint32_t set, const struct request *r) {
    const struct pdp *p = policy;
    const uint32_t way = lines_victim(p->lines, set);
    if (request_writes(r) || way == WAY_NONE || p->lines->line[way] == LINE_NONE)
        return way;
    return p->accesses[set] < p->until[way] ? WAY_NONE : way;
}

/* The access of this cycle is not counted yet. */
static void touch(void *policy, uint32_t way) {
    struct pdp *p = policy;
    p->until[way] = p->accesses[way / p->lines->ways] + 1 + p->distance;
}

static void claim(void *policy, uint32_t way, const struct request *r) {
    (void)r;
    touch(policy, way);
}

/* A fill is no access. */
static void fill(void *policy, uint32_t way) {
    struct pdp *p = policy;
    p->until[way] = p->accesses[way / p->lines->ways] + p->distance;
}

static void accept(void *policy, const struct request *r, const struct cache_event *e) {
    struct pdp *p = policy;
    (void)r;
    p->accesses[e->set]++;
}

const struct cache_policy cache_policy_pdp = {
    .name = "pdp",
    .doc = "loads that miss while all ways of the set are protected (l1d.protect_distance)",
    .create = create,
    .destroy = destroy,
    .refused_load = refused_load,
    .victim = victim,
    .claim = claim,
    .touch = touch,
    .fill = fill,
    .accept = accept,
};
