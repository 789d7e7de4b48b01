/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded FIFO whose entries become visible at a given cycle: a pipeline followed by a queue, in a
 * ring (lib/ring.h). An entry is the index of a request. Cycles are those of the owner's clock
 * domain.
 */
#ifndef MEMTWIN_LIB_TIMED_FIFO_H
#define MEMTWIN_LIB_TIMED_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/ring.h"

struct timed_slot {
    uint64_t ready; /* first cycle in which the entry may leave */
    uint32_t request;
    uint32_t note; /* for use by the queue's owner; 0 after a push */
};

struct timed_fifo {
    uint64_t ready; /* `ready` of the head; UINT64_MAX if the queue is empty */
    RING(struct timed_slot);
};

/* Creates an empty FIFO. Free it with ring_free(). */
static inline void timed_fifo_init(struct timed_fifo *q, uint32_t capacity) {
    ring_init(q, RING_GROWS); /* grows up to its capacity */
    q->capacity = capacity;
    q->ready = UINT64_MAX;
}

static inline struct timed_slot *timed_fifo_push(struct timed_fifo *q, uint32_t request,
                                                 uint64_t ready) {
    if (!q->count)
        q->ready = ready;
    else
        ring_reserve(q);
    struct timed_slot *s = ring_add(q);
    *s = (struct timed_slot){ready, request, 0};
    return s;
}

/* True if the head may leave in `cycle`. The value UINT64_MAX means the cycle before cycle 0. */
static inline bool timed_fifo_ready(const struct timed_fifo *q, uint64_t cycle) {
    return q->ready < cycle + 1;
}

static inline uint32_t timed_fifo_pop(struct timed_fifo *q) {
    uint32_t request = ring_pop(q).request;
    q->ready = q->count ? ring_first(q)->ready : UINT64_MAX;
    return request;
}

#endif
