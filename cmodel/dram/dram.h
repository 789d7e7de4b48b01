/* SPDX-License-Identifier: Apache-2.0 */
/* One DRAM channel, as its users, the L2 slices, see it: packets in, lines out. The device and its
 * scheduler are gddr5.h; what memory holds is backing.h.
 *
 * Contract: a packet is one line or some bytes of it. It becomes one column access for each atom
 * (dram.atom_bytes) that its mask touches in 32 B sectors; all of them enter the queue at once.
 * Requests to one place are served in the order in which they were pushed. A read comes back
 * through the return queue (peek, pop) as the same packet, turned into a reply, dram.extra_latency
 * cycles after the data of its last atom; the atoms that the mask does not touch are not filled. A
 * write changes the masked bytes; its packet goes back to the pool with its last write command. At
 * most one push and one pop a slice and instant.
 *
 * The return queue is one for the channel: its head is shown only to the slice that it belongs to,
 * and holds up all others. A read whose last data are there but that finds the return queue full
 * keeps its entry in the read queue.
 *
 * A packet that is pushed in an instant has its first command at the next DRAM edge at the
 * earliest.
 */
#ifndef MEMTWIN_DRAM_DRAM_H
#define MEMTWIN_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "dram/backing.h"
#include "dram/gddr5.h"
#include "dram/layout.h"
#include "context/context.h"
#include "lib/timed_fifo.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "config/config.h"

struct dram {
    struct context *context; /* not owned */
    struct backing *backing; /* not owned; shared by all channels */
    struct gddr5 *device;    /* owned */
    struct dram_layout layout;
    struct timed_fifo back;  /* return queue; ready: cycle in which the line may be taken; note: the
                                slice that it goes back to */
    struct timed_fifo front; /* before the device; capacity 0: none; note: struct dram_asked */
    uint64_t *front_line;    /* owned; ring beside it: each packet's line in the channel */
    uint32_t front_head;     /* of that ring */
    uint64_t next;           /* first cycle in which a tick may do anything */
    uint32_t atom_bytes, extra_latency, back_latency;
    struct {
        uint8_t bits, count;       /* bit n for atom n */
    } atoms[1 << LINE_SECTORS];    /* of a line, by the sectors touched */
    uint64_t refused;              /* slices that wait for room in turn */
    uint32_t slices, last;         /* 0: not in turn; the slice that pushed last */
    uint32_t inside, in_flight;    /* packets in the channel; at most; 0: any number */
    uint32_t places[2], banks;     /* of the device: entries for reads, for writes; banks */
    uint64_t reads, writes, bytes; /* statistics: packets done; bytes moved */
    struct dram_rows *rows;        /* owned; NULL: dram_watch_banks was not called */
    bool show_banks;               /* dram_gauges has the banks too */
};

/* Relations between the keys of [dram]. Returns 0, or -1 with one line in err. */
int dram_check(const struct config *cfg, char *err, size_t err_size);
/* The device that a configuration describes. */
struct gddr5_size dram_device(const struct config *cfg);
/* DRAM cycles in which a channel with work may move nothing, at most. */
uint64_t dram_longest_wait(const struct config *cfg);
/* Most requests that a channel can hold. */
uint64_t dram_requests(const struct config *cfg);

/* cfg has passed dram_check. */
void dram_init(struct dram *d, struct context *context, struct backing *backing,
               const struct config *cfg);
void dram_free(struct dram *d);

/* Whether the channel accepts no request, because too many are in flight. */
static inline bool dram_closed(const struct dram *d) {
    return (d->in_flight && d->inside >= d->in_flight) ||
           (d->front.capacity && timed_fifo_full(&d->front));
}
/* Whether there is room for an atom that is read, or written. */
static inline bool dram_has_room(const struct dram *d, bool write) {
    return gddr5_room(d->device, write) != 0;
}
/* Whether there is room for the whole request. */
bool dram_can_push(const struct dram *d, uint32_t packet);
/* The same, and it is the turn of this slice: only if slices push in turn is there a difference. */
bool dram_may_push(const struct dram *d, uint32_t packet, uint32_t slice);
/* A slice has a packet that it may not push. */
static inline void dram_refuse(struct dram *d, uint32_t slice) {
    d->refused |= UINT64_C(1) << slice;
}
/* local_line: number of the line among those of the channel. slice: L2 bank of the partition that a
 * load goes back to. */
void dram_push(struct dram *d, uint32_t packet, uint64_t local_line, uint32_t slice);

/* The channels of a context have one clock, which the context keeps: dram_edge begins a cycle, then
 * dram_step does the work of each channel that dram_due says has some. */
static inline void dram_edge(struct context *c) {
    c->dram_cycle++;
    c->dram_at = c->now;
}
static inline bool dram_due(const struct dram *d) {
    return d->context->dram_cycle >= d->next;
}
void dram_step(struct dram *d);

/* The first cycle after this one in which the channel can change anything, or a line can be seen
 * that could not be seen before; UINT64_MAX: none without a push. */
uint64_t dram_next_event(const struct dram *d);
/* n edges at once; none of them may reach a channel's dram_next_event. The last was in the instant
 * before this one.
 */
static inline void dram_advance(struct context *c, uint64_t n) {
    c->dram_cycle += n;
    c->dram_at = c->now - 1;
}

/* Lines are on their way out. */
static inline bool dram_returns(const struct dram *d) {
    return d->back.count;
}

/* The line that waits for this slice in an instant, this one or the next, or REQUEST_NONE. What
 * came in an instant is seen in the next. */
static inline uint32_t dram_peek_in(const struct dram *d, uint32_t slice, uint64_t instant) {
    const struct context *c = d->context;
    if (!timed_fifo_ready(&d->back, c->dram_at < instant ? c->dram_cycle : c->dram_cycle - 1))
        return REQUEST_NONE;
    return timed_fifo_at(&d->back, 0)->note == slice ? timed_fifo_peek(&d->back) : REQUEST_NONE;
}

/* In this instant. */
static inline uint32_t dram_peek(const struct dram *d, uint32_t slice) {
    return dram_peek_in(d, slice, d->context->now);
}

static inline uint32_t dram_pop(struct dram *d, uint32_t slice) {
    assert(timed_fifo_at(&d->back, 0)->note == slice);
    (void)slice;
    d->context->progress++;
    d->inside--;
    return timed_fifo_pop(&d->back);
}

/* Calls fn for every atom of a packet that the device holds. */
void dram_each(const struct dram *d, void (*fn)(void *ctx, uint32_t packet, bool issued),
               void *ctx);

/* Adds the channel's statistics. */
void dram_add_stats(const struct dram *d, struct stats *to);
/* Counts, from now on, the DRAM cycles in which each bank has an open row: from an ACT to the PRE
 * or PREA that closes it. */
void dram_watch_banks(struct dram *d);
/* A gauge for each bank, from bank 0: those cycles. Only after dram_watch_banks. */
void dram_bank_gauges(const struct dram *d, const struct gauge_reader *to);
/* The channel's gauges; those of its banks too if show_banks says so. */
void dram_gauges(const struct dram *d, const struct gauge_reader *to);
/* What waits in channel i. */
void dram_dump(const struct dram *d, uint32_t i, FILE *out);

#endif
