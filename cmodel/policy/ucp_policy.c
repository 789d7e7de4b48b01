// SPDX-License-Identifier: Apache-2.0
/* Implements utility-based partitioning as a policy of the L1D (l1d.partition=ucp). */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "policy/policies.h"
#include "policy/ucp.h"

struct shares {
    struct ucp ucp;
    const struct lines *lines;         /* not owned */
    struct stats *stats;               /* statistics of the SM; not owned */
    struct stats *const *kernel_stats; /* indexed by kernel; not owned */
};

static int check_keys(const struct config *cfg, uint32_t kernels, struct error *err) {
    if (kernels > cfg->l1d_ways)
        return error_set(err,
                         "l1d.partition=ucp: %" PRIu32
                         " workloads need at least as many ways, but l1d.ways=%" PRId64,
                         kernels, cfg->l1d_ways);
    return 0;
}

static bool is_wanted(const struct cache_policy_env *env) {
    return env->kernels > 1;
}

static int create_policy(void **policy, const struct cache_policy_env *env, struct error *err) {
    const uint64_t interval = (uint64_t)env->cfg->l1d_ucp_cycles;
    struct shares *s = *policy = alloc_zeroed(1, sizeof *s);
    (void)err, ucp_init(&s->ucp, env->lines, env->kernels, interval);
    s->lines = env->lines;
    s->stats = env->stats;
    s->kernel_stats = env->kernel_stats;
    return 0;
}

static void destroy_policy(void *policy) {
    struct shares *s = policy;
    ucp_free(&s->ucp);
    free(s);
}

static void count_share(struct stats *to, uint32_t ways) {
    stat_add(to, STAT_l1d_ucp_decisions, 1);
    stat_add(to, STAT_l1d_ucp_ways, ways);
}

static void begin_cycle(void *policy, uint64_t cycle) {
    struct shares *s = policy;
    if (s->ucp.decides > cycle)
        return;
    ucp_decide(&s->ucp, cycle);
    for (uint32_t k = 0; k < s->ucp.kernels; k++) {
        count_share(s->stats, s->ucp.share[k]);
        count_share(s->kernel_stats[k], s->ucp.share[k]);
    }
}

static uint32_t choose_victim(const void *policy, uint32_t set, const struct request *r) {
    const struct shares *s = policy;
    return ucp_victim(&s->ucp, s->lines, set, r->origin.kernel);
}

static void claim_way(void *policy, uint32_t way, const struct request *r) {
    struct shares *s = policy;
    if (s->lines->line[way] != LINE_NONE && s->ucp.owner[way] != r->origin.kernel)
        stat_add(s->stats, STAT_l1d_ucp_transfers, 1);
    ucp_own(&s->ucp, way, r->origin.kernel);
}

static void note_accepted(void *policy, const struct request *r, const struct cache_event *e) {
    struct shares *s = policy;
    if (e->effect == CACHE_READS || e->effect == CACHE_WRITES)
        ucp_use(&s->ucp, e->set, r->origin.kernel, r->line);
    else if (e->effect == CACHE_EVICTS)
        ucp_evict(&s->ucp, e->set, r->origin.kernel, r->line);
}

static void drop_lines(void *policy, uint64_t first, uint64_t end) {
    ucp_forget(&((struct shares *)policy)->ucp, first, end);
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct shares *s = policy;
    return s->ucp.decides > cycle ? s->ucp.decides : cycle;
}

static void dump_policy(const void *policy, uint32_t sm, FILE *out) {
    const struct ucp *u = &((const struct shares *)policy)->ucp;
    for (uint32_t k = 0; k < u->kernels; k++)
        fprintf(out, "l1d.%u workload %u has %u of %u ways\n", (unsigned)sm, (unsigned)k,
                (unsigned)u->share[k], (unsigned)u->ways);
}

const struct cache_policy cache_policy_ucp = {
    .name = "ucp",
    .doc = "shares of the ways for concurrent workloads, by utility (l1d.ucp_cycles)",
    .check = check_keys,
    .wanted = is_wanted,
    .create = create_policy,
    .destroy = destroy_policy,
    .begin = begin_cycle,
    .victim = choose_victim,
    .claim = claim_way,
    .accept = note_accepted,
    .drop = drop_lines,
    .next_event = next_event,
    .dump = dump_policy,
};
