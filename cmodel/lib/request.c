// SPDX-License-Identifier: Apache-2.0
#include "lib/request.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

void request_pool_init(struct request_pool *pool, uint32_t size) {
    memset(pool, 0, sizeof *pool);
    pool->place = host_memory_take(request_pool_bytes(size), true);
    pool->size = size;
    pool->free = REQUEST_NONE;
}

void request_pool_free(struct request_pool *pool) {
    host_memory_give(pool->place, request_pool_bytes(pool->size));
    if (pool->marks)
        host_memory_give(pool->marks, pool->size * sizeof *pool->marks);
    free(pool->data);
    memset(pool, 0, sizeof *pool);
}

void request_pool_carry(struct request_pool *pool, bool on) {
    if (!on) {
        free(pool->data);
        pool->data = NULL;
    } else if (!pool->data) {
        pool->data = alloc_zeroed(pool->size, LINE_BYTES);
    }
}

void request_pool_mark(struct request_pool *pool) {
    if (!pool->marks)
        pool->marks = host_memory_take(pool->size * sizeof *pool->marks, false);
}

/* cold and noinline: a run that watches no loads pays only for the test in request_note(). */
__attribute__((cold, noinline)) void request_mark(struct request_pool *pool, uint32_t i,
                                                  enum request_mark mark, uint64_t cycle) {
    pool->marks[i].at[mark] = cycle;
}
