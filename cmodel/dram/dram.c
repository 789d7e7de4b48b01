#include "dram/dram.h"

#include <string.h>

int dram_init(struct dram *d, struct frame *frame, struct backing *backing,
              const struct dram_size *size) {
    memset(d, 0, sizeof *d);
    d->frame = frame;
    d->backing = backing;
    d->line_cycles = size->line_cycles;
    d->lead = size->latency - size->line_cycles;
    if (timed_fifo_init(&d->queue, size->queue) != 0)
        return -1;
    return timed_fifo_init(&d->back, DRAM_RETURN_QUEUE);
}

void dram_free(struct dram *d) {
    timed_fifo_free(&d->queue);
    timed_fifo_free(&d->back);
}

static void write_line(struct dram *d, uint32_t packet) {
    struct packet_pool *pool = &d->frame->pool;
    const struct packet *p = packet_at(pool, packet);
    if (d->frame->carry &&
        backing_write(d->backing, p->line, &p->mask, packet_data(pool, packet)) != 0)
        frame_fail(d->frame, FRAME_INTERNAL, "out of memory for the contents of the DRAM");
    packet_give(pool, packet);
    d->writes++;
}

static void read_line(struct dram *d, uint32_t packet) {
    struct packet_pool *pool = &d->frame->pool;
    struct packet *p = packet_at(pool, packet);
    p->reply = true;
    if (d->frame->carry)
        backing_read(d->backing, p->line, packet_data(pool, packet));
    timed_fifo_push(&d->back, packet, d->cycle + d->line_cycles);
    d->reads++;
}

void dram_start(struct dram *d) {
    uint32_t packet = timed_fifo_peek(&d->queue);
    bool write = packet_writes(packet_at(&d->frame->pool, packet));
    if (!write && timed_fifo_full(&d->back))
        return;
    timed_fifo_pop(&d->queue);
    if (write)
        write_line(d, packet);
    else
        read_line(d, packet);
    d->bus_free = d->cycle + d->line_cycles;
    d->busy_cycles += d->line_cycles;
    d->frame->progress++;
}
