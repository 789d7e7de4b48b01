// SPDX-License-Identifier: Apache-2.0
#include "cache/misses.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

void misses_init(struct misses *t, uint32_t entries) {
    *t = (struct misses){.miss = alloc_array(entries, sizeof *t->miss), .entries = entries};
    for (uint32_t i = 0; i < entries; i++)
        t->miss[i].granule = GRANULE_NONE;
}

void misses_free(struct misses *t) {
    free(t->miss);
    hash_map_free(&t->map);
    memset(t, 0, sizeof *t);
}

struct miss *misses_add(struct misses *t, uint32_t entry, uint64_t granule) {
    struct miss *m = &t->miss[entry];
    m->granule = granule;
    m->poisoned = m->filled = m->writes = false;
    hash_map_add(&t->map, granule, entry);
    return m;
}

void misses_remove(struct misses *t, uint32_t entry) {
    hash_map_remove(&t->map, t->miss[entry].granule);
    t->miss[entry].granule = GRANULE_NONE;
}
