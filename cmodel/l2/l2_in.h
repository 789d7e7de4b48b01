/* The incoming port of an L2 bank: the pipeline of l2.latency stages, with the buffer of
 * l2.in_queue places. The crossbar's side pushes while there is room; the bank peeks and pops.
 *
 * This is the seam for what reorders requests between crossbar and bank: such a part takes the
 * buffer's place. It is filled by l2_in_push, it drains into the pipeline (a packet that leaves it
 * in cycle c can be looked up in cycle c + latency), and it has a tick of its own between the two.
 * As it stands nothing is reordered, and both are one queue: a packet that has to wait does so at
 * the pipeline's end, which closes up over empty stages.
 */
#ifndef MEMTWIN_L2_L2_IN_H
#define MEMTWIN_L2_L2_IN_H

#include "lib/packet.h"
#include "lib/timed_fifo.h"

struct l2_in {
    struct timed_fifo queue;
    uint32_t latency; /* cycles from push to the first lookup */
};

/* latency, places: at least 1 each. Returns 0, or -1 if out of memory. */
static inline int l2_in_init(struct l2_in *in, uint32_t latency, uint32_t places) {
    in->latency = latency;
    return timed_fifo_init(&in->queue, latency + places);
}

static inline void l2_in_free(struct l2_in *in) {
    timed_fifo_free(&in->queue);
}

static inline bool l2_in_room(const struct l2_in *in) {
    return !timed_fifo_full(&in->queue);
}

/* There is room. At most one a cycle. */
static inline void l2_in_push(struct l2_in *in, uint32_t packet, uint64_t cycle) {
    timed_fifo_push(&in->queue, packet, cycle + in->latency);
}

/* The packet that can be looked up in this cycle, or PACKET_NONE. It stays until it is popped. */
static inline uint32_t l2_in_peek(const struct l2_in *in, uint64_t cycle) {
    return timed_fifo_ready(&in->queue, cycle) ? timed_fifo_peek(&in->queue) : PACKET_NONE;
}

static inline void l2_in_pop(struct l2_in *in) {
    timed_fifo_pop(&in->queue);
}

/* First cycle in which there is something to look up if nothing more is pushed; UINT64_MAX: never.
 */
static inline uint64_t l2_in_next(const struct l2_in *in) {
    return in->queue.count ? timed_fifo_at(&in->queue, 0)->ready : UINT64_MAX;
}

#endif
