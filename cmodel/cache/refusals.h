/* SPDX-License-Identifier: Apache-2.0 */
/* Why a cache refuses a request in a cycle, and the counting of it: by cycle, and by request. */
#ifndef MEMTWIN_CACHE_REFUSALS_H
#define MEMTWIN_CACHE_REFUSALS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "stats/stats.h"

enum refusal {
    REFUSE_NONE,
    REFUSE_ENTRY_FULL,     /* the MSHR has no entry for another granule */
    REFUSE_MERGE_FULL,     /* the granule's MSHR entry has no slot for another request */
    REFUSE_WAY,            /* no way of the set may be replaced */
    REFUSE_WALK,           /* the MSHR looks for the tail of the entry; counted apart */
    REFUSE_MISS_QUEUE,     /* no place for a fetch or a store */
    REFUSE_EVICT_BUFFER,   /* no place for a write to DRAM */
    REFUSE_RESPONSE_QUEUE, /* no place for the response or the reply */
    REFUSE_ORDER,          /* an older request to the same bytes has to finish */
    REFUSE_BYPASS_LIMIT,   /* as many loads bypass the cache as may */
    REFUSE_BYPASS_QUEUE,   /* a request that bypasses the cache finds no place in the miss queue */
    REFUSALS
};

/* The request lacked what a miss needs. */
static inline bool refusal_of_miss(enum refusal why) {
    return why == REFUSE_WAY || why == REFUSE_ENTRY_FULL || why == REFUSE_MERGE_FULL ||
           why == REFUSE_MISS_QUEUE;
}

/* The counters of a cache. 0: this cache refuses nothing for that reason. */
struct refusal_stats {
    enum stat_id reason[REFUSALS]; /* cycles; REFUSE_WALK: no refusal, only counted here */
    enum stat_id cycles;
    enum stat_id requests, requests_entry_full, requests_merge_full;
};

#define REFUSAL_STATS_OF(cache)                                                                    \
    .reason[REFUSE_WAY] = STAT_##cache##_rf_line,                                                  \
    .reason[REFUSE_ENTRY_FULL] = STAT_##cache##_rf_entry_full,                                     \
    .reason[REFUSE_MERGE_FULL] = STAT_##cache##_rf_merge_full,                                     \
    .reason[REFUSE_MISS_QUEUE] = STAT_##cache##_rf_miss_queue,                                     \
    .reason[REFUSE_RESPONSE_QUEUE] = STAT_##cache##_rf_rsp_queue,                                  \
    .reason[REFUSE_ORDER] = STAT_##cache##_rf_order, .cycles = STAT_##cache##_rf,                  \
    .requests = STAT_##cache##_refused, .requests_entry_full = STAT_##cache##_refused_entry_full,  \
    .requests_merge_full = STAT_##cache##_refused_merge_full

/* Of the request that waits first. */
struct refusals {
    const struct refusal_stats *ids; /* not owned */
    uint64_t counted;                /* refused cycles so far */
    enum refusal last;               /* of the last refused cycle */
    uint8_t seen;                    /* classes of reasons for which the request was refused */
    bool standing;                   /* each cycle refuses it alike until something moves */
};

/* Classes of reasons, by which distinct requests are counted. */
enum { REFUSED_ENTRY_FULL = 1, REFUSED_MERGE_FULL = 2, REFUSED_OTHER = 4 };
_Static_assert((int)REFUSE_ENTRY_FULL == REFUSED_ENTRY_FULL &&
                   (int)REFUSE_MERGE_FULL == REFUSED_MERGE_FULL,
               "a reason that is a class of its own has its number");

static inline unsigned refusal_class(enum refusal why) {
    return why <= REFUSE_MERGE_FULL ? why : REFUSED_OTHER;
}

/* Counts a cycle that refuses the request for that reason, in one of the statistics that it belongs
 * to. seen: classes of reasons for which the request was refused before. */
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
/* Instead of that many cycles of a refusal that stands. */
static inline void refusals_advance(const struct refusals *r, struct stats *s, uint64_t cycles) {
    stat_add(s, r->ids->cycles, cycles);
    stat_add(s, r->ids->reason[r->last], cycles);
}

#endif
