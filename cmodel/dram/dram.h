/* One DRAM channel, as an L2 bank sees it. The model behind it is a stand-in with finite bandwidth
 * and latency; a device model takes its place behind the same calls.
 *
 * Contract: requests to one line are served in the order in which they were pushed. A read comes
 * back through the return queue (peek, pop) as the same packet, turned into a reply; a write is
 * done when it is taken from the queue, and its packet goes back to the pool. At most one push and
 * one pop of each L2 bank an instant.
 *
 * The stand-in: first come, first served. A request that is pushed in an instant is accepted at the
 * next DRAM edge, cycle a. It takes the data bus for line_cycles from cycle a + latency -
 * line_cycles at the earliest, and a read is in the return queue in cycle a + latency, unloaded. It
 * holds its place in the queue until it gets the bus. A read waits for a place in the return queue
 * before it takes the bus.
 */
#ifndef MEMTWIN_DRAM_DRAM_H
#define MEMTWIN_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "dram/backing.h"
#include "gpu/frame.h"
#include "lib/timed_fifo.h"

/* Lines that can wait for the L2 bank to take them. */
#define DRAM_RETURN_QUEUE 8

struct dram {
    struct frame *frame;     /* not owned */
    struct backing *backing; /* not owned; shared by all channels */
    struct timed_fifo queue; /* ready: first cycle in which it may take the bus */
    struct timed_fifo back;  /* ready: cycle in which the data are complete */
    uint64_t cycle;          /* the last one ticked; counts from 1 */
    uint64_t ticked_at;      /* instant of that tick */
    uint64_t bus_free;       /* first cycle in which the data bus is free */
    uint32_t lead;           /* cycles from accept to the bus, unloaded */
    uint32_t line_cycles;
    uint64_t reads, writes, busy_cycles; /* statistics */
};

struct dram_size {
    uint32_t queue, latency, line_cycles; /* latency is at least line_cycles */
};

/* Returns 0, or -1 if out of memory. */
int dram_init(struct dram *d, struct frame *frame, struct backing *backing,
              const struct dram_size *size);
void dram_free(struct dram *d);

static inline bool dram_can_push(const struct dram *d) {
    return !timed_fifo_full(&d->queue);
}

/* `rest`: the line's number within the partition (cache/addr_map.h). */
static inline void dram_push(struct dram *d, uint32_t packet, uint64_t rest) {
    (void)rest;
    timed_fifo_push(&d->queue, packet, d->cycle + 1 + d->lead);
    d->frame->progress++;
}

/* Gives the head of the queue the data bus. */
void dram_start(struct dram *d);

/* One DRAM cycle. */
static inline void dram_tick(struct dram *d) {
    d->cycle++;
    d->ticked_at = d->frame->now;
    if (d->bus_free <= d->cycle && timed_fifo_ready(&d->queue, d->cycle))
        dram_start(d);
}

/* The line that waits for that L2 bank of the partition in this instant, or PACKET_NONE. */
static inline uint32_t dram_peek(const struct dram *d, uint32_t slice) {
    uint64_t seen = d->ticked_at < d->frame->now ? d->cycle : d->cycle - 1;
    if (!timed_fifo_ready(&d->back, seen))
        return PACKET_NONE;
    uint32_t packet = timed_fifo_peek(&d->back);
    return packet_at(&d->frame->pool, packet)->slice == slice ? packet : PACKET_NONE;
}

static inline uint32_t dram_pop(struct dram *d, uint32_t slice) {
    (void)slice;
    d->frame->progress++;
    return timed_fifo_pop(&d->back);
}

#endif
