/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded FIFO of packet numbers that are not to be had before a cycle: a pipeline with the queue
 * behind it. Cycles are those of the domain that owns the queue. It owns its slots; it never grows.
 */
#ifndef MEMTWIN_LIB_TIMED_FIFO_H
#define MEMTWIN_LIB_TIMED_FIFO_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct timed_slot {
    uint64_t ready; /* first cycle in which it may leave */
    uint32_t packet;
};

struct timed_fifo {
    struct timed_slot *slot;
    uint32_t head, count, capacity; /* capacity in packets */
};

/* Returns 0, or -1 if out of memory. */
static inline int timed_fifo_init(struct timed_fifo *q, uint32_t capacity) {
    q->slot = calloc(capacity, sizeof *q->slot);
    q->head = q->count = 0;
    q->capacity = capacity;
    return q->slot ? 0 : -1;
}

static inline void timed_fifo_free(struct timed_fifo *q) {
    free(q->slot);
    q->slot = NULL;
}

static inline bool timed_fifo_full(const struct timed_fifo *q) {
    return q->count == q->capacity;
}

static inline const struct timed_slot *timed_fifo_at(const struct timed_fifo *q, uint32_t i) {
    uint32_t at = q->head + i;
    return &q->slot[at >= q->capacity ? at - q->capacity : at];
}

static inline void timed_fifo_push(struct timed_fifo *q, uint32_t packet, uint64_t ready) {
    assert(q->count < q->capacity);
    uint32_t at = q->head + q->count++;
    struct timed_slot *s = &q->slot[at >= q->capacity ? at - q->capacity : at];
    s->ready = ready;
    s->packet = packet;
}

static inline bool timed_fifo_ready(const struct timed_fifo *q, uint64_t cycle) {
    return q->count && q->slot[q->head].ready <= cycle;
}

static inline uint32_t timed_fifo_peek(const struct timed_fifo *q) {
    return q->slot[q->head].packet;
}

static inline uint32_t timed_fifo_pop(struct timed_fifo *q) {
    assert(q->count > 0);
    uint32_t packet = q->slot[q->head].packet;
    if (++q->head == q->capacity)
        q->head = 0;
    q->count--;
    return packet;
}

#endif
