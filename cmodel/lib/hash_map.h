/* SPDX-License-Identifier: Apache-2.0 */
/* Hash map from 64-bit keys to 32-bit values, such as array indices. It uses open addressing with
 * linear probing. At most half of its entries are in use. Removing a key closes the gap, so removed
 * keys do not lengthen searches. The map grows as needed. A map of all zeros is empty.
 *
 * A key may have several values. If the key is itself a hash, for example of a text, the caller
 * visits the values with hash_map_next() and compares the texts. There is no other way to
 * iterate, so nothing depends on the order of the entries. */
#ifndef MEMTWIN_LIB_HASH_MAP_H
#define MEMTWIN_LIB_HASH_MAP_H

#include <stdint.h>

#include "lib/hash.h"

#define HASH_MAP_NONE UINT32_MAX  /* not a valid value */
#define HASH_MAP_START UINT32_MAX /* position before the first entry */

struct hash_map {
    struct hash_map_entry {
        uint64_t key;
        uint32_t value; /* HASH_MAP_NONE if the entry is free */
    } * entry;          /* owned */
    uint32_t used;      /* number of entries in use */
    uint32_t mask;      /* number of entries, a power of two, minus 1 */
    unsigned shift; /* right shift from a hash to its entry: 64 - log2 of the number of entries */
};

void hash_map_free(struct hash_map *m);
/* Removes all keys. */
void hash_map_clear(struct hash_map *m);
/* Adds a value to a key. */
void hash_map_add(struct hash_map *m, uint64_t key, uint32_t value);
/* Removes a key that has exactly one value. */
void hash_map_remove(struct hash_map *m, uint64_t key);

/* Returns the index of the entry at which the search for a key begins. */
static inline uint32_t hash_map_home(const struct hash_map *m, uint64_t key) {
    return (uint32_t)(key * HASH_FACTOR >> m->shift);
}

/* Returns the next value of the key after entry *i, or HASH_MAP_NONE. Set *i to HASH_MAP_START
 * before the first call. The map must not change between calls. */
static inline uint32_t hash_map_next(const struct hash_map *m, uint64_t key, uint32_t *i) {
    if (!m->used)
        return HASH_MAP_NONE;
    *i = *i == HASH_MAP_START ? hash_map_home(m, key) : (*i + 1) & m->mask;
    while (m->entry[*i].value != HASH_MAP_NONE && m->entry[*i].key != key)
        *i = (*i + 1) & m->mask;
    return m->entry[*i].value;
}

/* Returns the value of a key that has at most one value, or HASH_MAP_NONE if it has none. */
static inline uint32_t hash_map_get(const struct hash_map *m, uint64_t key) {
    uint32_t i = HASH_MAP_START;
    return hash_map_next(m, key, &i);
}

#endif
