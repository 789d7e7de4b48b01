/* SPDX-License-Identifier: Apache-2.0 */
/* A FIFO of things of one size that grows as it has to. It owns its slots. All zeros: empty, for
 * which ring_init says the size. */
#ifndef MEMTWIN_LIB_RING_H
#define MEMTWIN_LIB_RING_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/wrap.h"

struct ring {
    uint8_t *slot;
    size_t size; /* bytes of a thing */
    uint32_t head, count, capacity;
};

static inline void ring_init(struct ring *q, size_t size) {
    memset(q, 0, sizeof *q);
    q->size = size;
}

static inline void ring_free(struct ring *q) {
    free(q->slot);
    ring_init(q, q->size);
}

/* i-th from the head; good until the next push. */
static inline void *ring_at(const struct ring *q, uint32_t i) {
    assert(i < q->count);
    return q->slot + wrap(q->head + i, q->capacity) * q->size;
}

static inline void ring_grow(struct ring *q) {
    uint32_t capacity = q->capacity ? 2 * q->capacity : 64;
    uint8_t *wide = alloc_array(capacity, q->size);
    for (uint32_t i = 0; i < q->count; i++)
        memcpy(wide + i * q->size, ring_at(q, i), q->size);
    free(q->slot);
    q->slot = wide;
    q->capacity = capacity;
    q->head = 0;
}

static inline void ring_push(struct ring *q, const void *thing) {
    if (q->count == q->capacity)
        ring_grow(q);
    q->count++;
    memcpy(ring_at(q, q->count - 1), thing, q->size);
}

static inline void ring_pop(struct ring *q) {
    assert(q->count);
    if (++q->head == q->capacity)
        q->head = 0;
    q->count--;
}

#endif
