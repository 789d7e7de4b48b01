/* SPDX-License-Identifier: Apache-2.0 */
/* Models a DRAM channel as the L2 banks see it: requests enter, and lines leave. The device and its
 * scheduler are in gddr5.h, and the content of memory is in backing.h.
 *
 * The contract is as follows. A request is for one line or some of its bytes. It becomes one column
 * access for each atom (dram.atom_bytes) of the 32 B sectors that its mask touches. All its column
 * accesses enter the queue in the same cycle. Requests to the same location are served in order of
 * arrival. A read returns through the reply queue (peek, pop) as the same request, which is then a
 * reply. Atoms outside the mask are not filled. dram.extra_latency delays the reply or, if
 * dram.model=gpgpusim, the request in front of the device. A write changes the masked bytes; its
 * request returns to the pool when the last write command is issued. There is at most one push and
 * one pop per L2 bank and instant.
 *
 * The channel has one reply queue. Only the L2 bank that is the destination of the head sees it,
 * and the head blocks all other replies. A read whose data are complete keeps its entry in the read
 * queue while the reply queue is full.
 *
 * The first command for a request is issued at the first DRAM edge after its push, or later.
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

/* Values of dram.scheduler. */
enum { DRAM_SCHEDULER_VALUES(VALUE_ENUMERATOR) };
/* Values of dram.refresh. */
enum { DRAM_REFRESH_VALUES(VALUE_ENUMERATOR) };

struct dram {
    struct context *context; /* not owned */
    struct backing *backing; /* not owned; shared by all channels */
    struct gddr5 *device;    /* owned */
    struct dram_layout layout;
    struct timed_fifo back; /* reply queue; ready: first cycle in which the line may be taken; note:
                               L2 bank that receives it */
    struct timed_fifo front; /* queue before the device; capacity is 0 if there is none; note:
                                struct dram_asked */
    RING(uint64_t) lines;    /* line number, within the channel, of each request in `front` */
    uint64_t next;           /* first cycle in which a tick may change state */
    uint32_t atom_bytes, extra_latency, back_latency;
    struct {
        uint8_t bits,           /* bit n is 1 for atom n */
            count;              /* number of atoms */
    } atoms[1 << LINE_SECTORS]; /* atoms of a line, indexed by the set of sectors touched */
    uint64_t refused;           /* set of L2 banks that wait for their turn to push */
    uint32_t l2_banks,          /* number of L2 banks that take turns to push; 0 if they do not */
        last;                   /* L2 bank of the last push */
    uint32_t inside,            /* number of requests in the channel */
        in_flight;              /* maximum of `inside`; 0 for no limit */
    uint32_t admits,            /* atoms that may enter the front queue although the device is full,
                                   since as many have left it (dram.delay_first) */
        most_admits;            /* maximum of `admits`; 0 without dram.delay_first */
    uint32_t places[2],         /* number of entries for reads (index 0) and writes (index 1) */
        banks;                  /* number of DRAM banks */
    uint64_t reads,             /* number of completed reads */
        writes,                 /* number of completed writes */
        bytes;                  /* number of bytes moved */
    struct dram_rows *rows;     /* owned; NULL unless dram_watch_banks() was called */
    bool show_banks;            /* dram_gauges() includes the DRAM banks */
};

/* Checks relations between the keys of [dram]. Returns 0, or -1 with one line in err. */
int dram_check(const struct config *cfg, struct error *err);
/* Returns the parameters of the device that a configuration describes. */
struct gddr5_size dram_device(const struct config *cfg);
/* Returns an upper bound on the number of consecutive DRAM cycles in which a channel with work
 * moves nothing. */
uint64_t dram_longest_wait(const struct config *cfg);
/* Returns the maximum number of requests in a channel. */
uint64_t dram_requests(const struct config *cfg);

/* Creates a channel. dram_check() must have accepted `cfg`. */
void dram_init(struct dram *d, struct context *context, struct backing *backing,
               const struct config *cfg);
void dram_free(struct dram *d);

/* True if the channel accepts no request because too many are in flight. */
static inline bool dram_closed(const struct dram *d) {
    return (d->in_flight && d->inside >= d->in_flight) ||
           (d->front.capacity && ring_full(&d->front));
}
/* True if the channel has room for one atom of a write, or of a read if `write` is false. */
static inline bool dram_has_room(const struct dram *d, bool write) {
    return d->admits || gddr5_room(d->device, write) != 0;
}
/* True if the channel has room for the whole request. */
bool dram_can_push(const struct dram *d, uint32_t request);
/* True if the channel has room for the whole request and it is this L2 bank's turn. If the L2 banks
 * do not take turns, it is always the bank's turn. */
bool dram_may_push(const struct dram *d, uint32_t request, uint32_t l2_bank);
/* Records that an L2 bank has a request that it may not push. */
static inline void dram_refuse(struct dram *d, uint32_t l2_bank) {
    d->refused |= UINT64_C(1) << l2_bank;
}
/* Pushes a request. `local_line` is the line number within the channel, and `l2_bank` is the
 * partition's L2 bank that receives the data of a load. */
void dram_push(struct dram *d, uint32_t request, uint64_t local_line, uint32_t l2_bank);

/* The channels of a context share one clock: dram_edge() begins a cycle, and then dram_step() ticks
 * each channel for which dram_due() returns true. */
static inline void dram_edge(struct context *c) {
    c->dram_cycle++;
    c->dram_at = c->now;
}
static inline bool dram_due(const struct dram *d) {
    return d->context->dram_cycle >= d->next;
}
void dram_step(struct dram *d);

/* Returns the first cycle after this one in which the channel can change state or another line
 * becomes visible, or UINT64_MAX if nothing changes without a push. */
uint64_t dram_next_event(const struct dram *d);
/* Skips n edges. None of the edges may reach a channel's dram_next_event(). The last skipped edge
 * was in the previous instant. */
static inline void dram_advance(struct context *c, uint64_t n) {
    c->dram_cycle += n;
    c->dram_at = c->now - 1;
}

/* True if the reply queue is not empty. */
static inline bool dram_returns(const struct dram *d) {
    return d->back.count;
}

/* Returns the reply that waits for this L2 bank in `instant`, which is this instant or the next, or
 * REQUEST_NONE. A reply that arrives in one instant is visible in the next. */
static inline uint32_t dram_peek_in(const struct dram *d, uint32_t l2_bank, uint64_t instant) {
    const struct context *c = d->context;
    if (!timed_fifo_ready(&d->back, c->dram_at < instant ? c->dram_cycle : c->dram_cycle - 1))
        return REQUEST_NONE;
    return ring_first(&d->back)->note == l2_bank ? ring_first(&d->back)->request : REQUEST_NONE;
}

/* Returns the reply that waits for this L2 bank in this instant, or REQUEST_NONE. */
static inline uint32_t dram_peek(const struct dram *d, uint32_t l2_bank) {
    return dram_peek_in(d, l2_bank, d->context->now);
}

static inline uint32_t dram_pop(struct dram *d, uint32_t l2_bank) {
    assert(ring_first(&d->back)->note == l2_bank);
    (void)l2_bank;
    d->context->progress++;
    d->context->dram_replies--;
    d->inside--;
    return timed_fifo_pop(&d->back);
}

/* Calls fn for every request in the front queue and for every atom in the device. `issued` is true
 * if the atom's column command was issued. */
void dram_each(const struct dram *d, void (*fn)(void *ctx, uint32_t request, bool issued),
               void *ctx);

/* Adds the channel's statistics. */
void dram_add_stats(const struct dram *d, struct stats *to);
/* Starts counting the DRAM cycles in which each DRAM bank has an open row. A row is open from an
 * ACT to the PRE or PREA that closes it. */
void dram_watch_banks(struct dram *d);
/* Records the commands of each request in its marks (lib/request.h), which must exist. */
void dram_watch_loads(struct dram *d);
/* Passes a gauge of open-row cycles to `to` for each DRAM bank, from bank 0 on. dram_watch_banks()
 * must have been called. */
void dram_bank_gauges(const struct dram *d, const struct gauge_reader *to);
/* Passes the channel's gauges to `to`, including those of its DRAM banks if show_banks is true. */
void dram_gauges(const struct dram *d, const struct gauge_reader *to);
/* Prints the channel's queues. `i` is the channel's index. */
void dram_dump(const struct dram *d, uint32_t i, FILE *out);

#endif
