/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the misses of a cache, which are its fetches in flight, each with the requests that wait
 * for it. A miss is identified by the MSHR entry that tracks it. The resources that an access needs
 * depend on whether its granule is in flight, so the cache looks up the granule here before it
 * sends the request to the MSHR.
 *
 * A granule is the unit of a fetch. Its number is the line number or, in a sectored
 * cache, line number * LINE_SECTORS + sector. A miss begins when the MSHR accepts its first
 * request, and ends at RET. Its requests may drain after RET, while the MSHR already uses the entry
 * for another miss.
 */
#ifndef MEMTWIN_CACHE_MISSES_H
#define MEMTWIN_CACHE_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/key_index.h"

#define MISS_NONE KEY_INDEX_NONE
#define GRANULE_NONE UINT64_MAX

struct miss {
    uint64_t granule;
    uint32_t first, /* index of the request that arrived first */
        last;       /* index of the request that arrived last */
    uint32_t fetch; /* index of the request that fetches the granule */
    uint32_t way;   /* way to fill; WAY_NONE if the way is chosen when the data arrive */
    uint32_t set;   /* set of the line */
    bool open;      /* the entry tracks a miss */
    bool poisoned;  /* a store or atomic has overtaken the fetch, so the fetched data may be old */
    bool filled;    /* the data are in the way, but the requests have not drained */
    bool writes;    /* at least one of the requests writes */
};

struct misses {
    struct miss *miss;      /* owned; indexed by MSHR entry; has only the entries used so far */
    struct key_index index; /* of `miss` by granule; owns its memory, which begins at `first` */
    uint32_t room;          /* number of elements of `miss` */
};

/* Creates the misses of an MSHR that has `entries` entries, at least 1. */
void misses_init(struct misses *t, uint32_t entries);
void misses_free(struct misses *t);

/* Returns the MSHR entry of the granule's miss, or MISS_NONE. */
static inline uint32_t misses_find(const struct misses *t, uint64_t granule) {
    uint32_t entry = key_index_first(&t->index, granule);
    while (entry != KEY_INDEX_NONE && t->miss[entry].granule != granule)
        entry = t->index.next[entry];
    return entry;
}

static inline bool misses_has(const struct misses *t, uint32_t entry) {
    return entry < t->room && t->miss[entry].open;
}

/* Adds a miss in a free entry and returns it. The granule must have no other miss. The caller sets
 * all fields except granule and the flags. The misses may move. */
struct miss *misses_add(struct misses *t, uint32_t entry, uint64_t granule);
void misses_remove(struct misses *t, uint32_t entry);

#endif
