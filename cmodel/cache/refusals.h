/* SPDX-License-Identifier: Apache-2.0 */
/* Refused accesses of a cache, counted by cycle and by access; what the MSHR's answer to a miss
 * means. The same for the L1D and for the L2. */
#ifndef MEMTWIN_CACHE_REFUSALS_H
#define MEMTWIN_CACHE_REFUSALS_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/mshr_unit.h"
#include "context/context.h"
#include "stats/stats.h"

/* A cache's own numbers of the statistics. */
struct refusal_stats {
    enum stat_id cycles, entry_full, merge_full, walk;
    enum stat_id accesses, accesses_entry_full, accesses_merge_full;
};

#define REFUSAL_STATS_OF(cache)                                                                    \
    {                                                                                              \
        .cycles = STAT_##cache##_rf, .entry_full = STAT_##cache##_rf_entry_full,                   \
        .merge_full = STAT_##cache##_rf_merge_full, .walk = STAT_##cache##_walk_cycles,            \
        .accesses = STAT_##cache##_refused,                                                        \
        .accesses_entry_full = STAT_##cache##_refused_entry_full,                                  \
        .accesses_merge_full = STAT_##cache##_refused_merge_full,                                  \
    }

struct refusals {
    const struct refusal_stats *ids; /* not owned */
    uint8_t seen;                    /* why the head access was refused so far */
    bool standing;                   /* see refusals_stand */
    enum stat_id reason;             /* of the last refused cycle */
    uint64_t counted;                /* refused cycles so far */
};

/* The head access is refused in this cycle. Returns false. */
bool refusals_count(struct refusals *r, struct stats *s, enum stat_id reason);

/* After a cycle of the cache, which began with `counted` refused cycles; moved: something did in
 * it. A refusal stands if nothing moved: each cycle refuses the head access alike until something
 * does. */
static inline void refusals_stand(struct refusals *r, uint64_t counted, bool moved) {
    r->standing = !moved && r->counted != counted;
}

/* Instead of so many cycles of a refusal that stands. */
void refusals_advance(const struct refusals *r, struct stats *s, uint64_t cycles);

/* The head access is taken: the next one is another. */
static inline void refusals_end(struct refusals *r) {
    r->seen = 0;
}

/* The reason for which the MSHR has refused the request of a miss; a walk is none. */
enum stat_id refusals_of_mshr(const struct refusals *r, const struct mshr_unit *u);

/* The MSHR has answered the request of a miss. Returns true if it took it; if not, that is counted,
 * or a fault if it contradicts the tags (`absent`: they do not have the line). */
bool refusals_miss_taken(struct refusals *r, struct stats *s, struct context *c,
                         const struct mshr_unit *u, bool absent);

#endif
