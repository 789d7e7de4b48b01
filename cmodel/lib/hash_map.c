// SPDX-License-Identifier: Apache-2.0
#include "lib/hash_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

enum { MIN_BITS = 4, MAX_BITS = 31 };

void hash_map_free(struct hash_map *m) {
    free(m->entry);
    *m = (struct hash_map){0};
}

/* Fills the entries with 0xff bytes, so that each value is HASH_MAP_NONE. */
void hash_map_clear(struct hash_map *m) {
    if (m->used)
        memset(m->entry, 0xff, (m->mask + (size_t)1) * sizeof *m->entry);
    m->used = 0;
}

static void put(struct hash_map *m, struct hash_map_entry e) {
    uint32_t i = hash_map_home(m, e.key);
    while (m->entry[i].value != HASH_MAP_NONE)
        i = (i + 1) & m->mask;
    m->entry[i] = e;
}

/* Doubles the number of entries. */
__attribute__((cold, noinline)) static void grow(struct hash_map *m) {
    const struct hash_map old = *m;
    const unsigned bits = old.entry ? 65 - old.shift : MIN_BITS;
    if (bits > MAX_BITS)
        alloc_limit("keys of a hash map", UINT64_C(1) << (MAX_BITS - 1));
    m->shift = 64 - bits;
    m->mask = (UINT32_C(1) << bits) - 1;
    m->entry = alloc_array(m->mask + (size_t)1, sizeof *m->entry);
    memset(m->entry, 0xff, (m->mask + (size_t)1) * sizeof *m->entry);
    for (uint32_t i = 0; old.used && i <= old.mask; i++)
        if (old.entry[i].value != HASH_MAP_NONE)
            put(m, old.entry[i]);
    free(old.entry);
}

void hash_map_add(struct hash_map *m, uint64_t key, uint32_t value) {
    assert(value != HASH_MAP_NONE);
    if (2 * (uint64_t)m->used >= m->mask)
        grow(m);
    put(m, (struct hash_map_entry){key, value});
    m->used++;
}

/* Moves each later entry of the cluster into the gap, unless the search for its key begins after
 * the gap. */
void hash_map_remove(struct hash_map *m, uint64_t key) {
    uint32_t gap = hash_map_home(m, key);
    while (m->entry[gap].value != HASH_MAP_NONE && m->entry[gap].key != key)
        gap = (gap + 1) & m->mask;
    assert(m->entry[gap].value != HASH_MAP_NONE);
    for (uint32_t i = (gap + 1) & m->mask; m->entry[i].value != HASH_MAP_NONE;
         i = (i + 1) & m->mask) {
        const uint32_t home = hash_map_home(m, m->entry[i].key);
        if (((i - home) & m->mask) < ((i - gap) & m->mask))
            continue;
        m->entry[gap] = m->entry[i];
        gap = i;
    }
    m->entry[gap].value = HASH_MAP_NONE;
    m->used--;
}
