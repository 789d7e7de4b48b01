// SPDX-License-Identifier: Apache-2.0
/* Attaches policies to a cache and calls them. */
#include "cache/cache.h"

static bool listens(const struct cache_policy *t) {
    return t->accept || t->refuse || t->tick || t->send || t->reply || t->next_event || t->advance;
}

/* Sorts the policies that are active from this launch on by the calls that they need. */
static void sort(struct cache_policies *p) {
    p->bypass = p->victim = (struct cache_policy_of){0};
    p->asked = p->misses_bypass = false;
    p->listeners = 0;
    for (uint32_t i = 0; i < p->n_all; i++) {
        const struct cache_policy *type = p->all[i].type;
        if (type->active && !type->active(p->all[i].state))
            continue;
        p->asked |= type->use || type->begin;
        p->misses_bypass |= type->misses_bypass;
        if (cache_policy_bypasses(type))
            p->bypass = p->all[i];
        if (type->victim)
            p->victim = p->all[i];
        if (listens(type))
            p->listener[p->listeners++] = p->all[i];
    }
}

static const struct cache_policy_of *find_policy(const struct cache *c,
                                                 const struct cache_policy *type) {
    for (uint32_t i = 0; c && i < c->policies.n_all; i++)
        if (c->policies.all[i].type == type)
            return &c->policies.all[i];
    return NULL;
}

/* Returns the name of an attached policy that conflicts with `type`, or NULL. A cache has at most
 * one bypass policy and one victim policy. */
static const char *conflict(const struct cache_policies *p, const struct cache_policy *type) {
    for (uint32_t i = 0; i < p->n_all; i++) {
        const struct cache_policy *other = p->all[i].type;
        if ((type->victim && other->victim) ||
            (cache_policy_bypasses(type) && cache_policy_bypasses(other)))
            return other->name;
    }
    return NULL;
}

/* Returns an error message that names functions of the policy that no cache would call, or NULL if
 * there are no such functions. */
static const char *useless(const struct cache_policy *t) {
    if ((t->begin || t->claim || t->touch || t->fill) && !t->victim)
        return "begin, claim, touch or fill without victim";
    return t->users && !t->use ? "users without use" : NULL;
}

int cache_add_policy(struct cache *c, const struct cache_policy *type,
                     const struct cache_policy_env *env, const struct cache *leader,
                     struct error *err) {
    struct cache_policies *p = &c->policies;
    struct cache_policy_env own = *env;
    const struct cache_policy_of *lead = find_policy(leader, type);
    struct cache_policy_of *added = &p->all[p->n_all];
    const char *other = conflict(p, type), *fault = useless(type);
    own.context = &c->context;
    own.stats = c->stats;
    own.kernel_stats = c->kernel_stats;
    own.lines = &c->lines;
    own.leader = lead ? lead->state : NULL;
    if (find_policy(c, type) || (type->wanted && !type->wanted(&own)))
        return 0;
    if (fault)
        return error_set(err, "policy %s: %s", type->name, fault);
    if (other)
        return error_set(err, "policies %s and %s both decide: use only one of them", other,
                         type->name);
    if (p->n_all == CACHE_POLICIES)
        return error_set(err, "a cache has more than %d policies", CACHE_POLICIES);
    *added = (struct cache_policy_of){type, NULL};
    const int bad = type->create ? type->create(&added->state, &own, err) : 0;
    p->n_all += !bad || added->state; /* an incomplete policy is destroyed with the others */
    sort(p);
    return bad;
}

void *cache_policy_state(const struct cache *c, const struct cache_policy *type) {
    const struct cache_policy_of *p = find_policy(c, type);
    return p ? p->state : NULL;
}

void cache_launch(struct cache *c, const struct cache_launch *launch) {
    struct cache_policies *p = &c->policies;
    for (uint32_t i = 0; i < p->n_all; i++)
        if (p->all[i].type->launch)
            p->all[i].type->launch(p->all[i].state, launch);
    sort(p);
}

struct cache_users cache_users(const struct cache *c) {
    const struct cache_policy_of *p = &c->policies.bypass;
    return p->type && p->type->users ? p->type->users(p->state) : (struct cache_users){false, 0};
}

uint32_t cache_policy_victim(const struct cache *c, uint32_t set, const struct request *r) {
    const struct cache_policy_of *p = &c->policies.victim;
    const struct lines *t = &c->lines;
    const uint32_t way = p->type->victim(p->state, set, r);
    if (way == WAY_NONE || (way / t->ways == set && !lines_busy(t, way)))
        return way;
    context_fail(c->context, CONTEXT_BROKEN, "policy %s: way %u of set %u may not be replaced",
                 p->type->name, (unsigned)way, (unsigned)set);
    return WAY_NONE;
}

void cache_begin_policies(struct cache *c, uint64_t cycle) {
    const struct cache_policy_of *p = &c->policies.victim;
    if (p->type && p->type->begin)
        p->type->begin(p->state, cycle);
}

void cache_ask_policy(struct cache *c, const struct request *r, uint64_t cycle) {
    const struct cache_policy_of *p = &c->policies.bypass;
    const bool asked = p->type && p->type->use;
    const enum cache_use use = asked ? p->type->use(p->state, r, cycle) : CACHE_USE;
    c->use = use > c->use ? use : c->use;
}

void cache_tell_policies(struct cache *c, const struct request *r, const struct cache_event *e) {
    struct cache_policies *p = &c->policies;
    for (uint32_t i = 0; i < p->listeners; i++) {
        const struct cache_policy *type = p->listener[i].type;
        void *state = p->listener[i].state;
        if (e->accepted && type->accept)
            type->accept(state, r, e);
        if (e->refused && type->refuse)
            type->refuse(state, r, e);
        if (type->tick)
            type->tick(state);
    }
}

void cache_tell_send(struct cache *c, const struct request *r, uint32_t bank) {
    for (uint32_t i = 0; i < c->policies.listeners; i++) {
        const struct cache_policy_of *p = &c->policies.listener[i];
        if (p->type->send)
            p->type->send(p->state, r, bank);
    }
}

void cache_tell_reply(struct cache *c, const struct request *r, const struct request_times *times) {
    for (uint32_t i = 0; i < c->policies.listeners; i++) {
        const struct cache_policy_of *p = &c->policies.listener[i];
        if (p->type->reply)
            p->type->reply(p->state, r, times);
    }
}

void cache_tell_drop(struct cache *c, uint64_t first, uint64_t end) {
    for (uint32_t i = 0; i < c->policies.n_all; i++)
        if (c->policies.all[i].type->drop)
            c->policies.all[i].type->drop(c->policies.all[i].state, first, end);
}

uint64_t cache_policies_next_event(const struct cache *c, uint64_t cycle) {
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < c->policies.listeners; i++) {
        const struct cache_policy_of *p = &c->policies.listener[i];
        const uint64_t event = p->type->next_event ? p->type->next_event(p->state, cycle) : next;
        next = event < next ? event : next;
    }
    return next;
}

__attribute__((noinline)) void cache_policies_advance(struct cache *c, uint64_t cycles) {
    for (uint32_t i = 0; i < c->policies.listeners; i++) {
        const struct cache_policy_of *p = &c->policies.listener[i];
        if (p->type->advance)
            p->type->advance(p->state, cycles);
    }
}

void cache_policies_dump(const struct cache *c, uint32_t number, FILE *out) {
    for (uint32_t i = 0; i < c->policies.n_all; i++)
        if (c->policies.all[i].type->dump)
            c->policies.all[i].type->dump(c->policies.all[i].state, number, out);
}
