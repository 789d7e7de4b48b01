/* SPDX-License-Identifier: Apache-2.0 */
/* The misses of a cache: fetches in flight, each with the requests that wait for it. A miss is
 * named by the MSHR entry that tracks it. What an access needs depends on whether its granule is in
 * flight, so the cache has to find that before it asks the MSHR.
 *
 * A granule is what one fetch brings: a line, or in a sectored cache line * LINE_SECTORS + sector.
 * A miss begins when the MSHR has accepted its first request, and ends at RET: its requests may
 * still drain then, but the MSHR may have given the entry to another miss.
 */
#ifndef MEMTWIN_CACHE_MISSES_H
#define MEMTWIN_CACHE_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#define MISS_NONE UINT32_MAX
#define GRANULE_NONE UINT64_MAX

struct miss {
    uint64_t granule;     /* GRANULE_NONE: the entry tracks no miss */
    uint32_t chain;       /* the next miss in the same bucket, or MISS_NONE */
    uint32_t first, last; /* requests that wait for it, in order */
    uint32_t fetch;       /* the request that was sent for it */
    uint32_t way;         /* way that the data go to; WAY_NONE: chosen when they arrive */
    uint32_t set;         /* of the line */
    bool poisoned;        /* a store or atomic has overtaken the fetch: its data may be old */
    bool filled;          /* the data are in the way, and the requests have yet to drain */
    bool writes;          /* one of the requests writes */
};

struct misses {
    struct miss *miss; /* owned; by MSHR entry */
    uint32_t *bucket;  /* owned; first miss of each */
    uint32_t entries;  /* of the MSHR */
    uint32_t used;     /* misses */
    uint32_t shift;    /* from the hash of a granule to the number of its bucket */
};

/* entries: at least 1. */
void misses_init(struct misses *t, uint32_t entries);
void misses_free(struct misses *t);

static inline uint32_t misses_bucket(const struct misses *t, uint64_t granule) {
    return (uint32_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* The entry of the granule's miss, or MISS_NONE. */
static inline uint32_t misses_find(const struct misses *t, uint64_t granule) {
    if (!t->used)
        return MISS_NONE;
    uint32_t entry = t->bucket[misses_bucket(t, granule)];
    while (entry != MISS_NONE && t->miss[entry].granule != granule)
        entry = t->miss[entry].chain;
    return entry;
}

static inline bool misses_has(const struct misses *t, uint32_t entry) {
    return entry < t->entries && t->miss[entry].granule != GRANULE_NONE;
}

/* Adds a miss under an entry that is free; no other is for the granule. The caller sets all fields
 * but granule, chain and the flags. */
struct miss *misses_add(struct misses *t, uint32_t entry, uint64_t granule);
void misses_remove(struct misses *t, uint32_t entry);

#endif
