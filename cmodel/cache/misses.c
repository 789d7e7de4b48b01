// SPDX-License-Identifier: Apache-2.0
#include "cache/misses.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

void misses_init(struct misses *t, uint32_t entries) {
    *t = (struct misses){0};
    key_index_init(&t->index, alloc_array(key_index_size(entries), sizeof *t->index.first),
                   entries);
}

void misses_free(struct misses *t) {
    free(t->miss);
    free(t->index.first);
    memset(t, 0, sizeof *t);
}

struct miss *misses_add(struct misses *t, uint32_t entry, uint64_t granule) {
    t->miss = alloc_covering(t->miss, &t->room, entry, sizeof *t->miss);
    struct miss *m = &t->miss[entry];
    m->granule = granule;
    m->open = true;
    m->poisoned = m->filled = m->writes = false;
    key_index_add(&t->index, granule, entry);
    return m;
}

void misses_remove(struct misses *t, uint32_t entry) {
    key_index_remove(&t->index, t->miss[entry].granule, entry);
    t->miss[entry].open = false;
}
