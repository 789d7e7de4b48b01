/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded FIFO whose entries become visible at a given cycle: a pipeline followed by a queue. An
 * entry is the index of a request. Cycles are those of the clock domain that owns the queue. The
 * FIFO owns its slots and must be initialised before any other call; its capacity is fixed.
 */
#ifndef MEMTWIN_LIB_TIMED_FIFO_H
#define MEMTWIN_LIB_TIMED_FIFO_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

struct timed_slot {
    uint64_t ready; /* first cycle in which it may leave */
    uint32_t packet;
    uint32_t note; /* the queue's owner's; on a push it is 0 */
};

struct timed_fifo {
    uint64_t ready; /* of the head; UINT64_MAX: the queue is empty */
    struct timed_slot *slot;
    uint32_t head, count, capacity; /* capacity in packets */
    uint32_t mask; /* of a slot's number: the ring uses a power of two of slots, as few as have been
                      enough so far, so that they stay in the host's cache */
};

#define TIMED_FIFO_SLOTS 8 /* of the ring at first */

static inline void timed_fifo_init(struct timed_fifo *q, uint32_t capacity) {
    uint64_t most = TIMED_FIFO_SLOTS;
    while (most < capacity)
        most *= 2;
    q->slot = alloc_zeroed(most, sizeof *q->slot);
    q->head = q->count = 0;
    q->ready = UINT64_MAX;
    q->capacity = capacity;
    q->mask = TIMED_FIFO_SLOTS - 1;
}

static inline void timed_fifo_free(struct timed_fifo *q) {
    free(q->slot);
    q->slot = NULL;
}

static inline bool timed_fifo_full(const struct timed_fifo *q) {
    return q->count == q->capacity;
}

static inline struct timed_slot *timed_fifo_at(const struct timed_fifo *q, uint32_t i) {
    return &q->slot[(q->head + i) & q->mask];
}

/* The ring is full: twice as many slots. What lies before the head goes behind the rest. */
static inline void timed_fifo_grow(struct timed_fifo *q) {
    memcpy(q->slot + q->mask + 1, q->slot, q->head * sizeof *q->slot);
    q->mask = 2 * q->mask + 1;
}

static inline struct timed_slot *timed_fifo_push(struct timed_fifo *q, uint32_t packet,
                                                 uint64_t ready) {
    assert(q->count < q->capacity);
    if (!q->count)
        q->ready = ready;
    else if (q->count > q->mask)
        timed_fifo_grow(q);
    struct timed_slot *s = timed_fifo_at(q, q->count++);
    *s = (struct timed_slot){ready, packet, 0};
    return s;
}

/* cycle: UINT64_MAX is the one before the first. */
static inline bool timed_fifo_ready(const struct timed_fifo *q, uint64_t cycle) {
    return q->ready < cycle + 1;
}

static inline uint32_t timed_fifo_peek(const struct timed_fifo *q) {
    return q->slot[q->head].packet;
}

static inline uint32_t timed_fifo_pop(struct timed_fifo *q) {
    assert(q->count > 0);
    uint32_t packet = q->slot[q->head].packet;
    /* An empty one begins again: its first slots stay in the host's cache. */
    q->head = --q->count ? (q->head + 1) & q->mask : 0;
    q->ready = q->count ? q->slot[q->head].ready : UINT64_MAX;
    return packet;
}

#endif
