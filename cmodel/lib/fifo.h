/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded FIFO of packet numbers. It owns its slots; it never grows. */
#ifndef MEMTWIN_LIB_FIFO_H
#define MEMTWIN_LIB_FIFO_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/wrap.h"

struct fifo {
    uint32_t *slot;
    uint32_t head, count, capacity; /* capacity in packets */
};

static inline void fifo_init(struct fifo *q, uint32_t capacity) {
    q->slot = alloc_zeroed(capacity, sizeof *q->slot);
    q->head = q->count = 0;
    q->capacity = capacity;
}

static inline void fifo_free(struct fifo *q) {
    free(q->slot);
    q->slot = NULL;
}

static inline bool fifo_full(const struct fifo *q) {
    return q->count == q->capacity;
}

/* i-th from the head. */
static inline uint32_t fifo_at(const struct fifo *q, uint32_t i) {
    return q->slot[wrap(q->head + i, q->capacity)];
}

static inline void fifo_push(struct fifo *q, uint32_t x) {
    assert(q->count < q->capacity);
    q->slot[wrap(q->head + q->count++, q->capacity)] = x;
}

static inline uint32_t fifo_peek(const struct fifo *q) {
    return q->slot[q->head];
}

static inline uint32_t fifo_pop(struct fifo *q) {
    assert(q->count > 0);
    uint32_t x = q->slot[q->head];
    /* An empty one begins again: its first slots stay in the host's cache. */
    if (--q->count == 0 || ++q->head == q->capacity)
        q->head = 0;
    return x;
}

#endif
