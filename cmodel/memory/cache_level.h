/* SPDX-License-Identifier: Apache-2.0 */
/* A cache level between the L2 banks of a partition and its DRAM channel: a cache (cache/cache.h),
 * write-back, LRU, with lines or sectors as the L2 has them. Loads that miss fetch their granule.
 * Write-backs of the L2 are kept without a fetch.
 *
 * A cycle accepts one request, sends one to the next level, and takes one reply from there. A
 * write-back waits while one of its sectors is in flight, or its line drains. Cycles are those of
 * the L2.
 */
#ifndef MEMTWIN_MEMORY_CACHE_LEVEL_H
#define MEMTWIN_MEMORY_CACHE_LEVEL_H

#include "cache/addr_map.h"
#include "cache/cache.h"
#include "dram/dram.h"
#include "lib/fifo.h"
#include "lib/timed_fifo.h"

/* Memory as those before it see it: memory/memory.h. */
struct memory {
    struct cache_level *level; /* NULL if DRAM comes next. Owned, except by copies in L2 banks */
    struct dram *dram;         /* not owned */
};

struct cache_level_keys {
    const char *name;
    int64_t sets, ways, latency, queue;
    bool sectored;
    struct mshr_keys mshr;
};

/* Statistics of a level. */
struct cache_level_stats {
    struct refusal_stats refusals;
    struct cache_mshr_stats mshr;
    enum stat_id cycles, accesses, hits, primary, secondary, stores, writebacks, fills;
};

/* A level is idle if all that it holds waits for the next level. First what each cycle uses. */
struct cache_level {
    struct cache cache;
    struct memory below;        /* the next level, or DRAM */
    const struct addr_map *map; /* not owned */
    struct fifo in, replies;    /* of L2 banks, for L2 banks */
    struct timed_fifo hits;     /* hit pipeline */
    uint32_t latency, channel;
    const char *name;
    const struct cache_level_stats *ids;
    struct stats stats;
};

/* Requests that a level can hold, at most. */
uint64_t cache_level_requests(const struct cache_level_keys *k);
/* channel: the number of its partition. Returns a level, which cache_level_destroy ends with those
 * below it, or NULL with one line in err. */
struct cache_level *cache_level_create(const struct cache_level_keys *k,
                                       const struct cache_level_stats *ids, struct context *context,
                                       const struct addr_map *map, const struct memory *below,
                                       uint32_t channel, char *err, size_t err_size);
void cache_level_destroy(struct cache_level *l);

static inline bool cache_level_full(const struct cache_level *l) {
    return fifo_full(&l->in);
}
/* A request of that L2 bank of the partition; the queue has a place. */
void cache_level_push(struct cache_level *l, uint32_t number, uint32_t bank);
/* The reply that waits for that bank, or REQUEST_NONE. */
static inline uint32_t cache_level_peek(const struct cache_level *l, uint32_t bank) {
    const uint32_t number = l->replies.count ? fifo_peek(&l->replies) : REQUEST_NONE;
    return number != REQUEST_NONE && request_at(&l->cache.context->pool, number)->dram.bank == bank
               ? number
               : REQUEST_NONE;
}
uint32_t cache_level_pop(struct cache_level *l);

/* One L2 cycle. */
void cache_level_tick(struct cache_level *l, uint64_t cycle);
/* The first cycle, from `cycle` on, that has to be ticked if no request comes; instant: that of the
 * cycle, this one or the next. */
uint64_t cache_level_next_event(const struct cache_level *l, uint64_t cycle, uint64_t instant);

/* Makes room for line data, or gives it back. */
void cache_level_carry(struct cache_level *l, bool on);
/* Overwrites the bytes that the level holds, in `data`. */
void cache_level_read_line(const struct cache_level *l, uint64_t line, uint8_t data[LINE_BYTES]);
void cache_level_add_stats(const struct cache_level *l, uint64_t cycle, struct stats *to);
void cache_level_gauges(const struct cache_level *l, uint64_t cycle, const struct gauge_reader *to);
void cache_level_dump(const struct cache_level *l, FILE *out);

#endif
