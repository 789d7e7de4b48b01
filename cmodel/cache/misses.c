// SPDX-License-Identifier: Apache-2.0
#include "cache/misses.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"

void misses_init(struct misses *t, uint32_t entries) {
    const size_t buckets =
        bits_round_up((uint64_t)entries + 1); /* at least two: a shift below 64 */
    *t = (struct misses){
        .miss = alloc_array(entries, sizeof *t->miss),
        .bucket = alloc_array(buckets, sizeof *t->bucket),
        .entries = entries,
        .shift = 64 - bits_lowest(buckets),
    };
    for (uint32_t i = 0; i < entries; i++)
        t->miss[i].granule = GRANULE_NONE;
    memset(t->bucket, 0xff, buckets * sizeof *t->bucket); /* MISS_NONE */
}

void misses_free(struct misses *t) {
    free(t->miss);
    free(t->bucket);
    memset(t, 0, sizeof *t);
}

struct miss *misses_add(struct misses *t, uint32_t entry, uint64_t granule) {
    uint32_t *first = &t->bucket[misses_bucket(t, granule)];
    struct miss *m = &t->miss[entry];
    m->granule = granule;
    m->chain = *first;
    m->poisoned = m->filled = m->writes = false;
    *first = entry;
    t->used++;
    return m;
}

void misses_remove(struct misses *t, uint32_t entry) {
    uint32_t *p = &t->bucket[misses_bucket(t, t->miss[entry].granule)];
    while (*p != entry)
        p = &t->miss[*p].chain;
    *p = t->miss[entry].chain;
    t->miss[entry].granule = GRANULE_NONE;
    t->used--;
}
