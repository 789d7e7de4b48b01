// SPDX-License-Identifier: Apache-2.0
/* Implements static and model-driven bypassing as policies of the L1D (cache/cache_policy.h). */
#include <stdlib.h>

#include "cache/cache_policy.h"
#include "lib/alloc.h"
#include "mdb/mdb.h"

struct bypass {
    struct mdb mdb;
    struct mdb_bus bus; /* bus of SM 0's policy */
    bool leads;
    struct context *const *context; /* context, stats and cfg are not owned */
    struct stats *stats;
    const struct config *cfg;
};

static int check_keys(const struct config *cfg, uint32_t kernels, struct error *err) {
    (void)kernels;
    return mdb_check(cfg, err);
}

static int create_policy(void **policy, const struct cache_policy_env *env, struct error *err) {
    struct bypass *b = *policy = alloc_zeroed(1, sizeof *b);
    struct bypass *leader = env->leader;
    b->context = env->context;
    b->stats = env->stats;
    b->cfg = env->cfg;
    if (mdb_init(&b->mdb, &(*env->context)->blocks, env->cfg, env->sm, err) != 0)
        return -1;
    b->leads = !leader && b->mdb.scheme == BYPASS_MDB_GLOBAL;
    if (b->mdb.scheme == BYPASS_MDB_GLOBAL)
        b->mdb.bus = leader ? &leader->bus : &b->bus;
    return 0;
}

static void destroy_policy(void *policy) {
    struct bypass *b = policy;
    mdb_free(&b->mdb);
    free(b);
}

static void begin_launch(void *policy, const struct cache_launch *l) {
    struct bypass *b = policy;
    const struct mdb_users users = mdb_users_of(b->cfg, l->launch, l->ctas, l->warps);
    mdb_launch(&b->mdb, &users);
}

static struct cache_users users(const void *policy) {
    const struct bypass *b = policy;
    return (struct cache_users){b->mdb.users.ctas, b->mdb.users.n};
}

/* Returns whether the request uses the cache. If SM 0 makes a new decision, all SMs must tick in
 * the next cycle, because the decision may let a request through that another SM has refused. */
static enum cache_use choose_use(void *policy, const struct request *r, uint64_t cycle) {
    struct bypass *b = policy;
    const uint8_t user = r ? mdb_user(&b->mdb, r->origin.cta, r->origin.cta_warp) : 0;
    mdb_ask(&b->mdb, b->stats, r != NULL, user, cycle);
    if (b->leads && b->bus.since == cycle + 1)
        (*b->context)->sms_due = cycle + 1;
    return b->mdb.past ? CACHE_BYPASS_ALL : CACHE_USE;
}

static void note_accepted(void *policy, const struct request *r, const struct cache_event *e) {
    static const enum bpg_op op[] = {
        [CACHE_READS] = BPG_LOAD,   [CACHE_PASSES] = BPG_PASS,    [CACHE_EVICTS] = BPG_EVICT,
        [CACHE_WRITES] = BPG_WRITE, [CACHE_UPDATES] = BPG_UPDATE,
    };
    struct bypass *b = policy;
    mdb_taken(&b->mdb, b->stats, op[e->effect], r->line);
}

static void note_refused(void *policy, const struct request *r, const struct cache_event *e) {
    struct bypass *b = policy;
    (void)r;
    if (refusal_of_miss(e->why) && e->use != CACHE_BYPASS_ALL)
        mdb_refused(&b->mdb, b->stats);
}

static void tick_policy(void *policy) {
    mdb_tick(&((struct bypass *)policy)->mdb);
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct bypass *b = policy;
    return mdb_next_event(&b->mdb) == 0 ? cycle : UINT64_MAX;
}

static void advance_policy(void *policy, uint64_t cycles) {
    struct bypass *b = policy;
    if (b->mdb.refused)
        mdb_advance(&b->mdb, b->stats, cycles);
}

static void dump_policy(const void *policy, uint32_t sm, FILE *out) {
    mdb_dump(&((const struct bypass *)policy)->mdb, sm, out);
}

#define MDB_POLICY(NAME, DOC, LEADS)                                                               \
    {                                                                                              \
        .name = NAME, .doc = DOC, .leads = LEADS, .check = check_keys, .create = create_policy,    \
        .destroy = destroy_policy, .launch = begin_launch, .users = users, .use = choose_use,      \
        .accept = note_accepted, .refuse = note_refused, .tick = tick_policy,                      \
        .next_event = next_event, .advance = advance_policy, .dump = dump_policy                   \
    }

const struct cache_policy cache_policy_static =
    MDB_POLICY("static", "loads of all warps or CTAs except the first l1d.cache_users", false);
const struct cache_policy cache_policy_mdb_local = MDB_POLICY(
    "mdb_local", "loads of warps or CTAs chosen by model-driven bypassing, on each SM", false);
const struct cache_policy cache_policy_mdb_global = MDB_POLICY(
    "mdb_global", "loads of warps or CTAs chosen by model-driven bypassing on SM 0, for all SMs",
    true);
