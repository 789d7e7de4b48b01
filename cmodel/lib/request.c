// SPDX-License-Identifier: Apache-2.0
#include "lib/request.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for requests, most of which are never taken. Returns 0, or -1 if out of memory. */
static int make_requests(struct request_pool *pool, uint32_t size) {
    pool->place = host_memory_take(request_pool_bytes(size), true);
    if (!pool->place)
        return -1;
    pool->size = size;
    return 0;
}

int request_pool_init(struct request_pool *pool, uint32_t size) {
    memset(pool, 0, sizeof *pool);
    if (make_requests(pool, size) != 0)
        return -1;
    pool->end = size;
    pool->free = REQUEST_NONE;
    return 0;
}

void request_pool_free(struct request_pool *pool) {
    host_memory_give(pool->place, request_pool_bytes(pool->size));
    free(pool->data);
    memset(pool, 0, sizeof *pool);
}

int request_pool_split(struct request_pool *pool, struct request_pool *const part[], uint32_t n,
                       uint32_t each) {
    struct request_pool wide = {.free = REQUEST_NONE, .split = true};
    if (make_requests(&wide, each * n) != 0)
        return -1;
    for (uint32_t i = 0; i < n; i++) {
        *part[i] = wide;
        part[i]->fresh = i * each;
        part[i]->end = part[i]->fresh + each;
    }
    request_pool_free(pool);
    *pool = wide;
    return 0;
}

int request_pool_carry(struct request_pool *pool, bool on) {
    if (!on) {
        free(pool->data);
        pool->data = NULL;
    } else if (!pool->data) {
        pool->data = calloc(pool->size, LINE_BYTES);
    }
    return on && !pool->data ? -1 : 0;
}
