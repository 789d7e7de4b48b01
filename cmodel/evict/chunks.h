/* SPDX-License-Identifier: Apache-2.0 */
/* What the policies share that know chunks (2 MB) and basic blocks (64 KB): which of them have
 * resident pages, and when each was used last: when a page of it came, or a walk of one hit. Such a
 * policy is a `struct chunks` with a `choose` of its own. */
#ifndef MEMTWIN_EVICT_CHUNKS_H
#define MEMTWIN_EVICT_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "evict/evict.h"
#include "evict/order.h"

#define CHUNK_BLOCKS (CHUNK_PAGES / BLOCK_PAGES)
#define BLOCK_NONE UINT32_MAX

struct chunks {
    const struct pages *pages;
    struct order used;   /* chunks with resident pages, the least recently used first */
    struct chunk *chunk; /* owned; by number */
    uint32_t room;       /* chunks in it */
    uint64_t now;        /* uses so far */
};

/* Members of struct evictor. */
void *chunks_create(const struct evict_env *env);
void chunks_destroy(void *policy);
void chunks_touch(void *policy, uint32_t page, uint32_t times);
void chunks_come(void *policy, uint32_t page, bool demanded);
void chunks_gone(void *policy, uint32_t page);

/* The block of a chunk that was used least recently, of those with a page that may leave; its
 * number counts from the chunk's first. BLOCK_NONE: it has none. */
uint32_t chunks_oldest_block(const struct chunks *c, uint32_t chunk);
/* The same of all chunks, the one used least recently first. False: there is none. */
bool chunks_oldest(const struct chunks *c, uint32_t *chunk, uint32_t *block);
/* Writes the pages of first .. first + n - 1 that may leave. Returns how many. */
uint32_t chunks_take(const struct chunks *c, uint32_t first, uint32_t n, uint32_t *victim);

#endif
