// SPDX-License-Identifier: Apache-2.0
#include "evict/chunks.h"

#include "lib/alloc.h"
#include "lib/table.h"

struct chunk {
    uint64_t used[CHUNK_BLOCKS]; /* time of each block's last use, as a value of chunks.now */
    uint32_t resident;           /* number of resident pages */
};

void *chunks_create(const struct evict_env *env) {
    struct chunks *c = alloc_zeroed(1, sizeof *c);
    c->pages = env->pages;
    order_init(&c->used);
    return c;
}

void chunks_destroy(void *policy) {
    struct chunks *c = policy;
    order_free(&c->used);
    free(c->chunk);
    free(c);
}

static void use_chunk(struct chunks *c, uint32_t page) {
    uint32_t chunk = page / CHUNK_PAGES;
    c->chunk[chunk].used[page % CHUNK_PAGES / BLOCK_PAGES] = ++c->now;
    order_last(&c->used, chunk);
}

void chunks_touch(void *policy, uint32_t page, uint32_t times) {
    (void)times;
    struct chunks *c = policy;
    if (order_has(&c->used, page / CHUNK_PAGES))
        use_chunk(c, page);
}

void chunks_come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct chunks *c = policy;
    uint32_t chunk = page / CHUNK_PAGES;
    c->chunk = table_reach(c->chunk, &c->room, chunk + 1, sizeof *c->chunk);
    c->chunk[chunk].resident++;
    use_chunk(c, page);
}

void chunks_gone(void *policy, uint32_t page) {
    struct chunks *c = policy;
    uint32_t chunk = page / CHUNK_PAGES;
    if (--c->chunk[chunk].resident == 0)
        order_remove(&c->used, chunk);
}

/* ---- choice ---- */

static bool evictable(const struct chunks *c, uint32_t first, uint32_t n) {
    for (uint32_t page = first; page < first + n; page++)
        if (page_evictable(c->pages, page))
            return true;
    return false;
}

/* Returns the index, within the chunk, of the least recently used block that has an evictable page,
 * or BLOCK_NONE. */
static uint32_t chunks_oldest_block(const struct chunks *c, uint32_t chunk) {
    const uint64_t *used = c->chunk[chunk].used;
    uint32_t oldest = BLOCK_NONE;
    for (uint32_t i = 0; i < CHUNK_BLOCKS; i++)
        if ((oldest == BLOCK_NONE || used[i] < used[oldest]) &&
            evictable(c, chunk * CHUNK_PAGES + i * BLOCK_PAGES, BLOCK_PAGES))
            oldest = i;
    return oldest;
}

bool chunks_oldest(const struct chunks *c, uint32_t *chunk, uint32_t *block) {
    for (*chunk = c->used.first; *chunk != ORDER_NONE; *chunk = order_after(&c->used, *chunk)) {
        *block = chunks_oldest_block(c, *chunk);
        if (*block != BLOCK_NONE)
            return true;
    }
    return false;
}

uint32_t chunks_take(const struct chunks *c, uint32_t first, uint32_t n, uint32_t *victim) {
    uint32_t victims = 0;
    for (uint32_t page = first; page < first + n; page++)
        if (page_evictable(c->pages, page))
            victim[victims++] = page;
    return victims;
}
