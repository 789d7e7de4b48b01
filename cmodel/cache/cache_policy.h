/* SPDX-License-Identifier: Apache-2.0 */
/* What stands outside a cache and has a say in it, or only listens: who bypasses the cache, which
 * way a new line replaces, what became of each access. L1Ds and L2 banks know policies by this
 * interface alone. policy/policies.def lists them; docs/understand/cache.md says when each function
 * is called, and which ones an L2 bank calls.
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

/* Whether a load uses the cache. */
enum cache_use {
    CACHE_USE,
    CACHE_BYPASS_ALL /* it bypasses the cache even if its line is there */
};

/* Whether a load that the cache would refuse bypasses it instead. */
enum cache_detour {
    CACHE_STAY,       /* it is refused */
    CACHE_DETOUR_NOW, /* it bypasses the cache if that is possible in this cycle */
    CACHE_DETOUR_WAIT /* it bypasses the cache as soon as that is possible: until then an L1D
                       * refuses it for what the bypass lacks */
};

/* What becomes of a request, if nothing refuses it. */
enum cache_outcome {
    CACHE_IDLE, /* there is no request */
    CACHE_REFUSED,
    CACHE_HIT,
    CACHE_PRIMARY,    /* a miss that fetches its granule */
    CACHE_SECONDARY,  /* a miss that waits for a fetch in flight */
    CACHE_BYPASS,     /* it goes to the next level without the lines */
    CACHE_STORE,      /* a store that is kept, without a fetch */
    CACHE_THROUGH,    /* a store that goes on to the next level */
    CACHE_ATOMIC,     /* an atomic that goes on to the next level */
    CACHE_WRITE_BACK, /* dirty bytes of the way have to leave first; the request is refused */
};

/* What an accepted access does to the lines, were its policy to let it use them. */
enum cache_effect {
    CACHE_READS,  /* a load */
    CACHE_PASSES, /* a load that its instruction keeps out of the cache */
    CACHE_EVICTS, /* its granule leaves: an atomic of an L1D, or a store of a write-evict cache */
    CACHE_WRITES, /* a store that is kept, or an atomic of an L2 bank */
    CACHE_UPDATES /* a store that is written through, and updates the line if it is there */
};

/* What became of the request of a cycle: it was accepted, refused, or neither (there was none, or
 * its granule had to be looked up first). */
struct cache_event {
    bool accepted, refused;
    enum refusal why;           /* of a refused one */
    enum cache_use use;         /* what the policies said of it */
    enum cache_outcome outcome; /* of an accepted one, like the next three */
    enum cache_effect effect;
    uint32_t set, way; /* way: that held its line or got it; WAY_NONE: none */
};

/* The launch that begins: how many CTAs of it fit on an SM, and how many warps a CTA has. */
struct cache_launch {
    const struct kernel_launch *launch;
    uint32_t ctas, warps;
};

/* Warps or CTAs that a policy numbers to let some of them use the cache; n is 0 without one. */
struct cache_users {
    bool ctas;  /* CTAs, by their slot, else warps, by their number in the CTA */
    uint32_t n; /* on an SM */
};

/* What a policy is made for. Nothing is owned. */
struct cache_policy_env {
    const struct config *cfg;
    struct context *const *context;    /* of the cache */
    struct stats *stats;               /* of the SM, or of the L2 bank */
    struct stats *const *kernel_stats; /* by kernel; NULL unless several run, and in an L2 bank */
    const struct addr_map *map;
    struct lines *lines;
    uint32_t sm, bank; /* the number of the SM or of the L2 bank; the other one is 0 */
    uint32_t kernels;  /* that run at once; 1 for an L2 bank */
    void *leader;      /* state of the same policy on SM 0; NULL on SM 0 and in an L2 bank */
};

/* Functions that a policy does not need are NULL.
 *
 * `use`, `refused_load` and `victim` are asked any number of times about a request, and not in
 * cycles that are skipped. So they change no state that their answers depend on, unless next_event
 * has each cycle computed in which it does: state moves in `claim`, `touch`, `fill`, `accept`. */
struct cache_policy {
    const char *name;
    const char *doc; /* one line for `memtwin list policies` */
    bool leads; /* the policy of SM 0 decides for all: it gets the first CTA of each launch, and
                 * the SMs are ticked in their order, in one thread */
    bool misses_bypass; /* global loads bypass the cache unless they hit; in an L1D global requests
                         * skip the pipeline before the tags. An L2 bank sees no local loads */
    /* Checks its keys, for that many kernels at once. Returns 0, or -1 with one line in err. */
    int (*check)(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);
    /* Whether it is attached now: asked as the L1D is made (kernels 1), and again if several
     * kernels will run at once. NULL: yes. */
    bool (*wanted)(const struct cache_policy_env *env);
    /* Makes its state, which the other functions get as `policy`; NULL: it keeps none. Returns 0,
     * or -1 with one line in err. */
    int (*create)(void **policy, const struct cache_policy_env *env, char *err, size_t err_size);
    void (*destroy)(void *policy);
    /* Whether it takes part from now on; asked when a launch begins. NULL: always. */
    bool (*active)(const void *policy);
    void (*launch)(void *policy, const struct cache_launch *launch);
    struct cache_users (*users)(const void *policy);

    /* Whether the request that a cycle begins with uses the lines (NULL: there is none, in an L1D
     * alone); of a store it says only which queue its refusals are counted for. */
    enum cache_use (*use)(void *policy, const struct request *r, uint64_t cycle);
    /* A load would be refused: asked with each plan, and again if the MSHR refuses it. */
    enum cache_detour (*refused_load)(const void *policy, enum refusal why);
    /* The next five are of the policy that chooses victims. A cycle begins. */
    void (*begin)(void *policy, uint64_t cycle);
    /* The way that a new line may take for the request (at a fill: the first one that waits), from
     * set * ways up to (set + 1) * ways: it is neither pending nor pinned. WAY_NONE: there is none.
     * Another way ends the run. */
    uint32_t (*victim)(const void *policy, uint32_t set, const struct request *r);
    /* The way gets a new line, for that request. The old line is still in the tags. */
    void (*claim)(void *policy, uint32_t way, const struct request *r);
    /* An access uses the line of the way, which it has not claimed; a fill has claimed the way. */
    void (*touch)(void *policy, uint32_t way);
    void (*fill)(void *policy, uint32_t way);

    /* What became of the request of the cycle: `accept`, `refuse` or neither. */
    void (*accept)(void *policy, const struct request *r, const struct cache_event *e);
    void (*refuse)(void *policy, const struct request *r, const struct cache_event *e);
    /* The end of a cycle that is computed. */
    void (*tick)(void *policy);
    /* A request has left for that L2 bank; a reply has arrived. */
    void (*send)(void *policy, const struct request *r, uint32_t bank);
    void (*reply)(void *policy, const struct request *r, const struct request_times *times);
    /* The cache drops the lines from `first` up to `end`: an L1D at the end of a launch, an L2 bank
     * as a page leaves. */
    void (*drop)(void *policy, uint64_t first, uint64_t end);

    /* The first cycle, from `cycle` on, that has to be computed even if nothing arrives. */
    uint64_t (*next_event)(const void *policy, uint64_t cycle);
    /* Instead of that many cycles, each of which refuses the last request once more. */
    void (*advance)(void *policy, uint64_t cycles);
    /* number: of the SM or of the L2 bank. */
    void (*dump)(const void *policy, uint32_t number, FILE *out);
};

/* Whether it decides who bypasses the cache. */
static inline bool cache_policy_bypasses(const struct cache_policy *t) {
    return t->use || t->refused_load || t->misses_bypass;
}

#endif
