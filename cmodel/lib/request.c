// SPDX-License-Identifier: Apache-2.0
#include "lib/request.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Makes room for requests, most of which are never taken. */
static void make_requests(struct request_pool *pool, uint32_t size) {
    pool->place = host_memory_take(request_pool_bytes(size), true);
    pool->size = size;
}

void request_pool_init(struct request_pool *pool, uint32_t size) {
    memset(pool, 0, sizeof *pool);
    make_requests(pool, size);
    pool->end = size;
    pool->free = REQUEST_NONE;
}

void request_pool_free(struct request_pool *pool) {
    host_memory_give(pool->place, request_pool_bytes(pool->size));
    free(pool->data);
    memset(pool, 0, sizeof *pool);
}

void request_pool_split(struct request_pool *pool, struct request_pool *const part[], uint32_t n,
                        uint32_t each) {
    struct request_pool wide = {.free = REQUEST_NONE, .split = true};
    make_requests(&wide, each * n);
    for (uint32_t i = 0; i < n; i++) {
        *part[i] = wide;
        part[i]->fresh = i * each;
        part[i]->end = part[i]->fresh + each;
    }
    request_pool_free(pool);
    *pool = wide;
}

void request_pool_carry(struct request_pool *pool, bool on) {
    if (!on) {
        free(pool->data);
        pool->data = NULL;
    } else if (!pool->data) {
        pool->data = alloc_zeroed(pool->size, LINE_BYTES);
    }
}
