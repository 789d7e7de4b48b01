// SPDX-License-Identifier: Apache-2.0
/* The observer as a policy of the L1D (cache/cache_policy.h): it listens and decides nothing. */
#include <stdlib.h>

#include "addr_watch/addr_watch.h"
#include "cache/cache_policy.h"
#include "lib/alloc.h"

struct watch {
    struct addr_watch observer;
    struct context *const *context; /* not owned, as `stats` */
    struct stats *stats;
    struct addr_watch_access access; /* that the cycle has accepted */
};

static int check(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    (void)kernels;
    return addr_watch_check(cfg, err, err_size);
}

static int create(void **policy, const struct cache_policy_env *env, char *err, size_t err_size) {
    struct watch *w = *policy = alloc_zeroed(1, sizeof *w);
    w->context = env->context;
    w->stats = env->stats;
    return addr_watch_init(&w->observer, &(*env->context)->blocks, env->cfg, env->map, env->sm, err,
                           err_size);
}

static void destroy(void *policy) {
    struct watch *w = policy;
    addr_watch_free(&w->observer);
    free(w);
}

static bool active(const void *policy) {
    return addr_watch_on(&((const struct watch *)policy)->observer);
}

static void accept(void *policy, const struct request *r, const struct cache_event *e) {
    struct watch *w = policy;
    w->access = (struct addr_watch_access){.valid = true, .line = r->line, .set = e->set};
}

static void tick(void *policy) {
    struct watch *w = policy;
    addr_watch_tick(&w->observer, *w->context, w->stats, w->access.valid ? &w->access : NULL);
    w->access.valid = false;
}

static void see_send(void *policy, const struct request *r, uint32_t bank) {
    struct watch *w = policy;
    addr_watch_packet(&w->observer, *w->context, w->stats, r->line, bank);
}

static void see_reply(void *policy, const struct request *r, const struct request_times *times) {
    struct watch *w = policy;
    if (times->from_dram)
        addr_watch_reply(&w->observer, *w->context, w->stats, r->line, times->dram_line);
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct watch *w = policy;
    return addr_watch_next_event(&w->observer) == 0 ? cycle : UINT64_MAX;
}

const struct cache_policy cache_policy_addr_watch = {
    .name = "addr_watch",
    .check = check,
    .create = create,
    .destroy = destroy,
    .active = active,
    .accept = accept,
    .tick = tick,
    .send = see_send,
    .reply = see_reply,
    .next_event = next_event,
};
