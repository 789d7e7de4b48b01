/* SPDX-License-Identifier: Apache-2.0 */
/* Counts a cache's refusals per cycle and per request. */
#ifndef MEMTWIN_CACHE_REFUSALS_H
#define MEMTWIN_CACHE_REFUSALS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "stats/stats.h"

enum refusal {
    REFUSE_NONE,
    REFUSE_ENTRY_FULL,     /* the MSHR has no free entry for a new granule */
    REFUSE_MERGE_FULL,     /* the granule's MSHR entry has no free slot */
    REFUSE_WAY,            /* no way of the set can be a victim */
    REFUSE_WALK,           /* the MSHR is walking to the entry's tail; counted separately */
    REFUSE_MISS_QUEUE,     /* no room for a fetch or a store */
    REFUSE_EVICT_BUFFER,   /* no room for a write to DRAM */
    REFUSE_RESPONSE_QUEUE, /* no room for the response or the reply */
    REFUSE_ORDER,          /* an earlier request for the same bytes must leave first */
    REFUSE_BYPASS_LIMIT,   /* too many bypassing loads are in flight */
    REFUSE_BYPASS_QUEUE,   /* no room in the miss queue for a request that bypasses the cache */
    REFUSALS
};

/* True if the refusal is for a resource that a miss needs. */
static inline bool refusal_of_miss(enum refusal why) {
    return why == REFUSE_WAY || why == REFUSE_ENTRY_FULL || why == REFUSE_MERGE_FULL ||
           why == REFUSE_MISS_QUEUE;
}

/* Statistics that count a cache's refusals. An element is 0 if the cache never has that refusal. */
struct refusal_stats {
    enum stat_id reason[REFUSALS]; /* cycle counts, also for REFUSE_WALK, which is not a refusal */
    enum stat_id cycles;
    enum stat_id requests, requests_entry_full, requests_merge_full;
};

/* `queue` is the last word of the name of the statistic for a full response queue. */
#define REFUSAL_STATS_OF(cache, queue)                                                             \
    .reason[REFUSE_WAY] = STAT_##cache##_refusals_no_way,                                          \
    .reason[REFUSE_ENTRY_FULL] = STAT_##cache##_refusals_entry_full,                               \
    .reason[REFUSE_MERGE_FULL] = STAT_##cache##_refusals_merge_full,                               \
    .reason[REFUSE_MISS_QUEUE] = STAT_##cache##_refusals_miss_queue,                               \
    .reason[REFUSE_RESPONSE_QUEUE] = STAT_##cache##_refusals_##queue,                              \
    .reason[REFUSE_ORDER] = STAT_##cache##_refusals_order, .cycles = STAT_##cache##_refusals,      \
    .requests = STAT_##cache##_refused, .requests_entry_full = STAT_##cache##_refused_entry_full,  \
    .requests_merge_full = STAT_##cache##_refused_merge_full

/* Refusals of the request at the head of the queue. */
struct refusals {
    const struct refusal_stats *ids; /* not owned */
    uint64_t counted;                /* number of refused cycles so far */
    enum refusal last;               /* refusal in the last refused cycle */
    uint8_t seen;                    /* classes of the request's refusals so far */
    bool standing;                   /* each cycle repeats the last refusal until something moves */
};

/* Classes of refusals: a refused request is counted once per class. */
enum { REFUSED_ENTRY_FULL = 1, REFUSED_MERGE_FULL = 2, REFUSED_OTHER = 4 };
_Static_assert((int)REFUSE_ENTRY_FULL == REFUSED_ENTRY_FULL &&
                   (int)REFUSE_MERGE_FULL == REFUSED_MERGE_FULL,
               "a reason that is a class of its own has its number");

static inline unsigned refusal_class(enum refusal why) {
    return why <= REFUSE_MERGE_FULL ? why : REFUSED_OTHER;
}

/* Counts a cycle in which the request is refused, and the request if the refusal's class is new.
 * `seen` contains the classes of the request's earlier refusals. */
static inline void refusals_count(const struct refusal_stats *ids, struct stats *s,
                                  enum refusal why, unsigned seen) {
#ifdef MEMTWIN_CHECKED
    assert(ids->reason[why]);
#endif
    stat_add(s, ids->cycles, 1);
    stat_add(s, ids->reason[why], 1);
    if (refusal_class(why) & seen)
        return;
    stat_add(s, ids->requests, !seen);
    stat_add(s, ids->requests_entry_full, why == REFUSE_ENTRY_FULL);
    stat_add(s, ids->requests_merge_full, why == REFUSE_MERGE_FULL);
}
/* Accounts for skipped cycles, in each of which the last refusal is repeated. */
static inline void refusals_advance(const struct refusals *r, struct stats *s, uint64_t cycles) {
    stat_add(s, r->ids->cycles, cycles);
    stat_add(s, r->ids->reason[r->last], cycles);
}

#endif
