/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the recency of chunks (2 MB) and basic blocks (64 KB) for policies that evict them: which
 * chunks have resident pages, and when each chunk and block was last used. A page's arrival is a
 * use, and so is a page walk that hits the page. These policies use `struct chunks` as their state,
 * and differ in `choose`. */
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
    struct order used;   /* chunks with resident pages, least recently used first */
    struct chunk *chunk; /* owned; indexed by chunk number */
    uint32_t room;       /* capacity of `chunk` in chunks */
    uint64_t now;        /* number of uses so far */
};

/* The next five functions are create, destroy, touch, add and remove (struct evictor) of policies
 * that evict chunks or blocks. */
void *chunks_create(const struct evict_env *env);
void chunks_destroy(void *policy);
void chunks_touch(void *policy, uint32_t page, uint32_t times);
void chunks_come(void *policy, uint32_t page, bool demanded);
void chunks_gone(void *policy, uint32_t page);

/* Finds the least recently used chunk that has an evictable page, and in this chunk the least
 * recently used block that has one. *block is the block's index within the chunk. Returns false if
 * no page is evictable. */
bool chunks_oldest(const struct chunks *c, uint32_t *chunk, uint32_t *block);
/* Writes the evictable pages among first .. first + n - 1 to `victim`. Returns their number. */
uint32_t chunks_take(const struct chunks *c, uint32_t first, uint32_t n, uint32_t *victim);

#endif
