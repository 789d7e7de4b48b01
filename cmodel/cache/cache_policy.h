/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the interface of policies, which decide which requests bypass a cache, choose victims, or
 * only observe accesses and outcomes. L1Ds and L2 banks use policies only through this interface.
 * policy/policies.def lists them; docs/understand/cache.md says when each function is called, and
 * which functions an L2 bank calls.
 */
#ifndef MEMTWIN_CACHE_CACHE_POLICY_H
#define MEMTWIN_CACHE_CACHE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/lines.h"
#include "cache/refusals.h"
#include "config/config.h"
#include "context/context.h"
#include "kernel/kernel.h"
#include "lib/request.h"
#include "stats/stats.h"

struct addr_map;

/* Use of the cache by a load. */
enum cache_use {
    CACHE_USE,
    CACHE_BYPASS_ALL /* bypasses the cache even on a hit */
};

/* Alternative for a load that the cache would refuse. */
enum cache_detour {
    CACHE_STAY,       /* the load is refused */
    CACHE_DETOUR_NOW, /* the load bypasses the cache if that is possible in this cycle */
    CACHE_DETOUR_WAIT /* the load bypasses the cache as soon as possible; until then, an L1D
                         refuses it and names the resource that the bypass lacks */
};

/* Outcome of a request. */
enum cache_outcome {
    CACHE_IDLE, /* no request */
    CACHE_REFUSED,
    CACHE_HIT,
    CACHE_PRIMARY,    /* miss that sends a fetch for its granule */
    CACHE_SECONDARY,  /* miss that waits for a fetch in flight */
    CACHE_BYPASS,     /* goes to the next level without using the lines */
    CACHE_STORE,      /* store kept in the cache, without a fetch */
    CACHE_THROUGH,    /* store sent on to the next level */
    CACHE_ATOMIC,     /* atomic sent on to the next level */
    CACHE_WRITE_BACK, /* refused in this cycle, in which the way's dirty bytes are written back */
};

/* Effect of an accepted access on the lines, provided that the policy lets the access use them. */
enum cache_effect {
    CACHE_READS,  /* load that uses the cache */
    CACHE_PASSES, /* load whose instruction bypasses the cache */
    CACHE_EVICTS, /* evicts its granule: an atomic in an L1D, or a store in a write-evict cache */
    CACHE_WRITES, /* store kept in the cache, or an atomic in an L2 bank */
    CACHE_UPDATES /* write-through store that updates the line on a hit */
};

/* Result of a cycle: the request was accepted, refused, or neither. Neither means that there was no
 * request, or that the request's granule had to be looked up first. */
struct cache_event {
    bool accepted, refused;
    enum refusal why;           /* valid if the request was refused */
    enum cache_use use;         /* decision of the policies */
    enum cache_outcome outcome; /* valid if the request was accepted, as are effect, set and way */
    enum cache_effect effect;
    uint32_t set, way; /* way: the way that held the line or was assigned to it, or WAY_NONE */
};

/* A launch that begins. */
struct cache_launch {
    const struct kernel_launch *launch;
    uint32_t ctas, /* number of CTAs that fit on an SM */
        warps;     /* number of warps per CTA */
};

/* Users of the cache: the warps or CTAs that a policy numbers in order to let only some of them use
 * the cache. */
struct cache_users {
    bool ctas;  /* true if the users are CTAs, by slot; false if warps, by index in the CTA */
    uint32_t n; /* number of users on an SM; 0 if no policy numbers them */
};

/* Environment of a policy. No member is owned. */
struct cache_policy_env {
    const struct config *cfg;
    struct context *const *context;    /* context of the cache */
    struct stats *stats;               /* statistics of the SM or L2 bank */
    struct stats *const *kernel_stats; /* one per kernel; NULL if only one kernel runs, and in L2
                                          banks */
    const struct addr_map *map;
    struct lines *lines;
    uint32_t sm,      /* index of the SM; 0 in an L2 bank */
        bank;         /* index of the L2 bank; 0 in an L1D */
    uint32_t kernels; /* number of concurrent kernels; 1 for an L2 bank */
    void *leader;     /* state of the same policy on SM 0; NULL on SM 0 and in an L2 bank */
};

/* A function that a policy does not need is NULL.
 *
 * `use`, `refused_load` and `victim` may be called any number of times for a request, and are not
 * called in skipped cycles. Therefore, they must not change state on which their results depend,
 * except in cycles that next_event returns. A policy changes its state in `claim`, `touch`, `fill`
 * and `accept`. */
struct cache_policy {
    const char *name;
    const char *doc; /* one-line description for `memtwin list policies` */
    bool leads; /* the policy of SM 0 decides for all SMs: SM 0 gets the first CTA of each launch,
                   and the SMs are ticked in order */
    bool misses_bypass; /* global loads bypass the cache unless they hit; in an L1D, global requests
                           skip the pipeline in front of the tags. In an L2 bank, all loads are
                           global */
    /* Checks the policy's keys, given the number of concurrent kernels. Returns 0, or -1 with one
     * line in err. */
    int (*check)(const struct config *cfg, uint32_t kernels, struct error *err);
    /* True if the policy must be attached. Called when the L1D is created, with `kernels` = 1, and
     * again if several kernels will run concurrently. NULL means always. */
    bool (*wanted)(const struct cache_policy_env *env);
    /* Creates the policy's state, which is the argument `policy` of the other functions. NULL if
     * the policy has no state. Returns 0, or -1 with one line in err. */
    int (*create)(void **policy, const struct cache_policy_env *env, struct error *err);
    void (*destroy)(void *policy);
    /* True if the policy is active from this launch on. Called when a launch begins. NULL means
     * always. */
    bool (*active)(const void *policy);
    void (*launch)(void *policy, const struct cache_launch *launch);
    struct cache_users (*users)(const void *policy);

    /* Called at the start of a cycle. Returns whether the request uses the cache. `r` is NULL if
     * there is no request, which occurs only in an L1D. For a store, the result only selects the
     * queue for which the store's refusals are counted. */
    enum cache_use (*use)(void *policy, const struct request *r, uint64_t cycle);
    /* Returns the alternative for a load that would be refused. Called with each plan, and again if
     * the MSHR refuses the load. */
    enum cache_detour (*refused_load)(const void *policy, enum refusal why);
    /* Begins a cycle. This function and the next four belong to a victim policy. */
    void (*begin)(void *policy, uint64_t cycle);
    /* Returns the victim for the request (at a fill, the first waiting request), or WAY_NONE. The
     * victim must be one of the ways set * ways to (set + 1) * ways - 1, and neither pending nor
     * pinned. Any other way ends the run. */
    uint32_t (*victim)(const void *policy, uint32_t set, const struct request *r);
    /* Called when the way is claimed for the line of request `r`, while the tags still contain the
     * old line. */
    void (*claim)(void *policy, uint32_t way, const struct request *r);
    /* Called when an access uses the line of a way without claiming the way. */
    void (*touch)(void *policy, uint32_t way);
    /* Called when a fill has claimed the way. */
    void (*fill)(void *policy, uint32_t way);

    /* `accept` and `refuse` report the result of the cycle's request. If it is neither accepted nor
     * refused, neither function is called. */
    void (*accept)(void *policy, const struct request *r, const struct cache_event *e);
    void (*refuse)(void *policy, const struct request *r, const struct cache_event *e);
    /* Ends a cycle that is not skipped. */
    void (*tick)(void *policy);
    /* Called when a request leaves for L2 bank `bank`. */
    void (*send)(void *policy, const struct request *r, uint32_t bank);
    /* Called when a reply arrives. */
    void (*reply)(void *policy, const struct request *r, const struct request_times *times);
    /* Called when the cache drops the lines from `first` up to, but not including, `end`: in an L1D
     * at the end of a launch, in an L2 bank when a page is evicted. */
    void (*drop)(void *policy, uint64_t first, uint64_t end);

    /* Returns the first cycle, from `cycle` on, that must not be skipped even if no request or
     * reply arrives. */
    uint64_t (*next_event)(const void *policy, uint64_t cycle);
    /* Accounts for skipped cycles, in each of which the last request is refused again. */
    void (*advance)(void *policy, uint64_t cycles);
    /* Prints the policy's state. `number` is the index of the SM or L2 bank. */
    void (*dump)(const void *policy, uint32_t number, FILE *out);
};

/* True if the policy decides which requests bypass the cache. */
static inline bool cache_policy_bypasses(const struct cache_policy *t) {
    return t->use || t->refused_load || t->misses_bypass;
}

#endif
