/* SPDX-License-Identifier: Apache-2.0 */
/* FIFO of elements of one type, in a circular array. RING(type) declares its fields, either as a
 * named member, such as RING(struct walk) waiting, or directly in a struct, as in struct fifo.
 *
 * A ring with a capacity allocates all its slots at the start, so its elements never move. A ring
 * that grows (RING_GROWS) allocates only the slots that it has needed so far, to stay in the host's
 * cache. A push may move the elements of a ring that grows.
 *
 * The operations are macros, because they depend on the type. They evaluate the pointer `q` more
 * than once. The pushed expression must not use the same ring. */
#ifndef MEMTWIN_LIB_RING_H
#define MEMTWIN_LIB_RING_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/bits.h"

#define RING_GROWS 0 /* capacity of a ring that grows */
#define RING_SLOTS 8 /* initial number of slots of a ring that grows; a power of two */

#define RING(type)                                                                                 \
    struct {                                                                                       \
        type *slot; /* owned */                                                                    \
        uint32_t head, count, capacity;                                                            \
        uint32_t mask; /* number of slots minus 1 */                                               \
    }

/* FIFO of request indices. */
struct fifo {
    RING(uint32_t);
};

#define ring_init(q, most)                                                                         \
    ((q)->capacity = (most), (q)->head = (q)->count = 0,                                           \
     (q)->mask = ring_slots((q)->capacity) - 1,                                                    \
     (q)->slot = alloc_array(ring_slots((q)->capacity), sizeof *(q)->slot))
#define ring_free(q) (free((q)->slot), (q)->slot = NULL)
/* Drops all elements. */
#define ring_clear(q) ((q)->head = (q)->count = 0)
#define ring_full(q) ((q)->count == (q)->capacity)

/* ring_at yields a pointer to the i-th oldest element, counted from 0. ring_first yields a
 * pointer to the oldest element. */
#define ring_at(q, i) (&(q)->slot[((q)->head + (i)) & (q)->mask])
#define ring_first(q) (&(q)->slot[(q)->head])

/* Pushes x to a ring that is not full. ring_add pushes an uninitialized element and yields a
 * pointer to it. */
#define ring_push(q, x) (*ring_add(q) = (x))
#define ring_add(q) (&(q)->slot[ring_enter((q)->head, &(q)->count, (q)->capacity, (q)->mask)])
/* Pushes x to a ring that grows. */
#define ring_push_growing(q, x)                                                                    \
    (ring_reserve(q), (q)->slot[((q)->head + (q)->count++) & (q)->mask] = (x))
/* Ensures room for one more element in a ring that grows. */
#define ring_reserve(q)                                                                            \
    ((q)->count > (q)->mask                                                                        \
         ? (void)((q)->slot = ring_widened((q)->slot, sizeof *(q)->slot, (q)->head, &(q)->mask))   \
         : (void)0)
/* ring_pop removes the oldest element and yields it. The element stays in its slot until the
 * next push. ring_drop removes the oldest element and yields nothing. */
#define ring_pop(q) ((q)->slot[ring_leave(&(q)->head, &(q)->count, (q)->mask)])
#define ring_drop(q) ((void)ring_leave(&(q)->head, &(q)->count, (q)->mask))

/* ---- functions behind the macros ---- */

static inline uint32_t ring_slots(uint32_t capacity) {
    return capacity == RING_GROWS ? RING_SLOTS : (uint32_t)bits_round_up(capacity);
}

/* Doubles the number of slots of a full array and moves the elements before the head behind all
 * others. Returns the array's new address. */
void *ring_widened(void *slot, size_t size, uint32_t head, uint32_t *mask);

static inline uint32_t ring_enter(uint32_t head, uint32_t *count, uint32_t capacity,
                                  uint32_t mask) {
    assert(*count < capacity);
    return (head + (*count)++) & mask;
}

static inline uint32_t ring_leave(uint32_t *head, uint32_t *count, uint32_t mask) {
    assert(*count > 0);
    const uint32_t first = *head;
    /* An empty ring restarts at slot 0, so that its first slots stay in the host's cache. */
    *head = --*count ? (first + 1) & mask : 0;
    return first;
}

#endif
