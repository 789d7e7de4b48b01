// SPDX-License-Identifier: Apache-2.0
/* Attaches the observer to the L1D as a policy (cache/cache_policy.h) that decides nothing. */
#include <stdlib.h>

#include "addr_watch/addr_watch.h"
#include "cache/cache_policy.h"
#include "lib/alloc.h"

struct addr_watch_state {
    struct addr_watch observer;
    struct context *const *context;  /* not owned */
    struct stats *stats;             /* not owned */
    struct addr_watch_access access; /* access that the L1D accepted in this cycle */
};

static int check_keys(const struct config *cfg, uint32_t kernels, struct error *err) {
    (void)kernels;
    return addr_watch_check(cfg, err);
}

static int create_policy(void **policy, const struct cache_policy_env *env, struct error *err) {
    struct addr_watch_state *w = *policy = alloc_zeroed(1, sizeof *w);
    w->context = env->context;
    w->stats = env->stats;
    return addr_watch_init(&w->observer, &(*env->context)->blocks, env->cfg, env->map, env->sm,
                           err);
}

static void destroy_policy(void *policy) {
    struct addr_watch_state *w = policy;
    addr_watch_free(&w->observer);
    free(w);
}

static bool active(const void *policy) {
    return addr_watch_on(&((const struct addr_watch_state *)policy)->observer);
}

static void watch_accepted(void *policy, const struct request *r, const struct cache_event *e) {
    struct addr_watch_state *w = policy;
    w->access = (struct addr_watch_access){.valid = true, .line = r->line, .set = e->set};
}

static void tick_policy(void *policy) {
    struct addr_watch_state *w = policy;
    addr_watch_tick(&w->observer, *w->context, w->stats, w->access.valid ? &w->access : NULL);
    w->access.valid = false;
}

static void see_send(void *policy, const struct request *r, uint32_t bank) {
    struct addr_watch_state *w = policy;
    addr_watch_request(&w->observer, *w->context, w->stats, r->line, bank);
}

static void see_reply(void *policy, const struct request *r, const struct request_times *times) {
    struct addr_watch_state *w = policy;
    if (times->from_dram)
        addr_watch_reply(&w->observer, *w->context, w->stats, r->line, times->dram_line);
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct addr_watch_state *w = policy;
    return addr_watch_next_event(&w->observer) == 0 ? cycle : UINT64_MAX;
}

const struct cache_policy cache_policy_addr_watch = {
    .name = "addr_watch",
    .check = check_keys,
    .create = create_policy,
    .destroy = destroy_policy,
    .active = active,
    .accept = watch_accepted,
    .tick = tick_policy,
    .send = see_send,
    .reply = see_reply,
    .next_event = next_event,
};
